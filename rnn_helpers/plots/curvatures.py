"""Ways down a loss of two weights, and what becomes of slope and curvature behind many steps."""

from collections.abc import Mapping

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style
from rnn_helpers.plots.words import number
from rnn_helpers.reference import power_derivatives
from rnn_helpers.validate import (
    as_count,
    as_function,
    as_kind,
    as_list,
    as_number,
    as_real,
)

_FLOOR, _MOST = 1e-8, 1e99  # losses beyond are drawn at the edge
_DASHES = ((), (5, 2), (1.2, 2))
_MARKERS = "o^vDs"
_LEVELS = (0.01, 0.1, 0.3, 0.4, 0.46, 0.49, 0.505, 0.52, 0.55, 0.6, 0.7, 0.85, 1, 1.5, 3, 10)
_DOTS = 200  # of the plane, along a side


def curvatures(paths, loss, *, tau, limits, divided=(), at=None):
    """Draw paths down a loss of two weights, w and r, with the slope and curvature of ``w^tau``.

    The loss and the paths are on the left. The plot above on the right shows the first and the
    second derivative of ``w^tau`` and their ratio against tau, at the first w of the first path.
    The one below shows the loss at every step.

    Parameters
    ----------
    paths : mapping of str to array_like, shape (K + 1, 2)
        Points (w, r) from the start on, by the method's name; five at most.
    loss : callable
        Function that takes points, (..., 2), and returns their losses, (...), at least 0.
    tau : int
        Marked span, from 2 to 30.
    limits : ((float, float), (float, float))
        Limits of the axes of w and of r.
    divided : sequence of str
        Methods that divide by a curvature. They have the color of the ratio.
    at : int, optional
        Last step that is drawn; by default the end of the paths.
    """
    as_kind("paths", paths, Mapping, "a mapping from names to points")
    if not 1 <= len(paths) <= len(_MARKERS):
        raise ValueError(f"paths has {len(paths)} methods; expected 1 to {len(_MARKERS)}")
    paths = {str(name): as_real("paths", path, float) for name, path in paths.items()}
    for name, path in paths.items():
        if path.ndim != 2 or path.shape[-1] != 2 or not len(path):
            raise ValueError(f"paths of {name!r} has shape {path.shape}; expected (K + 1, 2)")
    as_function("loss", loss)
    as_number("tau", as_count("tau", tau, 2), "a span from 2 to 30", lambda tau: tau <= 30)
    limits = as_real("limits", limits, float)
    if limits.shape != (2, 2) or (limits[:, 0] >= limits[:, 1]).any():
        raise ValueError(f"limits is {limits.tolist()}; expected two pairs, each increasing")
    divided = as_list("divided", divided)
    for name in divided:
        if name not in paths:
            raise ValueError(f"divided has {name!r}; expected names among {', '.join(paths)}")
    last = max(map(len, paths.values())) - 1
    at = last if at is None else min(as_count("at", at, 0), last)
    with np.errstate(over="ignore", invalid="ignore"):  # a path may end anywhere
        losses = {name: loss(path) for name, path in paths.items()}
    losses = {name: np.where(E < _MOST, E, _MOST) for name, E in losses.items()}
    looks = {
        name: {
            "color": colour("ink" if name in divided else "gradient"),
            "dashes": _DASHES[i % 3] if name not in divided else _DASHES[name != divided[-1]],
            "linewidth": 2 if divided and name == divided[-1] else 1.4,
        }
        for i, name in enumerate(paths)
    }
    with style():
        figure = Figure(figsize=(6.4, 4.6), layout="constrained")
        axes = figure.subplot_mosaic([["plane", "powers"], ["plane", "losses"]])
        _plane(axes["plane"], paths, loss, limits, looks, at)
        w = float(next(iter(paths.values()))[0, 0])
        sizes = _powers(axes["powers"], w, tau)
        drawn = _losses(axes["losses"], losses, looks, at)
        figure.legend(drawn, list(paths), loc="outside lower center", ncols=3)
        return Plot(figure, _alt(paths, losses, at, w, tau, sizes))


