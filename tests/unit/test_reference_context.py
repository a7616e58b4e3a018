"""A network with a context, and the distributions that its graph can represent (G 10.35)."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import RUN, UNFIT_SEQUENCE, UNFIT_WRITER, WRITER, P, Y, assert_gradients
from refusals import (
    COUNT,
    NAME,
    NO_SEED,
    REAL,
    TOKENS,
)

from rnn_helpers.reference import (
    best_distribution,
    context_backward,
    context_forward,
    expected_losses,
    init_context,
    rnn_loss,
    rule_joint,
    softmax,
    total_correlation,
)
from rnn_helpers.reference.context import DOORS, GIVEN, RULES

LN2 = math.log(2)


def case(door, B=3):
    """Parameters, contexts (B, n_x) and sequences (T, B)."""
    rng = np.random.default_rng(1)
    params = init_context(n_x=4, n_h=6, n_y=5, door=door, seed=2)
    params["b"], params["c"] = rng.normal(size=6), rng.normal(size=5)
    return params, rng.normal(size=(B, 4)), rng.integers(5, size=(7, B))


def by_the_book(params, x, y):
    """Figure 10.9, one symbol after another."""
    h = params["S"] @ x if "S" in params else np.zeros(6)
    said = np.zeros(5)
    for symbol in y:
        told = params["R"] @ x if "R" in params else 0
        h = np.tanh(params["b"] + params["W"] @ h + params["U"] @ said + told)
        yield softmax(params["c"] + params["V"] @ h)
        said = np.eye(5)[symbol]


@pytest.mark.parametrize("door", DOORS)
def test_the_network_is_that_of_figure_10_9(door):
    params, x, y = case(door)
    run = context_forward(params, x, y)
    for one in range(3):
        expected = list(by_the_book(params, x[one], y[:, one]))
        np.testing.assert_allclose(run.yhat[:, one], expected, atol=1e-12)
        alone = context_forward(params, x[one], y[:, one])
        np.testing.assert_allclose(alone.yhat, expected, atol=1e-12)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("masked", [False, True])
def test_gradients_by_hand_match_autograd(door, masked):
    import torch

    params, x, y = case(door)
    mask = np.arange(7)[:, None] < [7, 4, 5] if masked else np.ones((7, 3), bool)
    grads = context_backward(params, context_forward(params, x, y), x, y, mask)

    leaves = {name: torch.tensor(value, requires_grad=True) for name, value in params.items()}
    context = torch.tensor(x, requires_grad=True)
    h = context @ leaves["S"].T if "S" in leaves else torch.zeros(3, 6, dtype=torch.float64)
    said, loss = torch.zeros(3, 5, dtype=torch.float64), 0
    for t, symbols in enumerate(torch.tensor(y)):
        a = leaves["b"] + h @ leaves["W"].T + said @ leaves["U"].T
        h = torch.tanh(a + context @ leaves["R"].T if "R" in leaves else a)
        losses = torch.nn.functional.cross_entropy(
            h @ leaves["V"].T + leaves["c"], symbols, reduction="none"
        )
        loss = loss + losses[torch.tensor(mask[t])].sum()
        said = torch.nn.functional.one_hot(symbols, 5).double()
    loss.backward()

    assert set(grads) == {*params, "x"}
    np.testing.assert_allclose(grads["x"], context.grad, atol=1e-12)
    for name, leaf in leaves.items():
        np.testing.assert_allclose(grads[name], leaf.grad, atol=1e-12)


@given(door=st.sampled_from(list(DOORS)), seed=st.integers(0, 10**6))
def test_gradients_match_finite_differences(door, seed):
    params, x, y = case(door, B=1)
    x, y = x[0], y[:, 0]
    grads = context_backward(params, context_forward(params, x, y), x, y)

    def loss(moved):
        return rnn_loss(context_forward(moved, moved.pop("x"), y), y)

    assert_gradients(loss, params | {"x": x}, grads, seed)


def test_a_door_for_each_step_is_a_bias_and_one_at_the_start_a_first_state():
    """The source: x sets the bias of the network that follows (10.2.4)."""
    params, x, y = case("step", B=1)
    biased = params | {"b": params["b"] + params["R"] @ x[0], "R": np.zeros_like(params["R"])}
    np.testing.assert_allclose(
        context_forward(params, x, y).o, context_forward(biased, 0 * x, y).o, atol=1e-12
    )
    params, x, y = case("start", B=1)
    np.testing.assert_allclose(context_forward(params, x, y).h0, x @ params["S"].T)


# ---- a sequence as context ----


def joints():
    def of(seed):
        joint = np.random.default_rng(seed).dirichlet(np.full(64, 0.3))
        return joint.reshape((2,) * 6)

    return st.integers(0, 10**6).map(of)


@pytest.mark.parametrize(
    ("rules", "losses"),
    [
        (["coin"] * 6, {"inputs": 6, "outputs": 6, "all inputs": 6, "all": 6}),
        (["coin"] + ["last"] * 5, {"inputs": 6, "outputs": 1, "all inputs": 6, "all": 1}),
        (["next"] * 6, {"inputs": 6, "outputs": 6, "all inputs": 1, "all": 1}),
        (["same"] * 6, {"inputs": 0, "outputs": 0, "all inputs": 0, "all": 0}),
    ],
)
def test_the_counterexamples_to_figure_10_10_in_bits(rules, losses):
    """Figure 10.10 can make all bits equal, but not each bit the next input."""
    for bits in GIVEN:
        assert expected_losses(rule_joint(rules), bits).sum() == pytest.approx(losses[bits] * LN2)


@pytest.mark.equation("10.35")
def test_10_35_makes_outputs_independent_given_the_inputs():
    joint = rule_joint(["coin", "last", "last"], noise=0.1)
    best = best_distribution(joint, "inputs")
    for x in itertools.product((0, 1), repeat=3):
        given_x = best[x] / best[x].sum()
        assert total_correlation(given_x) == pytest.approx(0, abs=1e-12)
        assert total_correlation(joint[x] / joint[x].sum()) > 0.5


@given(joint=joints(), given=st.sampled_from(GIVEN))
def test_the_best_prediction_is_a_distribution_with_the_expected_loss(joint, given):
    best = best_distribution(joint, given)
    assert best.sum() == pytest.approx(1)
    np.testing.assert_allclose(best.sum(axis=(3, 4, 5)), joint.sum(axis=(3, 4, 5)))
    said = best / best.sum(axis=(3, 4, 5), keepdims=True)
    loss = -(joint * np.log(said)).sum()
    assert expected_losses(joint, given).sum() == pytest.approx(loss)


@given(joint=joints())
def test_more_inputs_never_raise_the_loss_and_all_give_the_exact_joint(joint):
    losses = {bits: expected_losses(joint, bits) for bits in GIVEN}
    assert (losses["outputs"] <= losses["inputs"] + 1e-12).all()
    assert (losses["all inputs"] <= losses["inputs"] + 1e-12).all()
    assert (losses["all"] <= losses["outputs"] + 1e-12).all()
    np.testing.assert_allclose(best_distribution(joint, "all"), joint, atol=1e-12)


@given(joint=joints(), given=st.sampled_from(GIVEN), other=joints())
def test_no_other_of_its_kind_does_better(joint, given, other):
    """Predicting with another distribution's probabilities never lowers the loss."""
    q = best_distribution(other, given)
    q = q / q.sum(axis=(3, 4, 5), keepdims=True)
    with np.errstate(divide="ignore"):
        theirs = -(joint * np.log(q)).sum()
    assert theirs >= expected_losses(joint, given).sum() - 1e-9


