"""Sentences as sequences of words, each with a beginning and an end."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from rnn_helpers.reference import END
from rnn_helpers.tasks.corpora import UNKNOWN, characters
from rnn_helpers.validate import as_count, as_list, as_tokens, brief

START = "<s>"
"""The symbol before a sentence's first word: read, never predicted."""

PAD = "<pad>"
"""The symbol that fills a minibatch up to the length of its longest sentence."""


@dataclass(frozen=True)
class Vocabulary:
    """Words, and three special symbols: a sentence's start and end, and padding.

    The symbols that may follow a word have the lowest numbers: `END` is 0, then come the words.
    `START` and `PAD` come last, since they are never predicted: a network that reads `n_x` symbols
    needs `n_y` outputs, two fewer, and gives no probability to padding.

    Parameters
    ----------
    words : sequence of str
        Different words; a string stands for its characters. If `UNKNOWN` is one of them, it
        replaces every other word.
    """

    words: Sequence[str]

    def __post_init__(self):
        words = _words("words", self.words)
        if not words or len(set(words)) < len(words) or {"", END, START, PAD} & set(words):
            raise ValueError(
                f"words are {brief(words)}; expected at least one, all different, "
                f"none of them empty, {END}, {START} or {PAD}"
            )
        object.__setattr__(self, "words", words)

    @classmethod
    def most_frequent(cls, sentences: Iterable[Sequence[str]], n_words: int) -> "Vocabulary":
        """Take the most frequent words of a text, and `UNKNOWN` for the others if there are any.

        Parameters
        ----------
        sentences : iterable of sequence of str
            Sentences, as :func:`sentences` gives them.
        n_words : int
            Largest number of words, `UNKNOWN` among them, at least 1.

        Returns
        -------
        Vocabulary
            More frequent words first; of two as frequent, the one that came first.
        """
        n_words = as_count("n_words", n_words)
        counts = Counter(
            word for one in as_list("sentences", sentences) for word in _words("sentences", one)
        )
        if not counts:
            raise ValueError("sentences hold no word, expected at least one")
        if len(counts) > n_words:
            counts.pop(UNKNOWN, None)
            return cls([UNKNOWN, *(word for word, _ in counts.most_common(n_words - 1))])
        return cls([word for word, _ in counts.most_common()])

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """All symbols; a symbol's token is its place."""
        return (END, *self.words, START, PAD)

    @property
    def n_x(self) -> int:
        """Number of symbols, those a network may read."""
        return len(self.words) + 3

    @property
    def n_y(self) -> int:
        """Number of symbols that may come next: the words and `END`."""
        return len(self.words) + 1

    @property
    def pad(self) -> int:
        """Token of `PAD`."""
        return self.n_x - 1

    @cached_property
    def _places(self) -> dict[str, int]:
        return {word: token for token, word in enumerate(self.words, 1)}

    def encode(self, sentence: Sequence[str]) -> np.ndarray:
        """Turn a sentence of n words into tokens, from `START` to `END`.

        Parameters
        ----------
        sentence : sequence of str
            Its words.

        Returns
        -------
        ndarray of int, shape (n + 2,)
            All tokens but the last are inputs, all but the first are targets.

        Raises
        ------
        ValueError
            If a word is not in the vocabulary, and neither is `UNKNOWN`.
        """
        places = self._places
        unknown = self._places.get(UNKNOWN)
        sentence = _words("sentence", sentence)
        tokens = [places.get(word, unknown) for word in sentence]
        if None in tokens:
            strange = brief(sentence[tokens.index(None)])
            raise ValueError(f"sentence holds {strange}, expected words of the vocabulary")
        return np.array([self.n_y, *tokens, 0], dtype=np.intp)

    def decode(self, tokens: Sequence[int] | np.ndarray) -> list[str]:
        """Turn tokens into words; start, end and padding are left out.

        Parameters
        ----------
        tokens : array_like of int, shape (n,)
            Places among the symbols.

        Returns
        -------
        list of str
        """
        tokens = as_tokens("tokens", tokens, self.n_x)
        if tokens.ndim != 1:
            raise ValueError(f"tokens have shape {tokens.shape}, expected one axis")
        return [self.words[token - 1] for token in tokens if 0 < token < self.n_y]


def sentences(source: str | Path = "topics") -> list[tuple[str, ...]]:
    """Find the sentences of a text.

    A sentence lies within one paragraph, starts with a capital letter and ends with a full stop,
    a question mark or an exclamation mark; code, grammar, tables and headings are left out, and
    duplicates are dropped. Punctuation marks are words.

    Parameters
    ----------
    source : str or pathlib.Path
        As for `characters`.

    Returns
    -------
    list of tuple of str
        The words of each sentence, at least 3.
    """
    found = {}
    for paragraph in characters(source).text.split("\n\n"):
        if not _TABLE.search(paragraph):
            for piece in _BETWEEN.split(" ".join(paragraph.split())):
                if _SENTENCE.fullmatch(piece):
                    found[tuple(_WORD.findall(piece))] = None
    found = [words for words in found if len(words) >= 3]
    if not found:
        raise ValueError(f"source {str(source)!r} has no sentence, expected at least one")
    return found


_TABLE = re.compile(r"^ *([|+]|>>>|\.\.\. )", re.MULTILINE)
_BETWEEN = re.compile(r"""(?:(?<=[.?!])|(?<=[.?!]["')*]))\s+(?=["'(*]*[A-Z])""")
_SENTENCE = re.compile(r"""["'(*]*[A-Z].*[.?!]["')*]*""")
_WORD = re.compile(r"\w+(?:'\w+)*|[^\w\s]")


def _words(name, sentence):
    words = tuple(as_list(name, sentence))
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} holds {brief(word)}; expected strings")
    return words
