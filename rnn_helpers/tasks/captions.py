"""Pictures of two handwritten digits, and sentences that describe them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rnn_helpers.tasks.digits import handwritten_digits
from rnn_helpers.validate import (
    as_array,
    as_choice,
    as_count,
    as_generators,
    as_list,
    as_real,
    as_switch,
    as_tokens,
    brief,
    convert_count,
)

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray

_DIGIT = 8
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _as_move(by):
    """Return the rows and columns by which a digit is moved, or raise an error."""
    by = as_array("moved", by)
    if by.shape != (2,) or by.dtype.kind not in "iu" or np.abs(by).max() > 2:
        raise ValueError(
            f"moved has {brief(by)}; expected two integers from -2 to 2 for each digit"
        )
    return by


@dataclass(frozen=True)
class TwoDigits:
    """Describe a picture of two digits: ``three left of seven``, ``six above one``.

    The digits are side by side or one above the other, each moved by up to `jitter` pixels. A
    tenth of all sentences is held out for tests. Every digit of these sentences also occurs in the
    same place in other sentences, so a network can write them if it has learned the parts of
    sentences, but not if it has learned only whole sentences.

    Parameters
    ----------
    jitter : int
        From 0 to 2.

    Attributes
    ----------
    WORDS : tuple of str
        All words of the sentences; the last one is the end.
    SIDE : int
        Height and width of a picture, in pixels.

    Examples
    --------
    >>> task = TwoDigits()
    >>> task.sentence(task.caption(3, 7, "left"))
    'three left of seven'
    """

    jitter: int = 1

    WORDS: ClassVar[tuple[str, ...]] = (*_DIGITS, "left", "above", "of", "<END>")
    PLACES: ClassVar[tuple[str, ...]] = ("left", "above")
    COMBINATIONS: ClassVar[tuple[str, ...]] = ("seen", "new", "all")
    SIDE: ClassVar[int] = 2 * _DIGIT + 4

    def __post_init__(self):
        convert_count(self, "jitter", 0, 2)

    @property
    def end(self) -> int:
        """Index of the end among the words."""
        return len(self.WORDS) - 1

    @property
    def longest(self) -> int:
        """Number of words of the longest sentence, including its end."""
        return 5

    def caption(self, first: int, second: int, place: str) -> np.ndarray:
        """Return the sentence for two digits as indices of words, padded with ends, shape (5,)."""
        digits = [as_count("first", first, 0, 9), as_count("second", second, 0, 9)]
        between = {"left": ["left", "of"], "above": ["above"]}[
            as_choice("place", place, self.PLACES)
        ]
        words = [_DIGITS[digits[0]], *between, _DIGITS[digits[1]]]
        words += ["<END>"] * (self.longest - len(words))
        return np.array([self.WORDS.index(word) for word in words])

    def sentence(self, words) -> str:
        """Return the words with these indices, up to the first end."""
        places = as_tokens("words", words, len(self.WORDS))
        if places.ndim != 1:
            raise ValueError(f"words have shape {places.shape}; expected one sentence, (T,)")
        read = [self.WORDS[place] for place in places.tolist()]
        return " ".join(read[: read.index("<END>")] if "<END>" in read else read)

    def kept(self) -> list[tuple[int, int, str]]:
        """Return the 20 combinations held out for tests: two digits and their arrangement."""
        return [
            (first, (first + step) % 10, place)
            for place, step in (("left", 3), ("above", 7))
            for first in range(10)
        ]

    def picture(self, first, second, place: str, moved=((0, 0), (0, 0))) -> np.ndarray:
        """Put the pictures of two digits into one picture.

        Parameters
        ----------
        first, second : ndarray, shape (8, 8)
            Values from 0, the paper, to 1.
        place : {"left", "above"}
            Place of the first digit.
        moved : pair of (int, int)
            Rows and columns by which each digit is moved, from -2 to 2.

        Returns
        -------
        ndarray of float32, shape (20, 20)
        """
        as_choice("place", place, self.PLACES)
        middle = (self.SIDE - _DIGIT) // 2
        corners = [(middle, 2), (middle, 10)] if place == "left" else [(2, middle), (10, middle)]
        made, moved = np.zeros((self.SIDE, self.SIDE), np.float32), as_list("moved", moved)
        for name, digit, corner, by in zip(
            ("first", "second"), (first, second), corners, moved, strict=True
        ):
            digit = as_real(name, digit)
            if digit.shape != (_DIGIT, _DIGIT):
                raise ValueError(f"{name} has shape {digit.shape}; expected (8, 8)")
            down, right = _as_move(by) + corner
            there = made[down : down + _DIGIT, right : right + _DIGIT]
            np.maximum(there, digit, out=there)
        return made

    def batches(
        self,
        batch_size: int,
        seed: Seeds,
        held_out: bool = False,
        combinations: str = "seen",
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Draw minibatches without end.

        Parameters
        ----------
        batch_size : int
            Pictures B in a minibatch.
        seed : int, Generator, or sequence of these
            Seed of digits, arrangements and moves. S seeds give minibatches side by side.
        held_out : bool
            Whether to draw from the images of digits held out for tests.
        combinations : {"seen", "new", "all"}
            Whether to leave out the combinations of `kept`, or draw only those, or draw all.

        Yields
        ------
        pictures : ndarray of float32, shape (B, 20, 20); (S, B, 20, 20) with S seeds
        y : ndarray of int, shape (5, B); (5, S, B) with S seeds
            Words, padded with ends.
        """
        batch_size = as_count("batch_size", batch_size)
        rngs, several = as_generators(seed)
        as_switch("held_out", held_out)
        as_choice("combinations", combinations, self.COMBINATIONS)
        pictures, labels = handwritten_digits(held_out)
        of = [pictures[labels == digit] for digit in range(10)]
        everything = [(a, b, place) for place in self.PLACES for a in range(10) for b in range(10)]
        chosen = {
            "new": self.kept(),
            "seen": [one for one in everything if one not in set(self.kept())],
            "all": everything,
        }[combinations]
        return self._batches(batch_size, rngs, several, of, chosen)

    def _batches(self, batch_size, rngs, several, of, chosen):
        while True:
            drawn = [[self._draw(rng, of, chosen) for _ in range(batch_size)] for rng in rngs]
            pictures = np.array([[picture for picture, _ in row] for row in drawn])
            y = np.moveaxis(np.array([[words for _, words in row] for row in drawn]), -1, 0)
            yield (pictures, y) if several else (pictures[0], y[:, 0])

    def _draw(self, rng, of, chosen):
        first, second, place = chosen[rng.integers(len(chosen))]
        digits = [of[digit][rng.integers(len(of[digit]))] for digit in (first, second)]
        moved = rng.integers(-self.jitter, self.jitter + 1, size=(2, 2))
        return self.picture(*digits, place, moved), self.caption(first, second, place)
