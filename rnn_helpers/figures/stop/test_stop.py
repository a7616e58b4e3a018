"""The figure stop runs its networks as the reference does, and its texts state their numbers."""

import math as numbers
from functools import cache, partial
from typing import NamedTuple

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import scaled
from rnn_helpers.figures import constants, stored
from rnn_helpers.figures.stop.figure import ARRAYS, networks
from rnn_helpers.figures.stop.trained import (
    DING,
    LARGEST,
    LENGTHS,
    LONGEST,
    MOST,
    UNITS,
    WAYS,
    entropy,
    loss,
    make,
    proper,
    recordings,
)
from rnn_helpers.reference import ending_log_probability, rnn_forward, symbol_of_coin

pytestmark = pytest.mark.chapter("07")
close = partial(compare.close, atol=1e-9)
META = manifest()["stop"]
DEFAULT = complete("stop", {})
NAMES = {one["value"]: one["label"] for one in META["controls"]["way"]["options"]}
TRAINING = stored("stop")["training"]
NETWORKS = networks()
END = len(constants("stop").SYMBOLS)  # the place of the end among the draws
DRAWN = WAYS[2:]
every_way = pytest.mark.parametrize("way", WAYS)

symbols = st.sampled_from([None, 0, 1, 2])
states = st.lists(st.floats(-1, 1), min_size=UNITS, max_size=UNITS)


class Written(NamedTuple):
    """A sequence: its symbols, its draws and their probabilities, and its length if drawn."""

    tau: int | None
    y: list
    drawn: list
    yhat: list
    over: bool


def dice(seed, n):
    """Return the numbers that the n-th sequence is drawn with; the first is for the length."""
    return np.random.RandomState(constants("stop").MANY * seed + n - 1).random_sample(MOST + 1)


def given_to(way, tau, before, t):
    """Return the input of a step: the previous symbol, and the length or the rest of it."""
    told = {"total": [tau], "left": [tau and tau - t]}.get(way, [])
    return np.array([*(before == np.arange(END)), *(value / LONGEST for value in told)], float)


def probabilities(way, o, t):
    """Return the probabilities of the symbols and of the end from the outputs of step t."""
    if way == "coin" and t > 1:
        o = symbol_of_coin(o[:END], o[END])
    elif way != "symbol":
        o = np.append(o[:END], -np.inf)
    p = np.exp(o - o.max())
    return p / p.sum()


def step(way, before, x):
    """Return the state and the outputs after one more step."""
    params = {key: array for key, array in NETWORKS[way].items() if key != "d"}
    made = rnn_forward(params, x[None], before)
    return made.h[-1], made.o[-1]


def write(way, u, most=MOST):
    """Let a network write until it stops, or until it has taken so many steps."""
    tau = None
    if way not in ("symbol", "coin"):
        tau = 1 + draw(length_probabilities(way), u[0])
    y, drawn, every = [], [], []
    while len(y) != tau and len(drawn) < min(most, MOST):
        every.append(after(way, tau, tuple(y))[1])
        drawn.append(draw(every[-1], u[len(drawn) + 1]))
        if drawn[-1] == END:
            return Written(tau, y, drawn, every, True)
        y.append(drawn[-1])
    return Written(tau, y, drawn, every, len(y) == tau)


def draw(p, u):
    """Return the place in a distribution where the sum of the places before it passes u."""
    return min(int((u >= np.cumsum(p)).sum()), int(np.flatnonzero(p)[-1]))


def length_probabilities(way):
    """Return the probabilities of the lengths from 1 on, for a network that draws one first."""
    d = np.exp(NETWORKS[way]["d"])
    return d / d.sum()


def is_proper(y):
    """Return whether a recording has a ding at its end and nowhere else."""
    return len(y) > 1 and list(y).index(DING) == len(y) - 1 if DING in y else False


def lengths(way, seed, n, t):
    """Return the length of each sequence that has ended, and whether it ends as it should."""
    done = [write(way, dice(seed, i)) for i in range(1, n)]
    last = write(way, dice(seed, n), t)
    if last.over or len(last.y) == MOST:
        done.append(last)
    return [(len(each.y), each.over and is_proper(each.y)) for each in done]


