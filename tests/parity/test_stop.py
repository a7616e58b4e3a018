"""The figure stop lets its networks write as the reference does, and tells what it says of them."""

import math as numbers
from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import stop
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.trained.stop import LARGEST, UNITS, loss, make, proper
from rnn_helpers.explore.weights import scaled
from rnn_helpers.reference import ending_log_probability

pytestmark = pytest.mark.chapter("07")
close = partial(compare.close, atol=1e-9)
META = manifest()["stop"]
DEFAULT = complete("stop", {})
TRAINING = stored("stop")["training"]
NETWORKS = {way: stop.network(way) for way in stop.WAYS}
DRAWN = stop.WAYS[2:]
every_way = pytest.mark.parametrize("way", stop.WAYS)

letters = st.sampled_from([None, 0, 1, 2])
states = st.lists(st.floats(-1, 1), min_size=UNITS, max_size=UNITS)


@every_way
def test_the_weights_are_the_stored_ones(math, way):
    ours = math("network", way)
    assert ours.keys() == NETWORKS[way].keys()
    for key, array in NETWORKS[way].items():
        np.testing.assert_array_equal(ours[key], array)
    for whole in stored("stop")["networks"][way]["whole"]:
        assert np.abs(whole).max() <= LARGEST


@given(st.sampled_from(stop.WAYS), letters, states, st.integers(1, 10), st.integers(1, 10))
def test_every_step_is_the_references(math, way, before, h, t, tau):
    x = stop.heard(way, tau, before, t)
    close(math("heard", way, tau, before, t), x)
    ours = math("step", way, h, x.tolist(), t)
    state, o = stop.step(way, np.array(h), x)
    close(ours["h"], state)
    close(ours["o"], o)
    close(ours["yhat"], stop.probabilities(way, o, t))
    assert sum(ours["yhat"]) == pytest.approx(1)


@given(st.sampled_from(stop.WAYS), st.integers(0, 99), st.integers(1, 1000), st.integers(0, 40))
def test_a_sequence_is_pythons(math, way, seed, n, most):
    u = stop.dice(seed, n)
    np.testing.assert_array_equal(math("dice", seed, n), u)
    ours, made = math("write", way, u.tolist(), most), stop.write(way, u, most)
    for name in ("tau", "y", "drawn", "over"):
        assert ours[name] == getattr(made, name)
    close(ours["yhat"], made.yhat)


@given(st.sampled_from(stop.WAYS), st.integers(0, 99))
def test_the_probabilities_multiply_to_the_probability_of_the_sequence_and_its_end(way, seed):
    made = stop.write(way, stop.dice(seed, 1))
    each = [p[k] for p, k in zip(made.yhat, made.drawn, strict=True)]
    if made.tau:
        each.append(stop.length_probabilities(way)[made.tau - 1])
    if made.y and made.over:
        close(np.log(each).sum(), ending_log_probability(NETWORKS[way], made.y, way))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(any), st.floats(0, 1))
def test_what_is_drawn_has_a_probability(math, p, u):
    p = np.array(p) / sum(p)
    place = stop.draw(p, u)
    assert math("draw", p.tolist(), u) == place
    assert p[place] > 0


@pytest.mark.parametrize("y", [[], [2], [0, 2], [0, 1, 2], [0, 0, 2], [0, 1], [0, 2, 2], [2, 0, 2]])
def test_what_is_proper_is_what_the_source_would_write(math, y):
    assert math("proper", y) == stop.proper(y) == (y in ([0, 2], [0, 1, 2]))


@pytest.mark.parametrize(("n", "t"), [(1, 0), (1, 40), (30, 2), (30, 40)])
@every_way
def test_what_is_counted_is_what_has_come_to_an_end(math, way, n, t):
    ours = math("lengths", way, 5, n, t)
    assert [tuple(pair) for pair in ours] == stop.lengths(way, 5, n, t)
    assert n - 1 <= len(ours) <= n
    count = math("counted", ours, 4)
    assert sum(count["all"]) == len(ours)
    assert sum(count["right"]) == count["proper"] == sum(fine for _, fine in ours)
    assert count["all"][4] == sum(length >= 4 for length, _ in ours)


