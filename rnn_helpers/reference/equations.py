"""Which function computes which numbered equation of the sources."""

from collections.abc import Callable

from rnn_helpers.validate import brief

EQUATIONS: dict[str, list[Callable]] = {}
"""Every equation number, with the functions that compute it in order of registration."""


def equation(*numbers: str) -> Callable:
    """Record the decorated function under the numbers of the equations it computes.

    It is added to `EQUATIONS`, gets an attribute ``equations``, the tuple of numbers, and is
    otherwise unchanged.

    Parameters
    ----------
    *numbers : str
        Numbers as the sources print them, such as ``"10.8"`` or ``"5.6"``.
    """
    if not numbers or not all(isinstance(number, str) for number in numbers):
        raise TypeError(f'equation needs numbers as strings, such as "10.8"; got {brief(numbers)}')

    def register(function):
        for number in numbers:
            EQUATIONS.setdefault(number, []).append(function)
        function.equations = numbers
        return function

    return register
