"""Long ways back made short: unfolded units, and what they still hold of each step before now."""

from collections.abc import Mapping

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import FixedLocator, FuncFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import DASHES, legend, powers
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import counted, number
from rnn_helpers.validate import as_array, as_count, as_kind, as_list, as_real

_NO_ARCS = np.zeros((0, 2))
_LOWEST = -12  # power of ten; what is smaller leaves the picture


def time_scales(
    units,
    *,
    arcs=(),
    one_step=True,
    heard=None,
    compare=None,
    at=None,
    title="gradient on the state, 1 now",
):
    """Draw units as unfolded graphs and, below, how much of each step before now they hold.

    A node is the fuller the higher its line, and hollow where nothing is left.

    Parameters
    ----------
    units : mapping of str to array_like, shape (n + 1,)
        For each unit, a size of at least 0 for 0 to n steps back: of a gradient, or of what a value
        read then has left in it.
    arcs : array_like of int, shape (m, 2), optional
        Edges of more than one step of the first unit: from how many steps back to how many.
    one_step : bool
        Whether the first unit has its edges of one step; dotted, they are removed.
    heard : array_like of bool, shape (n + 1,), optional
        Whether the first unit hears the input of then; by default it hears all.
    compare : mapping of str to array_like, shape (n + 1,), optional
        Sizes to compare with, such as the largest there can be: lines that are no unit's.
    at : int, optional
        How many steps back to mark, from 0 to n.
    title : str, optional
        What the sizes are of.

    Returns
    -------
    Plot
        Sizes on a logarithmic scale; those below 10^-12 leave the picture.
    """
    as_kind("units", units, Mapping, "a mapping of names to arrays")
    lines = {str(name): _sizes("units", array) for name, array in units.items()}
    if not lines:
        raise ValueError("units is empty; expected at least one unit")
    first, *others = lines.values()
    n = len(first) - 1
    as_kind("compare", {} if compare is None else compare, Mapping, "a mapping of names to arrays")
    compared = {str(name): _sizes("compare", array) for name, array in (compare or {}).items()}
    for name, arrays in ("units", others), ("compare", compared.values()):
        for array in arrays:
            if len(array) != n + 1:
                raise ValueError(
                    f"{name} has {len(array)} sizes; expected {n + 1}, as the first unit"
                )
    if not np.any([*lines.values()]):
        raise ValueError("units holds sizes of 0 alone; expected one that is larger")
    heard = np.ones(n + 1, bool) if heard is None else as_array("heard", heard)
    if heard.shape != (n + 1,) or heard.dtype != bool:
        raise ValueError(
            f"heard has shape {heard.shape} and dtype {heard.dtype}; expected ({n + 1},), bool"
        )
    arcs = as_real("arcs", as_list("arcs", arcs)) if len(as_list("arcs", arcs)) else _NO_ARCS
    if arcs.ndim != 2 or arcs.shape[1] != 2:
        raise ValueError(f"arcs has shape {arcs.shape}; expected (m, 2), from where to where")
    if (arcs < 0).any() or (arcs > n).any() or (arcs[:, 0] >= arcs[:, 1]).any():
        raise ValueError(f"arcs go beyond the steps; expected pairs that rise, from 0 to {n}")
    as_kind("one_step", one_step, bool, "True or False")
    as_kind("title", title, str, "words")
    if at is not None and as_count("at", at, 0) > n:
        raise ValueError(f"at is {at}; expected at most {n}")

    ends = _decades([*lines.values(), *compared.values()])
    with style():
        figure, (graph, axes) = subplots(2, 1, height=4.2, height_ratios=(1, 1.7), sharex=True)
        _unfolded(graph, lines, arcs, one_step, heard, ends)
        k = np.arange(n + 1)
        for i, (name, line) in enumerate(lines.items()):
            dots = {"marker": "o", "markersize": 2.5, "markevery": heard} if i == 0 else {}
            axes.plot(k, _logs(line), color=colour("gradient"), linestyle=DASHES[i % len(DASHES)],
                      linewidth=2.4 if i == 0 else 1.8, label=name, **dots)  # fmt: skip
            if at is not None and line[at] > 0:
                axes.plot(at, _logs(line)[at], "os"[i > 0], markersize=7, markeredgewidth=1.8,
                          color=colour("paper"), markeredgecolor=colour("gradient"))  # fmt: skip
        for i, (name, line) in enumerate(compared.items()):
            axes.plot(k, _logs(line), color=colour("ink"), linewidth=1.2,
                      dashes=(1, 2 + 2 * i), label=name)  # fmt: skip
        axes.set_ylim(*ends)
        axes.set_xlim(n + 0.5, -0.5)
        powers(axes)
        axes.xaxis.set_major_locator(FixedLocator(np.unique(np.linspace(0, n, 5).round())))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda k, _: f"{k:g}" if k else "now"))
        axes.set_xlabel("steps back")
        axes.set_title(title, color=colour("gradient"))
        if at is not None:
            for part in (graph, axes):
                part.axvline(at, color=colour("accent"), linewidth=1, dashes=(1.5, 2), zorder=0.5)
        legend(figure, *axes.get_legend_handles_labels())
        return Plot(figure, _alt(lines, arcs, heard, title, n if at is None else at))


