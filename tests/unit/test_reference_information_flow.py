"""Omega of (G 10.52) and its gradients, exact and with parts held constant, against torch."""

import numpy as np
import pytest
from networks import (
    GH,
    PARAMS,
    RUN,
    SEEDED,
    P,
    X,
    Y,
)
from refusals import (
    MASK,
    NAME,
    REAL,
    TOKENS,
)

from rnn_helpers.reference import (
    flowed_back,
    gradient_size,
    gradient_through_time,
    init_recurrent,
    init_rnn,
    omega,
    omega_gradient,
    omega_terms,
    rnn_backward,
    rnn_forward,
    state_jacobians,
)

pytestmark = pytest.mark.chapter("17")
WAYS = ["nothing", "gradients", "states"]


def problem(seed=0, T=7, B=2, n_h=4):
    """Parameters with biases, tokens, targets and a mask that hides some of the steps."""
    rng = np.random.default_rng(seed)
    params = init_rnn(3, n_h, 3, seed=seed)
    params |= {"b": rng.normal(0, 0.3, n_h), "c": rng.normal(0, 0.3, 3)}
    x, y = rng.integers(3, size=(2, T, B))
    mask = rng.random((T, B)) < 0.4
    mask[-2] = True
    return params, x, y, mask


def by_autograd(params, x, y, mask, constant, nonlinearity="tanh"):
    """Omega as a graph of torch: back-propagation is differentiated, or detached."""
    torch = pytest.importorskip("torch")
    leaves = {name: torch.tensor(p, requires_grad=True) for name, p in params.items()}
    U, W, V, b, c = (leaves[name] for name in "UWVbc")
    squash, slope = {
        "tanh": (torch.tanh, lambda h: 1 - h**2),
        "sigmoid": (torch.sigmoid, lambda h: h * (1 - h)),
    }[nonlinearity]
    value = 0
    for k in range(x.shape[1]):
        h, states, loss = torch.zeros_like(b), [], 0
        for t in range(len(x)):
            h = squash(b + W @ h + U[:, x[t, k]])
            states.append(h)
            if mask[t, k]:
                loss = loss - torch.log_softmax(c + V @ h, 0)[y[t, k]]
        grads = torch.autograd.grad(loss, states, create_graph=True, allow_unused=True)
        for h, g in list(zip(states, grads, strict=True))[1:]:
            if g is None or not g.norm():
                continue
            g = g if constant == "nothing" else g.detach()
            s = slope(h.detach() if constant == "states" else h)
            value = value + ((W.T @ (s * g)).norm() / g.norm() - 1) ** 2 / x.shape[1]
    grads = torch.autograd.grad(value, list(leaves.values()), allow_unused=True)
    return value.item(), {
        name: np.zeros(np.shape(p)) if g is None else g.numpy()
        for (name, p), g in zip(params.items(), grads, strict=True)
    }


@pytest.mark.equation("10.50")
def test_a_row_times_the_jacobian_is_its_transpose_times_a_column():
    rng = np.random.default_rng(0)
    J, g = rng.normal(size=(5, 2, 4, 4)), rng.normal(size=(5, 2, 4))
    np.testing.assert_allclose(flowed_back(g, J), np.einsum("tbij,tbi->tbj", J, g), rtol=1e-12)
    np.testing.assert_allclose(flowed_back(g[0, 0], J[0, 0]), J[0, 0].T @ g[0, 0], rtol=1e-12)
    # the two differ: this column is an eigenvector of J, and as a row it grows fivefold
    J = np.array([[0.9, 5], [0, 0.5]])
    assert np.linalg.norm(J @ [1, 0]) == pytest.approx(0.9)
    assert gradient_size(flowed_back([1, 0], J)) == pytest.approx(5.08, abs=0.01)


@pytest.mark.equation("10.50")
def test_it_is_the_step_that_back_propagation_takes():
    params, x, *_ = problem()
    run = rnn_forward(params, x)
    grad_h = gradient_through_time(params, run, [1.0, 2, -1, 0])
    jacobians = state_jacobians(params, run)
    np.testing.assert_allclose(flowed_back(grad_h[1:], jacobians), grad_h[:-1], rtol=1e-12)


@pytest.mark.equation("10.51")
@pytest.mark.parametrize("scale", [0, 1e-30, 1, 1e30])
def test_a_length_is_right_where_its_square_is_no_number(scale):
    found = gradient_size(np.float32(scale) * np.array([[3, 4], [0, -1]], np.float32))
    np.testing.assert_allclose(found, [5 * scale, scale], rtol=1e-6)


