"""The figure flow computes Omega, its gradient and the steps down it as the reference does."""

import re
from itertools import pairwise

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import (
    exceeds,
    gradient_size,
    gradient_through_time,
    omega_gradient,
    omega_terms,
    rescale,
    rnn_forward,
)

pytestmark = pytest.mark.chapter("17")

CONSTANTS = constants("flow")


def network(state):
    """Return the network at the start, its input, and the gradient with respect to the last state.

    Parameters
    ----------
    state : mapping
        The complete state of the figure.

    Returns
    -------
    params : dict of ndarray
        The rows of ``V`` are opposite, so the loss sends back a gradient of the same direction
        from every state. Omega doesn't depend on its length.
    x : ndarray, shape (T, 2)
    grad_last : ndarray, shape (2,)
        Of length 1.
    """
    units, angle = CONSTANTS.UNITS, np.deg2rad(state["angle"])
    grad_last = np.array([np.cos(angle), np.sin(angle)])
    grad_last[np.abs(grad_last) < 1e-15] = 0  # multiples of 90 degrees are exact
    params = {
        "U": np.eye(units),
        "W": np.array([[state["w11"], state["w12"]], [state["w21"], state["w22"]]], float),
        "V": np.array([grad_last, -grad_last]),
        "b": np.zeros(units),
        "c": np.zeros(2),
    }
    draw = np.random.RandomState(CONSTANTS.SEED)
    x = state["inputs"] * draw.standard_normal((CONSTANTS.STEPS, units))
    return params, x, grad_last


def slope_of_omega(params, x):
    """Return Omega of the network, with a loss at the end only, and its gradient on ``W``."""
    last = np.arange(len(x)) == len(x) - 1
    y = np.ones(len(x), int)  # the gradient points away from this class's row of V
    value, grads = omega_gradient(params, rnn_forward(params, x), y, last, constant="nothing")
    return value, grads["W"]


def step_down(W, gradient):
    """Return ``W`` after one step down Omega, with the gradient clipped by norm."""
    if exceeds(gradient.ravel(), CONSTANTS.THRESHOLD):
        gradient = rescale(gradient.ravel(), CONSTANTS.THRESHOLD).reshape(W.shape)
    return W - CONSTANTS.RATE * gradient


META = manifest()["flow"]
CONTROLS = META["controls"]
STEPS, MOST = CONSTANTS.STEPS, CONTROLS["k"]["max"]
DEFAULT = complete("flow", {})
WEIGHTS = ("w11", "w12", "w21", "w22")
OTHER = {"w11": 0.2, "w12": 0.1, "w21": 0.1, "w22": 0.8, "angle": 80}
FAR = {"w11": 1, "w12": 0, "w21": 0.8, "w22": 1.6, "angle": 0, "inputs": 0}

weight = st.integers(-200, 200).map(lambda k: k / 100)
states = st.fixed_dictionaries(
    dict.fromkeys(WEIGHTS, weight)
    | {"angle": st.integers(0, 360), "inputs": st.integers(0, 20).map(lambda k: k / 20)}
)


def evaluated(math, W, state):
    *_, last = network(state)
    return math("evaluate", np.asarray(W), math("inputs", state["inputs"]), last)


def last_alone(x):
    return np.arange(len(x)) == len(x) - 1


@given(states)
@pytest.mark.equation("10.50", "10.51", "10.52")
def test_every_ratio_every_length_and_omega_match_the_reference(math, lib, state):
    params, x, grad_last = network(state)
    close(math("inputs", state["inputs"]), x)
    close(lib("planar")("start", state["angle"]), grad_last)
    now = evaluated(math, params["W"], state)
    run = rnn_forward(params, x)
    ratios = omega_terms(params, run, np.ones(STEPS, int), last_alone(x))
    close(np.array(now["ratios"][2:], float), ratios)  # nan where the gradient is 0
    close(now["omega"], np.nansum((ratios - 1) ** 2))
    sizes = gradient_size(gradient_through_time(params, run, grad_last))[1:]
    logs = np.array(now["logs"][1:], float)
    with np.errstate(divide="ignore"):
        close(np.where(np.isnan(logs), -np.inf, logs), np.log10(sizes))


@given(states)
@pytest.mark.equation("10.52")
def test_the_gradient_of_omega_matches_the_reference(math, state):
    params, x, _ = network(state)
    value, gradient = slope_of_omega(params, x)
    now = evaluated(math, params["W"], state)
    close(now["omega"], value)
    size = max(np.abs(gradient).max(), 1)
    close(now["on"], gradient.ravel(), atol=1e-9 * size)


