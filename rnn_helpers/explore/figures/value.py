"""The figure *value*: networks that evaluate expressions, each along a tree of its own kind."""

from typing import NamedTuple

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.reference import trees
from rnn_helpers.reference.recursive import recursive_forward


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


def value(expression):
    """What an expression is worth, modulo 5."""
    if isinstance(expression, str):
        return int(expression)
    first, last = expression
    if first == "-":
        return -value(last) % 5
    left, operator = first
    return (value(left) + (1 if operator == "+" else -1) * value(last)) % 5


def symbols(expression, top=True):
    """All that is written of an expression: every sum in brackets but that which is all of it."""
    if isinstance(expression, str):
        return [expression]
    first, last = expression
    if first == "-":
        return ["-", *symbols(last, False)]
    left, operator = first
    inside = [*symbols(left, False), operator, *symbols(last, False)]
    return inside if top else ["(", *inside, ")"]


def parsed(text):
    """Expression of a text, a sum from left to right; a ValueError if it is none."""
    letters, at = list(text.replace("−", "-").replace(" ", "")), 0

    def take():
        nonlocal at
        at += 1
        return letters[at - 1] if at <= len(letters) else ""

    def one():
        letter = take()
        if letter.isdigit():
            return letter
        if letter == "-":
            return ("-", one())
        inside = whole() if letter == "(" else None
        if inside is None or take() != ")":
            raise ValueError(f"{text!r} is no expression")
        return inside

    def whole():
        found = one()
        while at < len(letters) and letters[at] in "+-":
            found = ((found, take()), one())
        return found

    found = whole()
    if at < len(letters):
        raise ValueError(f"{text!r} is no expression")
    return found


def evaluated(kind, expression):
    """What a network makes of an expression."""
    if kind in ("parse", "tensor"):
        tree, words = trees.places(expression)
    else:
        words = symbols(expression)
        tree = getattr(trees, kind)(len(words))
    tokens = stored("value")["tokens"]
    run = recursive_forward(network(kind), [[tokens.index(word) for word in words]], [tree])
    where = {
        (a, b): i for i, (a, b) in enumerate(zip(run.forest.start, run.forest.stop, strict=True))
    }
    found = trees.nodes(tree)
    yhat = np.exp(run.log_yhat[[where[node.start, node.stop] for node in found]])
    worth = {}
    _worth(expression, 0, kind in ("parse", "tensor"), worth)
    return Evaluated(words, tree, yhat, [worth.get((node.start, node.stop)) for node in found])


def _worth(expression, start, bare, worth, top=True):
    """Note what each part is worth by the symbols it stands over, and say where it ends.

    ``bare``: the brackets are no symbols.
    """
    if isinstance(expression, str):
        stop = start + 1
    elif expression[0] == "-":
        stop = _worth(expression[1], start + 1, bare, worth, False)
    else:
        brackets = 0 if bare or top else 1
        middle = _worth(expression[0][0], start + brackets, bare, worth, False)
        stop = _worth(expression[1], middle + 1, bare, worth, False) + brackets
    worth[start, stop] = value(expression)
    return stop


def poster(state):
    """Draw the figure in a complete state."""
    try:
        expression = parsed(state["text"])
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
