import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from networks import GH, PARAMS, RUN, SEEDED, P
from refusals import (
    NAN,
    REAL,
    SQUARE,
    TIME,
)

from rnn_helpers.reference import (
    direction_changes,
    eigendecompose,
    gradient_through_time,
    init_rnn,
    linear_state,
    linear_step,
    modes,
    power_norms,
    rnn_backward,
    rnn_forward,
    spectral_radius,
    spectral_state,
    spectral_state_as_printed,
    state_jacobians,
)

pytestmark = pytest.mark.chapter("13")
sizes, steps = st.integers(1, 6), st.integers(0, 9)
seeds = st.integers(0, 2**32 - 1)
ROTATION = [[0.0, -1.0], [1.0, 0.0]]


@st.composite
def matrices(draw, symmetric=False):
    """Draw a random matrix, and return it with the generator for further draws."""
    n, rng = draw(sizes), np.random.default_rng(draw(seeds))
    W = rng.normal(size=(n, n)) / n**0.5
    return (W + W.T) / 2 if symmetric else W, rng


@pytest.mark.equation("10.36", "10.37")
@given(matrices(), steps)
def test_a_matrix_power_gives_the_state_after_many_steps(problem, t):
    W, rng = problem
    for h0 in (rng.normal(size=len(W)), rng.normal(size=(3, len(W)))):
        h = h0
        for _ in range(t):
            np.testing.assert_allclose(linear_step(W, h), h @ W, rtol=1e-12, atol=1e-14)
            h = linear_step(W, h)
        np.testing.assert_allclose(linear_state(W, h0, t), h, rtol=1e-9, atol=1e-12)


@pytest.mark.equation("10.38")
@given(matrices(symmetric=True))
def test_eigenvectors_and_eigenvalues_recover_a_symmetric_matrix(problem):
    W, _ = problem
    Q, eigenvalues = eigendecompose(W)
    np.testing.assert_allclose(Q @ np.diag(eigenvalues) @ Q.T, W, atol=1e-12)
    np.testing.assert_allclose(Q.T @ Q, np.eye(len(W)), atol=1e-12)
    assert (np.diff(np.abs(eigenvalues)) <= 0).all()


@pytest.mark.equation("10.38")
def test_a_rotation_has_no_real_orthogonal_form():
    with pytest.raises(ValueError, match=r"W is not symmetric \(W\[0, 1\] is -1, W\[1, 0\] is 1\)"):
        eigendecompose(ROTATION)
    np.testing.assert_allclose(modes(ROTATION, [1, 0]).eigenvalues, [1j, -1j], atol=1e-15)


@pytest.mark.equation("10.39")
@given(matrices(symmetric=True), steps)
def test_powers_of_eigenvalues_give_the_state(problem, t):
    W, rng = problem
    h0 = rng.normal(size=(2, len(W)))
    state = spectral_state(*eigendecompose(W), h0, t)
    np.testing.assert_allclose(state, linear_state(W, h0, t), rtol=1e-9, atol=1e-12)


@pytest.mark.equation("10.39")
def test_the_printed_formula_gives_a_different_state():
    rng = np.random.default_rng(0)
    W = rng.normal(size=(4, 4))
    parts = eigendecompose(W + W.T)
    h0 = rng.normal(size=4)
    right, printed = (f(*parts, h0, 6) for f in (spectral_state, spectral_state_as_printed))
    assert np.linalg.norm(printed - right) > 0.5 * np.linalg.norm(right)
    np.testing.assert_allclose(spectral_state_as_printed(*parts, h0, 0), h0)


@given(matrices(), steps)
def test_the_sum_of_the_modes_is_the_state(problem, t):
    W, rng = problem
    h0 = rng.normal(size=len(W))
    assume(np.linalg.cond(np.linalg.eig(W)[1]) < 1e4)
    found = modes(W, h0)
    np.testing.assert_allclose(found.state(t), linear_state(W.T, h0, t), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found.state([0, t]), [found.state(0), found.state(t)])
    np.testing.assert_allclose(np.linalg.norm(found.vectors, axis=0), 1)
    np.testing.assert_allclose(np.abs(found.eigenvalues[0]), spectral_radius(W))
    assert (np.diff(np.abs(found.eigenvalues)) <= 0).all()


def test_the_mode_with_positive_imaginary_part_comes_first():
    turned = 0.9 * np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])
    assert modes(turned, [1, 0]).eigenvalues[0].imag > 0


