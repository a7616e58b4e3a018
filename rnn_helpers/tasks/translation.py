"""Pairs of sequences to translate: dates in many formats, and digits to reverse."""

import datetime
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from rnn_helpers.validate import (
    as_count,
    as_generator,
    as_generators,
    as_list,
    as_switch,
    brief,
    convert_count,
)

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray
LENGTHS = ("short", "medium", "long", "full")
"""The four lengths in which every locale writes a date."""

_UNSEEN = {0x202F: " ", 0xA0: " ", 0x200E: None, 0x200F: None}  # narrow and fixed spaces, marks


@cache
def _locales() -> dict[str, dict]:
    """Read the date formats of the Unicode Common Locale Data Repository for each locale.

    The fields in braces have the repository's names: ``MMM``, for example, is a short month name.
    """
    return json.loads(Path(__file__).with_name("dates.json").read_text("utf-8"))


@dataclass(frozen=True)
class Dates:
    """Dates as people write them and as computers do: ``Apr 3, 2005`` is ``2005-04-03``.

    Dates from the years `first` to `last` are equally likely, and so are the formats, one for each
    locale and length, even if two of them give the same text. So if a text has two readings, the
    probability of each is known.

    Parameters
    ----------
    locales : sequence of {"ar_EG", "de_DE", "en_GB", "en_US", "es_ES", "fr_FR", "he_IL", "ru_RU"}
    lengths : sequence of {"short", "medium", "long", "full"}
    first, last : int
        Years, from 1 to 9999.

    Examples
    --------
    >>> dates = Dates(("en_US", "es_ES"), ("short",), 2000, 2009)
    >>> dates.readings("3/4/05")
    {'2005-03-04': 0.5, '2005-04-03': 0.5}
    """

    locales: tuple[str, ...] = ("en_US", "en_GB", "de_DE", "es_ES", "fr_FR")
    lengths: tuple[str, ...] = ("short", "medium", "long")
    first: int = 1950
    last: int = 2049

    OUTPUT = "0123456789-"
    """Symbols of the output; the end symbol, `END`, comes after them."""
    END = len(OUTPUT)

    def __post_init__(self):
        for name in ("locales", "lengths"):
            values = as_list(name, getattr(self, name))
            if not values or not all(isinstance(value, str) for value in values):
                raise ValueError(f"{name} is {brief(getattr(self, name))}; expected names")
            object.__setattr__(self, name, tuple(values))
        if not set(self.lengths) <= set(LENGTHS):
            raise ValueError(f"lengths are {brief(self.lengths)}; expected some of {LENGTHS}")
        convert_count(self, "first", 1, 9999)
        convert_count(self, "last", self.first, 9999)
        for locale in self.locales:
            self._patterns(locale)

    def _patterns(self, locale):
        """Return the patterns of a locale, one for each length, with its names."""
        known = _locales()
        if locale not in known:
            raise ValueError(f"locales hold {brief(locale)}; expected some of {sorted(known)}")
        return [(known[locale][length], known[locale]) for length in self.lengths]

    @cached_property
    def formats(self) -> list:
        """The pattern of every format, and the names of months and weekdays in its locale."""
        return [pattern for locale in self.locales for pattern in self._patterns(locale)]

    def write(self, date: datetime.date, which: int) -> str:
        """Return a date in one of the `formats`, in lower case, with plain spaces and no marks."""
        pattern, names = self.formats[which]
        text = pattern.format(
            y=date.year,
            yy=f"{date.year % 100:02d}",
            M=date.month,
            MM=f"{date.month:02d}",
            MMM=names["MMM"][date.month - 1],
            MMMM=names["MMMM"][date.month - 1],
            d=date.day,
            dd=f"{date.day:02d}",
            EEEE=names["EEEE"][date.weekday()],
        )
        return text.lower().translate(_UNSEEN)

    @cached_property
    def alphabet(self) -> str:
        """All characters that occur, in order."""
        year = [datetime.date(2004, 1, 1) + datetime.timedelta(day) for day in range(366)]
        texts = (self.write(date, k) for date in year for k in range(len(self.formats)))
        return "".join(sorted(set("0123456789").union(*texts)))

    def pairs(self, size: int, seed: int | np.random.Generator = 0) -> tuple[list[str], list[str]]:
        """Draw dates, as people write them and as ``yyyy-mm-dd``.

        Parameters
        ----------
        size : int
            Number of dates.
        seed : int or Generator
            Draws dates and formats.
        """
        size, rng = as_count("size", size), as_generator(seed)
        start = datetime.date(self.first, 1, 1).toordinal()
        days = rng.integers(start, datetime.date(self.last, 12, 31).toordinal() + 1, size)
        which = rng.integers(len(self.formats), size=size)
        dates = [datetime.date.fromordinal(day) for day in days.tolist()]
        texts = [self.write(date, k) for date, k in zip(dates, which.tolist(), strict=True)]
        return texts, [date.isoformat() for date in dates]

    def readings(self, text: str) -> dict[str, float]:
        """Return the probability of each date that a text can stand for, the most likely first.

        Empty if it stands for no date.
        """
        if not isinstance(text, str):
            raise TypeError(f"text is {brief(text)}; expected a string")
        found = Counter()
        for date in self._candidates(text):
            ways = sum(self.write(date, k) == text for k in range(len(self.formats)))
            if ways:
                found[date.isoformat()] = ways
        ranked = sorted(found.items(), key=lambda one: (-one[1], one[0]))
        return {date: ways / found.total() for date, ways in ranked}

    def _candidates(self, text):
        """Yield the dates whose day and year occur in a text; the year may have two digits."""
        numbers = {int(digits) for digits in re.findall("[0-9]{1,4}", text)}
        for year in range(self.first, self.last + 1):
            if not {year, year % 100} & numbers:
                continue
            for day in numbers & set(range(1, 32)):
                for month in range(1, 13):
                    try:
                        yield datetime.date(year, month, day)
                    except ValueError:  # no such day
                        continue

    def best_accuracy(self, texts: Sequence[str]) -> float:
        """Return the expected accuracy of always choosing the most likely reading."""
        best = [max(self.readings(text).values(), default=0) for text in as_list("texts", texts)]
        if not best:
            raise ValueError("texts is empty; expected at least one")
        return float(np.mean(best))

    def encode(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return texts as indices into the `alphabet`.

        Returns
        -------
        x : ndarray of int, shape (longest, B)
            Zeros after the end of a text.
        lengths : ndarray of int, shape (B,)
        """
        place = {character: k for k, character in enumerate(self.alphabet)}
        texts = as_list("texts", texts)
        if not texts or any(not isinstance(text, str) or not text for text in texts):
            raise ValueError(f"texts is {brief(texts)}; expected strings that are not empty")
        unknown = set("".join(texts)) - set(place)
        if unknown:
            raise ValueError(f"texts hold {brief(sorted(unknown))}; expected {self.alphabet!r}")
        lengths = np.array([len(text) for text in texts])
        x = np.zeros((lengths.max(), len(texts)), int)
        for column, text in enumerate(texts):
            x[: len(text), column] = [place[character] for character in text]
        return x, lengths

    def encode_dates(self, dates: Sequence[str]) -> np.ndarray:
        """Return dates as indices into `OUTPUT`, then `END`: int, shape (11, B)."""
        dates = as_list("dates", dates)
        written = re.compile(rf"[{self.OUTPUT}]{{10}}")
        if not dates or not all(isinstance(one, str) and written.fullmatch(one) for one in dates):
            raise ValueError(f"dates is {brief(dates)}; expected dates as yyyy-mm-dd")
        return np.array([[*map(self.OUTPUT.index, date), self.END] for date in dates]).T

    def batches(
        self, batch_size: int, seed: Seeds
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Draw minibatches without end.

        Parameters
        ----------
        batch_size : int
            Dates B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws dates and formats. A sequence of S seeds gives minibatches side by side.

        Yields
        ------
        x : ndarray of int, shape (longest, B); (longest, S, B) with S seeds
        lengths : ndarray of int, shape (B,) or (S, B)
        y : ndarray of int, shape (11, B) or (11, S, B)
            Places in `OUTPUT`, then `END`.
        """
        batch_size = as_count("batch_size", batch_size)
        rngs, several = as_generators(seed)
        return self._batches(
            batch_size, rngs, (len(rngs), batch_size) if several else (batch_size,)
        )

    def _batches(self, batch_size, rngs, shape):
        while True:
            texts, dates = [], []
            for rng in rngs:
                for all_of_them, drawn in zip(
                    (texts, dates), self.pairs(batch_size, rng), strict=True
                ):
                    all_of_them += drawn
            x, lengths = self.encode(texts)
            y = self.encode_dates(dates)
            yield x.reshape(-1, *shape), lengths.reshape(shape), y.reshape(-1, *shape)


@dataclass(frozen=True)
class Reversal:
    """Read digits, all equally likely, and write them from the last to the first.

    No part of a sequence can be guessed, so all of it must pass through the state.

    Parameters
    ----------
    shortest, longest : int
        Lengths of the inputs, all equally likely.
    n_symbols : int
        Kinds of digits; outputs have one more symbol, the end.
    """

    shortest: int = 4
    longest: int = 16
    n_symbols: int = 10

    def __post_init__(self):
        convert_count(self, "shortest")
        convert_count(self, "longest", self.shortest)
        convert_count(self, "n_symbols")

    def nats(self, length: int) -> float:
        """Information in a sequence of the given length, in nats."""
        return as_count("length", length) * float(np.log(self.n_symbols))

    def batches(
        self, batch_size: int, seed: Seeds, backwards: bool = False
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Draw minibatches without end, the sequences of each of one length.

        Parameters
        ----------
        batch_size : int
            Sequences B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws digits; the first of them draws the lengths. A sequence of S seeds gives
            minibatches side by side.
        backwards : bool
            Whether inputs are given from the last to the first, so that the first output was the
            first input.

        Yields
        ------
        x : ndarray of int, shape (n, B); (n, S, B) with S seeds
        y : ndarray of int, shape (n + 1, B); (n + 1, S, B) with S seeds
            The digits from the last to the first, then the end, `n_symbols`.
        """
        batch_size = as_count("batch_size", batch_size)
        rngs, several = as_generators(seed)
        as_switch("backwards", backwards)
        return self._batches(batch_size, rngs, several, backwards)

    def _batches(self, batch_size, rngs, several, backwards):
        while True:
            n = int(rngs[0].integers(self.shortest, self.longest + 1))
            each = [rng.integers(self.n_symbols, size=(n, batch_size)) for rng in rngs]
            x = np.stack(each, axis=1) if several else each[0]
            y = np.concatenate([x[::-1], np.full_like(x[:1], self.n_symbols)])
            yield x[::-1] if backwards else x, y
