"""The figure tree reads brackets, moves nodes and carries gradients down as Python does."""

from functools import partial, reduce

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import constants, tree
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import rotation
from rnn_helpers.reference import trees
from rnn_helpers.reference.recursive import node, node_jacobians

pytestmark = pytest.mark.chapter("12")

CONSTANTS = constants("tree")
WORD = 2**32


def network(strength):
    """U for the left child, W for the right one, each a rotation times the strength, and b = 0."""
    draw = np.random.RandomState(CONSTANTS.SEED).standard_normal
    U, W = (strength * rotation(draw, CONSTANTS.UNITS) for _ in range(2))
    return {"U": U, "W": W, "b": np.zeros(CONSTANTS.UNITS)}


def embedding(word):
    """A word's vector, V x: the same word always has the same."""
    seed = reduce(lambda so_far, letter: (31 * so_far + ord(letter)) % WORD, word.lower(), 0)
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


close = partial(compare.close, atol=1e-9)
META = manifest()["tree"]
DEFAULT = complete("tree", {})

strengths = st.sampled_from([0.2, 0.7, 1.3, 2.0])
words = st.lists(st.text("abcñλ’-", min_size=1, max_size=6), min_size=1, max_size=9)


def as_lists(branch):
    return [as_lists(child) for child in branch] if isinstance(branch, tuple) else branch


def bracketed(branch, names):
    if not isinstance(branch, tuple):
        return names[branch]
    return f"({' '.join(bracketed(child, names) for child in branch)})"


@given(st.text("ab ()", max_size=40))
def test_brackets_however_odd_are_read_alike(math, text):
    names, made = tree.read(text)
    assert math("read", text) == {"words": names, "tree": as_lists(made)}
    if names:
        assert trees.nodes(made)[-1].stop == len(names)


@given(words, st.integers(0, 999))
def test_a_tree_that_is_written_is_read_again(math, names, seed):
    made = trees.random_tree(len(names), seed)
    assert tree.read(bracketed(made, names)) == (names, made)
    written = math("bracketed", as_lists(made), names)
    assert written == bracketed(made, names).removeprefix("(").removesuffix(")") or len(names) == 1
    assert math("read", written)["tree"] == as_lists(made)


@pytest.mark.parametrize("n", range(1, 17))
def test_chain_and_balanced_tree_are_pythons(math, n):
    assert math("chain", n) == as_lists(trees.chain(n))
    assert math("balanced", n) == as_lists(trees.balanced(n))


@given(st.integers(1, 12), st.integers(0, 999))
def test_nodes_stand_over_the_leaves_and_as_high_as_pythons(math, n, seed):
    made = trees.random_tree(n, seed)
    ours, theirs = math("nodesOf", as_lists(made)), trees.nodes(made)
    assert [(one["first"], one["end"], one["height"]) for one in ours] == [
        (one.start, one.stop, one.height) for one in theirs
    ]
    assert math("fromLevels", math("levelsOf", as_lists(made))) == as_lists(made)


@given(st.integers(2, 10), st.integers(0, 999), st.data())
def test_a_node_that_is_moved_rises_or_sinks_and_the_words_keep_their_order(math, n, seed, data):
    made = as_lists(trees.random_tree(n, seed))
    gap = data.draw(st.integers(1, n - 1))
    levels = math("levelsOf", made)
    assert math("moved", levels, gap, levels[gap - 1]) == made
    top = math("moved", levels, gap, n)
    assert math("nodesOf", top)[-1]["gap"] == gap
    low = math("moved", levels, gap, 0.5)
    assert math("levelsOf", low)[gap - 1] == 1


@given(st.integers(0, 99), strengths)
def test_every_step_is_the_references(math, seed, strength):
    params = network(strength)
    net = math("network", strength)
    for name in "UWb":
        close(net[name], params[name])
    left, right = np.random.default_rng(seed).normal(size=(2, CONSTANTS.UNITS))
    h = node(params, left, right)
    close(math("step", net, left, right), h)
    rows = np.eye(CONSTANTS.UNITS)
    close(math("stepBack", net, h, rows), node_jacobians(params, left, right, h))


@given(words, strengths, st.integers(0, 999))
def test_as_much_arrives_at_the_top_as_python_says(math, names, strength, seed):
    made = trees.random_tree(len(names), seed)
    ours = math("arrivals", as_lists(made), names, strength)
    close(list(ours.values()), arrivals(made, names, strength))
    for name in names:
        close(math("embedding", name), embedding(name))


def test_nothing_of_size_one_arrives_from_farther_than_the_strength_lets_it(math):
    """U and W stretch nothing by more than the strength, and tanh nothing at all."""
    names, made = tree.read(DEFAULT["text"])
    depth = {one["id"]: one["depth"] for one in math("nodesOf", as_lists(made))}
    for name, size in math("arrivals", as_lists(made), names, 0.5).items():
        assert size <= 0.5 ** depth[name] + 1e-12


def way(math, kind, ends):
    names, own = tree.read(DEFAULT["text"])
    made = own if kind == "own" else getattr(trees, kind)(len(names))
    return (
        len(math("way", math("nodesOf", as_lists(made)), *(names.index(end) for end in ends))) - 1
    )


def test_the_texts_state_the_numbers_of_the_figure(math):
    names, _ = tree.read(DEFAULT["text"])
    high, mean, first = {}, {}, {}
    for kind in ("chain", "balanced"):
        made = getattr(trees, kind)(len(names))
        found = math("nodesOf", as_lists(made))
        high[kind] = found[-1]["height"]
        mean[kind] = math("pairs", found, len(names))
        first[kind] = math("arrivals", as_lists(made), names, DEFAULT["strength"])["x0"]
    question, why = META["prediction"]["question"], META["prediction"]["why"]
    assert f"has {mean['chain']:.1f} arrows" in question
    assert f"{high['balanced']} high instead of {high['chain']}" in question
    assert why.startswith(f"{mean['balanced']:.1f}. ")
    assert 19 < first["balanced"] / first["chain"] < 21  # "twenty times"
    pair = ("cabinet", "in")
    assert (way(math, "chain", pair), way(math, "balanced", pair)) == (3, 7)
    last = math("arrivals", as_lists(trees.chain(11)), names, DEFAULT["strength"])["x10"]
    assert f"{first['chain']:.3f} for the first" in META["alt"]
    assert f"{last:.2f} for the last" in META["alt"]
    assert f"{way(math, 'chain', ('keys', 'are'))} arrows" in META["alt"]


def test_the_status_states_the_height_and_the_arrows_of_the_tree(math):
    for kind, height in (("chain", 10), ("balanced", 4)):
        said = compare.status("tree", tree=kind)
        assert f"The tree ({kind}) is {height} high." in said
        assert f"there are {way(math, kind, ('keys', 'are'))} arrows" in said


def test_a_word_must_be_there():
    with pytest.raises(ValueError, match="to is 3; the sentence has the words 1 to 2"):
        show("tree", text="a b", to=3)
