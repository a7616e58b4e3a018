"""Tests that the figure compose computes the same layers as the reference."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import direction_changes, hidden_state, times

pytestmark = pytest.mark.chapter("13")
META = manifest()["compose"]
DEFAULT = complete("compose", {})
N = 100


def network(seed):
    chance = np.random.RandomState(seed)
    Z = chance.standard_normal((N, N))
    base, direction, projection = (chance.standard_normal(N) for _ in range(3))
    return Z, base, *(v / np.linalg.norm(v) for v in (direction, projection))


def layers(seed, gain, x, nudge=0):
    """Compute heights and slopes of the curves of 0 to 5 layers, each of shape (6, len(x))."""
    Z, base, direction, projection = network(seed)
    h, slope = base + nudge + x[:, None] * direction, np.broadcast_to(direction, (len(x), N))
    heights, slopes = [h @ projection], [slope @ projection]
    for _ in range(5):
        h = hidden_state(times(gain / 10 * Z, h))
        slope = (1 - h**2) * times(gain / 10 * Z, slope)
        heights.append(h @ projection)
        slopes.append(slope @ projection)
    return np.array(heights), np.array(slopes)


def curves(math, seed, gain, x):
    points = math.eval("x.map(M.curves(seed, gain))", x=x, seed=seed, gain=gain)
    return np.split(np.array(points).T, 2)


@pytest.mark.parametrize("seed", [0, 4])
def test_the_network_matches_numpy(math, seed):
    found = math("network", seed).values()
    for ours, theirs in zip(found, network(seed), strict=True):
        np.testing.assert_allclose(ours, theirs.ravel(), rtol=1e-12, atol=1e-15)


@given(st.integers(0, 2**32 - 1), st.floats(0.5, 20), st.sampled_from([4, 8, 100]))
@pytest.mark.equation("10.8", "10.9")
def test_a_layer_matches_the_reference(math, seed, gain, n):
    rng = np.random.default_rng(seed)
    Z, h, s = rng.normal(size=(n, n)), rng.uniform(-1, 1, n), rng.normal(size=n)
    now = {"h": h.tolist(), "s": s.tolist()}
    found = math("layer", Z.ravel(), gain, now, {"h": [], "s": []})
    W = gain / np.sqrt(n) * Z
    after = hidden_state(times(W, h))
    close(found["h"], after)
    close(found["s"], (1 - after**2) * times(W, s))


def test_the_curve_matches_the_reference_up_to_rounding(math):
    """The tolerance is the largest effect of 100 perturbations of size 1e-12."""
    x = np.linspace(-60, 60, 49)
    heights, slopes = layers(DEFAULT["seed"], DEFAULT["gain"], x)
    rng = np.random.default_rng(0)
    nudged = [
        layers(DEFAULT["seed"], DEFAULT["gain"], x, 1e-12 * rng.normal(size=N)) for _ in range(100)
    ]
    for k, (ours, theirs) in enumerate(
        zip(curves(math, DEFAULT["seed"], DEFAULT["gain"], x), (heights, slopes), strict=True)
    ):
        spread = np.max([np.abs(other[k] - theirs) for other in nudged], axis=0)
        assert spread.max() < 1e-6  # five layers amplify rounding errors only a little
        np.testing.assert_array_less(np.abs(ours - theirs), 1e-9 + spread)


def test_tiny_perturbations_barely_change_the_number_of_turns():
    x = np.linspace(-60, 60, 129)
    rng = np.random.default_rng(1)
    turns = {
        direction_changes(layers(4, 10.0, x, 1e-12 * rng.normal(size=N))[0][5]) for _ in range(100)
    }
    assert max(turns) - min(turns) <= 1


@pytest.mark.parametrize(("gain", "depth"), [(0.5, 5), (20, 5), (20, 0)])
def test_extreme_gains_give_only_finite_numbers(math, gain, depth):
    heights, slopes = curves(math, 99, gain, [-60, 0, 60])
    assert np.isfinite([heights[depth], slopes[depth]]).all()


@pytest.mark.slow
@given(st.floats(-60, 60), st.floats(1, 1000))
def test_windows_share_their_grid_points(math, centre, zoom):
    low, high = math("span", centre, zoom)
    assert -60 - 1e-9 <= low < high <= 60 + 1e-9
    assert high - low == pytest.approx(120 / zoom)
    fine, coarse = (math("grid", [low, high], k) for k in (0, 3))
    assert set(coarse) <= set(fine)
    assert 4095 <= len(fine) <= 8193
    # After zooming in by 2, every other point is already known.
    inner = math("grid", math("span", (low + high) / 2, 2 * zoom), 1)
    assert set(inner) <= set(fine)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=30))
def test_turns_are_counted_as_in_the_reference(math, values):
    assert math("directionChanges", values) == direction_changes(values)


def test_an_empty_list_of_slopes_gives_zeros(math):
    found = math("steepness", [])
    assert found == {"share": 0, "least": 0, "median": 0, "most": 0}


@given(st.lists(st.floats(-50, 50, allow_subnormal=False), min_size=1, max_size=40))
def test_the_steepest_part_has_half_of_the_rise_and_fall(math, slopes):
    found = math("steepness", slopes)
    sizes = np.abs(slopes)
    assert found["median"] == pytest.approx(np.median(sizes))
    assert found["most"] == sizes.max()
    k = round(found["share"] * len(sizes))
    largest = np.sort(sizes)[::-1]
    if sizes.sum() > 0:
        assert largest[:k].sum() >= sizes.sum() / 2 * (1 - 1e-12)
        assert largest[: k - 1].sum() < sizes.sum() / 2
        assert found["least"] == largest[k - 1]
    shares = math("histogram", slopes, -4, 3, 0.25)
    assert len(shares) == 28
    assert sum(shares) == pytest.approx(1)


def test_the_alternative_text_the_story_and_the_prediction_are_true(math):
    """The numbers of the alternative text and the turns at gains 2 and 10 are right."""
    x = np.array(math("grid", [-60, 60], 0))
    heights, slopes = layers(DEFAULT["seed"], DEFAULT["gain"], x)
    steep = math("steepness", slopes[5])
    shown = [direction_changes(heights[5]), 100 * steep["share"], steep["median"], steep["most"]]
    said = re.findall(
        r"turns (\d+) times.* take up ([\d.]+) %.* is ([\d.]+), .* ([\d.]+)\.$", META["alt"]
    )
    np.testing.assert_allclose([float(text) for text in said[0]], shown, rtol=0.02)
    turns = [direction_changes(curve) for curve in heights]
    ratios = np.divide(turns[2:], turns[1:-1])
    assert ((ratios > 1.5) & (ratios < 3.5)).all()  # "roughly doubles"
    gentle, _ = layers(DEFAULT["seed"], 2.0, x[::4])
    assert 7 <= direction_changes(gentle[5]) <= 13
    assert META["prediction"]["answer"] == "about ten times"


@pytest.mark.parametrize("gain", [2.0, 10.0])
def test_the_status_states_the_number_of_turns(math, gain):
    heights, _ = layers(DEFAULT["seed"], gain, np.array(math("grid", [-60, 60], 0)))
    assert f"turns {direction_changes(heights[5])} times" in status("compose", gain=gain)