def _plane(axes, paths, loss, limits, looks, at):
    w, r = (np.linspace(*ends, _DOTS) for ends in limits)
    heights = loss(np.stack(np.meshgrid(w, r), axis=-1))
    shades = [(colour("loss"), share) for share in np.linspace(0, 0.6, len(_LEVELS) + 1)]
    bands = axes.contourf(w, r, heights, levels=_LEVELS, extend="both", colors=shades)
    bands.set_array(None)  # else it chooses its colours again, and not those of a dark page
    bands.set_facecolor([to_rgba(*shade) for shade in shades])
    axes.contour(w, r, heights, levels=_LEVELS, colors=[(colour("loss"), 0.35)], linewidths=0.5)
    for marker, (name, path) in zip(_MARKERS, paths.items(), strict=False):
        gone = path[: at + 1]
        axes.plot(*gone.T, **looks[name])
        axes.plot(*path[0], "o", color=colour("accent"), markersize=8, zorder=4)
        end = np.clip(gone[-1], limits[:, 0], limits[:, 1])
        axes.plot(*end, marker, color=looks[name]["color"], markeredgecolor=colour("paper"),
                  markersize=8, clip_on=False, zorder=5)  # fmt: skip
    axes.set(xlim=limits[0], ylim=limits[1], xlabel="$w$", ylabel="$r$")
    axes.grid(False)
    axes.set_title("loss")


def _powers(axes, w, tau):
    spans = np.arange(2, 31)
    curves = np.abs(power_derivatives(w, spans))
    looks = (
        {"color": colour("gradient"), "dashes": _DASHES[1], "label": "slope"},
        {"color": colour("muted"), "label": "curvature"},
        {"color": colour("ink"), "linewidth": 2.4, "label": "ratio"},
    )
    for curve, look in zip(curves, looks, strict=True):
        axes.plot(spans, np.maximum(curve, 1e-99), **look)
    axes.axvline(tau, color=colour("accent"), linewidth=1.2, linestyle=":")
    axes.set(yscale="log", ylim=(1e-12, 1e2), xlim=(2, 30), xlabel=r"span $\tau$")
    axes.yaxis.set_major_locator(FixedLocator([1e-12, 1e-8, 1e-4, 1]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.legend(
        loc="lower left", borderaxespad=0.1, frameon=True, framealpha=1, edgecolor=colour("paper"),
        facecolor=colour("paper"),
    )  # fmt: skip
    axes.set_title(f"at $w$ = {number(w)}")
    return curves[:, spans == tau][:, 0]


def _losses(axes, losses, looks, at):
    drawn = []
    for marker, (name, values) in zip(_MARKERS, losses.items(), strict=False):
        line = np.maximum(values, _FLOOR)
        drawn += axes.plot(
            np.log1p(np.arange(len(line))), line, marker=marker, markevery=[min(at, len(line) - 1)],
            markeredgecolor=colour("paper"), markersize=8, **looks[name],
        )  # fmt: skip
    most = max(map(len, losses.values())) - 1
    ticks = [t for t in (0, 1, 3, 10, 30, 100, 300, 1000) if t <= max(most, 1)]
    axes.axvline(np.log1p(at), color=colour("accent"), linewidth=1.2, linestyle=":")
    axes.set(yscale="log", ylim=(_FLOOR, 10), xlabel="steps taken")
    axes.set_xticks(np.log1p(ticks), map(str, ticks))
    axes.yaxis.set_major_locator(FixedLocator([1e-8, 1e-4, 1]))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_title("loss, by steps")
    return drawn


def _alt(paths, losses, at, w, tau, sizes):
    parts = "; ".join(
        f"{name}, loss {number(losses[name][min(at, len(path) - 1)])} at "
        + " and ".join(
            f"{letter} = {number(value)}"
            for letter, value in zip("wr", path[min(at, len(path) - 1)], strict=True)
        )
        for name, path in paths.items()
    )
    start = next(iter(paths.values()))[0]
    slope, curvature, ratio = map(number, sizes)
    return (
        f"Paths over a loss of two weights from w = {number(start[0])} and r = {number(start[1])}; "
        f"after {at} steps: {parts}. At w = {number(w)} and a span of {tau} the slope of w to the "
        f"power of the span is {slope}, its curvature {curvature}, and their ratio {ratio}."
    )
