"""Ways from inputs to outputs: at which steps something is read, and at which something is said."""

from itertools import pairwise

from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, FancyBboxPatch, Rectangle

from rnn_helpers.circuits import Circuit, Edge
from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, as_step, style
from rnn_helpers.validate import as_choice, as_kind, as_list, as_real

_ONCE = [Edge("x", "h", "U"), Edge("h", "o", "V")]
_PLAIN = Circuit(["x", "h", "o"], _ONCE)
_LOOP = Circuit(["x", "h", "o"], [*_ONCE, Edge("h", "h", "W", delay=1)])

_FONT = 9.5
_LETTER = 0.105  # inches, of such a font
_GAP = 0.22  # between two drawings
_NODE = 0.25
_RISE = 0.2  # of an arrow between rows
_MOST_UNITS = 8
_UNIT = 0.14


def mapping_graph(inputs, outputs):
    """Unfold a recurrent network over the steps at which something is read or said.

    Parameters
    ----------
    inputs, outputs : sequence, of the same length T
        What is read and said at each step; None where nothing is.

    Returns
    -------
    nodes : list of (str, int)
        ``("x", t)``, ``("h", t)`` and ``("o", t)``, t = 1..T, of those that there are.
    edges : list of Arrow
        As `Circuit.unfold` gives them. A single step has no recurrence.
    """
    return _graph(*_rows(inputs, outputs))


def _rows(inputs, outputs, of=""):
    rows = {f"inputs{of}": inputs, f"outputs{of}": outputs}
    rows = {name: as_list(name, row) for name, row in rows.items()}
    for name, row in rows.items():
        if all(word is None for word in row):
            raise ValueError(f"{name} has nothing in it; expected something at one step or more")
    inputs, outputs = rows.values()
    if len(inputs) != len(outputs):
        raise ValueError(
            f"inputs{of} has {len(inputs)} steps, outputs{of} {len(outputs)}; expected as many"
        )
    return inputs, outputs


def _graph(inputs, outputs):
    T = len(inputs)
    graph = (_LOOP if T > 1 else _PLAIN).unfold(T)
    rows = {"x": inputs, "o": outputs, "h": [True] * T}

    def there(node):
        return node[1] > 0 and rows[node[0]][node[1] - 1] is not None

    edges = [edge for edge in graph.edges if there(edge.source) and there(edge.target)]
    return [node for node in graph.nodes if there(node)], edges


def sequence_mappings(shapes, *, chosen=None, at=None):
    """Draw ways from inputs to outputs, each as a network unfolded over its steps.

    What is read stands below in squares, what is said above; between them are the states.

    Parameters
    ----------
    shapes : dict of str to tuple
        For each name the inputs and the outputs, sequences of T words with None at steps where
        nothing is read or said, and, if wanted, the states, (T, n_h): each unit is then drawn as a
        circle, the first one lowest, full above 0 and empty below it.
    chosen : str, optional
        One of the names, to stand out.
    at : int, optional
        A step of the chosen one to mark, from 1.

    Examples
    --------
    >>> tags = (["the", "film", "ends"], ["Det", "Noun", "Verb"])
    >>> sequence_mappings({"a tag for each word": tags}).alt
    'A tag for each word: reads the, film, ends; says Det, Noun, Verb.'
    """
    as_kind("shapes", shapes, dict, "a dict of names to inputs and outputs")
    if not shapes:
        raise ValueError("shapes is empty; expected at least one")
    if chosen is not None:
        as_choice("chosen", chosen, shapes)
    drawings = [_Drawing(name, shape) for name, shape in shapes.items()]
    if at is not None:
        if chosen is None:
            raise ValueError(f"at is {at}; expected one of the shapes to be chosen")
        T = drawings[list(shapes).index(chosen)].T
        as_step("at", at, T)
    lines = _lines(drawings)
    width = max(WIDTH, *(_length(line) for line in lines))
    heights = [max(drawing.height for drawing in line) for line in lines]
    with style():
        figure = Figure(figsize=(width, sum(heights)))
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(0, sum(heights)))
        axes.set_axis_off()
        top = sum(heights)
        for line, height in zip(lines, heights, strict=True):
            apart = (width - _length(line)) / (len(line) + 1)
            left = apart + _GAP / 2
            for drawing in line:
                own = drawing.name == chosen
                drawing.draw(axes, left, top, own, at if own else None)
                left += drawing.width + _GAP + apart
            top -= height
        return Plot(figure, " ".join(drawing.alt for drawing in drawings))


def _length(line):
    return sum(drawing.width + _GAP for drawing in line)


def _lines(drawings):
    lines = [[]]
    for drawing in drawings:
        if lines[-1] and _length([*lines[-1], drawing]) > WIDTH:
            lines.append([])
        lines[-1].append(drawing)
    return lines


