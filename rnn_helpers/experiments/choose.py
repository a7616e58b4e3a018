"""The one way to a learning rate, a radius or a threshold: each method chooses what suits it."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from rnn_helpers.experiments.rates import separate
from rnn_helpers.validate import as_count, as_function, as_kind, as_list


@dataclass(frozen=True)
class Choice:
    """What a method has chosen.

    Attributes
    ----------
    setting : object
        The best of those that were tried.
    tried : dict
        From each setting that was tried, in the order of the ladder, to its mean score.
    at_edge : bool
        Whether it is the first or the last of them, so that one beyond might have been better:
        there the ladder ends.
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
    """Choose a setting for each of several methods, on seeds that no result is reported of.

    All methods try equally many settings, each those of its own ladder: at first the ones in the
    middle. While the best of some method is the first or the last that it has tried, and its ladder
    goes on there, every method tries one more, on the side where its best is. Of settings that are
    equally good, the one in the middle is taken; of two there, the one nearer the middle of those
    that were tried, or the earlier.

    Parameters
    ----------
    settings : mapping from a method to a sequence
        The ladder of each method: all that it may ever try, in order; equally many for all.
    score : callable
        ``score(tries, seeds)`` gives an array (tries, seeds) for a list of pairs of a method and a
        setting; more is better. It draws everything from these seeds, the sequences of its test
        too, and is called with all that is to be tried at once, to be trained side by side.
    first : int
        How many each method tries at first.
    seeds : int
        On how many seeds.

    Returns
    -------
    dict of Choice
        By method.

    Raises
    ------
    ValueError
        If the ladders are not equally long, or shorter than `first`, or one has something twice;
        if a score is not a number, or there are not as many as tries and seeds.
    """
    as_kind("settings", settings, Mapping, "a mapping from methods to their settings")
    as_function("score", score)
    ladders = {method: as_list("settings", ladder) for method, ladder in settings.items()}
    lengths = {len(ladder) for ladder in ladders.values()}
    if len(lengths) != 1 or any(len(set(ladder)) < len(ladder) for ladder in ladders.values()):
        raise ValueError(f"settings are {settings}; expected equally many for each, all different")
    (size,) = lengths
    first = as_count("first", first, 1, size)
    others = separate(as_count("seeds", seeds))

    begin = (size - first) // 2
    tried = {method: range(begin, begin + first) for method in ladders}
    scores = {method: {} for method in ladders}
    new = [(method, k) for method, places in tried.items() for k in places]
    while new:
        found = np.asarray(score([(method, ladders[method][k]) for method, k in new], others))
        if found.shape != (len(new), len(others)) or np.isnan(found).any():
            raise ValueError(
                f"score gave {found!r}; expected a number for each of {len(new)} tries and "
                f"{len(others)} seeds"
            )
        for (method, k), each in zip(new, found.tolist(), strict=True):
            scores[method][k] = fmean(each)  # to the last digit the same in any order: ties are
        best = {method: _best(scores[method]) for method in ladders}
        new = []
        if any(_goes_on(best[method], tried[method], size) for method in ladders):
            new = [(method, _next(best[method], tried[method], size)) for method in ladders]
            for method, k in new:
                tried[method] = range(min(k, tried[method].start), max(k + 1, tried[method].stop))
    return {
        method: Choice(
            ladder[best[method]],
            {ladder[k]: scores[method][k] for k in tried[method]},
            _at_edge(best[method], tried[method]),
        )
        for method, ladder in ladders.items()
    }


def by_method(score: Callable) -> Callable[[list[tuple], list[int]], list]:
    """Score all settings of a method at once: `choose` asks for pairs of a method and a setting.

    Parameters
    ----------
    score : callable
        ``score(method, settings, seeds)`` gives an array (settings, seeds), of any shape that has
        them in this order; more is better.

    Returns
    -------
    callable
        As `choose` takes it.
    """
    as_function("score", score)

    def scores(tries, seeds):
        found = {}
        for method in dict.fromkeys(method for method, _ in tries):
            settings = [setting for other, setting in tries if other == method]
            each = np.reshape(score(method, settings, seeds), (len(settings), len(seeds)))
            found |= zip(((method, setting) for setting in settings), each, strict=True)
        return [found[one] for one in tries]

    return scores


def _best(scores: dict[int, float]) -> int:
    """Place of the best score; of equals, the one in the middle."""
    equal = sorted(k for k, score in scores.items() if score == max(scores.values()))
    two = equal[(len(equal) - 1) // 2], equal[len(equal) // 2]
    return min(two, key=lambda k: abs(2 * k - min(scores) - max(scores)))


def _at_edge(best: int, tried: range) -> bool:
    return best in (tried[0], tried[-1])


def _goes_on(best: int, tried: range, size: int) -> bool:
    """Whether the best is at an edge beyond which there is more to try."""
    return (best == tried[0] and best > 0) or (best == tried[-1] and best < size - 1)


def _next(best: int, tried: range, size: int) -> int:
    """The place to try next: on the side where the best is, unless the ladder ends there."""
    below, above = tried[0] - 1, tried[-1] + 1
    nearer_below = best - tried[0] < tried[-1] - best
    return below if below >= 0 and (nearer_below or above == size) else above
