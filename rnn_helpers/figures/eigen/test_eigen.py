"""Tests that the figure eigen computes the same powers, norms and modes as the reference."""

import re

import numpy as np
import pytest
from compare import close_to_the_largest as close
from compare import status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import linear_state, modes, power_norms, spectral_radius

pytestmark = pytest.mark.chapter("13")
META = manifest()["eigen"]
STEPS = META["controls"]["t"]["max"]
DEFAULT = complete("eigen", {})

part = st.integers(-120, 120).map(lambda k: k / 100)
states = st.fixed_dictionaries(
    {
        "re": part,
        "im": st.one_of(st.just(0.0), part),
        "re2": part,
        "c": st.integers(0, 100).map(lambda k: k / 10),
        "angle": st.integers(0, 360),
    }
)


def of(array):
    """Convert the figure's pairs of numbers to an array of complex numbers."""
    return np.array(array) @ [1, 1j]


@given(states)
def test_the_matrix_has_the_given_eigenvalues_and_non_normality(math, state):
    W = np.array(math("matrix", state))
    wanted = of(math("eigenvalues", state))
    close(np.poly(W), np.poly(wanted))
    assert math("radius", state) == pytest.approx(np.abs(wanted).max(), rel=1e-12)
    close((W**2).sum() - (np.abs(wanted) ** 2).sum(), state["c"] ** 2)
    if state["c"] == 0:
        close(W @ W.T, W.T @ W)


@pytest.mark.parametrize("c", [0.0, 0.1, 2.0, 10.0])
def test_the_matrix_is_continuous_where_a_pair_becomes_real(math, c):
    state = {"re": 0.4, "im": 1e-9, "re2": 0.4, "c": c}
    pair = np.array(math("matrix", state))
    real = np.array(math("matrix", state | {"im": 0}))
    np.testing.assert_allclose(pair, real, atol=1e-8)


@given(states)
@pytest.mark.equation("10.37")
def test_steps_and_norms_match_the_reference(math, state):
    run = math("compute", state)
    W, h0 = np.array(run["W"]), np.array(run["h0"])
    close(np.linalg.norm(h0), 1)
    for t in range(STEPS):
        close(run["path"][t + 1], W @ run["path"][t])
        close(run["powers"][t + 1], np.array(run["powers"][t]) @ W)
        close(run["norms"][t], np.linalg.norm(run["powers"][t], 2))
    close(run["norms"][1], power_norms(W, 1)[1])
    close(run["lengths"], np.linalg.norm(run["path"], axis=1))
    t = 7
    scale = np.linalg.norm(run["powers"][t], 2)
    np.testing.assert_allclose(run["path"][t], linear_state(W.T, h0, t), atol=1e-9 * max(scale, 1))


@given(states)
def test_the_marked_start_grows_by_the_largest_singular_value(math, lib, state):
    W = math("matrix", state)
    best = np.array(lib("planar")("widest", W))
    close(np.linalg.norm(best), 1)
    large, small = np.linalg.svdvals(W)
    close(np.linalg.norm(W @ best), large)
    if small > 1e-6 * large:
        np.testing.assert_allclose(lib("planar")("stretch", W), large / small, rtol=1e-6)


@given(states)
def test_modes_match_the_reference_and_add_up_to_the_state(math, state):
    run = math("compute", state)
    W, found = np.array(run["W"]), run["modes"]
    if found is None:
        vectors = np.linalg.eig(W)[1]
        alike = np.linalg.svdvals(vectors)
        assert alike[1] / alike[0] < 3e-3  # nearly parallel, so no modes are shown
        return
    values, alpha, q = of(found["eigenvalues"]), of(found["coefficients"]), of(found["vectors"]).T
    close(np.linalg.norm(q, axis=0), [1, 1])
    # Large coefficients cancel in h^(0), so allow an error in proportion to them.
    size = np.abs(alpha).max()
    np.testing.assert_allclose(W @ q, q * values, atol=1e-12 * (1 + state["c"]))
    np.testing.assert_allclose((q @ alpha).real, run["h0"], atol=1e-12 * size)
    for t in (1, 6, 25):
        parts = of(math("shares", found, t))
        grown = size * max(1, spectral_radius(W) ** t)
        expected = alpha[:, None] * (values**t)[:, None] * q.T
        np.testing.assert_allclose(parts, expected, atol=1e-9 * grown)
        # Eigenvectors aren't unique for equal eigenvalues, and inaccurate for close ones.
        if abs(values[0] - values[1]) > 0.02:
            theirs = modes(W, np.array(run["h0"]))
            np.testing.assert_allclose(parts.sum(0).real, theirs.state(t), atol=1e-9 * grown)
            shares = theirs.coefficients * theirs.eigenvalues**t * theirs.vectors
            same = np.abs(values[:, None] - theirs.eigenvalues).argmin(1)
            np.testing.assert_allclose(parts, shares.T[same], atol=1e-9 * grown)


