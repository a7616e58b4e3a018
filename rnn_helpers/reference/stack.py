"""A stack in one number, which makes recurrent networks universal.

Siegelmann and Sontag store a stack of bits in one activation, as a fraction in base 4 whose
digits are 1 (for the bit 0) and 3 (for the bit 1), the top of the stack first. The digits 0 and 2
never occur, so two stacks with different tops differ by more than 1/4, and a linear function that
is cut off at 0 and 1 distinguishes them. Hidden units of this kind are called *saturated-linear*;
(G 10.9) has tanh units instead.

All functions accept any type of number. `fractions.Fraction` is exact at any depth. `float` and
``np.float32`` round, so they lose the bottom of a deep stack. The weights are fixed and have few
digits, so only the precision of the activation limits the depth.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from rnn_helpers.validate import brief

EMPTY = 0
"""The number that holds an empty stack."""


def saturate(z):
    """Cut off `z`, a number of any type, at 0 and 1: a saturated-linear unit."""
    return min(max(z, type(z)(0)), type(z)(1))


def push(q, bit: int):
    """Push `bit`, 0 or 1, onto the stack `q`, as a new first digit in base 4."""
    if bit not in (0, 1):
        raise ValueError(f"bit is {brief(bit)}; expected 0 or 1")
    return saturate(q / 4 + type(q)(1 + 2 * bit) / 4)


def top(q):
    """Return the bit on top of the stack `q`, or 0 if it is empty: ``4 q - 2``, cut off."""
    return saturate(4 * q - 2)


def nonempty(q):
    """Return 1 if the stack `q` contains anything and 0 if not: ``4 q``, cut off at 0 and 1."""
    return saturate(4 * q)


def pop(q):
    """Remove the top of the stack `q`, the first digit of ``4 q``. An empty stack stays empty.

    Three units do so in one step, for either top. If it is 0, the first one outputs
    ``4 q - 1`` and the others 0. If it is 1, the first two output 1 and cancel, and the third one
    outputs ``4 q - 3``.
    """
    return saturate(4 * q - 1) - saturate(4 * q - 2) + saturate(4 * q - 3)


SYMBOLS = "([)]."
"""Inputs of `bracket_network`; the full stop stands for every other character."""


def bracket_network(number: Callable[[int], Any] = Fraction) -> dict[str, np.ndarray]:
    """Return the parameters of a network of ten units that checks brackets of two kinds.

    With saturated-linear hidden units in (G 10.9), this is the network of figure 10.3. The stack is
    the signed sum of six units: two push, one keeps the stack, and three pop. A round bracket is
    the bit 0, and a square bracket is the bit 1. Three more units detect a bracket that doesn't
    match, and the last one remembers that there was one. The bias of a unit keeps it at 0 unless
    the input is a symbol that the unit waits for.

    Parameters
    ----------
    number : callable
        Type of the parameters: ``Fraction``, ``float``, ``np.float32``.

    Returns
    -------
    dict of ndarray
        ``U`` (10, 5), ``W`` (10, 10), ``V`` (1, 10), ``b`` (10,) and ``c`` (1,). The output is 0
        if the brackets so far are balanced, and at least 1/4 if they aren't.
    """
    quarter = Fraction(1, 4)
    units = [  # the factor of the stack q, the number added, the symbols that the unit waits for
        (quarter, quarter, "("),  # push 0
        (quarter, 3 * quarter, "["),  # push 1
        (1, 0, "."),  # keep
        (4, -1, ")]"),  # pop, first unit
        (4, -2, ")]"),  # pop, second unit, to be subtracted
        (4, -3, ")]"),  # pop, third unit
        (-4, 1, ")]"),  # nothing to close: q = 0
        (4, -2, ")"),  # round closes square: q >= 3/4
        (-4, 3, "]"),  # square closes round or nothing: q < 1/2
    ]
    stack = [1, 1, 1, 1, -1, 1, 0, 0, 0, 0]
    wrong = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    reach = [max(added, added + factor) for factor, added, _ in units]  # over 0 <= q < 1
    waits = [[symbol in awaited for symbol in SYMBOLS] for *_, awaited in units]
    params = {
        "U": [*([r * w for w in row] for r, row in zip(reach, waits, strict=True)), [0] * 5],
        "W": [*([factor * s for s in stack] for factor, *_ in units), wrong],
        "V": [[s + w for s, w in zip(stack, wrong, strict=True)]],
        "b": [*(added - r for r, (_, added, _) in zip(reach, units, strict=True)), 0],
        "c": [0],
    }
    as_number = np.vectorize(
        lambda value: number(value.numerator) / value.denominator,
        otypes=[np.asarray(number(0)).dtype],
    )
    return {name: as_number(np.array(value, dtype=object)) for name, value in params.items()}
