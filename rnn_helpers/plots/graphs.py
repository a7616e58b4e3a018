"""Draw circuits and their unfolded graphs side by side."""

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle
from matplotlib.path import Path

from rnn_helpers.circuits import Circuit
from rnn_helpers.palette import colour
from rnn_helpers.plots import layout
from rnn_helpers.plots.plot import Plot, style
from rnn_helpers.plots.words import counted
from rnn_helpers.reference import clock_connections, clock_moves
from rnn_helpers.validate import as_count, as_number, brief

_COLUMN = 1.12  # between time steps
_MARGIN = 0.1
_MOST_STEPS = 7
_MOST_PERIODS = 5
_SQUARE, _MOST_SQUARES = 0.15, 3
_NODE_SIZE, _PARAMETER_SIZE, _WORD_SIZE = 15, 15, 15

_PARSER = MathTextParser("path")

_KINDS = {
    "x": "input",
    "h": "state",
    "s": "state",
    "a": "state",
    "o": "output",
    "yhat": "output",
    "y": "target",
    "L": "loss",
}
# Three ways to add layers: title, left edge, nodes from bottom to top, letters of their arrows.
_DESIGNS = (
    ("(a)", 0, ("x", "h1", "h2", "o"), ("U1", "U2", "V")),
    ("(b)", 2.2, ("x", "r", "h", "q", "o"), "AUQV"),
    ("(c)", 5.3, ("x", "r", "h", "q", "o"), "AUQV"),
)
_DETOUR = ("h", "z", "T", 1), ("z", "h", "W", 0)
_GREEK = {
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "eta",
    "theta",
    "lambda",
    "mu",
    "rho",
    "sigma",
    "tau",
    "phi",
}


def unfolded_graph(circuit, T=None, highlight=None, values=None):
    """Draw a circuit and its unfolded graph side by side.

    Black squares on the circuit's arrows are delays of one time step. Round nodes are computed, and
    square ones are given. Copies of a parameter have the same letter.

    Parameters
    ----------
    circuit : Circuit
    T : int, optional
        Number of time steps, 1 or more; from 8 on, steps in the middle are left out. By default the
        steps are called t-1, t, t+1, with dots on both sides, or t-1, t, ..., tau where the circuit
        has nodes of the last step only.
    highlight : str, optional
        Name of a parameter whose copies stand out.
    values : dict, optional
        Numbers that replace the labels of nodes in the unfolded graph, by ``(name, step)``.
    """
    if not isinstance(circuit, Circuit):
        raise TypeError(f"circuit is {circuit!r}; expected a Circuit")
    if highlight is not None and str(highlight) not in circuit.parameters:
        raise ValueError(
            f"highlight is {brief(highlight)}; the parameters are "
            f"{', '.join(circuit.parameters) or 'none'}"
        )
    columns = _symbolic_columns(circuit) if T is None else _numbered_columns(circuit, T)
    values = _as_values(values, circuit, T)
    with style():
        sketch = _Sketch(highlight)
        _draw_circuit(sketch, circuit)
        left = _draw_unfold_arrow(sketch, T)
        _draw_unfolded(sketch, circuit, columns, left, values)
        return Plot(sketch.figure(), _alt(circuit, T, highlight) + _values_alt(values))


def _as_values(values, circuit, T):
    """Return the values as text, if they belong to nodes of the unfolded graph."""
    if values is None:
        return {}
    nodes = () if T is None else circuit.unfold(T).nodes
    if not isinstance(values, dict) or not set(values) <= set(nodes):
        raise ValueError(
            f"values is {brief(values)}; expected a dict from nodes of the graph over T steps, "
            "such as ('h', 1), to numbers"
        )
    return {node: f"{as_number('values', value):g}" for node, value in values.items()}


def _values_alt(values):
    if not values:
        return ""
    shown = ", ".join(f"{text} for {name}({t})" for (name, t), text in values.items())
    return f" The nodes show numbers: {shown}."


