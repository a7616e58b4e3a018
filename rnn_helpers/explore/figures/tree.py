"""The figure *tree*: who is far from whom along a chain, a balanced tree, one's own."""

import re
from functools import reduce

import numpy as np

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import require_place
from rnn_helpers.explore.weights import rotation
from rnn_helpers.reference import trees
from rnn_helpers.reference.recursive import node, node_jacobians

CONSTANTS = constants("tree")
_WORD = 2**32


def poster(state):
    """Draw the figure in a complete state."""
    words, tree = read(state["text"])
    if not words:
        return plots.tree_graph(0, [" "])
    tree = tree if state["tree"] == "own" else getattr(trees, state["tree"])(len(words))
    ends = tuple(min(state[key], len(words)) - 1 for key in ("from", "to"))
    found = trees.nodes(tree)
    sizes = arrivals(tree, words, state["strength"])
    leaves = [size for node, size in zip(found, sizes, strict=True) if node.left is None]
    return plots.tree_graph(tree, words, bars=np.maximum(leaves, 1e-12), ends=ends)


def check(state, given):
    """Refuse a word that the sentence has not."""
    words, _ = read(state["text"])
    for key in ("from", "to"):
        require_place(key, state, given, max(len(words), 1), "the sentence has the words")


def read(text):
    """Words, and the tree that brackets make of them; None without words.

    Where a bracket holds more than two they are joined one after the other; one that nobody closes
    is closed at the end.
    """
    words, groups = [], [[]]

    def close():
        group = groups.pop()
        if group:
            groups[-1].append(_joined(group))

    for token in re.findall(r"[()]|[^()\s]+", text):
        if token == "(":
            groups.append([])
        elif token == ")":
            if len(groups) > 1:
                close()
        elif len(words) < CONSTANTS.MOST:
            groups[-1].append(len(words))
            words.append(token)
    while len(groups) > 1:
        close()
    return words, _joined(groups[0]) if words else None


def _joined(group):
    return reduce(lambda left, right: (left, right), group)


def network(strength):
    """U for the left child, W for the right one, each a rotation times the strength, and b = 0."""
    draw = np.random.RandomState(CONSTANTS.SEED).standard_normal
    U, W = (strength * rotation(draw, CONSTANTS.UNITS) for _ in range(2))
    return {"U": U, "W": W, "b": np.zeros(CONSTANTS.UNITS)}


def embedding(word):
    """A word's vector, V x: the same word always has the same."""
    seed = reduce(lambda so_far, letter: (31 * so_far + ord(letter)) % _WORD, word.lower(), 0)
    return CONSTANTS.SIZE * np.random.RandomState(seed).standard_normal(CONSTANTS.UNITS)


def arrivals(tree, words, strength):
    """How much of a small change at each node arrives at the top, as in `reference.trees.nodes`.

    It is the size of the Jacobian of the top by the node: the root of its mean square over all
    directions.
    """
    params, found = network(strength), trees.nodes(tree)
    h = []
    for at in found:
        inner = at.left is not None
        h.append(node(params, h[at.left], h[at.right]) if inner else embedding(words[at.start]))
    J = {len(found) - 1: np.eye(CONSTANTS.UNITS)}
    for place, at in reversed(list(enumerate(found))):
        if at.left is not None:
            sides = node_jacobians(params, h[at.left], h[at.right], h[place])
            J[at.left], J[at.right] = (J[place] @ side for side in sides)
    return [np.linalg.norm(J[place]) / np.sqrt(CONSTANTS.UNITS) for place in range(len(found))]
