"""What the experiments on cliffs and clipping found; each figure is drawn from a result's rows."""

import numpy as np
from matplotlib.ticker import FuncFormatter, NullLocator, PercentFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import DASHES, legend
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_positive, as_real, as_rows

_NAMES = {"norm": "by norm", "element": "by element", "random": "random step"}
_LOOKS = [
    {"color": colour(name), "linestyle": dash, "marker": marker}
    for name, dash, marker in zip(("ink", "accent", "muted", "ink"), DASHES, "osD^", strict=False)
]
_BLANK = {"markerfacecolor": colour("paper"), "markeredgewidth": 1.6}


def cliff_growth(rows):
    """Draw how walls steepen with the number of steps.

    Parameters
    ----------
    rows : sequence of dict
        Those of the experiment ``cliff-steepness``.

    Returns
    -------
    Plot
        The largest gradient on a line: on the first line of the network with two parameters, beside
        what one step multiplies by; of larger networks of any W, the median over their lines.

    Raises
    ------
    TypeError
        If the rows are no dicts.
    ValueError
        If there are none, or one lacks what is drawn.
    """
    rows = as_rows(rows, ("kind", "lengths", "largest"))
    groups = {}
    for row in rows:
        if row["kind"] != "symmetric":
            groups.setdefault(_kind(row), []).append(row)
    told = []
    with style():
        figure, axes = subplots()
        for i, (name, these) in enumerate(groups.items()):
            row, lengths = these[0], np.array(these[0]["lengths"])
            two = row["kind"] == "two parameters"
            sizes = np.median(_numbers(these[:1] if two else these, "largest"), axis=0)
            axes.plot(lengths, sizes, color=colour("gradient"), linestyle=DASHES[i % len(DASHES)],
                      linewidth=2.4 if two else 1.6, marker="osD^v"[i % 5],
                      label=f"{name}, w = {row['w']:g}" if two else name)  # fmt: skip
            told.append(f"{name} from {number(sizes[0])} to {number(sizes[-1])} at {lengths[-1]}")
            if two:
                line = sizes[-1] * row["predicted"] ** (lengths - lengths[-1])
                axes.plot(lengths, line, color=colour("ink"), linewidth=1.2, dashes=(1.5, 2),
                          label=f"{row['predicted']:.4g} a step")  # fmt: skip
        axes.set_yscale("log")
        axes.set(xlabel="steps $T$", xlim=(0, None))
        axes.set_title("largest gradient on a line", color=colour("gradient"))
        legend(figure, *axes.get_legend_handles_labels())
        return Plot(
            figure,
            "Largest gradient on lines through the parameters, against the number of steps: "
            f"{'; '.join(told)}.",
        )


def cliff_openness(rows, wall=100):
    """Draw where walls stand: among how many places with more saturated units.

    Parameters
    ----------
    rows : sequence of dict
        Those of the experiment ``cliff-steepness``.
    wall : float
        How many times as steep as the median of its line a wall is.

    Returns
    -------
    Plot
        Medians over the lines that have a wall, with their middle half.

    Raises
    ------
    TypeError
        If the rows are no dicts.
    ValueError
        If there are none, one lacks what is drawn, or no line has a wall.
    """
    as_positive("wall", wall)
    groups, many = {}, {}
    for row in as_rows(rows, ("kind", "rank", "rank_near")):
        many[_kind(row)] = many.get(_kind(row), 0) + 1
        if row.get("wall", wall) >= wall:
            groups.setdefault(_kind(row), []).append(row)
    groups = {name: groups[name] for name in many if name in groups}
    if not groups:
        raise ValueError(f"wall is {wall}; expected one that is not steeper than all of the rows'")
    looks = {
        "rank": ("the whole line", -0.14, {"marker": "o", "color": colour("state")}),
        "rank_near": (
            "the line near by",
            0.14,
            {"marker": "D", "color": colour("state"), **_BLANK},
        ),
    }
    told = []
    with style():
        figure, axes = subplots(height=1.3 + 0.3 * len(groups))
        for y, (name, these) in enumerate(groups.items()):
            said = []
            for key, (where, beside, look) in looks.items():
                low, middle, high = np.quantile(_numbers(these, key), [0.25, 0.5, 0.75])
                axes.plot([low, high], [y + beside] * 2, color=look["color"], linewidth=1.6)
                axes.plot(middle, y + beside, linestyle="", markersize=6, clip_on=False, **look,
                          label=f"of {where}" if y == 0 else None)  # fmt: skip
                said.append(f"{middle:.0%} of {where}")
            told.append(f"{name} ({len(these)} of {many[name]}) {' and '.join(said)}")
        names = [f"{name}: {len(these)} of {many[name]} lines" for name, these in groups.items()]
        axes.set_yticks(range(len(groups)), names)
        axes.set(xlim=(0, 1), ylim=(len(groups) - 0.5, -0.5))
        axes.set_xlabel("more saturated places")
        axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.grid(False, axis="y")
        axes.grid(True, axis="x")
        legend(figure, *axes.get_legend_handles_labels())
        return Plot(
            figure,
            f"Share of places where units are more saturated than at the wall: {'; '.join(told)}.",
        )