def bidirectional_graph(T):
    """Draw a bidirectional network, unfolded over T time steps.

    Parameters
    ----------
    T : int
        Number of time steps, from 1 to 7.
    """
    T = as_count("T", T, 1, _MOST_STEPS)
    steps = range(1, T + 1)
    rows = {"x": 0, "h": 1.15, "g": 2.3, "o": 3.45}
    aside = {"h": -0.3, "g": 0.3}  # so that no arrow hides another
    at = {
        (name, t): np.array([1.5 * t + aside.get(name, 0), y])
        for name, y in rows.items()
        for t in steps
    }
    within = ("xh", "U"), ("xg", "U'"), ("ho", "V"), ("go", "V'")
    edges = [((a, t), (b, t), parameter) for t in steps for (a, b), parameter in within]
    edges += [(("h", t), ("h", t + 1), "W") for t in steps[:-1]]
    edges += [(("g", t + 1), ("g", t), "W'") for t in steps[:-1]]
    with style():
        sketch = _Sketch(None)
        for (name, t), xy in at.items():
            sketch.node(xy, _KINDS.get(name, "state"), f"${name}^{{({t})}}$", name == "x")
        for a, b, parameter in edges:
            curve = layout.route(at[a], at[b], list(at.values()))
            sketch.arrow(curve, parameter, 1 if a[1] != b[1] else -1)
        return Plot(sketch.figure(), _bidirectional_alt(T))


def _bidirectional_alt(T):
    return (
        f"A bidirectional network over {counted(T, 'step')}. The inputs are at the bottom. Each "
        "input has an arrow to the forward state (U) and an arrow to the backward state (U′) of "
        "its step. The forward states are joined by arrows to the right (W), the backward states "
        "by arrows to the left (W′). Each output, at the top, receives one arrow from each state "
        "of its step (V and V′). No arrow joins a forward and a backward state."
    )


def clockwork_graph(periods, T):
    """Draw the states of a clockwork RNN with one unit per period, unfolded over T time steps.

    Arrows lead into a unit at its ticks, from units with the same or a longer period. Dotted lines
    join states that stay the same.

    Parameters
    ----------
    periods : sequence of int
        The units' periods, from top to bottom; from 1 to 5 different ones.
    T : int
        Number of time steps, from 1 to 7.
    """
    T = as_count("T", T, 1, _MOST_STEPS)
    ticks = clock_moves(periods, T)
    periods = [int(period) for period in periods]
    if len(periods) > _MOST_PERIODS or len(set(periods)) < len(periods):
        raise ValueError(
            f"periods is {brief(periods)}; expected at most {_MOST_PERIODS}, all different"
        )
    receives = clock_connections(periods)
    steps, units = range(1, T + 1), range(len(periods))
    at = {(i, t): np.array([1.5 * t, -1.3 * i]) for i in units for t in steps}
    with style():
        sketch = _Sketch(None)
        for (i, t), xy in at.items():
            label = f"$h_{{{periods[i]}}}^{{({t})}}$"
            sketch.node(xy, "state", label, False, dots=not ticks[t - 1, i])
        for i, t in ((i, t) for i, t in at if t > 1):
            if not ticks[t - 1, i]:
                sketch.patches.append(_same_state(at[i, t - 1], at[i, t]))
            for j in units if ticks[t - 1, i] else ():
                if receives[i, j]:
                    sketch.arrow(layout.route(at[j, t - 1], at[i, t], list(at.values())), None)
        return Plot(sketch.figure(), _clockwork_alt(periods, ticks))


def _same_state(start, end):
    side = np.array([layout.RADIUS + 0.06, 0])
    look = {"linestyle": (0, (1, 2)), "linewidth": 1.6, "color": colour("state")}
    return FancyArrowPatch(start + side, end - side, arrowstyle="-", shrinkA=0, shrinkB=0, **look)


