"""What is said of sweeps and convolutions over larger images follows from the runs."""

import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_09 import edge_to_edge
from rnn_helpers.experiments import find

CASES = {
    "holds": {
        "near": about(0.95, 0.01),
        "ahead": about(0.3),
        "far_deep": about(0.5, 0.01),
        "last_sweeps": about(0.95),
    },
    "holds in part": {
        "near": about(0.95, 0.01),
        "ahead": about(0.3),
        "far_deep": about(0.5, 0.01),
        "last_sweeps": about(0.6),
    },
    "does not hold": {"near": about(0.95, 0.01), "ahead": about(-0.1)},
    "undecided": {"near": about(0.7)},
}


def looked_rows(near=0.95, deep=0.95, far=0.9, last=0.85, beyond=0.5):
    """Rows of runs in which sweeps have `far` right on longer paths, `last` on the longest."""
    rows = []
    for method in edge_to_edge.METHODS:
        sweeps = method == edge_to_edge.SWEEPS
        shares = {(8, 5): 1.0, (8, 11): near if sweeps else deep, (12, 11): 0.9}
        shares |= {(12, length): far if sweeps else beyond for length in (15, 19)}
        shares[12, 23] = last if sweeps else beyond
        rows += [
            {"method": method, "size": size, "length": length, "seed": seed, "right": right}
            | {"eta": 0.01, "at_edge": False}
            for (size, length), right in shares.items()
            for seed in range(10)
        ]
    return rows


def test_sweeps_go_on_where_convolutions_guess():
    said = find("edge-to-edge").sum_up(looked_rows())
    assert said.verdict.startswith("Holds. On the longest paths, of 23 cells")
    assert (
        "is right in 88% of the cases, and a stack of convolutions twice as deep in 50%"
        in said.finding
    )
    (shares,) = find("edge-to-edge").tabulate(looked_rows()).values()
    (longest,) = (line for line in shares if line["image"].endswith("path of 23"))
    assert longest["sweeps"] == "0.85 (0.85 to 0.85)"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"near": 0.79}, "Undecided."),
        ({"deep": 0.79}, "Undecided."),
        ({"far": 0.5, "last": 0.5}, "Does not hold."),
    ],
)
def test_networks_that_have_not_learned_leave_the_claim_undecided(changed, expected):
    assert verdict("edge-to-edge", looked_rows(**changed)).startswith(expected)


@pytest.mark.parametrize("changed", [{"last": 0.79}, {"beyond": 0.61}, {"far": 0.57, "last": 0.59}])
def test_if_sweeps_fail_on_the_longest_paths_or_convolutions_learn_it_holds_in_part(changed):
    assert verdict("edge-to-edge", looked_rows(**changed)).startswith(
        "Holds in part: on paths longer than in training, sweeps are right more often than"
    )