def test_modes_reject_defective_matrices_and_bad_times():
    with pytest.raises(ValueError, match="W has eigenvectors that are multiples of each other"):
        modes([[0.9, 10], [0, 0.9]], [0, 1])
    with pytest.raises(ValueError, match=r"h0 has shape \(3,\)"):
        modes(ROTATION, [1, 2, 3])
    found = modes([[2.0, 1.0], [0.0, 3.0]], [1, 1])
    with pytest.raises(ValueError, match="t contains -1"):
        found.state(-1)
    with pytest.raises(TypeError, match="t has dtype float64; expected integers"):
        found.state(0.5)
    with pytest.raises(ValueError, match="t reaches 999, where the state overflows"):
        found.state(999)


def test_the_norm_can_grow_at_first_if_the_radius_is_below_one():
    norms = power_norms([[0.9, 10], [0, 0.9]], 63)
    assert spectral_radius([[0.9, 10], [0, 0.9]]) == 0.9
    assert norms.argmax() == 9
    assert norms.max() == pytest.approx(38.7, abs=0.05)
    assert norms[62] > 1 > norms[63]


@given(matrices(), steps)
def test_norms_of_powers_are_singular_values_within_their_bounds(problem, T):
    W, rng = problem
    norms = power_norms(W, T)
    assert norms.shape == (T + 1,)
    for k, norm in enumerate(norms):
        expected = np.linalg.norm(np.linalg.matrix_power(W, k), 2)
        np.testing.assert_allclose(norm, expected, rtol=1e-9, atol=1e-12)
        assert spectral_radius(W) ** k <= norm * (1 + 1e-9) + 1e-12
    both = np.stack([W, rng.normal(size=W.shape)])
    np.testing.assert_allclose(power_norms(both, T)[:, 0], norms)
    np.testing.assert_allclose(spectral_radius(both)[0], spectral_radius(W))


def test_powers_that_overflow_are_rejected():
    with pytest.raises(ValueError, match=r"T is 99, but W\^4 overflows"):
        power_norms([[1e100]], 99)


@st.composite
def runs(draw):
    rng = np.random.default_rng(draw(seeds))
    n_x, n_h, n_y, T = (draw(st.integers(1, 4)) for _ in range(4))
    with_seeds = draw(st.booleans())
    batch = (draw(st.integers(1, 2)),) if with_seeds or draw(st.booleans()) else ()
    params = init_rnn(n_x, n_h, n_y, [rng, rng] if with_seeds else rng, scale=1)
    params["b"] += rng.normal(size=params["b"].shape)
    x = rng.normal(size=(T, *batch, n_x))
    return params, rnn_forward(params, x, nonlinearity=draw(st.sampled_from(["tanh", "sigmoid"])))


def jacobian_products(params, run):
    """Return the Jacobian of the last state with respect to each state, from the first on."""
    jacobians = state_jacobians(params, run)
    products = [np.broadcast_to(np.eye(jacobians.shape[-1]), jacobians.shape[1:])]
    for jacobian in jacobians[::-1]:
        products.append(products[-1] @ jacobian)
    return np.array(products[::-1])


@pytest.mark.equation("10.20")
@given(runs())
def test_products_of_jacobians_are_derivatives_of_the_last_state(problem):
    params, run = problem
    T, n_h = len(run.x), run.h.shape[-1]
    jacobians, products = state_jacobians(params, run), jacobian_products(params, run)
    assert jacobians.shape == (*run.h.shape, n_h)
    assert products.shape == (T + 1, *run.h.shape[1:], n_h)
    np.testing.assert_allclose(products[-2], jacobians[-1])
    x = run.x[:, 0] if run.h.ndim == 4 else run.x

    def last(t, h):
        if t == T:
            return h
        return rnn_forward(params, x[t:], h, run.nonlinearity).h[-1]

    for t in range(T + 1):
        for j in range(n_h):
            e = 1e-6 * np.eye(n_h)[j]
            numeric = (last(t, run.states[t] + e) - last(t, run.states[t] - e)) / 2e-6
            np.testing.assert_allclose(products[t][..., j], numeric, rtol=1e-5, atol=1e-7)


