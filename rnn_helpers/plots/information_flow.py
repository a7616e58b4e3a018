"""What became of networks that are asked to let gradients flow: results of three experiments."""

import numpy as np
from matplotlib.ticker import PercentFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import DASHES, legend, logarithmic
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.validate import as_real, as_rows

# As many inks, marks and dashes as ways to train are ever compared; what has Omega is magenta.
_LOOKS = [
    {"color": colour(ink), "marker": marker, "linestyle": DASHES[dash]}
    for ink, marker, dash in (
        ("muted", "s", 2),
        ("ink", "o", 1),
        ("gradient", "v", 1),
        ("gradient", "D", 0),
        ("accent", "^", 3),
    )
]
_APPROXIMATIONS = {"gradients": "gradients constant", "states": "states too"}


def flow_spans(rows):
    """Draw how many networks learn at each length, for each task and each way to train.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``task``, ``length``, ``method``, ``rate``, ``low`` and ``high``, as those of the
        experiment ``information-flow-span``; at most five methods.

    Returns
    -------
    Plot

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows, a key is missing, or there are more than five methods.
    """
    rows = _rows(rows, "task", "length", "method", "rate", "low", "high")
    methods = list(dict.fromkeys(row["method"] for row in rows))
    if len(methods) > len(_LOOKS):
        raise ValueError(f"rows have {len(methods)} methods; expected at most {len(_LOOKS)}")
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    lengths = [sorted({row["length"] for row in rows if row["task"] == task}) for task in tasks]
    told = []
    with style():
        figure, panels = subplots(
            1, len(tasks), height=3.4, sharey=True, squeeze=False,
            width_ratios=[len(each) for each in lengths],
        )  # fmt: skip
        for axes, task, places in zip(panels[0], tasks, lengths, strict=True):
            for i, method in enumerate(methods):
                these = [row for row in rows if (row["task"], row["method"]) == (task, method)]
                side = 0.13 * (i - (len(methods) - 1) / 2)  # beside each other, to be told apart
                for row in these:
                    x = places.index(row["length"]) + side
                    axes.plot([x, x], [row["low"], row["high"]], linewidth=2,
                              color=_LOOKS[i]["color"])  # fmt: skip
                    axes.plot(x, row["rate"], **_LOOKS[i] | {"linestyle": ""}, markersize=7,
                              label=_symbol(method) if row is these[0] else None,
                              clip_on=False, zorder=3)  # fmt: skip
            axes.set(xlim=(-0.5, len(places) - 0.5), ylim=(0, 1), title=task)
            axes.set_xticks(range(len(places)), [f"{length:g}" for length in places])
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            axes.tick_params(axis="x", length=0)
        panels[0][0].set_ylabel("networks that learn")
        figure.supxlabel("time steps", size=11)
        named = panels[0][0].get_legend_handles_labels()
        figure.legend(*named, loc="outside upper left", ncols=3)
        for task, places in zip(tasks, lengths, strict=True):
            for length in places:
                each = [
                    f"{row['method']} {100 * row['rate']:.0f} %"
                    for row in rows
                    if (row["task"], row["length"]) == (task, length)
                ]
                told.append(f"{task} of {length:g} steps: {enumerated(each, '; ')}")
        return Plot(figure, f"Networks that learn, with intervals. {'. '.join(told)}.")


