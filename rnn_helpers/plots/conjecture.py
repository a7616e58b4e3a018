"""Methods compared in pairs on several tasks: rates of success, and their differences."""

from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import _interval, legend
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_kind, as_list, as_number

# How two methods compare: the marker, its face, and what it is called.
_KINDS = {
    "alike": ("o", "gradient"),
    "undecided": ("o", "paper"),
    "apart": ("X", "gradient"),
}
_SIZES = {"o": 5, "X": 6}


def paired_success(rows, *, reference="norm", margin=0.1):
    """Draw how often each method succeeds on each task, and the differences from one of them.

    Above, the rates with their intervals; below, the paired differences from the reference, with
    the margin within which they count as none. A difference is drawn as a disc where its whole
    interval lies within the margin (alike), as a cross where the interval leaves out 0 (apart), and
    as a ring where neither can be said.

    Parameters
    ----------
    rows : sequence of dict
        One for each task and method, with ``task``, ``method``, ``rate``, ``low``, ``high`` and
        ``against``: from the name of another method to difference, low and high. Such are the rows
        of the experiment ``clipping-conjecture``.
    reference : str
        The method that the others are compared with.
    margin : float
        Largest difference that counts as none, above 0 and below 1.

    Returns
    -------
    Plot

    Raises
    ------
    TypeError
        If a row is no dict, `reference` no name, or `margin` not a number.
    ValueError
        If there are no rows, a key is missing, an interval does not hold its value, the reference
        is missing from a task, or the margin is out of range.
    """
    as_kind("reference", reference, str, "the name of a method")
    as_number("margin", margin, "a number above 0 and below 1", lambda value: 0 < value < 1)
    tasks = {}
    for row in as_list("rows", rows):
        task, name, rate, difference = _read(row, reference)
        tasks.setdefault(task, {})[name] = rate, difference
    if not tasks:
        raise ValueError("rows is empty; expected at least one dict with task, method, rate, ...")
    if missing := [task for task, methods in tasks.items() if reference not in methods]:
        raise ValueError(f"reference is {reference!r}, which rows lacks for the task {missing[0]}")
    names = list(dict.fromkeys(name for methods in tasks.values() for name in methods))
    others = [name for name in names if name != reference]

    with style():
        height = 1.8 + 0.19 * (len(names) + len(others))
        figure, axes = subplots(
            2,
            len(tasks),
            width=6.4,
            height=height,
            sharey="row",
            squeeze=False,
            height_ratios=(len(names), max(1, len(others))),
        )
        told = []
        for column, (task, methods) in enumerate(tasks.items()):
            above, below = axes[:, column]
            for y, name in enumerate(names):
                if name in methods:
                    _dot(above, y, methods[name][0], "o", "ink", "ink")
            below.axvspan(-margin, margin, color=colour("grid"), linewidth=0, zorder=0)
            below.axvline(0, color=colour("edge"), linewidth=1, zorder=0.5)
            said = []
            for y, name in enumerate(others):
                if name in methods:
                    found = methods[name][1]
                    kind = _kind(found, margin)
                    marker, face = _KINDS[kind]
                    _dot(below, y, found, marker, "gradient", face)
                    said.append(f"{name} {number(found['value'])} ({kind})")
            rates = [f"{name} {number(rate['value'])}" for name, (rate, _) in methods.items()]
            told.append(f"{task}: {', '.join(rates)}; minus {reference}: {', '.join(said)}")
            above.set_title(task)
            above.set_xlim(-0.03, 1.03)
            above.set_xticks([0, 0.5, 1], ["0", "½", "1"])
        reach = 1.04 * max(
            abs(end)
            for methods in tasks.values()
            for name, (_, found) in methods.items()
            if name != reference
            for end in (found["low"], found["high"])
        ) if others else 1.0  # fmt: skip
        for below in axes[1]:
            below.set_xlim(-reach, reach)
            below.xaxis.set_major_locator(MaxNLocator(3))
            below.xaxis.set_major_formatter(
                FuncFormatter(lambda value, _: f"{value:g}".replace("-", "−"))
            )
        for row, listed in zip(axes, (names, others), strict=True):
            row[0].set_yticks(range(len(listed)), listed)
            row[0].set_ylim(len(listed) - 0.4, -0.6)
            for part in row:
                part.grid(False, axis="y")
                part.grid(True, axis="x")
                part.spines.left.set_visible(False)
        figure.supxlabel(
            f"rate of success; below, minus that of {reference} (grey: within {number(margin)})",
            size=11,
        )
        looks = [
            Line2D([], [], color=colour("gradient"), marker=marker, markersize=_SIZES[marker],
                   markerfacecolor=colour(face), linewidth=1.6)
            for marker, face in _KINDS.values()
        ]  # fmt: skip
        legend(figure, looks, [*_KINDS])
        return Plot(
            figure, f"Rates of success. {'. '.join(told)}. Alike means within {number(margin)}."
        )


def _dot(axes, y, found, marker, kind, face):
    ink = colour(kind)
    axes.plot([found["low"], found["high"]], [y, y], color=ink, linewidth=1.6, clip_on=False)
    look = {"color": ink, "markerfacecolor": colour(face), "markeredgewidth": 1.2}
    axes.plot(found["value"], y, marker, markersize=_SIZES[marker], clip_on=False, **look)


def _kind(found, margin):
    if found["low"] >= -margin and found["high"] <= margin:
        return "alike"
    return "apart" if found["low"] > 0 or found["high"] < 0 else "undecided"


def _read(row, reference):
    """Task and method of a row, its rate and its difference from the reference, each checked."""
    as_kind("rows", row, dict, "dicts with task, method, rate, low, high, against")
    needed = ("task", "method", "rate", "low", "high", "against")
    if missing := [key for key in needed if key not in row]:
        raise ValueError(f"rows holds a row without {', '.join(missing)}")
    name, against = str(row["method"]), as_kind("rows: against", row["against"], dict, "a dict")
    rate = _interval(
        {"label": name, "value": row["rate"], "low": row["low"], "high": row["high"]}, 0
    )
    if name == reference:
        return str(row["task"]), name, rate, None
    if reference not in against:
        raise ValueError(f"rows: {name!r} is not compared with reference {reference!r}")
    three = as_list(f"rows: {name!r} against {reference!r}", against[reference])
    difference = _interval(
        {"label": name, **dict(zip(("value", "low", "high"), three, strict=False))}, 0
    )
    return str(row["task"]), name, rate, difference
