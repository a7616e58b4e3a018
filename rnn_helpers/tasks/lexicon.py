"""Words with common prefixes, run together letter by letter: which word is it?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from rnn_helpers.validate import as_count, as_generators, as_kind, as_list, as_tokens, brief

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray
BO = ("boy", "bow", "boolean", "bottle", "border", "boost", "bottom", "bored", "bold", "bolt")
"""The five words of the lecture, and five more that begin like them."""


@dataclass(frozen=True)
class Lexicon:
    """Name the word that each letter belongs to, in words without spaces.

    Words are drawn at random, all equally likely, and run together; the last one may be cut off. No
    word is the beginning of another, so the letters read so far determine where each complete word
    ends. With a delay, the answer for letter t may depend on the letters up to t + delay; with None
    it may depend on all letters. The best possible answers are exact: all words that agree with
    these letters are equally likely.

    Parameters
    ----------
    words : sequence of str
        At least two, all different, none the beginning of another.

    Attributes
    ----------
    SILENCE : int
        The symbol 0, which no text contains. It follows the last letter while delayed outputs are
        still due.

    Examples
    --------
    >>> task = Lexicon(("boy", "bow", "boolean", "bottle", "border"))
    >>> task.bets(task.read("boyb"))[:, 0].round(2).tolist()  # on boy, without waiting
    [0.2, 0.2, 1.0, 0.2]
    >>> task.bets(task.read("boyb"), delay=1)[:, 0].round(2).tolist()
    [0.2, 1.0, 1.0, 0.2]
    >>> task.wait
    2
    """

    words: tuple[str, ...] = BO

    SILENCE: ClassVar[int] = 0

    def __post_init__(self):
        words = as_list("words", self.words)
        for word in words:
            as_kind("each of words", word, str, "a string")
        ordered = sorted(words)  # a word comes right before the words that it is a prefix of
        same = [(one, next_) for one, next_ in pairwise(ordered) if next_.startswith(one)]
        if len(words) < 2 or same:
            why = f"{brief(same[0][0])} begins {brief(same[0][1])}" if same else "that is too few"
            raise ValueError(
                f"words are {brief(words)}, where {why}; expected at least two, none of which "
                "begins another"
            )
        object.__setattr__(self, "words", tuple(words))

    @property
    def letters(self) -> str:
        """All letters of the words, in order; symbol k is the one at place k - 1."""
        return "".join(sorted(set("".join(self.words))))

    @property
    def n_x(self) -> int:
        """Number of symbols: silence and the letters."""
        return 1 + len(self.letters)

    @property
    def n_y(self) -> int:
        """Number of answers, the words."""
        return len(self.words)

    @property
    def wait(self) -> int:
        """Smallest delay with which every word is known at its first letter."""
        ordered = sorted(self.words)
        return max(_shared(one, other) for one, other in pairwise(ordered))

    def read(self, text: str) -> np.ndarray:
        """Return the symbols of a text, shape (T,)."""
        letters = self.letters
        if not set(as_kind("text", text, str, "a string")) <= set(letters):
            raise ValueError(f"text is {brief(text)}; expected the letters {letters!r} alone")
        return np.array([1 + letters.index(letter) for letter in text], int)

    def spell(self, x) -> str:
        """Return the text of symbols (T,) without silence."""
        x = as_tokens("x", x, self.n_x)
        if x.ndim != 1:
            raise ValueError(f"x has shape {x.shape}; expected one utterance, (T,)")
        return "".join(self.letters[k - 1] for k in x.tolist() if k)

    def bets(self, x, delay: int | None = 0) -> np.ndarray:
        """Return the exact probability of each word at each letter, given the letters so far.

        Parameters
        ----------
        x : ndarray of int, shape (T,)
            A text: words run together, of which the last one may be cut off.
        delay : int, optional
            Number of later letters that are given as well, at least 0; None for all letters.

        Returns
        -------
        ndarray, shape (T, n_y)
        """
        text = self.spell(x)
        if len(text) < len(np.atleast_1d(x)):
            raise ValueError("x holds silence; expected letters alone")
        delay = _as_delay(delay, len(text))
        bets = np.zeros((len(text), self.n_y))
        start = 0
        while start < len(text):
            rest = text[start:]
            fit = [word for word in self.words if rest.startswith(word) or word.startswith(rest)]
            if not fit:
                raise ValueError(f"text goes on as {brief(rest)}; no word of {self.words} does")
            end = min(start + len(fit[0]), len(text)) if len(fit) == 1 else len(text)
            for t in range(start, end):
                prefix = text[start : t + delay + 1]
                possible = self._possible(prefix, t - start)
                bets[t] = possible / possible.sum()
            start = end
        return bets

    def _possible(self, prefix: str, place: int) -> np.ndarray:
        """Return which words agree with the letters `prefix` and have a letter at `place`."""
        return np.array(
            [
                len(word) > place and (prefix.startswith(word) or word.startswith(prefix))
                for word in self.words
            ]
        )

    def starts(self, n_letters: int) -> np.ndarray:
        """Return the probability that a word begins at each letter, shape (n_letters,)."""
        starts = np.zeros(n_letters := as_count("n_letters", n_letters))
        starts[0] = 1
        for t in range(1, n_letters):
            starts[t] = sum(starts[t - len(word)] for word in self.words if len(word) <= t)
            starts[t] /= self.n_y
        return starts

    def best(self, n_letters: int, delay: int | None = 0) -> np.ndarray:
        """Return the best possible share of right answers at each letter, shape (n_letters,).

        Among words with the same beginning, only one can be named. So the share is the number of
        different beginnings, divided by the number of words.
        """
        starts = self.starts(n_letters := as_count("n_letters", n_letters))
        delay = _as_delay(delay, n_letters)
        best = np.zeros(n_letters)
        for t in range(n_letters):
            for start in range(t + 1):
                n_read = min(t + delay + 1, n_letters) - start
                begun = {word[:n_read] for word in self.words if len(word) > t - start}
                best[t] += starts[start] * len(begun) / self.n_y
        return best

    def optimum(self, n_letters: int, delay: int | None = 0) -> float:
        """Return the best possible share of right answers over texts of `n_letters`.

        `delay` is the number of later letters that each answer may depend on; with None, it may
        depend on all letters.
        """
        return float(self.best(n_letters, delay).mean())

    def batches(self, n_letters: int, batch_size: int, seed: Seeds) -> Iterator[tuple]:
        """Draw minibatches without end.

        Parameters
        ----------
        n_letters : int
            Letters T of a text.
        batch_size : int
            Texts B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the words. A sequence of S seeds gives minibatches side by side, of (T, S, B).

        Yields
        ------
        x, y : ndarray of int, shape (T, B)
            Letters, from 1 on, and the word that each belongs to, from 0 on.
        """
        n_letters, batch_size = as_count("n_letters", n_letters), as_count("batch_size", batch_size)
        return self._batches(n_letters, batch_size, *as_generators(seed))

    def _batches(self, n_letters, batch_size, rngs, several):
        read = [self.read(word) for word in self.words]
        most = -(-n_letters // min(map(len, read)))

        def utterance(words):
            x = np.concatenate([read[word] for word in words])
            y = np.repeat(words, [len(read[word]) for word in words])
            return x[:n_letters], y[:n_letters]

        while True:
            drawn = [rng.integers(self.n_y, size=(batch_size, most)) for rng in rngs]
            spoken = np.array([[utterance(words) for words in each] for each in drawn])
            x, y = np.moveaxis(spoken, (2, 3), (0, 1))
            yield (x, y) if several else (x[:, 0], y[:, 0])


def _shared(one: str, other: str) -> int:
    """Return the number of letters before the first difference of two words."""
    return next(k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)


def _as_delay(delay, n_letters: int) -> int:
    return n_letters if delay is None else as_count("delay", delay, 0)
