"""The figure reservoir computes the same as the reference, and its texts state its numbers."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import stored
from rnn_helpers.figures.reservoir.model import CONSTANTS, network, scaled
from rnn_helpers.figures.reservoir.trained import make
from rnn_helpers.reference import echo_state_gap, memory_capacity, reservoir_states, spectral_radius

pytestmark = pytest.mark.chapter("14")


def remembered(radius, scale, leak=1.0):
    """Return the reference's values for the figure's default state.

    Returns
    -------
    capacity : ndarray, shape (K + 1,)
    gap : ndarray, shape (K + 1,)
        Distance of the states from the two starts.
    """
    K = manifest()["reservoir"]["controls"]["k"]["max"]
    params, x, starts = network()
    params = scaled(params, radius, scale)
    capacity = memory_capacity(
        params,
        K,
        Recorded(x),
        leak=leak,
        penalty=1e-8 * scale**2,
        n_steps=sum(CONSTANTS.FULL),
        washout=CONSTANTS.WASHOUT,
    )
    zero = CONSTANTS.WASHOUT + CONSTANTS.FULL[0]
    return capacity, echo_state_gap(params, x[zero : zero + K], *starts, leak=leak)


class Recorded(np.random.Generator):
    """A generator that draws the figure's input."""

    def __init__(self, x):
        super().__init__(np.random.PCG64(0))
        self._x = x

    def uniform(self, low, high, size):
        return self._x


META = manifest()["reservoir"]
DEFAULT = complete("reservoir", {})
PARAMS, X, STARTS = network()
FULL, SHORT = CONSTANTS.FULL, [300, 120]  # steps to learn on, and others to be tried on
ZERO = CONSTANTS.WASHOUT + FULL[0]


def settle(math, steps=FULL, k=20, **state):
    """Return the memory of the figure in a state. (A generator can't cross.)"""
    now = DEFAULT | state
    return math("recall", {key: now[key] for key in ("radius", "scale", "leak")}, steps, k)


def test_the_reservoir_is_numpys_and_has_the_structure_of_the_packages(math):
    drawn = math("reservoir")
    W = np.zeros((CONSTANTS.UNITS,) * 2)
    rows = np.arange(CONSTANTS.UNITS).repeat(CONSTANTS.ROW)
    W[rows, drawn["columns"]] = drawn["weights"]
    assert ((W != 0).sum(axis=1) == CONSTANTS.ROW).all()
    radius = math.eval("M.DRAWN")
    assert radius == pytest.approx(spectral_radius(W), rel=1e-12)
    close(W / radius, PARAMS["W"])
    close(drawn["u"], PARAMS["U"][:, 0])
    close(drawn["x"], X[:, 0])
    close(drawn["starts"], STARTS)
    assert np.abs(drawn["u"]).max() <= 1


@given(st.integers(0, 2**32 - 1), st.floats(0, 3), st.floats(-2, 1), st.floats(0.05, 1))
@pytest.mark.equation("10.8", "10.9")
def test_a_step_matches_the_reference(math, seed, radius, power, leak):
    rng, scale = np.random.default_rng(seed), 10**power
    h, x = rng.uniform(-1, 1, CONSTANTS.UNITS), rng.uniform(-1, 1)
    ours = math("step", {"radius": radius, "scale": scale, "leak": leak}, h, x)
    params = scaled(PARAMS, radius, scale)
    close(ours, reservoir_states(params, [[x]], h, leak)[0])


# The package solves by orthogonal factors, the figure by normal equations, whose condition is the
# square. V may differ in its sixth digit, and its outputs on new steps differ less.
@pytest.mark.slow
@pytest.mark.parametrize(
    "state",
    [{}, {"scale": 10.0, "radius": 3.0}, {"radius": 0.3}, {"leak": 0.2}, {"scale": 1.0}],
)
def test_capacities_match_the_reference(math, state):
    now = DEFAULT | state
    theirs, _ = remembered(now["radius"], now["scale"], now["leak"])
    ours = settle(math, **state)["capacity"]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-4)


def test_a_radius_of_0_leaves_only_the_present_input(math):
    capacity = settle(math, radius=0)["capacity"]
    assert capacity[0] > 0.999
    assert sum(capacity[1:]) < 0.3


@pytest.mark.slow
@pytest.mark.parametrize("state", [{}, {"radius": 3.0}, {"radius": 3.0, "scale": 10.0}])
def test_while_the_hand_moves_the_estimate_is_near(math, state):
    assert math.eval("[M.FULL, M.SHORT]") == [FULL, SHORT]
    quick, rested = (sum(settle(math, n, **state)["capacity"][1:]) for n in (SHORT, FULL))
    assert abs(quick - rested) < max(0.1 * rested, 0.8)


def test_the_shown_output_of_a_readout_has_its_capacity_as_squared_correlation(math):
    found = settle(math)
    for k in (5, 20, 28):
        said, true = found["words"][k], math("heard", k)
        close(true, X[ZERO - k : ZERO - k + len(said), 0])
        share = np.corrcoef(said, true)[0, 1] ** 2
        assert share == pytest.approx(found["capacity"][k], abs=0.15)


@pytest.mark.parametrize("state", [{}, {"radius": 3.0, "scale": 10.0}, {"leak": 0.3}])
def test_distances_of_two_starts_match_the_reference(math, state):
    now = DEFAULT | state
    far, _ = math("apart", {key: now[key] for key in ("radius", "scale", "leak")}, 40)
    params = scaled(PARAMS, now["radius"], now["scale"])
    np.testing.assert_allclose(
        far, echo_state_gap(params, X[ZERO : ZERO + 40], *STARTS, now["leak"]), rtol=1e-7
    )


