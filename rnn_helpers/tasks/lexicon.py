"""Words that begin alike, run together letter by letter: which word is it?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from rnn_helpers.validate import as_count, as_generators, as_kind, as_list, as_tokens, brief

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray
BO = ("boy", "bow", "boolean", "bottle", "border", "boost", "bottom", "bored", "bold", "bolt")
"""The words that the lecture tells apart, and five more that begin like them."""


@dataclass(frozen=True)
class Lexicon:
    """Utterances of words without spaces; at each letter the target is the word that it is in.

    Words follow each other at random, all equally likely, until so many letters are spoken: the
    last word may be cut short. No word begins another, so who has heard a word whole knows it, and
    knows where the next begins. A listener who waits answers for letter t once letter t + delay
    has been heard, or the end; one who listens both ways has heard everything. What the best such
    listener knows is exact: of the word at hand it knows the letters heard, and all words that
    begin so are equally likely.

    Parameters
    ----------
    words : sequence of str
        At least two, all different, none the beginning of another.

    Attributes
    ----------
    SILENCE : int
        The symbol 0, which no utterance contains: what a listener who waits hears after the end.

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
        ordered = sorted(words)  # what begins another stands right before one that it begins
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
        """Symbols: silence, and the letters."""
        return 1 + len(self.letters)

    @property
    def n_y(self) -> int:
        """Answers: the words, each by its place."""
        return len(self.words)

    @property
    def wait(self) -> int:
        """Least delay with which a listener knows every word that is spoken whole."""
        ordered = sorted(self.words)
        return max(_shared(one, other) for one, other in pairwise(ordered))

    def read(self, text: str) -> np.ndarray:
        """Symbols of letters, shape (T,)."""
        letters = self.letters
        if not set(as_kind("text", text, str, "a string")) <= set(letters):
            raise ValueError(f"text is {brief(text)}; expected the letters {letters!r} alone")
        return np.array([1 + letters.index(letter) for letter in text], int)

    def spell(self, x) -> str:
        """Letters of symbols (T,); silence is left out."""
        x = as_tokens("x", x, self.n_x)
        if x.ndim != 1:
            raise ValueError(f"x has shape {x.shape}; expected one utterance, (T,)")
        return "".join(self.letters[k - 1] for k in x.tolist() if k)

    def bets(self, x, delay: int | None = 0) -> np.ndarray:
        """Probability of each word at each letter, for the best listener with a delay.

        Parameters
        ----------
        x : ndarray of int, shape (T,)
            An utterance: words run together, the last perhaps cut short.
        delay : int, optional
            Letters that are heard before the answer, at least 0; None for a listener both ways.

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
                heard = text[start : t + delay + 1]
                possible = self._possible(heard, t - start)
                bets[t] = possible / possible.sum()
            start = end
        return bets

    def _possible(self, heard: str, place: int) -> np.ndarray:
        """Which words may be the one of which `heard` begins, and that has a letter at a place."""
        return np.array(
            [
                len(word) > place and (heard.startswith(word) or word.startswith(heard))
                for word in self.words
            ]
        )

    def starts(self, n_letters: int) -> np.ndarray:
        """Probability that a word begins at each of so many letters, shape (n_letters,)."""
        starts = np.zeros(as_count("n_letters", n_letters))
        starts[0] = 1
        for t in range(1, n_letters):
            starts[t] = sum(starts[t - len(word)] for word in self.words if len(word) <= t)
            starts[t] /= self.n_y
        return starts

    def best(self, n_letters: int, delay: int | None = 0) -> np.ndarray:
        """Greatest share of right answers that is possible at each letter, shape (n_letters,).

        Of words that sound alike so far a listener can name one: it is right as often as there are
        different beginnings, counted over all words.
        """
        starts = self.starts(n_letters)
        delay = _as_delay(delay, n_letters)
        best = np.zeros(n_letters)
        for t in range(n_letters):
            for start in range(t + 1):
                heard = min(t + delay + 1, n_letters) - start
                begun = {word[:heard] for word in self.words if len(word) > t - start}
                best[t] += starts[start] * len(begun) / self.n_y
        return best

    def optimum(self, n_letters: int, delay: int | None = 0) -> float:
        """Greatest share of right answers that is possible over utterances of so many letters."""
        return float(self.best(n_letters, delay).mean())

    def batches(self, n_letters: int, batch_size: int, seed: Seeds) -> Iterator[tuple]:
        """Draw minibatches without end.

        Parameters
        ----------
        n_letters : int
            Letters T of an utterance.
        batch_size : int
            Utterances B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the words. A sequence of S seeds gives minibatches side by side, of (T, S, B).

        Yields
        ------
        x, y : ndarray of int, shape (T, B)
            Letters, from 1 on, and the word that each is in, from 0 on.
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
    """Letters that two words begin with alike."""
    return next(k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)


def _as_delay(delay, n_letters: int) -> int:
    return n_letters if delay is None else as_count("delay", delay, 0)
