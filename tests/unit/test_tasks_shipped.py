"""The package's data files agree with the libraries that they come from."""

import datetime
import json
import re
from pathlib import Path

import numpy as np
import pytest
from babel import Locale
from babel.dates import format_date
from sklearn.datasets import load_digits

from rnn_helpers import tasks
from rnn_helpers.tasks.translation import LENGTHS

FOLDER = Path(tasks.__file__).parent
LOCALES = json.loads((FOLDER / "dates.json").read_text("utf-8"))


def from_babel(name):
    """Return a locale's entry in `dates.json`."""
    locale = Locale.parse(name)
    months, days = locale.months["format"], locale.days["format"]["wide"]
    return {
        **{length: braced(locale.date_formats[length].pattern) for length in LENGTHS},
        "MMM": [months["abbreviated"][month] for month in range(1, 13)],
        "MMMM": [months["wide"][month] for month in range(1, 13)],
        "EEEE": [days[day] for day in range(7)],
    }


def braced(pattern):
    """Put the fields of a pattern in braces, and take its quoted words out of their quotes."""
    return re.sub(
        r"'([^']*)'|([A-Za-z]+)", lambda m: m[1] if m[2] is None else f"{{{m[2]}}}", pattern
    )


def test_the_digits_are_those_of_scikit_learn():
    library = load_digits()
    with np.load(FOLDER / "digits.npz") as shipped:
        np.testing.assert_array_equal(shipped["pictures"], library.images)
        np.testing.assert_array_equal(shipped["labels"], library.target)
    (train, labels), (test, others) = (tasks.handwritten_digits(held) for held in (False, True))
    kept = {picture.tobytes() for picture in test}
    whole = (library.images / 16).astype(np.float32)
    held = np.array([picture.tobytes() in kept for picture in whole])
    np.testing.assert_array_equal(train, whole[~held])
    np.testing.assert_array_equal(test, whole[held])
    np.testing.assert_array_equal(labels, library.target[~held])
    np.testing.assert_array_equal(others, library.target[held])
    assert (train.dtype, labels.dtype) == (np.float32, np.dtype(int))


@pytest.mark.parametrize("name", LOCALES)
def test_dates_are_written_as_by_babel(name):
    assert LOCALES[name] == from_babel(name)
    dates = tasks.Dates((name,), LENGTHS, 1, 9999)
    plain = {0x202F: " ", 0xA0: " ", 0x200E: None, 0x200F: None}
    days = [datetime.date(2003, 1, 1) + datetime.timedelta(day) for day in range(0, 800, 3)]
    days += [datetime.date(year, year % 12 + 1, year % 28 + 1) for year in range(1, 10_000, 97)]
    for day in days:
        for which, length in enumerate(LENGTHS):
            said = format_date(day, length, name).lower().translate(plain)
            assert dates.write(day, which) == said
