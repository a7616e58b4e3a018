"""The figure tree parses brackets, moves nodes and computes gradients as Python does."""

from functools import partial, reduce

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import rotation
from rnn_helpers.figures import constants
from rnn_helpers.figures.tree import figure as tree
from rnn_helpers.reference import trees
from rnn_helpers.reference.recursive import node, node_jacobians

pytestmark = pytest.mark.chapter("12")

CONSTANTS = constants("tree")
WORD = 2**32


def network(strength):
    """Return U, W, each a rotation times the strength, and b = 0."""
    draw = np.random.RandomState(CONSTANTS.SEED).standard_normal
    U, W = (strength * rotation(draw, CONSTANTS.UNITS) for _ in range(2))
    return {"U": U, "W": W, "b": np.zeros(CONSTANTS.UNITS)}


def embedding(word):
    """Return a word's vector, which depends only on its letters."""
    seed = reduce(lambda so_far, letter: (31 * so_far + ord(letter)) % WORD, word.lower(), 0)
    return CONSTANTS.SIZE * np.random.RandomState(seed).standard_normal(CONSTANTS.UNITS)


def arrivals(tree, words, strength):
    """Return the share of a small change at each of `reference.trees.nodes` that reaches the root.

    It is the root mean square of the root's Jacobian with respect to the node, over all directions.
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
def test_any_brackets_give_the_tree_of_python(math, text):
    names, made = tree.read(text)
    assert math("read", text) == {"words": names, "tree": as_lists(made)}
    if names:
        assert trees.nodes(made)[-1].stop == len(names)


@given(words, st.integers(0, 999))
def test_a_tree_survives_writing_and_parsing(math, names, seed):
    made = trees.random_tree(len(names), seed)
    assert tree.read(bracketed(made, names)) == (names, made)
    written = math("bracketed", as_lists(made), names)
    assert written == bracketed(made, names).removeprefix("(").removesuffix(")") or len(names) == 1
    assert math("read", written)["tree"] == as_lists(made)


@pytest.mark.parametrize("n", range(1, 17))
def test_chain_and_balanced_tree_match_python(math, n):
    assert math("chain", n) == as_lists(trees.chain(n))
    assert math("balanced", n) == as_lists(trees.balanced(n))


@given(st.integers(1, 12), st.integers(0, 999))
def test_nodes_have_the_leaves_and_heights_of_python(math, n, seed):
    made = trees.random_tree(n, seed)
    ours, theirs = math("nodesOf", as_lists(made)), trees.nodes(made)
    assert [(one["first"], one["end"], one["height"]) for one in ours] == [
        (one.start, one.stop, one.height) for one in theirs
    ]
    assert math("fromLevels", math("levelsOf", as_lists(made))) == as_lists(made)


@given(st.integers(2, 10), st.integers(0, 999), st.data())
def test_moving_a_node_changes_its_height_and_not_the_order_of_the_words(math, n, seed, data):
    made = as_lists(trees.random_tree(n, seed))
    gap = data.draw(st.integers(1, n - 1))
    levels = math("levelsOf", made)
    assert math("moved", levels, gap, levels[gap - 1]) == made
    top = math("moved", levels, gap, n)
    assert math("nodesOf", top)[-1]["gap"] == gap
    low = math("moved", levels, gap, 0.5)
    assert math("levelsOf", low)[gap - 1] == 1


@given(st.integers(0, 99), strengths)
def test_each_step_matches_the_reference(math, seed, strength):
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
def test_the_share_that_reaches_the_root_equals_pythons(math, names, strength, seed):
    made = trees.random_tree(len(names), seed)
    ours = math("arrivals", as_lists(made), names, strength)
    close(list(ours.values()), arrivals(made, names, strength))
    for name in names:
        close(math("embedding", name), embedding(name))


def test_the_share_that_reaches_the_root_is_at_most_the_strength_to_the_depth(math):
    """U and W stretch vectors by at most the strength, and tanh doesn't stretch them."""
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
    names, own = tree.read(DEFAULT["text"])
    deep = {
        kind: math("nodesOf", as_lists(made))[-1]["height"]
        for kind, made in [
            ("chain", trees.chain(len(names))),
            ("balanced", trees.balanced(len(names))),
            ("own", own),
        ]
    }
    question, why = META["prediction"]["question"], META["prediction"]["why"]
    far = {kind: way(math, kind, ("keys", "are")) for kind in deep}
    assert f"{deep['chain']} deep, keys and are have {far['chain']} edges" in question
    balanced, grammar, _ = META["prediction"]["choices"]
    assert f"{deep['balanced']} deep" in balanced
    assert f"{deep['own']} deep" in grammar
    assert why.startswith(f"{far['own']} edges, against {far['balanced']} in the balanced")
    pair = ("cabinet", "in")
    assert (way(math, "chain", pair), way(math, "balanced", pair)) == (3, 7)
    assert "3 edges apart in the chain" in why
    assert "7 edges apart" in why
    assert f"{way(math, 'chain', ('keys', 'are'))} edges" in META["alt"]


def test_the_status_states_the_depth_of_the_tree_and_the_length_of_the_path(math):
    for kind, depth in (("chain", 10), ("balanced", 4)):
        said = compare.status("tree", tree=kind)
        edges = way(math, kind, ("keys", "are"))
        assert said == (
            f"The tree ({kind}) is {depth} deep. The path from keys to are has {edges} edges."
        )


def test_the_tree_of_the_sentence_is_named_by_what_the_view_shows():
    moved = "the keys to the old cabinet in the hall are lost"
    assert compare.status("tree", tree="own").startswith("The tree (by grammar) is 6 deep.")
    assert compare.status("tree", tree="own", text=moved).startswith("The tree (yours) is")
    assert compare.status("tree", tree="own", view="all").startswith("The tree (by brackets) is")


def test_with_all_controls_the_status_states_how_much_reaches_the_root(math):
    names, _ = tree.read(DEFAULT["text"])
    reach = math("arrivals", as_lists(trees.balanced(len(names))), names, 1.0)
    said = compare.status("tree", view="all", tree="balanced", strength=1.0)
    assert f"The root receives {reach['x1']:.2f} of a small change of keys" in said
    assert f"and {reach['x9']:.2f} of a small change of are." in said


def test_the_position_of_a_missing_word_is_refused():
    with pytest.raises(ValueError, match="to is 3; the sentence has the words 1 to 2"):
        show("tree", text="a b", to=3)
