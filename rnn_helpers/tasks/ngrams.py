"""Models of a text without learning by gradients: tables of counts, and programs that compress."""

import bz2
import gzip
import lzma
from typing import NamedTuple

import numpy as np

from rnn_helpers.tasks.corpora import Corpus, _tokens
from rnn_helpers.tasks.drawing import drawn
from rnn_helpers.validate import (
    as_count,
    as_generator,
    as_kind,
    as_positive,
)

_LARGEST = np.iinfo(np.int64).max  # a sequence of symbols is one integer


class _Table(NamedTuple):
    """Counts of the sequences of one length; each sequence is encoded as an integer."""

    grams: np.ndarray  # sequences seen, in order
    counts: np.ndarray  # N(hc) of each
    contexts: np.ndarray  # sequences without their last symbol, in order
    totals: np.ndarray  # N(h) of each: the sum of its counts
    kinds: np.ndarray  # D(h) of each: how many symbols were seen after it
    discount: float  # d


class NGram:
    """Model of the symbol that follows the last few symbols: Kneser and Ney's, interpolated.

    With h the ``k - 1`` symbols before a symbol c, and h' these without the first of them::

        p_k(c | h) = max(N(hc) - d_k, 0) / N(h)  +  d_k D(h) / N(h) * p_{k-1}(c | h')

    from k = `order` down to 1, where ``p_0`` is uniform. ``N(hc)`` counts, for the highest order,
    how often hc occurs; for the lower ones, which matter where a longer context is rare, how many
    different symbols occur before it. ``N(h)`` is the sum of ``N(hc)`` over c, and ``D(h)`` the
    number of symbols for which it is not 0. Each count gives up the discount ``d_k = n_1 / (n_1 +
    2 n_2)``, where ``n_1`` and ``n_2`` sequences have the counts 1 and 2, or 1/2 where none has 1;
    the discounts are distributed in proportion to the lower order. After an unseen context, the
    model is the lower order alone. (Kneser and Ney, 1995; interpolated as Chen and Goodman, 1999.)

    Parameters
    ----------
    order : int
        Largest k, at least 1: 2 for pairs of symbols.
    tokens : ndarray of int, shape (m,)
        The text to count in, such as ``corpus.train``; at least `order` tokens.
    n : int
        Number of symbols, such as ``len(corpus.alphabet)``.

    Attributes
    ----------
    order, n : int
        As given.
    size : int
        Number of counts kept, of all orders.

    Raises
    ------
    ValueError
        If there are more sequences of `order` symbols than an integer of 64 bits can
        number.

    Examples
    --------
    >>> model = NGram(2, [0, 1, 0, 1, 0, 2], 3)
    >>> model.probabilities([0]).round(3)
    array([0.044, 0.644, 0.311])
    """

    def __init__(self, order: int, tokens: np.ndarray, n: int):
        self.order, self.n = as_count("order", order), as_count("n", n)
        tokens = _tokens(tokens, self.n)
        if self.n**self.order > _LARGEST:
            raise ValueError(f"order is {order}; expected less, for {n} symbols")
        if len(tokens) < self.order:
            raise ValueError(f"tokens are {len(tokens)}; expected at least order = {order}")
        seen = np.unique(self._codes(tokens, self.order), return_counts=True)
        tables = [_counted(*seen, self.n)]
        for k in range(self.order - 1, 0, -1):
            longer = np.unique(self._codes(tokens, k + 1))
            tables.append(_counted(*np.unique(longer % self.n**k, return_counts=True), self.n))
        self._tables = tables[::-1]
        self.size = sum(len(table.grams) for table in self._tables)

    def bits(self, tokens: np.ndarray) -> float:
        """Mean number of bits for each symbol of a text but the first, which is given.

        The first symbols of `tokens`, at least two, are predicted from the few before them.
        """
        tokens = _tokens(tokens, self.n)
        if len(tokens) < 2:
            raise ValueError(f"tokens are {len(tokens)}; expected at least two")
        p = np.full(len(tokens), 1 / self.n)
        for k, table in enumerate(self._tables[: len(tokens)], 1):
            p[k - 1 :] = self._mixed(table, self._codes(tokens, k), p[k - 1 :])
        return float(-np.log2(p[1:]).mean())

    def probabilities(self, tokens: np.ndarray) -> np.ndarray:
        """Probability of each of the n symbols to come after a text.

        The last ``order - 1`` of its `tokens` matter; it may be empty.
        """
        tokens = _tokens(tokens, self.n)
        p = np.full(self.n, 1 / self.n)
        every = np.arange(self.n)
        for k, table in enumerate(self._tables[: len(tokens) + 1], 1):
            (context,) = self._codes(tokens[len(tokens) - k + 1 :], k - 1)
            p = self._mixed(table, context * self.n + every, p)
        return p

    def sample(
        self,
        corpus: Corpus,
        length: int,
        seed: int | np.random.Generator = 0,
        temperature: float = 1.0,
        prompt: str = "",
    ) -> str:
        """Sample text from the model, as `rnn_helpers.tasks.sample` does from a network.

        Parameters
        ----------
        corpus : Corpus
            Gives the alphabet.
        length : int
            Number of characters to write, at least 1.
        seed : int or Generator
            Chooses the characters.
        temperature : float
            Divides the logarithms of the probabilities: below 1 likely characters become even more
            likely. Above 0.
        prompt : str
            The text before, which isn't returned; the corpus's first character if empty.
        """
        as_kind("corpus", corpus, Corpus, "what characters(...) returns")
        as_kind("prompt", prompt, str, "a string")
        as_positive("temperature", temperature)
        if len(corpus.alphabet) != self.n:
            raise ValueError(
                f"corpus has {len(corpus.alphabet)} characters; expected {self.n}, as the model"
            )
        rng = as_generator(seed)
        length = as_count("length", length)
        tokens = list(corpus.encode(prompt or corpus.text[0]))
        for _ in range(length):
            p = self.probabilities(tokens[max(len(tokens) - self.order + 1, 0) :])
            tokens.append(drawn(np.log(p), temperature, rng))
        return corpus.decode(tokens[-length:])

    def _codes(self, tokens, k):
        """Code of each sequence of k tokens: its number in base n."""
        steps = len(tokens) - k + 1
        codes = np.zeros(steps, dtype=np.int64)
        for j in range(k):
            codes = codes * self.n + tokens[j : j + steps]
        return codes

    def _mixed(self, table, grams, lower):
        """Probability of the last symbols of sequences, given that which the lower order gives."""
        contexts = grams // self.n
        times = _looked_up(table.contexts, table.totals, contexts)
        kept = np.maximum(_looked_up(table.grams, table.counts, grams) - table.discount, 0)
        given = table.discount * _looked_up(table.contexts, table.kinds, contexts)
        return np.where(times > 0, (kept + given * lower) / np.maximum(times, 1), lower)


