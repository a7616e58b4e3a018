"""Deep recurrent networks: forwards as PyTorch's, backwards as quotients of differences."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import RUN, P, X, Y
from refusals import (
    COUNT,
    NO_SEED,
    TOKENS,
)

from rnn_helpers import reference
from rnn_helpers.reference import Depth, deep_backward, deep_circuit, deep_forward, init_deep

some_depth = st.builds(
    lambda states, before, between, after, skip: Depth(
        states, before, between, after, skip and between > 0
    ),
    st.integers(1, 3),
    *[st.integers(0, 2)] * 3,
    st.booleans(),
)


def drawn(depth, seed, n_x=2, n_h=3, n_y=4):
    rng = np.random.default_rng(seed)
    params = init_deep(depth, n_x, n_h, n_y, rng)
    params = {name: array + rng.normal(0, 0.3, array.shape) for name, array in params.items()}
    x, y = rng.normal(size=(5, 2, n_x)), rng.integers(n_y, size=(5, 2))
    return params, x, y, [rng.normal(0, 0.5, (2, n_h)) for _ in range(depth.states)]


@given(depth=some_depth, seed=st.integers(0, 2**16))
def test_gradients_are_quotients_of_differences(depth, seed):
    params, x, y, h0 = drawn(depth, seed)
    mask = np.random.default_rng(seed).integers(2, size=y.shape)
    loss = lambda params, h0: reference.rnn_loss(deep_forward(params, depth, x, h0), y, mask)  # noqa: E731
    grads = deep_backward(params, deep_forward(params, depth, x, h0), y, mask)
    rng, small = np.random.default_rng(seed), 1e-6
    for name, array in params.items():
        way = rng.normal(size=array.shape)
        ahead, behind = (loss(params | {name: array + sign * small * way}, h0) for sign in (1, -1))
        assert np.sum(grads[name] * way) == pytest.approx(
            (ahead - behind) / (2 * small), rel=1e-5, abs=1e-7
        )
    for k, first in enumerate(h0):
        way = rng.normal(size=first.shape)
        ahead, behind = (
            loss(params, [*h0[:k], first + sign * small * way, *h0[k + 1 :]]) for sign in (1, -1)
        )
        assert np.sum(grads["h0"][k] * way) == pytest.approx(
            (ahead - behind) / (2 * small), rel=1e-5, abs=1e-7
        )


def test_a_network_without_extra_layers_is_that_of_figure_10_3():
    params, x, y, h0 = drawn(Depth(), 0)
    plain = {name.rstrip("1"): array for name, array in params.items()}
    deep, shallow = deep_forward(params, Depth(), x, h0), reference.rnn_forward(plain, x, h0[0])
    np.testing.assert_allclose(deep.o, shallow.o, atol=1e-12)
    mine = deep_backward(params, deep, y)
    for name, grad in reference.rnn_backward(plain, shallow, y).items():
        found = mine["h0"][0] if name == "h0" else mine.get(name, mine.get(f"{name}1"))
        np.testing.assert_allclose(found, grad, atol=1e-12)


@pytest.mark.parametrize("states", [1, 2, 3])
def test_states_above_each_other_are_pytorchs_layers(states):
    torch = pytest.importorskip("torch")
    params, x, y, h0 = drawn(Depth(states), states)
    layers = torch.nn.RNN(2, 3, states, dtype=torch.float64)
    with torch.no_grad():
        for k in range(states):
            for theirs, ours in (("weight_ih", "U"), ("weight_hh", "W"), ("bias_ih", "b")):
                getattr(layers, f"{theirs}_l{k}").copy_(torch.tensor(params[f"{ours}{k + 1}"]))
            getattr(layers, f"bias_hh_l{k}").zero_()
    h, _ = layers(torch.tensor(x), torch.tensor(np.stack(h0)))
    run = deep_forward(params, Depth(states), x, h0)
    np.testing.assert_allclose(run.h, h.detach().numpy(), atol=1e-12)
    o = h @ torch.tensor(params["V"]).T + torch.tensor(params["c"])
    loss = torch.nn.functional.cross_entropy(
        o.flatten(0, 1), torch.tensor(y).flatten(), reduction="sum"
    )
    loss.backward()
    grads = deep_backward(params, run, y)
    for k in range(states):
        theirs = getattr(layers, f"weight_hh_l{k}").grad.numpy()
        np.testing.assert_allclose(grads[f"W{k + 1}"], theirs, atol=1e-12)


@given(depth=some_depth)
def test_the_circuit_has_a_matrix_for_each_of_the_networks(depth):
    shapes = reference.deep_shapes(depth, 2, 3, 4)
    matrices = {name for name, shape in shapes.items() if len(shape) == 2}
    assert set(deep_circuit(depth).parameters) == matrices


@given(depth=some_depth, steps=st.integers(0, 4))
def test_hidden_layers_lengthen_the_way_and_a_skip_shortens_it(depth, steps):
    """Section 10.5: one hidden layer doubles the shortest path between steps."""
    graph = deep_circuit(depth).unfold(steps + 1)
    way = graph.shortest_path(("x", 1), ("o", steps + 1))
    each = 1 if depth.skip else depth.transition + 1
    once = depth.input + depth.states + depth.output + 1
    assert len(way) - 1 == once + steps * each
    assert way[0] == ("x", 1)
    assert way[-1] == ("o", steps + 1)
    assert all(any(edge[:2] == pair for edge in graph.edges) for pair in pairwise(way))


def test_without_a_path_there_is_no_shortest_path():
    graph = deep_circuit(Depth()).unfold(2)
    assert graph.shortest_path(("o", 1), ("x", 2)) is None
    assert graph.shortest_path(("x", 2), ("o", 1)) is None
    with pytest.raises(ValueError, match="node"):
        graph.shortest_path(("x", 1), ("z", 1))


DEPTH = reference.Depth(2, 1, 1, 1, skip=True)
DEEP = reference.init_deep(DEPTH, 3, 4, 3)
DEEP_RUN = reference.deep_forward(DEEP, DEPTH, X)
NO_DEPTH = [None, 3, {}, "10.13"]

REFUSALS = {
    reference.Depth: (
        {"states": 2, "input": 1, "transition": 1, "output": 0, "skip": False},
        {
            "states": COUNT,
            "input": [-1, 1.5, "a", None],
            "transition": [-1, 1.5, "a", None],
            "output": [-1, 1.5, "a", None],
            "skip": [None, "a", 3, np.array([1, 2])],
        },
    ),
    reference.init_deep: (
        {"depth": DEPTH, "n_x": 2, "n_h": 4, "n_y": 3, "seed": 0},
        {"depth": NO_DEPTH, "n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seed": NO_SEED},
    ),
    reference.deep_shapes: (
        {"depth": DEPTH, "n_x": 2, "n_h": 4, "n_y": 3},
        {"depth": NO_DEPTH, "n_x": COUNT, "n_h": COUNT, "n_y": COUNT},
    ),
    reference.deep_circuit: ({"depth": DEPTH}, {"depth": NO_DEPTH}),
    reference.deep_forward: (
        {"params": DEEP, "depth": DEPTH, "x": X, "h0": None},
        {
            "params": [None, 3, {}, P, DEEP | {"T2_1": np.ones(3)}, DEEP | {"V": 1.0}],
            "depth": NO_DEPTH,
            "x": [None, "a", [[1.0]]],
            "h0": [3, [0.0], [[0.0], [1.0]]],
        },
    ),
    reference.deep_backward: (
        {"params": DEEP, "run": DEEP_RUN, "y": Y, "mask": None},
        {"params": [None, 3, {}, P], "run": [None, 3, RUN], "y": TOKENS, "mask": [["a"], [1], 3]},
    ),
}
