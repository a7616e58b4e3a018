"""Pairs of keys and values, and a key by which one value is asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import as_count, as_generators, as_list, convert_count

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


@dataclass(frozen=True)
class Pairs:
    """Output the value that was shown with a key, when the key is shown again (Arora et al., 2024).

    n pairs take n + 1 steps: one for each pair, and one for a key that is marked and has no value.
    Keys are new in every sequence, so that none can be learned; values come more often than once.

    Parameters
    ----------
    n_values : int
        Different values.
    width : int
        Signs, 1 or -1, in a key.
    """

    n_values: int = 8
    width: int = 16

    def __post_init__(self):
        convert_count(self, "n_values", 2)
        convert_count(self, "width")

    @property
    def n_x(self) -> int:
        """Signs of a key, values, and the mark."""
        return self.width + self.n_values + 1

    @property
    def n_y(self) -> int:
        """Values."""
        return self.n_values

    @property
    def guess(self) -> float:
        """Share of right answers by guessing."""
        return 1 / self.n_values

    def batches(self, lengths: Sequence[int], batch_size: int, seed: Seeds) -> Iterator[tuple]:
        """Draw minibatches without end.

        Parameters
        ----------
        lengths : sequence of int
            How many pairs a sequence may have. All sequences of a minibatch have the same number;
            which one comes when does not depend on the seed.
        batch_size : int
            Sequences B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the pairs. A sequence of S seeds gives minibatches side by side, with an axis S
            after that of the steps.

        Yields
        ------
        x : ndarray of float, shape (T, B, n_x)
        y : ndarray of int, shape (T, B)
            The value that is asked for, at the last step.
        mask : ndarray of bool, shape (T, B)
            True at the last step.
        """
        lengths = [as_count("each of lengths", n) for n in as_list("lengths", lengths)]
        if not lengths:
            raise ValueError("lengths is empty; expected at least one")
        batch_size = as_count("batch_size", batch_size)
        return self._batches(lengths, batch_size, *as_generators(seed))

    def _batches(self, lengths, batch_size, rngs, several):
        order = np.random.default_rng(0)
        while True:
            n = int(order.choice(lengths))
            drawn = [self._drawn(n, batch_size, rng) for rng in rngs]
            parts = (np.stack(part, axis=1) for part in zip(*drawn, strict=True))
            yield tuple(parts if several else (part[:, 0] for part in parts))

    def _drawn(self, n, B, rng):
        """Inputs, targets and mask of B sequences of n pairs."""
        keys = rng.choice([-1.0, 1.0], (n, B, self.width))
        values = rng.integers(self.n_values, size=(n, B))
        asked, each = rng.integers(n, size=B), np.arange(B)
        x = np.zeros((n + 1, B, self.n_x), np.float32)
        x[:n, :, : self.width], x[n, :, : self.width] = keys, keys[asked, each]
        x[:n, :, self.width : -1] = np.eye(self.n_values)[values]
        x[n, :, -1] = 1
        y, mask = np.zeros((n + 1, B), int), np.zeros((n + 1, B), bool)
        y[n], mask[n] = values[asked, each], True
        return x, y, mask
