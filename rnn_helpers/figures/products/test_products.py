"""Tests that the figure products matches NumPy, random layers and its own texts."""

import re

import numpy as np
import pytest
from compare import close, spoken, status
from hypothesis import given
from hypothesis import strategies as st

from press.still import draw
from rnn_helpers.explore import manifest
from rnn_helpers.figures import constants
from rnn_helpers.reference import times

pytestmark = pytest.mark.chapter("13")
META = manifest()["products"]
SAMPLES = constants("products").SAMPLES
KINDS = [option["value"] for option in META["controls"]["kind"]["options"]]


def sampled(kind, seed, n):
    """Compute log10 of the products of 0 to n factors with NumPy, shape (n + 1, S)."""
    same = kind == "same"
    shape = (1 if same else n, SAMPLES[kind], 1 if same else int(kind))
    normals = np.random.RandomState(seed).standard_normal(shape)
    logs = np.log10(np.sqrt(np.mean(normals**2, axis=-1)))
    logs = np.broadcast_to(logs, (n, SAMPLES[kind]))
    return np.vstack([np.zeros(SAMPLES[kind]), np.cumsum(logs, axis=0)])


def drawn(math, kind, seed, n):
    """Return log10 of the figure's products, of their medians and of their root mean squares."""
    return math.eval(f"((s) => [s.logs, s.medians, s.rms])(M.sample('{kind}', {seed}).until({n}))")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_products_match_numpy(math, kind, seed):
    n = 12
    logs = sampled(kind, seed, n)
    found = drawn(math, kind, seed, n)
    rms = np.log10(np.sqrt(np.mean(100**logs, axis=1)))
    for ours, theirs in zip(found, (logs, np.median(logs, axis=1), rms), strict=True):
        close(ours, theirs)


def test_more_factors_continue_the_same_products(math):
    grown = math.eval("((s) => [s.until(5).logs.length, s.until(9).logs[9]])(M.sample('2', 3))")
    assert grown == [6, drawn(math, "2", 3, 9)[0][9]]


@given(st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 10, 100]))
def test_a_factor_is_the_change_in_length_by_a_layer(math, seed, N):
    """W h depends only on W h/|h|, whose entries are N independent normals / sqrt(N)."""
    rng = np.random.default_rng(seed)
    h = rng.normal(size=N)
    W = rng.normal(size=(N, N)) / np.sqrt(N)
    normals = np.sqrt(N) * times(W, h / np.linalg.norm(h))
    grown = np.linalg.norm(times(W, h)) / np.linalg.norm(h)
    assert math("factor", normals) == pytest.approx(grown, rel=1e-9)


@pytest.mark.parametrize("N", [2, 10])
def test_random_layers_have_the_mean_logarithm_of_the_figure(math, N):
    """The shortcut of the figure gives the same mean as 20 complete N by N layers."""
    rng = np.random.default_rng(0)
    h = np.ones((2000, N, 1)) / np.sqrt(N)
    for _ in range(20):
        h = rng.normal(size=(2000, N, N)) / np.sqrt(N) @ h
    logs = np.log10(np.linalg.norm(h[..., 0], axis=1))
    drift = np.mean(drawn(math, str(N), 5, 20)[0][20])
    error = logs.std() * np.sqrt(1 / 2000 + 1 / SAMPLES[str(N)])
    assert abs(drift - logs.mean()) < 4 * error


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=20))
def test_root_mean_squares_of_large_logarithms_do_not_overflow(math, logs):
    wanted = np.log10(np.sqrt(np.mean(100.0 ** np.array(logs))))
    assert math("logRms", logs) == pytest.approx(wanted, abs=1e-9)
    assert math("logRms", [1e4 + log for log in logs]) == pytest.approx(1e4 + wanted, abs=1e-6)
    assert math("median", logs) == pytest.approx(np.median(logs))


def test_the_true_root_mean_square_is_a_power_of_v(math):
    for kind in KINDS[1:]:
        for v in (0.5, 1.0, 3.56):
            assert math("trueRms", kind, v, 100) == pytest.approx(50 * np.log10(v))
    # The same weight at every step: E w^(2t) = 1 * 3 * 5 ... (2t - 1) v^t.
    assert math("trueRms", "same", 2.0, 3) == pytest.approx(np.log10(15 * 2.0**3) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_stated_mean_square_keeps_the_typical_size(math, kind):
    v = math("keeping", kind)
    rng = np.random.default_rng(2)
    normals = rng.normal(size=(100_000, 1 if kind == "same" else int(kind)))
    logs = np.log(np.sqrt(v * np.mean(normals**2, axis=1)))
    drift = np.median(logs) if kind == "same" else logs.mean()
    assert abs(drift) < 0.02
    if kind == "1":
        assert v == pytest.approx(3.562, abs=1e-3)


def test_the_alternative_text_and_the_prediction_are_true():
    logs = sampled("1", META["controls"]["seed"]["default"], 100)[-1]
    said = re.findall(r"(\d\.\d)·10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", META["alt"])
    powers = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    shown = [float(digits) * 10.0 ** -int(power.translate(powers)) for digits, power in said]
    rms = np.sqrt(np.mean(100**logs))
    np.testing.assert_allclose(shown, [10 ** np.median(logs), rms], rtol=0.02)
    assert not (logs >= 0).any()  # "none of them reaches 1"
    wide = sampled("100", META["controls"]["seed"]["default"], 100)[-1]
    assert META["prediction"]["answer"] == f"about {10 ** np.median(wide):.1f}"


@pytest.mark.parametrize("kind", KINDS)
def test_the_status_states_the_median_and_the_root_mean_square(kind):
    logs = sampled(kind, META["controls"]["seed"]["default"], 20)[-1] + 10 * np.log10(2)
    said = status("products", kind=kind, n=20, v=2.0)
    assert f"median is {spoken(np.median(logs))}, the true" in said
    assert f"of the sample is {spoken(np.log10(np.mean(100**logs)) / 2)}." in said


def test_the_axis_is_as_short_as_the_lengths_in_wide_layers_allow():
    marked = re.findall(r">10<tspan[^>]*>(−?\d+)<", draw("products", {"kind": "100"}).markup)
    assert marked == ["−1", "1"]
