"""Tests that the figure highway matches the reference, and that its texts state its numbers."""

import re

import numpy as np
import pytest
from compare import close, spoken, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import rotation
from rnn_helpers.figures import constants, stored
from rnn_helpers.figures.highway.figure import STEPS
from rnn_helpers.figures.highway.trained import NAMES, make
from rnn_helpers.reference import (
    gradient_through_time,
    gru_forward,
    gru_gradient_through_time,
    lstm_forward,
    lstm_gradient_through_time,
    rnn_forward,
)

pytestmark = pytest.mark.chapter("16")

CONSTANTS = constants("highway")


def networks():
    """Return the weights, inputs and last gradient, drawn in the figure's order.

    Returns
    -------
    sums : list of dict of ndarray
        ``U, W, b`` of the four sums of an LSTM. A GRU uses three of them, the other networks one.
    W : ndarray, shape (n, n)
        Recurrent weights of the orthogonal network.
    grad_last : ndarray, shape (n,)
    x : ndarray, shape (T, 1)
    """
    n, draw = CONSTANTS.UNITS, np.random.RandomState(CONSTANTS.SEED)

    def weights(*shape):
        return (2 * draw.random_sample(shape) - 1) / np.sqrt(n)

    sums = [{"U": weights(n, 1), "W": weights(n, n), "b": np.zeros(n)} for _ in range(4)]
    W = rotation(draw.standard_normal, n)
    grad_last = draw.standard_normal(n)
    return sums, W, grad_last, 0.5 * draw.standard_normal((STEPS, 1))


def gradients(bias, alpha):
    """Return the gradients on all states, shape (T + 1, n), for each line of the figure."""
    sums, W, last, x = networks()
    n = len(last)

    def parameters(*parts):
        output = {"V": np.eye(n), "c": np.zeros(n)}
        named = zip(parts, sums, strict=False)
        return output | {name + part: one[name] for part, one in named for name in one}

    def simple(params):
        return gradient_through_time(params, rnn_forward(params, x), last)

    def lstm(bias):
        params = parameters("", "f", "g", "o")
        params["bf"] = params["bf"] + bias
        return lstm_gradient_through_time(params, lstm_forward(params, x), last)[1]

    gated = parameters("", "u", "r")
    return {
        "plain RNN": simple(parameters("")),
        f"LSTM, bias {bias:g}": lstm(bias),
        "GRU": gru_gradient_through_time(gated, gru_forward(gated, x), last),
        "orthogonal RNN": simple(parameters("") | {"W": W}),
        f"leaky, α = {alpha:g}": leaky(sums[0], alpha, x, last),
    }


def leaky(params, alpha, x, grad_last):
    """Return the gradients on the states ``h <- alpha h + (1 - alpha) tanh(..)`` of leaky units."""
    h, slopes = np.zeros(len(grad_last)), []
    for now in x:
        target = np.tanh(params["b"] + params["W"] @ h + params["U"] @ now)
        h = alpha * h + (1 - alpha) * target
        slopes.append((1 - alpha) * (1 - target**2))
    grads = [grad_last]
    for slope in reversed(slopes):
        grads.append(alpha * grads[-1] + params["W"].T @ (slope * grads[-1]))
    return np.array(grads[::-1])


META = manifest()["highway"]
DEFAULT = complete("highway", {})
MEASURED = stored("highway")
KINDS = {
    "rnn": ("plain RNN", 0),
    "lstm": ("LSTM, bias 1", 1),
    "gru": ("GRU", 0),
    "orthogonal": ("orthogonal RNN", 0),
    "leaky": ("leaky, α = 0.9", 0.9),
}


def random_cell(rng, n, gates):
    """Return a random cell with one input, in the figure's form and in the reference's."""
    sums = [
        {"U": rng.normal(size=n), "W": rng.normal(size=(n, n)), "b": rng.normal(size=n)}
        for _ in range(1 + len(gates))
    ]
    params = {"V": np.eye(n), "c": np.zeros(n)}
    for part, of in zip(["", *gates], sums, strict=True):
        params |= {"U" + part: of["U"][:, None], "W" + part: of["W"], "b" + part: of["b"]}
    return sums, params


def logs(gradients):
    sizes = np.linalg.norm(gradients, axis=-1)[::-1]
    return np.log10(sizes / sizes[0])


def test_the_networks_match_numpys(math):
    ours = math("networks")
    sums, rotation, last, x = networks()
    for mine, theirs in zip(ours["sums"], sums, strict=True):
        close(mine["U"], theirs["U"][:, 0])
        close(mine["W"], theirs["W"])
        close(mine["b"], theirs["b"])
    close(ours["rotation"], rotation)
    close(rotation @ rotation.T, np.eye(len(last)))
    close(ours["last"], last)
    close(ours["x"], x[:, 0])


@given(st.integers(0, 2**32 - 1), st.floats(-3, 6))
@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44")
def test_a_step_of_the_lstm_and_its_way_back_match_the_reference(math, seed, bias):
    rng = np.random.default_rng(seed)
    n = 3
    lists, params = random_cell(rng, n, "fgo")
    params["bf"] = params["bf"] + bias
    h0, s0, x, g = rng.normal(size=n), rng.normal(size=n), rng.normal(), rng.normal(size=n)
    now = math("lstm.step", lists, bias, x, {"h": h0, "s": s0})
    run = lstm_forward(params, np.array([[x]]), h0=h0, s0=s0)
    for name, array in (("h", run.h), ("s", run.s), ("f", run.f), ("g", run.g), ("q", run.q)):
        close(now[name], array[0])
    on_s = math("shown", now, g)
    before = {"s": s0.tolist()}
    back = math("lstm.back", lists, bias, now, before, {"h": g, "s": on_s})
    grad_h, grad_s = lstm_gradient_through_time(params, run, g)
    close(on_s, grad_s[1])
    close(back["h"], grad_h[0])
    close(back["s"], grad_s[0])


