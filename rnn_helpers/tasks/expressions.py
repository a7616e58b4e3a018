"""Expressions to evaluate modulo 5: nested, with a negation and an operator that minds the order.

An expression is a nested tuple of symbols, a pair at every node: ``"3"``; ``("-", e)``, its
negative; ``((e, "+"), f)`` and ``((e, "-"), f)``, a sum and a difference. Its nesting is how many
of these stand inside each other.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rnn_helpers.reference import trees
from rnn_helpers.validate import as_choice, as_count, as_generator, as_list, as_number, brief, cut

MODULUS = 5
SYMBOLS = "01234+-()"
"""What is read; a network hears each by its place here."""

LAID = ("chain", "balanced", "parse")
"""Trees over an expression: over all symbols, brackets too, or that which the brackets say."""

MOST_NESTED = 30
NEGATED = 0.25
"""Share of the nodes that are negations, unless one asks for another."""
_SIGN = "±"  # what stands in a shape where a sign is to be drawn


class Batch(NamedTuple):
    """Expressions of the same shapes for several networks, each with digits and signs of its own.

    Attributes
    ----------
    x : ndarray of int, shape (S, L)
        Symbols of all expressions, one after the other.
    forest : Forest
        The trees over them.
    y : ndarray of int, shape (S, B)
        What each is worth.
    """

    x: np.ndarray
    forest: trees.Forest
    y: np.ndarray


def expression_value(expression) -> int:
    """What an expression is worth, modulo 5."""
    return _value(expression, int, {"+": 1, "-": -1}.get)


def _value(expression, digit: Callable, sign: Callable):
    """The same, given what digits and signs are, which are asked for from left to right."""
    if isinstance(expression, str):
        return digit(expression)
    first, last = expression
    if first == "-":
        return -_value(last, digit, sign) % MODULUS
    left, operator = first
    before, way = _value(left, digit, sign), sign(operator)
    return (before + way * _value(last, digit, sign)) % MODULUS


def expression_symbols(expression) -> list[str]:
    """All that is written of an expression: each sum in brackets but that which is all of it."""
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
    """How many negations, sums and differences stand inside each other."""
    if isinstance(expression, str):
        return 0
    first, last = expression
    return 1 + max(nesting(last), 0 if first == "-" else nesting(first[0]))


def parse_expression(text: str):
    """Expression of a text; sums without brackets are taken from left to right.

    Raises
    ------
    ValueError
        If it is none, or nested more than 30 deep.
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
    """Tree over an expression, and the symbols that are its leaves.

    Parameters
    ----------
    expression : nested tuple
    laid : {"chain", "balanced", "parse"} or callable
        A chain or a balanced tree over all symbols that are written; or the tree that the brackets
        say, which needs none of them. A function gives for any number of symbols a tree over them.
    """
    if not callable(laid) and as_choice("laid", laid, LAID) == "parse":
        return trees.places(expression)
    written = expression_symbols(expression)
    return (laid if callable(laid) else getattr(trees, laid))(len(written)), written


def part_values(expression, brackets: bool = False) -> dict[tuple[int, int], int]:
    """What each part of an expression is worth, by the first symbol and that after its last.

    Parameters
    ----------
    expression : nested tuple
    brackets : bool
        Whether brackets count as symbols.
    """
    worth = {}
    _note_parts(expression, 0, brackets, worth, top=True)
    return worth


def _note_parts(expression, start, brackets, worth, top=False):
    """Note what each part is worth, and say where the whole ends."""
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
    """Random expression of some nesting: a quarter of its nodes are negations.

    Parameters
    ----------
    deep : int
        Its nesting, 0 for a digit.
    seed : int or Generator
    """
    deep, rng = as_count("deep", deep, 0, MOST_NESTED), as_generator(seed)
    return _drawn(_shape(deep, rng, NEGATED), rng)


def _shape(deep, rng, negated):
    """An expression whose digits are 0 and whose signs are still open."""
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
        Nestings, of which each expression has one, each as likely as any other.
    batch_size : int
        Expressions B in a minibatch.
    seeds : sequence of int or Generator
        For each network the source of its digits and signs.
    shapes : int or Generator
        Source of the shapes, which the networks share.
    signs : {"+-", "+", "-"}
        Whether there are sums, differences, or both, each as likely as the other.
    negated : float
        Share of the nodes that are negations, from 0 to less than 1.
    """
    lay_out("0", laid)
    as_choice("signs", signs, ("+-", "+", "-"))
    as_number("negated", negated, "a share from 0 to less than 1", lambda share: 0 <= share < 1)
    deep = [as_count("each of deep", one, 0, MOST_NESTED) for one in as_list("deep", deep)]
    if not deep:
        raise ValueError(f"deep is {brief(deep)}; expected at least one nesting")
    batch_size, source = as_count("batch_size", batch_size), as_generator(shapes)
    rngs = [as_generator(seed) for seed in as_list("seeds", seeds)]
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
    """What expressions are worth (S, B) with digits (S, n) and signs (S, m) in their places."""
    each_digit, each_sign = iter(digits.T), iter(signs.T)
    worth = [_value(one, lambda _: next(each_digit), lambda _: next(each_sign)) for one in shapes]
    return np.stack(worth, axis=1)
