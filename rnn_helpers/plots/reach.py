"""The size of gradients by distance: one line for each kind of network."""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.palette import COLOURS, colour
from rnn_helpers.plots.curves import DASHES, powers, whole
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import power
from rnn_helpers.validate import as_choice, as_count, as_kind, as_list, as_real


def gradient_reach(gradients, *, kinds=None, at=None):
    """Draw the size of gradients by distance from the loss.

    Parameters
    ----------
    gradients : mapping of str to array_like, shape (T + 1, ..., n)
        For each kind of network, the gradients of a loss at the last step on the states at times
        0 to T. The last must not be 0. If an earlier one is 0, its line ends there.
    kinds : sequence of str, optional
        Key of each line's color in the palette, ``"state"`` by default. Lines of one color have
        different dashes.
    at : int, optional
        A distance to mark, from 0 to the largest T.

    Returns
    -------
    Plot
        Sizes are relative to the last step. A line is the geometric mean over sequences and
        networks.
    """
    as_kind("gradients", gradients, Mapping, "a mapping of names to arrays")
    lines = {str(name): _logs(name, array) for name, array in gradients.items()}
    if not lines:
        raise ValueError("gradients is empty; expected at least one kind of network")
    longest = max(map(len, lines.values())) - 1
    if at is not None and as_count("at", at, 0) > longest:
        raise ValueError(f"at is {at}; expected at most {longest}")
    kinds = ["state"] * len(lines) if kinds is None else as_list("kinds", kinds)
    if len(kinds) != len(lines):
        raise ValueError(
            f"kinds has {len(kinds)} entries; expected {len(lines)}, one for each line"
        )
    for kind in kinds:
        as_choice("kinds", kind, COLOURS)
    place = longest if at is None else at
    with style():
        figure, axes = subplots(height=3.4)
        for k, (name, logs) in enumerate(lines.items()):
            dash = DASHES[kinds[:k].count(kinds[k]) % len(DASHES)]
            axes.plot(logs, label=name, color=colour(kinds[k]), linestyle=dash, linewidth=1.7)
        axes.axhline(0, color=colour("edge"), linewidth=0.8, zorder=0.5)
        if at is not None:
            axes.axvline(at, color=colour("accent"), linewidth=1, dashes=(1.5, 2))
        powers(axes)
        axes.xaxis.set_major_locator(whole())
        axes.set_xlabel("steps back")
        axes.set_title("size of the gradient, 1 at the last step", color=colour("gradient"))
        axes.set_xlim(0, max(longest, 1))
        figure.legend(loc="outside right center")
        parts = ", ".join(
            f"{name} {power(logs[place]) if place < len(logs) else '0 or unknown'}"
            for name, logs in lines.items()
        )
        return Plot(
            figure, f"Size of the gradient {place} steps back, against 1 at the end: {parts}."
        )


def _logs(name, array):
    """Return log10 of the relative size by distance, up to the first size of 0."""
    array = as_real("gradients", array)
    if array.ndim < 2 or not array.size:
        raise ValueError(f"gradients has {name!r} of shape {array.shape}; expected (T + 1, ..., n)")
    sizes = np.linalg.norm(array, axis=-1).reshape(len(array), -1)[::-1]
    if not sizes[0].all():
        raise ValueError(f"gradients has {name!r}, 0 at the last step; expected one that is not 0")
    alive = (sizes > 0).all(axis=1)
    sizes = sizes[: len(alive) if alive.all() else int(alive.argmin())]
    return np.log10(sizes / sizes[0]).mean(axis=1)
