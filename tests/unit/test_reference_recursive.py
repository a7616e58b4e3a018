"""The recursive network: one function at every node, and its gradient from the root down."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import PARAMS, RUN, X, assert_gradients
from refusals import (
    COUNT,
    INF,
    NAN,
    NO_SEED,
    TOKENS,
    TREE,
)

from rnn_helpers.reference import (
    init_recursive,
    recursive_backward,
    recursive_forward,
    recursive_loss,
    rnn_backward,
    rnn_forward,
    rnn_loss,
    root_jacobians,
    softmax,
)
from rnn_helpers.reference.trees import chain, forest, random_tree

pytestmark = pytest.mark.chapter("12")
KINDS = pytest.mark.parametrize("tensor", [False, True])
LENGTHS = (1, 2, 5, 9)


def several(tensor, seed=0, n_h=4):
    """Parameters with biases, four sequences, a tree for each, and targets."""
    rng = np.random.default_rng(seed)
    params = init_recursive(5, n_h, 3, seed=rng, tensor=tensor)
    params["b"], params["c"] = rng.normal(size=n_h), rng.normal(size=3)
    x = [rng.integers(5, size=n) for n in LENGTHS]
    return params, x, [random_tree(n, rng) for n in LENGTHS], rng.integers(3, size=4)


def by_the_book(params, x, tree):
    """Compute one tree, node by node."""
    if not isinstance(tree, tuple):
        return params["V"][:, x[tree]]
    left, right = (by_the_book(params, x, child) for child in tree)
    a = params["b"] + params["U"] @ left + params["W"] @ right
    if "T" in params:
        a = a + np.array([left @ slice_ @ right for slice_ in params["T"]])
    return np.tanh(a)


@KINDS
def test_each_node_applies_the_same_function_to_its_children(tensor):
    params, x, trees, _ = several(tensor)
    run = recursive_forward(params, x, trees)
    for which, tree in enumerate(trees):
        root = by_the_book(params, x[which], tree)
        np.testing.assert_allclose(run.root[which], root, atol=1e-14)
        yhat = softmax(params["c"] + params["R"] @ root)
        np.testing.assert_allclose(run.yhat[which], yhat, atol=1e-14)
        alone = recursive_forward(params, x[which], tree)
        np.testing.assert_allclose(alone.root[0], root, atol=1e-14)


def test_one_hot_vectors_and_tokens_give_the_same_run():
    params, x, trees, _ = several(tensor=False)
    vectors = [np.eye(5)[tokens] for tokens in x]
    run, same = recursive_forward(params, x, trees), recursive_forward(params, vectors, trees)
    np.testing.assert_array_equal(run.h, same.h)


def torch_loss(params, x, trees, y):
    """The same network, its gradients left to PyTorch."""
    import torch

    def node(tokens, tree):
        if not isinstance(tree, tuple):
            return params["V"][:, tokens[tree]]
        left, right = (node(tokens, child) for child in tree)
        a = params["b"] + params["U"] @ left + params["W"] @ right
        if "T" in params:
            a = a + torch.einsum("i,kij,j->k", left, params["T"], right)
        return torch.tanh(a)

    roots = [node(tokens, tree) for tokens, tree in zip(x, trees, strict=True)]
    o = torch.stack(roots) @ params["R"].T + params["c"]
    return torch.nn.functional.cross_entropy(o, torch.tensor(y), reduction="sum")


@pytest.mark.slow
@KINDS
def test_gradients_equal_those_of_autograd(tensor):
    import torch

    params, x, trees, y = several(tensor, seed=3)
    run = recursive_forward(params, x, trees)
    grads = recursive_backward(params, run, y)
    theirs = {name: torch.tensor(value, requires_grad=True) for name, value in params.items()}
    loss = torch_loss(theirs, x, trees, y)
    loss.backward()
    assert recursive_loss(run, y) == pytest.approx(loss.item(), abs=1e-12)
    assert grads.keys() == params.keys() | {"h"}
    for name, value in theirs.items():
        np.testing.assert_allclose(grads[name], value.grad, atol=1e-12)


@given(tensor=st.booleans(), seed=st.integers(0, 10**6))
def test_gradients_equal_difference_quotients(tensor, seed):
    params, x, trees, y = several(tensor, seed)
    # Any nodes may have targets, one of them twice.
    at = np.random.default_rng(seed).integers(forest(trees).n_nodes, size=4)
    at[1] = at[0]
    grads = recursive_backward(params, recursive_forward(params, x, trees), y, at)

    def loss(moved):
        return recursive_loss(recursive_forward(moved, x, trees), y, at)

    assert_gradients(loss, params, grads, seed)


@given(tensor=st.booleans(), seed=st.integers(0, 10**6))
def test_the_gradient_of_a_leaf_is_a_product_along_its_path(tensor, seed):
    params, _, trees, y = several(tensor, seed)
    rng = np.random.default_rng(seed)
    vectors = [rng.normal(size=(n, 5)) for n in LENGTHS]
    run = recursive_forward(params, vectors, trees)
    grads = recursive_backward(params, run, y)["h"]
    products = root_jacobians(params, run)
    for node in range(run.forest.n_nodes):
        at_root = grads[run.forest.roots[run.forest.tree[node]]]
        np.testing.assert_allclose(grads[node], products[node].T @ at_root, atol=1e-12)
    leaf = rng.integers(len(run.x))
    moved, before = [v.copy() for v in vectors], np.concatenate(vectors)
    which, place = run.forest.tree[leaf], run.forest.start[leaf]
    np.testing.assert_array_equal(before[leaf], moved[which][place])
    step = 1e-5 * rng.normal(size=5)
    losses = []
    for sign in (1, -1):
        moved[which][place] = vectors[which][place] + sign * step
        losses.append(recursive_loss(recursive_forward(params, moved, trees), y))
    expected = 2 * grads[leaf] @ params["V"] @ step
    np.testing.assert_allclose(losses[0] - losses[1], expected, atol=1e-9)


@given(n=st.integers(2, 12), seed=st.integers(0, 10**6))
def test_along_a_left_chain_it_is_a_recurrent_network(n, seed):
    """The left child's matrix is the recurrence; inputs enter through V, then W."""
    rng = np.random.default_rng(seed)
    params = init_recursive(5, 4, 3, seed=rng)
    x, y = rng.integers(5, size=n), rng.integers(3, size=1)
    run = recursive_forward(params, x, chain(n))
    loop = {"U": params["W"] @ params["V"], "W": params["U"], "b": params["b"]}
    loop |= {"V": params["R"], "c": params["c"]}
    steps = rnn_forward(loop, x[1:], h0=params["V"][:, x[0]])
    np.testing.assert_allclose(run.h[n:], steps.h, atol=1e-14)

    targets, last = np.append(np.zeros(n - 2, int), y), np.arange(n - 1) == n - 2
    assert recursive_loss(run, y) == pytest.approx(rnn_loss(steps, targets, last), abs=1e-12)
    grads, theirs = recursive_backward(params, run, y), rnn_backward(loop, steps, targets, last)
    np.testing.assert_allclose(grads["U"], theirs["W"], atol=1e-12)
    np.testing.assert_allclose(grads["h"][0], theirs["h0"], atol=1e-12)


