"""A memory that is one matrix, as an arrow among its keys, and what they read."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_real


def matrix_memory(k, v, M):
    """Draw a memory of one row among its keys, its way to where it is, and what each key reads.

    Parameters
    ----------
    k : array_like, shape (n, 2)
        Keys.
    v : array_like, shape (n,)
        Their values; by each point of a key's dotted line its value is read.
    M : array_like, shape (t + 1, 2)
        The memory before the first pair and after each that was written.

    Returns
    -------
    Plot
    """
    k, v, M = as_real("k", k), as_real("v", v), as_real("M", M)
    if k.ndim != 2 or k.shape[1] != 2 or not len(k):
        raise ValueError(f"k has shape {k.shape}; expected (n, 2)")
    if v.shape != k.shape[:1]:
        raise ValueError(f"v has shape {v.shape}; expected {k.shape[:1]}")
    if M.ndim != 2 or M.shape[1] != 2 or not len(M):
        raise ValueError(f"M has shape {M.shape}; expected (t + 1, 2)")
    reads = k @ M[-1]
    with style():
        figure, (plane, bars) = subplots(1, 2, width=6.4, height=3.2)
        _draw_plane(plane, k, v, M)
        _draw_bars(bars, v, reads)
        told = "; ".join(
            f"key {i} reads {number(read)} of {number(value)}"
            for i, (read, value) in enumerate(zip(reads, v, strict=True), 1)
        )
        return Plot(figure, f"A memory of two numbers after {len(M) - 1} writes: {told}.")


def _draw_plane(axes, k, v, M):
    reach = 1.25 * max(1, np.abs(k).max(), np.abs(M).max())
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xticks=[], yticks=[])
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    angles = np.linspace(0, 2 * np.pi, 145)
    axes.plot(np.cos(angles), np.sin(angles), color=colour("edge"), linewidth=0.8)
    for i, (key, value) in enumerate(zip(k, v, strict=True), 1):
        foot, across = value * key / (key @ key), np.array([-key[1], key[0]])
        line = foot + np.outer([-9 * reach, 9 * reach], across)
        axes.plot(*line.T, color=colour("target"), linewidth=1, linestyle=(0, (1, 2)))
        axes.plot(*np.transpose([np.zeros(2), key]), color=colour("input"), linewidth=1)
        axes.plot(*key, "s", color=colour("input"), markersize=5)
        axes.annotate(f"$k_{i}$", key * 1.12, color=colour("input"), ha="center", va="center")
    axes.plot(*M.T, color=colour("gradient"), linewidth=1, linestyle=(0, (3, 2)))
    if np.any(M[-1]):
        axes.annotate("", M[-1], (0, 0), arrowprops={
            "arrowstyle": "-|>", "color": colour("memory"), "linewidth": 2.2,
            "shrinkA": 0, "shrinkB": 0,
        })  # fmt: skip


def _draw_bars(axes, v, reads):
    rows = np.arange(len(v))
    axes.barh(rows, reads, height=0.4, color=colour("output"), label="read")
    axes.plot(v, rows, "D", color=colour("target"), label="value", clip_on=False)
    axes.hlines(rows + 0.3, reads, v, color=colour("loss"), linewidth=2, label="error")
    axes.axvline(0, color=colour("edge"), linewidth=0.8)
    reach = 1.08 * max(1, np.abs(reads).max(), np.abs(v).max())
    axes.set(yticks=rows, yticklabels=[f"$k_{i + 1}$" for i in rows], xlim=(-reach, reach))
    axes.invert_yaxis()
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.16), ncols=3, frameon=False)
