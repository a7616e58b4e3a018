"""Repeat a whole sequence in order: the simplest test of a memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import as_count, as_generators, as_list, convert_count

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


@dataclass(frozen=True)
class CopyBits:
    """Copy a sequence of bit vectors after its end is marked (Graves et al., 2014).

    A sequence of n vectors takes 2 n + 1 steps: the vectors, the mark, and n steps without input at
    which the vectors are the targets.

    Parameters
    ----------
    n_bits : int
        Bits of a vector.

    Attributes
    ----------
    n_x, n_y : int
        Numbers of inputs, the bits and the mark, and of output bits.
    baseline : float
        Share of right bits by guessing.
    """

    n_bits: int = 4
    baseline = 0.5

    def __post_init__(self):
        convert_count(self, "n_bits")

    @property
    def n_x(self) -> int:
        """Bits, and the mark of the end."""
        return self.n_bits + 1

    @property
    def n_y(self) -> int:
        """Output bits."""
        return self.n_bits

    def batches(self, lengths: Sequence[int], batch_size: int, seed: Seeds) -> Iterator[tuple]:
        """Draw minibatches without end.

        Parameters
        ----------
        lengths : sequence of int
            How many vectors a sequence may have. All sequences of a minibatch have the same
            number; which one comes when does not depend on the seed.
        batch_size : int
            Sequences B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the bits. A sequence of S seeds gives minibatches side by side, with an axis S
            after that of the steps.

        Yields
        ------
        x : ndarray of float, shape (T, B, n_x)
        y : ndarray of int, shape (T, B, n_y)
        mask : ndarray of bool, shape (T, B)
            True at the last n steps.
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
            shown = [rng.integers(2, size=(n, batch_size, self.n_bits)) for rng in rngs]
            parts = self._parts(np.stack(shown, axis=1))
            yield parts if several else tuple(part[:, 0] for part in parts)

    def _parts(self, shown):
        """Inputs, targets and mask of vectors (n, S, B, n_bits)."""
        n, *lead, _ = shown.shape
        x = np.zeros((2 * n + 1, *lead, self.n_x), np.float32)
        x[:n, ..., :-1], x[n, ..., -1] = shown, 1
        y = np.zeros((2 * n + 1, *lead, self.n_y), int)
        y[n + 1 :] = shown
        mask = np.zeros(y.shape[:-1], bool)
        mask[n + 1 :] = True
        return x, y, mask
