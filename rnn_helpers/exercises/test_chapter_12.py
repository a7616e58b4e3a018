"""Chapter 12's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.exercises import chapter_12 as answers
from rnn_helpers.reference import (
    grad_output,
    init_recursive,
    recursive_backward,
    recursive_forward,
    trees,
)
from rnn_helpers.tasks.expressions import lay_out, parse_expression, part_values

DRAWN = st.integers(0, 10**6)


def network(seed):
    """Parameters, a tree, its tokens, and both in one nested tuple."""
    rng = np.random.default_rng(seed)
    params = init_recursive(4, 3, 2, seed=rng)
    params["b"] = rng.normal(size=3)
    tree = trees.random_tree(int(rng.integers(1, 9)), rng)
    x = rng.integers(4, size=trees.n_leaves(tree))
    return params, tree, x, trees.with_words(tree, x)


@given(DRAWN)
def test_depth_and_the_vector_of_the_root_are_the_packages(seed):
    params, tree, x, tokens = network(seed)
    assert answers.depth(tokens) == trees.depth(tree)
    run = recursive_forward(params, x, tree)
    np.testing.assert_allclose(answers.forward(params, tokens), run.root[0], atol=1e-14)


@given(DRAWN)
def test_the_gradients_are_the_packages(seed):
    params, tree, x, tokens = network(seed)
    run = recursive_forward(params, x, tree)
    grads = recursive_backward(params, run, [1])
    on_root = params["R"].T @ grad_output(run.yhat, np.array([1]))[0]
    mine = answers.backward(params, tokens, on_root)
    for name in "VUWb":
        np.testing.assert_allclose(mine[name], grads[name], atol=1e-12)


@given(DRAWN)
def test_a_tensor_node_takes_the_wanted_values(seed):
    left, right, wanted = np.random.default_rng(seed).normal(size=(3, 3, 3))
    tensor = answers.tensor(left, right, wanted)
    scale = np.abs(tensor).max()
    np.testing.assert_allclose(left @ tensor @ right.T, wanted, atol=1e-10 * max(1, scale))


def test_the_fourth_pair_of_a_plain_node_follows_from_three():
    params = init_recursive(4, 3, 2, seed=0)
    pairs = [(very, value) for very in (0, 1) for value in (2, 3)]
    run = recursive_forward(params, [list(pair) for pair in pairs], [(0, 1)] * 4)
    very_good, very_bad, not_good, not_bad = np.arctanh(run.root)
    np.testing.assert_allclose(not_bad, not_good + very_bad - very_good)
    assert answers.not_bad() == -1 + -2 - 2


def test_gradients_that_halve_at_each_node_are_as_stated():
    kept = {
        name: 0.5 ** np.array(trees.leaf_depths(make(16)))
        for name, make in (("chain", trees.chain), ("balanced", trees.balanced))
    }
    ratio = kept["balanced"] / kept["chain"]
    assert answers.halves() == (ratio[0], ratio[-1])


def test_the_number_of_nodes_above_a_valued_part_is_right():
    expression = parse_expression("(4+1)-2")
    counts = []
    for kind in ("chain", "balanced", "parse"):
        tree, _ = lay_out(expression, kind)
        inner = {(node.start, node.stop) for node in trees.nodes(tree) if node.left is not None}
        counts.append(len(inner & set(part_values(expression, brackets=kind != "parse"))))
    assert answers.parts() == tuple(counts)


def vector_of(params, tree, row=False):
    if not isinstance(tree, tuple):
        return params["V"][tree] if row else params["V"][:, tree]
    left = params["U"] @ vector_of(params, tree[0], row)
    right = params["W"] @ vector_of(params, tree[1], row)
    return np.tanh(left + right + params["b"])


def assigned_at_a_leaf(params, tree, grad):
    grads = {name: np.zeros_like(array) for name, array in params.items()}

    def down(tree, grad):
        if not isinstance(tree, tuple):
            grads["V"][:, tree] = grad
            return
        grad = (1 - vector_of(params, tree) ** 2) * grad
        grads["U"] += np.outer(grad, vector_of(params, tree[0]))
        grads["W"] += np.outer(grad, vector_of(params, tree[1]))
        grads["b"] += grad
        down(tree[0], params["U"].T @ grad)
        down(tree[1], params["W"].T @ grad)

    down(tree, grad)
    return grads


TYPICAL = {
    "12-forward": {"a row of V": lambda params, tree: vector_of(params, tree, row=True)},
    "12-backward": {"only the last occurrence of a token": assigned_at_a_leaf},
}
EQUIVALENT = {
    "12-depth": [
        # The depth of a word is 0 already.
        "_folded: …ee, tuple) else leaf -> …ee, tuple) else 0 * leaf",
    ],
}
