"""Curves and nonlinearities."""

import textwrap

import numpy as np
from matplotlib.text import Annotation
from matplotlib.ticker import (
    FuncFormatter,
    LogLocator,
    MaxNLocator,
    NullFormatter,
)
from matplotlib.transforms import blended_transform_factory

from rnn_helpers.palette import COLOURS, colour
from rnn_helpers.plots.plot import MARKERS, Plot, style, subplots
from rnn_helpers.plots.words import course, enumerated, number
from rnn_helpers.reference.rnn import NONLINEARITIES
from rnn_helpers.validate import (
    as_choice,
    as_kind,
    as_list,
    as_number,
    as_real,
    brief,
)

DASHES = ("-", *((0, d) for d in ((4, 1.5), (1.2, 1.2), (5, 1.5, 1, 1.5), (8, 2))))
# For curves whose quantity has no color in the palette. Three inks and five dashes: of fifteen
# curves no two have both in common, and neighbors have neither.
_PLAIN = [
    {"color": colour(("ink", "accent", "muted")[i % 3]), "linestyle": DASHES[i % 5], "marker": None}
    for i in range(15)
]
# Positions for a line's name, in order of preference: how far along the line, and on which side.
_SPOTS = [(along, above) for above in (True, False) for along in (1, 0, 0.5, 0.3, 0.7)]
_LABEL_GAP = 0.075  # smallest distance between names at curves' ends, of the axes' height


def lines(
    x,
    ys,
    labels=None,
    *,
    kinds=None,
    xlabel="",
    ylabel="",
    log="",
    points=False,
    marks=(),
    sample=None,
):
    """Draw one or several curves over the same abscissa.

    Parameters
    ----------
    x : array_like, shape (n,)
    ys : array_like, shape (n,) or (k, n)
    labels : sequence of str, optional
        Names of the k curves; needed if k > 1.
    kinds : sequence of str, optional
        Meaning of each curve, a key of the palette such as ``"loss"``, which gives its color, dash
        and marker; further curves of one meaning have other dashes. By default neutral inks and
        dashes.
    xlabel, ylabel : str
        Words on the axes, with units.
    log : {"", "x", "y", "xy"}
        Axes with a logarithmic scale.
    points : bool
        Whether to mark the points.
    marks : sequence of (float, str)
        Heights of horizontal lines to compare with, and their names.
    sample : str, optional
        Text that a model wrote, set below the curves.
    """
    x, ys = as_real("x", x), np.atleast_2d(as_real("ys", ys))
    if x.ndim != 1 or not len(x) or ys.ndim != 2 or ys.shape[1] != len(x):
        raise ValueError(f"x has shape {x.shape} and ys {ys.shape}; expected (n,) and (k, n)")
    as_choice("log", log, ("", "x", "y", "xy"))
    marks = [_mark_of("marks", mark) for mark in as_list("marks", marks)]
    for axis, arrays in (("x", [x]), ("y", [ys, [height for height, _ in marks]])):
        smallest = min(np.min(a) for a in arrays if len(a))
        if axis in log and smallest <= 0:
            raise ValueError(f"log is {log!r} but {axis} has {smallest}; expected numbers > 0")
    if sample is not None:
        as_kind("sample", sample, str, "a string")
    labels = _one_each("labels", labels, len(ys))
    curves = [*zip(labels, line_looks(kinds, len(ys)), ys, strict=True)]
    return _plotted(x, curves, marks, sample, points, xlabel=xlabel, ylabel=ylabel, log=log)