def test_all_are_over_when_the_figure_says_so(math):
    for n in (1, 2, 30):
        steps = math("stepsOf", DEFAULT["seed"], n)
        taken = [len(stop.write(way, stop.dice(DEFAULT["seed"], n)).drawn) for way in stop.WAYS]
        assert steps == max(taken)


@every_way
def test_the_networks_are_as_good_as_they_are_said_to_be(way):
    said = TRAINING[way]
    assert loss(NETWORKS[way], way) == pytest.approx(said["loss"], abs=1e-4)
    assert proper(NETWORKS[way], way) == pytest.approx(said["proper"], abs=1e-4)
    for losses in said["losses"].values():
        assert losses == sorted(losses)
    middle = {float(rate): losses[2] for rate, losses in said["losses"].items()}
    assert said["rate"] == min(middle, key=middle.get)
    assert said["loss"] == pytest.approx(middle[said["rate"]], abs=1e-4)


def test_the_share_that_ends_properly_is_a_sum_over_what_is_written():
    """Against counting, within four standard errors."""
    made = [stop.write("length", stop.dice(7, n)) for n in range(1, 1001)]
    share = np.mean([stop.proper(each.y) for each in made])
    p = TRAINING["length"]["proper"]
    assert abs(share - p) < 4 * np.sqrt(p * (1 - p) / 1000)


@pytest.mark.slow
def test_the_networks_come_from_a_recipe_that_runs():
    pytest.importorskip("torch")
    made = make(seeds=[0, 1], steps=2)
    assert made["training"].keys() == TRAINING.keys()
    for way, kept in made["networks"].items():
        shapes = {key: array.shape for key, array in scaled(kept, stop.ARRAYS).items()}
        assert shapes == {key: array.shape for key, array in NETWORKS[way].items()}


@pytest.mark.slow
def test_the_poster_tells_what_the_figure_tells():
    for state in ({}, {"n": 40, "t": 40, "way": "length"}):
        alt = show("stop", **state).alt
        whole = complete("stop", state)
        for way in stop.WAYS:
            pairs = stop.lengths(way, whole["seed"], whole["n"], whole["t"])
            told = f"{sum(f for _, f in pairs)} of {len(pairs)}" if pairs else "none yet"
            assert f"{stop.NAMES[way]} {told}" in alt


def test_the_words_say_the_numbers_of_the_figure():
    assert DEFAULT == {"way": "symbol", "n": 1, "t": 3, "seed": 6}
    for way in stop.WAYS:
        made = stop.write(way, stop.dice(6, 1), 3)
        assert (made.y, made.tau) == ([0, 1, 0], 5 if way in DRAWN else None)
    first, second, third = stop.write("symbol", stop.dice(6, 1), 3).yhat
    assert f"step 1 a {first[0]:.2f} and b {first[1]:.2f}" in META["alt"]
    assert f"step 2 b {second[1]:.2f}" in META["alt"]
    assert f"step 3 a {third[0]:.2f} and z {third[2]:.2f}" in META["alt"]
    why = META["prediction"]["why"]
    fine = {way: sum(f for _, f in stop.lengths(way, 6, 1000, 40)) for way in stop.WAYS}
    assert why.startswith(f"{fine['length']} of these thousand")
    assert {fine["total"], fine["left"]} == {999}
    assert {fine["symbol"], fine["coin"]} == {997}
    least = stop.SOURCE.entropy
    others = [TRAINING[way]["loss"] for way in stop.WAYS if way != "length"]
    assert f"{TRAINING['length']['loss']:.2f} nats a sequence, where {least:.2f} would do" in why
    assert f"the others have {min(others):.2f} to {max(others):.2f}" in why
    twice = least + numbers.log(len(stop.SOURCE.lengths))
    assert TRAINING["length"]["loss"] == pytest.approx(twice, abs=0.02)
    assert TRAINING["length"]["proper"] == pytest.approx(1 / 8, abs=0.002)
