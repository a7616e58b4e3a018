"""Typical wrong answers are refused with a helpful hint."""

import functools
import inspect
import itertools
import math
import re
import types
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rnn_helpers import checks
from rnn_helpers.checks import Exercise, check, exercises
from rnn_helpers.checks.guard import _role
from rnn_helpers.reference import bidirectional, gru, long_term, memory, output_recurrence, rnn
from rnn_helpers.reference.stack import nonempty, pop, push, top

ALL = exercises()


def top_unasked(q, symbol):
    """Never asks whether the stack is empty."""
    if symbol in "([":
        q = push(q, "([".index(symbol))
    elif top(q) != ")]".index(symbol):
        return None
    else:
        q = pop(q)
    return q, ")]"[int(top(q))] if nonempty(q) else ""


def in_a_list(q, symbol):
    stack = [] if q == 0 else [int(top(q))]
    if symbol in "([":
        stack.append("([".index(symbol))
    elif not stack or stack.pop() != ")]".index(symbol):
        return None
    return stack, ")]"[stack[-1]] if stack else ""


def in_a_list_outside(q, symbol, stack=[]):  # noqa: B006
    if symbol in "([":
        stack.append("([".index(symbol))
    elif not stack or stack.pop() != ")]".index(symbol):
        return None
    return Fraction(len(stack)), ")]"[stack[-1]] if stack else ""


def softmax_less(what):
    def grad_logits(o, y):
        with np.errstate(all="ignore"):
            e = np.exp(o - what(o))
            g = e / e.sum(axis=1, keepdims=True)
        for t, k in enumerate(y):
            g[t, k] -= 1
        return g

    return grad_logits


def averaged_over_all(automaton, tokens):
    counts = np.zeros((len(automaton.alphabet),) * 2)
    for before, after in itertools.pairwise(tokens):
        counts[before, after] += 1
    p = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return -np.log2(p[tokens[:-1], tokens[1:]]).mean() - automaton.loss(tokens).mean() / np.log(2)


def weights_of(mask):
    return lambda lengths, T: mask(lengths, T) / mask(lengths, T).sum()


def gradient_of_W(slope_of, share=lambda T: 1):
    def grad_W(h0, h, g):
        total, before = 0, h0
        for now, back in zip(h, g, strict=True):
            total = total + np.outer((1 - slope_of(before, now) ** 2) * back, before)
            before = now
        return total / share(len(h))

    return grad_W


def by_its_square_root(T):
    return int(T**0.5)


def lstm_step(sums, s):
    f, g, q = (1 / (1 + np.exp(-sums[gate])) for gate in "fgo")
    s = f * s + g * np.tanh(sums["cell"])
    return np.tanh(s) * q, s


def clip_with_pytorchs_number(grads, v):
    norm = math.sqrt(sum(np.sum(g * g) for g in grads.values()))
    return {name: g * min(1.0, v / (norm + 1e-6)) for name, g in grads.items()}


TWO_STATES = np.array([[-0.956, 0.935], [-0.187, -0.962]])

