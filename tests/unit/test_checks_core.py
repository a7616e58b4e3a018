"""What the checks promise a student, and what they ask of whoever writes an exercise."""

import functools
import inspect
import re
import sys

import numpy as np
import pytest

from rnn_helpers.checks import (
    Checklist,
    Outcome,
    Wrong,
    chapter_04_network,
    check,
    checklist,
    core,
    exercise,
    exercises,
)
from rnn_helpers.checks.compare import difference

ALL = exercises()
POINTS = {"names the shapes": "Which n?", "uses the chain rule": "What follows?"}


@pytest.fixture
def registry(monkeypatch):
    """An empty registry, put back afterwards."""
    entries = {}
    monkeypatch.setattr(core, "_REGISTRY", entries)
    monkeypatch.setattr(core, "exercises", lambda: entries)
    return entries


@pytest.fixture
def product(registry):
    """An exercise on a function: the matrix-vector product."""
    rng = np.random.default_rng(0)

    @exercise(
        "99-product",
        cases=lambda: [
            (rng.standard_normal((3, 3)), rng.standard_normal(3)),
            (np.eye(3), np.arange(3.0)),
        ],
        hint="Which index is summed over?",
        success="You summed over the columns of W.",
        wrong={
            "transposed": Wrong(lambda W, h: W.T @ h, "Rows or columns?"),
            "element by element": Wrong(lambda W, h: W * h, "What is the shape of a product?"),
        },
    )
    def solution(W, h):
        return W @ h

    return solution


@pytest.fixture
def count(registry):
    """An exercise on a value."""

    @exercise(
        "99-count",
        hint="Count the copies once.",
        success="A copy adds no parameters.",
        wrong={"copies": Wrong(48, "Is each copy a parameter?"), "no bias": Wrong(9, "And b?")},
    )
    def solution():
        return 12


def told(capsys):
    return capsys.readouterr().out


def test_the_solution_passes(product, capsys):
    assert check("99-product", product)
    assert told(capsys) == "Correct. You summed over the columns of W.\n"


def test_a_value_passes(count, capsys):
    assert check("99-count", 12)
    assert check("99-count", np.int64(12))
    assert check("99-count", 12.0)


def test_a_recognised_wrong_answer_gets_its_hint(product, capsys):
    outcome = check("99-product", lambda W, h: h @ W)
    assert not outcome
    assert outcome.recognised == "transposed"
    assert "Rows or columns?" in told(capsys)


def test_another_wrong_answer_gets_the_general_hint(product, capsys):
    outcome = check("99-product", lambda W, h: W @ h + 1)
    assert outcome.recognised is None
    assert "Which index is summed over?" in outcome.message


def test_the_first_failing_case_is_named(product):
    def only_the_identity_goes_wrong(W, h):
        return h + 1 if np.array_equal(W, np.eye(3)) else W @ h

    assert (
        check("99-product", only_the_identity_goes_wrong)
        .message.splitlines()[1]
        .startswith("Case 2 of 2")
    )


def test_a_stub_is_told_that_it_is_one(product, capsys):
    def stub(W, h):
        raise NotImplementedError

    assert not check("99-product", stub)
    assert "Not answered yet. To answer, replace" in told(capsys)


@pytest.mark.parametrize("blank", [None, ...])
def test_a_missing_value_is_told_so(count, capsys, blank):
    assert not check("99-count", blank)
    assert "Not answered yet. Put" in told(capsys)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda W, h: (W @ h)[:2], r"shape \(2,\), expected \(3,\)"),
        (lambda W, h: np.full(3, np.nan), "NaN"),
        (lambda W, h: "none", "a string was given, expected an array"),
        (lambda W, h: None, r"nothing \(None\) was given, expected an array"),
        (lambda W: W, r"called with \(W, h\), which it can't take"),
        (lambda W, h: 3.0, r"a number was given, expected an array of shape \(3,\)"),
        (lambda W, h: {}["x"], "stops with KeyError: 'x'"),
        (lambda W, h: sys.exit(1), "stops with SystemExit"),
        (np.zeros(3), r"function itself, without calling it; this is an array of shape \(3,\)"),
    ],
)
def test_a_slip_is_reported_kindly(product, answer, message):
    assert re.search(message, check("99-product", answer).message)


def test_a_function_in_place_of_a_value_is_reported(count):
    assert "not the function" in check("99-count", lambda: 12).message


def test_an_answer_that_spoils_its_arguments_does_not_spoil_the_case(product):
    def careless(W, h):
        out = W @ h
        h[:] = 0
        return out

    assert check("99-product", careless)
    assert check("99-product", product)


