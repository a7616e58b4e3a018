"""Curvature of the loss, section 10.11: products with it, and steps that divide by it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import (
    LSTM_RUN,
    PARAMS,
    RUN,
    SEEDED,
    P,
    X,
    Y,
)
from refusals import (
    AT_LEAST_ZERO,
    COUNT,
    FUNCTION,
    INF,
    MASK,
    NAME,
    NAN,
    POSITIVE,
    RAGGED,
    TOKENS,
)
from test_reference_bptt import problems, relative_error

from rnn_helpers.reference import (
    conjugate_gradient,
    gauss_newton_product,
    hessian_free_step,
    init_rnn,
    output_tangent,
    power_derivatives,
    rnn_backward,
    rnn_forward,
    rnn_loss,
)
from rnn_helpers.tasks import Latch

pytestmark = pytest.mark.chapter("17")


def random_like(params, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=array.shape) for name, array in params.items()}


def dot(p, q):
    return sum((p[name] * q[name]).sum() for name in p)


# Powers: two derivatives that vanish together, and their ratio


def test_the_ratio_vanishes_like_one_over_tau_where_both_derivatives_vanish_exponentially():
    """The numbers are those for w = 0.5 and tau = 100."""
    first, second, ratio = power_derivatives(0.5, 100)
    assert first == pytest.approx(1.6e-28, rel=0.02)
    assert second == pytest.approx(3.1e-26, rel=0.02)
    assert ratio == 0.5 / 99


@given(st.floats(-1.5, 1.5), st.integers(2, 60))
def test_the_derivatives_of_a_power_match_finite_differences(w, tau):
    first, second, ratio = power_derivatives(w, tau)
    polynomial = np.poly1d([1] + [0] * tau)
    assert first == pytest.approx(polynomial.deriv()(w), rel=1e-9, abs=1e-300)
    assert second == pytest.approx(polynomial.deriv(2)(w), rel=1e-9, abs=1e-300)
    if abs(second) > 1e-200:
        assert ratio == pytest.approx(first / second, rel=1e-9)


def test_the_ratio_outlives_the_numbers_it_is_made_of():
    first, second, ratio = power_derivatives([0.5, 0.9], [[5000], [20000]])
    assert (first == 0)[:, 0].all()
    assert (second == 0)[:, 0].all()
    np.testing.assert_array_equal(ratio, np.divide([0.5, 0.9], [[4999], [19999]]))


def test_powers_that_overflow_are_refused():
    with pytest.raises(ValueError, match=r"w reaches 10\.0; expected one whose"):
        power_derivatives([1.0, -10.0], 400)
    with pytest.raises(ValueError, match=r"tau contains 1; expected integers of at least 2"):
        power_derivatives(0.5, [2, 1])


# The Gauss-Newton product
@given(problems(largest=6))
def test_tangent_is_the_derivative_of_the_outputs_along_the_direction(problem):
    params, x, h0, _, _, nonlinearity = problem
    v, e = random_like(params), 1e-6

    def outputs(step):
        moved = {name: p + step * v[name] for name, p in params.items()}
        return rnn_forward(moved, x, h0, nonlinearity).o

    found = output_tangent(params, rnn_forward(params, x, h0, nonlinearity), v)
    assert relative_error(found, (outputs(e) - outputs(-e)) / (2 * e)) < 1e-6


def torch_outputs(params, x, h0):
    """The outputs of a network of tanh units as a function of its parameters, in torch."""
    torch = pytest.importorskip("torch")
    x, h0 = torch.tensor(x), torch.tensor(h0)

    def outputs(p):
        h, o = h0, []
        for x_t in x:
            h = torch.tanh(p["b"] + h @ p["W"].T + x_t @ p["U"].T)
            o.append(p["c"] + h @ p["V"].T)
        return torch.stack(o)

    return outputs, {name: torch.tensor(p) for name, p in params.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_product_is_that_of_torch_func_and_of_the_assembled_matrix(seed):
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(seed)
    params = init_rnn(2, 4, 3, seed=seed)
    x, h0, mask = rng.normal(size=(6, 5, 2)), rng.normal(size=(5, 4)), rng.random((6, 5)) < 0.7
    run, v = rnn_forward(params, x, h0), random_like(params, seed)
    found = gauss_newton_product(params, run, v, mask)

    outputs, leaves = torch_outputs(params, x, h0)
    o, tangent = torch.func.jvp(outputs, (leaves,), ({k: torch.tensor(u) for k, u in v.items()},))
    yhat = torch.softmax(o, -1)
    H = torch.diag_embed(yhat) - yhat[..., :, None] * yhat[..., None, :]
    H = H * torch.tensor(mask)[..., None, None]
    by_torch = torch.func.vjp(outputs, leaves)[1]((H @ tangent[..., None])[..., 0])[0]
    for name in params:
        assert relative_error(found[name], by_torch[name].numpy()) < 1e-12, name

    J = torch.func.jacrev(outputs)(leaves)  # every output by every parameter
    J = torch.cat([J[name].flatten(3) for name in params], dim=-1)
    G = torch.einsum("tbip,tbij,tbjq->pq", J, H, J).numpy()
    whole = np.concatenate([v[name].ravel() for name in params])
    assert relative_error(np.concatenate([found[k].ravel() for k in params]), G @ whole) < 1e-12


@given(problems(largest=6), st.integers(0, 2**32 - 1))
def test_curvature_is_symmetric_and_never_negative(problem, seed):
    params, x, h0, _, mask, nonlinearity = problem
    run = rnn_forward(params, x, h0, nonlinearity)
    u, v = random_like(params, seed), random_like(params, seed + 1)
    Gu, Gv = (gauss_newton_product(params, run, one, mask) for one in (u, v))
    assert dot(u, Gu) >= -1e-9 * dot(u, u)
    assert dot(u, Gv) == pytest.approx(dot(v, Gu), rel=1e-9, abs=1e-9)


def test_networks_side_by_side_have_the_products_they_have_alone():
    params, x = init_rnn(2, 4, 3, seed=[0, 1, 2]), np.random.default_rng(0).normal(size=(6, 5, 2))
    v = random_like(params)
    together = gauss_newton_product(params, rnn_forward(params, x), v)
    for s in range(3):
        one, move = ({name: a[s] for name, a in arrays.items()} for arrays in (params, v))
        for name, alone in gauss_newton_product(one, rnn_forward(one, x), move).items():
            assert relative_error(together[name][s], alone) < 1e-12, name


def test_a_direction_must_fit_the_parameters():
    params = init_rnn(3, 4, 3)
    run = rnn_forward(params, [0, 1, 2])
    with pytest.raises(ValueError, match=r"direction\['W'\] has shape \(4,\); expected \(4, 4\)"):
        gauss_newton_product(params, run, params | {"W": params["b"]})
    with pytest.raises(ValueError, match="direction lacks V, c; expected U, W, V, b, c"):
        gauss_newton_product(params, run, {name: params[name] for name in "UWb"})


# Conjugate gradients


def systems(n, seeds, seed):
    """Positive definite matrices, and right-hand sides, for each seed."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(*seeds, n, n))
    return A @ A.mT + 0.1 * np.eye(n), rng.normal(size=(*seeds, n))