@pytest.mark.equation("10.52")
def test_omega_adds_up_the_steps_between_states_that_the_parameters_make():
    params, x, y, _ = problem()
    last = np.zeros(x.shape)
    last[-1] = 1
    run = rnn_forward(params, x)
    grad_last = params["V"].T @ (run.yhat[-1] - np.eye(3)[y[-1]])[..., None]
    grad_h = gradient_through_time(params, run, grad_last[..., 0])
    length = np.linalg.norm(grad_h, axis=-1)
    quotients = length[1:-1] / length[2:]  # from h^(T) down to h^(1), not to h^(0)
    expected = ((quotients - 1) ** 2).sum(axis=0).mean()
    assert omega(grad_h[1:-1], grad_h[2:]) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(omega_terms(params, run, y, last), quotients, rtol=1e-10)
    assert omega_gradient(params, run, y, last)[0] == pytest.approx(expected, rel=1e-10)


@pytest.mark.equation("10.52")
def test_a_term_without_a_gradient_is_left_out_and_counted():
    params, x, y, mask = problem(T=6)
    mask[:] = False
    mask[2] = True
    run = rnn_forward(params, x)
    terms = omega_terms(params, run, y, mask)
    assert np.isnan(terms).sum() == 3 * 2  # the steps 4, 5 and 6 of two sequences
    shorter = rnn_forward(params, x[:3])
    value, grads = omega_gradient(params, run, y, mask)
    expected, of_shorter = omega_gradient(params, shorter, y[:3], mask[:3])
    assert value == pytest.approx(expected, rel=1e-12)
    assert value == pytest.approx(np.nansum((terms - 1) ** 2) / 2, rel=1e-12)
    for name in params:
        np.testing.assert_allclose(grads[name], of_shorter[name], atol=1e-14)
    assert omega([[1.0, 0], [3, 4]], [[0.0, 0], [0, 5]]) == 0


@pytest.mark.equation("10.52")
def test_omega_is_zero_where_every_step_keeps_the_length_whatever_the_eigenvalues():
    rng = np.random.default_rng(0)
    flat = init_rnn(2, 4, 2, seed=0) | {"U": np.zeros((4, 2)), "W": init_recurrent("orthogonal", 4)}
    last = np.arange(9) == 8
    run = rnn_forward(flat, rng.normal(size=(9, 2)))  # from zero input, the slope is 1
    value, grads = omega_gradient(flat, run, np.zeros(9, int), last)
    assert value == pytest.approx(0, abs=1e-20)
    assert all(np.abs(g).max() < 1e-10 for g in grads.values())
    # the readout reads two units that turn into each other; the others forget at once
    turned = flat | {"W": np.diag([0.0, 0, 0, 0]), "V": np.array([[1.0, 0, 0, 0], [0, 1, 0, 0]])}
    turned["W"][:2, :2] = [[0, -1], [1, 0]]
    run = rnn_forward(turned, np.zeros((9, 2)))
    assert omega_gradient(turned, run, np.zeros(9, int), last)[0] == pytest.approx(0, abs=1e-20)
    assert sorted(np.abs(np.linalg.eigvals(turned["W"]))) == pytest.approx([0, 0, 1, 1])


@pytest.mark.slow
@pytest.mark.equation("10.52")
@pytest.mark.parametrize("nonlinearity", ["tanh", "sigmoid"])
@pytest.mark.parametrize("constant", WAYS)
@pytest.mark.parametrize("seed", range(4))
def test_the_three_gradients_are_those_of_double_backward_and_detach(constant, nonlinearity, seed):
    params, x, y, mask = problem(seed, n_h=seed + 2)
    run = rnn_forward(params, x, nonlinearity=nonlinearity)
    value, grads = omega_gradient(params, run, y, mask, constant=constant)
    expected, of_torch = by_autograd(params, x, y, mask, constant, nonlinearity)
    assert value == pytest.approx(expected, rel=1e-10)
    for name in params:
        assert grads[name].shape == params[name].shape
        np.testing.assert_allclose(grads[name], of_torch[name], rtol=1e-8, atol=1e-10)
    assert np.any(grads["W"])
    assert np.any(grads["V"]) == (constant == "nothing")
    assert np.any(grads["U"]) == (constant != "states")


@pytest.mark.equation("10.52")
def test_the_exact_gradient_is_that_of_finite_differences_and_the_others_are_not():
    params, x, y, mask = problem(5)

    def at(name, step):
        moved = params | {name: params[name] + step}
        return omega_gradient(moved, rnn_forward(moved, x), y, mask)[0]

    rng = np.random.default_rng(1)
    run = rnn_forward(params, x)
    exact, held, immediate = (
        omega_gradient(params, run, y, mask, constant=constant)[1] for constant in WAYS
    )
    for name in params:
        step = 1e-5 * rng.normal(size=params[name].shape)
        slope = (at(name, step) - at(name, -step)) / 2
        assert (exact[name] * step).sum() == pytest.approx(slope, rel=1e-6)
        for other in (held, immediate):
            assert (other[name] * step).sum() != pytest.approx(slope, rel=1e-2)


