"""The figure answer judges what is typed as the check in a notebook does."""

import numpy as np
import pytest
from books import NOTEBOOKS, answered_on
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.checks import exercises
from rnn_helpers.checks.typed import typed

STATES = {name: state for path in NOTEBOOKS for name, (_, state) in answered_on(path).items()}
ASKED = {
    name: typed(name, state.get("labels", ()), state.get("options", ()))
    for name, state in STATES.items()
}


def handed_in(name, values):
    """The answer that a student hands in for what another one types or chooses on the page."""
    asked = ASKED[name]
    if asked["kind"] == "number":
        shape = np.shape(exercises()[name].answer)
        return np.reshape(values, shape).tolist() if shape else values[0]
    if asked["kind"] == "menu":
        return dict(zip(asked["labels"], values, strict=True))
    return set(values) if asked["kind"] == "set" else values[0]


@pytest.mark.parametrize("name", ASKED)
def test_the_solution_passes_and_each_named_slip_gets_its_own_hint(math, name):
    asked, entry = ASKED[name], exercises()[name]
    assert math("judge", asked["right"], asked) == {"right": True, "told": entry.success}
    assert entry.grade(handed_in(name, asked["right"]))
    for slip, one in zip(entry.wrong, asked["wrong"], strict=True):
        assert math("judge", one["values"], asked) == {
            "right": False,
            "told": entry.wrong[slip].hint,
        }
        assert entry.grade(handed_in(name, one["values"])).recognised == slip


@given(st.data())
def test_the_page_and_the_notebook_agree_about_any_answer(math, data):
    name = data.draw(st.sampled_from(sorted(ASKED)))
    asked, entry = ASKED[name], exercises()[name]
    known = [asked["right"], *(one["values"] for one in asked["wrong"])]
    near = data.draw(st.sampled_from(known))
    if asked["kind"] == "number":
        # from well within what is accepted to well outside
        off = st.sampled_from([0, 0.5, 0.99, 1.01, 2, -0.5, -0.99, -1.01, 1e6])
        values = [
            value + data.draw(off) * asked["tolerance"] * max(1, abs(value)) for value in near
        ]
    elif asked["kind"] == "set":
        chosen = data.draw(st.sets(st.sampled_from(asked["options"])))
        values = [text for text in asked["options"] if text in chosen]
    else:
        each = st.sampled_from(asked["options"])
        values = [data.draw(st.just(value) | each) for value in near]
    outcome = entry.grade(handed_in(name, values))
    slip = entry.wrong.get(outcome.recognised)
    told = entry.success if outcome else slip.hint if slip else entry.hint
    assert math("judge", values, asked) == {"right": bool(outcome), "told": told}


def test_a_count_may_not_be_one_off_however_large(math):
    assert not math("same", 10**9 + 1, 10**9, 1e-8)
    assert math("same", 1e9 + 1.5, 1e9 + 0.5, 1e-8)