@given(st.integers(1, 7), st.sampled_from([(), (1,), (3,)]), st.integers(0, 2**32 - 1))
def test_as_many_steps_as_unknowns_solve_the_system(n, seeds, seed):
    A, right = systems(n, seeds, seed)
    damping = np.random.default_rng(seed).random(seeds)
    g = {"first": right[..., :1], "rest": right[..., 1:]}  # one vector in two arrays

    def product(v):
        whole = np.concatenate([v["first"], v["rest"]], axis=-1)
        found = (A @ whole[..., None])[..., 0]
        return {"first": found[..., :1], "rest": found[..., 1:]}

    for start in (None, {"first": 0 * g["first"] + 3, "rest": 0 * g["rest"] - 1}):
        x = conjugate_gradient(
            product, g, steps=4 * n, damping=damping, start=start, tolerance=1e-13,
            seed_axis=bool(seeds),
        )  # fmt: skip
        found = np.concatenate([x["first"], x["rest"]], axis=-1)
        damped = A + damping[..., None, None] * np.eye(n)
        expected = np.linalg.solve(damped, right[..., None])[..., 0]
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_every_step_lowers_the_quadratic_and_systems_do_not_disturb_each_other():
    A, right = systems(6, (3,), 0)
    right[1] = 0  # is solved at once
    before = np.zeros(3)
    for steps in range(1, 7):
        together = conjugate_gradient(
            lambda v: {"x": (A @ v["x"][..., None])[..., 0]}, {"x": right}, steps=steps,
            seed_axis=True,
        )["x"]  # fmt: skip
        quadratic = np.einsum("si,sij,sj->s", together, A, together) / 2 - (right * together).sum(1)
        assert (quadratic[[0, 2]] < before[[0, 2]]).all()
        assert not together[1].any()
        before = quadratic
        for s in range(3):
            matrix = A[s]
            alone = conjugate_gradient(
                lambda v, matrix=matrix: {"x": matrix @ v["x"]}, {"x": right[s]}, steps=steps
            )
            np.testing.assert_allclose(together[s], alone["x"], rtol=1e-9, atol=1e-12)


