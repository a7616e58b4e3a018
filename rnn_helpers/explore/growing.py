"""A recursive network that the lab of chapter 12 trains, along trees of the reader's choice."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.lessons import lessons
from rnn_helpers.reference import recursive_forward
from rnn_helpers.tasks.expressions import (
    MODULUS,
    SYMBOLS,
    expression_batches,
    lay_out,
    parse_expression,
    part_values,
)
from rnn_helpers.validate import as_count, as_switch

UNITS, TENSOR_UNITS, BATCH, RATE, TESTED = 30, 12, 64, 0.01, 400


class Grown(NamedTuple):
    """The results of a network after some steps of training.

    Attributes
    ----------
    steps : int
        Steps of training so far.
    tree : nested tuple
        The tree over the reader's expression.
    words : list of str
        Its leaves.
    values : dict of (int, int) to (str, bool)
        For each part that is an expression, by its range of leaves: the network's value, and
        whether it is right.
    right : dict of int to float
        The share of new expressions that are right, by nesting.
    """

    steps: int
    tree: tuple
    words: list
    values: dict
    right: dict


def grow(
    text: str,
    tree: str | Callable = "parse",
    *,
    tensor: bool = False,
    signs: str = "+-",
    negated: float = 0.25,
    deep: int = 2,
    steps: int = 1200,
    every: int = 200,
    seed: int = 0,
) -> Iterator[Grown]:
    """Train a recursive network on expressions, and yield its values for the parts of one of them.

    This needs torch.

    Parameters
    ----------
    text : str
        The expression, as for `parse_expression`.
    tree : {"chain", "balanced", "parse"} or callable
        As for `lay_out`.
    tensor : bool
        Whether the nodes have a tensor and 12 units; otherwise they have 30.
    signs, negated : str, float
        The grammar, as for `expression_batches`.
    deep : int
        The deepest nesting in training.
    steps, every : int
        Number of training steps, and of those between two results.
    seed : int
        Source of the weights and the expressions.
    """
    expression = parse_expression(text)
    lay_out(expression, tree)
    as_switch("tensor", tensor)
    deep, seed = as_count("deep", deep, most=5), as_count("seed", seed, 0)
    steps, every = as_count("steps", steps), as_count("every", every)

    def batches(nestings, size, part):
        return expression_batches(
            tree, nestings, size, [[seed, part]], [seed, part, 1], signs=signs, negated=negated
        )

    return _grow(expression, tree, tensor, deep, steps, every, seed, batches)


def _grow(expression, tree, tensor, deep, steps, every, seed, batches):
    from rnn_helpers.nets import torch  # noqa: F401 - explains what is missing without torch
    from rnn_helpers.nets.recursive import Recursive

    net = Recursive(len(SYMBOLS), TENSOR_UNITS if tensor else UNITS, MODULUS, [seed], tensor)
    tests = {k: next(batches([k], TESTED, 3)) for k in range(1, deep + 3)}
    lesson = batches(list(range(1, deep + 1)), BATCH, 2)
    over, words = lay_out(expression, tree)
    for so_far in lessons(net, lesson, steps=steps, every=every, rate=RATE):
        right = {k: float(net.accuracy(so_far.params, test)[0]) for k, test in tests.items()}
        params = {name: array[0].astype(float) for name, array in so_far.params.items()}
        values = _values(params, expression, tree, over, words)
        yield Grown(len(so_far.loss), over, words, values, right)


def _values(params, expression, tree, over, words):
    """Return the network's value for each part of an expression, and whether it is right."""
    x = np.array([SYMBOLS.index(word) for word in words])
    run = recursive_forward(params, x, over)
    worth = part_values(expression, brackets=tree != "parse")
    taken = {
        (int(start), int(stop)): int(o.argmax())
        for start, stop, o in zip(run.forest.start, run.forest.stop, run.o, strict=True)
    }
    return {
        span: (str(taken[span]), taken[span] == value)
        for span, value in worth.items()
        if span in taken and span[1] - span[0] > 1
    }
