"""The figure units runs the networks as the reference does, and its texts state their numbers."""

import re

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import characters as networks
from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import lstm_forward, rnn_forward
from rnn_helpers.tasks import FEATURES, text_features, unit_correlations

pytestmark = pytest.mark.chapter("05")
META = manifest()["units"]
DEFAULT = complete("units", {})
KINDS = list(networks.UNITS)
TEXT = DEFAULT["text"]
typed = st.text(
    st.sampled_from([*networks.alphabet(), "\u00e9", "\U0001f469"]), min_size=1, max_size=30
)


@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(0, 2**32 - 1))
@pytest.mark.equation("10.8", "10.9", "10.10", "10.41", "10.42")
def test_a_step_from_any_state_matches_the_reference(math, kind, seed):
    rng = np.random.default_rng(seed)
    token = int(rng.integers(len(networks.alphabet())))
    h, s = rng.uniform(-1, 1, networks.UNITS[kind]), rng.normal(0, 3, networks.UNITS[kind])
    state = {"h": h} | ({"s": s} if kind == "lstm" else {})
    found = math("step", kind, state, token)
    params, tokens = networks.params(kind), np.array([token])
    if kind == "lstm":
        run = lstm_forward(params, tokens, h0=h, s0=s)
        close(found["s"], run.s[0])
    else:
        run = rnn_forward(params, tokens, h0=h)
    close(found["h"], run.h[0])
    close(found["yhat"], run.yhat[0])


@pytest.mark.parametrize("kind", KINDS)
@given(typed)
def test_typed_text_is_parsed_as_in_the_package(math, kind, text):
    assert math("encode", text) == networks.encode(text).tolist()
    steps = math("read", kind, text)
    run = networks.run(kind, text)
    found = [step["units"] for step in steps]
    np.testing.assert_allclose(found, networks.shown(run), rtol=1e-7, atol=1e-9)


def test_the_units_in_view_move_on_with_the_choice(math):
    first = {unit: math("above", unit, 40) for unit in range(1, 41)}
    assert [first[unit] for unit in (1, 3, 9, 20, 32, 40)] == [0, 0, 0, 11, 23, 24]
    assert math("above", 16, 16) == math("above", 2, 3) == 0
    assert [math("above", unit, 40, 0) for unit in (3, 14, 15, 20, 40)] == [0, 0, 1, 6, 24]
    assert [math("above", unit, 40, 20) for unit in (1, 20, 23)] == [0, 17, 20]


@pytest.mark.parametrize("text", ["def f(a):", "def f", "def g(a)", "x", "def f(a)"])
def test_a_run_that_reuses_a_text_equals_a_new_one(math, text):
    found = math("read", "lstm", text, math("read", "lstm", "def f(a)"))
    np.testing.assert_array_equal(
        [step["units"] for step in found],
        [step["units"] for step in math("read", "lstm", text)],
    )


@given(st.text(st.sampled_from("ab1 ()[]{}'\"\n\u00e9"), max_size=30))
def test_features_are_the_packages(math, text):
    found = math("features", text)
    assert list(found) == list(FEATURES)
    for name, expected in text_features(text).items():
        assert found[name] == expected.tolist()


@given(st.integers(0, 2**32 - 1))
def test_correlations_are_the_packages(math, seed):
    rng = np.random.default_rng(seed)
    h, feature = rng.uniform(-1, 1, (12, 4)), rng.integers(0, 2, 12)
    h[:, 1] = 0.1
    steps = [{"units": row.tolist()} for row in h]
    found = math("correlations", steps, feature)
    np.testing.assert_allclose(found, unit_correlations(h, feature), atol=1e-12)


def test_the_most_likely_come_first(math):
    assert math("likeliest", [0.1, 0.4, 0.1, 0.4], 3) == [1, 3, 0]
    assert math("ranked", [0.1, -0.9, 0.5]) == [1, 2, 0]


@pytest.mark.parametrize("kind", KINDS)
def test_the_best_unit_is_that_of_unseen_code(math, kind):
    for name in FEATURES:
        best = 1 + np.argmax(np.abs(networks.measured(kind)[name]))
        assert math("best", kind, name) == best
    assert DEFAULT["unit"] == math("best", DEFAULT["net"], DEFAULT["follow"])


def test_the_words_give_the_numbers_of_the_networks():
    """Story, alternative text and prediction, with the numbers of the networks."""
    here = unit_correlations(
        networks.shown(networks.run("lstm", TEXT)), text_features(TEXT)["brackets"]
    )
    lstm, rnn = (np.abs(networks.measured(kind)["brackets"]) for kind in ("lstm", "rnn"))
    said = re.search(r"is ([\d.]+) here, and ([\d.]+) in .* next best has ([\d.]+)", META["alt"])
    told = [abs(here[DEFAULT["unit"] - 1]), *np.sort(lstm)[:-3:-1]]
    assert [float(number) for number in said.groups()] == pytest.approx(told, abs=0.005)
    assert META["prediction"]["answer"] == f"{rnn.max():.2f}"
    assert f"correlation of {lstm.max():.2f}" in META["prediction"]["question"]
    yhat = networks.run("lstm", TEXT[: DEFAULT["t"]]).yhat[-1]
    first, second = np.argsort(-yhat)[:2]
    assert TEXT[: DEFAULT["t"]].endswith("get(key")
    assert [networks.alphabet()[k] for k in (first, second)] == [")", ","]
    assert "a closing bracket and a comma" in META["alt"]
    assert np.abs(networks.measured("lstm")["quotes"]).max() > 0.7  # "another by quotes"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["\u2022", "(" * 96, "\n", "\U0001f469\u200d\U0001f52c", " " * 96])
@pytest.mark.parametrize("kind", KINDS)
def test_every_text_gives_finite_numbers(math, kind, text):
    steps = math("read", kind, text)
    told = math("features", text)
    for step in steps:
        assert np.isfinite(step["units"]).all()
        assert sum(step["yhat"]) == pytest.approx(1)
    for name in FEATURES:
        assert np.isfinite(math("correlations", steps, told[name])).all()


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"text": ""}, "text is empty"),
        ({"text": "ab", "t": 3}, "t is 3"),
        ({"net": "rnn", "unit": 31}, "unit is 31"),
        ({"follow": "verbs"}, "follow"),
        ({"text": "a" * 97}, "text has 97"),
    ],
)
def test_a_state_that_cannot_be_shown_is_refused(state, said):
    with pytest.raises(ValueError, match=said):
        show("units", **state)
