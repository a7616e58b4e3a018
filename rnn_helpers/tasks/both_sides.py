"""A sum of two bits, one in the past and one in the future."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import as_count, as_generators, convert_count

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


@dataclass(frozen=True)
class BothSides:
    """Count the ones among two bits: the one `reach` steps ago, and the one `reach` steps ahead.

    Bits are fair coin flips; the target ``y^(t) = x^(t - reach) + x^(t + reach)`` is 0, 1 or 2.
    A model that has received one of the two bits is right half of the time, and so is one that has
    received neither and always predicts 1: they differ only in nats. With both, it is always right.

    Parameters
    ----------
    reach : int
        Steps to either side, at least 1.

    Examples
    --------
    >>> task = BothSides(3)
    >>> task.optimum(2), task.optimum(3)  # waiting two steps, and three
    (0.5, 1.0)
    """

    reach: int = 3

    def __post_init__(self):
        convert_count(self, "reach")

    @property
    def n_x(self) -> int:
        """Inputs: a bit is a token, 0 or 1."""
        return 2

    @property
    def n_y(self) -> int:
        """Answers: the sum is 0, 1 or 2."""
        return 3

    def optimum(self, ahead: int | None = 0) -> float:
        """Best possible accuracy of a model that sees `ahead` steps ahead; None for all."""
        return 1.0 if self._reaches("ahead", ahead) else 0.5

    def nats(self, ahead: int | None = 0, behind: int | None = None) -> float:
        """Least expected loss per step of a model that sees `ahead` steps ahead and `behind` back.

        Parameters
        ----------
        ahead, behind : int, optional
            Steps, at least 0; None for all.
        """
        unknown = 2 - self._reaches("ahead", ahead) - self._reaches("behind", behind)
        return float([0, 1, 1.5][unknown] * np.log(2))

    def _reaches(self, name, steps):
        return steps is None or as_count(name, steps, 0) >= self.reach

    def batches(self, n_steps: int, batch_size: int, seed: Seeds) -> Iterator[tuple]:
        """Draw minibatches without end.

        Parameters
        ----------
        n_steps : int
            Time steps T, more than twice the reach.
        batch_size : int
            Sequences B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the bits. A sequence of S seeds gives minibatches side by side, of (T, S, B).

        Yields
        ------
        x, y : ndarray of int, shape (T, B)
            Bits, and sums; bits outside the sequence count as 0.
        mask : ndarray of bool, shape (T, B)
            False for the first and last `reach` steps.
        """
        n_steps, batch_size = as_count("n_steps", n_steps), as_count("batch_size", batch_size)
        if n_steps <= 2 * self.reach:
            raise ValueError(
                f"n_steps is {n_steps}; expected more than twice the reach of {self.reach}"
            )
        return self._batches(n_steps, batch_size, *as_generators(seed))

    def _batches(self, n_steps, batch_size, rngs, several):
        t = np.arange(n_steps)
        counts = (t >= self.reach) & (t < n_steps - self.reach)
        while True:
            x = np.stack([rng.integers(2, size=(n_steps, batch_size)) for rng in rngs], axis=1)
            none = np.zeros_like(x[: self.reach])
            y = np.concatenate([none, x[: -self.reach]]) + np.concatenate([x[self.reach :], none])
            mask = np.broadcast_to(counts[:, None, None], x.shape)
            yield (x, y, mask) if several else (x[:, 0], y[:, 0], mask[:, 0])
