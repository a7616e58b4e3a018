"""Where one vector can enter a network that generates a sequence."""

import numpy as np
from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots, unframed

_KINDS = {"x": "input", "h": "state", "y": "output"}
_AT = {"x": (1, 0), "h0": (0, 1), "h1": (1, 1), "h2": (2, 1), "y1": (1, 2), "y2": (2, 2)}
_LOOP = {
    ("h0", "h1"): "W",
    ("h1", "h2"): "W",
    ("h1", "y1"): "V",
    ("h2", "y2"): "V",
    ("y1", "h2"): "U",
}
_WAYS = {"every step": ["h1", "h2"], "first state": ["h0"], "both": ["h0", "h1", "h2"]}


def vector_entries():
    """Draw three ways for a vector to enter a recurrent network: every step, first state, both."""
    with style():
        figure, axes = subplots(1, 3, width=6.6, height=2.7)
        for each, (name, entered) in zip(axes.ravel(), _WAYS.items(), strict=True):
            ways = _LOOP | {("x", state): "S" if state == "h0" else "R" for state in entered}
            for (start, end), letter in ways.items():
                _arrow(each, _AT[start], _AT[end], letter, "input" if start == "x" else "edge")
            for node, xy in _AT.items():
                kind = colour(_KINDS[node[0]])
                label = "$x$" if node == "x" else f"${node[0]}^{{({node[1]})}}$"
                box = {"boxstyle": "circle,pad=0.15", "facecolor": "none", "edgecolor": kind}
                each.text(*xy, label, color=kind, ha="center", va="center", bbox=box)
            unframed(each, xlim=(-0.4, 2.4), ylim=(-0.35, 2.4), xticks=(), yticks=(), title=name)
        return Plot(figure, _ALT)


def _arrow(axes, start, end, letter, kind):
    arrow = {"arrowstyle": "-|>", "mutation_scale": 9, "shrinkA": 13, "shrinkB": 13}
    axes.add_patch(FancyArrowPatch(start, end, color=colour(kind), **arrow))
    (x0, y0), (x1, y1) = start, end
    place = [(x0 + x1) / 2, (y0 + y1) / 2]
    if x0 == x1:
        place[0] += 0.14
    elif y0 == y1:
        place[1] += 0.15
    else:  # beside an oblique arrow, away from the middle of the drawing
        place = [each + 0.14 * np.sign(each - 1) for each in place]
    shade = colour("input" if kind == "input" else "parameter")
    axes.text(*place, f"${letter}$", color=shade, ha="center", va="center")


_ALT = (
    "Three drawings of the same network with two steps. The states h0, h1 and h2 stand in a row; "
    "each state leads to the next through W, h1 and h2 lead to the outputs y1 and y2 through V, "
    "and y1 also leads to h2 through U. Below stands the vector x. At every step: x leads to h1 "
    "and h2 through R. First state: x leads only to h0, through S. Both: x leads to all three "
    "states."
)