WRONG = [
    ("01-excess", averaged_over_all, "Which symbols"),
    ("02-enlarge-state", lambda s, x: ((x + s[1] + s[2]) // 3, x, s[1]), "`//`"),
    ("02-enlarge-state", lambda s, x: ((x + s[1] + s[2]) / 3, s[1], x), "Which of them is the new"),
    ("02-enlarge-state", lambda s, x: ((x + s[1] + s[2]) / 3, x, 0.0), "in this order"),
    ("03-two-steps", [[-0.956, 0.935], [0.9, 0.1]], "Is your first state"),
    ("03-two-steps", [[-0.956, 0.935], [0.03, -0.91]], "Is your first state"),
    ("03-latch", (1.09, 4.0), "Wait a thousand steps"),
    ("03-may-close", top_unasked, "`top` return for an empty stack"),
    ("03-may-close", in_a_list, "What is q"),
    ("03-may-close", in_a_list_outside, "What is q"),
    ("04-grad-output", softmax_less(lambda o: o.max()), "1000 below those of another"),
    ("04-grad-output", softmax_less(lambda o: 0), "What is exp(1000)?"),
    ("04-grad-output", lambda o, y: np.full(o.shape, np.nan), "not finite"),
    ("04-grad-W", gradient_of_W(lambda before, now: before), "the slope of that tanh"),
    (
        "04-grad-W",
        gradient_of_W(lambda before, now: now, lambda T: T),
        "divide by the number of steps",
    ),
    ("04-grad-W", lambda h0, h, g: np.zeros((len(h0),) * 2), "a single step first"),
    (
        "04-loss-weights",
        weights_of(lambda lengths, T: np.arange(T)[:, None] <= np.array(lengths)),
        "Which step is the last one of a sentence of length 3",
    ),
    (
        "04-loss-weights",
        weights_of(lambda lengths, T: np.arange(1, T + 1)[:, None] < np.array(lengths)),
        "length 1 has one real character",
    ),
    ("04-checkpoints", by_its_square_root, "is a smaller k as good"),
    ("04-checkpoints", lambda T: math.ceil(T**0.5), "Which ones do if T is 7"),
    ("04-checkpoints", lambda T: max(1, round(T**0.5) - 1), "when T is 10, by hand"),
    (
        "13-onset",
        lambda d, T, onsets: np.mean([(T - s + 1) % d == 0 for s in range(1, onsets + 1)]),
        "how many steps are there from s to T",
    ),
    (
        "13-onset",
        lambda d, T, onsets: np.mean([(T - s - 1) % d == 0 for s in range(1, onsets + 1)]),
        "How long is the jump",
    ),
    ("16-step", lambda *case: lstm_step(*case)[::-1], "In which order"),
    ("16-step", lambda *case: (lstm_step(*case)[0], case[1]), "Is s wrong?"),
    ("17-clip", clip_with_pytorchs_number, "PyTorch"),
    ("17-how-far", lambda g, v: 0.5, "nearest to g"),
    ("17-reversed", lambda n: np.array([[-10, 0]] + [[1, 0]] * (n - 1)), "more of them"),
    ("17-reversed", lambda n: np.array([[0, 500]] + [[0, -1]] * (n - 1)), "more of them"),
]


@pytest.mark.parametrize(("name", "answer", "leads"), WRONG)
def test_a_wrong_answer_is_refused_with_a_hint_that_leads(name, answer, leads):
    outcome = ALL[name].grade(answer)
    assert not outcome
    assert leads in outcome.message.splitlines()[0]


def test_a_wrong_second_state_leads_from_the_first_to_its_product_with_W():
    wrong = TWO_STATES + np.array([[0, 0], [0.1, 0]])
    message = ALL["03-two-steps"].grade(wrong).message
    assert "the first at [1, 0]" in message
    assert "what is W times this state" in message


@pytest.mark.parametrize("name", [name for name, entry in ALL.items() if hasattr(entry, "cases")])
def test_the_case_that_fails_is_described_in_a_few_words(name):
    entry = ALL[name]
    if entry.cases:
        message = entry.grade(lambda *case: object()).message
        hint, place = message.splitlines()
        assert hint.startswith("Hint: ")
        assert place.startswith("Case 1 of ")
        assert len(place) < 200


# what the package holds itself --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "role"),
    [
        ("exercises/chapter_04_network.py", "exercise"),
        ("exercises/test_chapter_04.py", "outside"),
        ("checks/core.py", "outside"),
        ("reference/rnn.py", "book"),
        ("../README.md", "outside"),
    ],
)
def test_solutions_are_told_from_their_tests_and_from_the_rest_of_the_book(file, role):
    path = Path(checks.__file__).parents[1] / file
    assert path.exists()
    assert _role(str(path.resolve())) == role


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.chapter(name[:2])) for name in ALL]
)
def test_no_function_of_checks_passes_as_an_answer(name, capsys):
    """Neither a solution nor a helper of one, nor anything else that a chapter's module holds."""
    entry = ALL[name]
    module = inspect.getmodule(entry.solution) if isinstance(entry, Exercise) else checks
    held = [*vars(module).values(), *vars(entry).values(), entry]
    for thing in held:
        if not isinstance(thing, list | tuple) or thing:
            assert not check(name, thing), thing
    capsys.readouterr()


def test_a_function_of_the_book_gets_a_friendly_word():
    outcome = check("04-grad-state", ALL["04-grad-state"].solution)
    assert re.search(
        r"the book's own `step_back`\. Write the computation yourself", outcome.message
    )


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("06-mixture", output_recurrence.scheduled_optimum),
        ("08-bias", rnn.output),
        ("09-turned", bidirectional.turned),
        ("13-power", long_term.spectral_state),
        ("18-recall", memory.recall),
        ("18-write", memory.write_cells),
    ],
)
def test_an_answer_that_calls_the_books_function_for_its_result_is_refused(name, function):
    assert ALL[name].grade(lambda *case: function(*case)), "its result would pass"
    answers = [
        function,
        functools.partial(function),
        lambda *case: function(*case),
        lambda *case: 1 * np.array(function(*case)),
    ]
    for answer in answers:
        outcome = check(name, answer)
        assert not outcome
        assert f"`{function.__name__}`" in outcome.message


def test_an_answer_that_reads_its_result_off_a_run_of_the_books_network_is_refused():
    def states(params, x):
        units = len(params["b"])
        return gru.gru_forward(params | {"V": np.zeros((1, units)), "c": np.zeros(1)}, x).h

    assert ALL["16-gru"].grade(states)
    assert "leaves the work to the book" in check("16-gru", states).message


def test_an_answer_may_call_the_functions_that_the_solution_calls():
    solution = ALL["16-step"].solution
    code = solution.__code__.replace(co_filename="mine.py")
    mine = types.FunctionType(code, solution.__globals__ | {"__name__": "mine"})
    assert check("16-step", mine)


def test_an_answer_may_call_other_functions_of_the_book():
    def typical(weights, n):
        assert rnn.output(np.zeros(2), np.eye(2), np.ones(2)).shape == (2,)
        return np.exp(n * np.mean(np.log(np.abs(weights))))

    assert check("13-typical", typical)