def clipping_survival(rows):
    """Draw the share of starts that end with a low loss, by kind of clipping and threshold.

    Parameters
    ----------
    rows : sequence of dict
        Those of the experiment ``clipping-saves``.

    Returns
    -------
    Plot
        A panel for each learning rate; the line across is descent without clipping.

    Raises
    ------
    TypeError
        If the rows are no dicts.
    ValueError
        If there are none, or one lacks what is drawn.
    """
    rows = as_rows(rows, ("lr", "kind", "threshold", "low"))
    low = {}
    for row in rows:
        low.setdefault((row["lr"], row["kind"], row["threshold"]), []).append(row)
    low = {key: float(np.mean(_numbers(each, "low"))) for key, each in low.items()}
    rates = list(dict.fromkeys(lr for lr, *_ in low))
    told = []
    with style():
        figure, panels = subplots(1, len(rates), height=3.3, sharey=True, squeeze=False)
        for axes, lr in zip(panels[0], rates, strict=True):
            plain = low.get((lr, "none", None))
            said = []
            if plain is not None:
                axes.axhline(plain, color=colour("edge"), linewidth=1.4, label="unclipped")
                said.append(f"unclipped {plain:.0%}")
            for (kind, name), look in zip(_NAMES.items(), _LOOKS, strict=False):
                curve = [
                    (v, share) for (rate, k, v), share in low.items() if (rate, k) == (lr, kind)
                ]
                if curve:
                    axes.plot(*zip(*curve, strict=True), label=name, markersize=6, **look)
                    at = ", ".join(f"{share:.0%} at {v:g}" for v, share in curve)
                    said.append(f"{name} {at}")
            told.append(f"learning rate {lr:g}: {'; '.join(said)}")
            axes.set_xscale("log")
            axes.xaxis.set_minor_locator(NullLocator())
            axes.xaxis.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
            axes.set(xlabel="threshold $v$", ylim=(0, 1.03), xlim=(0.06, 16))
            axes.set_title(f"learning rate {lr:g}")
            axes.yaxis.set_major_formatter(PercentFormatter(1))
        panels[0, 0].set_ylabel("starts that end low")
        legend(figure, *panels[0, 0].get_legend_handles_labels())
        return Plot(figure, f"Share of starts that end with a low loss. {'. '.join(told)}.".replace(
            ". learning", ". Learning"))  # fmt: skip


def clipped_cosines(rows, left=0.5):
    """Draw where means of clipped gradients point, and how much the largest gradients count.

    Parameters
    ----------
    rows : sequence of dict
        Those of the experiment ``clipped-average``.
    left : float
        Share of minibatches that the threshold leaves alone; one that the rows have.

    Returns
    -------
    Plot
        Angle between the mean of the clipped gradients and the true one, and how much the tenth of
        the examples with the largest gradients counts, against the others: medians over the
        networks, with their middle half.

    Raises
    ------
    TypeError
        If the rows are no dicts.
    ValueError
        If there are none for that share, or one lacks what is drawn.
    """
    rows = [row for row in as_rows(rows, ("part",)) if row["part"] == "mean"]
    rows = as_rows(rows, ("task", "stage", "batch", "kind", "left", "cosine"))
    rows = [row for row in rows if row["left"] == left]
    if not rows:
        raise ValueError(f"left is {left}; expected a share that the rows have")
    nets = list(dict.fromkeys((row["task"], row["stage"]) for row in rows))
    sizes = sorted({row["batch"] for row in rows})
    panels = [
        ("norm", "cosine", "clipped by norm"),
        ("element", "cosine", "by element"),
        ("norm", "weight", "largest tenth"),
    ]
    told = []
    with style():
        figure, parts = subplots(1, len(panels), height=3.3)
        for axes, (kind, key, title) in zip(parts, panels, strict=True):
            for k, (net, look) in enumerate(zip(nets, _LOOKS, strict=False)):
                place = np.arange(len(sizes)) + 0.1 * (k - (len(nets) - 1) / 2)
                these = [
                    [r for r in rows if (r["task"], r["stage"], r["kind"], r["batch"]) == case]
                    for case in ((*net, kind, n) for n in sizes)
                ]
                low, middle, high = np.transpose(
                    [np.quantile(_numbers(each, key), [0.25, 0.5, 0.75]) for each in these]
                )
                told.append(f"{title}, {', '.join(net)}: {', '.join(map(number, middle))}")
                if key == "cosine":
                    low, middle, high = np.degrees(np.arccos(np.clip([high, middle, low], -1, 1)))
                axes.vlines(place, low, high, color=look["color"], linewidth=1.6)
                axes.plot(place, middle, label=", ".join(net), markersize=6, **look)
            axes.set_xticks(np.arange(len(sizes)), sizes)
            axes.set(xlabel="minibatch", xlim=(-0.4, len(sizes) - 0.6))
            axes.set_title(title, size=12)
            if key == "cosine":
                axes.yaxis.set_major_formatter(FuncFormatter(lambda angle, _: f"{angle:g}°"))
        top = max(axes.get_ylim()[1] for axes in parts[:2])
        for axes in parts[:2]:
            axes.set_ylim(0, top)
        parts[0].set_ylabel("angle with the true gradient")
        parts[2].set_ylim(0, 1.05)
        legend(figure, *parts[0].get_legend_handles_labels())
        return Plot(
            figure,
            f"Means of clipped gradients, for minibatches of {', '.join(map(str, sizes))}: cosine "
            "with the true gradient, and how much the tenth of the examples with the largest "
            f"gradients counts, medians over networks. {'; '.join(told)}.",
        )


def _numbers(rows, key):
    if not rows:
        raise ValueError(f"rows lacks a {key}; expected all that one experiment gives")
    return as_real("rows", [row[key] for row in rows])


def _kind(row) -> str:
    if row["kind"] == "two parameters":
        return row["kind"]
    units = f"{row['n_h']} units"
    if row["kind"] == "symmetric":
        units += ", symmetric"
    return f"{units}, radius {row['radius']:g}"
