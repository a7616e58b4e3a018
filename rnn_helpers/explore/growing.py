"""What the laboratory of trees trains: a recursive network, along trees of the reader's own."""

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
from rnn_helpers.validate import as_count, as_kind

UNITS, TENSOR_UNITS, BATCH, RATE, TESTED = 30, 12, 64, 0.01, 400


class Grown(NamedTuple):
    """What a network makes of expressions after some steps of training.

    Attributes
    ----------
    steps : int
        Steps of training so far.
    tree : nested tuple
        That over the expression that was asked for.
    words : list of str
        Its leaves.
    values : dict of (int, int) to (str, bool)
        By the leaves that a node stands over: what the network takes that part to be worth, and
        whether it is right; of the parts that are expressions.
    right : dict of int to float
        Share of new expressions that are right, by nesting.
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
    """Train a recursive network to evaluate expressions, and ask it for the parts of one.

    Needs torch.

    Parameters
    ----------
    text : str
        The expression it is asked for, as for `parse_expression`.
    tree : {"chain", "balanced", "parse"} or callable
        As for `lay_out`.
    tensor : bool
        Whether a node has a tensor, and 12 units; without it 30.
    signs, negated : str, float
        The grammar, as for `expression_batches`.
    deep : int
        It learns from expressions nested up to so deep.
    steps, every : int
        Steps of training, and between two results.
    seed : int
        Draws the weights and the expressions.
    """
    expression = parse_expression(text)
    lay_out(expression, tree)
    as_kind("tensor", tensor, bool, "True or False")
    deep, seed = as_count("deep", deep, most=5), as_count("seed", seed, 0)
    steps, every = as_count("steps", steps), as_count("every", every)

    def batches(nestings, size, part):
        return expression_batches(
            tree, nestings, size, [[seed, part]], [seed, part, 1], signs=signs, negated=negated
        )

    return _grow(expression, tree, tensor, deep, steps, every, seed, batches)


def _grow(expression, tree, tensor, deep, steps, every, seed, batches):
    from rnn_helpers.nets import torch  # noqa: F401 - says what is missing where it is not
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
    """What a network takes each part of an expression to be worth, and whether it is."""
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
