"""The figure products multiplies the numbers that NumPy draws, and its laws are those of layers."""

import re

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.figures.products import SAMPLES, poster
from rnn_helpers.explore.states import complete
from rnn_helpers.plots import products
from rnn_helpers.reference import times

pytestmark = pytest.mark.chapter("13")
META = manifest()["products"]
KINDS = [option["value"] for option in META["controls"]["kind"]["options"]]


def sampled(kind, seed, n):
    """Decimal logarithms of the products of 0 to n factors, (n + 1, S), by NumPy."""
    same = kind == "same"
    shape = (1 if same else n, SAMPLES[kind], 1 if same else int(kind))
    normals = np.random.RandomState(seed).standard_normal(shape)
    logs = np.log10(np.sqrt(np.mean(normals**2, axis=-1)))
    logs = np.broadcast_to(logs, (n, SAMPLES[kind]))
    return np.vstack([np.zeros(SAMPLES[kind]), np.cumsum(logs, axis=0)])


def drawn(math, kind, seed, n):
    """The figure's: logarithms of the products, their medians, their root mean squares."""
    return math.eval(f"((s) => [s.logs, s.medians, s.rms])(M.sample('{kind}', {seed}).until({n}))")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_product_is_numpys(math, kind, seed):
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
def test_a_factor_is_what_a_layer_does_to_the_length_of_any_state(math, seed, N):
    """W h depends on W through W h/|h| alone, whose entries are N independent normals / sqrt(N)."""
    rng = np.random.default_rng(seed)
    h = rng.normal(size=N)
    W = rng.normal(size=(N, N)) / np.sqrt(N)
    normals = np.sqrt(N) * times(W, h / np.linalg.norm(h))
    grown = np.linalg.norm(times(W, h)) / np.linalg.norm(h)
    assert math("factor", normals) == pytest.approx(grown, rel=1e-9)


@pytest.mark.parametrize("N", [2, 10])
def test_whole_layers_lose_length_as_the_figure_says(math, N):
    """Real N by N layers, against the shortcut: the same mean logarithm after 20 of them."""
    rng = np.random.default_rng(0)
    h = np.ones((2000, N, 1)) / np.sqrt(N)
    for _ in range(20):
        h = rng.normal(size=(2000, N, N)) / np.sqrt(N) @ h
    logs = np.log10(np.linalg.norm(h[..., 0], axis=1))
    drift = np.mean(drawn(math, str(N), 5, 20)[0][20])
    error = logs.std() * np.sqrt(1 / 2000 + 1 / SAMPLES[str(N)])
    assert abs(drift - logs.mean()) < 4 * error


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=20))
def test_mean_squares_of_logarithms_do_not_overflow(math, logs):
    wanted = np.log10(np.sqrt(np.mean(100.0 ** np.array(logs))))
    assert math("logRms", logs) == pytest.approx(wanted, abs=1e-9)
    assert math("logRms", [1e4 + log for log in logs]) == pytest.approx(1e4 + wanted, abs=1e-6)
    assert math("median", logs) == pytest.approx(np.median(logs))


def test_the_true_root_mean_square_is_a_power_of_v(math):
    for kind in KINDS[1:]:
        for v in (0.5, 1.0, 3.56):
            assert math("trueRms", kind, v, 100) == pytest.approx(50 * np.log10(v))
    # One weight again and again: E w^(2t) = 1 * 3 * 5 ... (2t - 1) v^t.
    assert math("trueRms", "same", 2.0, 3) == pytest.approx(np.log10(15 * 2.0**3) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_mean_square_that_keeps_the_typical_product_does(math, kind):
    v = math("keeping", kind)
    rng = np.random.default_rng(2)
    normals = rng.normal(size=(100_000, 1 if kind == "same" else int(kind)))
    logs = np.log(np.sqrt(v * np.mean(normals**2, axis=1)))
    drift = np.median(logs) if kind == "same" else logs.mean()
    assert abs(drift) < 0.02
    if kind == "1":
        assert v == pytest.approx(3.562, abs=1e-3)


def test_the_picture_and_the_prediction_say_what_is_so():
    logs = sampled("1", META["controls"]["seed"]["default"], 100)[-1]
    said = re.findall(r"(\d\.\d)·10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", META["alt"])
    powers = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    shown = [float(digits) * 10.0 ** -int(power.translate(powers)) for digits, power in said]
    rms = np.sqrt(np.mean(100**logs))
    np.testing.assert_allclose(shown, [10 ** np.median(logs), rms], rtol=0.02)
    assert not (logs >= 0).any()  # "which none of them reaches"
    wide = sampled("100", META["controls"]["seed"]["default"], 100)[-1]
    assert META["prediction"]["answer"] == f"about {10 ** np.median(wide):.1f}"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_a_poster_that_says_what_the_figure_says(math, kind):
    state = complete("products", {"kind": kind, "n": 20, "v": 2.0})
    plot = poster(state)
    found = drawn(math, kind, state["seed"], 20)[1][20]
    median = float(re.search(r"median goes from 1 to ([\d.e-]+),", plot.alt)[1])
    assert np.log10(median) == pytest.approx(found + 10 * np.log10(2), abs=0.02)
    assert f"Sizes of {SAMPLES[kind]} products of up to 20 factors" in plot.alt


def test_the_poster_takes_the_readers_own_arrays():
    plot = products([[0.5, -2.0], [0.5, -2.0]], rms=[1.0, 3.0], shown=1)
    assert "Their median goes from 1 to 1," in plot.alt
    assert "1 of the 2 products are at least as large" in plot.alt
    tiny = products(np.full((400, 3), 1e-3))
    assert "1.0e-1200" in tiny.alt
    with pytest.raises(ValueError, match="factors contains 0"):
        products([[1.0, 0.0]])
