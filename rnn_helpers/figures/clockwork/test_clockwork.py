"""The figure clockwork computes the same as the reference, and its texts state its numbers."""

from functools import partial
from itertools import pairwise

import compare
import numpy as np
import pytest
from computed import clockwork_held
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import arrays
from rnn_helpers.figures import stored
from rnn_helpers.figures.clockwork import figure as clockwork
from rnn_helpers.figures.clockwork.figure import (
    FAST,
    LENGTH,
    READS,
    SLOW,
    drawn,
    forward,
    read,
    signal,
    unit_periods,
)
from rnn_helpers.figures.clockwork.trained import error, left, make, waves
from rnn_helpers.reference import clock_connections, clock_moves, time_scale_forward

pytestmark = pytest.mark.chapter("15")
close = partial(compare.close, atol=1e-9)
META = manifest()["clockwork"]
TRAINING = stored("clockwork")["training"]
NETWORKS = {net: arrays(params) for net, params in stored("clockwork")["networks"].items()}
CONTROLS = META["controls"]
DEFAULT = complete("clockwork", {})
AS_TRAINED = {"group": 1, "clock": 8, "since": READS + 1}
every_network = pytest.mark.parametrize("net", NETWORKS)


def among(key):
    return st.integers(CONTROLS[key]["min"], CONTROLS[key]["max"])


hands = st.fixed_dictionaries({key: among(key) for key in ("group", "clock", "since", "seed")})


def run(net, seed=0, group=None, clock=0, since=None):
    """Return the states, the outputs and the updates that the package computes for a state."""
    return forward(net, NETWORKS[net], read(signal(seed)), group, clock, since)


@given(st.sampled_from(list(NETWORKS)), hands)
def test_every_step_matches_the_reference(math, net, hand):
    steps = math("run", {"net": net, **hand})
    values = signal(hand["seed"])
    close([now["y"] for now in steps], values[1:])
    close([now["x"] for now in steps], read(values)[:, 0])
    first = np.cumsum([0, *clockwork.GROUPS[net][:-1]])
    _, _, moves = run(net, **hand)
    assert [now["moving"] for now in steps] == moves[:, first].tolist()
    before = np.zeros(len(NETWORKS[net]["b"]))
    for now, moving in zip(steps, moves, strict=True):
        (moved,) = time_scale_forward(NETWORKS[net], np.array([[now["x"]]], float), before)
        before = np.array(now["h"])
        close(before[moving], moved[moving])
    for now, after in pairwise(steps):
        still = ~moves[after["t"] - 1]
        assert np.array(after["h"])[still].tolist() == np.array(now["h"])[still].tolist()


@pytest.mark.parametrize("seed", [0, 7])
@every_network
def test_a_run_without_changes_matches_the_reference(math, net, seed):
    steps = math(
        "run", {"net": net, "seed": seed, **AS_TRAINED, "clock": clockwork.PERIODS[net][0]}
    )
    h = time_scale_forward(NETWORKS[net], read(signal(seed)), periods=unit_periods(net).tolist())
    close([now["h"] for now in steps], h)
    close([now["o"] for now in steps], h @ NETWORKS[net]["V"][0] + NETWORKS[net]["c"][0])


@pytest.mark.slow
@given(st.sampled_from(list(NETWORKS)), hands)
def test_a_changed_clock_moves_its_group_at_the_references_steps(net, hand):
    _, _, moves = run(net, **hand)
    mine = np.repeat(np.arange(1, 5), clockwork.GROUPS[net]) == hand["group"]
    trained = clock_moves(unit_periods(net).tolist(), LENGTH)
    since = hand["since"] - 1
    assert (moves[:since] == trained[:since]).all()
    assert (moves[:, ~mine] == trained[:, ~mine]).all()
    changed = moves[since:, mine]
    if hand["clock"]:
        assert (changed == clock_moves([hand["clock"]], LENGTH)[since:]).all()
    else:
        assert not changed.any()


@pytest.mark.slow
@given(st.sampled_from(list(NETWORKS)), hands)
def test_the_remaining_waves_are_those_of_the_package(math, net, hand):
    left = math("left", math("run", {"net": net, **hand}))
    close([left["fast"], left["slow"]], 2 * np.array(waves(run(net, **hand)[1])))


def test_amplitudes_are_those_of_the_waves_in_the_signal():
    t = np.arange(1, LENGTH + 1)
    series = 0.3 + 0.7 * np.sin(2 * np.pi * t / FAST + 1) + 0.2 * np.cos(2 * np.pi * t / SLOW)
    close(waves(series), [0.7, 0.2])


def test_intervals_without_an_update_cover_all_steps_and_begin_at_updates(math):
    steps = math("run", DEFAULT)
    for group in range(1, 5):
        runs = math("runs", steps, group)
        covered = [t for first, last in runs for t in range(first, last + 1)]
        assert covered == list(range(1, LENGTH + 1))
        assert {first for first, _ in runs} - {1} == {
            now["t"] for now in steps if now["moving"][group - 1] and now["t"] > 1
        }


