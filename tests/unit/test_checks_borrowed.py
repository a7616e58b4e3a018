"""No function of the book passes as an answer, and an answer may call only some of them."""

import functools
import inspect
import re
import types
from pathlib import Path

import numpy as np
import pytest
from declared import declared, each, of_chapters

from rnn_helpers import checks
from rnn_helpers.checks import Exercise, check, exercises
from rnn_helpers.checks.guard import _role
from rnn_helpers.reference import gru, rnn

ALL = exercises()


def test_solutions_are_told_from_their_tests_and_from_the_rest_of_the_book():
    roles = {
        "exercises/chapter_04_network.py": "exercise",
        "exercises/test_chapter_04.py": "outside",
        "checks/core.py": "outside",
        "reference/rnn.py": "book",
        "../README.md": "outside",
    }
    paths = {file: (Path(checks.__file__).parents[1] / file).resolve(True) for file in roles}
    assert {file: _role(str(path)) for file, path in paths.items()} == roles


@pytest.mark.nightly("02-", "05-")
@pytest.mark.slow
@each(ALL)
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


@pytest.mark.parametrize(("name", "function"), of_chapters(declared("BORROWED").items()))
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