@pytest.mark.equation("10.21")
@given(runs(), seeds)
def test_the_gradient_is_multiplied_by_transposed_jacobians(problem, seed):
    params, run = problem
    grad_last = np.random.default_rng(seed).normal(size=run.h.shape[-1])
    grads = gradient_through_time(params, run, grad_last)
    assert grads.shape == run.states.shape
    expected = jacobian_products(params, run).mT @ grad_last
    np.testing.assert_allclose(grads, expected, rtol=1e-9, atol=1e-13)


@given(runs())
def test_the_gradient_equals_backpropagation_from_one_output_at_the_end(problem):
    params, run = problem
    y = np.zeros(run.o.shape[:-1], int)
    mask = np.zeros(y.shape)
    mask[-1] = 1
    grad_o = run.yhat[-1] - np.eye(run.o.shape[-1])[0]
    grads = gradient_through_time(params, run, grad_o @ params["V"])
    expected = rnn_backward(params, run, y, mask)["h0"]
    np.testing.assert_allclose(grads[0], expected, rtol=1e-9, atol=1e-13)


def test_a_gradient_that_overflows_is_rejected():
    params = init_rnn(1, 1, 1) | {"W": np.array([[1e300]])}
    run = rnn_forward(params, np.zeros((3, 1)))
    with pytest.raises(ValueError, match="grad_last overflows on its way back"):
        gradient_through_time(params, run, [1])


def test_level_stretches_do_not_count_as_turns():
    assert direction_changes([0, 1, 2, 1, 0, 1]) == 2
    assert direction_changes([0, 1, 1, 2]) == 0
    assert direction_changes([0, 1, 1, 0]) == 1
    assert direction_changes([3]) == direction_changes([2, 2, 2]) == 0
    np.testing.assert_array_equal(direction_changes([[0, 1, 0], [0, 1, 2]]), [1, 0])


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_reversing_or_negating_a_curve_keeps_its_number_of_turns(values):
    turns = direction_changes(values)
    assert 0 <= turns <= max(len(values) - 2, 0)
    assert turns == direction_changes(values[::-1]) == direction_changes(np.negative(values))


def test_a_gradient_along_a_shrinking_eigenvector_can_grow():
    J = np.array([[0.9, 5], [0, 0.5]])
    v = modes(J, [1, 0]).vectors[:, 0]
    assert np.linalg.norm(J @ v) == pytest.approx(0.9)
    assert np.linalg.norm(J.T @ v) == pytest.approx(5.08, abs=0.005)
    assert power_norms(J, 10)[[1, 3, 10]] == pytest.approx([5.10, 7.59, 4.36], abs=0.01)


SYMMETRIC = [[1, 2], [2, 1]]

REFUSALS = {
    direction_changes: ({"values": [1, 2, 1]}, {"values": [*REAL[:-1], 3]}),
    eigendecompose: ({"W": SYMMETRIC}, {"W": [*SQUARE, [[0, 1], [2, 0]], np.zeros((2, 3, 3))]}),
    gradient_through_time: (
        {"params": P, "run": RUN, "grad_last": GH[-1]},
        {"params": [*PARAMS, SEEDED], "run": [None, 3], "grad_last": [*REAL, [1, 2], 1]},
    ),
    state_jacobians: ({"params": P, "run": RUN}, {"params": [*PARAMS, SEEDED], "run": [None, 3]}),
    linear_step: ({"W": P["W"], "h": RUN.h[0]}, {"W": REAL, "h": REAL}),
    linear_state: (
        {"W": P["W"], "h0": RUN.h[0], "t": 3},
        {"W": [*REAL, 1e200 * P["W"]], "h0": REAL, "t": TIME},
    ),
    modes: (
        {"W": P["W"], "h0": RUN.h[0]},
        {"W": [*SQUARE, np.zeros((2, 4, 4))], "h0": [*REAL, [1, 2], 1]},
    ),
    modes(P["W"], RUN.h[0]).state: (
        {"t": [0, 3]},
        {"t": [None, "a", NAN, -1, 1.5, [0, -1], 10**7]},
    ),
    power_norms: ({"W": P["W"], "T": 3}, {"W": [*SQUARE, 1e200 * P["W"]], "T": TIME}),
    **{
        function: (
            {"Q": np.eye(4), "eigenvalues": [1, 0.5, -0.5, 0], "h0": RUN.h[0], "t": 3},
            {"Q": REAL, "eigenvalues": [*REAL, [1e200] * 4], "h0": REAL, "t": TIME},
        )
        for function in (spectral_state, spectral_state_as_printed)
    },
    spectral_radius: ({"W": P["W"]}, {"W": SQUARE}),
}
