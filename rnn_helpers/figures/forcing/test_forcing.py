"""The figure forcing feeds and computes the same as Python, and its texts state the results."""

from typing import NamedTuple

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures.forcing import figure as forcing
from rnn_helpers.reference import output_forward

pytestmark = pytest.mark.chapter("06")
META = manifest()["forcing"]
CONTROLS = META["controls"]
DEFAULT = complete("forcing", {})
STEPS = len(forcing.MOVES)
IN_USE = DEFAULT | {"flips": 2 ** (STEPS - 1) - 1}

hands = st.fixed_dictionaries(
    {
        "share": st.floats(0, 1),
        "own": st.sampled_from(["likeliest", "drawn"]),
        **{
            key: st.integers(CONTROLS[key]["min"], CONTROLS[key]["max"])
            for key in ("slip", "seed", "flips")
        },
    }
)


class Fed(NamedTuple):
    """The floor that each step is fed, whether it is the truth, and the results."""

    fed: np.ndarray
    forced: np.ndarray
    h: np.ndarray
    yhat: np.ndarray
    said: np.ndarray

    @property
    def rounds(self):
        """Return the round in which each step can be computed: 1 if it waits for no other."""
        rounds = []
        for forced in self.forced:
            rounds.append(1 if forced else rounds[-1] + 1)
        return np.array(rounds)


def switches(share, flips=0, seed=0):
    """Return whether each step from the second on is fed the truth."""
    coins = np.random.RandomState(seed).random_sample(STEPS - 1) < share
    return coins ^ ((flips >> np.arange(STEPS - 1)) & 1).astype(bool)


def run(state):
    """Run all steps; each is fed the truth or the last output, by its switch."""
    params, y, x = forcing.network(), forcing.truth(), forcing.inputs()
    forced = np.append(True, switches(state["share"], state["flips"], state["seed"]))
    coins = np.random.RandomState(state["seed"] + 1000).random_sample(STEPS)
    fed, hs, shares, said = [], [], [], []
    for t in range(STEPS):
        fed.append(0 if t == 0 else y[t - 1] if forced[t] else said[-1])
        h, yhat = step(params, x[t], fed[-1])
        order = np.argsort(-yhat, kind="stable")
        free = np.searchsorted(np.cumsum(yhat), coins[t], side="right")
        top = order[0] if state["own"] == "likeliest" else min(free, len(yhat) - 1)
        said.append(int(order[1] if state["slip"] == t + 1 else top))
        hs.append(h)
        shares.append(yhat)
    return Fed(np.array(fed), forced, np.array(hs), np.array(shares), np.array(said))


def step(params, x, fed):
    """Return the hidden units and the probabilities of one step."""
    made = output_forward(params, [x], own=True, start=np.eye(forcing.CONSTANTS.FLOORS)[fed])
    return made.h[0], made.yhat[0]


def test_the_network_and_the_elevator_match_python(math):
    ours = math.eval("[M.network(), M.X, M.Y]")
    for name, array in forcing.network().items():
        close(ours[0][name], array)
    assert ours[1:] == [forcing.inputs().tolist(), forcing.truth().tolist()]


@given(st.integers(0, 2), st.integers(0, 3))
def test_a_step_matches_the_reference(math, x, fed):
    ours = math.eval("M.step(M.network(), x, fed)", x=x, fed=fed)
    h, yhat = step(forcing.network(), x, fed)
    close(ours["h"], h)
    close(ours["yhat"], yhat)


@given(hands)
def test_every_step_of_a_run_matches_python(math, hand):
    ours, theirs = math("run", hand), run(hand)
    for key in ("fed", "forced", "said"):
        assert [now[key] for now in ours] == getattr(theirs, key).tolist()
    for key in ("h", "yhat"):
        close([now[key] for now in ours], getattr(theirs, key))
    assert [now["round"] for now in ours] == theirs.rounds.tolist()
    assert math("sums", ours) == {
        "wrong": (theirs.said != forcing.truth()).sum(),
        "rounds": theirs.rounds.max(),
        "truths": theirs.forced[1:].sum(),
    }


@given(hands)
def test_each_step_is_fed_the_truth_or_the_last_output(hand):
    made, y = run(hand), forcing.truth()
    np.testing.assert_array_equal(made.fed[1:], np.where(made.forced[1:], y[:-1], made.said[:-1]))


def test_fed_the_truth_no_step_waits():
    made = run(DEFAULT)
    assert made.forced.all()
    assert made.rounds.max() == 1
    assert run(IN_USE).rounds.tolist() == list(range(1, STEPS + 1))


def test_a_switch_that_is_turned_by_hand_is_that_switch():
    for i in range(STEPS - 1):
        turned = switches(1.0, 1 << i)
        assert np.flatnonzero(~turned).tolist() == [i]


def test_the_network_is_right_for_every_input():
    """So a wrong output is a slip, a sample, or the result of a wrong input."""
    for floor in range(forcing.CONSTANTS.FLOORS):
        for x, move in enumerate(forcing.CONSTANTS.KINDS):
            _, yhat = step(forcing.network(), x, floor)
            assert yhat.argmax() == forcing.floor_after(floor, move)
            assert yhat.max() > 0.85


@pytest.mark.parametrize("slip", range(1, STEPS + 1))
def test_the_second_most_likely_floor_does_not_depend_on_the_last_digits(slip):
    yhat = np.sort(run(DEFAULT | {"slip": slip}).yhat[slip - 1])
    assert yhat[-2] - yhat[-3] > 1e-6


def test_the_texts_state_the_results():
    made, y = run(DEFAULT), forcing.truth()
    assert (DEFAULT["slip"], y[1], made.said[1]) == (2, 2, 1)
    assert np.flatnonzero(made.said != y).tolist() == [1]
    assert made.fed[2] == 2
    free = run(IN_USE)
    assert np.flatnonzero(free.said != y).tolist() == [1, 2, 3, 4]
    assert (y - free.said)[2:5].tolist() == [1, 1, 1]
    assert forcing.MOVES[5] == "ground"
    assert META["prediction"]["answer"] == "three"
    assert "made to output 1 instead of 2" in META["alt"]


@pytest.mark.parametrize("state", [{}, {"flips": 127}, {"share": 0.5, "own": "drawn", "seed": 4}])
def test_the_status_counts_the_switches_and_the_wrong_steps(state):
    made = run(DEFAULT | state)
    words = status("forcing", **state)
    assert f"{made.forced[1:].sum()} of {STEPS - 1} switches" in words
    assert f"{(made.said != forcing.truth()).sum()} of {STEPS} outputs" in words
