"""The series: each equation against a second solution method, and readers' files."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAN, POSITIVE, REAL, SEED, TIME

from rnn_helpers.tasks import (
    forecast,
    from_csv,
    mackey_glass,
    narma10,
    normalised_error,
    series,
    two_scales,
)


@given(st.integers(1, 60), st.integers(0, 10**6))
def test_narma_follows_its_recursion(n_steps, seed):
    x, y = narma10(n_steps, seed)
    assert x.shape == y.shape == (n_steps, 1)
    assert ((x >= 0) & (x < 0.5)).all()

    def at(values, t):
        return values[t, 0] if t >= 0 else 0.0

    for t in range(n_steps):
        expected = 0.3 * at(y, t - 1) + 1.5 * at(x, t) * at(x, t - 9) + 0.1
        for k in range(1, 11):
            expected += 0.05 * at(y, t - 1) * at(y, t - k)
        assert y[t, 0] == pytest.approx(expected, rel=1e-12)


def test_narma_that_grows_without_bound_is_drawn_again():
    seed, n_steps = 75, 3000  # one of those whose first series does
    rng = np.random.default_rng(seed)
    first, second = rng.uniform(0, 0.5, (2, n_steps))
    assert series._narma10(first.tolist()) == []
    x, y = narma10(n_steps, seed)
    np.testing.assert_array_equal(x[:, 0], second)
    assert y.max() < 2


def test_narma_grows_for_ever_from_where_it_is_given_up():
    for inputs in (0.0, 0.5):
        y = [0.0] * 9 + [series._NO_RETURN]
        for _ in range(8):
            y.append(0.3 * y[-1] + 0.05 * y[-1] * sum(y[-10:]) + 1.5 * inputs**2 + 0.1)
        assert (np.diff(y[9:]) > 0).all()


def test_narma_reports_a_series_that_is_too_long_to_stay_small(monkeypatch):
    monkeypatch.setattr(series, "_NO_RETURN", 0.0)
    with pytest.raises(ValueError, match="n_steps is 3, in which NARMA-10 grew without bound"):
        narma10(3)


def test_sums_of_the_inputs_leave_four_tenths_of_narma():
    x, y = narma10(6000, 0)
    lags = np.stack([x[20 - k : len(x) - k, 0] for k in range(20)] + [np.ones(len(x) - 20)], axis=1)
    y = y[20:]
    weights = np.linalg.lstsq(lags[:3000], y[:3000])[0]
    assert normalised_error(y[3000:], lags[3000:] @ weights) == pytest.approx(0.4, abs=0.04)
    assert normalised_error(y, y.mean()) == pytest.approx(1)


def test_mackey_glass_is_an_exponential_for_one_delay():
    """Production is constant until then."""
    start, t = 0.7, np.arange(18)
    balance = 10 * 0.2 * start / (1 + start**10)
    expected = balance + (start - balance) * np.exp(-0.1 * t)
    np.testing.assert_allclose(mackey_glass(18, start, washout=0), expected, rtol=1e-11)


def test_mackey_glass_after_two_delays_is_an_integral():
    """By a sum over the exponential of the first delay, which is known."""
    start, tau = 0.7, 17
    s, step = np.linspace(0, tau, 200_001, retstep=True)
    balance = 10 * 0.2 * start / (1 + start**10)
    first = balance + (start - balance) * np.exp(-0.1 * s)
    inside = 0.2 * first / (1 + first**10) * np.exp(-0.1 * (tau - s))
    produced = step * (inside.sum() - (inside[0] + inside[-1]) / 2)
    expected = first[-1] * np.exp(-0.1 * tau) + produced
    assert mackey_glass(1, start, washout=2 * tau)[0] == pytest.approx(expected, rel=1e-8)


def test_half_the_step_makes_a_sixteenth_of_the_error():
    exact, *coarser = (mackey_glass(200, 0.5, washout=0, per_unit=n) for n in (80, 5, 10, 20))
    errors = [abs(one - exact).max() for one in coarser]
    assert errors[0] < 1e-7
    np.testing.assert_allclose(np.divide(errors[:-1], errors[1:]), 16, rtol=0.05)


def test_mackey_glass_stays_where_production_and_decay_balance_but_only_for_a_while():
    np.testing.assert_allclose(mackey_glass(100, 1, washout=0), 1, atol=1e-9)
    assert (mackey_glass(100, 0, washout=0) == 0).all()
    assert abs(mackey_glass(1, 1 + 1e-6, washout=400) - 1) > 1e-3


def test_mackey_glass_has_the_mean_and_the_range_it_has_in_print():
    x = mackey_glass(5000, [0.6, 1.2])
    np.testing.assert_allclose(x.mean(axis=0), 0.93, atol=0.005)
    # 0.046 is the variance that Jaeger and Haas (2004) divide by, of tanh(x - 1)
    np.testing.assert_allclose(np.tanh(x - 1).var(axis=0), 0.046, atol=0.0015)
    assert 0.4 < x.min() < 0.45
    assert 1.3 < x.max() < 1.35


def test_several_series_equal_each_alone():
    starts = [0.5, 1.3]
    for k, start in enumerate(starts):
        np.testing.assert_array_equal(mackey_glass(50, starts)[:, k], mackey_glass(50, start))
    for k, seed in enumerate(range(3, 5)):
        for together, alone in zip(narma10(50, range(3, 5)), narma10(50, seed), strict=True):
            np.testing.assert_array_equal(together[:, k], alone)
        waves = two_scales(50, range(3, 5))
        np.testing.assert_array_equal(waves[:, k], two_scales(50, seed))


@given(st.floats(3, 20), st.floats(1.5, 10), st.integers(0, 1000))
def test_each_wave_goes_round_once_a_period(fast, ratio, seed):
    periods = np.array([fast, fast * ratio])
    waves = two_scales(200, seed, *periods)
    assert waves.shape == (200, 2)
    # a sine's neighbors add up to 2 cos(angle) times itself
    turned = 2 * np.cos(2 * np.pi / periods) * waves[1:-1]
    np.testing.assert_allclose(waves[:-2] + waves[2:], turned, atol=1e-9)


def test_copying_a_wave_has_its_documented_error():
    waves = two_scales(9, range(4000), 8, 96)
    np.testing.assert_allclose(waves[0].var(axis=0), 0.5, atol=0.025)
    error = ((waves[1] - waves[0]) ** 2).mean(axis=0)
    np.testing.assert_allclose(error, 1 - np.cos(2 * np.pi / np.array([8, 96])), rtol=0.06)


@given(st.integers(1, 9), st.sampled_from([(), (3,)]))
def test_a_forecast_is_the_value_so_many_steps_later(ahead, several):
    values = np.random.default_rng(0).standard_normal((10, *several))
    x, y = forecast(values, ahead)
    assert x.shape == y.shape == (10 - ahead, *several, 1)
    for t in range(10 - ahead):
        np.testing.assert_array_equal(x[t, ..., 0], values[t])
        np.testing.assert_array_equal(y[t, ..., 0], values[t + ahead])


def test_the_normalised_error_of_the_mean_is_one_and_of_the_truth_zero():
    y = np.random.default_rng(0).standard_normal((50, 3, 1))
    assert normalised_error(y, y).tolist() == [0, 0, 0]
    for k in range(3):
        assert normalised_error(y[:, k], y[:, k].mean()) == pytest.approx(1)
        for one in (y[:, k], y[:, k, 0]):
            assert normalised_error(one, 2 * one) == pytest.approx(normalised_error(y, 2 * y)[k])
    assert normalised_error([0, 2], [3, 3]) == pytest.approx(5**0.5)


def write(folder, rows, text="t, level\n{}", **how):
    path = folder / "own.csv"
    path.write_text(text.format("\n".join(rows)), **{"encoding": "utf-8"} | how)
    return path


@pytest.fixture
def rows():
    return [f"{t},{t / 3!r}" for t in range(120)]


def test_a_column_of_a_file_is_read_unchanged(rows, tmp_path):
    expected = np.arange(120) / 3
    for how in ({}, {"encoding": "utf-8-sig"}, {"newline": "\r\n"}):
        path = write(tmp_path, rows, **how)
        np.testing.assert_array_equal(from_csv(path, "level"), expected)
        np.testing.assert_array_equal(from_csv(str(path), "t"), np.arange(120))
    path = write(tmp_path, ["", *rows[:60], "", *rows[60:], ""], 'when,"level"\n{}')
    np.testing.assert_array_equal(from_csv(path, "level"), expected)


@pytest.mark.parametrize(
    ("cell", "told"),
    [("7,nan", "'nan'"), ("7,-inf", "'-inf'"), ("7,n/a", "'n/a'"), ("7, ", "nothing"),
     ("7", "nothing"), ('7,"1,5"', "'1,5'")],
)  # fmt: skip
@pytest.mark.parametrize("empty", [0, 2])
def test_a_row_without_a_number_is_named_as_an_editor_counts(cell, told, empty, rows, tmp_path):
    path = write(tmp_path, [*rows[:7], *[""] * empty, cell, *rows[8:]])
    expected = f"column 'level' holds {told} in row {9 + empty}, counting the row of names as 1"
    with pytest.raises(ValueError, match=expected):
        from_csv(path, "level")
    assert len(from_csv(path, "t")) == 120


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("t,level\n{}", r"'x', which 'own.csv' has 0 times; .* \['t', 'level'\]"),
        ("x,x\n{}", "has 2 times"),
        ("t;x\n{}", r"\['t;x'\]"),
        ("", r"has 0 times; .* \[\]"),
    ],
)
def test_a_column_that_is_not_there_once_is_named(text, told, rows, tmp_path):
    with pytest.raises(ValueError, match=f"column is .*{told}"):
        from_csv(write(tmp_path, rows, text), "x")


def test_a_file_that_is_too_short_or_no_table_is_refused(rows, tmp_path):
    path = write(tmp_path, rows[: series.LEAST])
    assert len(from_csv(path, "level")) == series.LEAST
    path = write(tmp_path, rows[: series.LEAST - 1])
    with pytest.raises(ValueError, match="has 99 values; expected at least 100"):
        from_csv(path, "level")
    path = write(tmp_path, rows, "t,läge\n{}", encoding="latin-1")
    with pytest.raises(ValueError, match=r"cannot be read .*; expected a file of comma-separated"):
        from_csv(path, "läge")
    path = write(tmp_path, rows, "t,level\n" + "1" * 200_000 + ",2\n{}")
    with pytest.raises(ValueError, match="cannot be read"):
        from_csv(path, "level")
    with pytest.raises(TypeError, match="column is 1; expected a string"):
        from_csv(path, 1)


REFUSALS = {
    forecast: (
        {"series": [1.0, 2, 4], "ahead": 1},
        {"series": [*REAL, 3.0, np.zeros((3, 2, 1)), []], "ahead": [*COUNT, 3]},
    ),
    partial(from_csv, path="no/such.csv", column="level"): (
        None,
        {
            "path": [None, 3, "", "no/such.csv", Path("no/such.csv"), b"x", Path(__file__).parent],
            "column": [None, 3, b"x", ["a"], NAN],
        },
    ),
    mackey_glass: (
        {"n_steps": 3, "start": 0.5, "tau": 2, "washout": 0, "per_unit": 1},
        {
            **dict.fromkeys(["n_steps", "tau", "per_unit"], COUNT),
            "washout": TIME,
            "start": [*REAL, -0.1, 10.1, [1, -1], [], [[1.0]]],
        },
    ),
    narma10: ({"n_steps": 3, "seed": 0}, {"n_steps": COUNT, "seed": [*SEED, []]}),
    normalised_error: (
        {"y": [1.0, 2, 4], "guess": 2.0},
        {
            "y": [
                *REAL,
                3.0,
                [],
                [0.0, 1e308, -1e308],
                [1, 1, 1],
                np.zeros((3, 2)),
                np.zeros((3, 1)),
            ],
            "guess": [*REAL, [1, 2], [[1], [2], [4]]],
        },
    ),
    two_scales: (
        {"n_steps": 3, "seed": 0, "fast": 4, "slow": 9.5},
        {
            "n_steps": COUNT,
            "seed": [*SEED, []],
            "fast": [*POSITIVE, 2, 9.5, 10],
            "slow": [*POSITIVE, 2, 4],
        },
    ),
}