def _plotted(x, curves, marks, sample, points, *, xlabel, ylabel, log):
    """Draw curves and their comparisons, and describe their course."""
    with style():
        if sample is None:
            figure, axes = subplots()
        else:
            figure, (axes, page) = subplots(2, height=4.2, height_ratios=(5, 2))
            write(page, sample)
        for label, look, y in curves:
            marker = (look["marker"] or "o") if points else None
            axes.plot(x, y, label=label, **{**look, "marker": marker})
        axes.set(xlabel=xlabel, ylabel=ylabel)
        for axis in log:
            logarithmic(axes, axis)
        if "x" not in log and (x == x.round()).all():
            axes.xaxis.set_major_locator(whole())
        for height, _ in marks:
            rule(axes, height)
        _name_curves(figure, axes, [y[-1] for _, _, y in curves])
        for height, name in marks:
            name_rule(axes, height, name)
        shown = [f"{label or ylabel or 'y'} {course(x, y)}" for label, _, y in curves]
        compared = [f"{name} at {number(height)}" for height, name in marks]
        alt = f"Over {xlabel or 'x'} from {number(x.min())} to {number(x.max())}: "
        alt += enumerated(shown, "; ")
        alt += f". To compare: {enumerated(compared)}." if compared else "."
        return Plot(figure, alt if sample is None else f"{alt} A sample: {sample!r}.")


def activation(*names, derivative=False, limit=6):
    """Draw the nonlinearities of hidden units, as in figure 5.1.

    Parameters
    ----------
    *names : {"sigmoid", "tanh"}
        By default both.
    derivative : bool
        Whether to draw their derivatives too.
    limit : float
        The curves are drawn from -limit to limit.
    """
    names = [as_choice("names", name, NONLINEARITIES) for name in names or ("sigmoid", "tanh")]
    as_number("limit", limit, "a number above 0, at most 1e6", lambda value: 0 < value <= 1e6)
    a = np.linspace(-limit, limit, 401)
    curves = []
    for name, dash in zip(names, ("-", (0, (4, 1.5))), strict=False):
        h = NONLINEARITIES[name].function(a)
        curves.append((name, h, {"color": colour("state"), "linestyle": dash}))
        if derivative:
            slope = NONLINEARITIES[name].slope(h)
            curves.append(
                (f"derivative of {name}", slope, {"color": colour("gradient"), "linestyle": dash})
            )
    with style():
        figure, axes = subplots()
        for name, y, look in curves:
            axes.plot(a, y, label=name, **look)
        axes.set(yticks=sorted({0, 1, *([-1] * ("tanh" in names))}))
        axes.set_xlabel("$a$", size=14)
        axes.set_ylabel("$h$", size=14)
        _name_curves(figure, axes, [y[-1] for _, y, _ in curves])
        parts = [f"{name} {course(a, y)}" for name, y, _ in curves]
        return Plot(
            figure, f"For a from {number(-limit)} to {number(limit)}: {enumerated(parts, '; ')}."
        )


def _one_each(name, values, n):
    if values is None:
        if n > 1:
            raise ValueError(f"{name} is None; expected {n} names, one for each curve")
        return [None]
    values = [values] if isinstance(values, str) else as_list(name, values)
    if len(values) != n:
        raise ValueError(f"{name} has {len(values)} entries; expected {n}, one for each curve")
    return values


def line_looks(kinds, n):
    """Color, dash and marker of each of n curves."""
    if kinds is None:
        return [_PLAIN[i % len(_PLAIN)] for i in range(n)]
    kinds = _one_each("kinds", kinds, n)
    looks = []
    for i, kind in enumerate(kinds):
        as_choice("kinds", kind, COLOURS)
        dash = COLOURS[kind].dash
        own = (0, tuple(length * 0.8 for length in dash)) if dash else "-"
        dashes = list(dict.fromkeys([own, *DASHES]))
        looks.append(
            {
                "color": colour(kind),
                "linestyle": dashes[kinds[:i].count(kind) % len(dashes)],
                "marker": MARKERS.get(COLOURS[kind].marker, "o"),
            }
        )
    return looks


def whole():
    """Ticks at whole numbers."""
    return MaxNLocator(6, integer=True, steps=[1, 2, 5, 10])


def powers(axes, most=5):
    """Label an axis of decimal logarithms with the powers of ten."""
    axes.yaxis.set_major_locator(MaxNLocator(most, integer=True))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda log, _: "1" if log == 0 else f"$10^{{{log:g}}}$")
    )


