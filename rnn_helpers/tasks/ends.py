"""Sequences whose end is visible: two letters alternate, and the last letter is a z."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import (
    as_array,
    as_count,
    as_generators,
    as_real,
    as_tokens,
    brief,
    convert_count,
)

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


@dataclass(frozen=True)
class Ends:
    """Letters a and b that alternate, and a z at the end: ``abaz``, ``babababz``.

    The length, including the z, is drawn first, and a fair coin decides which letter comes first.
    So if a network writes a sequence without a z at its end, or with one before, it didn't predict
    the end.

    Parameters
    ----------
    weights : sequence of float
        How likely each length is, from the `shortest` on; the sum needn't be 1.
    shortest : int
        Least length, at least 2.

    Examples
    --------
    >>> source = Ends()
    >>> source.text(*source.sample(3, seed=0))
    ['abababaz', 'ababz', 'abz']
    """

    weights: tuple[float, ...] = (1.0,) * 8
    shortest: int = 3

    ALPHABET = "abz"

    def __post_init__(self):
        weights = as_real("weights", self.weights)
        if weights.ndim != 1 or not weights.size or (weights < 0).any() or not weights.any():
            raise ValueError(
                f"weights are {brief(self.weights)}; expected numbers of at least 0, not all 0"
            )
        object.__setattr__(self, "weights", tuple(weights.tolist()))
        convert_count(self, "shortest", 2)

    @property
    def n_y(self) -> int:
        """Symbols: a is 0, b is 1, and z, which ends a sequence, is 2."""
        return 3

    @property
    def longest(self) -> int:
        """Greatest length."""
        return self.shortest + len(self.weights) - 1

    @property
    def lengths(self) -> np.ndarray:
        """All lengths, from the shortest to the longest."""
        return np.arange(self.shortest, self.longest + 1)

    @property
    def probabilities(self) -> np.ndarray:
        """Probability of each of the `lengths`."""
        return np.array(self.weights) / sum(self.weights)

    @property
    def entropy(self) -> float:
        """Entropy of a sequence in nats, that of the length and one coin: the least loss."""
        p = self.probabilities[self.probabilities > 0]
        return float(np.log(2) - (p * np.log(p)).sum())

    def sequences(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All sequences that there are.

        Returns
        -------
        y : ndarray of int, shape (longest, n)
            Symbols, filled up with z.
        lengths : ndarray of int, shape (n,)
        p : ndarray, shape (n,)
            Probability of each.
        """
        lengths = self.lengths.repeat(2)
        first = np.tile([0, 1], len(self.weights))
        return self._written(lengths, first), lengths, self.probabilities.repeat(2) / 2

    def sample(
        self, size: int, seed: int | np.random.Generator = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Draw sequences.

        Parameters
        ----------
        size : int
            How many.
        seed : int or Generator
            Draws their lengths and first letters.

        Returns
        -------
        y : ndarray of int, shape (longest, size)
            Symbols, filled up with z.
        lengths : ndarray of int, shape (size,)
            How many of them are the sequence, the z at its end included.
        """
        return next(self.batches(size, seed))

    def batches(self, batch_size: int, seed: Seeds) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Draw minibatches without end.

        Parameters
        ----------
        batch_size : int
            Sequences B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws lengths and first letters. A sequence of S seeds gives minibatches side by side.

        Yields
        ------
        y : ndarray of int, shape (longest, B); (longest, S, B) with S seeds
        lengths : ndarray of int, shape (B,) or (S, B)
        """
        return self._batches(as_count("batch_size", batch_size), *as_generators(seed))

    def _batches(self, batch_size, rngs, several):
        while True:
            lengths = np.stack(
                [rng.choice(self.lengths, batch_size, p=self.probabilities) for rng in rngs]
            )
            y = self._written(lengths, np.stack([rng.integers(2, size=batch_size) for rng in rngs]))
            yield (y, lengths) if several else (y[:, 0], lengths[0])

    def _written(self, lengths, first):
        t = np.arange(self.longest).reshape(-1, *[1] * lengths.ndim)
        return np.where(t < lengths - 1, (first + t) % 2, 2)

    def proper(self, y: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """Whether sequences of any length have the right form: letters in turn, then a z.

        Parameters
        ----------
        y : ndarray of int, shape (T, ...)
            Symbols; those from the length on do not matter.
        lengths : ndarray of int, shape (...)
            How many symbols each sequence has, from 0 to T.

        Returns
        -------
        ndarray of bool, shape (...)
        """
        y, lengths = self._fitting(y, lengths)
        t = np.arange(len(y)).reshape(-1, *[1] * lengths.ndim)
        right = np.where(t < lengths - 1, (y != 2) & (y == (y[:1] + t) % 2), y == 2)
        return (lengths > 1) & (right | (t >= lengths)).all(axis=0)

    def log_probability(self, y: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """Logarithm of the probability of sequences, in nats; minus infinity where it is 0.

        Arguments as for `proper`.
        """
        y, lengths = self._fitting(y, lengths)
        known = self.proper(y, lengths) & (lengths >= self.shortest) & (lengths <= self.longest)
        place = np.where(known, lengths - self.shortest, 0)
        p = np.where(known, self.probabilities[place] / 2, 0)
        return np.log(p, out=np.full(p.shape, -np.inf), where=p > 0)

    def text(self, y: np.ndarray, lengths: np.ndarray) -> list[str]:
        """Write sequences (T, n) as strings; arguments as for `proper`."""
        y, lengths = self._fitting(y, lengths)
        letters = np.array(list(self.ALPHABET))
        return ["".join(letters[each[:n]]) for each, n in zip(y.T, lengths, strict=True)]

    def _fitting(self, y, lengths):
        y = as_tokens("y", y, 3)
        lengths = as_array("lengths", lengths)
        if y.ndim == 0 or y.shape[1:] != lengths.shape:
            raise ValueError(
                f"lengths have shape {lengths.shape}; expected {y.shape[1:]}, for y of {y.shape}"
            )
        return y, as_tokens("lengths", lengths, len(y) + 1)