class _Drawing:
    def __init__(self, name, shape):
        as_kind(f"shapes[{name!r}]", shape, tuple, "inputs and outputs, and states if wanted")
        if len(shape) not in (2, 3):
            raise ValueError(f"shapes[{name!r}] has {len(shape)} parts; expected 2 or 3")
        self.name = str(name)
        of = f" of shapes[{name!r}]"
        self.inputs, self.outputs = _rows(*shape[:2], of)
        self.nodes, self.edges = _graph(self.inputs, self.outputs)
        self.T = len(self.inputs)
        self.states = None
        if len(shape) == 3:
            self.states = as_real(f"states{of}", shape[2])
            if self.states.ndim != 2 or len(self.states) != self.T or not self.states.size:
                raise ValueError(
                    f"states{of} have shape {self.states.shape}; expected ({self.T}, n_h)"
                )
            if self.states.shape[1] > _MOST_UNITS:
                self.states = None  # too many to be seen
        units = 0 if self.states is None else self.states.shape[1]
        # Neighbours must not run together: two words share the room of two columns.
        crowds, ends = [0.0], [0.0]
        for row in (self.inputs, self.outputs):
            sizes = [0 if word is None else _size(word) for word in row]
            crowds += [(p + q) / 2 for p, q in pairwise(sizes) if p and q]
            ends += [sizes[0], sizes[-1]]
        self.pitch = max(0.34, max(crowds) + 0.06)
        self.width = max((self.T - 1) * self.pitch + max(ends), _LETTER * len(self.name))
        self.state = max(0.3, units * _UNIT + 0.08)
        self.height = 0.62 + 2 * _NODE + 2 * _RISE + self.state
        read, said = (", ".join(str(word) for word in row if word is not None)
                      for row in (self.inputs, self.outputs))  # fmt: skip
        self.alt = f"{self.name[:1].upper()}{self.name[1:]}: reads {read}; says {said}."

    def draw(self, axes, left, top, chosen, at):
        left += (self.width - self.T * self.pitch) / 2
        y = {"o": top - 0.55, "x": 0.0, "h": 0.0}
        y["h"] = y["o"] - _NODE / 2 - _RISE - self.state / 2
        y["x"] = y["h"] - self.state / 2 - _RISE - _NODE / 2
        half = {"o": _NODE / 2, "h": self.state / 2, "x": _NODE / 2}

        def x(t):
            return left + (t - 0.5) * self.pitch

        middle = left + self.T * self.pitch / 2
        axes.text(middle, top - 0.22, self.name, size=_FONT + 0.5, ha="center", va="center",
                  color=colour("accent" if chosen else "ink"),
                  weight="bold" if chosen else "normal")  # fmt: skip
        if at is not None:
            low = y["x"] - _NODE / 2 - 0.06
            axes.add_patch(Rectangle((x(at) - self.pitch / 2, low), self.pitch, y["o"] + 0.2 - low,
                                     color=colour("accent"), alpha=0.16, linewidth=0))  # fmt: skip
        for source, target, _ in self.edges:
            if source[0] == target[0]:
                ends = (x(source[1]) + 0.12, y["h"]), (x(target[1]) - 0.12, y["h"])
            else:
                ends = ((x(source[1]), y[source[0]] + half[source[0]]),
                        (x(target[1]), y[target[0]] - half[target[0]]))  # fmt: skip
            axes.add_patch(FancyArrowPatch(*ends, arrowstyle="-|>,head_length=0.35,head_width=0.16",
                                           mutation_scale=10, linewidth=1.1, shrinkA=1, shrinkB=0,
                                           color=colour("parameter")))  # fmt: skip
        for name, t in self.nodes:
            if name == "h":
                self._state(axes, x(t), y["h"], t)
            else:
                word = (self.inputs if name == "x" else self.outputs)[t - 1]
                self._word(axes, x(t), y[name], word, name)

    def _word(self, axes, x, y, word, name):
        ink = colour("input" if name == "x" else "output")
        width = _size(word)
        rounding = 0.03 if name == "x" else _NODE / 2
        axes.add_patch(FancyBboxPatch((x - width / 2, y - _NODE / 2), width, _NODE,
                                      boxstyle=f"round,pad=0,rounding_size={rounding}",
                                      facecolor=(ink, 0.1), edgecolor=ink, lw=1.3))  # fmt: skip
        axes.text(x, y - 0.005, str(word).replace("$", r"\$"), size=_FONT, color=ink, ha="center",
                  va="center")  # fmt: skip

    def _state(self, axes, x, y, t):
        ink = colour("state")
        axes.add_patch(FancyBboxPatch((x - 0.11, y - self.state / 2), 0.22, self.state,
                                      boxstyle="round,pad=0,rounding_size=0.04",
                                      facecolor=(ink, 0.1), edgecolor=ink, lw=1.3))  # fmt: skip
        if self.states is None:
            return
        for i, value in enumerate(self.states[t - 1]):
            centre = (x, y - self.state / 2 + 0.04 + (i + 0.5) * _UNIT)
            if value == 0:
                axes.add_patch(Circle(centre, 0.015, color=ink))
            else:
                fill = ink if value > 0 else "none"
                axes.add_patch(Circle(centre, 0.052, facecolor=fill, edgecolor=ink, linewidth=1))


def _size(word):
    """Width of a node with a word in it."""
    return max(_NODE, _LETTER * len(str(word)) + 0.1)