@pytest.mark.slow
@pytest.mark.parametrize("over", ["input", "silence"])
def test_the_echo_is_the_difference_that_a_pulse_makes(math, over):
    before = settle(math)["before"]
    x = X[ZERO : ZERO + 101].copy() if over == "input" else np.zeros((101, 1))
    params = scaled(PARAMS, 0.9, 0.1)
    h0 = before if over == "input" else np.zeros(CONSTANTS.UNITS)
    without = reservoir_states(params, x, h0)
    x[0] += 1
    theirs = reservoir_states(params, x, h0) - without
    ours = math("echo", {"radius": 0.9, "scale": 0.1, "leak": 1}, before, over)
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-13)


FATES = [
    ({}, "meet"),
    ({"radius": 3.0}, "chaos"),
    ({"radius": 3.0, "scale": 10.0}, "meet"),
    ({"scale": 10.0}, "meet"),
]


@pytest.mark.parametrize(("state", "fate"), FATES)
def test_where_two_starts_go(math, state, fate):
    now = DEFAULT | state
    gaps = math("apart", {key: now[key] for key in ("radius", "scale", "leak")}, 500)
    assert math("verdict", gaps) == fate


@pytest.mark.slow
@pytest.mark.parametrize(
    ("state", "least", "most"), [({}, 9.9, 10), ({"radius": 3.0}, 0, 0.5), ({"radius": 2.0}, 0, 1)]
)
def test_under_a_hundred_perturbations_the_story_is_the_same(math, state, least, most):
    """Chaotic: different trajectories, equal memory. At 0.9, equal trajectories."""
    rng, now = np.random.default_rng(0), DEFAULT | state
    x, learn, washout = X[:900], 350, 200
    params = scaled(PARAMS, now["radius"], now["scale"])
    h0 = 1e-12 * rng.standard_normal((100, CONSTANTS.UNITS))
    h = reservoir_states(params, np.broadcast_to(x[:, None], (900, 100, 1)), h0)
    spread = np.ptp(h[-1], axis=0).max()
    gaps = math("apart", {key: now[key] for key in ("radius", "scale", "leak")}, 500)
    chaotic = math("verdict", gaps) == "chaos"
    assert spread > 1 if chaotic else spread < 1e-12
    for run in range(100 if chaotic else 2):
        shares = capacities(h[washout:, run], x[washout:, 0], learn, now["scale"], delays=10)
        assert least < shares.sum() < most


def capacities(h, x, learn, scale, delays):
    rows = np.arange(delays, len(h))
    past = np.array([x[rows - k] for k in range(1, delays + 1)]).T
    A = h[rows] - h[rows][:learn].mean(axis=0)
    gram = A[:learn].T @ A[:learn] + 1e-8 * scale**2 * np.eye(A.shape[1])
    said, true = A[learn:] @ np.linalg.solve(gram, A[:learn].T @ past[:learn]), past[learn:]
    return np.array([np.corrcoef(s, t)[0, 1] ** 2 for s, t in zip(said.T, true.T, strict=True)])


@pytest.mark.slow
@pytest.mark.parametrize("radius", [0.0, 0.9, 1.0, 1.3, 3.0])
@pytest.mark.parametrize("scale", [0.01, 10.0])
@pytest.mark.parametrize("leak", [0.05, 1.0])
def test_every_setting_gives_finite_numbers(math, radius, scale, leak):
    found = settle(math, SHORT, 100, radius=radius, scale=scale, leak=leak)
    capacity = np.array(found["capacity"], float)
    assert ((capacity >= 0) & (capacity <= 1 + 1e-9)).all()
    assert capacity[1:].sum() <= CONSTANTS.UNITS
    assert np.isfinite(np.array(found["words"][100], float)).all()


def test_the_map_is_the_experiments():
    assert make() == stored("reservoir")


def test_the_texts_state_the_size_of_the_echo(math):
    settings = {key: DEFAULT[key] for key in ("radius", "scale", "leak")}
    size = np.abs(math("echo", settings, None, "silence")).max(axis=1)
    told = META["prediction"]
    assert f"the 100 states is {size[0]:.3f} in size" in told["question"]
    assert told["answer"].startswith(f"about {size[20]:.2f}, a tenth")
    assert size[20] / size[0] == pytest.approx(0.1, abs=0.03)
    assert f"It is {size[20]:.3f}." in told["why"]
    assert f"still {size[50]:.4f} in size" in told["why"]
    assert f"is {size[0]:.3f} in size" in META["alt"]
    for k, words in ((0, "at the pulse"), (20, "20 steps after")):
        assert f"{size[k]:.3f} in size {words}" in status("reservoir", k=k)


@pytest.mark.slow
def test_the_memories_that_the_chapter_quotes_are_the_figures(math):
    at = [sum(settle(math, **state)["capacity"][1:]) for state, _ in FATES]
    assert at == pytest.approx([26.6, 0, 4.2, 3.3], abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["memory", "map"])
@pytest.mark.parametrize("state", [{}, {"radius": 3.0, "scale": 10.0}])
def test_the_status_states_the_memory_of_the_reference(view, state):
    now = DEFAULT | state
    capacity, _ = remembered(now["radius"], now["scale"], now["leak"])
    stated = re.search(r"recover ([\d.]+) past inputs", status("reservoir", view=view, **state))[1]
    assert float(stated) == pytest.approx(capacity[1:].sum(), abs=0.1)
