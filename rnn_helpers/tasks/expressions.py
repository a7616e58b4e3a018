"""Nested expressions with sums, differences and negations, to be computed modulo 5.

An expression is a nested tuple of symbols, a pair at every node: ``"3"``; ``("-", e)``, its
negative; ``((e, "+"), f)`` and ``((e, "-"), f)``, a sum and a difference. An expression is nested k
deep if k operations are nested.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rnn_helpers.reference import trees
from rnn_helpers.validate import as_choice, as_count, as_generator, as_list, as_number, brief, cut

MODULUS = 5
SYMBOLS = "01234+-()"
"""All symbols; the input of a network is the index of a symbol in this string."""

LAID = ("chain", "balanced", "parse")
"""Trees for an expression: a chain or a balanced tree over all symbols, or its parse tree."""

MOST_NESTED = 30
NEGATED = 0.25
"""Default share of negations among the operations."""
_SIGN = "±"  # a sign that is yet to be drawn


class Batch(NamedTuple):
    """Expressions of the same shapes for several networks, with different digits and signs.

    Attributes
    ----------
    x : ndarray of int, shape (S, L)
        Symbols of all expressions, one expression after the other.
    forest : Forest
        The trees over them.
    y : ndarray of int, shape (S, B)
        Value of each expression.
    """

    x: np.ndarray
    forest: trees.Forest
    y: np.ndarray


def expression_value(expression) -> int:
    """Return the value of an expression modulo 5."""
    _require_expression(expression)
    return _value(expression, int, {"+": 1, "-": -1}.get)


def _value(expression, digit: Callable, sign: Callable):
    """Return the value, with functions for digits and signs, called from left to right."""
    if isinstance(expression, str):
        return digit(expression)
    first, last = expression
    if first == "-":
        return -_value(last, digit, sign) % MODULUS
    left, operator = first
    before, way = _value(left, digit, sign), sign(operator)
    return (before + way * _value(last, digit, sign)) % MODULUS


def expression_symbols(expression) -> list[str]:
    """Return all symbols of an expression; each sum has brackets, except for the whole."""
    _require_expression(expression)
    return _symbols(expression, top=True)


def _symbols(expression, top=False):
    if isinstance(expression, str):
        return [expression]
    first, last = expression
    if first == "-":
        return ["-", *_symbols(last)]
    left, operator = first
    inside = [*_symbols(left), operator, *_symbols(last)]
    return inside if top else ["(", *inside, ")"]


def nesting(expression) -> int:
    """Return the depth of nested operations."""
    _require_expression(expression)
    return _nesting(expression)


def _nesting(expression):
    if isinstance(expression, str):
        return 0
    first, last = expression
    return 1 + max(_nesting(last), 0 if first == "-" else _nesting(first[0]))


def _require_expression(expression):
    if not _is_expression(expression):
        raise ValueError(
            f"expression is {brief(expression)}; expected a digit, ('-', e), or ((e, '+'), f)"
        )


def _is_expression(value):
    match value:
        case str():
            return value in map(str, range(MODULUS))
        case ("-", part):
            return _is_expression(part)
        case ((left, "+" | "-"), right):
            return _is_expression(left) and _is_expression(right)
    return False


def parse_expression(text: str):
    """Parse an expression; sums without brackets are computed from left to right.

    Raises
    ------
    ValueError
        If the text isn't an expression, or is nested more than 30 deep.
    """
    letters = list(text.replace("−", "-").replace(" ", "")) if isinstance(text, str) else []
    try:
        found = _sum(letters)
        if letters or nesting(found) > MOST_NESTED:
            raise IndexError
    except (IndexError, RecursionError):
        raise ValueError(
            f"text is {cut(repr(text))}; expected an expression of digits from 0 to 4, + and -, "
            f"and brackets, nested at most {MOST_NESTED} deep"
        ) from None
    return found


def _sum(letters):
    found = _term(letters)
    while letters and letters[0] in "+-":
        found = ((found, letters.pop(0)), _term(letters))
    return found


def _term(letters):
    letter = letters.pop(0)
    if letter == "-":
        return ("-", _term(letters))
    if letter in SYMBOLS[:MODULUS]:
        return letter
    if letter != "(":
        raise IndexError
    inside = _sum(letters)
    if letters.pop(0) != ")":
        raise IndexError
    return inside


def lay_out(expression, laid: str | Callable) -> tuple:
    """Return a tree for an expression, and the symbols that are its leaves.

    Parameters
    ----------
    expression : nested tuple
    laid : {"chain", "balanced", "parse"} or callable
        A chain or a balanced tree over all symbols including brackets, or the parse tree, which has
        no brackets among its leaves. A function returns a tree for any number of symbols.
    """
    if not callable(laid) and as_choice("laid", laid, LAID) == "parse":
        return trees.places(expression)
    written = _symbols(expression, top=True)
    return (laid if callable(laid) else getattr(trees, laid))(len(written)), written


def part_values(expression, brackets: bool = False) -> dict[tuple[int, int], int]:
    """Return the value of each part of an expression, by its range of symbols.

    Parameters
    ----------
    expression : nested tuple
    brackets : bool
        Whether brackets count as symbols.
    """
    _require_expression(expression)
    worth = {}
    _note_parts(expression, 0, brackets, worth, top=True)
    return worth


def _note_parts(expression, start, brackets, worth, top=False):
    """Note the value of each part, and return the position after the last symbol."""
    if isinstance(expression, str):
        stop = start + 1
    else:
        first, last = expression
        if first == "-":
            stop = _note_parts(last, start + 1, brackets, worth)
        else:
            bracket = int(brackets and not top)
            left, _ = first
            middle = _note_parts(left, start + bracket, brackets, worth)
            stop = _note_parts(last, middle + 1, brackets, worth) + bracket
    worth[start, stop] = expression_value(expression)
    return stop


def random_expression(deep: int, seed=0):
    """Draw a random expression of some nesting; a quarter of its operations are negations.

    Parameters
    ----------
    deep : int
        Its nesting; 0 for a digit.
    seed : int or Generator
    """
    deep, rng = as_count("deep", deep, 0, MOST_NESTED), as_generator(seed)
    return _drawn(_shape(deep, rng, NEGATED), rng)


def _shape(deep, rng, negated):
    """Return an expression whose digits are 0 and whose signs are yet to be drawn."""
    if deep == 0:
        return "0"
    if rng.random() < negated:
        return ("-", _shape(deep - 1, rng, negated))
    one = _shape(deep - 1, rng, negated)
    other = _shape(int(rng.integers(deep)), rng, negated)
    left, right = (one, other) if rng.random() < 0.5 else (other, one)
    return ((left, _SIGN), right)


def _drawn(shape, rng):
    if isinstance(shape, str):
        return str(rng.integers(MODULUS))
    first, last = shape
    if first == "-":
        return ("-", _drawn(last, rng))
    left = _drawn(first[0], rng)
    return ((left, "+-"[rng.integers(2)]), _drawn(last, rng))


def expression_batches(
    laid: str | Callable,
    deep: Sequence[int],
    batch_size: int,
    seeds: Sequence,
    shapes=0,
    *,
    signs: str = "+-",
    negated: float = NEGATED,
) -> Iterator[Batch]:
    """Draw minibatches without end, for several networks side by side.

    Parameters
    ----------
    laid : {"chain", "balanced", "parse"} or callable
        The trees, as for `lay_out`.
    deep : sequence of int
        Nestings; each expression has one of them at random.
    batch_size : int
        Number B of expressions in a minibatch.
    seeds : sequence of int or Generator
        The source of digits and signs, for each network.
    shapes : int or Generator
        Source of the shapes, which the networks share.
    signs : {"+-", "+", "-"}
        Whether there are sums, differences, or both with the same probability.
    negated : float
        Share of negations among the operations, from 0 to less than 1.
    """
    lay_out("0", laid)
    as_choice("signs", signs, ("+-", "+", "-"))
    as_number("negated", negated, "a share from 0 to less than 1", lambda share: 0 <= share < 1)
    deep = [as_count("each of deep", one, 0, MOST_NESTED) for one in as_list("deep", deep)]
    if not deep:
        raise ValueError(f"deep is {brief(deep)}; expected at least one nesting")
    batch_size, source = as_count("batch_size", batch_size), as_generator(shapes)
    rngs = [as_generator(seed) for seed in as_list("seeds", seeds)]
    if not rngs:
        raise ValueError("seeds is empty; expected at least one seed")
    return _batches(laid, deep, batch_size, rngs, source, signs, negated)


def _batches(laid, deep, batch_size, rngs, source, allowed, negated):
    while True:
        drawn = [
            _shape(deep[source.integers(len(deep))], source, negated) for _ in range(batch_size)
        ]
        over, words = zip(*(lay_out(shape, laid) for shape in drawn), strict=True)
        words = np.array([word for each in words for word in each])
        digits, signs = np.flatnonzero(words == "0"), np.flatnonzero(words == _SIGN)
        fixed = [SYMBOLS.find(word) for word in words]
        x = np.array([fixed] * len(rngs))
        x[:, digits] = [rng.integers(MODULUS, size=len(digits)) for rng in rngs]
        plus = np.array([rng.integers(2, size=len(signs)) for rng in rngs])
        plus = plus if len(allowed) > 1 else np.full_like(plus, allowed == "+")
        x[:, signs] = np.where(plus, SYMBOLS.index("+"), SYMBOLS.index("-"))
        y = _worth(drawn, x[:, digits], 2 * plus - 1)
        yield Batch(x, trees.forest(list(over)), y)


def _worth(shapes, digits, signs):
    """Return the values of expressions (S, B) with given digits (S, n) and signs (S, m)."""
    each_digit, each_sign = iter(digits.T), iter(signs.T)
    worth = [_value(one, lambda _: next(each_digit), lambda _: next(each_sign)) for one in shapes]
    return np.stack(worth, axis=1)
