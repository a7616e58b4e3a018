"""The checks' promises to students, and their requirements for authors of exercises."""

import functools
import inspect
import io
import re
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import partial, wraps
from pathlib import Path

import numpy as np
import pytest
from refusals import NAN

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


@pytest.fixture
def mean_and_largest(registry):
    """An exercise on a function that returns two things."""

    @exercise(
        "99-mean",
        cases=lambda: [(np.arange(3.0),), (np.array([1e308, 1e308]),)],
        hint="Print both.",
        success="You scaled before you added.",
        wrong={
            "largest forgotten": Wrong(lambda x: (np.mean(x / 2) * 2, 0.0), "Which is largest?"),
            "overflow": Wrong(lambda x: (np.inf if x[0] else 1.0, x.max()), "How large?", True),
        },
    )
    def solution(x):
        return np.mean(x / 2) * 2, x.max()

    return solution


def test_an_answer_wrong_only_where_a_likely_mistake_is_wrong_is_taken_for_it(mean_and_largest):
    outcome = check("99-mean", lambda x: (1.0, x.max()))
    assert outcome.message.startswith("Hint: How large?")
    assert outcome.recognised == "overflow"
    for other in (lambda x: (1.0, 0.0), lambda x: (2.0 * bool(x[0]), x.max())):
        assert check("99-mean", other).message.startswith("Hint: Print both.")


def test_the_parts_that_are_right_in_all_cases_are_named(mean_and_largest):
    assert "Right in all cases: item 1." in check("99-mean", lambda x: (0.0, x.max())).message
    assert "Right in all cases" in check("99-mean", lambda x: [0.0, x.max()]).message
    for none in (lambda x: (0.0, 0.0), lambda x: x.max(), lambda x: (0.0, x.max(), 0.0)):
        assert "Right in all cases" not in check("99-mean", none).message


def test_a_stub_is_recognized(product, capsys):
    def stub(W, h):
        raise NotImplementedError

    assert not check("99-product", stub)
    assert "Not answered yet. To answer, replace" in told(capsys)


@pytest.mark.parametrize("blank", [None, ...])
def test_a_missing_value_is_reported(count, capsys, blank):
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


def test_a_right_answer_that_changes_an_argument_is_warned(product):
    def careless(W, h):
        h *= 2
        return W @ h / 2

    message = check("99-product", careless).message
    assert message.startswith(
        "Correct. You summed over the columns of W.\nYour function also changes `h`, so"
    )


def test_an_answer_may_not_change_an_argument_that_the_exercise_keeps(registry):
    @exercise(
        "99-step",
        cases=lambda: [({"W": np.eye(2)}, 0.5)],
        hint="Which way is down?",
        success="You stepped downhill.",
        keeps=True,
        wrong={"up": Wrong(lambda params, eta: {}, "?"), "all": Wrong(lambda params, eta: 0, "!")},
    )
    def step(params, eta):
        return {name: array - eta for name, array in params.items()}

    def of_a_shallow_copy(params, eta):
        params = dict(params)
        params["W"] -= eta
        return params

    assert check("99-step", step)
    outcome = check("99-step", of_a_shallow_copy)
    assert not outcome
    assert "your function changes `params`" in outcome.message


def test_drawing_from_a_generator_is_no_change_of_an_argument(registry):
    @exercise(
        "99-draw",
        cases=lambda: [(np.random.default_rng(0), [1, 2])],
        hint="?",
        success="You drew a number.",
        wrong={"zero": Wrong(lambda rng, n: 0, "?"), "one": Wrong(lambda rng, n: 1, "!")},
    )
    def draw(rng, n):
        return rng.random()

    outcome = check("99-draw", draw)
    assert outcome.message == "Correct. You drew a number."
    assert " at 0x" not in check("99-draw", lambda rng, n: 2).message


def test_an_answer_may_return_one_buffer_again_and_again(product):
    buffer = np.empty(3)

    def answer(W, h):
        buffer[:] = W @ h
        return buffer

    assert check("99-product", answer)


@pytest.mark.parametrize("blank", [(12, ...), [..., ...], {"a": ...}])
def test_an_answer_that_is_partly_filled_in_is_not_answered_yet(count, blank):
    assert check("99-count", blank).message.startswith("Not answered yet.")