def _clockwork_alt(periods, ticks):
    rows = "; ".join(
        f"period {period} at " + (", ".join(map(str, np.flatnonzero(moves) + 1)) or "none of them")
        for period, moves in zip(periods, ticks.T, strict=True)
    )
    return (
        f"The states of {counted(len(periods), 'unit')} over {counted(len(ticks), 'step')}, one "
        f"row for each period. The units tick at these steps: {rows}. At a tick, arrows lead into "
        "the unit from its own last state and from the last states of the units with longer "
        "periods. Between ticks, a dotted line joins the unit's states, because they are the same."
    )


def deep_designs():
    """Draw three ways to add layers to a recurrent network, side by side."""
    with style():
        sketch = _Sketch(None)
        for title, left, column, letters in _DESIGNS:
            at = {name: np.array([left, layout.ROW * k]) for k, name in enumerate(column)}
            if "h" in at:
                at["z"] = at["h"] + (1.25, 0)
            nodes = list(at.values())
            for name, xy in at.items():
                kind = _KINDS.get(name[0], "state")
                sketch.node(xy, kind, f"${_math(name)}$", name == "x")
            for (a, b), letter in zip(pairwise(column), letters, strict=True):
                sketch.arrow(layout.route(at[a], at[b], nodes), letter, -1)
            for k in (1, 2) if "h1" in at else ():
                sketch.arrow(layout.loop(at[f"h{k}"]), f"W{k}", delay=1)
            for a, b, letter, delay in _DETOUR if "z" in at else ():
                curve = layout.route(at[a], at[b], nodes, [-0.45])
                sketch.arrow(curve, letter, delay=delay)
            if title == "(c)":
                sketch.arrow(layout.loop(at["h"], 1), "S", delay=1)
            sketch.texts.append((left + 0.65, 0, title, _WORD_SIZE, colour("ink")))
        return Plot(
            sketch.figure(),
            "Three networks side by side, with inputs at the bottom and outputs on top. In (a), x "
            "leads to h1 (U1), h1 to h2 (U2) and h2 to o (V); h1 and h2 each have a loop with a "
            "delay of one step (W1 and W2). In (b), x leads to r (A), r to h (U), h to q (Q) and "
            "q to o (V). Beside h is a layer z: an arrow with a delay leads from h to z (T), and "
            "an arrow without a delay from z to h (W). (c) is like (b), but h also has a loop "
            "with a delay (S).",
        )


@dataclass(frozen=True)
class _Column:
    """A column of the unfolded drawing: one step, or dots for the steps from first to last."""

    label: str
    first: float
    last: float
    kind: str = "step"  # or "before", "gap", "after": dots replace the steps

    def __contains__(self, t):
        return self.first <= t <= self.last


def _symbolic_columns(circuit):
    now = 3 + max((edge.delay for edge in circuit.edges), default=0)
    start = _Column("\\ldots", -np.inf, now - 2, "before")
    here = [_Column("t-1", now - 1, now - 1), _Column("t", now, now)]
    if circuit.last:
        end = 2 * now
        gap = _Column("\\ldots", now + 1, end - 1, "gap")
        return [start, *here, gap, _Column("\\tau", end, end)]
    following = _Column("t+1", now + 1, now + 1)
    return [start, *here, following, _Column("\\ldots", now + 2, 2 * now, "after")]


def _numbered_columns(circuit, T):
    graph = circuit.unfold(T)
    first = min(t for _, t in graph.nodes)
    times = list(range(first, T + 1))
    if T <= _MOST_STEPS:
        return [_Column(str(t), t, t) for t in times]
    head = [_Column(str(t), t, t) for t in times if t <= 2]
    tail = [_Column(str(t), t, t) for t in times[-2:]]
    return [*head, _Column("\\ldots", 3, T - 2, "gap"), *tail]