def test_a_defective_matrix_has_no_modes_but_finite_powers(math):
    state = {"re": 0.5, "im": 0, "re2": 0.5, "c": 10, "angle": 90}
    run = math("compute", state)
    assert run["modes"] is None
    assert math("between", state) == 0
    close(run["W"], [[0.5, 10], [0, 0.5]])
    np.testing.assert_allclose(
        run["lengths"][:9], [1, 10.01, 10.00, 7.50, 5.00, 3.13, 1.88, 1.09, 0.625], atol=6e-3
    )
    assert run["calm"] == 8


def test_norms_of_a_normal_matrix_are_powers_of_its_spectral_radius(math):
    for re_, im in ((0.95, 0), (0.9408, 0.2744), (-1.2, 0.3)):
        run = math("compute", DEFAULT | {"re": re_, "im": im, "c": 0})
        close(run["norms"], run["radius"] ** np.arange(STEPS + 1))


def test_extreme_settings_give_only_finite_numbers(math):
    for re_ in (-1.2, 0, 1.2):
        for im in (-1.2, 0, 1e-300, 5e-324, 1.2):
            for c in (0, 1e-12, 5e-324, 10):
                state = DEFAULT | {"re": re_, "im": im, "re2": re_ / 2, "c": c, "angle": 37.5}
                text = str(math("compute", state))  # JSON turns NaN into null
                assert text.count("None") == text.count("'modes': None")


def test_a_mode_above_one_grows_even_if_another_grows_faster(math, lib):
    """With 1.2 and 1.1, the smaller mode has grown 117-fold after 50 steps."""
    state = DEFAULT | {"re": 1.2, "re2": 1.1, "c": 0, "angle": 45}
    found = math("modes", state, lib("planar")("start", 45))
    before, after = (np.abs(of(math("shares", found, t))).max(1) for t in (0, 50))
    assert after[1] / before[1] == pytest.approx(117.4, abs=0.1)
    assert after[1] / after[0] == pytest.approx(0.013, abs=5e-4)


def test_the_alternative_text_has_the_numbers_of_the_default_settings(math):
    run = math("compute", DEFAULT)
    said = re.findall(r"\d+(?:\.\d+)?", META["alt"])
    top = f"{run['norms'][run['peak']]:.2f}"
    length = f"{run['lengths'][DEFAULT['t']]:.2f}"
    assert run["peak"] == DEFAULT["t"]
    assert said == ["0.95", "0.7", "1", top, str(run["peak"]), "0.95", "1",
                    str(run["calm"]), str(run["peak"]), length]  # fmt: skip


def test_the_hump_disappears_without_non_normality(math):
    norms = np.array(math("compute", DEFAULT | {"c": 0})["norms"])
    assert (np.diff(norms) < 0).all()
    assert META["prediction"]["answer"] == "it disappears"


@pytest.mark.parametrize("state", [{}, {"im": 0.3, "t": 4}, {"c": 0.0}])
def test_the_status_states_the_length_after_the_steps(math, lib, state):
    whole = complete("eigen", state)
    power = np.linalg.matrix_power(math("matrix", whole), whole["t"])
    length = np.linalg.norm(power @ lib("planar")("start", whole["angle"]))
    assert f"At step {whole['t']}, the state in the plane has length {length:.3f}." in status(
        "eigen", **state
    )
