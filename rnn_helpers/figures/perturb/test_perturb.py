"""The figure perturb sends two runs apart as the reference does, forward and back, and by tanh."""

import re

import numpy as np
import pytest
from compare import close_to_the_largest as close
from compare import status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import (
    hidden_state,
    power_norms,
    rnn_forward,
    separation,
    state_jacobian,
    state_jacobians,
    widest_perturbation,
)

pytestmark = pytest.mark.chapter("14")

CONSTANTS = constants("perturb")


def turning():
    """Weights that turn a state by half a radian and make it longer."""
    cos, sin = np.cos(CONSTANTS.TURN), np.sin(CONSTANTS.TURN)
    return CONSTANTS.GAIN * np.array([[cos, -sin], [sin, cos]])


META = manifest()["perturb"]
STEPS, TIMES = (META["controls"][key]["max"] for key in "nt")
DEFAULT = complete("perturb", {})
states = st.fixed_dictionaries(
    {
        "map": st.sampled_from(["linear", "normal"]),
        "way": st.sampled_from(["forward", "backward"]),
        "angle": st.integers(0, 3600).map(lambda k: k / 10),
        "n": st.integers(0, STEPS),
    }
)


def given_to(state):
    """Return the reference's arguments for a figure's state: J, and the direction."""
    return np.array(CONSTANTS.MATRICES[state["map"]]), {"backward": state["way"] == "backward"}


@given(states)
def test_each_step_of_both_runs_is_a_product_with_the_jacobian_or_its_transpose(math, state):
    J, way = given_to(state)
    now = math("compare", state)
    M, both = np.array(now["M"]), np.array(now["both"])
    close(M, J.T if way["backward"] else J)
    for k in range(STEPS):
        close(both[k + 1], both[k] @ M.T)
    v = np.array(now["v"])
    close(both[0, 1] - both[0, 0], v)
    close(np.linalg.norm(v), 1)
    close(now["apart"], separation(J, v, STEPS, **way))


@given(states)
def test_the_widest_direction_matches_the_reference_and_the_eigenvector_is_exact(math, state):
    J, way = given_to(state)
    n = state["n"]
    now = math("compare", state)
    close(now["most"], power_norms(J, STEPS))
    v, growth = widest_perturbation(J, n, **way)
    close(now["most"][n], growth)
    M = np.array(now["M"])
    if n:
        assert abs(v @ now["top"]) == pytest.approx(1, abs=1e-12)
    for value, q in zip(np.diag(J), now["vectors"], strict=True):
        close(np.linalg.norm(q), 1)
        np.testing.assert_allclose(M @ q, value * np.array(q), atol=1e-12)
    close(now["along"], separation(J, now["vectors"][0], STEPS, **way))
    own = np.linalg.eig(J)[1][:, 0].real  # since NumPy 2.5, complex for any matrix
    close(now["own"], separation(J, own, n, **way)[n])


@pytest.mark.slow
@given(states)
def test_the_arc_holds_the_directions_that_separate_more_than_the_eigenvector(math, state):
    J, way = given_to(state)
    now = math("compare", state)
    angles = np.pi * (np.arange(20000) + 0.5) / 20000
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    n = state["n"]
    wider = separation(J, directions, n, **way)[n] > now["along"][n] * (1 + 1e-9)
    assert now["better"] == pytest.approx(100 * wider.mean(), abs=0.02)
    top = np.array(now["top"])
    inside = np.abs(directions @ top) > np.cos(now["arc"]) + 1e-3
    assert wider[inside].all()
    if state["map"] == "normal":
        assert now["better"] == 0


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=2))
@pytest.mark.equation("10.20")
def test_a_step_of_the_network_and_its_jacobian_match_the_reference(math, h):
    W = turning()
    now = math("step", h)
    close(now["h"], hidden_state(W @ h))
    close(now["slopes"], 1 - np.tanh(W @ h) ** 2)
    jacobian = state_jacobian(W, np.array(now["slopes"]))
    close(math("jacobian", now["slopes"]), jacobian)
    close(W @ W.T, 1.5**2 * np.eye(2))


