"""The figure tbptt truncates gradients as the reference does, and states their error."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import rotation
from rnn_helpers.figures import constants
from rnn_helpers.reference import (
    gradient_through_time,
    init_rnn,
    rnn_backward,
    rnn_forward,
    truncated_gradient,
)

pytestmark = pytest.mark.chapter("05")
META = manifest()["tbptt"]
DEFAULT = complete("tbptt", {})
CONSTANTS = constants("tbptt")
STEPS = META["controls"]["t"]["max"]
RADII = [0.5, 0.9, 1.0, 1.2]


def joined(grads):
    """U, W and b of each unit side by side, as the figure lays them out."""
    return np.concatenate([grads["U"], grads["W"], grads["b"][:, None]], axis=1).ravel()


def network(radius):
    """Return the weights, drawn in the figure's order; ``W`` is `radius` times a rotation."""
    n, symbols = CONSTANTS.UNITS, len(set(CONSTANTS.TEXT))
    draw = np.random.RandomState(CONSTANTS.SEED).standard_normal
    U = 0.3 * draw((n, symbols))
    W = radius * rotation(draw, n)
    V = draw((symbols, n)) / np.sqrt(n)
    return {"U": U, "W": W, "V": V, "b": np.zeros(n), "c": np.zeros(symbols)}


def tokens():
    """Return the input and the targets, which are the input one step later."""
    symbols = sorted(set(CONSTANTS.TEXT))
    coded = np.array([symbols.index(letter) for letter in CONSTANTS.TEXT])
    return coded[:-1], coded[1:]


def block_gradient(params, x, y, block, carry=True):
    """Return the gradient of a loss in blocks, each from the state before it or from 0."""
    if carry:
        return truncated_gradient(params, x, y, block)
    cuts = [slice(first, first + block) for first in range(0, len(x), block)]
    each = [rnn_backward(params, rnn_forward(params, x[cut]), y[cut]) for cut in cuts]
    return {name: np.sum([grads[name] for grads in each], axis=0) for name in "UWVbc"}


def truncation(params, x, y, block, carry=True):
    """Return the error of the gradient in blocks as a share of the exact one."""
    exact = joined(rnn_backward(params, rnn_forward(params, x), y))
    cut = joined(block_gradient(params, x, y, block, carry))
    return np.linalg.norm(cut - exact) / np.linalg.norm(exact)


def contributions(params, x, y, t):
    """Return the norm of each step's contribution to the gradient of the loss at step t."""
    run = rnn_forward(params, x[:t])
    off = run.yhat[-1] - np.eye(len(params["c"]))[y[t - 1]]
    grad_h = gradient_through_time(params, run, params["V"].T @ off)[1:]
    # Each step's share of the three gradients is an outer product with (x, h before, 1).
    read = np.sqrt(2 + (run.states[:-1] ** 2).sum(axis=-1))
    return np.linalg.norm((1 - run.h**2) * grad_h, axis=-1) * read


def case(seed, n_h, T, n_symbols=3):
    rng = np.random.default_rng(seed)
    params = init_rnn(n_symbols, n_h, n_symbols, seed=rng, scale=1.0)
    params |= {"b": rng.normal(size=n_h), "c": rng.normal(size=n_symbols)}
    return params, rng.integers(n_symbols, size=T), rng.integers(n_symbols, size=T), rng


def test_the_network_and_its_text_are_numpys(math):
    ours = math.eval("[M.network(0.9), M.X, M.Y]")
    for name, array in network(0.9).items():
        close(ours[0][name], array)
    np.testing.assert_array_equal(ours[1:], tokens())
    W = network(1.0)["W"]
    close(W @ W.T, np.eye(len(W)))
    assert len(CONSTANTS.TEXT) == STEPS + 1


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
@pytest.mark.equation("10.8", "10.9", "10.18", "10.19", "10.20", "10.21")
def test_a_step_and_its_way_back_match_the_reference(math, seed, n_h):
    params, x, y, rng = case(seed, n_h, 2)
    h0 = np.tanh(rng.normal(size=n_h))
    run = rnn_forward(params, x, h0)
    states = h0
    steps = []
    for t in range(2):
        steps.append(math("step", params, int(x[t]), int(y[t]), states))
        states = run.h[t]
        close(steps[-1]["h"], states)
    # b alone gets the gradients on a^(1) and a^(2), summed
    last = math("back", params["W"], steps[1], None)
    first = math("back", params["W"], steps[0], last)
    close(np.add(first, last), rnn_backward(params, run, y)["b"])
    unheard = math("back", params["W"], steps[0], last, False)
    only = rnn_backward(params, run, y, np.array([False, True]))["b"]
    close(np.add(unheard, last), only)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 9), st.integers(1, 10))
def test_a_gradient_in_blocks_matches_the_reference(math, seed, n_h, T, block):
    params, x, y, _ = case(seed, n_h, T)
    for carry, every in ((True, "Infinity"), (False, block)):
        ours = math.eval(
            f"((run) => M.gradient(run, M.deltas(p, run, block), 3))(M.forward(p, x, y, {every}))",
            **{"p": params, "x": x, "y": y, "block": block},
        )
        close(ours, joined(block_gradient(params, x, y, block, carry)))
        if carry:
            close(ours, joined(truncated_gradient(params, x, y, block)))