def test_a_function_that_returns_the_dots_is_not_answered_yet(product):
    assert check("99-product", lambda W, h: ...).message.startswith("Not answered yet. Put")


def prints(W, h):
    print(W @ h)


def works_in_place(W, h):
    h[:] = W @ h


@pytest.mark.parametrize(
    ("answer", "leads"),
    [
        (prints, "Your function returns nothing. Does it end with `return`"),
        (works_in_place, "Your function changes `h` but returns nothing."),
        (lambda W, h: (W @ h)[:2], "in the form that the exercise asks for?"),
        (lambda W, h: (W @ h, h), "in the form that the exercise asks for?"),
        (lambda W, h: "none", "in the form that the exercise asks for?"),
    ],
)
def test_the_form_of_a_result_comes_before_the_subject(product, answer, leads):
    hint = check("99-product", answer).message.splitlines()[0]
    assert leads in hint
    assert "Which index" not in hint


def test_a_part_of_another_form_is_named():
    pair = (np.zeros(3), np.ones(3))
    fault = difference((np.zeros(3), np.ones(2)), pair)
    assert fault == "at item 1, your answer has shape (2,), expected (3,)."
    assert "at item 0, a string was given, expected a number" in difference(("a", 1.0), (1.0, 1.0))
    assert "a number was given, expected a tuple of length 2" in difference(1.0, (1.0, 2.0))


def test_true_is_no_real_number(registry):
    wrong = {"in bits": Wrong(1.0, "Which unit?"), "none": Wrong(0.0, "Certain?")}
    exercise("99-loss", hint="?", success="It is ln 2.", wrong=wrong)(lambda: np.log(2))
    outcome = check("99-loss", True)
    assert outcome.recognised is None
    assert "True or False was given, expected a number" in outcome.message


@pytest.mark.parametrize("coarse", [0.66, 0.67, 0.7, 0.6667, np.float16(2 / 3)])
def test_a_number_with_too_few_digits_is_reported(registry, coarse):
    wrong = {"half": Wrong(0.5, "Half?"), "all": Wrong(1.0, "All?")}
    exercise("99-share", hint="Of what?", success="Two in three.", wrong=wrong)(lambda: 2 / 3)
    assert "needs more digits" in check("99-share", coarse).message
    for off in (0.68, 0.65, 1, 0.5):
        assert "more digits" not in check("99-share", off).message


def test_the_sessions_settings_do_not_matter(product):
    def underflows(W, h):
        assert np.exp(np.array([-1000.0])) == 0
        return W @ h

    def solution_underflows(W, h):
        return W @ h + np.exp(np.array([-1000.0]))

    wrong = {"a": Wrong(lambda W, h: h, "?"), "b": Wrong(lambda W, h: W, "!")}
    cases = lambda: [(np.eye(2), np.ones(2))]  # noqa: E731
    exercise("99-small", cases=cases, hint="?", success="Small.", wrong=wrong)(solution_underflows)

    def gives_up(W, h):
        raise FloatingPointError

    with np.errstate(all="raise"), warnings.catch_warnings(action="error"):
        assert check("99-product", underflows)
        assert check("99-small", lambda W, h: W @ h)
        assert not check("99-small", gives_up)
        assert np.geterr()["under"] == "raise"


def test_a_message_is_printed_in_any_encoding(registry, monkeypatch):
    wrong = {"a": Wrong(1, "\u221a of what?"), "b": Wrong(2, "?")}
    exercise("99-root", hint="?", success="So.", wrong=wrong)(lambda: 3)
    printed = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(printed, encoding="cp1252"))
    message = check("99-root", 1).message
    sys.stdout.flush()
    assert "\u221a of what?" in message
    assert "? of what?" in printed.getvalue().decode("cp1252")


def declare(module, solution="solution"):
    """Declare 99-count, and a proof, in a module of a name."""
    program = f"""if True:
        from rnn_helpers.checks import Wrong, checklist, exercise

        @exercise(
            "99-count", hint="?", success="So.", wrong={{"a": Wrong(0, "?"), "b": Wrong(1, "!")}}
        )
        def {solution}():
            return 12

        checklist("99-proof", {POINTS!r}, success="So.")
    """
    exec(program, {"__name__": module})


