"""The figure curvature takes the same steps as the reference, and its words have its numbers."""

import re
from functools import partial
from itertools import pairwise

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import power_derivatives, two_spans, two_spans_path, two_spans_step
from rnn_helpers.reference.plateau import METHODS
from rnn_helpers.training import Nesterov

pytestmark = pytest.mark.chapter("17")
close = partial(compare.close, atol=1e-9)
META = manifest()["curvature"]
DEFAULT = complete("curvature", {})
STEPS, FIRST = META["controls"]["t"]["max"], constants("curvature").FIRST


def within(key):
    spec = META["controls"][key]
    return (st.integers if spec["type"] == "int" else st.floats)(spec["min"], spec["max"])


rates = st.fixed_dictionaries({key: within(key) for key in ("tau", "lr", "momentum", "longest")})
anywhere = st.tuples(st.floats(-1, 1.4), st.floats(-1, 3))


def path(method, state, start=None):
    rates = {key: state[key] for key in ("lr", "momentum", "longest")}
    start = [state["w"], state["r"]] if start is None else start
    return two_spans_path(method, start, state["tau"], STEPS, **rates)


def first(method, state, start=None):
    arrived = two_spans(path(method, state, start), state["tau"]).loss < FIRST
    return int(arrived.argmax()) if arrived.any() else -1


@given(anywhere, within("tau"))
def test_loss_and_derivatives_match_the_reference(math, theta, tau):
    now = two_spans(theta, tau)
    ours = math("derivatives", theta, tau)
    np.testing.assert_allclose(math("loss", theta, tau), now.loss, rtol=1e-9)
    for name, array in (
        ("gradient", now.gradient),
        ("hessian", now.hessian.ravel()[[0, 1, 3]]),
        ("gaussNewton", now.gauss_newton.ravel()[[0, 1, 3]]),
    ):
        np.testing.assert_allclose(ours[name], array, rtol=1e-9, atol=1e-9 * np.abs(array).max())


@given(within("w"), within("tau"))
def test_powers_match_the_reference(math, w, tau):
    ours = math("powers", w, tau)
    np.testing.assert_allclose(list(ours.values()), power_derivatives(w, tau), rtol=1e-9)


@given(anywhere, anywhere, rates, st.sampled_from(METHODS))
def test_every_step_matches_the_reference(math, theta, velocity, state, method):
    velocity = [0.1 * part for part in velocity]
    ours = math("step", method, theta, velocity, state)
    tau = state["tau"]
    wanted, kept = two_spans_step(
        method, theta, velocity, tau, **{k: v for k, v in state.items() if k != "tau"}
    )
    if method == "newton":
        # If H is nearly singular, its determinant is a difference of nearly equal numbers.
        (a, b), (_, c) = two_spans(theta, tau).hessian
        if abs(a * c - b * b) < 1e-5 * max(abs(a * c), b * b):
            close(np.hypot(*ours["velocity"]), np.hypot(*kept))
            return
    close(ours["theta"], wanted)
    close(ours["velocity"], kept)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("start", [(0.45, 1.8), (0.3, 0.3), (1, 0.7)])
def test_every_step_of_the_presets_paths_matches_the_reference(math, method, start):
    state = DEFAULT | {"w": start[0], "r": start[1]}
    ours = math("descend", method, state)
    way, rates = np.array(ours["path"]), {key: state[key] for key in ("lr", "momentum", "longest")}
    velocity = np.zeros(2)
    for here, there in pairwise(way):
        wanted, velocity = two_spans_step(method, here, velocity, state["tau"], **rates)
        close(there, wanted)
        velocity = there - here
    close(ours["losses"], two_spans(way, state["tau"]).loss)
    assert ours["first"] == first(method, state)
    assert ours["gone"] == (len(way) - 1 if len(way) <= STEPS else -1)