@cache
def after(way, tau, y):
    """Return the state and the probabilities after some symbols; many sequences share a prefix."""
    before = after(way, tau, y[:-1])[0] if y else None
    t = len(y) + 1
    h, o = step(way, before, given_to(way, tau, y[-1] if y else None, t))
    return h, probabilities(way, o, t)


@every_way
def test_the_weights_are_the_stored_ones(math, way):
    ours = math("network", way)
    assert ours.keys() == NETWORKS[way].keys()
    for key, array in NETWORKS[way].items():
        np.testing.assert_array_equal(ours[key], array)
    for whole in stored("stop")["networks"][way]["whole"]:
        assert np.abs(whole).max() <= LARGEST


@given(st.sampled_from(WAYS), symbols, states, st.integers(1, 10), st.integers(1, 10))
def test_every_step_matches_the_reference(math, way, before, h, t, tau):
    x = given_to(way, tau, before, t)
    close(math("given", way, tau, before, t), x)
    ours = math("step", way, h, x.tolist(), t)
    state, o = step(way, np.array(h), x)
    close(ours["h"], state)
    close(ours["o"], o)
    close(ours["yhat"], probabilities(way, o, t))
    assert sum(ours["yhat"]) == pytest.approx(1)


@given(st.sampled_from(WAYS), st.integers(0, 99), st.integers(1, 1000), st.integers(0, 40))
def test_a_sequence_matches_python(math, way, seed, n, most):
    u = dice(seed, n)
    np.testing.assert_array_equal(math("dice", seed, n), u)
    ours, made = math("write", way, u.tolist(), most), write(way, u, most)
    for name in ("tau", "y", "drawn", "over"):
        assert ours[name] == getattr(made, name)
    close(ours["yhat"], made.yhat)


@given(st.sampled_from(WAYS), st.integers(0, 99))
def test_the_probabilities_multiply_to_the_probability_of_the_sequence_and_its_end(way, seed):
    made = write(way, dice(seed, 1))
    each = [p[k] for p, k in zip(made.yhat, made.drawn, strict=True)]
    if made.tau:
        each.append(length_probabilities(way)[made.tau - 1])
    if made.y and made.over:
        close(np.log(each).sum(), ending_log_probability(NETWORKS[way], made.y, way))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(any), st.floats(0, 1))
def test_a_symbol_of_probability_0_is_never_drawn(lib, p, u):
    p = np.array(p) / sum(p)
    place = draw(p, u)
    assert lib("random")("sampled", p.tolist(), u) == place
    assert p[place] > 0


@pytest.mark.parametrize("y", [[], [2], [0, 2], [0, 1, 2], [0, 0, 2], [0, 1], [0, 2, 2], [2, 0, 2]])
def test_a_recording_is_proper_if_its_only_ding_is_at_its_end(math, y):
    assert math("proper", y) == is_proper(y) == (y in ([0, 2], [0, 1, 2], [0, 0, 2]))


def test_the_recordings_follow_the_rule_of_popcorn():
    y, lengths, p = recordings()
    chance = {"".join(map(str, y[:n, i])): p[i] for i, n in enumerate(lengths)}
    assert p.sum() == pytest.approx(1)
    assert chance["012"] == pytest.approx(0.8 * 0.2 / 8)
    assert chance["10002"] == pytest.approx(0.2 * 0.3**3 / 8)
    assert [sum(p[lengths == n]) for n in LENGTHS] == pytest.approx([1 / 8] * 8)


@every_way
def test_the_shelf_has_the_last_few_sequences(math, way):
    shelf = math("latest", way, DEFAULT["seed"], 7, 2, 5)
    made = [write(way, dice(DEFAULT["seed"], n), 2 if n == 7 else MOST) for n in range(3, 8)]
    assert [each["y"] for each in shelf] == [each.y for each in made]
    assert len(math("latest", way, DEFAULT["seed"], 2, 40, 5)) == 2


@pytest.mark.parametrize(("n", "t"), [(1, 0), (1, 40), (30, 2), (30, 40)])
@every_way
def test_the_sequences_counted_are_those_that_have_ended(math, way, n, t):
    ours = math("lengths", way, 5, n, t)
    assert [tuple(pair) for pair in ours] == lengths(way, 5, n, t)
    assert n - 1 <= len(ours) <= n
    count = math("counted", ours, 4)
    assert sum(count["all"]) == len(ours)
    assert sum(count["right"]) == count["proper"] == sum(fine for _, fine in ours)
    assert count["all"][4] == sum(length >= 4 for length, _ in ours)


