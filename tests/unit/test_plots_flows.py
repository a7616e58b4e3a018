import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.palette import colour
from rnn_helpers.reference import init_rnn, omega_terms, rnn_forward

pytestmark = pytest.mark.chapter("17")

RNG = np.random.default_rng(0)
GRAD = RNG.normal(size=5)
X = RNG.normal(size=(9, 3))


def network(seed=0, scale=1.0, T=9):
    """Return a network whose loss at the end has a gradient along GRAD, and its run."""
    params = init_rnn(3, 5, 2, seed=seed)
    params |= {"W": scale * params["W"], "V": np.array([GRAD, -GRAD])}
    return params, rnn_forward(params, X[:T])


@pytest.mark.slow
@pytest.mark.equation("10.50", "10.51", "10.52")
def test_the_drawn_ratios_are_those_of_the_loss_and_add_up_to_omega():
    params, run = network()
    ratio = omega_terms(params, run, np.ones(9, int), np.arange(9) == 8)
    curve, ratios, total = plots.gradient_flow(params, run, GRAD).figure.axes
    length = curve.lines[0].get_ydata()
    np.testing.assert_allclose(length[:-1] / length[1:], ratio, rtol=1e-9)
    assert length[-1] == 1
    np.testing.assert_allclose(ratios.lines[-1].get_ydata(), ratio, rtol=1e-9)
    tops = [bar.get_y() + bar.get_height() for bar in total.patches[8:]]
    np.testing.assert_allclose(tops, np.cumsum((ratio - 1)[::-1] ** 2)[::-1], rtol=1e-9)
    assert curve.lines[0].get_color() == colour("gradient")


@pytest.mark.slow
def test_other_networks_are_named():
    params, run = network()
    plot = plots.gradient_flow(params, run, GRAD, others={"wider": network(1, 2.0)})
    curve = plot.figure.axes[0]
    assert [text.get_text() for text in curve.get_legend().get_texts()] == ["wider"]
    assert plot.png("light") != plot.png("dark")


@pytest.mark.slow
def test_a_gradient_that_becomes_0_ends_the_curve():
    params, run = network(scale=0.0)
    plot = plots.gradient_flow(params, run, GRAD)
    assert plot.png()
    assert "7 have none to leave" in plot.alt
    assert "add up to Omega = 1." in plot.alt


def test_errors_name_the_argument():
    params, run = network()
    with pytest.raises(ValueError, match="grad_last is 0"):
        plots.gradient_flow(params, run, np.zeros(5))
    with pytest.raises(ValueError, match="expected one sequence of two steps"):
        plots.gradient_flow(*network(T=1), GRAD)
    with pytest.raises(ValueError, match="others of 'short' has 4 steps; expected 9"):
        plots.gradient_flow(params, run, GRAD, others={"short": network(T=4)})
    with pytest.raises(TypeError, match="others is list; expected a mapping"):
        plots.gradient_flow(params, run, GRAD, others=[(params, run)])
    with pytest.raises(ValueError, match="5 names; expected 4 at most"):
        plots.gradient_flow(params, run, GRAD, others=dict.fromkeys("abcde", (params, run)))
