"""The figure clap computes the same as the reference, and its texts state its numbers."""

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures.reservoir.model import network, scaled
from rnn_helpers.reference import reservoir_states, ridge_readout

pytestmark = pytest.mark.chapter("14")
META = manifest()["clap"]
DEFAULT = complete("clap", {})
SCALE, BAR, STEPS, TAKES = 0.1, 16, 48, 100
PARAMS, X, _ = network()


def played(rhythm):
    return np.array([mark == "x" for mark in rhythm.ljust(STEPS, ".")], float)


def states(rhythm=DEFAULT["rhythm"], radius=0.9, leak=1.0):
    params = scaled(PARAMS, radius, SCALE)
    return reservoir_states(params, played(rhythm)[:, None], leak=leak)


def practice(radius=0.9, leak=1.0):
    """Return the states of all takes and their inputs, take by take."""
    bars = (X[: TAKES * BAR, 0] > 0).reshape(TAKES, BAR)
    x = np.hstack([bars, np.zeros((TAKES, STEPS - BAR))])
    h = reservoir_states(scaled(PARAMS, radius, SCALE), x.T[..., None], leak=leak)
    return h.swapaxes(0, 1), x


def fitted(k, n=100, **settings):
    """Return the reference's readout of n units for the input of k steps before."""
    h, x = practice(**settings)
    y = np.hstack([np.zeros((TAKES, k)), x[:, : STEPS - k]])
    flat = h.reshape(-1, h.shape[-1])[:, :n]
    return ridge_readout(flat, y.reshape(-1, 1), penalty=1e-8 * SCALE**2)


def ours(math, function, **state):
    return math(function, DEFAULT | state)


@pytest.mark.equation("10.8", "10.9")
@pytest.mark.parametrize("state", [{}, {"radius": 1.4}, {"leak": 0.3}, {"rhythm": "xx"}])
def test_the_echo_matches_the_reference(math, state):
    settings = {key: state[key] for key in ("rhythm", "radius", "leak") if key in state}
    close(ours(math, "echo", **state), states(**settings))


# The package solves by orthogonal factors and the figure by normal equations.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "units", "leak"), [(16, 100, 1.0), (8, 20, 1.0), (8, 2, 1.0), (8, 100, 0.3)]
)
def test_the_sum_matches_the_reference(math, k, units, leak):
    readout = fitted(k, units, leak=leak)
    expected = states(leak=leak)[:, :units] @ readout["V"].T + readout["c"]
    found = ours(math, "answer", k=k, units=units, leak=leak)
    np.testing.assert_allclose(found, expected[:, 0], atol=2e-3)


@pytest.mark.slow
def test_each_pad_is_recovered_by_its_own_readout(math):
    at = 24
    h = states()[at - 1]
    found = ours(math, "recalled", at=at)
    for step in range(BAR):
        readout = fitted(at - 1 - step)
        assert found[step] == pytest.approx(float((readout["V"] @ h + readout["c"])[0]), abs=2e-3)


def test_the_rhythm_fades_from_its_beginning(math):
    """The readouts recover all claps at the marked step, and few of them much later."""
    rhythm = DEFAULT["rhythm"]
    full = math("score", ours(math, "recalled"), rhythm)
    assert full == {"hits": 5, "claps": 5, "others": 0}
    late = ours(math, "recalled", at=36)
    assert late[0] < 0.5 < late[12]
    assert math("score", ours(math, "recalled", at=48), rhythm)["hits"] == 0


@pytest.mark.parametrize(
    ("k", "units", "leak", "hits"), [(16, 100, 1, 5), (8, 20, 1, 5), (8, 2, 1, 0), (8, 100, 0.1, 0)]
)
def test_the_examples_of_the_chapter(math, k, units, leak, hits):
    found = ours(math, "answer", k=k, units=units, leak=leak)[k:]
    assert math("score", found, DEFAULT["rhythm"])["hits"] == hits
    view = "fit" if leak == 1 else "leak"
    said = status("clap", view=view, k=k, units=units, leak=leak)
    assert f"{hits} of 5 claps" in said


def test_a_clap_leaves_one_trace_at_a_small_radius_and_four_at_a_large_one(math):
    small, large = (math("alike", ours(math, "traces", radius=r), 5) for r in (0.9, 3))
    assert small > 0.99
    assert large < 0.35  # four unrelated traces give 0.25 on average


@pytest.mark.parametrize(
    ("radius", "leak", "hits"), [(0.9, 1, 5), (0.3, 1, 0), (0.9, 0.1, 0), (3, 1, 1)]
)
def test_each_way_to_lose_the_rhythm_loses_it(radius, leak, hits):
    assert f"{hits} of 5 claps" in status("clap", view="lose", radius=radius, leak=leak)


@pytest.mark.parametrize("view", ["ring", "fit"])
def test_the_sound_stays_within_its_range_and_begins_with_the_clap(math, view):
    rate = 4000
    sound = np.array(math("sound", DEFAULT | {"view": view}, rate))
    assert np.isfinite(sound).all()
    assert 0.5 < np.abs(sound).max() <= 0.901
    assert np.abs(sound[: rate // 20]).max() > 0.3
    silent = np.array(math("sound", DEFAULT | {"view": "ring", "rhythm": "." * BAR}, rate))
    assert not silent.any()


def test_pitches_fall_from_row_to_row(math):
    pitches = [math("pitch", i) for i in range(24)]
    assert pitches == sorted(pitches, reverse=True)
    assert pitches[-1] == 110


def test_the_texts_state_the_rhythm():
    on = [t + 1 for t, mark in enumerate(DEFAULT["rhythm"]) if mark == "x"]
    assert "steps 1, 4, 7, 11 and 13" in META["alt"]
    assert on == [1, 4, 7, 11, 13]
    assert "Claps at steps 1, 4, 7, 11, 13." in status("clap")
    assert f"step {DEFAULT['at']}" in META["alt"]
