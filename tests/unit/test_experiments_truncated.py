"""What blocks cut off of a gradient, what is learned all the same, and every verdict."""

from itertools import islice

import numpy as np
import pytest
from estimates import by_line
from verdicts import rows_of

from rnn_helpers.experiments import find, load
from rnn_helpers.experiments.claims.chapter_05 import truncated_gradient
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.experiments.words import grouped, where

pytestmark = pytest.mark.chapter("05")


@pytest.fixture(scope="module")
def of_blocks():
    return rows_of("truncated-gradient", seeds=6, blocks=[1, 10, 200], steps=5)


@pytest.mark.slow
def test_a_block_of_the_whole_length_misses_nothing_and_a_short_one_most(of_blocks):
    errors = grouped(where(of_blocks, measure="error"), "block")
    assert max(row["error"] for row in errors[200]) < 1e-12
    assert min(row["cosine"] for row in errors[200]) == pytest.approx(1)
    means = {block: np.mean([row["error"] for row in mine]) for block, mine in errors.items()}
    assert means[1] > means[10] > 0.1


def test_the_stream_asks_for_what_was_heard_across_blocks():
    blocks = list(islice(truncated_gradient._stream(3, (2, 4), [[0, 2], [1, 2]]), 5))
    x, y = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    assert x.shape == y.shape == (10, 2, 4)
    np.testing.assert_array_equal(y[3:], x[:-3])
    again, _ = next(truncated_gradient._stream(3, (2, 4), [[1, 2]]))
    np.testing.assert_array_equal(x[:2, 1], again[:, 0])  # a network's data are its own


@pytest.mark.slow
def test_without_the_carried_state_no_more_is_known_than_the_bound_says(of_blocks):
    assert truncated_gradient._bound(delay=3, block=2) == 0.5
    assert truncated_gradient._bound(delay=3, block=8) == 13 / 16
    for row in where(of_blocks, measure="recall", carried=False):  # blocks of 2, a delay of 3
        assert row["as_trained"] == pytest.approx(0.5, abs=0.03)


def test_a_stream_is_cut_into_blocks_side_by_side():
    stream = np.arange(8 * 2 * 3).reshape(8, 2, 3)
    blocks = truncated_gradient._in_blocks(stream, 4)
    np.testing.assert_array_equal(blocks, np.concatenate([stream[:4], stream[4:]], axis=2))


def test_orthogonal_networks_learn_beyond_their_block():
    recalls = where(load("truncated-gradient").rows, net="orthogonal", delay=3, block=2)
    learned = [row["right"] > SUCCESS for row in where(recalls, carried=True)]
    assert len(learned) == 12
    assert sum(learned) >= 11


@pytest.mark.slow
def test_the_verdict_on_blocks_follows_gradient_and_recall(of_blocks):
    sum_up = find("truncated-gradient").sum_up

    recalls = where(of_blocks, measure="recall", carried=True)

    def learned_by(share, error=1):
        """100 networks, of which a share learns, and errors of gradients at another scale."""
        errors = where(of_blocks, measure="error")
        none = where(of_blocks, measure="recall", carried=False)
        some = [recalls[0] | {"seed": s, "right": float(s < 100 * share)} for s in range(100)]
        return [row | {"error": row["error"] * error} for row in errors] + none + some

    assert sum_up(learned_by(0.5)).verdict.startswith(
        "Holds in part, if only the gradient is meant"
    )
    assert sum_up(learned_by(0.5, error=0.01)).kind == "does not hold"
    assert sum_up(learned_by(0)).kind == "holds"
    assert sum_up(learned_by(0.04)).kind == "undecided"


def test_errors_have_a_line_for_each_network_and_every_network_that_recalls_has_its_dot():
    rows = load("truncated-gradient").rows
    errors = truncated_gradient.data_errors(rows)
    assert [round(by_line(errors)["radius 1"][end][1], 3) for end in (0, -1)] == [0.841, 0.03]
    assert len(by_line(errors)) == 5
    recall = truncated_gradient.plot_recall(rows)
    drawn = [
        tuple(line.get_ydata())
        for axes in recall.figure.axes
        for line in axes.lines
        if line.get_linestyle() == "None" and len(line.get_ydata())
    ]
    cells = grouped(where(rows, measure="recall"), *truncated_gradient.Recalls.columns).values()
    assert sorted(drawn) == sorted(tuple(row["right"] for row in cell) for cell in cells)
    assert "delay 3, blocks of 2, orthogonal, carried: 0.982;" in recall.alt
    assert "delay 8, blocks of 8, default, not carried: 0.505" in recall.alt
