from functools import wraps

import pytest

from rnn_helpers.reference import EQUATIONS, equation

CHAPTER_10 = [f"10.{n}" for n in (*range(1, 15), *range(17, 29))]
CHIANG = [f"5.{n}" for n in range(4, 12)]


@pytest.mark.parametrize("number", CHAPTER_10 + CHIANG)
def test_every_numbered_equation_has_a_documented_public_function(number):
    for function in EQUATIONS[number]:
        assert number in function.equations
        assert not function.__name__.startswith("_")
        assert function.__doc__


def test_registration_keeps_the_function_and_its_numbers():
    def double(z):
        return 2 * z

    try:
        assert equation("0.1", "0.2")(double) is double
        assert double.equations == ("0.1", "0.2")
        assert EQUATIONS["0.1"] == EQUATIONS["0.2"] == [double]
    finally:
        for number in ("0.1", "0.2"):
            EQUATIONS.pop(number, None)


@pytest.mark.parametrize("numbers", [(), (10.8,), (lambda: None,)])
def test_numbers_must_be_strings(numbers):
    with pytest.raises(TypeError, match="numbers as strings"):
        equation(*numbers)


REFUSALS = {
    wraps(equation)(lambda number: equation(number)): ({"number": "0.0"}, {"number": [None, 3, []]})
}
