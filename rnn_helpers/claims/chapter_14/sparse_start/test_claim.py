"""Sparse initialization: choices and verdicts."""

import pytest
from verdicts import about, rows_of, verdict

from rnn_helpers.claims.chapter_14 import sparse_start
from rnn_helpers.experiments import find

CASES = {
    "holds": {
        "success": {"first, 50": about(0.9), "marked, 50": about(0.8)},
        "default": {"first, 50": about(0.1)},
    },
    "holds in part": {
        "success": {"first, 50": about(0.9), "marked, 50": about(0.2)},
        "default": {"first, 50": about(0.1)},
    },
    "does not hold": {
        "success": {"first, 50": about(0.2), "marked, 50": about(0.2)},
        "default": {},
    },
    "undecided": {
        "success": {"first, 50": about(0.9), "marked, 50": about(0.5)},
        "default": {},
    },
}


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