class _Sketch:
    """A drawing that collects nodes and arrows, and places the labels once it has all arrows."""

    def __init__(self, highlight):
        self.highlight = highlight
        self.nodes, self.arrows, self.patches, self.texts = [], [], [], []

    def node(self, xy, kind, label, given, dots=False):
        self.nodes.append(np.asarray(xy, float))
        ink = colour(kind)
        look = {
            "facecolor": (ink, 0.02 if dots else 0.1),
            "edgecolor": (ink, 0.55 if dots else 1),
            "linewidth": 1.2 if dots else 1.6,
            "linestyle": (0, (1, 2)) if dots else "-",
        }
        side = layout.RADIUS * 0.88
        if given:
            box = f"round,pad=0,rounding_size={0.1}"
            corner = (xy[0] - side, xy[1] - side)
            self.patches.append(FancyBboxPatch(corner, 2 * side, 2 * side, boxstyle=box, **look))
        else:
            self.patches.append(Circle(xy, layout.RADIUS, **look))
        room = 1.8 * side if given else 1.68 * layout.RADIUS
        size = min(_NODE_SIZE, _NODE_SIZE * room / _extent(label, _NODE_SIZE)[0])
        self.texts.append((*xy, label, size, ink))

    def arrow(self, curve, parameter, side=1, delay=0):
        self.arrows.append((curve, parameter, side, delay))

    def figure(self):
        labels = self._place_labels()
        boxes = [(x, y, w, h) for x, y, w, h, *_ in labels] + self._squares()
        points = np.concatenate(
            [
                *[np.array([n - layout.RADIUS, n + layout.RADIUS]) for n in self.nodes],
                *[curve for curve, *_ in self.arrows],
                *[[(x - w / 2, y - h / 2), (x + w / 2, y + h / 2)] for x, y, w, h in boxes],
            ]
        )
        low, high = points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN
        figure = Figure(figsize=tuple(high - low))
        axes = figure.add_axes((0, 0, 1, 1), xlim=(low[0], high[0]), ylim=(low[1], high[1]))
        axes.set_axis_off()
        for curve, parameter, _, delay in self.arrows:
            self._draw_arrow(axes, curve, parameter, delay)
        for patch in self.patches:
            axes.add_patch(patch)
        for x, y, label, size, ink in self.texts:
            # On one baseline, independent of the superscript's height.
            baseline = y - 0.3 * size / 72
            axes.text(x, baseline, label, size=size, color=ink, ha="center", va="baseline")
        for x, y, _, _, label, ink in labels:
            axes.text(x, y, label, size=_PARAMETER_SIZE, color=ink, ha="center", va="center")
        return figure

    def _ink(self, parameter):
        if self.highlight is None:
            return colour("ink")
        return colour("accent" if parameter == self.highlight else "muted")

    def _draw_arrow(self, axes, curve, parameter, delay):
        stands_out = parameter is not None and parameter == self.highlight
        ink = self._ink(parameter)
        axes.add_patch(
            FancyArrowPatch(
                path=Path(curve),
                arrowstyle="-|>,head_length=0.45,head_width=0.2",
                mutation_scale=13,
                linewidth=2.6 if stands_out else 1.3,
                color=ink,
                joinstyle="miter",
                capstyle="butt",
                shrinkA=0,
                shrinkB=0,
            )
        )
        for x, y in _squares(curve, delay):
            corner = (x - _SQUARE / 2, y - _SQUARE / 2)
            axes.add_patch(Rectangle(corner, _SQUARE, _SQUARE, color=ink, linewidth=0))

    def _squares(self):
        return [
            (x, y, _SQUARE, _SQUARE)
            for curve, _, _, delay in self.arrows
            for x, y in _squares(curve, delay)
        ]

    def _place_labels(self):
        curves = [curve for curve, *_ in self.arrows]
        placed = self._squares()
        labels = []
        for curve, parameter, side, delay in self.arrows:
            parts = [_math(parameter)] if parameter else []
            if delay > _MOST_SQUARES:
                parts.append(f"(\\times {delay})")
            if parts:
                text = f"${' '.join(parts)}$"
                size = _extent(text, _PARAMETER_SIZE)
                x, y = layout.place_label(
                    curve, size, self.nodes, curves, placed, side, 0.07 + 0.1 * bool(delay)
                )
                placed.append((x, y, *size))
                labels.append((x, y, *size, text, self._ink(parameter)))
        return labels


