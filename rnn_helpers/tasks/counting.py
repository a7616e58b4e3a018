"""A made-up task that asks for both: to accumulate, and to forget."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rnn_helpers.validate import as_count, as_generators, as_number

_UNIT = 10  # keeps the targets near 1


@dataclass(frozen=True)
class CountSinceReset:
    """Count the ones since the last reset; the target at every step is the count, in tens.

    The first input is 0 or 1, independently at each step; the second is 1 at a reset and 0
    elsewhere. A reset sets the count to 0, regardless of the first input.

    Parameters
    ----------
    reset, one : float
        Probabilities of a reset and of a one at a step, from 0 to 1.

    Attributes
    ----------
    optimum : float
        Mean squared error of perfect counting; see `baseline` for a model that ignores its inputs.
    """

    reset: float = 0.05
    one: float = 0.5

    optimum: ClassVar[float] = 0.0
    n_x: ClassVar[int] = 2
    n_y: ClassVar[int] = 1

    def __post_init__(self):
        for name in ("reset", "one"):
            as_number(name, getattr(self, name), "a probability", lambda p: 0 <= p <= 1)

    def baseline(self, n_steps: int) -> float:
        """Mean squared error of predicting the mean count at each step.

        Parameters
        ----------
        n_steps : int
            Time steps T of the sequences.

        Returns
        -------
        float
            The count's variance at a step, averaged over the steps.
        """
        first = second = total = 0.0  # moments of the count: E n, E n^2
        n_steps = as_count("n_steps", n_steps)
        for _ in range(n_steps):
            second = (1 - self.reset) * (second + self.one * (2 * first + 1))
            first = (1 - self.reset) * (first + self.one)
            total += second - first**2
        return total / n_steps / _UNIT**2

    def batches(
        self,
        n_steps: int,
        batch_size: int,
        seed: int | np.random.Generator | Sequence[int] | np.ndarray,
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Draw minibatches without end.

        Parameters
        ----------
        n_steps : int
            Time steps T.
        batch_size : int
            Sequences B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the sequences. A sequence of S seeds gives each its own, on an axis of seeds.

        Yields
        ------
        x : ndarray, shape (T, B, 2); (T, S, B, 2) with S seeds
            Zeros and ones, and resets.
        y : ndarray, shape (T, B); (T, S, B) with S seeds
            The count divided by ten.
        """
        shape = as_count("n_steps", n_steps), as_count("batch_size", batch_size), 2
        rngs, several = as_generators(seed)
        return self._batches(shape, rngs, several)

    def _batches(self, shape, rngs, several):
        chances = self.one, self.reset
        while True:
            x = np.stack([rng.random(shape) < chances for rng in rngs], axis=1).astype(float)
            y = self.counts(x)
            yield (x, y) if several else (x[:, 0], y[:, 0])

    @staticmethod
    def counts(x: np.ndarray) -> np.ndarray:
        """Answers (T, ...) to inputs (T, ..., 2), zeros and ones and resets."""
        count = np.zeros(x.shape[1:-1])
        y = np.empty(x.shape[:-1])
        for t, (one, reset) in enumerate(np.moveaxis(x, -1, 1)):
            y[t] = count = np.where(reset, 0, count + one)
        return y / _UNIT