def test_no_group_receives_the_states_of_a_faster_one():
    W = NETWORKS["clockwork"]["W"]
    assert (W[~clock_connections(unit_periods("clockwork").tolist())] == 0).all()
    sizes = {net: sum(p.size for p in params.values()) for net, params in NETWORKS.items()}
    assert sizes["clockwork"] - (W == 0).sum() == sizes["rnn"] == 209


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made, training = make(seeds=[0, 1], steps=2).values()
    shapes = {net: {name: p.shape for name, p in params.items()} for net, params in made.items()}
    assert shapes == {
        net: {name: p.shape for name, p in params.items()} for net, params in NETWORKS.items()
    }
    for net in made:
        assert training[net].keys() == TRAINING[net].keys()
        assert training[net]["errors"][0] > 0.5 > TRAINING[net]["errors"][0]


@every_network
def test_the_networks_are_the_middle_ones_and_as_good_as_stated(net):
    said = TRAINING[net]
    assert error(net, NETWORKS[net]) == pytest.approx(said["kept"], abs=1e-4)
    assert said["errors"] == sorted(said["errors"])
    assert said["kept"] == said["errors"][4]
    for group in range(1, 5):
        np.testing.assert_allclose(
            left(net, NETWORKS[net], group), said["left"][4][group - 1], atol=0.006
        )


def held(net, group, clock=0, since=DEFAULT["since"]):
    """Return the shares of the fast and the slow wave that remain in the default signal."""
    return 2 * np.array(waves(run(net, 0, group, clock, since)[1]))


def test_the_second_group_alone_carries_the_slow_wave():
    assert [DEFAULT[key] for key in ("net", "group", "clock", "since")] == ["clockwork", 2, 0, 61]
    fast, slow = held("clockwork", 2)
    assert fast > 0.99
    assert slow < 0.01
    assert held("clockwork", 1).round(2).tolist() == [0.99, 0.99]
    fast, slow = held("clockwork", 3)
    assert fast < 0.01
    assert round(slow, 2) == 0.95
    slow_units = clockwork.units("clockwork")["period 4"]
    for group in (3, 4):  # with no connection to it
        states = run("clockwork", 0, group, 0, 61)[0][:, slow_units]
        np.testing.assert_array_equal(states, run("clockwork")[0][:, slow_units])
    wrong = run("clockwork")[1] - signal(0)[1:]
    assert np.abs(wrong[READS - 1 :]).max() < 0.08  # "lies on it"


def test_the_statements_about_ten_networks_are_true():
    shares = np.array(TRAINING["clockwork"]["left"])  # network, group, fast and slow
    assert shares.shape == (10, 4, 2)
    alone = (shares[:, 1, 1] <= 0.01) & (shares[:, 1, 0] >= 0.99)
    assert alone.tolist() == [True] * 5 + [False] * 5


def test_good_clockworks_leave_the_slowest_group_unused_and_bad_ones_do_not():
    said = TRAINING["clockwork"]
    tried = [found for rate in said["tried"].values() for found in rate]
    ten = [[wrong, *groups[0]] for wrong, groups in zip(said["errors"], said["left"], strict=True)]
    wrong, *left_over = np.array([*tried, *ten]).T
    assert len(wrong) == 25
    least, slow = np.min(left_over, axis=0), left_over[1]
    assert (wrong < 0.005).sum() == 11
    assert (wrong > 0.02).sum() == 9
    assert least[wrong < 0.005].min() >= 0.97
    assert slow[wrong > 0.02].max() < 0.15


@every_network
def test_the_learning_rate_is_that_of_the_best_middle_network(net):
    said = TRAINING[net]
    middle = {float(rate): found[2][0] for rate, found in said["tried"].items()}
    assert said["rate"] == min(middle, key=middle.get)


def test_in_the_simple_network_both_waves_stop():
    x = read(drawn(np.random.default_rng(1).spawn(100)))
    for group in (2, 3):
        _, o, _ = forward("rnn", NETWORKS["rnn"], x, group, 0, 61)
        assert 2 * np.max(waves(o)) < 0.1
    kept = [TRAINING[net]["kept"] for net in ("clockwork", "rnn")]
    assert kept[0] < kept[1] < 2 * kept[0]


@pytest.mark.slow
@pytest.mark.parametrize("clock", [3, 4, 6, 8])
def test_the_slow_wave_takes_the_same_number_of_updates(clock):
    x = np.zeros((2400, 1))
    x[:LENGTH] = read(signal(0))
    _, o, _ = forward("clockwork", NETWORKS["clockwork"], x, 2, clock, 61)
    late = o[600:] - o[600:].mean()
    spectrum = np.abs(np.fft.rfft(late * np.hanning(len(late)), 1 << 16))
    frequencies = np.arange(len(spectrum)) / (1 << 16)
    slow, fast = frequencies < 1 / 20, frequencies > 1 / 10
    for part, period in ((slow, 12 * clock), (fast, FAST)):
        assert 1 / frequencies[part][spectrum[part].argmax()] == pytest.approx(period, rel=0.01)


@pytest.mark.slow
@every_network
def test_every_setting_gives_finite_numbers(math, net):
    for group in range(1, 5):
        for clock in (0, 1, 12):
            state = {"net": net, "group": group, "clock": clock, "since": READS + 1, "seed": 3}
            steps = math("run", state)
            assert None not in [value for now in steps for value in [now["o"], *now["h"]]]
            assert None not in math("left", steps).values()
    assert compare.status("clockwork", **state, t=1)


def test_the_simple_networks_slowest_units_carry_the_slow_wave_alone(math):
    state = DEFAULT | {"net": "rnn", "group": 1, "clock": 0}
    kept = math.eval("M.left(M.run(state))", state=state)
    close([kept["fast"], kept["slow"]], list(clockwork_held().values()))
    assert kept["slow"] < 0.05
