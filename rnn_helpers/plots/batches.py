"""Sentences side by side in minibatches."""

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import whole
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.validate import as_array, as_count, as_kind, as_list

_GAP = 1.2  # between minibatches, in rows
_NAMED = 12  # minibatches that have room for their numbers


def padded_minibatches(batches, *, counted=False, at=None):
    """Draw minibatches as blocks as long as their longest sequence, with their padding hatched.

    Parameters
    ----------
    batches : sequence of array_like of int
        For each minibatch, the steps of each of its sequences, at least 1: the sums of the columns
        of a mask.
    counted : bool
        Whether the padding is part of the loss: its hatching then has the loss's colour.
    at : int, optional
        A row to mark, from 1: the sequences are counted through all minibatches.
    """
    batches = [_lengths(one) for one in as_list("batches", batches)]
    if not batches:
        raise ValueError("batches is empty; expected at least one minibatch")
    lengths = np.concatenate(batches)
    longest = np.array([one.max() for one in batches])
    sizes = np.array([len(one) for one in batches])
    as_kind("counted", counted, bool, "True or False")
    if at is not None and as_count("at", at) > len(lengths):
        raise ValueError(f"at is {at}; expected a row from 1 to {len(lengths)}")

    gaps = np.repeat(np.arange(len(batches)), sizes) * _GAP
    rows = np.arange(len(lengths)) + gaps
    first = rows[np.cumsum(sizes) - sizes]
    share = 1 - lengths.sum() / (sizes * longest).sum()
    with style():
        figure, axes = subplots(height=float(np.clip(1 + 0.06 * rows[-1], 2, 6)))
        for top, T, size, own in zip(first, longest, sizes, batches, strict=True):
            axes.add_patch(
                Rectangle(
                    (0, top - 0.5),
                    T,
                    size,
                    facecolor="none",
                    hatch="////",
                    linewidth=0.8,
                    edgecolor=colour("loss" if counted else "edge"),
                )
            )
            if len(batches) <= _NAMED:
                words = f"{T}, {1 - own.mean() / T:.0%}"
                axes.annotate(words, (1, top + (size - 1) / 2), ha="right", va="center",
                              xycoords=axes.get_yaxis_transform(), size=10)  # fmt: skip
        axes.barh(rows, lengths, 1, color=colour("input"), edgecolor=colour("paper"), linewidth=0.5)
        if at is not None:
            T = np.repeat(longest, sizes)[at - 1]
            axes.add_patch(
                Rectangle(
                    (0, rows[at - 1] - 0.6),
                    T,
                    1.2,
                    facecolor="none",
                    linewidth=1.8,
                    edgecolor=colour("accent"),
                    zorder=4,
                )
            )
        axes.set_xlim(0, longest.max() * 1.2)
        axes.set_ylim(rows[-1] + 1, -1)
        axes.yaxis.set_major_locator(NullLocator())
        axes.spines["left"].set_visible(False)
        axes.xaxis.set_major_locator(whole())
        axes.set_xlabel("steps")
        axes.set_title(f"{share:.0%} of the steps are padding")
        several = len(batches) > 1
        alt = (
            f"{len(lengths)} sequences of {lengths.min()} to {lengths.max()} steps in "
            f"{len(batches)} minibatch{'es' * several}, each a block as long as its longest: "
            f"{longest.min()}{f' to {longest.max()}' * several} steps. The rest is hatched: "
            f"{share:.1%} of {(sizes * longest).sum()} steps are padding."
        )
        return Plot(figure, alt)


def _lengths(one):
    one = as_array("batches", one)
    if not np.issubdtype(one.dtype, np.integer):
        raise TypeError(f"batches hold {one.dtype}; expected integers, the steps of each sequence")
    if one.ndim != 1 or not len(one) or one.min() < 1:
        raise ValueError(
            f"batches hold an array of shape {one.shape}; expected one axis of at least one "
            "length, each at least 1"
        )
    return one
