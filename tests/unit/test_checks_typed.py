"""The data with which a page asks for an exercise's answer and judges it."""

import numpy as np
import pytest

from rnn_helpers.checks import Wrong, core, exercise
from rnn_helpers.checks.typed import typed


@pytest.fixture
def declare(monkeypatch):
    """``declare(right, *wrong)`` declares an exercise in a separate registry."""
    entries = {}
    monkeypatch.setattr(core, "_REGISTRY", entries)
    monkeypatch.setattr(core, "exercises", lambda: entries)

    def declare(right, *wrong, **settings):
        entries.clear()
        named = {f"slip {n}": Wrong(value, f"Hint {n}?") for n, value in enumerate(wrong)}
        exercise("99-value", wrong=named, hint="Look.", success="So.", **settings)(lambda: right)
        return "99-value"

    return declare


def test_numbers_are_given_one_by_one(declare):
    name = declare(np.array([[1, 2], [3, 4]]), [[1, 3], [2, 4]], np.zeros((2, 2)), tolerance=0.01)
    asked = typed(name, ["a", "b", "c", "d"])
    assert asked["kind"] == "number"
    assert asked["right"] == [1, 2, 3, 4]
    assert asked["wrong"][0] == {"values": [1, 3, 2, 4], "hint": "Hint 0?"}
    assert asked["tolerance"] == 0.01
    with pytest.raises(ValueError, match="expected 4 labels for 99-value"):
        typed(name)


def test_a_single_answer_needs_no_label(declare):
    assert typed(declare(2.5, 1.0, 2.0))["labels"] == ["Your answer"]


def test_a_string_is_typed_or_chosen(declare):
    name = declare("tanh", "relu", "sigmoid")
    assert typed(name)["kind"] == "text"
    chosen = typed(name, options=["relu", "tanh"])
    assert (chosen["kind"], chosen["labels"]) == ("choice", [])
    with pytest.raises(ValueError, match="the right answer among them"):
        typed(name, options=["relu", "sigmoid"])


def test_a_set_and_a_dictionary_offer_every_string_that_some_answer_has(declare):
    chosen = typed(declare({"b"}, {"a", "b"}, set()))
    assert (chosen["kind"], chosen["options"], chosen["right"]) == ("set", ["a", "b"], ["b"])
    assert [one["values"] for one in chosen["wrong"]] == [["a", "b"], []]
    menus = typed(declare({"x": "one", "y": "two"}, {"x": "two", "y": "two"}, {"x": "", "y": ""}))
    assert (menus["kind"], menus["labels"], menus["right"]) == ("menu", ["x", "y"], ["one", "two"])
    with pytest.raises(ValueError, match=r"expected \['a'\] among them"):
        typed(declare({"b"}, {"a", "b"}, set()), options=["b", "c"])


@pytest.mark.parametrize("right", [np.zeros((4, 4)), [], True, None, {1, 2}, {"x": 1.0}, 1j, len])
def test_an_answer_that_cannot_be_typed_is_refused(declare, right):
    with pytest.raises(ValueError, match=r"^exercise is '99-value'; expected one whose answer"):
        typed(declare(right, 1.0, 2.0))


def test_answers_that_a_program_must_try_are_refused(declare):
    with pytest.raises(ValueError, match="whose only right answer is a value"):
        typed(declare(1.0, 2.0, 3.0, measure=np.sign))