@given(
    rules=st.lists(st.sampled_from(RULES), min_size=1, max_size=4), noise=st.sampled_from([0, 0.2])
)
def test_a_world_of_rules_is_a_distribution_over_even_inputs(rules, noise):
    joint, T = rule_joint(rules, noise), len(rules)
    np.testing.assert_allclose(joint.sum(axis=tuple(range(T, 2 * T))), 0.5**T)


TOLD = init_context(2, 4, 3, seed=0)
TOLD_RUN = context_forward(TOLD, [0.5, -1.0], Y)

REFUSALS = {
    init_context: (
        {"n_x": 2, "n_h": 4, "n_y": 3, "door": "both", "seed": 0, "scale": 0.5},
        {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "door": NAME, "seed": NO_SEED, "scale": [-1.0]},
    ),
    context_forward: (
        {"params": TOLD, "x": [0.5, -1.0], "y": Y},
        {"params": [*UNFIT_WRITER, WRITER], "x": [*REAL, [1.0]], "y": UNFIT_SEQUENCE},
    ),
    partial(context_forward, TOLD | {"R": np.array([[10.0, -10.0]] * 4)}): (
        {"x": [0.5, -1.0], "y": Y},
        {"x": [[1e308, 1e308]]},
    ),
    context_backward: (
        {"params": TOLD, "run": TOLD_RUN, "x": [0.5, -1.0], "y": Y, "mask": None},
        {
            "params": [*UNFIT_WRITER, WRITER],
            "run": [None, 3, {}, P, RUN],
            "x": [*REAL, [1.0]],
            "y": TOKENS,
            "mask": [["a"], [1], 3],
        },
    ),
    rule_joint: (
        {"rules": ["coin", "next"], "noise": 0.1},
        {"rules": [[], ["other"], 3, ["coin"] * 9], "noise": [-0.1, 1.5, "a"]},
    ),
    best_distribution: (
        {"joint": [[0.5, 0.25], [0.25, 0]], "given": "inputs"},
        {"joint": [*REAL, 3, [[0.5, 0.6]], [[1.5, -0.5]], [[]], [0.5, 0.5]], "given": NAME},
    ),
    expected_losses: (
        {"joint": [[0.5, 0.25], [0.25, 0]], "given": "inputs"},
        {"joint": [*REAL, 3, [[0.5, 0.6]], [[1.5, -0.5]], [[]], [0.5, 0.5]], "given": NAME},
    ),
}
