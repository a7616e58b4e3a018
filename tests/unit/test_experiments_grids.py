"""A setting of several values is chosen by the rules for a single value."""

from itertools import product
from math import prod
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.experiments.choose import choose_on_grid, separate
from rnn_helpers.experiments.grids import GridContest

WORTH = st.sampled_from([0.0, 0.5, 0.9, 1.0])


def scored(worth, calls):
    """Return a score that looks up the worth of each setting, and appends the tries to `calls`."""

    def score(tries, seeds):
        calls.append(tries)
        return np.array([[worth[each]] * len(seeds) for each in tries])

    return score


@st.composite
def contests(draw):
    """Methods with one to three ladders, which begin with equally many combinations."""
    first, grids, worth = {}, {}, {}
    shapes = draw(st.sampled_from([[(1,), (1, 1)], [(4,), (2, 2), (1, 4)], [(6,), (3, 2, 1)]]))
    for name, shape in enumerate(shapes):
        first[name] = draw(st.permutations(shape))
        grids[name] = [
            draw(st.lists(st.integers(), min_size=n, max_size=n + 3, unique=True))
            for n in first[name]
        ]
        worth |= {(name, setting): draw(WORTH) for setting in product(*grids[name])}
    return grids, worth, first


@given(contests())
def test_methods_try_equally_many_until_the_neighbors_of_each_best_are_tried(contest):
    grids, worth, first = contest
    calls = []
    chosen = choose_on_grid(grids, scored(worth, calls), first=first, seeds=2)
    every = [each for tries in calls for each in tries]
    assert len(set(every)) == len(every)  # nothing is tried twice
    most = max(len(choice.tried) for choice in chosen.values())
    for name, choice in chosen.items():
        assert len(choice.tried) == min(most, prod(map(len, grids[name])))
        assert choice.tried == {setting: worth[name, setting] for setting in choice.tried}
        assert choice.tried[choice.setting] == max(choice.tried.values())
        at_end = False
        for axis, (value, ladder) in enumerate(zip(choice.setting, grids[name], strict=True)):
            place = ladder.index(value)
            at_end |= len(ladder) > 1 and place in (0, len(ladder) - 1)
            for neighbor in ladder[max(place - 1, 0) : place + 2]:
                setting = (*choice.setting[:axis], neighbor, *choice.setting[axis + 1 :])
                assert setting in choice.tried
        assert choice.at_edge == at_end


RATES, THRESHOLDS = (0.01, 0.1, 1.0, 10.0, 100.0), (0.5, 1.0, 2.0, 4.0)


def test_the_grid_grows_on_the_side_where_the_best_is():
    worth = {("clipped", (a, b)): a * b for a in RATES for b in THRESHOLDS}
    worth |= {("plain", (a,)): -abs(a - 3) for a in range(20)}
    calls = []
    chosen = choose_on_grid(
        {"clipped": [RATES, THRESHOLDS], "plain": [range(20)]},
        scored(worth, calls),
        first={"clipped": [3, 2], "plain": [6]},
    )
    assert chosen["clipped"].setting == (100.0, 4.0)
    assert chosen["clipped"].at_edge
    assert chosen["plain"].setting == (3,)
    assert not chosen["plain"].at_edge
    assert len(chosen["clipped"].tried) == len(chosen["plain"].tried) < 5 * 4
    assert (0.01, 0.5) not in chosen["clipped"].tried


def test_a_ladder_of_one_value_has_no_edge():
    worth = {("a", (eta, 0.0)): -abs(eta - 1) for eta in RATES}
    chosen = choose_on_grid({"a": [RATES, [0.0]]}, scored(worth, []), first={"a": [3, 1]})
    assert chosen["a"].setting == (1.0, 0.0)
    assert not chosen["a"].at_edge


def test_grids_that_cannot_be_compared_are_refused():
    fine = scored(dict.fromkeys(product("ab", product([1, 2, 3], [1, 2])), 0), [])
    for grids, first, wrong in (
        ({}, {}, "first is"),
        ({"a": []}, {"a": []}, "grids have"),
        ({"a": [[1, 1]]}, {"a": [1]}, "grids have"),
        ({"a": [[1, 2]]}, {"a": [3]}, "first is 3"),
        ({"a": [[1, 2, 3], [1, 2]], "b": [[1, 2]]}, {"a": [2, 2], "b": [2]}, "equally many"),
    ):
        with pytest.raises(ValueError, match=wrong):
            choose_on_grid(grids, fine, first=first)
    for found in (np.zeros((2, 4)), np.full((3, 4), np.nan)):
        with pytest.raises(ValueError, match="a number for each of 3 tries and 4 seeds"):
            choose_on_grid({"a": [[1, 2, 3]]}, lambda *_, found=found: found, first={"a": [3]})


class Known(GridContest):
    """Methods whose best settings are known; a network is its setting."""

    columns = ("method",)
    values = "eta", "threshold"
    best: ClassVar = {"plain": (3.0,), "clipped": (10.0, 1.0)}

    def cells(self, config):
        return [(name,) for name in self.best]

    def train(self, config, cell, settings, seeds):
        return [setting for setting in settings for _ in seeds]

    def score(self, config, cell, made, seeds):
        best = self.best[cell[0]]
        wrong = [np.abs(np.subtract(np.log(one), np.log(best))).sum() for one in made]
        return -np.array(wrong) + 1e-3 * (np.array(seeds) % 100)


def test_a_contest_has_a_column_for_each_value_of_a_setting():
    config = {
        "grids": {
            "plain": [[0.1, 0.3, 1.0, 3.0, 10.0, 30.0]],
            "clipped": [[0.1, 1.0, 10.0], [0.5, 1.0, 2.0]],
        },
        "first": {"plain": [4], "clipped": [2, 2]},
        "choosing": 2,
    }
    choices = Known().choices(config)
    assert {cell: choice.setting for cell, choice in choices.items()} == {
        (name,): best for name, best in Known.best.items()
    }
    rows = Known().run(config, [0, 1])
    assert set(separate(2)).isdisjoint(row["seed"] for row in rows)
    chosen = [(row["method"], row["eta"], row["threshold"], row["at_edge"]) for row in rows]
    assert chosen == [("plain", 3.0, None, False)] * 2 + [("clipped", 10.0, 1.0, True)] * 2