def _sizes(name, array):
    array = as_real(name, array, float)
    if array.ndim != 1 or len(array) < 2:
        raise ValueError(f"{name} has shape {array.shape}; expected (n + 1,), now and before")
    if (array < 0).any():
        raise ValueError(f"{name} contains {array.min():g}; expected sizes of at least 0")
    return array


def _logs(line):
    """Decimal logarithms, NaN where there is nothing."""
    return np.log10(np.where(line > 0, line, np.nan))


def _decades(lines):
    """Powers of ten between which there is something to be seen, in fours, as the figure has it."""
    logs = np.log10([value for line in lines for value in line if value > 0])
    low = max(4 * np.floor(min(logs.min(), -1) / 4 + 1e-9), _LOWEST)
    return low, max(4 * np.ceil(logs.max() / 4 - 1e-9), 0)


def _unfolded(axes, lines, arcs, one_step, heard, ends):
    k = np.arange(len(heard))
    size = min(30, (250 / len(k)) ** 2)
    largest = max(line.max() for line in lines.values())
    low, high = ends[0], min(max(np.log10(largest), ends[0] + 1), 0)
    for row, line in enumerate(lines.values()):
        y = -2.0 * row
        dotted = row == 0 and not one_step
        axes.plot(k, np.full(len(k), y), color=colour("edge"), linewidth=0.8,
                  linestyle=":" if dotted else "-", zorder=1)  # fmt: skip
        axes.scatter(k, np.full(len(k), y), size, color=colour("paper"), zorder=2)
        full = np.nan_to_num(np.clip((_logs(line) - low) / (high - low), 0, 1))
        axes.scatter(k, np.full(len(k), y), size, color=colour("gradient"), alpha=full, zorder=3)
        axes.scatter(k, np.full(len(k), y), size, facecolors="none", linewidths=0.9,
                     edgecolors=[colour("state" if v > 0 else "edge") for v in line],
                     zorder=4)  # fmt: skip
    inputs = np.full(len(k), -1.0)
    axes.scatter(k[heard], inputs[heard], 0.5 * size, marker="s", color=colour("input"), zorder=3)
    axes.scatter(k[~heard], inputs[~heard], 0.5 * size, marker="s", facecolors="none",
                 edgecolors=colour("input"), linewidths=0.7, zorder=3)  # fmt: skip
    for start, end in arcs:
        lean = 0.2 * (end - start)
        points = [(start, 0), (start + lean, 2.2), (end - lean, 2.2), (end, 0)]
        path = Path(points, [Path.MOVETO, *[Path.CURVE4] * 3])
        axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour("edge"), linewidth=0.8))
    axes.set_ylim(-2 * (len(lines) - 1) - 1.4, 2.0 if len(arcs) else 0.6)
    axes.set_yticks([0, -1, *(-2 * row for row in range(1, len(lines)))],
                    ["$h$", "$x$", *["$h$"] * (len(lines) - 1)])  # fmt: skip
    axes.tick_params(axis="both", length=0, labelbottom=False)
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)


def _alt(lines, arcs, heard, title, at):
    n = len(heard) - 1
    sizes = ", ".join(f"{name} {number(line[at])}" for name, line in lines.items())
    words = f"{title}, over the last {n} steps, on a logarithmic scale. "
    words += f"{counted(at, 'step')} back: {sizes}."
    first = next(iter(lines.values()))
    if len(arcs):
        lengths = np.unique(np.diff(arcs, axis=1))
        words += f" Arcs go over {' and '.join(f'{length:g}' for length in lengths[:3])} steps."
    if not first.all():
        words += f" Of {n + 1} steps the first unit holds something of {np.count_nonzero(first)}."
    if not heard.all():
        words += f" It hears the input of {np.count_nonzero(heard)} of them."
    return words[0].upper() + words[1:]
