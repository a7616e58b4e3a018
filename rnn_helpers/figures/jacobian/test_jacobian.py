"""Tests that the figure jacobian computes the same gradients as the reference, and their cause."""

import re

import numpy as np
import pytest
from compare import close, spoken, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import stored
from rnn_helpers.figures.jacobian.trained import make
from rnn_helpers.reference import (
    grad_state,
    init_rnn,
    rnn_forward,
    spectral_radius,
    state_jacobians,
)
from rnn_helpers.reference import gradient_through_time as through_time

pytestmark = pytest.mark.chapter("13")
META = manifest()["jacobian"]
NETWORKS, STEPS = stored("jacobian"), META["controls"]["back"]["max"]
DEFAULT = complete("jacobian", {})
every_network = pytest.mark.parametrize("net", NETWORKS)


def network(net, gain=1.0):
    params = {name: np.array(array) for name, array in NETWORKS[net].items()}
    return params | {"W": gain * params["W"]}


def inputs(noise):
    return np.append(1.0, noise * np.random.RandomState(0).standard_normal(STEPS - 1))[:, None]


def norms(params, run):
    """Return log10 of the gradient's size at each state, and of each step's factor by slopes."""
    grad = through_time(params, run, params["V"][0] - params["V"][1])
    gated = (1 - run.h**2) * grad[1:]
    size = np.log10(np.linalg.norm(grad, axis=1))
    return size - size[-1], np.log10(np.linalg.norm(gated, axis=1)) - size[1:]


@given(st.integers(1, 9), st.integers(0, 2**32 - 1))
@pytest.mark.equation("10.8", "10.9", "10.20", "10.21")
def test_steps_forward_and_back_match_the_reference(math, n_h, seed):
    rng = np.random.default_rng(seed)
    params = init_rnn(1, n_h, 2, seed=rng)
    params["b"] = rng.normal(size=n_h)
    x, h, g = rng.normal(), np.tanh(rng.normal(size=n_h)), rng.normal(size=n_h)
    run = rnn_forward(params, np.array([[x]]), h)
    step = math("step", params, x, h)
    close(step["h"], run.h[0])
    close(step["slopes"], 1 - run.h[0] ** 2)
    back = math("back", params["W"], step["slopes"], g)
    close(back["gated"], (1 - run.h[0] ** 2) * g)
    close(back["g"], grad_state(params["W"], g, 1 - run.h[0] ** 2, 0))
    close(back["g"], state_jacobians(params, run)[0].T @ g)


@every_network
@pytest.mark.parametrize(("gain", "noise"), [(1, 0.2), (0.25, 0), (1.5, 2)])
def test_runs_and_gradients_match_the_reference(math, net, gain, noise):
    now = math("compute", {"net": net, "gain": gain, "noise": noise})
    params = network(net, gain)
    run = rnn_forward(params, inputs(noise))
    close([step["h"] for step in now["states"]], run.h)
    size, by_slopes = norms(params, run)
    # The reference loses digits in the slopes 1 - h**2 of saturated units.
    close(now["logs"], size, rtol=1e-6, atol=1e-6)
    close([part["slopes"] for part in now["parts"]], by_slopes, rtol=1e-6, atol=1e-6)
    both = [part["slopes"] + part["weights"] for part in now["parts"]]
    close(both, -np.diff(now["logs"]))
    close(now["total"], now["slopes"] + now["weights"])
    close(now["total"], now["logs"][0])


def test_each_network_has_its_own_cause_of_vanishing(math):
    def at_start(**state):
        now = math("compute", DEFAULT | state)
        return math("cause", now), now

    cause, trained = at_start()
    assert cause == "slopes"
    assert trained["weights"] > 5
    cause, default = at_start(net="default")
    assert META["prediction"]["answer"] == "the weights"
    assert cause == "weights"
    assert round(default["total"]) == -7  # "ten million times smaller"
    assert default["slopes"] > -1
    assert at_start(net="orthogonal")[0] == "lives"
    assert at_start(net="gaussian")[0] == "explodes"
    # With a gain of 3, all networks saturate.
    for net in NETWORKS:
        assert at_start(net=net, gain=3)[1]["slopes"] < -4


def test_the_networks_match_their_names():
    radius = {net: spectral_radius(params["W"]) for net, params in NETWORKS.items()}
    assert radius["default"] == pytest.approx(0.53, abs=0.005)  # the prediction's answer
    assert radius["gaussian"] == pytest.approx(1.5, abs=1e-3)
    W = np.array(NETWORKS["orthogonal"]["W"])
    close(W @ W.T, np.eye(len(W)), atol=1e-3)
    begun = [NETWORKS[net] for net in ("default", "orthogonal", "gaussian")]
    for name in "UVbc":
        assert begun[0][name] == begun[1][name] == begun[2][name]


@pytest.mark.slow
def test_the_stored_networks_can_be_made_again():
    made = make()
    assert list(made) == list(NETWORKS)
    for net, params in made.items():
        for name, array in params.items():
            close(array, NETWORKS[net][name], rtol=0, atol=1e-3)


def test_the_trained_network_holds_the_bit_over_many_steps():
    for T in (2, 20, 21, 100):
        bits = np.array([0, 1] * 50)
        x = 0.2 * np.random.default_rng(T).standard_normal((T, 100, 1))
        x[0, :, 0] = 2 * bits - 1
        run = rnn_forward(network("trained"), x)
        assert (run.o[-1].argmax(axis=-1) == bits).mean() > 0.99


def test_tiny_changes_of_the_inputs_do_not_change_the_result(math):
    for net in NETWORKS:
        total = math("compute", DEFAULT | {"net": net})["total"]
        for nudge in np.random.default_rng(0).normal(0, 1e-12, (25, STEPS, 1)):
            run = rnn_forward(network(net), inputs(DEFAULT["noise"]) + nudge)
            assert norms(network(net), run)[0][0] == pytest.approx(total, abs=1e-6)


@pytest.mark.slow
@every_network
@pytest.mark.parametrize("gain", [0.25, 1, 3])
@pytest.mark.parametrize("noise", [0, 2])
def test_extreme_settings_give_only_finite_numbers(math, net, gain, noise):
    now = math("compute", {"net": net, "gain": gain, "noise": noise})
    assert None not in now["logs"]
    assert all(None not in part.values() for part in now["parts"])
    low, high = math("decades", now["logs"])
    assert low <= min(now["logs"])
    assert max(now["logs"]) <= high


def test_the_alternative_text_has_the_numbers_of_the_default_settings(math):
    now = math("compute", DEFAULT)
    assert "10⁻²⁴" in META["alt"]
    assert round(now["total"]) == -24
    slopes = np.median([part["slopes"] for part in now["parts"]])
    weights = np.median([part["weights"] for part in now["parts"]])
    said = [float(text) for text in re.findall(r"about (\d+(?:\.\d+)?)", META["alt"])]
    assert said == pytest.approx([10**-slopes, 10**weights], rel=0.1)


@every_network
def test_the_status_states_the_whole_gradient_and_its_parts(net):
    size, by_slopes = norms(network(net), rnn_forward(network(net), inputs(DEFAULT["noise"])))
    slopes, weights = spoken(by_slopes.sum()), spoken(size[0] - by_slopes.sum())
    wanted = f"multiply the gradient by {slopes}, and the weights by {weights}; {spoken(size[0])}"
    assert f"In all {STEPS} steps, the slopes {wanted} is left." in status("jacobian", net=net)
