"""The memory of reservoirs: measurements and verdicts."""

import numpy as np
import pytest
from verdicts import about, rows_of

from rnn_helpers.experiments import find

CASES = {
    "holds": {
        "best": [about(1), about(1)],
        "against_edge": [about(1), about(1)],
        "lefts": [about(0.95, 0.01), about(0.95, 0.01)],
    },
    "holds in part": {
        "best": [about(1), about(2)],
        "against_edge": [about(1), about(1)],
        "lefts": [about(0.1), about(0.7)],
    },
    "does not hold": {"best": [about(1), about(2)], "against_edge": [about(1), about(2)]},
    "undecided": {
        "best": [about(1), about(2)],
        "against_edge": [about(1), about(1)],
        "lefts": [about(0.1), about(0.9)],
    },
}


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
