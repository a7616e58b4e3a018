"""What is said of the ways into which a vector enters follows from the runs."""

import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_08 import three_doors
from rnn_helpers.experiments import find

CASES = {
    "holds": {"over_step": about(0.2), "over_start": about(0.2)},
    "holds in part": {"over_step": about(0), "over_start": about(0.2)},
    "does not hold": {"over_step": about(-0.2), "over_start": about(0)},
    "undecided": {"over_step": about(0), "over_start": about(0)},
}
SEEDS = range(10)


def doors_rows(**right):
    return [
        {"door": door, "length": length, "seed": seed, "eta": 0.01, "at_edge": False}
        | {"right": right[name] + 0.001 * seed}
        for door, name in three_doors.DOORS.items()
        for length in (10, 30)
        for seed in SEEDS
    ]


@pytest.mark.parametrize(
    ("both", "expected"),
    [
        (0.6, "Holds."),
        (0.525, "Holds."),
        (0.515, "Undecided."),  # a lead of less than 0.02 counts as none
        (0.5, "Does not hold."),
        (0.3, "Does not hold."),
    ],
)
def test_both_doors_are_better_than_either_or_they_are_not(both, expected):
    assert verdict("three-doors", doors_rows(step=0.4, start=0.5, both=both)).startswith(expected)


@pytest.mark.parametrize(
    ("both", "expected"),
    [(0.53, "Undecided."), (0.46, "Undecided."), (0.45, "Does not hold.")],
)
def test_the_verdict_depends_on_the_spread_over_seeds(both, expected):
    rows = doors_rows(step=0.5, start=0.5, both=both)
    for row in rows:
        if row["door"] == three_doors.BOTH:
            row["right"] += 0.03 * (row["seed"] - 4.5)
    assert verdict("three-doors", rows).startswith(expected)


def test_doors_are_compared_on_the_same_lessons():
    """Lessons differ more than doors do: intervals overlap, and each lesson says the same."""
    rows = doors_rows(step=0.5, start=0.5, both=0.45)
    for row in rows:
        row["right"] += 0.05 * (row["seed"] - 4.5)
    said = find("three-doors").sum_up(rows)
    assert said.verdict.startswith("Does not hold.")
    assert "ahead of every step by -0.05" in said.text
