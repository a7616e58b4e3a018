"""Bits that depend on several earlier bits jointly, but on no single one of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import (
    as_array,
    as_count,
    as_generators,
    as_number,
    as_tokens,
    brief,
    convert_count,
)

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


@dataclass(frozen=True)
class NoisyParity:
    """Bits that are the parity of the few before them, most of the time.

    The first `order` bits are fair coin flips. Each later bit is 1 if the number of ones among the
    `order` bits before it is odd, else 0; with probability `noise` it is flipped. Given fewer than
    `order` of these bits, the best prediction is a coin flip.

    Parameters
    ----------
    order : int
        How many bits before it a bit depends on, at least 1.
    noise : float
        Probability of the opposite, above 0 and at most 1/2.

    Examples
    --------
    >>> NoisyParity(order=2, noise=0.1).following([1, 0, 1]).tolist()
    [0.5, 0.5, 0.9, 0.9]
    """

    order: int = 4
    noise: float = 0.1

    def __post_init__(self):
        convert_count(self, "order", 1, 30)
        as_number(
            "noise",
            self.noise,
            "a probability above 0 and at most 1/2",
            lambda share: 0 < share <= 0.5,
        )

    @property
    def n_y(self) -> int:
        """Symbols: 0 and 1."""
        return 2

    def entropy(self, n_steps: int) -> float:
        """Entropy of a sequence of `n_steps` bits in nats: the least possible expected loss."""
        n_steps, p = as_count("n_steps", n_steps), self.noise
        coins = min(n_steps, self.order)
        each = -p * np.log(p) - (1 - p) * np.log(1 - p)
        return float(coins * np.log(2) + (n_steps - coins) * each)

    def following(self, y: np.ndarray) -> np.ndarray:
        """Probability that the next bit is a one, before each bit and after the last.

        Parameters
        ----------
        y : ndarray of int, shape (T,) or (T, ...)
            Bits; there may be none.

        Returns
        -------
        ndarray, shape (T + 1,) or (T + 1, ...)
        """
        y = self._bits(y)
        ones = np.concatenate([np.zeros((1, *y.shape[1:]), int), y]).cumsum(axis=0)
        known = ones[self.order :]
        odd = (known - ones[: len(known)]) % 2
        coins = np.full(ones[: self.order].shape, 0.5)
        return np.concatenate([coins, np.where(odd, 1 - self.noise, self.noise)])

    def log_probabilities(self, y: np.ndarray) -> np.ndarray:
        """Logarithm of the probability of each bit, given those before it.

        Parameters
        ----------
        y : ndarray of int, shape (T,) or (T, ...)

        Returns
        -------
        ndarray, of the shape of `y`
            In nats. Along time they add up to the log-probability of the sequence (G 10.31).
        """
        y = self._bits(y)
        p = self.following(y)[:-1]
        return np.log(np.where(y, p, 1 - p))

    def log_probability(self, y: np.ndarray) -> np.ndarray:
        """Logarithm of the probability of whole sequences (T, ...), in nats; shape (...)."""
        return self.log_probabilities(y).sum(axis=0)

    def _bits(self, y):
        y = as_array("y", y)
        if y.ndim == 0:
            raise ValueError(f"y is {brief(y)}; expected bits along its first axis")
        return as_tokens("y", y, 2) if y.size else y.astype(int)

    def sample(self, n_steps: int, size: int, seed: int | np.random.Generator = 0) -> np.ndarray:
        """Draw sequences.

        Parameters
        ----------
        n_steps : int
            Bits T of a sequence.
        size : int
            How many sequences.
        seed : int or Generator
            Throws the coins.

        Returns
        -------
        ndarray of int, shape (T, size)
        """
        return next(self.batches(n_steps, size, seed))

    def batches(self, n_steps: int, batch_size: int, seed: Seeds) -> Iterator[np.ndarray]:
        """Draw minibatches without end.

        Parameters
        ----------
        n_steps : int
            Bits T of a sequence.
        batch_size : int
            Sequences B in a minibatch.
        seed : int, Generator, or sequence of these
            Throws the coins. A sequence of S seeds gives minibatches side by side.

        Yields
        ------
        ndarray of int, shape (T, B); (T, S, B) with S seeds
        """
        n_steps, batch_size = as_count("n_steps", n_steps), as_count("batch_size", batch_size)
        return self._batches(n_steps, batch_size, *as_generators(seed))

    def _batches(self, n_steps, batch_size, rngs, several):
        first = min(n_steps, self.order)
        while True:
            y = np.stack([rng.random((n_steps, batch_size)) for rng in rngs], axis=1)
            y = np.where(np.arange(n_steps)[:, None, None] < first, y < 0.5, y < self.noise)
            y = y.astype(int)  # so far the coins, and where the parity is flipped
            for t in range(first, n_steps):
                y[t] ^= y[t - self.order : t].sum(axis=0) % 2
            yield y if several else y[:, 0]