@pytest.mark.parametrize("constant", WAYS)
def test_seeds_side_by_side_are_seeds_alone(constant):
    rng = np.random.default_rng(0)
    params, x = init_rnn(2, 5, 3, seed=[3, 4]), rng.normal(size=(6, 2, 4, 2))
    y = rng.integers(3, size=(6, 2, 4))
    run = rnn_forward(params, x)
    values, grads = omega_gradient(params, run, y, constant=constant)
    terms = omega_terms(params, run, y)
    for s in range(2):
        own = {name: p[s] for name, p in params.items()}
        alone = rnn_forward(own, x[:, s])
        value, of_own = omega_gradient(own, alone, y[:, s], constant=constant)
        assert values[s] == pytest.approx(value, rel=1e-10)
        np.testing.assert_allclose(terms[:, s], omega_terms(own, alone, y[:, s]), rtol=1e-9)
        for name in own:
            np.testing.assert_allclose(grads[name][s], of_own[name], rtol=1e-8, atol=1e-12)
    assert values == pytest.approx(
        omega(
            *(lambda g: (flowed_back(g, state_jacobians(params, run)[1:]), g))(
                gradients_on_states(params, run, y)[1:]
            )
        )
    )


def gradients_on_states(params, run, y):
    """Sums of `gradient_through_time` over the outputs, each the end of a separate run."""
    total = np.zeros_like(run.h)
    for t in range(len(y)):
        until = rnn_forward(params, run.x[: t + 1])
        from_output = (until.yhat[t] - np.eye(3)[y[t]]) @ params["V"]
        total[: t + 1] += gradient_through_time(params, until, from_output)[1:]
    return total


@pytest.mark.parametrize("constant", WAYS)
def test_almost_vanished_gradients_do_not_overflow(constant):
    params = init_rnn(2, 8, 2, seed=0, dtype=np.float32)
    params["W"] *= np.float32(0.3)
    x = np.random.default_rng(0).normal(size=(100, 3, 2))
    run, y = rnn_forward(params, x), np.zeros((100, 3), int)
    last = np.zeros((100, 3))
    last[-1] = 1
    terms = omega_terms(params, run, y, last)
    assert 0 < np.isnan(terms).sum() < terms.size / 4  # below 1e-45, float32 ends
    value, grads = omega_gradient(params, run, y, last, constant=constant)
    exact = {name: p.astype(float) for name, p in params.items()}
    reference = omega_gradient(exact, rnn_forward(exact, x), y, last, constant=constant)[1]
    assert 0 < value < 100
    for name in params:
        assert grads[name].dtype == np.float32
        assert np.isfinite(grads[name]).all()
    # the remaining terms determine these directions, among many equal ones
    for name in "UW" if constant != "states" else "W":
        lengths = np.linalg.norm(grads[name]) * np.linalg.norm(reference[name])
        assert np.vdot(grads[name], reference[name]) > 0.9 * lengths


def test_gradients_that_overflow_are_reported():
    params = init_rnn(2, 8, 2, seed=0)
    params = params | {"W": 1e10 * params["W"], "U": 0 * params["U"]}
    run, y = rnn_forward(params, np.zeros((60, 2))), np.zeros(60, int)
    with pytest.raises(ValueError, match="params make gradients that overflow"):
        omega_terms(params, run, y)
    assert np.isnan(omega_gradient(params, run, y)[1]["W"]).any()


def test_backward_of_the_loss_is_left_as_it_was():
    params, x, y, mask = problem()
    run = rnn_forward(params, x)
    before = rnn_backward(params, run, y, mask)
    omega_gradient(params, run, y, mask)
    after = rnn_backward(params, run, y, mask)
    assert all((before[name] == after[name]).all() for name in before)


REFUSALS = {
    flowed_back: ({"grad_h": GH, "jacobian": P["W"]}, {"grad_h": REAL, "jacobian": REAL}),
    gradient_size: ({"grad_h": GH}, {"grad_h": REAL}),
    omega: ({"flowed": GH[1:], "grad_h": GH[1:]}, {"flowed": [*REAL, GH], "grad_h": [*REAL, GH]}),
    **{
        function: (
            {"params": P, "run": RUN, "y": Y, "mask": np.ones(3), **more},
            {
                "params": [*PARAMS, SEEDED, *overflowing],
                "run": [None, 3, rnn_forward(P, X[:1])],
                "y": TOKENS,
                "mask": MASK,
                **dict.fromkeys(more, NAME),
            },
        )
        for function, more, overflowing in (
            (omega_gradient, {"constant": "states"}, []),
            (omega_terms, {}, [{**P, "W": 1e200 * P["W"]}]),
        )
    },
}