def test_a_module_that_is_loaded_again_replaces_its_exercises(registry):
    declare("chapter_99")
    first = dict(registry)
    declare("chapter_99")
    assert registry.keys() == first.keys()
    assert registry["99-count"] is not first["99-count"]
    for again in (["chapter_98"], ["chapter_99", "another"]):
        with pytest.raises(ValueError, match="declared already"):
            declare(*again)


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
        (Fraction(1, 4), 0.25),
        (Decimal("0.1"), 0.1),
        ((Fraction(1, 4), 2), (0.25, 2)),
        (np.array([[Fraction(1, 4), 1.0]]), np.array([[0.25, 1.0]])),
        ({"W": [Decimal(1)]}, {"W": np.array([1.0])}),
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
        (Fraction(1, 4), 0.5),
        (Fraction(1, 3), Fraction(1, 3) + Fraction(1, 4**99)),
        (Fraction(10**400), 1.0),
        ("0.25", 0.25),
        ([Fraction(1, 4), "0.5"], [0.25, 0.5]),
        (1, True),
        (1.0001, 1.0),
        (ValueError("no"), 1.0),
        (1.0, ValueError("no")),
    ],
)
def test_unequal_results_differ_in_a_sentence(given, expected):
    assert difference(given, expected).endswith((".", "no"))


def test_no_two_exercises_of_a_chapter_share_a_name():
    """Reloading a module replaces its exercises, so only this test would notice."""
    for path in Path(core.__file__).parent.glob("chapter_*.py"):
        names = re.findall(r'^(?:@exercise|checklist)\(\s*"([^"]+)"', path.read_text("utf-8"), re.M)
        assert len(set(names)) == len(names) > 0


# every exercise of every chapter ------------------------------------------------------------------


def reveals(hint, entry):
    """Return whether a hint contains the solution's value or a line of its code."""
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


@pytest.mark.parametrize("name", [name for name in ALL if not isinstance(ALL[name], Checklist)])
def test_no_solution_changes_its_arguments(name):
    assert "Your function also changes" not in ALL[name].grade(ALL[name].answer).message


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
    assert getattr(entry, "hint", "") not in hints
    for mistake, wrong in entry.wrong.items():
        outcome = entry.grade(wrong.answer)
        assert not outcome, mistake
        assert outcome.recognised == mistake
        assert wrong.hint in outcome.message


@pytest.mark.parametrize("name", ALL)
def test_a_mistake_is_suspected_only_if_the_cases_can_reveal_it(name):
    """A value has no cases, and a page knows its hint only for the wrong answer itself."""
    entry = ALL[name]
    if not getattr(entry, "cases", None):
        assert not any(wrong.likely for wrong in entry.wrong.values())


@pytest.mark.parametrize("name", ALL)
def test_a_right_answer_gets_one_or_two_short_sentences(name):
    success = ALL[name].success
    assert success.endswith(".")
    assert len(re.split(r"(?<=[.?!])\s+", success)) <= 2
    assert len(success.split()) <= 30


def test_no_two_exercises_share_a_comment_on_a_right_answer():
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


def test_a_solutions_helpers_are_no_answer():
    def quotients(loss, array):
        return chapter_04_network._quotients(loss, array)

    assert "`_quotients`" in check("04-net-quotients", quotients).message


def test_only_results_that_the_page_needs_are_lent():
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


@wraps(exercise)
def declare_exercise(**given):
    return exercise(**given)(len)


REFUSALS = {
    check: ({"name": "02-acyclic"}, {"name": [None, 3, "", "no", ["a"], NAN, {}]}),
    partial(
        declare_exercise,
        name="99-no-such",
        wrong={"a": Wrong(1, "Hint."), "b": Wrong(2, "Hint.")},
        hint="Hint.",
        success="It holds.",
    ): (
        None,
        {
            "name": [None, 3, "", "no", "02-run"],
            "wrong": [None, 3, {"a": 1, "b": 2}],
            "hint": [None, 3],
            "success": [None, 3],
            "cases": [3, "a"],
            "tolerance": [-1, NAN, "a", None],
            "measure": [3],
        },
        {"name": "02-run"},
    ),
    partial(checklist, name="99-no-such", points={"a": "b", "c": "d"}, success="It holds."): (
        None,
        {"name": [None, 3, "", "no", "02-run"], "points": [None, 3], "success": [None, 3]},
        {"name": "02-run"},
    ),
    exercises: ({}, {}),
}
