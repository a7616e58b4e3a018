"""Curves, intervals and nonlinearities."""

import textwrap
from typing import NamedTuple

import numpy as np
from matplotlib.text import Annotation
from matplotlib.ticker import (
    FixedLocator,
    FuncFormatter,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
    PercentFormatter,
)
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from rnn_helpers.palette import COLOURS, colour
from rnn_helpers.plots.plot import MARKERS, Plot, style, subplots
from rnn_helpers.plots.words import counted, course, enumerated, number
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
# For curves that stand for no quantity of the palette. Three inks and five dashes: of fifteen
# curves no two have both in common, and neighbors have neither.
_PLAIN = [
    {"color": colour(("ink", "accent", "muted")[i % 3]), "linestyle": DASHES[i % 5], "marker": None}
    for i in range(15)
]
BAND = 0.18  # opacity
_FEW = 6  # points of a curve whose intervals are bars
_BESIDE = 7  # points of type between the bars of two curves
# Where the name of a line may stand, in order of preference: how far along it, and on which side.
_SPOTS = [(along, above) for above in (True, False) for along in (1, 0, 0.5, 0.3, 0.7)]
_LABEL_GAP = 0.075  # smallest distance between names at curves' ends, of the axes' height


def lines(
    x,
    ys,
    labels=None,
    *,
    kinds=None,
    low=None,
    high=None,
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
    low, high : array_like of the shape of ys, optional
        Bounds of a band around each curve, such as a confidence interval; both or neither.
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
    if (low is None) != (high is None):
        raise ValueError(f"{'low' if low is None else 'high'} is None; expected both low and high")
    bands = []
    if low is not None:
        bands = [np.atleast_2d(as_real("low", low)), np.atleast_2d(as_real("high", high))]
        for name, bound in zip(("low", "high"), bands, strict=True):
            if bound.shape != ys.shape:
                raise ValueError(f"{name} has shape {bound.shape}; expected {ys.shape}, as ys")
    as_choice("log", log, ("", "x", "y", "xy"))
    marks = [_mark_of("marks", mark) for mark in as_list("marks", marks)]
    for axis, arrays in (("x", [x]), ("y", [ys, *bands, [height for height, _ in marks]])):
        smallest = min(np.min(a) for a in arrays if len(a))
        if axis in log and smallest <= 0:
            raise ValueError(f"log is {log!r} but {axis} has {smallest}; expected numbers > 0")
    if sample is not None:
        as_kind("sample", sample, str, "a string")
    labels = _one_each("labels", labels, len(ys))
    curves = [
        _Curve(label, look, x, *each)
        for label, look, *each in zip(
            labels, line_looks(kinds, len(ys)), ys, *(bands or [[None] * len(ys)] * 2), strict=True
        )
    ]
    return _plotted(curves, marks, sample, points, xlabel=xlabel, ylabel=ylabel, log=log)


class _Curve(NamedTuple):
    """A curve over an abscissa of its own, and the bounds of its band, if it has one."""

    label: str | None
    look: dict
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None
    high: np.ndarray | None


def _plotted(curves, marks, sample=None, points=True, *, xlabel="", ylabel="", log=""):
    """Draw curves and what to compare them with, and say how they run."""
    x = np.concatenate([curve.x for curve in curves])
    first, last = x.min(), x.max()
    with style():
        if sample is None:
            figure, axes = subplots()
        else:
            figure, (axes, page) = subplots(2, height=4.2, height_ratios=(5, 2))
            write(page, sample)
        if len(curves) > 1 and all(_has_few_intervals(curve) for curve in curves):
            _plot_side_by_side(figure, axes, curves)
        else:
            _plot_with_bands(axes, curves, points)
        axes.set(xlabel=xlabel, ylabel=ylabel)
        for axis in log:
            logarithmic(axes, axis)
        if "x" not in log and (x == x.round()).all():
            axes.xaxis.set_major_locator(whole())
        for height, _ in marks:
            rule(axes, height)
        together = all(curve.x[-1] == last for curve in curves)
        _name_curves(figure, axes, [curve.y[-1] for curve in curves] if together else None)
        for height, name in marks:
            name_rule(axes, height, name)
        shown = [
            f"{curve.label or ylabel or 'y'} {course(curve.x, curve.y)}"
            + ("" if curve.x[-1] == last else f" at {number(curve.x[-1])}, where it ends")
            for curve in curves
        ]
        compared = [f"{name} at {number(height)}" for height, name in marks]
        alt = f"Over {xlabel or 'x'} from {number(first)} to {number(last)}: "
        alt += enumerated(shown, "; ")
        alt += f". To compare: {enumerated(compared)}." if compared else "."
        return Plot(figure, alt if sample is None else f"{alt} A sample: {sample!r}.")


def _has_few_intervals(curve):
    return curve.low is not None and len(curve.x) <= _FEW


def _plot_with_bands(axes, curves, points):
    for label, look, x, y, low, high in curves:
        if low is not None:
            axes.fill_between(x, low, high, color=look["color"], alpha=BAND, linewidth=0)
        axes.plot(x, y, label=label, **(look if points else {**look, "marker": None}))


def _plot_side_by_side(figure, axes, curves):
    """Draw each interval as a bar, a little beside those of the other curves.

    Bands between a few points would cover each other, and would claim intervals in between.
    """
    for i, (label, look, x, y, low, high) in enumerate(curves):
        beside = (i - (len(curves) - 1) / 2) * _BESIDE / 72
        shift = axes.transData + ScaledTranslation(beside, 0, figure.dpi_scale_trans)
        bars = axes.vlines(x, low, high, color=look["color"], linewidth=1.4)
        marker = {"marker": look["marker"] or "o^sDv"[i % 5], "markersize": 5}
        (line,) = axes.plot(x, y, label=label, **{**look, **marker})
        for part in (bars, line):
            part.set_transform(shift)  # only now, so that limits are those of the numbers


def claim_intervals(rows, *, xlabel="", reference=None, log=False):
    """Draw estimates as dots with their intervals, one below the other.

    Parameters
    ----------
    rows : sequence of dict, or dict of str to (value, low, high)
        Each with ``label``, ``value``, ``low`` and ``high``, and optionally ``kind``, a meaning of
        the palette; or estimates by their labels.
    xlabel : str
        What was measured, with its unit.
    reference : (float, str), optional
        A value to compare with, and its name: what the claim predicts.
    log : bool
        Whether the scale is logarithmic.

    Returns
    -------
    Plot
    """
    if isinstance(rows, dict):
        names = "label", "value", "low", "high"
        rows = [dict(zip(names, (label, *each), strict=True)) for label, each in rows.items()]
    rows = [_interval(row, log) for row in as_list("rows", rows)]
    if not rows:
        raise ValueError("rows is empty; expected at least one dict with label, value, low, high")
    if reference is not None:
        reference = _mark_of("reference", reference)
        if log and reference[0] <= 0:
            raise ValueError(f"reference is {reference[0]}; expected a number > 0, as log is true")
    labels = [textwrap.fill(row["label"], 30) for row in rows]
    words = 0.85 + 0.3 * bool(reference) + sum(0.18 * (1 + s.count("\n")) for s in labels)
    # Many rows move together, for higher than 3.4 inches no plot is readable on a slide.
    height = words + min(0.2 * len(rows), max(0, 3.4 - words))
    with style():
        figure, axes = subplots(height=height)
        beside = blended_transform_factory(axes.transAxes, axes.transData)
        for y, row in enumerate(rows):
            look = line_looks([row["kind"]], 1)[0] if row["kind"] else {**_PLAIN[0], "marker": "o"}
            axes.plot([row["low"], row["high"]], [y, y], color=look["color"], linewidth=2.4)
            axes.plot(row["value"], y, color=look["color"], marker=look["marker"], markersize=8)
            axes.text(1.03, y, number(row["value"]), transform=beside, va="center", size=10)
        if reference:
            axes.axvline(reference[0], color=colour("accent"), linewidth=1.4, linestyle=(0, (4, 2)))
            above = blended_transform_factory(axes.transData, axes.transAxes)
            axes.text(
                reference[0],
                1.02,
                reference[1],
                transform=above,
                ha="center",
                va="bottom",
                color=colour("accent"),
                size=10,
            )
        if log:
            logarithmic(axes, "x")
        axes.set_yticks(range(len(rows)), labels)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.grid(False, axis="y")
        axes.grid(True, axis="x")
        axes.spines.left.set_visible(False)
        axes.set_xlabel(xlabel)
        parts = [
            f"{row['label']} {number(row['value'])}, "
            f"interval {number(row['low'])} to {number(row['high'])}"
            for row in rows
        ]
        alt = f"Estimates of {xlabel or 'the measure'} with intervals: {enumerated(parts, '; ')}."
        alt += f" For comparison, {reference[1]} at {number(reference[0])}." if reference else ""
        return Plot(figure, alt)


def claim_curves(series, x, y, *, marks=(), **axes):
    """Draw estimates that rows hold over one of their columns, with their intervals.

    Parameters
    ----------
    series : dict of str to sequence of dict
        The rows of each curve, by its name.
    x, y : str
        Columns; the interval of `y` is in ``low`` and ``high``.
    marks, **axes
        ``xlabel``, ``ylabel`` and ``log``; all as for `lines`.

    Returns
    -------
    Plot
    """
    marks = [_mark_of("marks", mark) for mark in marks]
    return _plotted(_estimated(series, x, y), marks, **axes)


def _estimated(series, x, y):
    curves = []
    for (name, rows), look in zip(series.items(), line_looks(None, len(series)), strict=True):
        rows = sorted(rows, key=lambda row: row[x])
        columns = (np.array([row[key] for row in rows]) for key in (x, y, "low", "high"))
        curves.append(_Curve(name, look, *columns))
    return curves


def claim_panels(panels, x, y, *, xlabel="", ylabel=""):
    """Draw estimates over a column of the rows, in panels side by side.

    Parameters
    ----------
    panels : dict of str to dict of str to sequence of dict
        For each panel, by its title, the rows of each curve by its name. All panels have the same
        curves.
    x, y : str
        Columns; the interval of `y` is in ``low`` and ``high``.
    xlabel, ylabel : str

    Returns
    -------
    Plot
    """
    with style():
        figure, row = subplots(1, len(panels), height=3.4, sharey=True, squeeze=False)
        described = []
        for axes, (title, series) in zip(row[0], panels.items(), strict=True):
            curves = _estimated(series, x, y)
            _plot_side_by_side(figure, axes, curves)
            axes.set_title(title)
            axes.margins(x=0.12)  # so that all bars beside the numbers fit
            axes.xaxis.set_major_locator(FixedLocator(curves[0].x))
            shown = [f"{curve.label} {course(curve.x, curve.y)}" for curve in curves]
            described.append(f"In the panel “{title}”, {enumerated(shown, '; ')}")
        figure.supxlabel(xlabel, size=11, color=colour("ink"))
        row[0][0].set_ylabel(ylabel)
        legend(figure, *row[0][0].get_legend_handles_labels())
    first, last = min(curves[0].x), max(curves[0].x)
    over = f"{len(panels)} panels of {ylabel} over {xlabel} from {number(first)} to {number(last)}"
    return Plot(figure, f"{over}. {'. '.join(described)}.")


def claim_groups(groups, *, xlabel=""):
    """Draw estimates of shares in groups, one group below the other.

    Parameters
    ----------
    groups : dict of str to dict of str to (value, low, high)
        The estimates of each group, by its name, and by the name that the groups share.
    xlabel : str
        What the shares are of.

    Returns
    -------
    Plot
    """
    names = list(dict.fromkeys(name for each in groups.values() for name in each))
    looks = line_looks(None, len(names))
    labels = [textwrap.fill(name, 30) for name in groups]
    with style():
        # a slide shrinks a taller plot until its letters are too small
        figure, axes = subplots(height=min(1.2 + 0.09 * len(groups) * (len(names) + 1), 3.4))
        lines, told = {}, []
        for y, each in enumerate(groups.values()):
            for name, ends in each.items():
                i = names.index(name)
                beside = 0.7 * ((i + 0.5) / len(names) - 0.5)
                value, low, high = ends
                (lines[name],) = axes.plot(
                    [low, value, high],
                    [y + beside] * 3,
                    color=looks[i]["color"],
                    marker="osD^v"[i % 5],
                    markevery=[1],
                    linewidth=1.6,
                    clip_on=False,
                )
            shown = "; ".join(f"{name} {value:.0%}" for name, (value, *_) in each.items())
            told.append(f"{labels[y]}: {shown}".replace("\n", " ").replace("%", " %"))
        axes.set_yticks(range(len(groups)), labels)
        axes.tick_params(axis="y", pad=9)  # a marker at 0 sticks out to the left
        axes.set(xlabel=xlabel, xlim=(0, 1), ylim=(len(groups) - 0.5, -0.5))
        axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.grid(False, axis="y")
        names = sorted(lines, key=names.index)
        legend(figure, [lines[name] for name in names], names)
    return Plot(figure, f"Share of {xlabel}, with intervals. {'. '.join(told)}.")


def claim_dots(series, x, y, *, xlabel="", ylabel=""):
    """Draw a dot for each row, where two of its columns place it.

    Parameters
    ----------
    series : dict of str to sequence of dict
        The rows of each kind, by its name.
    x, y : str
        Columns.
    xlabel, ylabel : str

    Returns
    -------
    Plot
    """
    with style():
        figure, axes = subplots()
        told = []
        for i, (name, rows) in enumerate(series.items()):
            xs, ys = ([row[column] for row in rows] for column in (x, y))
            ink = {"color": _PLAIN[i]["color"], "alpha": 0.6, "linewidth": 0}
            axes.scatter(xs, ys, 36, marker="o^sD"[i], label=name, **ink)
            told.append(
                f"{name}, {counted(len(rows), 'dot')} from {number(min(xs))} to {number(max(xs))}, "
                f"at heights from {number(min(ys))} to {number(max(ys))}"
            )
        axes.set(xlabel=xlabel, ylabel=ylabel)
        if len(series) > 1:
            legend(figure, *axes.get_legend_handles_labels())
    return Plot(figure, f"{ylabel} against {xlabel}, a dot for each run: {'; '.join(told)}.")


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


def band(axes, x, each, look, label=None):
    """Draw the mean of several curves, and a band from the least of them to the largest.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    x : sequence of float, shape (n,)
    each : array_like, shape (n, k)
        The k curves.
    look : dict
        The mean's color, dash and marker.
    label : str, optional

    Returns
    -------
    ndarray, shape (n,)
        The mean.
    """
    each = np.asarray(each)
    mean = each.mean(axis=1)
    ends = each.min(axis=1), each.max(axis=1)
    axes.fill_between(x, *ends, color=look["color"], alpha=BAND, linewidth=0)
    axes.plot(x, mean, label=label, **look)
    return mean


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
    """Label an axis of decimal logarithms with what they are the logarithms of."""
    axes.yaxis.set_major_locator(MaxNLocator(most, integer=True))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda log, _: "1" if log == 0 else f"$10^{{{log:g}}}$")
    )