def _draw_circuit(sketch, circuit):
    place = layout.rows(circuit)
    centres = list(place.values())
    for name, xy in place.items():
        sketch.node(xy, _kind(circuit, name), f"${_math(name)}$", _is_given(circuit, name))
    loops = {}
    # Feedback comes last and uses the room that the others leave.
    for edge in sorted(circuit.edges, key=lambda e: (e.delay > 0, e.source != e.target, e.delay)):
        start, end = place[edge.source], place[edge.target]
        if edge.source == edge.target:
            rank = loops.setdefault(edge.source, 0)
            loops[edge.source] += 1
            sketch.arrow(layout.loop(start, rank), edge.parameter, delay=edge.delay)
        elif edge.delay:
            # Feedback swings out, so that it is not taken for a second arrow of the same step.
            out = [s * b for b in np.arange(0.55, 1.8, 0.15) for s in (1, -1)]
            curve = layout.route(start, end, centres, out, [a[0] for a in sketch.arrows])
            sketch.arrow(curve, edge.parameter, delay=edge.delay)
        else:
            sketch.arrow(layout.route(start, end, centres), edge.parameter, side=-1)


def _draw_unfold_arrow(sketch, T):
    """Draw an arrow from circuit to graph, and return the position where the graph may begin."""
    left = max(node[0] + layout.RADIUS for node in sketch.nodes)
    for curve, parameter, _, _ in sketch.arrows:
        beside = _extent(f"${_math(parameter)}$", _PARAMETER_SIZE)[0] + 0.1 if parameter else 0.1
        left = max(left, curve[:, 0].max() + beside)
    heights = [node[1] for node in sketch.nodes]
    start = np.array([left + 0.25, (min(heights) + max(heights)) / 2])
    words = "unfold" if T is None else f"unfold, $T={T}$"
    length = max(0.8, _extent(words, _WORD_SIZE)[0])
    end = start + np.array([length, 0])
    sketch.patches.append(
        FancyArrowPatch(
            start,
            end,
            arrowstyle="simple,head_length=0.7,head_width=0.9,tail_width=0.25",
            mutation_scale=14,
            shrinkA=0,
            shrinkB=0,
            color=colour("muted"),
            linewidth=0,
        )
    )
    sketch.texts.append(
        (start[0] + length / 2, start[1] + 0.22, words, _WORD_SIZE, colour("muted"))
    )
    return end[0] + 0.2


def _draw_unfolded(sketch, circuit, columns, left, values):
    graph = circuit.unfold(max(column.last for column in columns))
    index = {t: i for i, column in enumerate(columns) for _, t in graph.nodes if t in column}

    def drawn(node):
        return node[0], index[node[1]]

    # Arrows between different columns, and those within a step; many times share a dotted column.
    arrows = {}
    for source, target, parameter in graph.edges:
        ends = (drawn(source), drawn(target))
        kinds = {columns[i].kind for _, i in ends}
        within = ends[0][1] == ends[1][1]
        if not within or kinds == {"step"} or (kinds == {"gap"} and source[1] == target[1]):
            arrows[ends] = parameter
    # A step has all its nodes; dots have those that exchange something with a step.
    nodes = {drawn(node) for node in graph.nodes if columns[index[node[1]]].kind == "step"}
    nodes |= {node for ends in arrows for node in ends}

    place = layout.rows(circuit)
    offsets = [x for x, _ in place.values()]
    pitch = _COLUMN + max(offsets) - min(offsets)
    left += layout.RADIUS - min(offsets)
    at = {
        (name, i): np.array([place[name][0] + left + i * pitch, place[name][1]])
        for name, i in sorted(nodes)
    }
    for (name, i), xy in at.items():
        label = f"${_math(name)}^{{({columns[i].label})}}$"
        label = values.get((name, columns[i].first), label)
        given = _is_given(circuit, name)
        sketch.node(xy, _kind(circuit, name), label, given, dots=columns[i].kind != "step")
    centres = list(at.values())
    for (source, target), parameter in arrows.items():
        side = 1 if source[1] != target[1] else -1
        sketch.arrow(layout.route(at[source], at[target], centres), parameter, side)


