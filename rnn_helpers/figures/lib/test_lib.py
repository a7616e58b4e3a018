import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_hex

from rnn_helpers import plots
from rnn_helpers.explore.html import inline
from rnn_helpers.palette import RAMPS, THEMES


@pytest.mark.parametrize("seed", [0, 1, 42, 2**32 - 1])
def test_the_generator_gives_the_numbers_of_numpys_random_state(lib, seed):
    theirs = lib("random").eval(
        f"(({{uniform, normal}}) => [0, 1].map(() => [uniform, normal].map(f => "
        f"Array.from({{length: 700}}, f))))(M.random({seed}))"
    )
    rng = np.random.RandomState(seed)
    for uniform, normal in theirs:
        np.testing.assert_array_equal(uniform, rng.random_sample(700))
        np.testing.assert_allclose(normal, rng.standard_normal(700), rtol=1e-14)


@given(st.text("ab`*^_{}<&> ", max_size=20))
def test_words_are_set_alike_in_python_and_in_the_figures(lib, text):
    assert lib("words")("inline", text) == inline(text)


def test_words_can_be_code_emphasis_and_indices_and_never_markup(lib):
    expected = "<code>x</code> <em>is</em> h<sup>(t)</sup><sub>i</sub> &lt; &amp;"
    assert inline("`x` *is* h^{(t)}_{i} < &") == expected


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0.5, 2, "0.50"),
        (-0.0, 2, "0.00"),
        (-1.234, 1, "−1.2"),
        (1e-9, 2, "1.0e−9"),
        (2e7, 0, "2.0e+7"),
    ],
)
def test_numbers_have_a_true_minus_and_no_negative_zero(lib, value, digits, text):
    assert lib("scales")("format", value, digits) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"), [(0.3, 0, "0"), (-0.001, 2, "0.00"), (2.345e-5, 2, "0.00")]
)
def test_rounded_numbers_have_no_exponent(lib, value, digits, text):
    assert lib("scales")("rounded", value, digits) == text


def test_a_share_is_written_in_percent(lib):
    write = lib("scales")
    assert [write("percent", 0.126), write("percent", 0.003)] == ["13\xa0%", "0\xa0%"]
    assert write("percent", 0.045, 1) == "4.5\xa0%"


def test_only_one_thing_has_a_noun_in_the_singular(lib):
    written = [lib("scales")("counted", n, "step") for n in (0, 1, 2)]
    assert written == ["0 steps", "1 step", "2 steps"]


def test_undefined_numbers_are_never_written_as_nan(lib):
    assert lib("scales").eval("[NaN, Infinity, -Infinity].map(x => M.format(x))") == [
        "—",
        "∞",
        "−∞",
    ]


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6), st.integers(1, 12))
def test_ticks_are_a_few_round_numbers_within_the_range(lib, low, length, count):
    high = low + length
    ticks = lib("scales")("ticks", low, high, count)
    slack = 1e-6 * length + 1e-9 * abs(low)
    assert len(ticks) <= count + 1
    assert all(low - slack <= tick <= high + slack for tick in ticks)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("value", "place"), [(-1, 0.0), (0, 0.5), (1, 1.0)])
def test_figures_and_plots_color_a_sign_alike(lib, value, place, theme):
    pure = re.fullmatch(r"var\(--uf-signed-(\d)\)", lib("colours")("signed", value))
    assert pure  # no mixture: it is a stop of the ramp
    stop = RAMPS["signed"][theme][int(pure[1])]
    assert stop == to_hex(plots.COLOUR_MAPS["signed", theme](place))


@pytest.mark.parametrize("theme", THEMES)
def test_values_above_zero_are_red_and_values_below_are_blue(theme):
    blue, red = (re.findall("..", RAMPS["signed"][theme][i][1:]) for i in (1, -2))
    assert red[0] > red[2]
    assert blue[2] > blue[0]


@given(st.floats(-10, 10), st.floats(0.1, 5))
def test_values_beyond_the_limit_have_the_color_at_the_end(lib, value, limit):
    signed = lib("colours")
    clipped = min(max(value, -limit), limit)
    assert signed("signed", value, limit) == signed("signed", clipped, limit)


SPEC = {"maxLength": 6, "alphabet": "abc", "minLength": 1}


@given(st.text("abcABCxyz", max_size=12))
def test_a_text_control_lists_ignored_text_exactly_when_there_is_some(lib, value):
    found = lib("typed")("typed", SPEC, value)
    assert found["kept"] == "".join(c for c in value.lower() if c in "abc")[:6]
    said = lib("typed")("leftOut", SPEC, value)
    assert bool(said) == (found["kept"] != value.lower() or not value)
    assert all(f"“{letter}”" in said for letter in found["strange"])
    assert ("6 characters is the most" in said) == bool(found["beyond"])


def test_a_text_control_names_the_letters_that_do_not_fit(lib):
    said = lib("typed")("leftOut", {"maxLength": 6}, "internationalization")
    assert said == ("6 characters is the most that fits here: “ationalizati…” is left out.")
    assert lib("typed")("leftOut", {"maxLength": 6}, "intern") == ""