def logarithmic(axes, direction):
    """Set a logarithmic scale once everything is drawn; short ranges get plain numbers."""
    axis = getattr(axes, f"{direction}axis")
    getattr(axes, f"set_{direction}scale")("log", nonpositive="clip")
    low, high = axis.get_view_interval()
    if high < 60 * low:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_formatter(NullFormatter())


def _fractions(axes, heights):
    """Heights in data coordinates as fractions of the axes' height."""
    axes.get_ylim()  # settles the limits
    ends = [(0, height) for height in heights]
    return axes.transAxes.inverted().transform(axes.transData.transform(ends))[:, 1]


def rule(axes, height):
    """A horizontal line to compare with."""
    axes.axhline(height, gid="rule", color=colour("muted"), lw=1.2, linestyle=(0, (1.2, 1.6)))


def name_rule(axes, height, name):
    """Name the line at a height where the curves leave room along it."""
    look = {"color": colour("muted"), "size": 10, "textcoords": "offset points"}
    across = blended_transform_factory(axes.transAxes, axes.transData)
    axes.add_artist(_RuleName(name, (0, height), (0, 0), xycoords=across, **look))


class _RuleName(Annotation):
    """Finds its place when it is drawn, for only then is all else where it stays."""

    def draw(self, renderer):
        self._settle()
        super().draw(renderer)

    def _settle(self):
        curves = [line for line in self.axes.get_lines() if line.get_gid() != "rule"]
        paths = [line.get_transform().transform_path(line.get_path()) for line in curves]
        with np.errstate(invalid="ignore"):  # a curve may leave for infinity
            points = np.concatenate(
                [[(np.inf, np.inf)], *(path.interpolated(40).vertices for path in paths)]
            )
        self._place(*max(_SPOTS, key=lambda spot: self._room(points, *spot)))

    def _place(self, along, above):
        self.xy, self.xyann = (along, self.xy[1]), (4 - 8 * along, 3 if above else -3)
        self.set(ha=("left", "center", "right")[round(2 * along)], va="bottom" if above else "top")

    def _room(self, points, along, above):
        self._place(along, above)
        box = self.get_window_extent()
        if box.y0 < self.axes.bbox.y0 or box.y1 > self.axes.bbox.y1:
            return -1
        beside = np.maximum(np.maximum(box.min - points, points - box.max), 0)
        return min(np.nanmin(np.hypot(*beside.T)), box.height)


def _name_curves(figure, axes, ends):
    """Write the curves' names at their ends, or in a legend where there is no room for that."""
    handles, labels = axes.get_legend_handles_labels()
    if not labels:
        return
    apart = (np.diff(np.sort(_fractions(axes, ends))) > _LABEL_GAP).all()
    if apart and max(map(len, labels)) <= 16:
        beside = blended_transform_factory(axes.transAxes, axes.transData)
        for handle, label, end in zip(handles, labels, ends, strict=True):
            ink = handle.get_color()
            axes.text(1.02, end, label, transform=beside, va="center", color=ink, size=10.5)
    else:
        legend(figure, handles, labels)


def write(axes, text, width=50, lines=5):
    """Set text in the place of a plot, as a typewriter would."""
    axes.set_axis_off()
    wrapped = [part for line in text.splitlines() for part in textwrap.wrap(line, width) or [""]]
    shown = "\n".join(wrapped[:lines]).replace("$", r"\$")
    words = axes.text(0, 1, shown, va="top", family="monospace", transform=axes.transAxes)
    words.set_in_layout(False)  # a wide sample must not squeeze the curves


def legend(figure, handles, labels):
    """Name the curves above the axes, in rows of as many as fit."""
    figure.legend(handles, labels, loc="outside upper left", ncols=_columns(labels))


def legend_rows(labels):
    """How many rows `legend` takes."""
    return -(-len(labels) // _columns(labels))


def _columns(labels):
    return max(1, min(len(labels), 6, 60 // (max(map(len, labels)) + 7)))


def _mark_of(name, pair):
    """Height and name of a line to compare with."""
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"{name} holds {brief(pair)}; expected a number and its name")
    return float(as_real(name, pair[0])), str(pair[1])
