"""Facts, and questions that take one of them, or two, to be answered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import as_count, as_generators, convert_count

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


@dataclass(frozen=True)
class Facts:
    """Answer questions from facts that are new in each example.

    A fact maps one name (its key) to another (its value). With two hops, intermediate names lead
    from the names of the questions to those of the answers. For each hop there are `n_facts`, no
    two with the same key, and all facts are shuffled together. A question is a name. Its fact leads
    to the next name, and the last fact's value is the answer.

    Parameters
    ----------
    n_names : int
        Names of each kind, at least as many as facts.
    n_facts : int
        Facts of each kind.
    hops : int
        Facts that lead to the answer.
    """

    n_names: int = 12
    n_facts: int = 4
    hops: int = 2

    def __post_init__(self):
        convert_count(self, "n_facts")
        convert_count(self, "n_names", self.n_facts)
        convert_count(self, "hops")

    @property
    def n_x(self) -> int:
        """Names of all kinds."""
        return self.n_names * (self.hops + 1)

    @property
    def n_y(self) -> int:
        """Names that answer."""
        return self.n_names

    @property
    def guess(self) -> float:
        """Expected accuracy of choosing at random among the values of the last hop's facts."""
        return 1 / self.n_facts

    def batches(self, batch_size: int, seed: Seeds) -> Iterator[tuple]:
        """Draw minibatches without end.

        Parameters
        ----------
        batch_size : int
            Questions B in a minibatch, each with its own facts.
        seed : int, Generator, or sequence of these
            A sequence of S seeds gives minibatches side by side: (S, B, ...).

        Yields
        ------
        about, says : ndarray of int, shape (B, n)
            Names of the ``n = hops n_facts`` facts.
        asked : ndarray of int, shape (B,)
            Names.
        y : ndarray of int, shape (B,)
            Answers, counted among the last kind of names.
        where : ndarray of int, shape (B, hops)
            The facts that lead to the answer.
        """
        return self._batches(as_count("batch_size", batch_size), *as_generators(seed))

    def _batches(self, batch_size, rngs, several):
        while True:
            drawn = [self._drawn(batch_size, rng) for rng in rngs]
            yield tuple(np.stack(part) if several else part[0] for part in zip(*drawn, strict=True))

    def _drawn(self, B, rng):
        # For each kind of name those that occur; fact i of a hop leads from its i-th to the next's.
        kinds = rng.permuted(
            np.broadcast_to(np.arange(self.n_names), (B, self.hops + 1, self.n_names)), axis=-1
        )[..., : self.n_facts]
        kinds = kinds + self.n_names * np.arange(self.hops + 1)[:, None]
        about, says = kinds[:, :-1].reshape(B, -1), kinds[:, 1:].reshape(B, -1)
        first = rng.integers(self.n_facts, size=B)
        order = rng.permuted(np.broadcast_to(np.arange(about.shape[1]), about.shape), axis=-1)
        place = order.argsort(axis=-1)  # the place of each fact after shuffling
        where = np.take_along_axis(
            place, first[:, None] + self.n_facts * np.arange(self.hops), axis=1
        )
        about, says = (np.take_along_axis(names, order, axis=1) for names in (about, says))
        each = np.arange(B)
        y = says[each, where[:, -1]] - self.n_names * self.hops
        return about, says, about[each, where[:, 0]], y, where
