"""The way to a setting of several values, such as a learning rate and a threshold for clipping.

Here `choose` is generalized from ladders to grids. Later this can replace it; until then it has a
module of its own, so that the fingerprints of the results that use `choose` stay as they are.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import ClassVar

import numpy as np

from rnn_helpers.experiments.choose import Choice
from rnn_helpers.experiments.contest import Cell, Contest
from rnn_helpers.experiments.kept import each_training
from rnn_helpers.experiments.rates import separate
from rnn_helpers.validate import as_count, as_function, as_kind, as_list


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
        The ladders of each method, one for each value of a setting: all that it may ever try, in
        order. A ladder of one value is fixed, and its ends are no edge.
    score : callable
        As for `choose`; settings are tuples.
    first : mapping from a method to a sequence of int
        On how many values of each ladder a method begins; equally many combinations for all.
    seeds : int
        On how many seeds.

    Returns
    -------
    dict of Choice
        By method. The setting is at an edge if one of its values is an end of its ladder.

    Raises
    ------
    ValueError
        If there is no grid; if the methods don't begin with equally many settings, or a ladder is
        shorter than that or has something twice; if a score is not a number, or there are not as
        many as tries and seeds.
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


class GridContest(Contest):
    """A contest whose settings have several values.

    Attributes
    ----------
    values : tuple of str
        The columns of these values. A method may use only the first ones.
    """

    values: ClassVar[tuple[str, ...]]

    def grid(self, config: dict, cell: Cell) -> tuple[Sequence[Sequence], Sequence[int]]:
        """Return the ladders of a cell, and how many values of each it tries at first.

        Here they are the ``grids`` and ``first`` of the first part of the cell.
        """
        return config["grids"][cell[0]], config["first"][cell[0]]

    def choices(self, config):
        """Choose a setting for each cell on other seeds; see `choose_on_grid`."""

        def score(tries, others):
            found = each_training(
                (self._scores, config, cell, [setting for _, setting in mine], others)
                for cell, mine in _by_cell(tries).items()
            )
            scores = dict(zip(_by_cell(tries), map(iter, found), strict=True))
            return np.minimum([next(scores[cell]) for cell, _ in tries], self.limit)

        comparisons = {}
        for cell in self.cells(config):
            at = self.apart and cell[self.columns.index(self.apart)]
            comparisons.setdefault(at, {})[cell] = self.grid(config, cell)
        chosen = {}
        for grids in comparisons.values():
            chosen |= choose_on_grid(
                {cell: ladders for cell, (ladders, _) in grids.items()},
                score,
                first={cell: first for cell, (_, first) in grids.items()},
                seeds=config["choosing"],
            )
        return chosen

    def chosen(self, choice):
        """Return the values that were chosen for a cell; a value that it doesn't have is None."""
        values = choice.setting + (None,) * (len(self.values) - len(choice.setting))
        return dict(zip(self.values, values, strict=True)) | {"at_edge": choice.at_edge}


def _by_cell(tries: list[tuple]) -> dict[Cell, list[tuple]]:
    """Group pairs of a cell and a setting."""
    groups: dict[Cell, list] = {}
    for one in tries:
        groups.setdefault(one[0], []).append(one)
    return groups


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
