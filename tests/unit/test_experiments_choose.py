"""`choose` tries equally many settings of each method, and takes the best on separate seeds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, FUNCTION, NAN

from rnn_helpers.experiments import choose
from rnn_helpers.experiments.choose import separate

LADDER = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


def scored(table, seen=None):
    """Return a score that depends on the method and the setting, and not on the seed."""

    def score(tries, seeds):
        if seen is not None:
            seen.append((tries, seeds))
        return np.array([[table[method](setting)] * len(seeds) for method, setting in tries])

    return score


@st.composite
def contests(draw):
    """Methods with ladders of one length, and a score from a few values for each setting."""
    size = draw(st.integers(1, 8))
    ladders = {
        name: draw(st.lists(st.integers(), min_size=size, max_size=size, unique=True))
        for name in draw(st.sets(st.sampled_from("abcd"), min_size=1))
    }
    worth = {
        (name, setting): draw(st.sampled_from([0.0, 0.5, 0.9, 1.0]))
        for name, ladder in ladders.items()
        for setting in ladder
    }
    return ladders, worth, draw(st.integers(1, size))


@given(contests())
def test_all_methods_try_equally_many_settings_and_the_best_is_chosen(contest):
    ladders, worth, first = contest
    calls = []

    def score(tries, seeds):
        calls.append(tries)
        return np.array([[worth[each]] * len(seeds) for each in tries])

    chosen = choose(ladders, score, first=first, seeds=2)
    assert chosen.keys() == ladders.keys()
    (number,) = {len(choice.tried) for choice in chosen.values()}
    assert number >= first
    every = [each for tries in calls for each in tries]
    assert len(set(every)) == len(every) == number * len(ladders)  # nothing is tried twice
    for name, choice in chosen.items():
        tried = list(choice.tried)
        place = ladders[name].index(tried[0])
        assert tried == ladders[name][place : place + number]
        assert choice.tried == {setting: worth[name, setting] for setting in tried}
        worths = list(choice.tried.values())
        best = [k for k in range(number) if worths[k] == max(worths)]
        off = {
            k: abs(k - (number - 1) / 2) for k in (best[(len(best) - 1) // 2], best[len(best) // 2])
        }
        assert choice.setting == tried[min(off, key=lambda k: (off[k], k))]
        assert choice.at_edge == (choice.setting in (tried[0], tried[-1]))
        if choice.at_edge:  # there is nothing beyond
            end = 0 if choice.setting == tried[0] else -1
            ends = {0, -1} if len(tried) == 1 else {end}
            assert any(choice.setting == ladders[name][e] for e in ends)


def test_grids_grow_together_each_towards_its_own_best():
    seen = []
    table = {"up": lambda eta: eta, "down": lambda eta: -eta, "middle": lambda eta: -abs(eta - 1)}
    chosen = choose(dict.fromkeys(table, LADDER), scored(table, seen), first=3)
    assert [len(tries) for tries, _ in seen] == [9, 3, 3]
    assert chosen["up"].setting == 30
    assert chosen["up"].at_edge
    assert list(chosen["up"].tried) == [0.3, 1, 3, 10, 30]
    assert list(chosen["down"].tried) == [0.03, 0.1, 0.3, 1, 3]
    assert chosen["middle"].setting == 1
    assert not chosen["middle"].at_edge


def test_no_more_settings_are_tried_if_the_best_is_within_the_grid():
    seen = []
    chosen = choose({"a": LADDER}, scored({"a": lambda eta: -abs(eta - 3)}, seen), first=5)
    assert len(seen) == 1
    assert chosen["a"].setting == 3


def test_of_equally_good_settings_the_one_in_the_middle_is_taken():
    for good, setting in (
        ({0.3, 1, 3}, 1),
        ({0.1, 0.3}, 0.3),
        ({3, 10}, 3),
        ({0.3, 3}, 0.3),
        (set(LADDER), 1),
        ({0.1, 1, 10}, 1),
    ):
        table = {"a": lambda eta, good=good: float(eta in good)}
        assert choose({"a": LADDER}, scored(table))["a"].setting == setting


def test_the_order_of_the_seeds_does_not_break_ties():
    given = {0.1: [0.95, 0.1, 0.7, 0.3], 0.3: [0.1, 0.3, 0.95, 0.7], 1.0: [0.7, 0.95, 0.3, 0.1]}
    chosen = choose({"a": [*given]}, lambda tries, _: [given[eta] for _, eta in tries], first=3)
    assert len(set(chosen["a"].tried.values())) == 1
    assert chosen["a"].setting == 0.3


@given(st.integers(1, 50))
def test_seeds_of_the_result_are_not_used_for_the_choice(seeds):
    seen = []
    choose({"a": LADDER}, scored({"a": lambda eta: eta}, seen), seeds=seeds)
    for _, others in seen:
        assert others == separate(seeds)
        assert set(others).isdisjoint(range(10_000))


def test_wrong_ladders_and_scores_are_refused():
    fine = scored({"a": lambda eta: 0, "b": lambda eta: 0})
    for settings in ({}, {"a": [1, 2], "b": [1]}, {"a": [1, 1]}):
        with pytest.raises(ValueError, match="settings are"):
            choose(settings, fine, first=1)
    with pytest.raises(ValueError, match="first is 4"):
        choose({"a": [1, 2, 3]}, fine, first=4)
    for found in (np.zeros((2, 4)), np.full((3, 4), np.nan)):
        with pytest.raises(ValueError, match="a number for each of 3 tries and 4 seeds"):
            choose({"a": [1, 2, 3]}, lambda tries, seeds, found=found: found, first=3)


REFUSALS = {
    choose: (
        {
            "settings": {"a": [0.1, 0.3, 1], "b": [1, 2, 3]},
            "score": lambda tries, seeds: np.zeros((len(tries), len(seeds))),
            "first": 2,
            "seeds": 2,
        },
        {
            "settings": [None, 3, [0.1, 0.3], {}, {"a": 3}, {"a": [1, 1]}, {"a": [1], "b": [1, 2]}],
            "score": [
                *(None, *FUNCTION),
                lambda tries, seeds: np.zeros(len(tries)),
                lambda tries, seeds: np.full((len(tries), len(seeds)), NAN),
            ],
            "first": [*COUNT, 4],
            "seeds": COUNT,
        },
    )
}
