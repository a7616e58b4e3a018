"""Trees as nested tuples: how deep they are, how far apart their leaves are, how many there are."""

from math import ceil, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAME, NAN, NO_SEED, TREE, WORDS

from rnn_helpers.reference.trees import (
    all_trees,
    balanced,
    brackets,
    chain,
    depth,
    distance,
    forest,
    leaf_depths,
    n_leaves,
    n_trees,
    nodes,
    places,
    random_tree,
    shared_spans,
    spans,
    with_words,
)

pytestmark = pytest.mark.chapter("12")
random_trees = st.builds(random_tree, st.integers(1, 40), st.integers(0, 10**6))


def test_the_smallest_trees():
    assert chain(4) == (((0, 1), 2), 3)
    assert chain(4, "right") == (0, (1, (2, 3)))
    assert balanced(4) == ((0, 1), (2, 3))
    assert balanced(5) == (((0, 1), 2), (3, 4))
    assert chain(1) == balanced(1) == random_tree(1) == 0


@given(n=st.integers(1, 300))
def test_a_balanced_tree_is_the_flattest_and_a_chain_the_deepest(n):
    assert depth(balanced(n)) == (ceil(log2(n)))
    assert depth(chain(n)) == depth(chain(n, "right")) == n - 1


@given(tree=random_trees)
def test_every_tree_has_n_minus_one_nodes_and_a_depth_within_the_bounds(tree):
    n = n_leaves(tree)
    assert ceil(log2(n)) <= depth(tree) == max(leaf_depths(tree)) <= n - 1
    assert len(nodes(tree)) == 2 * n - 1
    assert sum(2.0**-above for above in leaf_depths(tree)) == 1


def test_a_long_chain_needs_no_recursion():
    assert depth(chain(20_000)) == 19_999
    assert forest(chain(5_000)).n_nodes == 9_999


@given(tree=random_trees, data=st.data())
def test_the_distance_is_the_length_of_the_path_between_two_leaves(tree, data):
    leaf = st.integers(0, n_leaves(tree) - 1)
    i, j = data.draw(leaf), data.draw(leaf)
    above = leaf_depths(tree)
    least = min(  # the smallest bracket around both
        (node for node in nodes(tree) if node.start <= min(i, j) and max(i, j) < node.stop),
        key=lambda node: node.stop - node.start,
    )
    around = sum(n.start <= least.start and least.stop <= n.stop for n in nodes(tree)) - 1
    assert distance(tree, i, j) == distance(tree, j, i)
    assert distance(tree, i, j) == above[i] + above[j] - 2 * around


@pytest.mark.parametrize("n", range(1, 9))
def test_all_trees_lists_each_tree_once(n):
    found = list(all_trees(n))
    assert len(found) == len(set(found)) == n_trees(n)
    assert {n_leaves(tree) for tree in found} == {n}


def test_random_trees_are_uniform():
    rng = np.random.default_rng(0)
    drawn = [random_tree(5, rng) for _ in range(2800)]
    counts = [drawn.count(tree) for tree in all_trees(5)]
    assert sum(counts) == 2800
    assert max(abs(count - 200) for count in counts) < 60  # four standard deviations


@given(tree=random_trees)
def test_words_and_places_convert_into_each_other(tree):
    words = [f"w{place}" for place in range(n_leaves(tree))]
    assert places(with_words(tree, words)) == (tree, words)


def test_brackets_write_a_tree_with_its_words():
    tree, words = places((("not", "bad"), "film"))
    assert brackets(tree, words) == "((not bad) film)"
    assert brackets(0) == "0"


def test_shared_brackets():
    assert spans(balanced(4)) == {(0, 2), (2, 4)}
    assert spans(chain(4)) == {(0, 2), (0, 3)}
    assert shared_spans(balanced(4), chain(4)) == 0.5
    assert shared_spans(chain(2), chain(2)) == 1


@given(trees=st.lists(random_trees, min_size=1, max_size=5))
def test_a_forest_contains_each_node_after_its_children(trees):
    laid = forest(trees)
    assert laid.n_leaves == sum(map(n_leaves, trees))
    assert laid.n_nodes == sum(2 * n_leaves(tree) - 1 for tree in trees)
    assert len(laid.levels) == max(map(depth, trees))
    children = [laid.roots]
    for level in laid.levels:
        here = level.nodes
        assert (level.left < here.start).all()
        assert (level.right < here.start).all()
        assert (laid.start[level.left] == laid.start[here]).all()
        assert (laid.stop[level.left] == laid.start[level.right]).all()
        assert (laid.stop[level.right] == laid.stop[here]).all()
        assert (laid.tree[level.left] == laid.tree[here]).all()
        children += [level.left, level.right]
    assert sorted(np.concatenate(children)) == [*range(laid.n_nodes)]  # one parent each, or a root
    leaves = slice(0, laid.n_leaves)
    assert [*zip(laid.tree[leaves], laid.start[leaves], strict=True)] == [
        (which, place) for which, tree in enumerate(trees) for place in range(n_leaves(tree))
    ]


LEAF = [-1, 3, 2.5, "0", None, NAN, [0]]

REFUSALS = {
    nodes: ({"tree": ((0, 1), 2)}, {"tree": TREE}),
    places: (
        {"words": (("not", "bad"), "film")},
        {"words": [(), ("a",), ("a", "b", "c"), (("a", "b"), ())]},
    ),
    with_words: ({"tree": ((0, 1), 2), "words": "abc"}, {"tree": TREE, "words": WORDS}),
    chain: ({"n": 3, "side": "right"}, {"n": COUNT, "side": NAME}),
    balanced: ({"n": 3}, {"n": COUNT}),
    random_tree: ({"n": 3, "seed": 0}, {"n": COUNT, "seed": NO_SEED}),
    n_trees: ({"n": 3}, {"n": COUNT}),
    all_trees: ({"n": 3}, {"n": [*COUNT, 13]}),
    n_leaves: ({"tree": ((0, 1), 2)}, {"tree": TREE}),
    depth: ({"tree": ((0, 1), 2)}, {"tree": TREE}),
    leaf_depths: ({"tree": ((0, 1), 2)}, {"tree": TREE}),
    distance: ({"tree": ((0, 1), 2), "i": 0, "j": 2}, {"tree": TREE, "i": LEAF, "j": LEAF}),
    spans: ({"tree": ((0, 1), 2)}, {"tree": TREE}),
    shared_spans: (
        {"tree": ((0, 1), 2), "other": (0, (1, 2))},
        {"tree": TREE, "other": [*TREE, 0]},
    ),
    brackets: (
        {"tree": ((0, 1), 2), "words": ["not", "bad", "film"]},
        {"tree": TREE, "words": WORDS},
    ),
    forest: (
        {"trees": [((0, 1), 2), 0]},
        {"trees": [[], *([value] for value in TREE), *(v for v in TREE if v not in (1, True))]},
    ),
}
