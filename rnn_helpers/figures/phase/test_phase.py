"""Tests that the figure phase matches the reference, and that its texts state its numbers."""

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures.phase import model as phase
from rnn_helpers.reference import rnn_forward

pytestmark = pytest.mark.chapter("13")
META = manifest()["phase"]
DEFAULT = complete("phase", {})
RUNS, STEPS = phase.CONSTANTS.RUNS, phase.CONSTANTS.STEPS


def states(noise):
    """Compute the states of all runs, shape (STEPS + 1, RUNS, 2)."""
    draws = np.random.RandomState(0).standard_normal((RUNS, STEPS, 2)).swapaxes(0, 1)
    starts = np.repeat(phase.STARTS, RUNS // 2, axis=0)
    run = rnn_forward(phase.network(), noise * draws, h0=starts)
    return np.concatenate([starts[None], run.h])


def test_the_weights_rotate_and_stretch(math):
    W = np.array(math.eval("M.W"))
    close(W, phase.network()["W"])
    close(W.T @ W, phase.CONSTANTS.GAIN**2 * np.eye(2))


def test_orbits_match_the_reference_and_stay_opposite(math):
    run = rnn_forward(phase.network(), np.zeros((STEPS, 2, 2)), h0=phase.STARTS)
    for i, start in enumerate(phase.STARTS):
        close(math("orbit", start.tolist())[1:], run.h[:, i])
    close(run.h[:, 0], -run.h[:, 1])


def test_gradients_match_the_reference(math):
    orbit = math("orbit", phase.STARTS[0].tolist())
    close(math("logGradient", orbit), np.log10(phase.gradient()))
    close(math("logGradientOfOne"), np.log10(phase.gradient_at_rest()))


@pytest.mark.parametrize(("noise", "t"), [(0.1, 1), (0.1, STEPS), (0.5, 37)])
def test_noisy_runs_match_the_reference(math, noise, t):
    ours = math("runs", noise, t)
    close(ours, states(noise)[t])
    quiet = math("orbit", phase.STARTS[0].tolist())[t]
    own = np.repeat([1, -1], RUNS // 2)
    assert math("kept", ours, quiet) == int(np.sum((np.array(ours) @ quiet) * own > 0))


def test_the_texts_state_the_numbers(math):
    left, at_rest = phase.gradient(), phase.gradient_at_rest()
    assert META["prediction"]["answer"] == "more than half"
    assert META["prediction"]["why"].startswith(f"{left[-1]:.2f}. ")
    assert left[-1] > 0.5
    raised = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    powers = [str(round(log)).translate(raised) for log in np.log10(at_rest)]
    assert f"all but 10{powers[-1]} of its gradient" in META["prediction"]["question"]
    t = DEFAULT["t"]
    assert f"After {t} steps" in META["alt"]
    assert f"{left[t]:.2f} for this network and 10{powers[t]} for one unit" in META["alt"]


def test_the_status_states_the_remaining_gradient():
    t, left, at_rest = DEFAULT["t"], phase.gradient(), phase.gradient_at_rest()
    power = f"10 to the power {np.log10(at_rest[t]):.0f}".replace("-", "−")
    assert f"{left[t]:.2f} of the gradient is left here, and {power} in one" in status("phase")
