"""What the experiments on echo state networks measure, and that either verdict can come out."""

import numpy as np
import pytest

from rnn_helpers.experiments import find, reservoir_memory

pytestmark = pytest.mark.chapter("14")


def rows_of(slug, **change):
    experiment = find(slug)
    config = {**experiment.quick, **change}
    return list(experiment.function(config, range(config.pop("seeds"))))


def memory_rows(peaks, edges, left, seeds=3):
    """Rows of reservoirs that remember most at these radii, and forget all but a share at 3."""
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


def test_the_edge_is_where_two_starts_stop_meeting_and_may_move_with_the_input():
    same = memory_rows({0.1: 1.0, 1.0: 1.0}, {0.1: 1.0, 1.0: 1.0}, left=0.95)
    assert reservoir_memory.summarise(same).verdict == "holds"
    moved = memory_rows({0.1: 1.0, 1.0: 2.0}, {0.1: 1.0, 1.0: 2.0}, left=0.95)
    verdict = reservoir_memory.summarise(moved).verdict
    assert verdict.startswith("holds if the edge is looked for with the input on")
    assert "3" not in verdict
    off = memory_rows({0.1: 0.5, 1.0: 2.0}, {0.1: 1.0, 1.0: 1.0}, left=0.95)
    assert reservoir_memory.summarise(off).verdict == "does not hold"


def test_a_radius_of_three_is_judged_by_what_it_leaves_of_the_best_memory():
    rows = memory_rows({0.1: 1.0, 1.0: 1.0}, {0.1: 1.0, 1.0: 1.0}, left=0.2)
    summary = reservoir_memory.summarise(rows)
    assert summary.value == pytest.approx(0.2, abs=0.002)
    assert summary.verdict.startswith("holds if the radius is not as large as 3")
    assert "0.1, 1 forgets 80% or more" in summary.verdict


def test_where_two_starts_do_not_meet_little_is_remembered():
    settings = {"seeds": 2, "scales": [0.1], "delays": 50, "n_steps": 4000}
    (row,) = rows_of("reservoir-memory", **settings, radii=[3.0])
    assert row["met"] == 0
    assert row["capacity"] < 0.2  # 50 delays at 2 / n_steps = 0.025, and what little is left
    (row,) = rows_of("reservoir-memory", **settings, radii=[0.5])
    assert row["met"] == row["of"] == len(row["capacities"])
    assert 10 < row["capacity"] < 20
    assert row["capacity"] == pytest.approx(np.mean(row["capacities"]), abs=1e-3)