def test_measure_lets_many_answers_be_right(registry):
    @exercise(
        "99-contraction",
        hint="Look at the singular values.",
        success="A matrix contracts if its largest singular value is below 1.",
        measure=lambda W: bool(np.linalg.norm(W, 2) < 1),
        wrong={
            "identity": Wrong(np.eye(2), "How long is W h?"),
            "radius": Wrong(np.array([[0.5, 10], [0, 0.5]]), "Is the radius enough?"),
        },
    )
    def solution():
        return 0.5 * np.eye(2)

    assert check("99-contraction", np.zeros((2, 2)))
    assert not check("99-contraction", 2 * np.eye(2))
    assert "A string was given, which" in check("99-contraction", "a matrix").message


def test_a_proof_is_checked_point_by_point(registry, capsys):
    checklist("99-proof", POINTS, success="You followed the loss back through one layer.")
    proof = "The chain rule goes through each layer."
    assert check("99-proof", proof, ticks=[True, True])
    assert "through one layer" in told(capsys)
    missing = check("99-proof", proof, ticks=[True, False])
    assert missing.message.startswith("Hint: What follows?\n")
    assert missing.recognised == "uses the chain rule"
    assert "2 ticks" in check("99-proof", proof, ticks=[True]).message
    assert "2 ticks" in check("99-proof", proof, ticks=True).message


def test_the_points_of_a_proof_are_shown_only_after_an_attempt(registry):
    checklist("99-proof", POINTS, success="The shapes settle the order of the factors.")
    for nothing in (None, ..., "", "a proof", [True, True]):
        outcome = check("99-proof", nothing)
        assert not outcome
        assert outcome.message.startswith("Not answered yet.")
        assert "names the shapes" not in outcome.message
    assert not check("99-proof", ticks=[True, True])
    assert "1. names the shapes" in check("99-proof", "The shapes of all factors fit.").message


def test_the_ticks_of_a_proof_are_the_students_own_assessment(registry):
    checklist("99-proof", POINTS, success="The shapes settle the order of the factors.")
    outcome = check("99-proof", "The shapes of all factors fit.", ticks=(True, np.True_))
    assert outcome.message == (
        "By your own assessment, your answer is complete. "
        "The shapes settle the order of the factors."
    )


def test_an_unknown_name_lists_the_near_ones(count):
    with pytest.raises(ValueError, match=r"99-cuont.*99-count"):
        check("99-cuont", 1)


def test_a_bad_declaration_is_refused(count):
    two = {"a": Wrong(0, "?"), "b": Wrong(1, "?")}
    with pytest.raises(ValueError, match="NN-slug"):
        exercise("count", hint="", success="", wrong=two)(lambda: 2)
    with pytest.raises(ValueError, match="at least 2"):
        exercise("99-one", hint="", success="", wrong={"a": Wrong(0, "?")})(lambda: 2)
    with pytest.raises(ValueError, match="already"):
        exercise("99-count", hint="", success="", wrong=two)(lambda: 2)


def test_an_outcome_is_silent_at_the_end_of_a_cell():
    assert repr(Outcome(True, "Correct.")) == ""
    assert Outcome(True, "Correct.")._ipython_display_() is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"W": [1.0]}, {"W": np.array([1.0])}),
        ([1, 2], np.array([1, 2])),
        ([("h", 1), ("h", 2)], [("h", 1), ("h", 2)]),
        ({1, 2}, {2, 1}),
        (np.bool_(True), True),
        (1e9 + 1e-3, 1e9),
        (2.0**30 * 34, 2**30 * 34),
        (float("inf"), float("inf")),
    ],
)
def test_equal_results_do_not_differ(given, expected):
    assert difference(given, expected) is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"W": 1}, {"W": 1, "U": 1}),
        ({"W": 1, "U": 1}, {"W": 1}),
        ({"W": 1, "V": 1}, {"W": 1, "U": 1}),
        (np.ones((1, 3)), np.ones(3)),
        (np.ones(3), np.ones((3, 1))),
        (np.ones(1), 1.0),
        (2**30 * 34 + 1, 2**30 * 34),
        ([("h", 1), ("h", 3)], [("h", 1), ("h", 2)]),
        ([1], [[1], [1, 2]]),
        ("a", "b"),
        (1, "b"),
        (1, True),
        (1.0001, 1.0),
        (ValueError("no"), 1.0),
        (1.0, ValueError("no")),
    ],
)
def test_unequal_results_differ_in_a_sentence(given, expected):
    assert difference(given, expected).endswith((".", "no"))


# every exercise of every chapter ------------------------------------------------------------------


