"""What blocks cut off of a gradient, what is learned all the same, and every verdict."""

from itertools import islice

import numpy as np
import pytest
from verdicts import rows_of

from rnn_helpers.experiments import find, load
from rnn_helpers.experiments.claims.chapter_05 import truncated_gradient
from rnn_helpers.experiments.words import where

pytestmark = pytest.mark.chapter("05")


@pytest.fixture(scope="module")
def of_blocks():
    return rows_of("truncated-gradient", seeds=6, blocks=[1, 10, 200], steps=5)


@pytest.mark.slow
def test_a_block_of_the_whole_length_misses_nothing_and_a_short_one_most(of_blocks):
    errors = {row["block"]: row for row in of_blocks if row["measure"] == "error"}
    assert max(errors[200]["each"]) < 1e-12
    assert min(errors[200]["cosines"]) == pytest.approx(1)
    assert errors[1]["mean"] > errors[10]["mean"] > 0.1


def test_the_stream_asks_for_what_was_heard_across_blocks():
    blocks = list(islice(truncated_gradient._stream(3, (2, 4), [0, 1]), 5))
    x, y = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    assert x.shape == y.shape == (10, 2, 4)
    np.testing.assert_array_equal(y[3:], x[:-3])
    again, _ = next(truncated_gradient._stream(3, (2, 4), [1]))
    np.testing.assert_array_equal(x[:2, 1], again[:, 0])  # a network's data are its own


@pytest.mark.slow
def test_without_the_carried_state_no_more_is_known_than_the_bound_says(of_blocks):
    (row,) = (r for r in of_blocks if r["measure"] == "recall" and not r["carried"])
    assert row["bound"] == 0.5  # blocks of 2, a delay of 3
    assert row["as_trained"] == pytest.approx(0.5, abs=0.03)


def test_orthogonal_networks_learn_beyond_their_block():
    recalls = where(load("truncated-gradient").rows, net="orthogonal", delay=3, block=2)
    (row,) = where(recalls, carried=True)
    assert (row["successes"], row["of"]) == (12, 12)


@pytest.mark.slow
def test_the_verdict_on_blocks_follows_gradient_and_recall(of_blocks):
    sum_up = find("truncated-gradient").sum_up

    def recalling(**changed):
        return [row | changed if row["measure"] == "recall" else row for row in of_blocks]

    learned = recalling(of=100, successes=50)
    assert sum_up(learned).verdict.startswith("Holds if it is about the gradient.")
    exact = [row | {"each": [0.0, 0.01]} if row["measure"] == "error" else row for row in learned]
    assert sum_up(exact).kind == "does not hold"
    assert sum_up(recalling(of=100, successes=0)).kind == "holds"
    assert sum_up(recalling(of=100, successes=4)).kind == "not tested here"


def test_errors_are_drawn_with_their_spread_and_every_network_that_recalls_has_its_dot():
    rows = load("truncated-gradient").rows
    errors = truncated_gradient.plot_errors(rows)
    assert "radius 1 from 0.841 to 0.03" in errors.alt
    assert len(errors.figure.axes[0].lines) == 5
    recall = truncated_gradient.plot_recall(rows)
    drawn = [
        tuple(line.get_ydata())
        for axes in recall.figure.axes
        for line in axes.lines
        if line.get_linestyle() == "None" and len(line.get_ydata())
    ]
    assert sorted(drawn) == sorted(tuple(r["each"]) for r in rows if r["measure"] == "recall")
    assert "delay 3, blocks of 2, orthogonal, carried: 1;" in recall.alt
    assert "delay 8, blocks of 8, default, not carried: 0.493" in recall.alt
