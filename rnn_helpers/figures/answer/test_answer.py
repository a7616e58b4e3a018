"""The figure answer judges typed answers as the check in a notebook does."""

import numpy as np
import pytest
from books import NOTEBOOKS, answered_on
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.checks import exercises
from rnn_helpers.checks.typed import typed

MORE = "Your answer is nearly right, but the check needs more digits."
STATES = {name: state for path in NOTEBOOKS for name, (_, state) in answered_on(path).items()}
ASKED = {
    name: typed(name, state.get("labels", ()), state.get("options", ()))
    for name, state in STATES.items()
}


def handed_in(name, values):
    """Return the notebook answer that matches an answer typed or chosen on the page."""
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
    right = {"right": True, "told": entry.success, "off": []}
    assert math("judge", asked["right"], asked) == right
    assert entry.grade(handed_in(name, asked["right"]))
    for slip, one in zip(entry.wrong, asked["wrong"], strict=True):
        judged = math("judge", one["values"], asked)
        assert (judged["right"], judged["told"]) == (False, entry.wrong[slip].hint)
        assert entry.grade(handed_in(name, one["values"])).recognised == slip


@given(st.data())
def test_the_page_and_the_notebook_agree_about_any_answer(math, data):
    name = data.draw(st.sampled_from(sorted(ASKED)))
    asked, entry = ASKED[name], exercises()[name]
    known = [asked["right"], *(one["values"] for one in asked["wrong"])]
    near = data.draw(st.sampled_from(known))
    if asked["kind"] == "number":
        # from well within the tolerance to well outside
        off = st.sampled_from([0, 0.5, 0.99, 1.01, 2, -0.5, -0.99, -1.01, 1e6])
        digits = st.sampled_from([None, None, 0, 1, 2, 4])
        values = [
            value + data.draw(off) * asked["tolerance"] * max(1, abs(value)) for value in near
        ]
        values = [round(value, kept) if (kept := data.draw(digits)) else value for value in values]
    elif asked["kind"] == "set":
        chosen = data.draw(st.sets(st.sampled_from(asked["options"])))
        values = [text for text in asked["options"] if text in chosen]
    else:
        each = st.sampled_from(asked["options"])
        values = [data.draw(st.just(value) | each) for value in near]
    outcome = entry.grade(handed_in(name, values))
    slip = entry.wrong.get(outcome.recognised)
    hint = MORE if "needs more digits" in outcome.message else entry.hint
    told = entry.success if outcome else slip.hint if slip else hint
    judged = math("judge", values, asked)
    assert (judged["right"], judged["told"]) == (bool(outcome), told)
    assert outcome or judged["off"]


@pytest.mark.parametrize("digits", range(5))
@pytest.mark.parametrize("name", [name for name in ASKED if ASKED[name]["kind"] == "number"])
def test_both_ask_for_more_digits_of_the_same_answers(math, name, digits):
    for cut in (np.round, lambda value, digits: np.trunc(value * 10**digits) / 10**digits):
        values = [float(cut(value, digits)) for value in ASKED[name]["right"]]
        outcome = exercises()[name].grade(handed_in(name, values))
        judged = math("judge", values, ASKED[name])
        assert judged["right"] == bool(outcome)
        assert (judged["told"] == MORE) == ("needs more digits" in outcome.message)


def test_a_number_with_too_few_digits_is_asked_for_more(math):
    asked = {"right": [2 / 3, 5], "wrong": [], "tolerance": 1e-3, "hint": "?", "success": "So."}
    assert math("judge", [0.66, 5], asked) == {"right": False, "told": MORE, "off": [0]}
    assert math("judge", [0.68, 4], asked) == {"right": False, "told": "?", "off": [0, 1]}


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("42.5", 42.5),
        (" −2.5 ", -2.5),
        ("- 2", -2),
        ("2/3", 2 / 3),
        ("−1 / 4", -0.25),
        ("64%", 0.64),
        ("64\u202f%", 0.64),
        ("42,5", 42.5),
        ("0,125", 0.125),
        ("1.234,5", 1234.5),
        ("20,150.5", 20150.5),
        ("1,234,567", 1234567),
        ("20 150", 20150),
        ("1e-5", 1e-5),
        ("2·10⁻⁵", 2e-5),
        ("10^3", 1000),
        ("", None),
        ("2/0", None),
        ("1e999", None),
        ("0.5 100", None),
        ("forty", None),
        ("1/2/3", None),
        ("20,150", None),
    ],
)
def test_a_number_is_read_as_people_write_it(math, typed, value):
    found = math("read", typed)
    assert found["value"] == (value if value is None else pytest.approx(value, rel=1e-15))
    assert bool(found["told"]) == (value is None and typed != "")
    assert ("comma" in found["told"]) == (typed == "20,150")


def test_a_count_may_not_be_one_off_however_large(math):
    assert not math("same", 10**9 + 1, 10**9, 1e-8)
    assert math("same", 1e9 + 1.5, 1e9 + 0.5, 1e-8)