@pytest.mark.parametrize("radius", RADII)
@pytest.mark.parametrize("carry", [True, False])
def test_the_errors_of_blocks_match_the_reference(math, radius, carry):
    lengths = [1, 2, 7, 10, 20, 59, 60]
    params, (x, y) = network(radius), tokens()
    for row in math("errors", radius, carry, lengths):
        close(row["error"], truncation(params, x, y, row["block"], carry))
    assert row["error"] == 0


@pytest.mark.parametrize(("block", "radius", "t"), [(10, 1, 35), (7, 0.5, 60), (60, 1.2, 1)])
@pytest.mark.parametrize("carry", [True, False])
def test_everything_shown_of_one_loss_matches_the_reference(math, block, radius, t, carry):
    now = math("compute", {"block": block, "radius": radius, "carry": carry, "t": t})
    params, (x, y) = network(radius), tokens()
    first = now["first"]
    assert (first - 1) % block == 0
    assert first <= t < first + block
    assert now["reach"] == t - first + 1
    sizes = contributions(params, x, y, t)
    logs = np.log10(sizes / sizes[-1])
    if not carry:
        seen = contributions(params, x[first - 1 :], y[first - 1 :], t - first + 1)
        logs[first - 1 :] = np.log10(seen / sizes[-1])
    close(now["logs"], logs)
    true = rnn_forward(params, x).h
    new = [rnn_forward(params, x[s : s + block]).h for s in range(0, STEPS, block)]
    states = true if carry else np.concatenate(new)
    close(now["off"], np.linalg.norm(states - true, axis=1) / np.linalg.norm(true, axis=1))


def test_the_mean_reach_is_that_of_whole_blocks_where_they_fit(math):
    for block in range(1, STEPS + 1):
        mean = math("meanReach", block)
        assert mean == pytest.approx(np.mean(np.arange(STEPS) % block) + 1)
        if STEPS % block == 0:
            assert mean == pytest.approx((block + 1) / 2)


@pytest.mark.parametrize("block", [1, 7, 10, 59, 60])
def test_the_film_goes_forward_backward_and_on_through_every_block(math, block):
    n = -(-STEPS // block)
    assert math("frames", block) == 3 * n - 1
    seen = [math("scene", frame, block) for frame in range(1, 3 * n)]
    assert [(s["number"], s["phase"]) for s in seen] == [
        (number, phase) for number in range(1, n + 1) for phase in range(3)
    ][:-1]
    for frame, shown in enumerate(seen, 1):
        assert math("frameOf", shown["number"], shown["phase"], block) == frame
    assert math("scene", 9999, block) == seen[-1]
    back = math("shown", {"frame": 0, "block": block, "t": 31})
    assert math("scene", back, block) == {"number": -(-31 // block), "phase": 1}
    assert math("shown", {"frame": 2, "block": block, "t": 31}) == 2
    assert META["controls"]["frame"]["max"] == math("frames", 1)


@pytest.mark.slow
@pytest.mark.parametrize("radius", RADII)
def test_perturbations_of_1e_12_barely_change_the_errors(radius):
    params, (x, y) = network(radius), tokens()
    told = truncation(params, x, y, 10)
    for nudge in np.random.default_rng(0).normal(0, 1e-12, (100, *params["U"].shape)):
        nudged = params | {"U": params["U"] + nudge}
        np.testing.assert_allclose(truncation(nudged, x, y, 10), told, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("radius", [0.5, 1.2])
@pytest.mark.parametrize("carry", [True, False])
@pytest.mark.parametrize(("block", "t"), [(1, 1), (1, 60), (60, 60), (59, 60)])
def test_every_setting_gives_finite_numbers(math, radius, carry, block, t):
    state = {"block": block, "radius": radius, "carry": carry, "t": t}
    now = math("compute", state)
    assert None not in now["logs"]
    assert None not in now["off"]


def test_the_texts_state_the_numbers_of_the_figure(math):
    now = math("compute", DEFAULT)
    error, here, none = (row["error"] for row in math("errors", 1, True, [1, 10, 60]))
    assert f"{error:.2f} at one step, {here:.2f} at ten, {none:.0f} at sixty" in META["alt"]
    assert abs(here - 1 / 3) < 0.03  # "off by a third"
    before = 10 ** np.array(now["logs"])[: now["first"] - 1]
    assert before.argmax() == len(before) - 1
    assert f"from {before[-1]:.2f} down to 10⁻³" in META["alt"]
    assert round(np.log10(before.min())) == -3
    assert (now["first"], now["number"], now["blocks"], len(before)) == (31, 4, 6, 30)
    assert math("scene", math("shown", DEFAULT), DEFAULT["block"]) == {"number": 4, "phase": 1}
    assert float(META["prediction"]["answer"]) == now["mean"]
    assert re.search(r"10 \+ 9 \+ … \+ 1\)/10 = 5.5", META["prediction"]["why"])


def test_the_first_contribution_is_the_difference_that_cutting_after_its_step_makes():
    params, x, y, _ = case(1, 4, 5)
    mask = np.arange(5) == 4
    whole = joined(rnn_backward(params, rnn_forward(params, x), y, mask))
    h = rnn_forward(params, x[:1]).h[0]
    rest = joined(rnn_backward(params, rnn_forward(params, x[1:], h), y[1:], mask[1:]))
    close(contributions(params, x, y, 5)[0], np.linalg.norm(whole - rest))


def test_the_status_states_the_error_and_the_reach(math):
    told = status("tbptt", block=20, t=44, carry=False)
    [row] = math("errors", 1, False, [20])
    assert "blocks of 20 steps and the state not carried" in told
    assert f"gradient is {row['error']:.2f}" in told
    assert "reaches 4 steps, to step 41" in told
