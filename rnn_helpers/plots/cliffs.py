"""Descents on a loss of two parameters, on its landscape and by update."""

from collections.abc import Mapping

import numpy as np
from matplotlib.ticker import MaxNLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_function, as_positive, as_real

_WIDTH, _HEIGHT = 7.2, 4.0
_GRID = 301  # points of the landscape each way
_BANDS = 40  # of colour
_FLOOR = 1e-6  # losses below are drawn here
_NUDGE = 1e-6  # of the finite differences
_LESS, _MORE = 3.4, 1.5  # powers of ten from the neutral loss to the ends of the colours
_LOOKS = (
    {"color": colour("gradient"), "linestyle": (0, (3, 1.5)), "marker": "s"},
    {"color": colour("parameter"), "linestyle": "-", "marker": "o"},
    {"color": colour("accent"), "linestyle": (0, (1, 1.2)), "marker": "D"},
)


def clipping_cliff(loss, path, threshold=None, *, limits=None, neutral=None, places=None):
    """Draw paths of gradient descent on the landscape of a loss of two parameters.

    The landscape is on the left, in colors on a logarithmic scale. An arrow shows where a path
    leaves the picture. The losses after each update are on the right. A ring marks an update at
    which the gradient is longer than the threshold.

    Parameters
    ----------
    loss : callable
        ``loss(w, b)`` for arrays of one shape, giving numbers of that shape that are at least 0.
    path : array_like, shape (n, 2), or dict from name to array_like
        Points ``(w, b)``: the start and one after each update. At most three paths.
    threshold : float, optional
        Length above which a gradient gets a ring; gradients are measured by finite differences.
    limits : ((float, float), (float, float)), optional
        Limits of w and of b; by default, a square around the narrowest of the paths.
    neutral : float, optional
        Loss that has the page's own color, above 0; by default the median of the landscape.
    places : dict from name to sequence of float, optional
        Points to name on the landscape, whose first two entries are w and b.
    """
    as_function("loss", loss)
    paths = _paths(path)
    if threshold is not None:
        as_positive("threshold", threshold)
    (w0, w1), (b0, b1) = limits = _limits(limits, paths)
    w, b = np.meshgrid(np.linspace(w0, w1, _GRID), np.linspace(b0, b1, _GRID))
    landscape = _losses(loss, w, b)
    if neutral is None:
        neutral = max(np.median(landscape), _FLOOR)
    as_positive("neutral", neutral)
    losses = {name: _losses(loss, *points.T) for name, points in paths.items()}
    long = {
        name: np.zeros(len(points), bool)
        if threshold is None
        else np.hypot(*_gradient(loss, *points.T)) > threshold
        for name, points in paths.items()
    }
    with style():
        figure, (plane, curves) = subplots(
            1, 2, width=_WIDTH, height=_HEIGHT, width_ratios=(1.5, 1)
        )
        powers = np.log10(np.maximum(landscape, 1e-12) / neutral)
        height = powers / np.where(powers < 0, _LESS, _MORE)
        plane.imshow(
            np.round(np.clip(height, -1, 1) * _BANDS / 2) * 2 / _BANDS,
            cmap=COLOUR_MAPS["signed", "light"],
            vmin=-1,
            vmax=1,
            extent=(w0, w1, b0, b1),
            origin="lower",
            aspect="auto",
        )
        for (name, points), look in list(zip(paths.items(), _LOOKS, strict=False))[::-1]:
            _draw_path(plane, points, limits, long[name], look)
            values = np.maximum(losses[name], _FLOOR)
            curves.plot(values, linewidth=1.5, label=name, **look | {"marker": ""})
            at = np.flatnonzero(long[name])
            curves.plot(at, values[at], **_ring(look))
        first = next(iter(paths.values()))[0]
        plane.plot(
            *first, "o", markersize=9, color=colour("accent"), markeredgecolor=colour("paper")
        )
        for name, (w, b, *_) in (places or {}).items():
            box = {"facecolor": colour("paper"), "alpha": 0.7, "linewidth": 0, "pad": 2}
            plane.text(w, b, name, ha="center", va="center", weight="bold", bbox=box)
        plane.set(xlim=(w0, w1), ylim=(b0, b1), xlabel="$w$")
        plane.set_ylabel("$b$", rotation=0, labelpad=10)
        plane.grid(False)
        curves.set(yscale="log", xlabel="update", title="loss")
        curves.minorticks_off()
        curves.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        handles, names = curves.get_legend_handles_labels()
        if names != ["path"]:
            figure.legend(handles[::-1], names[::-1], loc="outside upper left", ncols=len(names))
        return Plot(figure, _alt(paths, losses, long, limits, threshold))