@given(st.integers(0, 2**32 - 1))
@pytest.mark.equation("10.45", "10.46", "10.47")
def test_a_step_of_the_gru_and_its_way_back_match_the_reference(math, seed):
    rng = np.random.default_rng(seed)
    n = 3
    lists, params = random_cell(rng, n, "ur")
    h0, x, g = rng.normal(size=n), rng.normal(), rng.normal(size=n)
    now = math("gru.step", lists, 0, x, {"h": h0})
    run = gru_forward(params, np.array([[x]]), h0=h0)
    close(now["h"], run.h[0])
    back = math("gru.back", lists, 0, now, {"h": h0}, {"h": g})
    close(back["h"], gru_gradient_through_time(params, run, g)[0])


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_at_all_distances_match_the_reference(math, kind):
    name, knob = KINDS[kind]
    lines = gradients(1, 0.9)
    ours = math("reach", kind, knob)
    assert len(ours) == STEPS + 1
    np.testing.assert_allclose(ours, logs(lines[name]), rtol=0, atol=1e-9)


def test_without_a_leak_the_leaky_unit_is_the_plain_network(math):
    assert math("reach", "leaky", 0) == math("reach", "rnn", 0)


@pytest.mark.parametrize("bias", [-2, 0, 1, 3, 6])
def test_the_direct_path_has_the_slope_of_the_forget_gate(math, bias):
    close(math("ideal", bias), np.log10(1 / (1 + np.exp(-bias))))
    assert math("biasOf", math("ideal", bias)) == pytest.approx(bias, abs=1e-6)


@pytest.mark.parametrize(("kind", "knobs"), [("lstm", [-2, 0, 1, 3, 6]), ("leaky", [0, 0.5, 0.99])])
def test_keeping_more_reaches_further_and_stays_finite(math, kind, knobs):
    reached = [math("reach", kind, knob) for knob in knobs]
    assert all(None not in line for line in reached)
    far = [line[50] for line in reached]
    assert far == sorted(far)


def test_the_texts_state_the_numbers():
    def at_50(kind, which=1):
        return MEASURED["new"][kind][which][50 // MEASURED["every"]]

    stated = re.findall(r"10(⁻[¹²⁰-⁹]+)", META["alt"])
    assert stated == ["⁻¹¹", "⁻¹⁰"]
    assert [round(at_50(kind)) for kind in ("lstm0", "gru", "rnn")] == [-11, -11, -10]
    for kind in ("leaky", "orthogonal"):
        assert f"{10 ** at_50(kind):.2g}" in META["alt"]
    assert "10⁻¹¹" in META["prediction"]["question"]
    assert META["prediction"]["answer"] == "about 0.1"
    low, middle, high = 10 ** np.array([at_50("lstm3", which) for which in range(3)])
    kept = 1 / (1 + np.exp(-3))
    why = META["prediction"]["why"]
    assert why.startswith(f"The median of the twenty is {middle:.2f},")
    assert f"σ(3)⁵⁰ = {kept:.3f}⁵⁰ = {kept**50:.2f}. " in why
    assert f"All lie between {low:.3f} and {high:.1f}." in why


def test_the_measured_lines_are_the_experiments():
    assert make() == MEASURED
    assert MEASURED["networks"] == 20


@pytest.mark.parametrize("when", ["new", "trained"])
@pytest.mark.parametrize("kind", NAMES)
def test_lines_are_straight_between_the_measured_distances(math, when, kind):
    distances = np.arange(STEPS + 1)
    ours = math("measured", when, kind)
    for line, logs in zip(ours, MEASURED[when][kind], strict=True):
        close(line, np.interp(distances, distances[:: MEASURED["every"]], logs))
    low, logs, high = np.array(ours)
    assert (low <= logs).all()
    assert (logs <= high).all()


def test_an_unmeasured_bias_shows_the_nearest_measured_one(math):
    nearest = math.eval("[-2, 0, 0.4, 0.6, 1, 1.9, 2.1, 6].map(M.nearest)")
    assert nearest == [0, 0, 0, 1, 1, 1, 3, 3]


def test_training_brings_the_lstms_lines_closer_together():
    lstms = ["lstm0", "lstm1", "lstm3"]
    new, trained = (np.array([MEASURED[when][k][1] for k in lstms]) for when in ("new", "trained"))
    far = slice(4, None)  # from 20 steps back on
    assert (np.ptp(trained, axis=0)[far] < 0.5 * np.ptp(new, axis=0)[far]).all()
    assert (np.diff(trained, axis=1) < 0).all()


@pytest.mark.parametrize("state", [{}, {"bias": 3.5, "alpha": 0.0, "back": 7}])
def test_the_status_states_the_gradient_at_the_distance(math, state):
    state |= {"when": "one"}
    now = DEFAULT | state
    log = math("reach", "lstm", now["bias"])[now["back"]]
    assert f"{spoken(log)} (LSTM, bias {now['bias']:g})" in status("highway", **state)


@pytest.mark.parametrize("when", ["new", "trained"])
def test_the_status_of_many_networks_states_the_median(when):
    log = MEASURED[when]["rnn"][1][10]
    assert f"{spoken(log)} (plain RNN)" in status("highway", when=when, back=50)
