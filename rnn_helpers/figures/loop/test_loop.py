"""The figure loop reads a text as Python does, and its default weights do its task."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete

pytestmark = pytest.mark.chapter("01")
META = manifest()["loop"]
DEFAULT = complete("loop", {})
UNITS = "AB"
TERMS = "x", "A", "B", "own"
MARKS = '"“”„'
HALVES = st.integers(-6, 6).map(lambda n: n / 2)


def weights(state):
    """Return each unit's weights for the mark, the previous A and B, and its bias: (2, 4)."""
    return np.array([[state[f"{unit}_{term}"] for term in TERMS] for unit in UNITS])


def marked(text):
    """Return whether each symbol is a quotation mark."""
    return np.array([symbol in MARKS for symbol in text])


def run(weights, marks):
    """Return the states of the two units after each symbol: 1 if the unit's sum is above 0."""
    states = np.zeros((1 + len(marks), 2))
    for t, mark in enumerate(marks):
        states[t + 1] = np.asarray(weights) @ [mark, *states[t], 1] > 0
    return states[1:]


def inside(text, state=DEFAULT):
    a, b = run(weights(state), marked(text)).T
    return a > b


def open_at(text):
    return np.cumsum(marked(text)) % 2 == 1


@given(st.lists(HALVES, min_size=8, max_size=8), st.booleans(), st.tuples(*2 * [st.integers(0, 1)]))
def test_a_step_from_any_state_with_any_weights_is_the_same(math, eight, mark, h):
    weights = np.reshape(eight, (2, 4))
    step = math("step", weights, int(mark), list(h))
    assert step["sums"] == (weights @ [mark, *h, 1]).tolist()
    assert step["h"] == (weights @ [mark, *h, 1] > 0).astype(int).tolist()


@given(st.lists(HALVES, min_size=8, max_size=8), st.text('a "”', min_size=1, max_size=32))
def test_every_step_of_a_text_is_the_same(math, eight, text):
    keys = [f"{unit}_{term}" for unit in UNITS for term in TERMS]
    state = DEFAULT | dict(zip(keys, eight, strict=True)) | {"text": text}
    steps = math("run", state)
    states = run(weights(state), marked(text))
    assert [step["h"] for step in steps] == states.astype(int).tolist()
    assert [step["inside"] for step in steps] == inside(text, state).tolist()
    right = inside(text, state) == open_at(text)
    assert [step["right"] for step in steps] == right.tolist()


@given(st.text('a "”', min_size=1, max_size=32))
def test_the_weights_of_the_exercise_are_right_for_its_task(math, text):
    """Has there been a mark? A stays on from the first one; B is on at each."""
    answer = {"A_x": 1, "A_A": 1, "A_B": 0, "A_own": -0.5, "B_x": 1, "B_A": 0, "B_B": 0}
    state = DEFAULT | answer | {"B_own": -0.5, "text": text, "task": "seen"}
    assert all(step["right"] for step in math("run", state))
    marks = marked(text)
    a, b = run(weights(state), marks).T
    assert (a == np.maximum.accumulate(marks)).all()
    assert (b == marks).all()


@given(st.lists(HALVES, min_size=8, max_size=8), st.text('a "”', min_size=1, max_size=32))
def test_for_the_exercise_a_symbol_is_right_where_both_units_are(math, eight, text):
    keys = [f"{unit}_{term}" for unit in UNITS for term in TERMS]
    state = DEFAULT | dict(zip(keys, eight, strict=True)) | {"text": text, "task": "seen"}
    a, b = run(weights(state), marked(text)).T
    right = (a == np.maximum.accumulate(marked(text))) & (b == marked(text))
    assert [step["right"] for step in math("run", state)] == right.tolist()


def test_it_knows_of_every_short_text_and_of_a_long_one_whether_a_quotation_is_open():
    texts = ["".join(text) for n in range(1, 11) for text in product('a"', repeat=n)]
    texts.append("".join(np.random.default_rng(0).choice(["a", '"'], size=9000)))
    for text in texts:
        np.testing.assert_array_equal(inside(text), open_at(text))


def test_the_prediction_is_where_it_goes_wrong_first():
    text = DEFAULT["text"]
    wrong = np.flatnonzero(inside(text, DEFAULT | {"A_B": 0.0}) != open_at(text))
    _first, second = np.flatnonzero(marked(text))
    assert wrong[0] == second + 1 == 22
    assert META["prediction"]["answer"] == "after the second mark"


def test_the_alternative_text_describes_the_untouched_figure():
    text, t = DEFAULT["text"], DEFAULT["t"]
    assert np.flatnonzero(marked(text))[1] == t - 1
    assert f"right at {t} of {t} symbols" in META["alt"]
    assert (inside(text) == open_at(text)).all()
    before = run(weights(DEFAULT), marked(text))[t - 2]
    assert (weights(DEFAULT) @ [1, *before, 1]).tolist() == [1.5, 0.5]
    assert "1 + 1 − 0 − 0.5 = 1.5 and that of B is 0.5" in META["alt"]


@pytest.mark.parametrize(
    ("state", "words"),
    [({"text": ""}, "empty"), ({"text": "abc", "t": 4}, "symbols 1 to 3"), ({"A_x": 4}, "A_x")],
)
def test_a_state_that_cannot_be_shown_is_refused(state, words):
    with pytest.raises(ValueError, match=words):
        show("loop", **state)
