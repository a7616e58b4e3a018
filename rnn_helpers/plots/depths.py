"""Deep recurrent networks, unfolded, and what is left of a gradient on its way through them."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.patches import FancyArrowPatch

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import counted
from rnn_helpers.reference import Depth, deep_circuit
from rnn_helpers.validate import as_count, as_kind, as_list, as_real, brief

_KINDS = {"x": "input", "o": "output"}


def depth_graph(depth: Depth, path: Sequence, T: int, *, share, plain=None):
    """Draw a deep network over some steps, a way through it, and the gradient at each input.

    Parameters
    ----------
    depth : Depth
    path : sequence of (str, int)
        Nodes of the graph of `deep_circuit`, such as ``("h1", 2)``, each joined to the next.
    T : int
        Steps.
    share : array_like, shape (T,)
        Gradient at each input, in units of that at the last; above 0.
    plain : array_like, shape (T,), optional
        The same of a network to compare with.

    Returns
    -------
    Plot
    """
    as_kind("depth", depth, Depth, "a Depth")
    T, path = as_count("T", T), [tuple(node) for node in as_list("path", path)]
    share = _as_shares("share", share, T)
    graph = deep_circuit(depth).unfold(T)
    arrows = [edge[:2] for edge in graph.edges if edge.source[1] > 0]
    way = set(pairwise(path))
    if not way <= set(arrows):
        raise ValueError(f"path is {brief(path)}; expected nodes that arrows join")
    place = _places(depth)
    high = place["o"][1]
    with style():
        figure, (above, below) = subplots(
            2, height=1.9 + 0.32 * high, sharex=True, gridspec_kw={"height_ratios": [high + 2, 3]}
        )
        for start, end in sorted(arrows, key=lambda arrow: arrow in way):
            above.add_patch(_arrow(start, end, place, depth.skip, (start, end) in way))
        for name, step in graph.nodes:
            if step > 0 and (step > 1 or name[0] != "t"):
                _disc(above, name, _at((name, step), place), (name, step) in path)
        above.set(xlim=(0.5, T + 0.5), ylim=(-0.5, high + 0.5), xticks=(), yticks=())
        above.spines[:].set_visible(False)
        above.grid(False)
        _draw_shares(below, share, None if plain is None else _as_shares("plain", plain, T))
        return Plot(figure, _alt(depth, path, share))


def _as_shares(name, value, T):
    share = as_real(name, value)
    if share.shape != (T,) or not (share > 0).all():
        raise ValueError(f"{name} is {brief(value)}; expected {T} numbers above 0")
    return share


def _places(depth):
    """Column within a step, and row, of each node of the circuit."""
    places, row = {"x": (0, 0)}, 0
    for _, name in depth.hidden("input"):
        row += 1
        places[name] = (0, row)
    for k in range(1, depth.states + 1):
        row += 1
        places[f"h{k}"] = (0, row)
        between = depth.hidden("transition", k)
        places |= {
            name: (i / (len(between) + 1) - 1, row) for i, (_, name) in enumerate(between, 1)
        }
    for _, name in depth.hidden("output"):
        row += 1
        places[name] = (0, row)
    return places | {"o": (0, row + 1)}


def _at(node, place):
    name, step = node
    column, row = place[name]
    return step + column, row


def _arrow(start, end, place, skip, lit):
    over = skip and start[0] == end[0]
    return FancyArrowPatch(
        _at(start, place),
        _at(end, place),
        connectionstyle=f"arc3,rad={-0.35 if over else 0}",
        arrowstyle="-|>",
        mutation_scale=8,
        shrinkA=7 if start[0][0] in "xho" else 4,
        shrinkB=7 if end[0][0] in "xho" else 4,
        color=colour("accent" if lit else "edge"),
        linewidth=2.2 if lit else 0.9,
    )


def _disc(axes, name, at, lit):
    kind = colour(_KINDS.get(name[0], "state"))
    small = name[0] in "atq"
    axes.plot(
        *at,
        "o",
        markersize=6 if small else 12,
        markeredgecolor=kind,
        markerfacecolor=kind if small else "none",
        markeredgewidth=2.4 if lit else 1.1,
    )


def _draw_shares(axes, share, plain):
    steps = np.arange(1, len(share) + 1)
    if plain is not None:
        axes.plot(steps, plain, "o--", color=colour("edge"), markerfacecolor="none")
    axes.plot(steps, share, "o-", color=colour("gradient"))
    axes.set(yscale="log", ylim=(1e-5, 2), xticks=steps, ylabel="gradient at $x^{(t)}$")


def _alt(depth, path, share):
    layers = [
        f"{counted(getattr(depth, box), 'hidden layer')} {where}"
        for box, where in (
            ("input", "from the input"),
            ("transition", "between states"),
            ("output", "to the output"),
        )
        if getattr(depth, box)
    ]
    skip = ", which a connection skips" if depth.skip else ""
    shape = ", ".join([counted(depth.states, "state"), *layers]) + skip
    said = f"A recurrent network over {len(share)} steps: {shape}."
    if len(path) > 1:
        said += (
            f" {counted(len(path) - 1, 'arrow')} lead from the input of step {path[0][1]} to the "
            f"output of step {path[-1][1]}."
        )
    return f"{said} At the first input {share[0]:.2g} of the gradient at the last arrives."