def test_all_sequences_have_ended_at_the_last_step(math):
    for n in (1, 2, 30):
        steps = math("stepsOf", DEFAULT["seed"], n)
        taken = [len(write(way, dice(DEFAULT["seed"], n)).drawn) for way in WAYS]
        assert steps == max(taken)


@every_way
def test_the_networks_are_as_good_as_stated(way):
    said = TRAINING[way]
    assert loss(NETWORKS[way], way) == pytest.approx(said["loss"], abs=1e-4)
    assert proper(NETWORKS[way], way) == pytest.approx(said["proper"], abs=1e-4)
    assert said["losses"] == sorted(said["losses"])
    assert said["loss"] == pytest.approx(np.median(said["losses"]), abs=1e-4)


def test_the_share_of_proper_sequences_is_a_sum_of_their_probabilities():
    """It agrees with a count within four standard errors."""
    made = [write("length", dice(7, n)) for n in range(1, 1001)]
    share = np.mean([is_proper(each.y) for each in made])
    p = TRAINING["length"]["proper"]
    assert abs(share - p) < 4 * np.sqrt(p * (1 - p) / 1000)


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(seeds=[0, 1], steps=2)
    assert made["training"].keys() == TRAINING.keys()
    for way, kept in made["networks"].items():
        shapes = {key: array.shape for key, array in scaled(kept, ARRAYS).items()}
        assert shapes == {key: array.shape for key, array in NETWORKS[way].items()}


@pytest.mark.parametrize("state", [{"t": 40}, {"n": 40, "t": 40, "way": "length"}])
def test_the_status_states_the_number_of_proper_recordings(state):
    now, text = DEFAULT | state, compare.status("stop", view="five", **state)
    for way in WAYS:
        pairs = lengths(way, now["seed"], now["n"], now["t"])
        count = f"{sum(fine for _, fine in pairs)} of {len(pairs)}"
        assert f"{count} ({NAMES[way]})" in text
        one = compare.status("stop", **(state | {"way": way}))
        assert f"So far, {count} end with their ding." in one


ENDS = {
    (1, 1, 0, 1, 0, 0, 2): "It ends with its ding.",
    (0, 0, 1): "It ends without its ding.",
    (1, 1, 1, 1, 0, 1, 2, 1, 2): "The ding comes too early.",
}


@pytest.mark.parametrize("symbols", ENDS)
def test_the_status_states_how_a_recording_ends(symbols):
    n, way = next(
        (n, way)
        for n in range(1, 1001)
        for way in WAYS
        if (made := write(way, dice(DEFAULT["seed"], n))).over and tuple(made.y) == symbols
    )
    assert ENDS[symbols] in compare.status("stop", way=way, n=n, t=40)


def test_the_texts_state_the_numbers_of_the_figure():
    assert DEFAULT == {"way": "length", "n": 5, "t": 2, "seed": 48, "view": "one"}
    *done, now = [write("length", dice(DEFAULT["seed"], n)) for n in range(1, 6)]
    for each in done:
        end = "ding" if is_proper(each.y) else "the ding came too" if DING in each.y else "no ding"
        symbols = " ".join("01!"[k] for k in each.y)
        assert f"Length {each.tau}: {symbols}, {end}" in META["alt"]
    assert f"the drawn length, {now.tau}, has only begun: 0 1," in META["alt"]
    assert now.y[:2] == [0, 1]
    assert f"{sum(is_proper(each.y) for each in done)} of 4 finished recordings" in META["alt"]
    fine = sum(f for _, f in lengths("length", DEFAULT["seed"], 1000, 40))
    assert f"{fine} of 1,000" in META["prediction"]["why"]
    assert TRAINING["length"]["proper"] == pytest.approx(1 / 8, abs=0.002)
    least, twice = entropy(), entropy() + numbers.log(len(LENGTHS))
    for way in WAYS:
        best = twice if way == "length" else least
        assert TRAINING[way]["loss"] == pytest.approx(best, abs=0.025)


def test_the_last_recording_of_the_figure_is_whole_unless_the_length_is_no_input():
    for way in WAYS:
        for n in (20, 1000):
            assert is_proper(write(way, dice(DEFAULT["seed"], n)).y) == (way != "length")
