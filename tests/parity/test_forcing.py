"""The figure forcing feeds and computes what Python does, and tells what it says."""

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import forcing
from rnn_helpers.explore.states import complete

pytestmark = pytest.mark.chapter("06")
META = manifest()["forcing"]
CONTROLS = META["controls"]
DEFAULT = complete("forcing", {})
IN_USE = DEFAULT | {"share": 0.0}

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


def test_the_network_and_the_lift_are_pythons(math):
    ours = math.eval("[M.network(), M.X, M.Y]")
    for name, array in forcing.network().items():
        close(ours[0][name], array)
    assert ours[1:] == [forcing.inputs().tolist(), forcing.truth().tolist()]


@given(st.integers(0, 2), st.integers(0, 3))
def test_a_step_is_the_references(math, x, fed):
    ours = math.eval("M.step(M.network(), x, fed)", x=x, fed=fed)
    h, yhat = forcing.step(forcing.network(), x, fed)
    close(ours["h"], h)
    close(ours["yhat"], yhat)


@given(hands)
def test_every_step_of_a_run_is_pythons(math, hand):
    ours, theirs = math("run", hand), forcing.run(hand)
    for key in ("fed", "forced", "said"):
        assert [now[key] for now in ours] == getattr(theirs, key).tolist()
    for key in ("h", "yhat", "logp"):
        close([now[key] for now in ours], getattr(theirs, key))
    assert [now["round"] for now in ours] == theirs.rounds.tolist()
    told = math("sums", ours)
    close(told["logp"], theirs.logp.sum())
    assert told["wrong"] == (theirs.said != forcing.truth()).sum()
    assert told["rounds"] == theirs.rounds.max()
    assert told["truths"] == theirs.forced[1:].sum()
    assert told["known"] == (theirs.fed[1:] == forcing.truth()[:-1]).all()


@given(hands)
def test_what_is_fed_is_the_truth_or_what_was_said(hand):
    made, y = forcing.run(hand), forcing.truth()
    np.testing.assert_array_equal(made.fed[1:], np.where(made.forced[1:], y[:-1], made.said[:-1]))


def test_fed_the_truth_the_costs_are_the_log_likelihood_and_no_step_waits():
    made = forcing.run(DEFAULT)
    assert made.forced.all()
    assert made.rounds.max() == 1
    params, before = forcing.network(), [0, *forcing.truth()[:-1]]
    each = [
        np.log(forcing.step(params, x, fed)[1][y])
        for x, fed, y in zip(forcing.inputs(), before, forcing.truth(), strict=True)
    ]
    close(made.logp, each)
    assert forcing.run(IN_USE).rounds.tolist() == list(range(1, forcing.STEPS + 1))


def test_a_switch_that_is_turned_by_hand_is_that_switch():
    for i in range(forcing.STEPS - 1):
        turned = forcing.switches(1.0, 1 << i)
        assert np.flatnonzero(~turned).tolist() == [i]


def test_the_network_is_right_whatever_it_hears():
    """So that a mistake is either made by hand or drawn, or comes from what is fed."""
    for floor in range(forcing.CONSTANTS.FLOORS):
        for x, move in enumerate(forcing.CONSTANTS.KINDS):
            _, yhat = forcing.step(forcing.network(), x, floor)
            assert yhat.argmax() == forcing.floor_after(floor, move)
            assert yhat.max() > 0.85


@pytest.mark.parametrize("slip", range(1, forcing.STEPS + 1))
def test_which_floor_is_second_does_not_hang_on_the_last_digits(slip):
    yhat = np.sort(forcing.run(DEFAULT | {"slip": slip}).yhat[slip - 1])
    assert yhat[-2] - yhat[-3] > 1e-6


def test_the_words_say_what_happens():
    made, y = forcing.run(DEFAULT), forcing.truth()
    assert (DEFAULT["slip"], y[1], made.said[1]) == (2, 2, 1)
    assert np.flatnonzero(made.said != y).tolist() == [1]
    assert made.fed[2] == 2
    free = forcing.run(IN_USE)
    assert np.flatnonzero(free.said != y).tolist() == [1, 2, 3, 4]
    assert (y - free.said)[2:5].tolist() == [1, 1, 1]
    assert forcing.MOVES[5] == "ground"
    assert META["prediction"]["answer"] == "three"
    assert "says 1 in place of 2" in META["alt"].replace("was made to say", "says")


@pytest.mark.slow
@pytest.mark.parametrize("state", [{}, {"share": 0.0}, {"share": 0.5, "own": "drawn", "seed": 4}])
def test_the_poster_tells_what_the_figure_tells(state):
    made = forcing.run(DEFAULT | state)
    alt = show("forcing", **state).alt
    assert f"{made.forced[1:].sum()} of which are fed the truth" in alt
    wrong = ", ".join(str(t + 1) for t in np.flatnonzero(made.said != forcing.truth()))
    assert f"said at {wrong}." in alt