def _squares(curve, delay):
    """Return the centers of the squares that show an arrow's delay."""
    shown = min(delay, _MOST_SQUARES)
    x, y = curve[len(curve) // 2]
    return [(x, y + (i - (shown - 1) / 2) * 1.35 * _SQUARE) for i in range(shown)]


def _kind(circuit, name):
    """Return a node's meaning, from its name or else from its place in the circuit."""
    letter = re.sub(r"[_\d].*$", "", name)
    if letter in _KINDS:
        return _KINDS[letter]
    if letter in _KINDS.values():
        return letter
    if _is_given(circuit, name):
        return "input"
    return "state" if any(edge.source == name for edge in circuit.edges) else "output"


def _is_given(circuit, name):
    return all(edge.target != name for edge in circuit.edges)


def _math(name):
    """Return a name in TeX: h1 becomes h_1, yhat a y with a hat, and longer names are upright."""
    match = re.fullmatch(r"([A-Za-z]+?)(hat)?_?(\d+|(?<=_)[A-Za-z]+)?('?)", name)
    if not match:
        return _upright(name)
    stem, hat, index, prime = match.groups()
    stem = stem if len(stem) == 1 else f"\\{stem}" if stem in _GREEK else _upright(stem)
    stem = f"\\hat{{{stem}}}" if hat else stem
    stem += f"_{{{index if index.isdigit() else _upright(index)}}}" if index else ""
    return stem + prime


def _upright(words):
    # Escape the characters that TeX would read as commands.
    words = words.translate(
        {ord("\\"): "∖", ord("^"): "ˆ", ord("~"): "∼", ord('"'): "″", ord(" "): r"\ "}
    )
    return "\\mathrm{" + re.sub(r"([$%#_{}])", r"{\\\1}", words) + "}"


def _extent(text, size):
    """Return the width and height of a text in inches."""
    font = FontProperties(size=size, math_fontfamily="cm")
    width, height, depth, *_ = _PARSER.parse(text, dpi=72, prop=font)
    return width / 72 + 0.02, max(height + depth, size * 0.7) / 72


def _alt(circuit, T, highlight):
    nodes = ", ".join(circuit.nodes)
    loops = [
        f"{edge.source} feeds {'itself' if edge.source == edge.target else edge.target} after "
        f"{edge.delay} step{'s' if edge.delay > 1 else ''}"
        + (f" through {edge.parameter}" if edge.parameter else "")
        for edge in circuit.edges
        if edge.delay
    ]
    left = f"Left, a circuit with the nodes {nodes}; {'; '.join(loops) or 'nothing is fed back'}."
    if T is None:
        right = "Right, its unfolded graph around step t, with the same letters on every copy."
    else:
        graph = circuit.unfold(T)
        counts = [f"{name} {len(graph.copies(name))}" for name in graph.parameters]
        right = (
            f"Right, its unfolded graph for T = {T}, with {len(graph.nodes)} nodes and "
            f"{counted(len(graph.edges), 'arrow')}"
            + (f"; copies of each parameter: {', '.join(counts)}." if counts else ".")
        )
    return f"{left} {right}" + (f" The copies of {highlight} stand out." if highlight else "")
