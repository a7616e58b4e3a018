"""Tests that the figure latch matches NumPy, the reference and its own texts."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import NONLINEARITIES, state_jacobian

pytestmark = pytest.mark.chapter("13")
META = manifest()["latch"]
CONSTANTS = constants("latch")
RUNS, STEPS = CONSTANTS.RUNS, CONSTANTS.STEPS
DEFAULT = complete("latch", {})
SQUASH = {"tanh": np.tanh, "linear": np.positive}
SLOPE = {"tanh": NONLINEARITIES["tanh"].slope, "linear": np.ones_like}
units = st.sampled_from(["tanh", "linear"])
weights = st.floats(META["controls"]["w"]["min"], META["controls"]["w"]["max"])
values = st.floats(-3, 3)


def simulated(unit, w, noise, start, **_):
    draws = noise * np.random.RandomState(0).standard_normal((RUNS, STEPS))
    h = np.full((STEPS + 1, RUNS), float(start))
    for t in range(STEPS):
        h[t + 1] = SQUASH[unit](w * h[t] + draws[:, t])
    return h


@given(units, weights, values, values)
@pytest.mark.equation("10.20")
def test_a_step_and_its_factor_match_the_reference(math, unit, w, h, noise):
    after = SQUASH[unit](w * h + noise)
    close(math("step", unit, w, h, noise), after)
    jacobian = state_jacobian(np.array([[w]]), SLOPE[unit](np.array([after])))
    close(math("factor", unit, w, float(after)), jacobian[0, 0])


def test_the_noise_matches_numpy(math):
    drawn = math("normals")
    close(drawn, np.random.RandomState(0).standard_normal(RUNS * STEPS))


@pytest.mark.parametrize(
    "setting",
    [{}, {"w": 3, "run": 200}, {"w": 1.2}, {"unit": "linear", "w": 1}, {"start": -0.3, "noise": 1}],
)
def test_runs_and_gradients_match_numpy(math, setting):
    state = DEFAULT | setting
    now = math("compute", state)
    h = simulated(**state)
    close(np.transpose(now["all"]), h)
    mine = h[:, state["run"] - 1]
    close(now["h"], mine)
    factors = state["w"] * SLOPE[state["unit"]](mine[1:])
    close(now["logs"], np.append(0, np.cumsum(np.log10(factors))))
    wrong = np.sign(mine) != np.sign(mine[0])
    assert now["lost"] == (int(wrong.argmax()) if wrong.any() else None)
    assert now["held"] == (np.sign(h[-1]) == np.sign(h[0])).sum()


@given(weights)
def test_an_attractor_is_a_fixed_point_with_a_slope_below_one(math, w):
    h = math("attractor", "tanh", w)
    close(np.tanh(w * h), h)
    assert (h > 0) == (w > 1 + 1e-9)
    assert math("factor", "tanh", w, h) <= max(w, 1)
    assert w <= 1.01 or h > 0.1
    assert w < 1.01 or math("factor", "tanh", w, h) < 1


def test_units_keep_either_the_bit_or_the_gradient(math):
    """The story and the prediction of the figure are true."""
    held = math("compute", DEFAULT)
    assert held["held"] == RUNS
    assert held["lost"] is None
    assert held["logs"][-1] < -150
    fading = math("compute", DEFAULT | {"unit": "linear", "w": 1})
    assert set(fading["logs"]) == {0}
    assert 0.55 < fading["held"] / RUNS < 0.65
    assert META["prediction"]["answer"] == "six in ten"
    assert math("verdict", held["held"]) == "held"
    assert math("verdict", fading["held"]) == "fading"
    # An attractor that is too weak doesn't keep the bit.
    assert math("verdict", math("compute", DEFAULT | {"w": 1.2})["held"]) == "lost"


@pytest.mark.slow
def test_tiny_changes_of_the_start_do_not_change_the_counts(math):
    for w in (1.2, 2):
        held = math("compute", DEFAULT | {"w": w})["held"]
        h = simulated(**DEFAULT | {"w": w})
        for nudge in np.random.default_rng(0).normal(0, 1e-12, 100):
            again = simulated(**DEFAULT | {"w": w, "start": DEFAULT["start"] + nudge})
            close(again[-1], h[-1])
            assert (again[-1] > 0).sum() == held


@given(
    st.fixed_dictionaries(
        {
            "unit": units,
            **{
                key: st.sampled_from([spec["min"], spec["default"], spec["max"]])
                for key, spec in META["controls"].items()
                if key != "unit"
            },
        }
    )
)
def test_extreme_settings_give_only_finite_numbers(math, state):
    now = math.eval("(({ h, logs }) => ({ h, logs }))(M.compute(state))", state=state)
    low, high = math("decades", now["logs"])
    assert None not in now["logs"] + now["h"]
    assert low <= min(now["logs"])
    assert max(now["logs"]) <= high
    web = math("cobweb", state["unit"], state["w"], state["start"])
    assert all(None not in point for point in web)


def test_the_alternative_text_has_the_numbers_of_the_default_settings(math):
    now = math("compute", DEFAULT)
    said = [float(text) for text in re.findall(r"\d\.\d+", META["alt"])]
    assert set(said) == {round(now["attractor"], 2)}
    assert "10⁻¹⁵⁸" in META["alt"]
    assert round(now["logs"][-1]) == -158


@pytest.mark.parametrize("state", [{}, {"unit": "linear", "w": 1.0}, {"w": 0.2, "noise": 1.0}])
def test_the_status_has_the_counts_of_numpy(state):
    h = simulated(**DEFAULT | state)
    held = (np.sign(h[-1]) == np.sign(h[0])).sum()
    assert f"{held} of {RUNS} signs" in status("latch", **state)
