"""Plots of repeated maps: compositions of a layer with itself, and products of many factors."""

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import legend
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.reference import direction_changes
from rnn_helpers.validate import as_count, as_real

_BIN = 0.25  # of a decade


def composition(x, y, slopes=None, *, xlabel="start", ylabel="projection"):
    """Plot a curve and a histogram of the sizes of its slopes.

    The steepest pieces of the curve, which together account for half of its rising and falling,
    have a color of their own in both plots.

    Parameters
    ----------
    x : array_like, shape (n,)
        At least two increasing numbers. The shares of the line are exact only if the numbers are
        evenly spaced.
    y : array_like, shape (n,)
        Heights of the curve, such as projections of the states that a network reaches from initial
        states on a line.
    slopes : array_like, shape (n,), optional
        The derivative dy/dx; by default estimated from `x` and `y`.
    xlabel, ylabel : str
        Names of the axes.

    Returns
    -------
    Plot
    """
    x, y = as_real("x", x), as_real("y", y)
    if x.ndim != 1 or len(x) < 2 or not (np.diff(x) > 0).all():
        raise ValueError(f"x has shape {x.shape}; expected at least two increasing numbers")
    if y.shape != x.shape:
        raise ValueError(f"y has shape {y.shape}; expected {x.shape}, as x")
    sizes = np.abs(np.gradient(y, x) if slopes is None else as_real("slopes", slopes))
    if sizes.shape != x.shape:
        raise ValueError(f"slopes has shape {sizes.shape}; expected {x.shape}, as x")
    share, least = _steepest(sizes)
    steep = (sizes >= least) & (sizes > sizes.min())  # none on a straight line
    with style():
        figure, (curve, bars) = subplots(1, 2, height=2.9, width_ratios=(2.6, 1))
        curve.plot(x, y, color=colour("state"), linewidth=1.1)
        # Start each piece at the previous point, so that pieces have no gaps.
        pieces = np.where(steep | np.append(steep[1:], False), y, np.nan)
        curve.plot(x, pieces, color=colour("gradient"), linewidth=1.1)
        curve.set(xlabel=xlabel, ylabel=ylabel, xlim=(x[0], x[-1]))
        _histogram(bars, sizes, least if steep.any() else np.inf)
        turns = direction_changes(y)
        alt = (
            f"{ylabel} against {xlabel}, from {number(x[0])} to {number(x[-1])}: a curve that "
            f"turns {turns} times, between {number(y.min())} and {number(y.max())}. Half of its "
            f"rising and falling happens on {100 * share:.2g} % of the line. The median size of "
            f"the slope is {number(np.median(sizes))}, and the largest is {number(sizes.max())}."
        )
        return Plot(figure, alt)


def _steepest(sizes):
    """Return the smallest share of points with half of the sum of sizes, and its least size."""
    ordered = np.sort(sizes)[::-1]
    climbed = np.cumsum(ordered)
    at = np.searchsorted(climbed, climbed[-1] / 2)
    return (at + 1) / len(sizes), ordered[at]


def _histogram(axes, sizes, least):
    top = np.ceil(np.log10(sizes.max() or 1) / _BIN) * _BIN
    edges = top + _BIN * np.arange(-20, 1)
    places = np.log10(np.maximum(sizes, 10 ** edges[0]))
    axes.hist(
        [places[sizes < least], places[sizes >= least]],
        edges,
        stacked=True,
        color=[colour("state"), colour("gradient")],
        rwidth=0.85,
    )
    axes.set(xlabel="size of the slope", yticks=[])
    axes.grid(False)
    axes.spines.left.set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(_tick))


def products(factors, rms=None, *, shown=20):
    """Plot the sizes of products against their number of factors, with median and root mean square.

    Parameters
    ----------
    factors : array_like, shape (n, S)
        The n factors of each of S products, such as weights, or the factors by which layers change
        the length of a state. None of them is 0.
    rms : array_like, shape (n,), optional
        True root mean square of a product of the first 1, 2, ..., n factors, for comparison.
    shown : int
        Number of products that are drawn as lines.

    Returns
    -------
    Plot
    """
    factors = as_real("factors", factors, float)
    if factors.ndim != 2 or 0 in factors.shape:
        raise ValueError(f"factors has shape {factors.shape}; expected (n, S)")
    if (factors == 0).any():
        raise ValueError("factors contains 0; expected numbers whose logarithm exists")
    n, S = factors.shape
    shown = min(as_count("shown", shown), S)
    # Products can underflow, so compute with logarithms.
    logs = np.vstack([np.zeros(S), np.cumsum(np.log10(np.abs(factors)), axis=0)])
    median = np.median(logs, axis=1)
    top = logs.max(axis=1)
    seen = top + np.log10(np.mean(100 ** (logs - top[:, None]), axis=1)) / 2
    true = None
    if rms is not None:
        true = as_real("rms", rms, float)
        if true.shape != (n,) or (true <= 0).any():
            raise ValueError(f"rms has shape {true.shape}; expected ({n},), numbers above 0")
        true = np.append(0, np.log10(true))
    t = np.arange(n + 1)
    with style():
        figure, axes = subplots(height=3.4)
        chosen = logs[:, :: S // shown][:, :shown]
        axes.plot(t, chosen, color=colour("state"), alpha=0.3, linewidth=0.8)
        axes.plot(t, median, color=colour("state"), linewidth=2.8, label="median")
        if true is not None:
            ink = {"color": colour("ink"), "linewidth": 1.8}
            axes.plot(t, true, **ink, label="true root mean square")
        dashes = (0, (4, 1.5))
        axes.plot(
            t, seen, color=colour("ink"), linestyle=dashes, label="root mean square of the sample"
        )
        # Let a few extreme lines leave the plot, so that the others stay readable.
        low, high = np.quantile(chosen[-1], [0.02, 0.98])
        ends = [0, low, high, median[-1], np.minimum(seen[-1], high + 0.3 * n)]
        ends += [] if true is None else [np.minimum(true[-1], high + 0.3 * n)]
        margin = 0.04 * (np.ptp(ends) or 1)
        axes.set(xlim=(0, n), ylim=(min(ends) - margin, max(ends) + margin))
        axes.set(xlabel="number of factors", ylabel="size of the product")
        if np.ptp(ends) > 4:
            axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        else:
            decades = np.arange(np.floor(min(ends)), np.ceil(max(ends)) + 1)
            axes.yaxis.set_major_locator(
                FixedLocator((decades + np.log10([[1], [2], [5]])).ravel())
            )
        axes.yaxis.set_major_formatter(FuncFormatter(_tick))
        legend(figure, *axes.get_legend_handles_labels())
        alt = (
            f"Sizes of {S} products of up to {n} factors. Their median goes from 1 to "
            f"{_size(median[-1])}, the root mean square of this sample "
            f"goes to {_size(seen[-1])}"
        )
        if true is not None:
            as_large = np.sum(logs[-1] >= true[-1])
            alt += f", and the true root mean square to {_size(true[-1])}. {as_large} of the "
            alt += f"{S} products are at least as large"
        return Plot(figure, f"{alt}.")


def _tick(power, _):
    return f"$10^{{{power:g}}}$" if power and power == round(power) else f"{10**power:.2g}"


def _size(log):
    """Write a number, given by its log10, that may be too small or too large for a float."""
    if abs(log) < 5:
        return number(10**log)
    power = int(np.floor(log))
    return f"{10 ** (log - power):.1f}e{power}"
