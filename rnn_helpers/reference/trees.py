"""Binary trees over a sequence, as nested tuples: the graphs of figure 10.14.

A tree is an integer, which is a leaf and its position in the sequence, or a pair of trees, which is
a node with its left and its right child. From left to right, the leaves are ``0 .. n-1``:
``((0, 1), (2, 3))`` is the tree of figure 10.14, ``(((0, 1), 2), 3)`` a chain. A tree is a tuple or
an integer, never a list: a list holds several trees.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from numbers import Integral
from typing import NamedTuple

import numpy as np

from rnn_helpers.validate import as_choice, as_count, as_generator, as_list, brief

SIDES = ("left", "right")
MOST_LISTED = 12  # leaves of the trees that are listed: there are 58,786 trees of twelve
MOST_DRAWN = 1000  # leaves of a tree that is drawn at random


class Node(NamedTuple):
    """One node of a tree, or one leaf.

    Attributes
    ----------
    start, stop : int
        The leaves below it are ``start .. stop - 1``.
    left, right : int or None
        Positions of its children in the list of nodes; None for a leaf.
    height : int
        Number of nodes on the longest path down to a leaf, itself included; 0 for a leaf.
    """

    start: int
    stop: int
    left: int | None
    right: int | None
    height: int


def _read(tree, name="tree"):
    """Return the leaves of a nested tuple, of any type, and its nodes, children before parents.

    It keeps a list of the parts that remain, because recursion would be too deep for a chain of a
    thousand leaves.
    """
    leaves, nodes, done, todo = [], [], [], [(tree, False)]
    while todo:
        part, children_done = todo.pop()
        if not isinstance(part, tuple):
            place = len(leaves)
            leaves.append(part)
            nodes.append(Node(place, place + 1, None, None, 0))
        elif len(part) != 2:
            raise ValueError(f"{name} holds {brief(part)}; expected a pair of trees at every node")
        elif not children_done:
            todo += [(part, True), (part[1], False), (part[0], False)]
            continue
        else:
            right, left = done.pop(), done.pop()
            height = 1 + max(nodes[left].height, nodes[right].height)
            nodes.append(Node(nodes[left].start, nodes[right].stop, left, right, height))
        done.append(len(nodes) - 1)
    return leaves, nodes


def _build(nodes, leaves):
    """Return a nested tuple with the nodes of `_read` and other leaves."""
    parts = []
    for node in nodes:
        inner = node.left is not None
        parts.append((parts[node.left], parts[node.right]) if inner else leaves[node.start])
    return parts[-1]


def nodes(tree) -> list[Node]:
    """Return all nodes of a tree, including leaves, each after its children; the root is the last.

    All other functions of this module use this list, so a tree is checked only here.
    """
    return _nodes("tree", tree)


def _nodes(name, tree):
    leaves, found = _read(tree, name)
    for place, leaf in enumerate(leaves):
        if isinstance(leaf, bool) or not isinstance(leaf, Integral):
            raise TypeError(f"{name} holds {brief(leaf)}; expected integers and pairs of trees")
        if leaf != place:
            raise ValueError(
                f"{name} has leaf {brief(leaf)} at place {place}; expected 0, 1, 2, … in order"
            )
    return found


def places(words) -> tuple:
    """Return the tree of a nested tuple of words, and the words in order.

    ``places((("not", "bad"), "at all"))`` is ``((0, 1), 2)`` and ``["not", "bad", "at all"]``.
    """
    leaves, found = _read(words, "words")
    return _build(found, range(len(leaves))), leaves


def with_words(tree, words: Sequence):
    """Return `tree` as a nested tuple with a word in place of each leaf."""
    found, words = nodes(tree), as_list("words", words)
    _as_many(words, found)
    return _build(found, words)


def _as_many(words, found):
    if len(words) != found[-1].stop:
        raise ValueError(f"words has length {len(words)}; expected {found[-1].stop}, as leaves")


def chain(n: int, side: str = "left"):
    """Return a chain of `n` leaves, the deepest possible tree: its depth is ``n - 1``.

    Parameters
    ----------
    n : int
        Number of leaves.
    side : {"left", "right"}
        Whether the deeper child is on the left, as in ``((0, 1), 2)``, the order in which a
        recurrent network processes its input, or on the right, as in ``(0, (1, 2))``.
    """
    n = as_count("n", n)
    if as_choice("side", side, SIDES) == "left":
        tree = 0
        for leaf in range(1, n):
            tree = (tree, leaf)
    else:
        tree = n - 1
        for leaf in reversed(range(n - 1)):
            tree = (leaf, tree)
    return tree


def balanced(n: int):
    """Return a tree of `n` leaves that halves the sequence again and again.

    No tree is flatter: its depth is ``ceil(log2 n)``. If the number of leaves is odd, the left half
    gets one more.
    """

    def over(start, stop):
        if stop - start == 1:
            return start
        middle = (start + stop + 1) // 2
        return over(start, middle), over(middle, stop)

    return over(0, as_count("n", n))


def random_tree(n: int, seed=0):
    """Draw one of the `n_trees` trees of `n` leaves, all with the same probability."""
    n, rng = as_count("n", n, most=MOST_DRAWN), as_generator(seed)
    cuts, todo = [], [(0, n)]
    while todo:  # parents before children
        start, stop = todo.pop()
        length = stop - start
        middle = start
        if length > 1:
            trees = [_n_trees(k) * _n_trees(length - k) for k in range(1, length)]
            shares = np.cumsum([number / _n_trees(length) for number in trees])
            middle += 1 + min(int(np.searchsorted(shares, rng.random())), length - 2)
            todo += [(start, middle), (middle, stop)]
        cuts.append((start, middle, stop))
    parts = {}
    for start, middle, stop in reversed(cuts):
        inner = start < middle
        parts[start, stop] = (parts[start, middle], parts[middle, stop]) if inner else start
    return parts[0, n]


def n_trees(n: int) -> int:
    """Return the number of binary trees over `n` leaves, a Catalan number: 1, 1, 2, 5, 14, …."""
    return _n_trees(as_count("n", n, most=MOST_DRAWN))


def _n_trees(n):
    return comb(2 * n - 2, n - 1) // n


def all_trees(n: int) -> Iterator:
    """Yield every binary tree over `n` leaves; `n` is at most 12."""

    def over(start, stop):
        if stop - start == 1:
            yield start
        for middle in range(start + 1, stop):
            for left in over(start, middle):
                for right in over(middle, stop):
                    yield left, right

    return over(0, as_count("n", n, most=MOST_LISTED))


def n_leaves(tree) -> int:
    """Return the number of leaves, which is the length tau of the sequence."""
    return nodes(tree)[-1].stop


def depth(tree) -> int:
    """Return the largest number of nodes above a leaf, including the root."""
    return nodes(tree)[-1].height


def leaf_depths(tree) -> list[int]:
    """Return the number of nodes above each leaf, in the order of the sequence."""
    found = nodes(tree)
    above = [0] * len(found)
    for place in reversed(range(len(found))):  # parents before children
        if found[place].left is not None:
            above[found[place].left] = above[found[place].right] = above[place] + 1
    return [above[place] for place, node in enumerate(found) if node.left is None]


def distance(tree, i: int, j: int) -> int:
    """Return the number of edges on the path from leaf `i` to leaf `j`."""
    found = nodes(tree)
    last = found[-1].stop - 1
    first, second = sorted((as_count("i", i, 0, last), as_count("j", j, 0, last)))
    if first == second:
        return 0
    # each node (or leaf) over exactly one of the two leaves contributes the edge to its parent
    return sum((n.start <= first < n.stop) != (n.start <= second < n.stop) for n in found)


def spans(tree) -> set[tuple[int, int]]:
    """Return the range of leaves ``(start, stop)`` below each inner node, without the root."""
    return _spans(nodes(tree))


def _spans(found):
    return {(node.start, node.stop) for node in found[:-1] if node.left is not None}


def shared_spans(tree, other) -> float:
    """Return the share of the spans of `tree` that `other` also has; 1 if `tree` has none."""
    mine, theirs = nodes(tree), _nodes("other", other)
    if mine[-1].stop != theirs[-1].stop:
        n, found = mine[-1].stop, theirs[-1].stop
        raise ValueError(f"other has {found} leaves; expected {n}, as many as tree")
    mine, theirs = _spans(mine), _spans(theirs)
    return len(mine & theirs) / len(mine) if mine else 1.0


def brackets(tree, words: Sequence | None = None) -> str:
    """Return a tree as text, with a pair of brackets for each node: ``((not bad) film)``.

    Without words, each leaf is written as its position.
    """
    found = nodes(tree)
    words = range(found[-1].stop) if words is None else as_list("words", words)
    _as_many(words, found)
    texts = []
    for node in found:
        leaf = node.left is None
        texts.append(
            str(words[node.start]) if leaf else f"({texts[node.left]} {texts[node.right]})"
        )
    return texts[-1]


class Level(NamedTuple):
    """The nodes of one height in all trees of a forest, which are computed at once.

    Attributes
    ----------
    nodes : slice
        Their positions among the forest's nodes.
    left, right : ndarray of int
        Positions of their children, which all come earlier.
    """

    nodes: slice
    left: np.ndarray
    right: np.ndarray


@dataclass(frozen=True, eq=False)
class Forest:
    """Several trees in the order of computation: all leaves, then the nodes of height 1, 2, ….

    Attributes
    ----------
    n_leaves, n_nodes : int
        Number of leaves in all trees, and number of nodes including leaves.
    levels : tuple of Level
        One for each height from 1.
    roots : ndarray of int
        Position of each tree's root.
    tree, start, stop : ndarray of int, shape (n_nodes,)
        For each node, its tree and the range of the tree's leaves below it.
    """

    n_leaves: int
    n_nodes: int
    levels: tuple[Level, ...]
    roots: np.ndarray
    tree: np.ndarray
    start: np.ndarray
    stop: np.ndarray


def forest(trees: Sequence) -> Forest:
    """Lay out one tree or a list of trees so that all nodes of one height are computed at once.

    The number of steps is the depth of the deepest tree.
    """
    trees = trees if isinstance(trees, list) else [trees]
    if not trees:
        raise ValueError("trees is empty; expected at least one tree")
    read = [_nodes(f"trees[{which}]", tree) for which, tree in enumerate(trees)]
    rows = [(node, which) for which, tree in enumerate(read) for node in tree]
    first = np.cumsum([0, *(len(tree) for tree in read)])  # first row of each tree
    heights = np.array([node.height for node, _ in rows])
    order = np.argsort(heights, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))  # from a row to its position in the forest

    ends = np.searchsorted(heights[order], np.arange(1, heights.max() + 2))
    levels = []
    for begin, end in pairwise(ends):
        inner = [rows[row] for row in order[begin:end]]
        left = place[[first[which] + node.left for node, which in inner]]
        right = place[[first[which] + node.right for node, which in inner]]
        levels.append(Level(slice(int(begin), int(end)), left, right))
    laid = [rows[row] for row in order]
    return Forest(
        n_leaves=int(ends[0]),
        n_nodes=len(rows),
        levels=tuple(levels),
        roots=place[first[1:] - 1],
        tree=np.array([which for _, which in laid]),
        start=np.array([node.start for node, _ in laid]),
        stop=np.array([node.stop for node, _ in laid]),
    )
