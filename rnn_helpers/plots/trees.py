"""A tree over a row of words, drawn as brackets: figure 10.14."""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import counted, number
from rnn_helpers.reference.trees import nodes
from rnn_helpers.validate import as_kind, as_list, as_real, brief

_LONG = 6  # letters of a word from which on words stand upright
_MOST_SAID = 4


def tree_graph(
    tree,
    words: Sequence,
    *,
    bars=None,
    ends: tuple | None = None,
    values: dict | None = None,
    title: str = "",
):
    """Draw a tree over a row of words, each node as high as it is above its deepest leaf.

    Parameters
    ----------
    tree : nested tuple
        A leaf is its place, a node a pair.
    words : sequence of str
        One for each leaf.
    bars : array_like, shape (n,), optional
        A positive number for each word, drawn below it on a logarithmic scale.
    ends : tuple of int, optional
        Places of two words: the way from one to the other through the tree stands out.
    values : dict of (int, int) to tuple of str and bool, optional
        What is written at the node over the leaves from ``start`` to before ``stop``, and whether
        it is right.
    title : str

    Returns
    -------
    Plot
    """
    found = nodes(tree)
    words = [str(word) for word in as_list("words", words)]
    if len(words) != found[-1].stop:
        raise ValueError(f"words has {len(words)} words; expected {found[-1].stop}, as leaves")
    bars = None if bars is None else _as_bars(bars, len(words))
    way = [] if ends is None else _way(found, _as_ends(ends, len(words)))
    spans = {(node.start, node.stop): node for node in found}
    values = as_kind("values", {} if values is None else values, dict, "a dict of values by spans")
    for span, value in values.items():
        if span not in spans or not isinstance(value, tuple) or len(value) != 2:
            raise ValueError(
                f"values has {brief((span, value))}; expected a text and whether it is right, "
                f"for a node from start to stop"
            )
    with style():
        high = 0.8 + 0.22 * max(3, found[-1].height) + (0.9 if bars is not None else 0)
        figure, axes = subplots(1 + (bars is not None), 1, width=WIDTH, height=min(high, 4.2))
        top, *rest = np.atleast_1d(axes)
        if title:
            top.set_title(title)
        _draw(top, found, way)
        for span, (value, right) in values.items():
            top.text(
                *_spot(spans[span], found),
                value,
                ha="center",
                va="center",
                color=colour("ink" if right else "loss"),
                weight="normal" if right else "bold",
                bbox={
                    "boxstyle": "round,pad=0.2",
                    "facecolor": colour("paper"),
                    "edgecolor": colour("output" if right else "loss"),
                },
            )
        upright = max(map(len, words)) * len(words) > 60 or max(map(len, words)) > _LONG
        top.set_xticks(range(len(words)), words, rotation=90 * upright)
        top.tick_params(length=0)
        top.set(yticks=(), xlim=(-0.6, len(words) - 0.4))
        for place in set(ends or ()):
            top.get_xticklabels()[place].set(color=colour("accent"), weight="bold")
        for axis in (top, *rest):
            axis.spines[:].set_visible(False)
        top.grid(visible=False)
        for axis in rest:
            axis.bar(range(len(words)), bars, color=colour("gradient"), width=0.7)
            axis.set(yscale="log", xticks=(), xlim=(-0.6, len(words) - 0.4), ylabel="gradient")
            # from one power of ten to another, whatever the bars
            axis.set_ylim(
                10 ** np.floor(np.log10(0.99 * bars.min())), 10 ** np.ceil(np.log10(bars.max()))
            )
            axis.minorticks_off()
        return Plot(figure, _alt(found, words, bars, ends, way, values))


def _as_bars(bars, n):
    bars = as_real("bars", bars)
    if bars.shape != (n,) or bars.min() <= 0:
        raise ValueError(f"bars is {brief(bars)}; expected {n} positive numbers")
    return bars


def _as_ends(ends, n):
    if (
        not isinstance(ends, tuple)
        or len(ends) != 2
        or not all(isinstance(end, int) and 0 <= end < n for end in ends)
    ):
        raise ValueError(f"ends is {brief(ends)}; expected two places from 0 to {n - 1}")
    return ends


def _way(found, ends):
    """Places in the list of nodes from one leaf to another, up and down."""
    up = {child: i for i, node in enumerate(found) for child in (node.left, node.right)}
    rise, fall = [], []
    for end, climbed in zip(ends, (rise, fall), strict=True):
        at = next(i for i, node in enumerate(found) if node.left is None and node.start == end)
        while at is not None:
            climbed.append(at)
            at = up.get(at)
    top = next(at for at in rise if at in fall)
    return [*rise[: rise.index(top) + 1], *reversed(fall[: fall.index(top)])]


def _spot(node, found):
    """Where a node stands: in the middle between the last leaf on its left and the next."""
    return node.start if node.left is None else found[node.right].start - 0.5, node.height


def _draw(axes, found, way):
    for i, node in enumerate(found):
        for child in (node.left, node.right):
            if child is None:
                continue
            lit = i in way and child in way
            (x0, y0), (x1, y1) = _spot(node, found), _spot(found[child], found)
            axes.plot(
                [x0, x1, x1],
                [y0, y0, y1],
                color=colour("accent" if lit else "state"),
                linewidth=3.2 if lit else 1.2,
                solid_joinstyle="round",
                zorder=2 if lit else 1,
            )
    inner = [_spot(node, found) for node in found if node.left is not None]
    leaves = [_spot(node, found) for node in found if node.left is None]
    for places, marker, kind in ((inner, "o", "state"), (leaves, "s", "input")):
        if places:
            axes.plot(*zip(*places, strict=True), marker, color=colour(kind), markersize=5)


def _alt(found, words, bars, ends, way, values):
    said = f"A tree over {counted(len(words), 'word')}, {' '.join(words)}: {found[-1].height} high."
    if ends is not None:
        first, last = (words[end] for end in ends)
        said += f" {counted(max(len(way) - 1, 0), 'arrow')} lead from {first} to {last}."
    if bars is not None:
        said += f" Below each word a bar, from {number(bars.min())} to {number(bars.max())}."
    wrong = [" ".join(words[slice(*span)]) for span, (_, right) in values.items() if not right]
    if values:
        some = ": " + "; ".join(wrong[:_MOST_SAID]) if wrong else ""
        are = "is" if len(wrong) == 1 else "are"
        said += f" Of {counted(len(values), 'value')} {len(wrong)} {are} wrong{some}."
    return said