def test_it_stops_at_negative_curvature():
    A = np.diag([2.0, -1.0])
    x = conjugate_gradient(lambda v: {"x": A @ v["x"]}, {"x": np.array([0.0, 1.0])}, steps=5)
    assert not x["x"].any()


# Newton, Gauss-Newton and saddle points


@pytest.mark.slow
def test_newton_goes_to_the_saddle_and_gauss_newton_leaves_it():
    """The statement of section 10.11 about second-order methods doesn't hold for this one.

    With all weights at 0 the output does not depend on the input: a saddle point of the loss.
    """
    torch = pytest.importorskip("torch")
    x, y = np.array([[[1.0], [-1.0]]]), np.array([[1, 0]])  # for example, the sign of one input
    saddle = {name: 0.0 * p for name, p in init_rnn(1, 1, 2).items()}
    grads = rnn_backward(saddle, rnn_forward(saddle, x), y)
    assert not any(grads[name].any() for name in saddle)

    near = saddle | {name: 0.1 * random_like(saddle, 3)[name] for name in "UV"}
    outputs, leaves = torch_outputs(near, x, np.zeros((2, 1)))

    def loss(u, v):
        moved = leaves | {"U": u.reshape(1, 1), "V": v.reshape(2, 1)}
        return torch.nn.functional.cross_entropy(outputs(moved)[-1], torch.tensor(y[-1]))

    def hessian(at):
        blocks = torch.autograd.functional.hessian(loss, tuple(at.split([1, 2])))
        return torch.cat([torch.cat(row, dim=1) for row in blocks])

    at = torch.cat([leaves["U"].ravel(), leaves["V"].ravel()]).requires_grad_()
    for _ in range(8):
        (g,) = torch.autograd.grad(loss(*at.split([1, 2])), at)
        step = torch.linalg.pinv(hessian(at), hermitian=True, rtol=1e-8) @ g
        at = (at - step).detach().requires_grad_()
    assert torch.linalg.eigvalsh(hessian(at)).min() < -0.1  # no minimum
    np.testing.assert_allclose(at[0].item(), 0, atol=1e-9)
    np.testing.assert_allclose((at[1] - at[2]).item(), 0, atol=1e-9)  # the range of V

    step = None
    for _ in range(30):
        step = hessian_free_step(near, x, y, previous=step)
        near = step.params
    assert rnn_loss(rnn_forward(near, x), y) / 2 < 0.05


# The Hessian-free method


