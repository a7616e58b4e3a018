"""Measurements and verdicts of the experiments on echo state networks."""

import numpy as np
import pytest
from verdicts import rows_of, verdict

from rnn_helpers.claims.chapter_14 import sparse_start
from rnn_helpers.experiments import find

pytestmark = pytest.mark.chapter("14")


def memory_rows(peaks, edges, left, seeds=3):
    """Make rows that have the best memory at these radii, and a share of it at radius 3."""
    return [
        {
            "radius": radius,
            "scale": scale,
            "capacity": 10 * share,
            "met": seeds * (radius <= edges[scale]),
            "of": seeds,
            "capacities": [10 * share + 0.01 * s for s in range(seeds)],
        }
        for scale, peak in peaks.items()
        for radius in (0.5, 1.0, 2.0, 3.0)
        for share in [left if radius == 3 else 1 if radius == peak else 0.5]
    ]


def test_the_memory_verdict_depends_on_the_best_radius_and_the_edge():
    near, moved = {0.1: 1.0, 1.0: 1.0}, {0.1: 1.0, 1.0: 2.0}
    said = find("reservoir-memory").sum_up(memory_rows(moved, moved, left=0.2))
    assert said.value == pytest.approx(0.2, abs=0.002)
    assert said.verdict.startswith("Holds in part, if the edge is measured with the input on")
    assert said.verdict.endswith("radius 3 loses at least 79% of the memory.")
    assert "lost at these input scales: 0.1, 1." in said.text
    assert "the best radius is 1.00 for weak inputs and 2.00 for strong" in said.finding
    for best, edge, left, kind in (
        (near, near, 0.95, "holds"),
        (near, near, 0.2, "undecided"),
        (moved, near, 0.2, "does not hold"),
        (moved, moved, 0.91, "undecided"),
    ):
        rows = memory_rows(best, edge, left)
        assert find("reservoir-memory").sum_up(rows).kind == kind


@pytest.mark.slow
def test_a_reservoir_without_the_echo_state_property_has_almost_no_memory():
    settings = {"seeds": 2, "scales": [0.1], "delays": 50, "n_steps": 4000}
    (row,) = rows_of("reservoir-memory", **settings, radii=[3.0])
    assert row["met"] == 0
    assert row["capacity"] < 0.2  # 50 delays at 2 / n_steps = 0.025, and what little is left
    (row,) = rows_of("reservoir-memory", **settings, radii=[0.5])
    assert row["met"] == row["of"] == len(row["capacities"])
    assert 10 < row["capacity"] < 20
    assert row["capacity"] == pytest.approx(np.mean(row["capacities"]), abs=1e-3)


def start_rows(successes, task="first", length=100, at_edge=False):
    return [
        {"task": task, "length": length, "steps": 150, "start": name, "eta": 0.1, "seed": seed}
        | {"right": float(seed < count), "at_edge": at_edge}
        for name, count in successes.items()
        for seed in range(20)
    ]


def test_the_sparse_initialization_must_learn_more_often_than_the_default():
    rows = start_rows({"default": 0, sparse_start.CLAIMED: 20, "orthogonal": 19})
    said = find("sparse-start").sum_up(rows)
    assert said.verdict.startswith("Holds. On every task, most networks")
    assert "told apart from sparse 1.2: orthogonal" in said.text
    assert "lowest or highest" not in said.text
    edge = start_rows({"default": 0}, at_edge=True)
    text = find("sparse-start").sum_up(edge + rows[20:]).text
    assert "lowest or highest that we tried for default over 100 steps, value first (0.1)," in text
    for ours, default, kind in (
        (15, 5, "holds"),
        (14, 0, "undecided"),
        (15, 10, "undecided"),
        (3, 0, "does not hold"),
    ):
        some = start_rows({"default": default, "sparse 1.2": ours})
        assert find("sparse-start").sum_up(some).kind == kind
    marked = start_rows({sparse_start.CLAIMED: 2, "orthogonal": 18}, "marked", 50)
    assert verdict("sparse-start", rows + marked).startswith(
        "Holds in part, if the value always comes first"
    )


@pytest.mark.slow
def test_the_learning_rate_of_an_initialization_is_chosen_on_other_seeds():
    series = [["first", 10, 40, [1e-9, 0.3], [sparse_start.CLAIMED]]]
    rows = rows_of("sparse-start", seeds=2, first=2, series=series)
    assert [(row["seed"], row["eta"], row["at_edge"]) for row in rows] == [
        (0, 0.3, True),
        (1, 0.3, True),
    ]
