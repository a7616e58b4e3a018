"""The one way to choose a learning rate, a radius or a threshold: each method takes its best."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np

from rnn_helpers.validate import as_count, as_function, as_kind, as_list


@dataclass(frozen=True)
class Choice:
    """The setting that a method has chosen.

    Attributes
    ----------
    setting : object
        The best of those that were tried.
    tried : dict
        From each setting that was tried, in the order of the ladder, to its mean score.
    at_edge : bool
        Whether the setting is an end of its ladder, so that one beyond might have been better.
    """

    setting: Any
    tried: dict
    at_edge: bool


def choose(
    settings: Mapping[Hashable, Sequence],
    score: Callable[[list[tuple], list[int]], np.ndarray],
    *,
    first: int = 5,
    seeds: int = 4,
) -> dict[Hashable, Choice]:
    """Choose a setting for each of several methods, on seeds that no result is reported on.

    All methods try equally many settings. Each has its own ladder and begins in its middle.
    While the best setting of some method is the first or the last that it has tried, and its ladder
    continues there, every method tries one more setting, on the side of its best. Of equally good
    settings, the one in the middle is taken. If there are two in the middle, it is the one nearer
    to the middle of all that were tried, or else the earlier one.

    Parameters
    ----------
    settings : mapping from a method to a sequence
        The ladder of each method: all settings that it may try, in order. All ladders have the same
        length.
    score : callable
        ``score(tries, seeds)`` gives an array (tries, seeds) for a list of pairs of a method and a
        setting; more is better. It draws everything from these seeds, including the test sequences.
        It gets all tries of a round in one call, so that they can be trained side by side.
    first : int
        How many settings each method tries at first.
    seeds : int
        On how many seeds each setting is tried.

    Returns
    -------
    dict of Choice
        By method.

    Raises
    ------
    ValueError
        If the ladders differ in length, are shorter than `first` or repeat a setting; if a score is
        not a number, or the number of scores is wrong.
    """
    as_kind("settings", settings, Mapping, "a mapping from methods to their settings")
    as_function("score", score)
    ladders = {method: as_list("settings", ladder) for method, ladder in settings.items()}
    lengths = {len(ladder) for ladder in ladders.values()}
    if len(lengths) != 1 or any(len(set(ladder)) < len(ladder) for ladder in ladders.values()):
        raise ValueError(f"settings are {settings}; expected equally many for each, all different")
    (size,) = lengths
    chosen = choose_on_grid(
        {method: [ladder] for method, ladder in ladders.items()},
        lambda tries, others: score([(method, *one) for method, one in tries], others),
        first={method: [first] for method in ladders},
        seeds=seeds,
    )
    return {
        method: Choice(
            *choice.setting,
            {one: mean for (one,), mean in choice.tried.items()},
            choice.at_edge or size == 1,
        )
        for method, choice in chosen.items()
    }


def choose_on_grid(
    grids: Mapping[Hashable, Sequence[Sequence]],
    score: Callable[[list[tuple], list[int]], np.ndarray],
    *,
    first: Mapping[Hashable, Sequence[int]],
    seeds: int = 4,
) -> dict[Hashable, Choice]:
    """Choose a setting of several values for each of several methods; see `choose`.

    At first each method tries all combinations of the values in the middle of its ladders. A
    setting's neighbors differ from it in one value, which is the next one up or down that ladder.
    While the best setting of some method has a neighbor that the method has not tried, every method
    tries one more setting, the one nearest to its best. So all methods try equally many, even if
    their settings have different numbers of values; but a method that has tried its whole grid
    stops. Of equally good settings, the one in the middle is taken.

    Parameters
    ----------
    grids : mapping from a method to a sequence of sequences
        The ladders of each method, one for each value of a setting: all values that it may try, in
        order. The only value of a ladder is not an edge.
    score : callable
        As for `choose`; settings are tuples.
    first : mapping from a method to a sequence of int
        On how many values of each ladder a method begins; equally many combinations for all.
    seeds : int
        On how many seeds each setting is tried.

    Returns
    -------
    dict of Choice
        By method. The setting is at an edge if one of its values is an end of its ladder.

    Raises
    ------
    ValueError
        If there is no grid; if the methods don't begin with equally many settings; if a ladder is
        shorter than `first` says or repeats a value; if a score is not a number, or the number of
        scores is wrong.
    """
    as_kind("grids", grids, Mapping, "a mapping from methods to their ladders")
    as_function("score", score)
    ladders = {method: [as_list("ladder", one) for one in grid] for method, grid in grids.items()}
    for grid in ladders.values():
        if not grid or any(len(set(ladder)) < len(ladder) for ladder in grid):
            raise ValueError(f"grids have the ladders {grid}; expected some, of different values")
    sizes = {method: [len(ladder) for ladder in grid] for method, grid in ladders.items()}
    begin = {method: _middle(sizes[method], first[method]) for method in ladders}
    if len({len(places) for places in begin.values()}) != 1:
        raise ValueError(f"first is {first}; expected equally many combinations for each method")
    others = separate(as_count("seeds", seeds))

    def setting(method, place):
        return tuple(ladder[k] for ladder, k in zip(ladders[method], place, strict=True))

    scores: dict[Hashable, dict] = {method: {} for method in ladders}
    new = [(method, place) for method, places in begin.items() for place in places]
    while new:
        found = np.asarray(
            score([(method, setting(method, place)) for method, place in new], others)
        )
        if found.shape != (len(new), len(others)) or np.isnan(found).any():
            raise ValueError(
                f"score gave {found!r}; expected a number for each of {len(new)} tries and "
                f"{len(others)} seeds"
            )
        for (method, place), each in zip(new, found.tolist(), strict=True):
            scores[method][place] = fmean(each)  # the same in any order of the seeds
        best = {method: _best(scores[method]) for method in ladders}
        new = []
        if any(
            _neighbors(best[method], sizes[method]) - scores[method].keys() for method in ladders
        ):
            for method, tried in scores.items():
                new += [(method, place) for place in _next(best[method], tried, sizes[method])]
    return {
        method: Choice(
            setting(method, best[method]),
            {setting(method, place): scores[method][place] for place in sorted(scores[method])},
            _at_edge(best[method], sizes[method]),
        )
        for method in ladders
    }


def separate(n: int) -> list[int]:
    """Return seeds on which a setting can be chosen, none of which a result has."""
    return list(range(10_000, 10_000 + n))


def _middle(sizes: Sequence[int], first: Sequence[int]) -> list[tuple]:
    """Return the places to begin with: the number of each value on its ladder."""
    counts = [as_count("first", one, 1, size) for one, size in zip(first, sizes, strict=True)]
    begin = [(size - count) // 2 for size, count in zip(sizes, counts, strict=True)]
    return list(product(*(range(b, b + count) for b, count in zip(begin, counts, strict=True))))


def _best(scores: Mapping[tuple, float]) -> tuple:
    """Return the place of the best score; of equals, the one in the middle, as for a ladder."""
    equal = sorted(place for place, score in scores.items() if score == max(scores.values()))
    ends = [min(axis) + max(axis) for axis in zip(*scores, strict=True)]

    def off(place):
        from_equals = sum(_distance(place, other) for other in equal)
        return from_equals, sum(abs(2 * k - end) for k, end in zip(place, ends, strict=True))

    return min(equal, key=off)


def _neighbors(place: tuple, sizes: Sequence[int]) -> set[tuple]:
    """Return the places that differ in one value, by one step on its ladder."""
    return {
        (*place[:axis], k, *place[axis + 1 :])
        for axis, size in enumerate(sizes)
        for k in (place[axis] - 1, place[axis] + 1)
        if 0 <= k < size
    }


def _next(best: tuple, tried: Mapping[tuple, float], sizes: Sequence[int]) -> list[tuple]:
    """Return the place to try next, the one nearest to the best; none if all have been tried."""
    untried = [place for place in product(*map(range, sizes)) if place not in tried]
    # of places that are equally near, the one that is later on its ladders, as `choose` does
    return sorted(untried, key=lambda place: (_distance(place, best), [-k for k in place]))[:1]


def _distance(place: tuple, other: tuple) -> int:
    return sum(abs(a - b) for a, b in zip(place, other, strict=True))


def _at_edge(place: tuple, sizes: Sequence[int]) -> bool:
    return any(size > 1 and k in (0, size - 1) for k, size in zip(place, sizes, strict=True))