@pytest.mark.slow
def test_hessian_free_learns_its_task_and_reports_its_steps():
    params = init_rnn(1, 8, 2, seed=[0, 1, 2], scale=0.2)
    x, y, mask = next(Latch().batches(8, 50, [0, 1, 2]))
    step, losses = None, []
    for _ in range(25):
        now = hessian_free_step(params, x, y, mask, previous=step, cg_steps=20)
        assert now.products <= 23
        if step is not None:
            expected = np.where(now.ratio > 0.75, 2 / 3, np.where(now.ratio < 0.25, 1.5, 1))
            np.testing.assert_allclose(now.damping, step.damping * expected)
        for name, p in params.items():
            length = now.length.reshape(-1, *[1] * (p.ndim - 1))
            np.testing.assert_allclose(now.params[name], p - length * now.direction[name])
        step, params = now, now.params
        losses.append(step.loss)
    assert (np.diff(losses, axis=0) <= 1e-12).all()  # on one minibatch, no step raises the loss
    assert (losses[-1] < 0.01).all()


def test_a_network_alone_steps_as_it_does_among_others():
    params = init_rnn(1, 5, 2, seed=[0, 1])
    x, y, mask = next(Latch().batches(5, 20, [0, 1]))
    together = alone = None
    one = {name: p[1] for name, p in params.items()}
    for _ in range(4):
        together = hessian_free_step(params, x, y, mask, previous=together)
        alone = hessian_free_step(one, x[:, 1], y[:, 1], mask, previous=alone)
        params, one = together.params, alone.params
        assert together.loss[1] == pytest.approx(alone.loss, rel=1e-6)
        for name in one:
            assert relative_error(params[name][1], one[name]) < 1e-5, name


def test_a_step_that_cannot_lower_the_loss_is_not_taken():
    params = {name: 0 * p for name, p in init_rnn(1, 3, 2).items()}
    step = hessian_free_step(params, [[1.0], [0.0]], [1, 0], [1, 1])
    assert step.length == 0
    assert all((step.params[name] == params[name]).all() for name in params)
    assert step.loss == pytest.approx(np.log(2))


def test_single_precision_stays_single():
    params = init_rnn(1, 3, 2, seed=[0, 1], dtype=np.float32)
    x, y, mask = next(Latch().batches(4, 6, [0, 1]))
    step = hessian_free_step(params, x.astype(np.float32), y, mask)
    step = hessian_free_step(step.params, x.astype(np.float32), y, mask, previous=step)
    assert {p.dtype for p in (step.params | step.direction).values()} == {np.dtype(np.float32)}


REFUSALS = {
    power_derivatives: (
        {"w": 0.5, "tau": [2, 100]},
        {
            "w": [None, "a", NAN, [NAN, 1.0], RAGGED, 1j, 1e300, np.zeros(3)],
            "tau": [*COUNT[1:-1], 1, [2, 1], RAGGED],
        },
    ),
    **{
        function: (
            {"params": P, "run": RUN, "direction": P} | mask,
            {"params": [*PARAMS, SEEDED], "run": [None, 3, {}, P, LSTM_RUN], "direction": PARAMS}
            | dict.fromkeys(mask, MASK),
        )
        for function, mask in ((output_tangent, {}), (gauss_newton_product, {"mask": None}))
    },
    conjugate_gradient: (
        {"product": lambda v: v, "g": {"x": [1.0, 2.0]}, "steps": 2},
        {
            "product": [None, *FUNCTION, lambda v: None, lambda v: {}, lambda v: {"x": [1.0]}],
            "g": [None, 3, {}, {"x": NAN}, {"x": "a"}],
            "steps": COUNT,
            "damping": [-1, NAN, INF, "a", [1, 2]],
            "start": [3, {}, {"x": [NAN, 1.0]}, {"x": [1.0]}],
            "tolerance": AT_LEAST_ZERO,
        },
    ),
    hessian_free_step: (
        {"params": P, "x": X, "y": Y, "mask": None},
        {
            "params": PARAMS,
            "x": TOKENS,
            "y": TOKENS,
            "mask": [*MASK, np.zeros(3)],
            "previous": [3, {}],
            "damping": POSITIVE,
            "cg_steps": COUNT,
            "nonlinearity": NAME,
        },
    ),
}
