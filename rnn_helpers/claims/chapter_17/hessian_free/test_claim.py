"""Check the numbers, data and verdicts of the experiment on second-order methods."""

import numpy as np
import pytest
from verdicts import about, rows_of, verdict

from rnn_helpers.claims.chapter_17 import hessian_free
from rnn_helpers.experiments import find
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.palette import colour


def leads(older, adam, momentum, half=0.1):
    """Return the leads of the Hessian-free method over each first-order one, by initialization."""
    bad = {hessian_free.PLAIN: older, hessian_free.SIMPLE: older, hessian_free.ADAM: adam}
    lead = {hessian_free.BAD: bad, hessian_free.CAREFUL: {hessian_free.SIMPLE: momentum}}
    return {
        "lead": {
            kind: {method: about(one, half) for method, one in mine.items()}
            for kind, mine in lead.items()
        }
    }


CASES = {
    "holds": leads(older=0.5, adam=0.5, momentum=0),
    "holds in part": leads(older=0.5, adam=0, momentum=0),
    "does not hold": leads(older=0, adam=0.5, momentum=0),
    "undecided": leads(older=0.5, adam=0, momentum=0, half=0.3),
}


def learned_rows(n=20, **changed):
    """Return rows in which all networks learn, except for the number in `changed` for a method."""
    rows = []
    for kind, method in hessian_free.CELLS:
        count = changed.get(f"{kind} {method}", n)
        rows += [
            {"start": kind, "method": method, "seed": seed, "right": 1.0 if seed < count else 0.5}
            | {"steps": 50, "spent": [1000, 2000], "learned": [0, int(seed < count)]}
            | {"rate": 0.1, "more": None, "at_edge": False}
            for seed in range(n)
        ]
    return rows


BAD, CAREFUL = hessian_free.BAD, hessian_free.CAREFUL
BEHIND = {f"{BAD} {method}": 4 for method in hessian_free.FIRST}


@pytest.mark.slow
def test_all_methods_go_through_as_many_sequences():
    rows = rows_of("hessian-free", seeds=2, budget=2000)
    for row in rows:
        # a step of the Hessian-free method can't be cut short
        slack = 2 * 50 * 25 if row["method"] == hessian_free.SECOND else 2000 / 16
        assert 2000 <= row["spent"][-1] <= 2000 + slack
        assert row["learned"][-1] == (row["right"] > SUCCESS)
        assert len(row["learned"]) == len(row["spent"])
    assert {(row["start"], row["method"]) for row in rows} == set(hessian_free.CELLS)


def test_networks_of_a_seed_do_not_depend_on_the_previous_setting():
    config = find("hessian-free").quick | {"budget": 320, "tests": 2}
    contest, cell = hessian_free.Learners(), (BAD, hessian_free.SIMPLE)
    both = contest.train(config, cell, [(0.3, 0.5), (0.1, 0.9)], [3, 4])
    (alone,) = contest.train(config, cell, [(0.1, 0.9)], [3, 4])
    np.testing.assert_array_equal(both[1][1], alone[1])


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, "Does not hold. From small weights, 20 of 20 networks learn with gradient descent"),
        (BEHIND, "Holds. From small weights, 4 of 20 networks learn with the best"),
        (
            BEHIND | {f"{BAD} {hessian_free.ADAM}": 20},
            "Holds in part, if the other methods don't adapt the step of each parameter. From "
            "small weights, 20 of 20",
        ),
        (BEHIND | {f"{BAD} {hessian_free.SIMPLE}": 20}, "Does not hold."),
        (BEHIND | {f"{CAREFUL} {hessian_free.SIMPLE}": 4}, "Does not hold."),
        (BEHIND | {f"{BAD} {hessian_free.PLAIN}": 18}, "Undecided."),
    ],
)
def test_older_methods_from_small_weights_and_momentum_from_careful_ones_decide(changed, expected):
    assert verdict("hessian-free", learned_rows(**changed)).startswith(expected)


def test_a_method_at_the_edge_of_its_grid_is_named():
    rows = learned_rows()
    assert "lowest or highest" not in find("hessian-free").sum_up(rows).text
    rows[0] |= {"at_edge": True}
    said = f"highest that we tried for gradient descent from {BAD}, so another"
    assert said in find("hessian-free").sum_up(rows).text


def test_a_table_counts_networks_that_learn_and_gives_the_settings():
    lines = hessian_free.table(learned_rows(**BEHIND))
    assert lines[0]["networks that learn"] == "4 of 20"
    assert lines[3]["networks that learn"] == "20 of 20"
    assert lines[0]["momentum or products"] == "–"


def test_each_method_ends_at_its_count_with_its_interval():
    plot = hessian_free.plot(learned_rows(10, **{f"{BAD} {hessian_free.SIMPLE}": 3}))
    counts = [10, 3, 10, 10], [10, 10]
    for axes, expected in zip(plot.figure.axes, counts, strict=True):
        curves = [line for line in axes.get_lines() if line.get_label()[0] != "_"]
        assert [line.get_ydata()[-1] for line in curves] == expected
        assert [line.get_xdata()[-1] for line in curves] == [2] * len(expected)
        assert curves[-1].get_color() == colour("ink")
        spans = [list(line.get_ydata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
        for (low, high), count in zip(spans, expected, strict=True):
            assert low <= count <= high
    said = f"{BAD}: gradient descent 10, Nesterov 3, Adam 10, Hessian-free 10"
    assert said in plot.alt
    assert plot.smallest >= 11