def reveals(hint, entry):
    """Whether a hint holds the solution's value, or a line of the solution's code."""
    if isinstance(entry, Checklist):
        return False
    if entry.cases:
        body = inspect.getsource(entry.solution).splitlines()
        lines = [line.strip().removeprefix("return ") for line in body]
        return any(len(line) > 8 and line in hint for line in lines)
    value = entry.answer
    if isinstance(value, bool) or not isinstance(value, int | float | str | np.number):
        return False
    return bool(re.search(rf"(?<![\w.]){re.escape(str(value))}(?![\w]|\.\d)", hint))


@pytest.mark.parametrize("name", ALL)
def test_every_solution_passes(name):
    assert ALL[name].grade(ALL[name].answer)


@pytest.mark.parametrize("name", ALL)
def test_every_stub_fails(name):
    def stub(*args, **kwargs):
        raise NotImplementedError

    entry = ALL[name]
    assert not entry.grade(stub if getattr(entry, "cases", None) else ...)


@pytest.mark.parametrize("name", ALL)
def test_every_wrong_answer_gets_its_own_hint(name):
    entry = ALL[name]
    hints = [wrong.hint for wrong in entry.wrong.values()]
    assert len(set(hints)) == len(hints) >= 2
    for mistake, wrong in entry.wrong.items():
        outcome = entry.grade(wrong.answer)
        assert not outcome, mistake
        assert outcome.recognised == mistake
        assert wrong.hint in outcome.message


@pytest.mark.parametrize("name", ALL)
def test_a_right_answer_gets_one_or_two_short_sentences(name):
    success = ALL[name].success
    assert success.endswith(".")
    assert len(re.split(r"(?<=[.?!])\s+", success)) <= 2
    assert len(success.split()) <= 30


def test_no_two_exercises_say_the_same_about_a_right_answer():
    said = [entry.success for entry in ALL.values()]
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("name", ALL)
def test_no_hint_holds_the_answer(name):
    entry = ALL[name]
    hints = [wrong.hint for wrong in entry.wrong.values()] + [getattr(entry, "hint", "")]
    assert not [hint for hint in hints if reveals(hint, entry)]


def test_a_program_goes_on_with_the_answer_that_passed_and_else_with_the_books_own():
    def mine(grads, longest):
        length = np.sqrt(sum((g**2).sum() for g in grads.values()))
        return {name: g * min(1, longest / length) for name, g in grads.items()}

    def stub(grads, longest):
        raise NotImplementedError

    assert check("04-net-clip", mine).use is mine
    outcome = check("04-net-clip", stub)
    assert "use the book's own function" in outcome.message
    assert exercises()["04-net-clip"].grade(outcome.use)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda lent: lent,
        functools.partial,
        lambda lent: lambda *case: lent(*case),
        lambda lent: functools.lru_cache(lent).__wrapped__,
        lambda lent: lent.__call__,
        lambda lent: lambda grads, longest: dict(lent(grads, longest)),
    ],
)
def test_a_lent_function_is_no_answer(wrap):
    lent = check("04-net-clip").use
    outcome = check("04-net-clip", wrap(lent))
    assert not outcome
    assert "leaves the work to the book's own `clip`" in outcome.message


def test_a_lent_function_may_be_called_in_another_answer():
    clip = check("04-net-clip").use

    def quotients(loss, array):
        found = np.zeros_like(array)
        for place in np.ndindex(array.shape):
            nudge = np.zeros_like(array)
            nudge[place] = clip({"nudge": np.array(1e-5)}, 1.0)["nudge"]
            found[place] = (loss(array + nudge) - loss(array - nudge)) / 2e-5
        return found

    assert check("04-net-quotients", quotients)


def test_what_a_solution_is_made_of_is_no_answer():
    def quotients(loss, array):
        return chapter_04_network._quotients(loss, array)

    assert "`_quotients`" in check("04-net-quotients", quotients).message


def test_only_what_the_page_goes_on_with_is_lent():
    lending = {name for name, entry in exercises().items() if getattr(entry, "lends", False)}
    assert {name for name in lending if not name.startswith("04-net-")} == set()
    for name in sorted(exercises().keys() - lending):
        assert check(name, "no answer at all").use is None


@pytest.mark.parametrize("form", [complex, np.complex64, lambda number: np.array([number, number])])
def test_a_number_with_an_imaginary_part_is_no_real_number(form):
    real = 42.5 if np.ndim(form(1j)) == 0 else [42.5, 42.5]
    assert difference(form(42.5 + 0j), real) is None
    assert difference(form(42.5 + 3j), real) is not None
    assert difference(form(42.5 + 3j), form(42.5 + 3j)) is None