def at_lengths(axes, lengths):
    """Ticks at these lengths, and no others."""
    axes.xaxis.set_major_locator(FixedLocator(sorted(set(lengths))))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


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
    """Write the curves' names at their ends, or in a legend where there is no room for that.

    Curves that do not end together have no `ends`.
    """
    handles, labels = axes.get_legend_handles_labels()
    if not labels:
        return
    apart = ends and (np.diff(np.sort(_fractions(axes, ends))) > _LABEL_GAP).all()
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
    """Name the curves above the axes, as many in a row as have room."""
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


def _interval(row, log):
    as_kind("rows", row, dict, "dicts with label, value, low, high")
    missing = [key for key in ("label", "value", "low", "high") if key not in row]
    if missing:
        raise ValueError(f"rows holds {row!r}, without {', '.join(missing)}")
    value, low, high = (
        float(as_real(f"rows: {row['label']!r}: {key}", row[key]))
        for key in ("value", "low", "high")
    )
    if not low <= value <= high:
        raise ValueError(
            f"rows: {row['label']!r} has value {value} outside its interval {low}..{high}"
        )
    if log and low <= 0:
        raise ValueError(
            f"rows: {row['label']!r} has low {low}; expected a number > 0, as log is true"
        )
    return {"label": str(row["label"]), "value": value, "low": low, "high": high,
            "kind": row.get("kind")}  # fmt: skip