def _paths(path):
    paths = path if isinstance(path, Mapping) else {"path": path}
    if not 1 <= len(paths) <= len(_LOOKS):
        raise ValueError(f"path has {len(paths)} paths; expected from 1 to {len(_LOOKS)}")
    read = {}
    for name, points in paths.items():
        label = "path" if paths is not path else f"path[{name!r}]"
        points = as_real(label, points)
        if points.ndim != 2 or points.shape[1] != 2 or not len(points):
            raise ValueError(f"{label} has shape {points.shape}; expected (n, 2), points (w, b)")
        read[str(name)] = points.astype(float)
    return read


def _limits(limits, paths):
    if limits is None:
        narrow = min(paths.values(), key=lambda points: np.ptp(points, axis=0).max())
        low, high = narrow.min(axis=0), narrow.max(axis=0)
        reach = 0.65 * max((high - low).max(), 1e-3)
        limits = np.transpose([(low + high) / 2 - reach, (low + high) / 2 + reach])
    limits = as_real("limits", limits)
    if limits.shape != (2, 2) or not (limits[:, 0] < limits[:, 1]).all():
        raise ValueError("limits are not two pairs (low, high) with low below high")
    return limits.tolist()


def _losses(loss, w, b):
    values = as_real("loss(w, b)", loss(w, b))
    if values.shape != w.shape:
        raise ValueError(f"loss(w, b) has shape {values.shape}; expected {w.shape}, that of w")
    if (values < 0).any():
        raise ValueError(f"loss(w, b) reaches {values.min()}; expected losses of at least 0")
    return values


def _gradient(loss, w, b):
    return [
        (_losses(loss, w + dw, b + db) - _losses(loss, w - dw, b - db)) / (2 * _NUDGE)
        for dw, db in ((_NUDGE, 0), (0, _NUDGE))
    ]


def _ring(look):
    return {
        "marker": look["marker"],
        "markersize": 9,
        "linestyle": "none",
        "markerfacecolor": "none",
        "markeredgecolor": look["color"],
        "markeredgewidth": 1.5,
    }


def _inside(points, limits):
    (w0, w1), (b0, b1) = limits
    return (points >= (w0, b0)).all(axis=1) & (points <= (w1, b1)).all(axis=1)


def _draw_path(axes, points, limits, long, look):
    inside = _inside(points, limits)
    end = len(points) if inside.all() else int(inside.argmin())
    seen = points[:end]
    halo = {"color": colour("paper"), "alpha": 0.65, "linewidth": 4}
    if 0 < end < len(points):
        edge, way = _edge(points[end - 1], points[end], limits)
        seen = np.vstack([seen, edge])
    axes.plot(*seen.T, **halo)
    axes.plot(*seen.T, linewidth=1.2, **look | {"marker": ""})
    axes.plot(*points[:end].T, markersize=2.4, **look | {"linestyle": "none"})
    axes.plot(*points[:end][long[:end]].T, **_ring(look))
    if 0 < end < len(points):
        arrow = {"arrowstyle": "-|>", "lw": 1.6, "color": look["color"], "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", edge, edge - 1e-3 * way, arrowprops=arrow | {"mutation_scale": 18})
        left, high = _share(edge, limits) > 0.5
        axes.annotate(
            f"to ({points[end][0]:.2f}, {points[end][1]:.2f})".replace("-", "−"),
            edge,
            (-14 if left else 14, -3 if high else 3),
            textcoords="offset points",
            ha="right" if left else "left",
            va="top" if high else "bottom",
            color=look["color"],
            weight="bold",
            bbox={"facecolor": colour("paper"), "alpha": 0.7, "linewidth": 0, "pad": 2},
        )


def _share(point, limits):
    low, high = np.transpose(limits)
    return (point - low) / (high - low)


def _edge(inner, outer, limits):
    """Return where the step between two points crosses the edge, and the whole step."""
    way = outer - inner
    low, high = np.transpose(limits)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(way > 0, (high - inner) / way, (low - inner) / way)
    return inner + np.nanmin(np.where(way == 0, np.inf, shares)) * way, way


def _alt(paths, losses, long, limits, threshold):
    parts = []
    for name, points in paths.items():
        inside = _inside(points, limits)
        where = ", ".join(number(x) for x in points[-1])
        line = f"{name}: from ({', '.join(number(x) for x in points[0])})"
        if not inside.all():
            n = int(inside.argmin())
            there = ", ".join(number(x) for x in points[n])
            line += f" out of the picture at update {n}, to ({there});"
        else:
            line += f" to ({where});"
        line += f" the loss goes from {number(losses[name][0])} to {number(losses[name][-1])}"
        if threshold is not None:
            line += (
                f", the gradient is longer than {number(threshold)} at {long[name].sum()} updates"
            )
        parts.append(line)
    return f"Landscape of a loss over w and b with paths of descent. {'. '.join(parts)}."