@given(states, st.lists(st.floats(-50, 50), min_size=4, max_size=4))
@pytest.mark.equation("10.48", "10.49")
def test_a_step_down_is_clipped_by_norm(math, state, gradient):
    W = network(state)[0]["W"]
    ours = math("descended", W, gradient)
    close(ours, step_down(W, np.array(gradient).reshape(2, 2)))
    length = CONSTANTS.RATE * CONSTANTS.THRESHOLD
    assert np.linalg.norm(ours - W) <= length * (1 + 1e-9)


@pytest.mark.parametrize("start", [{}, OTHER, {"angle": 40}])
def test_each_step_of_a_path_matches_the_reference(math, start):
    state = complete("flow", start)
    params, x, _ = network(state)
    path = math("pathOf", state)
    assert len(path) == MOST + 1
    for here, there in pairwise(path):
        W = np.array(here["W"])
        value, gradient = slope_of_omega(params | {"W": W}, x)
        close(here["omega"], value)
        close(there["W"], step_down(W, gradient))


@given(states)
def test_sizes_of_the_eigenvalues_are_numpys(math, state):
    W = network(state)[0]["W"]
    sizes = np.sort(np.abs(np.linalg.eigvals(W)))[::-1]
    np.testing.assert_allclose(math("radii", W), sizes, atol=1e-7)


def test_every_start_gives_finite_numbers(math):
    for size in (-2, 1e-300, 2):
        for off in (0, -2, 2):
            state = DEFAULT | {"w11": size, "w12": off, "w21": -off, "w22": size, "inputs": 1}
            now = math("compute", state | {"k": MOST})
            omegas = [step["omega"] for step in now["path"]]
            numbers = [*omegas, *now["radii"], *np.ravel(now["W"])]
            assert np.isfinite(np.array(numbers, float)).all()  # JSON turns NaN into None


def test_terms_without_a_gradient_are_left_out(math):
    """With W = 0, the first ratio is 0, and no gradient arrives at earlier steps."""
    now = evaluated(math, np.zeros((2, 2)), DEFAULT)
    assert now["omega"] == 1
    assert now["ratios"] == [None] * STEPS + [0]
    assert now["on"] == [0] * 4
    params, x, _ = network(DEFAULT | dict.fromkeys(WEIGHTS, 0))
    value, gradient = slope_of_omega(params, x)
    assert value == 1
    assert not gradient.any()


def test_sixty_steps_down_omega_keep_the_gradient(math):
    prediction = META["prediction"]
    now = math("compute", DEFAULT | {"k": MOST})
    assert f"Ω is {now['path'][0]['omega']:.2f}" in prediction["question"]
    assert f"falls to {now['omega']:.3f}" in prediction["why"]
    assert f"{10 ** now['logs'][1]:.3f} of it arrives" in prediction["why"]


def test_omega_can_be_0_while_an_eigenvalue_is_far_from_1(math):
    now = math("compute", complete("flow", FAR))
    assert now["omega"] == 0
    close(now["radii"], [1.6, 1])
    turned = math("compute", complete("flow", FAR | {"angle": 1}))
    assert turned["omega"] > 1.8
    assert round(10 ** turned["logs"][1]) == 34


@pytest.mark.slow
def test_a_hundred_perturbations_end_at_the_same_omega(math):
    rng = np.random.default_rng(0)
    wanted = math("pathOf", DEFAULT)[-1]["omega"]
    for moves in 1e-12 * rng.normal(size=(100, 4)):
        moved = {key: DEFAULT[key] + by for key, by in zip(WEIGHTS, moves, strict=True)}
        close(math("pathOf", DEFAULT | moved)[-1]["omega"], wanted, rtol=1e-6)


def test_the_words_have_the_numbers_of_the_untouched_figure(math):
    now = math("compute", DEFAULT)
    said = re.findall(r"\d+(?:\.\d+)?", META["alt"])
    ratios = now["ratios"][2:]
    first = f"{10 ** now['logs'][1]:.7f}"
    radii = [f"{value:.2f}" for value in now["radii"]]
    assert said == ["1", first, f"{min(ratios):.2f}", f"{max(ratios):.2f}", "1",
                    f"{now['omega']:.2f}", *radii]  # fmt: skip


@pytest.mark.parametrize("state", [{}, OTHER | {"k": MOST}, {"k": 7}])
def test_the_status_states_omega_and_the_range_of_its_ratios(math, state):
    now = math("compute", complete("flow", state))
    ratios, said = now["ratios"][2:], status("flow", **state)
    assert f"between {min(ratios):.2f} and {max(ratios):.2f} of the gradient" in said
    assert float(re.search(r"Ω = ([\d.]+\d)", said)[1]) == pytest.approx(now["omega"], rel=0.06)
