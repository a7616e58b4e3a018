"""Bars that show where in a sentence networks find a word."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.validate import as_array, as_count, as_list, as_real


def places_found(found, *, of, names, words, place, said=None, told=None):
    """Draw how many of several things each network finds at each position of a sentence.

    Parameters
    ----------
    found : array_like of int, shape (k, T)
        For each network, how many of the things it finds at each position.
    of : int
        How many things there are, at least 1.
    names : sequence of str
        Names of the k networks.
    words : sequence of str
        The T words of the sentence.
    place : int
        Position of the thing in `words`, from 1.
    said : sequence of str, optional
        Each network's answer to the sentence.
    told : array_like of bool, shape (T,), optional
        The positions with a bar; by default all. Positions that the reader is asked about are left
        out.

    Returns
    -------
    Plot
    """
    of, found = as_count("of", of), as_real("found", found)
    names, words = as_list("names", names), as_list("words", words)
    said = None if said is None else as_list("said", said)
    shape = len(names), len(words)
    if found.shape != shape or 0 in shape or (said is not None and len(said) != len(names)):
        raise ValueError(
            f"found has shape {found.shape} and said has {said and len(said)} answers; expected "
            f"{shape}, by names and words, and {len(names)}"
        )
    if not ((found >= 0) & (found <= of)).all():
        raise ValueError(f"found is out of range; expected 0 to {of}")
    k, T = shape
    if not 1 <= as_count("place", place) <= T:
        raise ValueError(f"place is {place}; the sentence has the positions 1 to {T}")
    open_ = np.ones(T, bool) if told is None else as_array("told", told)
    if open_.shape != (T,) or open_.dtype != bool:
        raise ValueError(f"told is {told!r:.80}; expected True or False for each of {T} words")
    at = 1 + np.flatnonzero(open_)
    with style():
        figure, grid = subplots(k, height=1.3 * k + 0.8, sharex=True, sharey=True, squeeze=False)
        for i, (axes, row) in enumerate(zip(grid[:, 0], found, strict=True)):
            bars = axes.bar(at, row[open_], 0.55, color=colour("input"))
            axes.bar_label(bars, [f"{n:g}" for n in row[open_]])
            axes.axhline(1, color=colour("loss"), linestyle="--", linewidth=1.2)
            axes.set_ylim(0, 1.3 * of)
            axes.set_yticks([0, of])
            answer = f", outputs {said[i]}" if said else ""
            axes.set_title(f"{names[i]}: found, of {of}{answer}; dashed: guessing", fontsize=10)
        angle = 0 if T <= 7 else 60
        axes.set_xticks(range(1, T + 1), [f"{word}" for word in words], rotation=angle)
        axes.set_xlim(0.4, T + 0.6)
        return Plot(figure, _described(found, of, names, words, place, said, at))


def _described(found, of, names, words, place, said, at):
    """Describe what `places_found` draws."""
    parts = [
        f"{name} finds "
        + ", ".join(f"{row[t - 1]:g} of {of} at position {t}" for t in at)
        + (f" and outputs {said[i]}" if said else "")
        for i, (name, row) in enumerate(zip(names, found, strict=True))
    ]
    return (
        f"The sentence {' '.join(map(str, words))}, with {words[place - 1]} in position {place}. "
        f"{'; '.join(parts)}. A dashed line marks guessing, 1 of {of}."
    )
