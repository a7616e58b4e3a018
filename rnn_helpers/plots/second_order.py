"""What the experiments on second-order methods found; each figure is drawn from a result's rows."""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import BAND, DASHES, legend
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_number, as_rows

# As in `curvatures`: slopes dashed, curvature paler, what is divided in ink.
_SIZES = {
    "first": {"label": "gradient", "color": colour("gradient"), "dashes": (5, 2)},
    "second": {"label": "second derivative", "color": colour("muted"), "linewidth": 2.2},
    "gauss_newton": {"label": "Gauss-Newton part", "color": colour("muted"), "dashes": (1.2, 1.4)},
}
_BY = {
    "second": {"color": colour("ink"), "linewidth": 2.4},
    "gauss_newton": {"color": colour("ink"), "dashes": (1.2, 1.4)},
}
_SPREAD = 10, 90  # percentiles of the networks, between which a band is drawn


def curvature_ratio(rows, radius=0.8):
    """Draw how the loss's first and second derivative change with the length, and their ratio.

    Parameters
    ----------
    rows : sequence of dict
        Those of the experiment ``curvature-ratio``.
    radius : float
        Spectral radius of the networks to draw, one that the rows have.

    Returns
    -------
    Plot
        Means of logarithms over the networks; in the bands lie four fifths of them.

    Raises
    ------
    TypeError
        If the rows are no dicts, or `radius` not a number.
    ValueError
        If there are none, one lacks what is drawn, or none has that radius.
    """
    rows = as_rows(rows, ("what", "radius", *(f"log10_{name}" for name in _SIZES)))
    as_number("radius", radius, "a radius that the rows have")
    groups = {}
    for row in rows:
        if row["radius"] == radius:
            groups.setdefault(row["what"], []).append(row)
    if not groups:
        known = ", ".join(f"{r:g}" for r in sorted({row["radius"] for row in rows}))
        raise ValueError(f"radius is {radius}; expected one that the rows have, {known}")
    told = []
    with style():
        figure, axes = subplots(
            2, len(groups), height=4.6, sharex=True, sharey="row", squeeze=False
        )
        for (what, group), (sizes, ratios) in zip(groups.items(), axes.T, strict=True):
            logs = {
                name: np.array([row[f"log10_{name}"] for row in group], float) for name in _SIZES
            }
            steps = 10 * np.arange(1, logs["first"].shape[1] + 1)
            for name, look in _SIZES.items():
                _draw(sizes, steps, logs[name], look)
            for name, look in _BY.items():
                ratio = logs["first"] - logs[name]
                _draw(ratios, steps, ratio, look | {"label": "gradient by it"})
                first, *_, last = 10 ** ratio.mean(axis=0)
                told.append(
                    f"along {what}, gradient divided by {_SIZES[name]['label']} goes from "
                    f"{number(first)} to {number(last)}"
                )
            sizes.set_title(f"along {what}")
            ratios.set_xlabel("steps $T$")
            for one in (sizes, ratios):
                one.yaxis.set_major_locator(MaxNLocator(5, integer=True))
                one.yaxis.set_major_formatter(FuncFormatter(_power))
        axes[0, 0].set_ylabel("size")
        axes[1, 0].set_ylabel("ratio")
        gradient, *divisors = axes[0, 0].get_lines()
        # Each ratio is named below what it is divided by.
        pairs = zip(divisors, axes[1, 0].get_lines(), strict=True)
        handles = [
            gradient,
            Line2D([], [], linestyle="", label=" "),
            *(one for p in pairs for one in p),
        ]
        figure.legend(handles=handles, loc="outside upper left", ncols=3, columnspacing=1.2)
        return Plot(
            figure,
            f"Derivatives of the loss at step T, at radius {radius:g}, from T = {steps[0]} to "
            f"{steps[-1]}: {'; '.join(told)}.",
        )


def _draw(axes, steps, logs, look):
    axes.fill_between(
        steps, *np.percentile(logs, _SPREAD, axis=0), color=look["color"], alpha=BAND, linewidth=0
    )
    axes.plot(steps, logs.mean(axis=0), **look)


def _power(exponent, _):
    return "1" if exponent == 0 else f"$10^{{{exponent:g}}}$"


def hessian_free_success(rows):
    """Draw how many networks have learned by the time that as much has been computed.

    Parameters
    ----------
    rows : sequence of dict
        Those of the experiment ``hessian-free``.

    Returns
    -------
    Plot
        A row of axes for each length, a column for each start. At the right the 95 % intervals.

    Raises
    ------
    TypeError
        If the rows are no dicts.
    ValueError
        If there are none, or one lacks what is drawn.
    """
    rows = as_rows(rows, ("length", "start", "method", "spent", "learned", "of", "low", "high"))
    lengths, starts, methods = (
        list(dict.fromkeys(row[key] for row in rows)) for key in ("length", "start", "method")
    )
    most, told = max(row["of"] for row in rows), {}
    end = max(row["spent"][-1] for row in rows) / 1000
    with style():
        figure, axes = subplots(
            *(len(lengths), len(starts)), height=1.2 + 1.7 * len(lengths), sharex=True,
            sharey=True, squeeze=False,
        )  # fmt: skip
        lines = {}
        for row in rows:
            i = methods.index(row["method"])
            one = axes[lengths.index(row["length"]), starts.index(row["start"])]
            look = _method_look(row["method"], i)
            spent = np.append(0, row["spent"]) / 1000
            (lines[row["method"]],) = one.plot(
                spent, np.append(0, row["learned"]), label=row["method"], **look
            )
            x = end * (1.05 + 0.045 * i)
            one.plot([x, x], [most * row["low"], most * row["high"]], color=look["color"],
                     linewidth=1.6)  # fmt: skip
            one.plot(x, row["learned"][-1], look["marker"], color=look["color"], markersize=5)
        for one, start in zip(axes[0], starts, strict=True):
            one.set_title(f"from {start}")
        for left, length in zip(axes[:, 0], lengths, strict=True):
            left.set_ylabel(f"learned, $T = {length}$")
            left.set_ylim(-0.05 * most, 1.06 * most)
            left.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        for one in axes[-1]:
            one.set_xlabel("sequences, in thousands")
        for row in rows:
            told.setdefault(f"{row['start']}, T = {row['length']}", []).append(
                f"{row['method']} {row['learned'][-1]}"
            )
        counts = "; ".join(f"{where}: {', '.join(each)}" for where, each in told.items())
        legend(figure, list(lines.values()), list(lines))
        return Plot(figure, f"Networks that have learned at the end, of {most}, from {counts}.")


def _method_look(name, i):
    look = {"marker": "osD^"[i % 4], "markevery": [], "markersize": 5}  # at the end alone
    if name == "Hessian-free":
        return look | {"color": colour("ink"), "linewidth": 2.4}
    line = DASHES[i % len(DASHES)]
    return look | {"color": colour("gradient"), "linestyle": line, "linewidth": 1.6}
