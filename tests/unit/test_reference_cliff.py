"""The network of two parameters of figure 10.17: its loss, its gradient, its cliff."""

import numpy as np
import pytest
from computed import thrown_descent
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, REAL

from rnn_helpers.reference import cliff_gradient, cliff_loss, cliff_state, sigmoid

pytestmark = pytest.mark.chapter("17")
weights, biases = st.floats(-8, 14), st.floats(-10, 10)
steps = st.integers(1, 30)


@given(weights, biases, steps)
def test_the_state_is_that_of_the_recurrence(w, b, n_steps):
    x = 0.5
    for _ in range(n_steps):
        x = w * sigmoid(x) + b
    assert cliff_state(w, b, n_steps) == pytest.approx(x, abs=1e-12)
    assert cliff_loss(w, b, n_steps) == pytest.approx((sigmoid(x) - 0.7) ** 2, abs=1e-12)


@pytest.mark.slow
@given(weights, biases, steps)
def test_the_gradient_is_that_of_autograd(w, b, n_steps):
    torch = pytest.importorskip("torch")
    theta = torch.tensor([w, b], dtype=torch.float64, requires_grad=True)
    x = torch.tensor(0.5, dtype=torch.float64)
    for _ in range(n_steps):
        x = theta[0] * torch.sigmoid(x) + theta[1]
    (torch.sigmoid(x) - 0.7).square().backward()
    np.testing.assert_allclose(
        cliff_gradient(w, b, n_steps), theta.grad.numpy(), rtol=1e-9, atol=1e-12
    )


def test_the_gradient_is_that_of_finite_differences():
    rng, eps = np.random.default_rng(0), 1e-6
    w, b = rng.uniform(-8, 12, 200), rng.uniform(-10, 8, 200)
    by_w = (cliff_loss(w + eps, b, 20) - cliff_loss(w - eps, b, 20)) / (2 * eps)
    by_b = (cliff_loss(w, b + eps, 20) - cliff_loss(w, b - eps, 20)) / (2 * eps)
    ours = cliff_gradient(w, b, 20)
    np.testing.assert_allclose(ours, np.stack([by_w, by_b], axis=-1), rtol=1e-4, atol=1e-7)


def steepest(n_steps, w=5.0):
    """Largest gradient along the bias at a weight, and the bias where it is."""
    b, reach = -2.0, 3.0
    for _ in range(4):
        line = b + np.linspace(-reach, reach, 20001)
        sizes = np.linalg.norm(cliff_gradient(w, line, n_steps), axis=-1)
        b, reach = line[sizes.argmax()], reach / 100
    return sizes.max(), b


@pytest.mark.slow
def test_the_cliff_is_exponentially_steep():
    """Figure 10.17's caption: at w = 5, each step multiplies by w sigmoid'(0.5) = 1.175."""
    sizes = [steepest(T)[0] for T in (5, 10, 20, 50, 100)]
    np.testing.assert_allclose(sizes, [1.5, 5.5, 43, 6.8e3, 2.2e7], rtol=0.03)
    rate = (sizes[-1] / sizes[-2]) ** (1 / 50)
    assert rate == pytest.approx(5 * sigmoid(0.5) * sigmoid(-0.5), abs=5e-4)


@pytest.mark.slow
@pytest.mark.parametrize("w", [4.6, 5.0, 6.0])
def test_the_cliff_is_where_the_start_is_a_fixed_point_that_repels(w):
    assert steepest(60, w)[1] == pytest.approx(0.5 - w * sigmoid(0.5), abs=5e-4)


@pytest.mark.slow
def test_with_an_attracting_start_more_steps_do_not_steepen_the_loss():
    assert steepest(200, 3.0)[0] == pytest.approx(steepest(60, 3.0)[0], rel=1e-4)


def test_weights_and_biases_broadcast():
    w, b = np.linspace(-3, 7, 4), np.linspace(-5, 1, 3)
    loss, gradient = cliff_loss(w[:, None], b), cliff_gradient(w[:, None], b)
    assert (loss.shape, gradient.shape) == ((4, 3), (4, 3, 2))
    assert loss[2, 1] == cliff_loss(w[2], b[1])
    np.testing.assert_array_equal(gradient[2, 1], cliff_gradient(w[2], b[1]))
    assert cliff_gradient(np.float32(1), np.float32(2)).dtype == np.float32


@pytest.mark.filterwarnings("error")
def test_extremes_give_numbers():
    big = np.array([-1.7e308, -1e200, -800.0, -1.0, 0.0, 1.0, 800.0, 1e200, 1.7e308])
    w, b = big[:, None], big
    for n_steps in (1, 2, 50, 400):
        loss, gradient = cliff_loss(w, b, n_steps), cliff_gradient(w, b, n_steps)
        assert ((loss >= 0) & (loss <= 0.49)).all()
        assert not np.isnan(gradient).any()
    # The state stays at its repelling start, and the derivative of every step is 0.235 w.
    w = 1e7
    assert not np.isnan(cliff_gradient(w, 0.5 - w * sigmoid(0.5), 400)).any()


def test_shapes_that_do_not_broadcast_are_named():
    with pytest.raises(ValueError, match=r"b has shape \(2,\).*\(3,\)"):
        cliff_loss(np.zeros(3), np.zeros(2))


def test_the_figures_descent_is_thrown_from_the_wall():
    at, length, _ = thrown_descent().values()
    uphill = np.array(cliff_gradient(*at, 50)) / length
    below, above = (cliff_loss(*(at + step * uphill), 50) for step in (-0.02, 0.1))
    assert below < 0.01 < cliff_loss(*at, 50) < above


REFUSALS = {
    **{
        function: (
            {"w": [5.0, 4.0], "b": -2.6, "n_steps": 5},
            {"w": REAL[:-1], "b": [*REAL[:-1], [1, 2, 3]], "n_steps": COUNT},
        )
        for function in (cliff_gradient, cliff_loss, cliff_state)
    }
}
