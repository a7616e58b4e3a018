"""A stack inside one number: the device behind the universality of recurrent networks.

Siegelmann and Sontag store a stack of bits in one activation, as a fraction in base 4 whose
digits are 1 (for the bit 0) and 3 (for the bit 1), the top of the stack first. The digits 0 and 2
never occur, so two stacks that differ in their top differ by more than 1/4, and one linear
function cut off at 0 and 1 tells them apart. Their hidden units are such *saturated-linear*
units; they are not the tanh of (G 10.9).

Every function is generic in its type of number: exact with `fractions.Fraction`, whatever the
depth; rounded with `float` or ``np.float32``, which lose the bottom of a deep stack. What limits
the depth is the precision of the activation: the weights are fixed, with few digits.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import tanh
from typing import Any

import numpy as np

from rnn_helpers.reference.rnn import input_term, output, preactivation
from rnn_helpers.validate import brief

EMPTY = 0
"""The number that holds an empty stack."""


def saturate(z):
    """Saturated-linear unit: `z`, a number of any type, cut off at 0 and 1."""
    return min(max(z, type(z)(0)), type(z)(1))


def soft_saturate(z):
    """Smooth unit nearest to `saturate`: a tanh with values in (0, 1) and slope 1 at 1/2.

    ``(1 + tanh(2 z - 1)) / 2``, of the type of `z`.
    """
    return (1 + type(z)(tanh(2 * z - 1))) / 2


def push(q, bit: int, unit: Callable = saturate):
    """Stack `q` with `bit`, 0 or 1, on top: a new first digit in base 4."""
    if bit not in (0, 1):
        raise ValueError(f"bit is {brief(bit)}; expected 0 or 1")
    return unit(q / 4 + type(q)(1 + 2 * bit) / 4)


def top(q, unit: Callable = saturate):
    """Bit on top of the stack `q`, as a number: ``4 q - 2``, cut off at 0 and 1.

    It is 0 if the stack is empty, and only near 0 or 1 if the unit is smooth.
    """
    return unit(4 * q - 2)


def nonempty(q, unit: Callable = saturate):
    """Whether the stack `q` holds anything, as a number: ``4 q``, cut off at 0 and 1."""
    return unit(4 * q)


def pop(q, unit: Callable = saturate):
    """Stack `q` without its top: the digits of ``4 q``, less the first. An empty one stays empty.

    Three units compute it in one step, without being told the top: ``4 q - 1`` for a top of 0;
    for a top of 1 the first two saturate and cancel, and the third gives ``4 q - 3``.
    """
    return unit(4 * q - 1) - unit(4 * q - 2) + unit(4 * q - 3)


def pops_before_error(
    bits: Sequence[int], number: Callable[[int], Any] = Fraction, unit: Callable = saturate
) -> int:
    """Push all `bits`, then pop until one comes out wrong; count those that came out right.

    Parameters
    ----------
    bits : sequence of {0, 1}
        What to push, the first at the bottom.
    number : callable
        Type of number the stack is kept in: ``Fraction``, ``float``, ``np.float32``.
    unit : callable
        The hidden units' function, `saturate` or `soft_saturate`.
    """
    q = number(EMPTY)
    for bit in bits:
        q = push(q, bit, unit)
    for popped, bit in enumerate(reversed(bits)):
        if nonempty(q, unit) < 0.5 or round(top(q, unit)) != bit:
            return popped
        q = pop(q, unit)
    return len(bits)


SYMBOLS = "([)]."
"""What `bracket_network` reads; the full stop stands for every other character."""


def bracket_network(number: Callable[[int], Any] = Fraction) -> dict[str, np.ndarray]:
    """Parameters of a recurrent network of ten units that checks brackets of two kinds.

    With saturated-linear hidden units in (G 10.9), this is the network of figure 10.3. Six units
    hold the stack as a signed sum, a round bracket as the bit 0 and a square one as 1: two that
    push, one that keeps, and the three of `pop`. Three more find a bracket that does not match,
    and the last remembers that one was found. A unit is held at 0 by its bias unless the symbol
    just read is one that it waits for.

    Parameters
    ----------
    number : callable
        Type of the parameters: ``Fraction``, ``float``, ``np.float32``.

    Returns
    -------
    dict of ndarray
        ``U`` (10, 5), ``W`` (10, 10), ``V`` (1, 10), ``b`` (10,) and ``c`` (1,). The output is 0
        if what was read is balanced, and at least 1/4 if it is not.
    """
    quarter = Fraction(1, 4)
    units = [  # what multiplies the stack q, what is added, the symbols that the unit waits for
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


def is_balanced(
    text: str, number: Callable[[int], Any] = Fraction, unit: Callable = saturate
) -> bool:
    """Whether `text` has its round and square brackets balanced, as `bracket_network` sees it.

    Parameters
    ----------
    text : str
        Brackets and other characters, of any number.
    number : callable
        Type of number the network computes with. ``Fraction`` is exact.
    unit : callable
        The hidden units' function. The answer is right for any text with `saturate` and exact
        numbers; rounded numbers and `soft_saturate` fail from some depth on.

    Returns
    -------
    bool
        Whether the output is under 1/8, half of the least that an unbalanced text gives.
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {brief(text)}; expected a string")
    U, W, V, b, c = bracket_network(number).values()
    h = np.array([number(0)] * len(b))
    for character in text:
        token = np.array(SYMBOLS.index(character if character in SYMBOLS else "."))
        a = preactivation(b, W, h, input_term(U, token))  # (G 10.8)
        h = np.array([unit(z) for z in a])  # (G 10.9), with another nonlinearity
    return bool(output(c, V, h)[0] < 1 / 8)  # (G 10.10)
