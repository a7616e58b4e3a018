"""What readers of a page run: its lines work anywhere, and tell all named answers apart."""

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.checks import Exercise, Wrong, exercise, exercises
from rnn_helpers.checks.core import _REGISTRY, lines
from rnn_helpers.checks.instance import (
    Stop,
    Unfit,
    apart,
    asked,
    broken,
    instance,
    leaves,
    literal,
    printed,
    rounded,
)

CODE = {
    name: entry
    for name, entry in exercises().items()
    if isinstance(entry, Exercise) and entry.cases and not entry.off_page
}
numbers = st.integers(-99, 99) | st.floats(allow_nan=False, width=32) | st.fractions()
arguments = st.recursive(
    st.none() | st.booleans() | st.text(max_size=4) | numbers,
    lambda parts: (
        st.lists(parts, max_size=3)
        | st.tuples(parts, parts)
        | st.dictionaries(st.integers(0, 9), parts, max_size=3)
    ),
)


def evaluated(text):
    return eval(text, {"np": np, "Fraction": Fraction})


@given(arguments)
def test_a_literal_is_the_value_again(value):
    assert evaluated(literal(value)) == value
    assert evaluated(broken(literal(value))) == value


@pytest.mark.parametrize("dtype", [float, int, bool])
def test_the_literal_of_an_array_keeps_its_type_and_shape(dtype):
    array = np.arange(-3, 3).reshape(2, 3).astype(dtype)
    again = evaluated(literal(array))
    assert again.dtype == array.dtype
    assert np.array_equal(again, array)
    infinite = np.array([np.nan, np.inf, -np.inf])
    assert np.array_equal(evaluated(literal(infinite)), infinite, equal_nan=True)


def test_rounding_keeps_probabilities_and_rotations():
    assert rounded(np.array([[0.123, 2.0]]), 1).tolist() == [[0.1, 2.0]]
    turn = np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])
    for special in (np.array([1 / 3, 2 / 3]), np.log([1 / 3, 2 / 3]), turn):
        with pytest.raises(Unfit, match="meaning"):
            rounded(special, 1)


def test_a_long_call_is_broken_at_its_commas():
    call = f"print(f({literal(np.arange(40.0))}, {literal({'a': 'x, y', 'b': 20 * 'z'})}))"
    text = broken(call)
    assert max(map(len, text.splitlines())) <= 70
    given = {"f": lambda *parts: parts, "print": repr, "np": np}
    assert eval(text, given) == eval(call, given)


@pytest.mark.parametrize("name", CODE)
def test_the_solution_and_all_named_wrong_answers_print_different_results(name):
    found, entry = instance(name), CODE[name]
    assert not isinstance(found.right, Stop)
    assert len(found.calls) <= 3
    assert len(leaves(found.right)) <= 70
    assert found.distinct(entry.tolerance) == set(entry.wrong)


@pytest.mark.parametrize("name", CODE)
def test_a_success_is_about_the_value_and_not_about_the_function(name):
    assert not CODE[name].success.startswith(("Your ", "You "))
    assert "our function" not in CODE[name].success


def test_the_lines_run_in_a_python_that_has_only_numpy():
    found = instance("18-recall")
    body = "def recall(M, key, strength):\n    return 'it ran'\n"
    ran = subprocess.run(
        [sys.executable, "-I", "-c", body + found.lines], capture_output=True, text=True
    )
    assert ran.stdout == "it ran\n", ran.stderr


def test_a_value_is_told_by_its_form_and_by_four_digits():
    assert printed({"b": np.array([1, 2]), "a": (None, Fraction(1, 4))}) == {
        "a": ["None", 0.25],
        "b": [1, 2],
    }
    assert printed([np.float32(0.5), np.inf, {3, 1}]) == [0.5, "inf", [1, 3]]
    assert printed(KeyError()) == Stop("KeyError")
    with pytest.raises(Unfit, match="function"):
        printed(len)
    assert apart([1.0, 2.0], [[1.0], 2.0], 1e-8)
    assert not apart({"a": 1, "b": 2.0}, {"b": 2.0, "a": 1}, 1e-8, several=False)
    assert apart(7, 8, 1e-8, several=False)
    assert not apart(0.12345, 0.12346, 1e-8, several=False)
    assert apart([1000.0, 0.1], [1000.0, 0.2], 1e-8)  # two calls
    assert not apart([[1000.0, 0.1]], [[1000.0, 0.2]], 1e-8)  # one result
    assert apart(Stop("KeyError"), 1.0, 1e-8)


@pytest.fixture
def declared():
    """Declare an exercise that a test removes again."""

    def declare(**given):
        def double(x):
            return 2 * x

        wrong = {
            "not doubled": Wrong(lambda x: x, "Twice?"),
            "squared": Wrong(lambda x: x * x, "Twice?"),
        }
        exercise("99-double", wrong=wrong, hint="?", success="!", **given)(double)
        return "99-double"

    yield declare
    _REGISTRY.pop("99-double", None)


def test_calls_are_added_until_all_answers_differ(declared):
    name = declared(cases=lambda: [(0.0,), (2.0,), (3.0,)])
    found = instance(name)
    assert found.lines == "print([double(3.0), double(0.0), double(2.0)])"
    assert found.distinct(1e-8) == {"not doubled", "squared"}


def test_an_author_can_choose_cases_or_write_the_lines(declared):
    cases = lambda: [(0.0,), (2.0,), (3.0,)]  # noqa: E731
    assert instance(declared(cases=cases, instance=[2, 0])).calls == ["double(3.0)", "double(0.0)"]
    own = """
    x = np.arange(3.0)

    print(double(x))
    """
    found = instance(declared(cases=cases, instance=own))
    assert found.lines == "import numpy as np\n\nx = np.arange(3.0)\n\nprint(double(x))"
    assert (found.right, found.wrong["squared"]) == ([0.0, 2.0, 4.0], [0.0, 1.0, 4.0])
    assert lines("\n  a\n", own) == "a\n\nx = np.arange(3.0)\n\nprint(double(x))"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"off_page": "it draws"}, "it draws"),
        ({"instance": "double(3)"}, "expected print"),
        ({"instance": "print([double(1), double(2), double(3), double(4)])"}, "at most 3"),
        ({"instance": "print(double(unknown))"}, "stops with NameError"),
        ({"measure": abs}, "many right answers"),
        ({"cases": lambda: [(len,)]}, "no case of 99-double"),
        ({"cases": None}, "whose answer is a function"),
    ],
)
def test_an_exercise_without_an_instance_says_why(declared, given, message):
    with pytest.raises(ValueError, match=message):
        instance(declared(**{"cases": lambda: [(2.0,)], **given}))


def test_the_page_is_given_what_it_needs_to_judge():
    data = asked("18-recall")
    assert data["lines"].startswith("import numpy as np\n\nprint(recall(")
    assert [one["hint"] for one in data["wrong"]] == [
        each.hint for each in exercises()["18-recall"].wrong.values()
    ]
