"""Ways for one vector to enter a network that generates a sequence."""

from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots

_KINDS = {"x": "input", "h": "state", "y": "output"}
_AT = {"x": (1, 0), "h0": (0, 1), "h1": (1, 1), "h2": (2, 1), "y1": (1, 2), "y2": (2, 2)}
_LOOP = [("h0", "h1"), ("h1", "h2"), ("h1", "y1"), ("h2", "y2"), ("y1", "h2")]
_WAYS = {"every step": ["h1", "h2"], "first state": ["h0"], "both": ["h0", "h1", "h2"]}


def vector_entries():
    """Draw three ways for a vector to enter a recurrent network: every step, first state, both."""
    with style():
        figure, axes = subplots(1, 3, width=4.5, height=2.4)
        for each, (name, entered) in zip(axes.ravel(), _WAYS.items(), strict=True):
            for start, end in [*_LOOP, *(("x", state) for state in entered)]:
                _arrow(each, start, end)
            for node, xy in _AT.items():
                kind = colour(_KINDS[node[0]])
                label = "$x$" if node == "x" else f"${node[0]}^{{({node[1]})}}$"
                box = {"boxstyle": "circle,pad=0.15", "facecolor": "none", "edgecolor": kind}
                each.text(*xy, label, color=kind, ha="center", va="center", bbox=box)
            each.set(xlim=(-0.45, 2.45), ylim=(-0.4, 2.45), xticks=(), yticks=(), title=name)
            each.spines[:].set_visible(False)
            each.grid(False)
        return Plot(figure, _ALT)


def _arrow(axes, start, end):
    entry = start == "x"
    kind = colour("input" if entry else "edge")
    arrow = {"arrowstyle": "-|>", "mutation_scale": 9, "shrinkA": 13, "shrinkB": 13}
    axes.add_patch(FancyArrowPatch(_AT[start], _AT[end], color=kind, **arrow))
    if entry:
        (x0, y0), (x1, y1) = _AT[start], _AT[end]
        name = f"${'S' if end == 'h0' else 'R'}$"
        side = 0.35 * (x1 - x0) or 0.2
        axes.text((x0 + x1) / 2 + side, (y0 + y1) / 2, name, color=kind, ha="center", va="center")


_ALT = (
    "Three drawings of the same network with two steps. The states h0, h1 and h2 stand in a row; "
    "each state leads to the next, h1 and h2 lead to the outputs y1 and y2, and y1 also leads to "
    "h2. Below stands the vector x. At every step: x leads to h1 and h2 through R. First state: x "
    "leads only to h0, through S. Both: x leads to all three states."
)
