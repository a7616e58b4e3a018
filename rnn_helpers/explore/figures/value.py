"""The figure *value*: networks that evaluate expressions, each along a tree of its own kind."""

from typing import NamedTuple

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.reference import trees
from rnn_helpers.reference.recursive import recursive_forward
from rnn_helpers.tasks import expression_value, lay_out, parse_expression
from rnn_helpers.tasks.expressions import SYMBOLS


class Evaluated(NamedTuple):
    """What a network makes of an expression, node after node as in `reference.trees.nodes`.

    Attributes
    ----------
    words : list of str
        What its leaves read.
    tree : nested tuple
    yhat : ndarray, shape (N, 5)
        Probabilities of all values at every node.
    truths : list of int or None
        What a node is worth, where it stands over an expression.
    """

    words: list
    tree: tuple
    yhat: np.ndarray
    truths: list


def network(kind):
    """Weights of a network, as they were rounded: these are the network, here and in the figure."""
    return unpacked(stored("value")["networks"][kind])


def laid(kind):
    """Tree along which a network goes, as `tasks.lay_out` names it."""
    return "parse" if kind == "tensor" else kind


def run(params, kind, expressions):
    """What `recursive_forward` makes of several expressions."""
    over, words = zip(*(lay_out(one, laid(kind)) for one in expressions), strict=True)
    tokens = [[SYMBOLS.index(word) for word in each] for each in words]
    return recursive_forward(params, tokens, list(over))


def evaluated(kind, expression):
    """What a network makes of an expression."""
    tree, words = lay_out(expression, laid(kind))
    made, found = run(network(kind), kind, [expression]), trees.nodes(tree)
    where = {
        span: i for i, span in enumerate(zip(made.forest.start, made.forest.stop, strict=True))
    }
    yhat = np.exp(made.log_yhat[[where[node.start, node.stop] for node in found]])
    worth = {}
    _note(expression, 0, laid(kind) == "parse", worth, True)
    return Evaluated(words, tree, yhat, [worth.get((node.start, node.stop)) for node in found])


def _note(expression, start, bare, worth, top=False):
    """Note what each part is worth by the symbols it stands over, and say where it ends.

    ``bare``: brackets are no symbols.
    """
    if isinstance(expression, str):
        stop = start + 1
    elif expression[0] == "-":
        stop = _note(expression[1], start + 1, bare, worth)
    else:
        bracket = 0 if bare or top else 1
        middle = _note(expression[0][0], start + bracket, bare, worth)
        stop = _note(expression[1], middle + 1, bare, worth) + bracket
    worth[start, stop] = expression_value(expression)
    return stop


def poster(state):
    """Draw the figure in a complete state."""
    try:
        expression = parse_expression(state["text"])
    except ValueError:
        return plots.tree_graph(0, [state["text"] or " "])
    made = evaluated(state["tree"], expression)
    shown = {
        (node.start, node.stop): (str(yhat.argmax()), bool(yhat.argmax() == truth))
        for node, yhat, truth in zip(trees.nodes(made.tree), made.yhat, made.truths, strict=True)
        if truth is not None and 0 < node.height <= state["level"]
    }
    words = [word.replace("-", "−") for word in made.words]
    return plots.tree_graph(made.tree, words, values=shown)