@pytest.mark.parametrize("start", [1e-12, 1e-3, 1.0])
def test_the_whole_way_of_the_network_and_of_a_small_change_matches_the_reference(math, start):
    W = turning()
    now = math("drift", start)
    params = {"U": np.zeros((2, 1)), "W": W, "b": np.zeros(2)}
    params |= {"V": np.zeros((1, 2)), "c": np.zeros(1)}
    run = rnn_forward(params, np.zeros((TIMES, 1)), [start, 0.0])
    close(now["lengths"], np.linalg.norm(run.states, axis=1))
    product = np.eye(2)
    for t, jacobian in enumerate(state_jacobians(params, run), 1):
        product = jacobian @ product
        close(now["growth"][t], np.linalg.norm(product, 2))
        close(now["steps"][t]["P"], product)
    close(now["free"], 1.5 ** np.arange(TIMES + 1))
    slopes = (1 - run.h**2).min(axis=1)
    assert now["bends"] == int(np.argmax(slopes < 0.9)) + 1


def test_tanh_bounds_the_state_and_not_the_gradient(math):
    """In 50 steps a change of 1e-12 grows by 6.4e8 = 1.5^50; a change of 1 doesn't."""
    now = {start: math("drift", start) for start in (1e-12, 1e-3, 1.0)}
    assert all(max(run["lengths"]) < 2**0.5 for run in now.values())
    assert now[1e-12]["growth"][50] == pytest.approx(1.5**50, rel=1e-6)
    assert now[1e-12]["growth"][50] == pytest.approx(6.4e8, rel=0.01)
    assert 500 < now[1e-3]["growth"][50] < 1500
    assert now[1.0]["growth"][50] < 1
    # the smaller the start, the longer it lasts: in the end about 1 / start
    for start, run in now.items():
        assert 0.3 < max(run["growth"]) * start < 2


def test_a_relative_change_of_1e_12_at_the_start_is_invisible(math):
    growth = np.array(math("drift", 1e-12)["growth"])
    for nudge in np.random.default_rng(0).normal(0, 1e-12, 10):
        again = math("drift", 1e-12 * (1 + nudge))["growth"]
        np.testing.assert_allclose(again, growth, rtol=1e-6)


def test_every_setting_gives_finite_numbers(math):
    for map_ in ("linear", "normal"):
        for way in ("forward", "backward"):
            for n in (0, 1, STEPS):
                for angle in (0, 90, 85.43, 360):
                    state = {"map": map_, "way": way, "n": n, "angle": angle}
                    assert "None" not in str(math("compare", state))
    # at the start there is neither an input to the units nor a slope, and the largest never bends
    text = str(math("drift", 1e-12))
    assert text.count("None") == 2


def test_the_alternative_text_has_the_numbers_of_the_untouched_figure(math):
    now = math("compare", DEFAULT)
    n, most = DEFAULT["n"], np.array(now["most"])
    said = re.findall(r"\d+(?:\.\d+)?", META["alt"])
    calm = int(np.flatnonzero(most > 1)[-1]) + 1
    separated = [f"{now[key][n]:.2f}" for key in ("apart", "most")]
    assert DEFAULT["way"] == "forward"
    assert most.argmax() == n
    assert said == [str(DEFAULT["angle"]), str(n), "0.9", "0.5", *separated, "0.9",
                    f"{now['along'][n]:.2f}", str(STEPS), str(n), str(calm)]  # fmt: skip


def test_the_prediction_matches_the_figures_count(math):
    now = math("compare", DEFAULT)
    told = META["prediction"]
    assert told["answer"] == f"{now['better']:.0f}"
    assert told["answer"] in told["choices"]
    numbers = {
        f"{now['along'][3]:.2f}",
        f"{now['most'][3]:.2f}",
        f"{90 - np.degrees(now['arc']):.1f}",
    }
    assert numbers == set(re.findall(r"\d+\.\d+", told["why"]))
    assert now["most"][3] / 10 > now["along"][3]


def test_the_status_states_the_growth_in_the_widest_and_in_the_eigenvectors_direction():
    J, _ = given_to(DEFAULT)
    values, vectors = (part.real for part in np.linalg.eig(J))
    n, own = DEFAULT["n"], vectors[:, values.argmax()]
    along, said = values.max() ** n, status("perturb")
    ratio = power_norms(J, n)[n] / along
    assert f"= {along:.2f}. The widest distance is {ratio:.1f} times that" in said
    times = separation(J, own, n, backward=True)[n]
    assert f"becomes {times:.2f} times as long" in status("perturb", way="backward")
