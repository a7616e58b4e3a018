"""What blocks cut off of a gradient, what is learned all the same, and every verdict."""

from itertools import islice

import numpy as np
import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_05 import truncated_gradient

pytestmark = pytest.mark.chapter("05")


def rows_of(slug, **change):
    experiment = find(slug)
    config = {**experiment.quick, **change}
    return list(experiment.function(config, range(config.pop("seeds"))))


@pytest.fixture(scope="module")
def of_blocks():
    return rows_of("truncated-gradient", seeds=6, blocks=[1, 10, 200], steps=5)


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


def test_without_the_carried_state_no_more_is_known_than_the_bound_says(of_blocks):
    (row,) = (r for r in of_blocks if r["measure"] == "recall" and not r["carried"])
    assert row["bound"] == 0.5  # blocks of 2, a delay of 3
    assert row["as_trained"] == pytest.approx(0.5, abs=0.03)


def test_the_verdict_on_blocks_follows_gradient_and_recall(of_blocks):
    rows = [row | {"successes": 0} if row["measure"] == "recall" else row for row in of_blocks]
    many = [row | {"of": 100} if row["measure"] == "recall" else row for row in rows]
    assert truncated_gradient.summarise(many).verdict == "holds"
    learned = [row | {"successes": 50} if row["measure"] == "recall" else row for row in many]
    assert truncated_gradient.summarise(learned).verdict.startswith("holds if it is said of the")
    exact = [row | {"each": [0.0, 0.01]} if row["measure"] == "error" else row for row in rows]
    assert truncated_gradient.summarise(exact).verdict == "does not hold"
