"""Binary trees over a sequence, as nested tuples: the graphs of figure 10.14.

A tree over n leaves is an integer, the leaf of that place in the sequence, or a pair of trees, a
node with its left and its right child. Read from left to right, the leaves are ``0 .. n-1``:
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
        It stands over the leaves ``start .. stop - 1``.
    left, right : int or None
        Its children's places in the list of nodes; None for a leaf.
    height : int
        Compositions from its deepest leaf to it, 0 for a leaf.
    """

    start: int
    stop: int
    left: int | None
    right: int | None
    height: int


def _read(tree, name="tree"):
    """Leaves of a nested tuple, whatever they are, and its nodes, children before parents.

    It keeps a list of what is still to do: a function that called itself would be too deep for
    a chain of a thousand leaves.
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
    """Nested tuple of the nodes of `_read`, with other leaves."""
    parts = []
    for node in nodes:
        inner = node.left is not None
        parts.append((parts[node.left], parts[node.right]) if inner else leaves[node.start])
    return parts[-1]


def nodes(tree) -> list[Node]:
    """All nodes of a tree, leaves too, each after its children: the root is the last.

    Every other function of trees reads this list, and its checks are theirs.
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
    """Tree of a nested tuple of words, and the words in order.

    ``places((("not", "bad"), "at all"))`` is ``((0, 1), 2)`` and ``["not", "bad", "at all"]``.
    """
    leaves, found = _read(words, "words")
    return _build(found, range(len(leaves))), leaves


def with_words(tree, words: Sequence):
    """Nested tuple in which each leaf of `tree` is replaced by the word of its place."""
    found, words = nodes(tree), as_list("words", words)
    _as_many(words, found)
    return _build(found, words)


def _as_many(words, found):
    if len(words) != found[-1].stop:
        raise ValueError(f"words has length {len(words)}; expected {found[-1].stop}, as leaves")


def chain(n: int, side: str = "left"):
    """Tree of `n` leaves that is a chain, as deep as a tree can be: ``n - 1``.

    Parameters
    ----------
    n : int
        Number of leaves.
    side : {"left", "right"}
        Where the chain hangs: to the left as ``((0, 1), 2)``, the order in which a recurrent
        network reads, or to the right as ``(0, (1, 2))``.
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
    """Tree of `n` leaves that halves every sequence, as flat as one can be: ``ceil(log2 n)``.

    Of an odd number, the left half has one more.
    """

    def over(start, stop):
        if stop - start == 1:
            return start
        middle = (start + stop + 1) // 2
        return over(start, middle), over(middle, stop)

    return over(0, as_count("n", n))


def random_tree(n: int, seed=0):
    """Tree of `n` leaves, each of the `n_trees` as likely as any other."""
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
    """Number of binary trees over `n` leaves, a Catalan number: 1, 1, 2, 5, 14, 42, …."""
    return _n_trees(as_count("n", n, most=MOST_DRAWN))


def _n_trees(n):
    return comb(2 * n - 2, n - 1) // n


def all_trees(n: int) -> Iterator:
    """Every binary tree over `n` leaves, at most 12 of them, one after the other."""

    def over(start, stop):
        if stop - start == 1:
            yield start
        for middle in range(start + 1, stop):
            for left in over(start, middle):
                for right in over(middle, stop):
                    yield left, right

    return over(0, as_count("n", n, most=MOST_LISTED))


def n_leaves(tree) -> int:
    """Number of leaves, the length tau of the sequence that the tree stands over."""
    return nodes(tree)[-1].stop


def depth(tree) -> int:
    """Depth: most compositions between a leaf and the root, the root's height."""
    return nodes(tree)[-1].height


def leaf_depths(tree) -> list[int]:
    """Compositions between each leaf and the root, in the sequence's order."""
    found = nodes(tree)
    above = [0] * len(found)
    for place in reversed(range(len(found))):  # parents before children
        if found[place].left is not None:
            above[found[place].left] = above[found[place].right] = above[place] + 1
    return [above[place] for place, node in enumerate(found) if node.left is None]


def distance(tree, i: int, j: int) -> int:
    """Number of edges on the way from leaf `i` up to where the two meet, and down to leaf `j`."""
    found = nodes(tree)
    last = found[-1].stop - 1
    first, second = sorted((as_count("i", i, 0, last), as_count("j", j, 0, last)))
    if first == second:
        return 0
    # the nodes over one leaf and not the other are the way; children stand under what both share
    return sum((n.start <= first < n.stop) != (n.start <= second < n.stop) for n in found)


def spans(tree) -> set[tuple[int, int]]:
    """What stands under one bracket: ``(start, stop)`` of every inner node but the root.

    Two trees over the same sequence share these brackets, or some, or none.
    """
    return _spans(nodes(tree))


def _spans(found):
    return {(node.start, node.stop) for node in found[:-1] if node.left is not None}


def shared_spans(tree, other) -> float:
    """Share of the brackets of `tree` that `other` has too; 1 if `tree` has none."""
    mine, theirs = nodes(tree), _nodes("other", other)
    if mine[-1].stop != theirs[-1].stop:
        n, found = mine[-1].stop, theirs[-1].stop
        raise ValueError(f"other has {found} leaves; expected {n}, as many as tree")
    mine, theirs = _spans(mine), _spans(theirs)
    return len(mine & theirs) / len(mine) if mine else 1.0


def brackets(tree, words: Sequence | None = None) -> str:
    """Text of a tree, a pair of brackets for each node: ``((not bad) film)``.

    Without words, the leaves are their places.
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
    """Nodes of one height, in all trees of a forest: they are computed at once.

    Attributes
    ----------
    nodes : slice
        Their places among the forest's nodes.
    left, right : ndarray of int
        Their children's places, which all come before.
    """

    nodes: slice
    left: np.ndarray
    right: np.ndarray


@dataclass(frozen=True, eq=False)
class Forest:
    """Several trees laid out for computing: the leaves of all, then the nodes of height 1, 2, ….

    Attributes
    ----------
    n_leaves, n_nodes : int
        Number of leaves of all trees, and of their nodes, leaves included.
    levels : tuple of Level
        One for each height from 1.
    roots : ndarray of int
        Place of each tree's root.
    tree, start, stop : ndarray of int, shape (n_nodes,)
        Which tree a node belongs to, and over which of its leaves it stands.
    """

    n_leaves: int
    n_nodes: int
    levels: tuple[Level, ...]
    roots: np.ndarray
    tree: np.ndarray
    start: np.ndarray
    stop: np.ndarray


def forest(trees: Sequence) -> Forest:
    """Lay out one tree or a list of trees, of any shapes, to compute all nodes of a height at once.

    There are as many steps as the deepest tree is deep, however many trees there are.
    """
    trees = trees if isinstance(trees, list) else [trees]
    if not trees:
        raise ValueError("trees is empty; expected at least one tree")
    read = [_nodes(f"trees[{which}]", tree) for which, tree in enumerate(trees)]
    rows = [(node, which) for which, tree in enumerate(read) for node in tree]
    first = np.cumsum([0, *(len(tree) for tree in read)])  # where each tree begins among the rows
    heights = np.array([node.height for node, _ in rows])
    order = np.argsort(heights, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))  # from a row to its place in the forest

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
