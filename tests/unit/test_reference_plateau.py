"""The two-span loss has the stated derivatives, and each descent method takes the stated step."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, KEPT, NAME, POSITIVE, REAL

from rnn_helpers.reference import two_spans, two_spans_path, two_spans_step
from rnn_helpers.reference.plateau import METHODS

pytestmark = pytest.mark.chapter("17")
points = st.tuples(st.floats(-1, 1.3), st.floats(-1, 2.5))
spans = st.integers(2, 20)
STILL = np.zeros(2)


def outputs(theta, tau):
    """Step the unit; return its outputs after one step and after tau."""
    torch = pytest.importorskip("torch")
    w, v = theta
    h, said = 1.0, []
    for _ in range(tau):
        h = w * h
        said.append(v * h)
    return torch.stack([said[0], said[-1]])


@pytest.mark.slow
@given(points, spans)
def test_the_derivatives_are_those_of_the_unit_that_is_stepped(theta, tau):
    torch = pytest.importorskip("torch")
    at = torch.tensor(theta, dtype=torch.float64)
    now = two_spans(theta, tau)

    def loss(at):
        return ((outputs(at, tau) - 1) ** 2).sum() / 2

    close = {"rtol": 1e-9, "atol": 1e-10}
    np.testing.assert_allclose(now.loss, loss(at), **close)
    np.testing.assert_allclose(now.gradient, torch.func.grad(loss)(at), **close)
    np.testing.assert_allclose(now.hessian, torch.func.hessian(loss)(at), **close)
    J = torch.func.jacrev(lambda at: outputs(at, tau))(at)
    np.testing.assert_allclose(now.gauss_newton, J.T @ J, **close)


def test_many_points_at_once_are_each_alone():
    many = np.random.default_rng(0).uniform(0, 1.2, size=(3, 4, 2))
    together = two_spans(many, 7)
    assert together.hessian.shape == (3, 4, 2, 2)
    for at in np.ndindex(3, 4):
        for part, alone in zip(together, two_spans(many[at], 7), strict=True):
            np.testing.assert_array_equal(part[at], alone)


@given(points, points, spans)
def test_steps_of_the_gradient_are_textbook(theta, velocity, tau):
    theta, velocity = np.array(theta), 0.1 * np.array(velocity)
    g = two_spans(theta, tau).gradient
    ahead = two_spans(theta + 0.8 * velocity, tau).gradient
    wanted = {
        "descent": -0.02 * g,
        "momentum": 0.8 * velocity - 0.02 * g,
        "nesterov": 0.8 * velocity - 0.02 * ahead,
    }
    for method, step in wanted.items():
        moved, kept = two_spans_step(method, theta, velocity, tau, lr=0.02, momentum=0.8)
        np.testing.assert_allclose(kept, step)
        np.testing.assert_allclose(moved, theta + step)


@given(points, spans, st.sampled_from(["hessian", "gauss_newton"]))
def test_steps_that_divide_by_curvature_solve_for_it(theta, tau, matrix):
    method = "newton" if matrix == "hessian" else "gauss_newton"
    now = two_spans(theta, tau)
    A, g = getattr(now, matrix), now.gradient
    for longest in (0.25, 1e6):
        _, step = two_spans_step(method, theta, STILL, tau, longest=longest)
        assert np.linalg.norm(step) <= longest * (1 + 1e-9)
    if np.linalg.cond(A) < 1e8 and np.linalg.norm(full := -np.linalg.solve(A, g)) < longest:
        np.testing.assert_allclose(step, full, rtol=1e-6, atol=1e-9)


@given(points, spans)
def test_a_long_step_is_damped_and_points_downhill_for_any_curvature(theta, tau):
    now = two_spans(theta, tau)
    _, step = two_spans_step("gauss_newton", theta, STILL, tau, longest=0.01)
    # (J^T J + lambda I) step = -g with one lambda >= 0 for both rows
    rest = -now.gradient - now.gauss_newton @ step
    damping = rest @ step / max(step @ step, 1e-300)
    assert damping >= -1e-9
    np.testing.assert_allclose(rest, damping * step, atol=1e-9 * max(1, np.abs(rest).max()))
    assert now.gradient @ step <= 0
    assert (np.linalg.eigvalsh(now.gauss_newton) >= -1e-12 * np.trace(now.gauss_newton)).all()


def test_newton_is_drawn_into_the_saddle_and_gauss_newton_is_not():
    np.testing.assert_array_equal(np.linalg.eigvalsh(two_spans(STILL, 10).hessian), [-1, 1])
    newton = two_spans_path("newton", (0.3, 0.3), 10, 12)
    assert np.abs(newton[-1]).max() < 1e-12  # at the saddle, where the loss is 1
    loss = two_spans(newton, 10).loss
    assert (loss[1:4] > loss[:3]).all()  # and it went uphill
    np.testing.assert_allclose(two_spans_path("gauss_newton", (0.3, 0.3), 10, 12)[-1], 1, atol=1e-9)


def test_on_the_plateau_the_ratio_is_as_promised_and_leads_uphill():
    w, tau = 0.5, 30
    now = two_spans((w, 1 / w), tau)
    g, h = now.gradient[0], now.hessian[0, 0] - now.gauss_newton[0, 0]
    assert abs(g) < 1e-6
    np.testing.assert_allclose(g / h, w / (tau - 1), rtol=1e-6)
    assert h < 0  # so that -g/h points to smaller w, where the loss is higher


def test_on_the_plateau_momentum_gathers_and_gauss_newton_strides():
    first = {}
    for method in METHODS:
        loss = two_spans(two_spans_path(method, (0.45, 1.8), 10, 60), 10).loss
        first[method] = int(np.argmax(loss < 0.01)) or None
    assert first == {
        "descent": None,
        "momentum": 59,
        "nesterov": 57,
        "newton": None,
        "gauss_newton": 4,
    }


def test_a_path_is_steps_from_rest_and_ends_where_a_weight_passes_ten():
    theta, velocity = (0.9, 1.2), STILL
    path = two_spans_path("nesterov", theta, 5, 3)
    for point in path[1:]:
        theta, velocity = two_spans_step("nesterov", theta, velocity, 5)
        np.testing.assert_array_equal(point, theta)
    thrown = two_spans_path("descent", (1.3, 1.3), 20, 50)
    assert len(thrown) < 51
    assert np.abs(thrown[-1]).max() > 10 >= np.abs(thrown[:-1]).max()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("theta", [(0, 0), (1, 1), (0, 1), (1, 0), (1 / 2, 2), (1e-8, 2.5)])
def test_steps_where_a_matrix_has_no_inverse_are_numbers(method, theta):
    moved, step = two_spans_step(method, theta, STILL, 20)
    assert np.isfinite(moved).all()
    assert np.linalg.norm(step) <= 0.25 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"theta": [1, 2, 3]}, r"theta has shape \(3,\); expected \(2,\)"),
        ({"velocity": [[1, 2]]}, "velocity has shape"),
        ({"method": "hessian"}, "expected one of 'descent'"),
        ({"momentum": 1}, r"expected a share in \[0, 1\)"),
        ({"longest": 0}, "longest is 0"),
        ({"tau": 1}, "tau is 1; expected an integer of at least 2"),
    ],
)
def test_mismatched_arguments_are_named(change, message):
    call = {"method": "newton", "theta": [0.5, 1.0], "velocity": [0.0, 0.0], "tau": 5}
    with pytest.raises(ValueError, match=message):
        two_spans_step(**call | change)


REFUSALS = {
    two_spans: (
        {"theta": [0.5, 2.0], "tau": 5},
        {"theta": [*REAL, 0.5, [0.5, 2.0, 1.0], [1e308, 1]], "tau": [*COUNT, 1]},
    ),
    two_spans_path: (
        {"method": "momentum", "start": [0.5, 2.0], "tau": 5, "steps": 3},
        {
            "method": NAME,
            "start": [*REAL, 0.5, [[0.5, 2.0]]],
            "tau": [*COUNT, 1],
            "steps": COUNT,
            "lr": POSITIVE,
            "momentum": KEPT,
            "longest": POSITIVE,
        },
    ),
    two_spans_step: (
        {"method": "newton", "theta": [0.5, 2.0], "velocity": [0.0, 0.1], "tau": 5},
        {
            "method": NAME,
            "theta": [*REAL, 0.5, [[0.5, 2.0]], [1e308, 1.0]],
            "velocity": [*REAL, 0.5, [[0.5, 2.0]]],
            "tau": [*COUNT, 1],
            "lr": POSITIVE,
            "momentum": KEPT,
            "longest": POSITIVE,
        },
    ),
}