def test_without_a_tensor_one_child_doesnt_change_the_effect_of_the_other():
    """Before the tanh, a plain node adds; a tensor node need not."""
    rng = np.random.default_rng(0)
    x, y, u, v = rng.normal(size=(4, 4, 4))
    gaps = []
    for tensor in (False, True):
        params = init_recursive(4, 4, 2, seed=1, tensor=tensor)
        params["V"] = np.eye(4)
        pairs = [(x[0], u[0]), (x[0], v[0]), (y[0], u[0]), (y[0], v[0])]
        run = recursive_forward(params, [np.stack(pair) for pair in pairs], [(0, 1)] * 4)
        a = np.arctanh(run.root)
        gaps.append(np.abs(a[0] - a[1] - a[2] + a[3]).max())
    assert gaps[0] < 1e-9 < 0.1 < gaps[1]


COMBINING = init_recursive(3, 4, 3, seed=0, tensor=True)
COMBINED = recursive_forward(COMBINING, X, ((0, 1), 2))
UNFIT_COMBINING = [
    *(value for value in PARAMS if not isinstance(value, dict) or not value),
    *({**COMBINING, name: COMBINING[name][:2]} for name in COMBINING),
    {**COMBINING, "T": NAN * COMBINING["T"]},
    {**COMBINING, "V": np.zeros(4)},
    {**COMBINING, "c": np.float64(1)},
]

REFUSALS = {
    init_recursive: (
        {"n_x": 3, "n_h": 4, "n_y": 3, "seed": 0, "scale": 0.5, "tensor": True},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seed": NO_SEED,
            "scale": [-1.0, NAN, INF, "a", [1], 1e300],
            "tensor": ["False"],
        },
    ),
    recursive_forward: (
        {"params": COMBINING, "x": X, "tree": ((0, 1), 2)},
        {
            "params": UNFIT_COMBINING,
            "x": [*TOKENS, [0, 1], np.zeros((3, 2)), np.full((3, 3), NAN), np.full((3, 3), 1e200)],
            "tree": [value for value in TREE if value not in (1, True)] + [[], [0, None]],
        },
    ),
    recursive_loss: (
        {"run": COMBINED, "y": [0], "at": None},
        {"run": [None, 3, {}, RUN], "y": TOKENS, "at": [[9], [0.5], "a", 9]},
    ),
    recursive_backward: (
        {"params": COMBINING, "run": COMBINED, "y": [0], "at": None},
        {
            "params": [*UNFIT_COMBINING, init_recursive(2, 4, 3)],
            "run": [None, 3, {}, RUN],
            "y": TOKENS,
            "at": [[9], [0.5], "a", 9],
        },
    ),
    root_jacobians: (
        {"params": COMBINING, "run": COMBINED},
        {"params": UNFIT_COMBINING, "run": [None, 3, {}, RUN]},
    ),
}