def omega_directions(rows):
    """Draw how far Omega's approximate gradients are from the exact one, and how far they lead.

    To the left, the cosine of each approximation with the exact gradient in random networks, a dot
    for each kind of network and a line through the mean at each radius. To the right, the share of
    Omega that is left after descents along the exact gradient and along each approximation.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``measure``, ``net``, ``radius``, ``constant`` and the values ``each``, as those
        of the experiment ``omega-gradient``.

    Returns
    -------
    Plot

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows of one of the two kinds, or a key is missing.
    """
    rows = _rows(rows, "measure", "net", "radius", "constant", "each")
    cosines = [row for row in rows if (row["measure"], row["net"]) == ("cosine", "random")]
    descents = [row for row in rows if row["measure"] != "cosine"]
    if not cosines or not descents:
        raise ValueError("rows hold no cosine or no descent; expected some of each")
    looks = {"nothing": _LOOKS[1], "gradients": _LOOKS[3], "states": _LOOKS[4]}
    names = {"nothing": "exact", **_APPROXIMATIONS}
    told = []
    with style():
        figure, (left, right) = subplots(1, 2, height=3.4)
        radii = sorted({row["radius"] for row in rows})
        for k, constant in enumerate(looks):
            side = 0.16 * (k - 1)
            for axes, these in ((left, cosines), (right, descents)):
                points, means = [], []
                for x, radius in enumerate(radii):
                    values = [
                        np.mean(row["each"]) if axes is left else value
                        for row in these
                        if (row["radius"], row["constant"]) == (radius, constant)
                        for value in ([0] if axes is left else row["each"])
                    ]
                    points += [(x + side, value) for value in values]
                    if values:
                        middle = np.mean(values) if axes is left else np.median(values)
                        means.append((x + side, middle))
                        what = "cosine" if axes is left else "left of Omega"
                        told.append(
                            f"{what}, {names[constant]}, radius {number(radius)}: {number(middle)}"
                        )
                if not points:
                    continue
                look = looks[constant]
                axes.scatter(*np.transpose(points), 9, color=look["color"], marker=look["marker"],
                             alpha=0.45, linewidths=0)  # fmt: skip
                axes.plot(*np.transpose(means), **look, markersize=7, label=names[constant])
        left.axhline(0, color=colour("edge"), linewidth=1)
        left.set(ylim=(-0.1, 1), title="cosine with the exact")
        right.set(title="Ω left by a descent")
        logarithmic(right, "y")
        for axes in (left, right):
            axes.set_xticks(range(len(radii)), [number(radius) for radius in radii])
            axes.tick_params(axis="x", length=0)
        figure.supxlabel("spectral radius at the start", size=11)
        figure.legend(*right.get_legend_handles_labels(), loc="outside upper left", ncols=3)
        return Plot(figure, f"Means and medians. {'; '.join(told)}.")


def flow_explosions(rows):
    """Draw how many networks with Omega learn at each learning rate, clipped and not.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``task``, ``length``, ``radius``, ``alpha``, ``way``, ``eta``, ``rate``, ``low``
        and ``high``, as those of the experiment ``flow-clipping``; two ways.

    Returns
    -------
    Plot

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows, or a key is missing.
    """
    case = ("task", "length", "radius", "alpha")
    rows = _rows(rows, *case, "way", "eta", "rate", "low", "high")
    cells = {}
    for row in rows:
        cells.setdefault(tuple(row[key] for key in case), []).append(row)
    ways = list(dict.fromkeys(row["way"] for row in rows))
    if len(ways) > 2:
        raise ValueError(f"rows have the ways {ways}; expected at most two")
    columns = min(len(cells), 2)
    lines = -(-len(cells) // columns)
    told = []
    with style():
        figure, panels = subplots(
            lines, columns, height=1.2 + 1.3 * lines, sharex=True, sharey=True,
            squeeze=False,
        )  # fmt: skip
        for axes, (cell, these) in zip(panels.flat, cells.items(), strict=False):
            task, length, radius, alpha = cell
            name = f"{task}, T = {length:g}, ρ = {radius:g}, α = {alpha:g}"
            for way, look in zip(ways, (_LOOKS[1], _LOOKS[3]), strict=False):
                mine = sorted((row for row in these if row["way"] == way), key=lambda r: r["eta"])
                etas, rates, lows, highs = (
                    as_real("rows", [row[key] for row in mine])
                    for key in ("eta", "rate", "low", "high")
                )
                axes.fill_between(etas, lows, highs, color=look["color"], alpha=0.16, linewidth=0)
                axes.plot(etas, rates, **look, label=way, clip_on=False)
                each = [f"{100 * r:.0f} % at {number(e)}" for e, r in zip(etas, rates, strict=True)]
                told.append(f"{name}, {way}: {enumerated(each)}")
            axes.set(ylim=(0, 1), yticks=[0, 0.5, 1])
            axes.set_title(name, size=10)
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            logarithmic(axes, "x")
        for axes in panels.flat[len(cells) :]:
            axes.set_visible(False)
        figure.supxlabel("learning rate", size=11)
        figure.supylabel("networks that learn", size=11)
        legend(figure, *panels.flat[0].get_legend_handles_labels())
        return Plot(figure, f"Networks that learn, by learning rate. {'. '.join(told)}.")


def _symbol(name):
    return name.replace("Omega", "Ω")


def _rows(rows, *keys):
    rows = as_rows(rows, keys)
    for row in rows:
        for key in {"length", "radius", "alpha", "eta", "rate", "low", "high", "each"} & set(keys):
            if row[key] is not None:
                as_real(f"rows[{key!r}]", row[key])
    return rows