def _counted(grams, counts, n):
    """Table of sequences that were counted."""
    once, twice = (counts == 1).sum(), (counts == 2).sum()
    contexts, place = np.unique(grams // n, return_inverse=True)
    return _Table(
        grams,
        counts,
        contexts,
        np.bincount(place, counts),
        np.bincount(place),
        once / (once + 2 * twice) if once else 0.5,
    )


def _looked_up(keys, values, wanted):
    """Values of keys, which are in order; 0 for a key that is not there."""
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[place] == wanted, values[place], 0)


def compressed_bits(corpus: Corpus) -> dict[str, float]:
    """Bits per held-out character that compression programs need, given the training text.

    The training text is compressed alone, and with the held-out text after it; the difference is
    the cost of the held-out text. A character is given to the programs as one byte. gzip looks back
    only 32 768 bytes; xz and bzip2 use all of a text of this size.

    Parameters
    ----------
    corpus : Corpus
        A text of at most 256 different characters, like all texts that `characters` reads.

    Returns
    -------
    dict of str to float
        For ``"gzip"``, ``"bzip2"`` and ``"xz"``, each at its strongest setting.

    Raises
    ------
    ValueError
        If the alphabet does not fit into a byte.
    """
    as_kind("corpus", corpus, Corpus, "what characters(...) returns")
    if len(corpus.alphabet) > 256:
        raise ValueError(f"corpus has {len(corpus.alphabet)} characters; expected at most 256")
    train, held_out = (part.astype(np.uint8).tobytes() for part in (corpus.train, corpus.held_out))
    return {
        name: 8 * (len(compress(train + held_out)) - len(compress(train))) / len(held_out)
        for name, compress in _COMPRESS.items()
    }


_COMPRESS = {
    "gzip": lambda data: gzip.compress(data, 9, mtime=0),
    "bzip2": lambda data: bz2.compress(data, 9),
    "xz": lambda data: lzma.compress(data, preset=9 | lzma.PRESET_EXTREME),
}