def test_a_path_that_leaves_the_picture_ends_with_numbers(math):
    state = DEFAULT | {"w": 1.3, "r": 2.6, "tau": 30, "lr": 0.1, "momentum": 0.99}
    for method in METHODS:
        ours = math("descend", method, state)
        assert all(None not in point for point in ours["path"])
        assert None not in ours["losses"][:-1]


def test_nesterovs_steps_are_those_of_training(math):
    # Training stores the point ahead, p = q + momentum * velocity, as its parameters.
    state, rule, memory = DEFAULT, Nesterov(DEFAULT["lr"], DEFAULT["momentum"]), {}
    points = np.array(math("descend", "nesterov", state)["path"])
    ahead = {"theta": points[0]}
    for step, (before, point) in enumerate(pairwise(points[:31]), start=1):
        gradient = two_spans(ahead["theta"], state["tau"]).gradient
        ahead = rule.update(ahead, {"theta": gradient}, memory, step)
        close(ahead["theta"], point + state["momentum"] * (point - before))


@pytest.mark.slow
def test_a_hundred_perturbations_arrive_at_the_same_steps(math):
    rng = np.random.default_rng(0)
    wanted = {"descent": -1, "momentum": 59, "nesterov": 57, "newton": -1, "gauss_newton": 4}
    for change in 1e-12 * rng.standard_normal((100, 2)):
        state = DEFAULT | {"w": DEFAULT["w"] + change[0], "r": DEFAULT["r"] + change[1]}
        for method, arrives in wanted.items():
            ours = math("descend", method, state)
            assert ours["first"] == arrives
            assert (ours["gone"] >= 0) == (method == "newton")


def test_the_texts_state_the_numbers_of_the_figure():
    alt, why = META["alt"], META["prediction"]["why"]
    start = two_spans([DEFAULT["w"], DEFAULT["r"]], DEFAULT["tau"]).loss
    assert f"the loss there is {start:.3f}" in alt
    slope, curvature, ratio = (array[[0, -1]] for array in power_derivatives(0.45, [2, 30]))
    assert "by more than seven powers of ten" in alt
    assert np.log10(slope[0] / slope[1]) > np.log10(curvature[0] / curvature[1]) > 7
    assert "from {:.2f} to {:.3f}".format(*ratio) in alt
    assert f"After {first('gauss_newton', DEFAULT)} steps" in why
    assert 55 < first("momentum", DEFAULT) < 60  # "nearly 60"
    assert not 0 <= first("descent", DEFAULT) <= 60
    assert path("newton", DEFAULT)[60, 1] > constants("curvature").R[1]


def test_near_the_saddle_newton_ends_in_it_and_gauss_newton_goes_downhill():
    start = [0.3, 0.3]
    newton, gauss = path("newton", DEFAULT, start), path("gauss_newton", DEFAULT, start)
    np.testing.assert_allclose(newton[-1], 0, atol=1e-12)
    slopes = two_spans(gauss[:6], DEFAULT["tau"]).gradient
    assert (np.einsum("td,td->t", np.diff(gauss[:7], axis=0), slopes) < 0).all()


def test_over_a_longer_span_only_gauss_newton_arrives():
    longer = DEFAULT | {"tau": 25}
    assert first("gauss_newton", longer) == 7
    assert all(first(method, longer) == -1 for method in METHODS if method != "gauss_newton")


@pytest.mark.parametrize("state", [{"t": 5}, {"w": 1.0, "r": 0.7, "t": 3}])
def test_the_status_states_the_losses_of_the_methods(state):
    now, said = DEFAULT | state, compare.status("curvature", **state)
    assert f"After {now['t']} updates" in said
    for method, name in (("descent", "gradient descent"), ("momentum", "momentum")):
        loss = two_spans(path(method, now)[now["t"]], now["tau"]).loss
        stated = float(re.search(rf"([\d.]+) with {name}", said)[1])
        assert stated == pytest.approx(loss, abs=0.006)
