"""Dates in many formats, with their traps; and digits to be reversed."""

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NO_SEED, first

from rnn_helpers.tasks import Dates, Reversal

DATES = Dates()
BOTH = Dates(("en_US", "es_ES"), ("short",), 2000, 2009)


@pytest.mark.parametrize("length", ["short", "medium", "long", "full"])
def test_the_last_days_of_a_year_keep_their_year(length):
    """The year of the week, YYYY, is another on some of them."""
    dates = Dates(lengths=(length,))
    for year in range(1990, 2030):
        for day in (29, 30, 31):
            text = dates.write(datetime.date(year, 12, day), 0)
            assert text.endswith(f"{year % 100:02d}")


def test_invisible_spaces_and_marks_are_removed():
    dates = Dates(("ru_RU", "fr_FR", "he_IL"), ("short", "medium", "long", "full"))
    assert not set(dates.alphabet) & set("\u202f\u00a0\u200e\u200f")
    assert " " in dates.alphabet


def test_all_locales_write_digits_from_0_to_9():
    """The Arabic locale does so where people would write others."""
    assert "3" in Dates(("ar_EG",)).write(datetime.date(2005, 4, 3), 0)


@given(seed=st.integers(0, 10**6))
def test_the_true_date_is_among_the_readings_of_its_text(seed):
    texts, dates = DATES.pairs(1, seed)
    readings = DATES.readings(texts[0])
    assert dates[0] in readings
    assert sum(readings.values()) == pytest.approx(1)
    assert list(readings.values()) == sorted(readings.values(), reverse=True)


def test_readings_are_those_of_the_whole_table():
    """Every date of ten years in both formats, counted."""
    table = {}
    for day in range(datetime.date(2000, 1, 1).toordinal(), datetime.date(2010, 1, 1).toordinal()):
        date = datetime.date.fromordinal(day)
        for which in range(2):
            table.setdefault(BOTH.write(date, which), []).append(date.isoformat())
    ambiguous = {text for text, dates in table.items() if len(set(dates)) > 1}
    assert len(table) == 5866
    assert len(ambiguous) == 1320
    for text in [*sorted(ambiguous)[:200], *sorted(table)[::40]]:
        dates = table[text]
        assert BOTH.readings(text) == {date: dates.count(date) / len(dates) for date in set(dates)}


def test_the_best_that_can_be_done_falls_short_where_two_readings_are_equally_likely():
    assert BOTH.best_accuracy(["3/4/05", "13/4/05", "4/4/05"]) == pytest.approx((0.5 + 1 + 1) / 3)
    assert BOTH.readings("no date") == {}


def test_a_minibatch_can_be_read_back():
    x, lengths, y = next(DATES.batches(16, seed=3))
    texts, dates = DATES.pairs(16, seed=3)
    for column, (text, date) in enumerate(zip(texts, dates, strict=True)):
        read = "".join(DATES.alphabet[k] for k in x[: lengths[column], column])
        assert read == text
        assert not x[lengths[column] :, column].any()
        assert "".join(DATES.OUTPUT[k] for k in y[:-1, column]) == date
    assert (y[-1] == DATES.END).all()


@given(seed=st.integers(0, 10**6), backwards=st.booleans(), several=st.booleans())
def test_digits_are_output_in_reverse_order(seed, backwards, several):
    task = Reversal(2, 6)
    x, y = next(task.batches(5, [seed, seed + 1] if several else seed, backwards))
    assert 2 <= len(x) <= 6
    assert len(y) == len(x) + 1
    assert (y[:-1] == (x if backwards else x[::-1])).all()
    assert (y[-1] == 10).all()
    assert x.shape[1:] == ((2, 5) if several else (5,))


def test_seeds_side_by_side_read_the_same_text_as_alone():
    """Except for the length, which the first of them draws for all."""
    task = Reversal(5, 5)
    x, _ = next(task.batches(4, [7, 8]))
    assert not np.array_equal(x[:, 0], x[:, 1])
    np.testing.assert_array_equal(x[:, 0], next(task.batches(4, 7))[0])


def test_the_information_of_a_sequence_is_right():
    assert Reversal(n_symbols=2).nats(3) == pytest.approx(np.log(8))


def test_dates_are_encoded_symbol_by_symbol_with_an_end():
    y = Dates().encode_dates(["2005-04-03", "1999-12-31"])
    assert y.shape == (11, 2)
    assert [Dates.OUTPUT[k] for k in y[:-1, 0]] == list("2005-04-03")
    assert (y[-1] == Dates.END).all()


US_DATES = Dates(("en_US",), ("short",), 2000, 2009)

REFUSALS = {
    Dates: (
        {"locales": ("en_US",), "lengths": ("short",), "first": 2000, "last": 2009},
        {
            "locales": [3, (), ("xx_XX",), (3,), None],
            "lengths": [3, (), ("tiny",), None],
            "first": COUNT,
            "last": COUNT,
        },
    ),
    Reversal: (
        {"shortest": 2, "longest": 4, "n_symbols": 10},
        {"shortest": COUNT, "longest": COUNT, "n_symbols": COUNT},
    ),
    US_DATES.pairs: ({"size": 2, "seed": 0}, {"size": COUNT, "seed": NO_SEED}),
    first(US_DATES.batches): ({"batch_size": 2, "seed": 0}, {"batch_size": COUNT, "seed": NO_SEED}),
    US_DATES.readings: ({"text": "3/4/05"}, {"text": [None, 3, ["3/4/05"]]}),
    US_DATES.best_accuracy: ({"texts": ["3/4/05"]}, {"texts": [None, 3, []]}),
    US_DATES.encode: ({"texts": ["3/4/05"]}, {"texts": [None, 3, [], [""], [3], ["§"]]}),
    US_DATES.encode_dates: (
        {"dates": ["2005-04-03"]},
        {"dates": [None, 3, [], ["3/4/05"], ["2005-04-3"], [3]]},
    ),
    Reversal().nats: ({"length": 3}, {"length": COUNT}),
    first(Reversal().batches): (
        {"batch_size": 2, "seed": 0, "backwards": False},
        {"batch_size": COUNT, "seed": NO_SEED, "backwards": [None, 3, "no"]},
    ),
}
