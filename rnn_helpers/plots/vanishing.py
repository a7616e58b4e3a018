"""Plots of vanishing gradients: in a network over many steps, and in one unit that holds a bit."""

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rnn_helpers import reference
from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import powers, whole
from rnn_helpers.plots.plot import COLOUR_MAPS, WIDTH, Plot, as_step, style, subplots
from rnn_helpers.plots.words import counted, number, power
from rnn_helpers.reference.rnn import NONLINEARITIES
from rnn_helpers.validate import as_choice, as_count, as_number, as_real

# A unit's function, and its slope as a function of the state.
_UNITS = {
    "tanh": (np.tanh, lambda h: 1 - h**2),
    "linear": (lambda a: a, np.ones_like),
}


def gradient_through_time(params, run, grad_last, *, at=None):
    """Plot the size of a gradient on its way back, and the factors of each step.

    Each step multiplies the gradient by the slopes of the units and then by the transposed weights,
    (G 10.21). Bars show by how much each of the two factors changes the gradient's length, and a
    heat map shows the slopes.

    Parameters
    ----------
    params : mapping
        Parameters of one network.
    run : Run
        Result of `rnn_forward` for one sequence.
    grad_last : array_like, shape (n_h,)
        Gradient of a loss at the last step with respect to ``h^(T)``; not 0.
    at : int, optional
        Step to mark, from 1 to T.

    Returns
    -------
    Plot
        Sizes are relative to that of `grad_last`. The curve ends where the gradient underflows
        to 0.

    Raises
    ------
    ValueError
        If `run` has several sequences or networks.
    """
    grad_h = reference.gradient_through_time(params, run, grad_last)
    if grad_h.ndim != 2:
        raise ValueError(f"run has states of shape {grad_h.shape}; expected one sequence")
    T, n_h = grad_h.shape[0] - 1, grad_h.shape[1]
    if not grad_h[-1].any():
        raise ValueError("grad_last is 0; expected a gradient that has a direction")
    as_step("at", at, T)
    slopes = NONLINEARITIES[run.nonlinearity].slope(run.h)
    size, gated = _log_size(grad_h), _log_size(slopes * grad_h[1:])
    first = int(np.argmax(np.isfinite(size)))  # first state whose gradient isn't 0
    steps = np.arange(first, T + 1)
    size, gated = size[first:] - size[-1], gated[first:] - size[-1]
    by_slopes, by_weights = gated - size[1:], size[:-1] - gated

    with style():
        figure, (curve, bars, units) = subplots(
            3, height=4.6, sharex=True, height_ratios=(5, 4, 2.2 if n_h < 20 else 4)
        )
        curve.plot(steps, size, color=colour("gradient"), marker="v", markersize=3.5, clip_on=False)
        curve.set_title(
            r"size of the gradient $\partial L / \partial h^{(t)}$, 1 at the loss",
            color=colour("gradient"),
        )
        _set_range(curve, size)
        middle = steps[1:] - 0.5
        bars.bar(middle + 0.2, by_slopes, 0.4, color=colour("state"), label="the slopes")
        bars.bar(
            *(middle - 0.2, by_weights, 0.4), label="the weights",
            facecolor="none", edgecolor=colour("parameter"),
        )  # fmt: skip
        bars.axhline(0, color=colour("edge"), linewidth=0.9)
        bars.set_title("each step multiplies by")
        bars.legend(loc="lower left", bbox_to_anchor=(0.4, 1.0), ncols=2, borderaxespad=0,
                    columnspacing=1, handlelength=1)  # fmt: skip
        each = np.concatenate([by_slopes, by_weights])
        bars.set_ylim(min(1.1 * each.min(), -1), max(1.1 * each.max(), 0.2))
        for axes in (curve, bars):
            powers(axes, 4)
        units.imshow(
            slopes.T, cmap=COLOUR_MAPS["amount", "light"], vmin=0, vmax=1, aspect="auto",
            extent=(0, T, n_h + 0.5, 0.5),
        )  # fmt: skip
        units.set_title("slopes of the units: blank is 0", color=colour("state"))
        units.set_yticks([1, n_h] if n_h > 1 else [1])
        units.grid(False)
        units.xaxis.set_major_locator(whole())
        units.set_xlabel("step $t$")
        for axes in (curve, bars, units) if at is not None else ():
            axes.axvspan(at - 1, at, color=colour("accent"), alpha=0.18, linewidth=0, zorder=0.5)
        dead = f" and is exactly 0 before step {first}" if first else ""
        alt = (
            f"From the last of {T} steps back to the first, the size of the gradient goes from 1 "
            f"to {power(size[0])}{dead}. Over all steps, the slopes of the units multiply it by "
            f"{power(by_slopes.sum())}, and the weights by {power(by_weights.sum())}. The median "
            f"slope is {number(np.median(slopes))}."
        )
        return Plot(figure, alt)


def latch(h, w, *, nonlinearity="tanh", run=0):
    """Plot whether one recurrent unit holds its initial sign.

    The left panel shows the map from one state to the next, with the diagonal. The right panel
    shows all runs, with one of them highlighted. Below, on a logarithmic scale, is the derivative
    of that run's state with respect to its first state.

    Parameters
    ----------
    h : array_like, shape (T + 1,) or (T + 1, R)
        States ``h^(0) .. h^(T)`` of one run, or of R runs, of ``h <- f(w h + noise)``.
    w : float
        Recurrent weight of the unit; not 0.
    nonlinearity : {"tanh", "linear"}
        The function f.
    run : int
        Index of the run to highlight, from 0.

    Returns
    -------
    Plot
    """
    h = as_real("h", h)
    h = h[:, None] if h.ndim == 1 else h
    if h.ndim != 2 or len(h) < 2 or not h.shape[1]:
        raise ValueError(f"h has shape {h.shape}; expected (T + 1,) or (T + 1, R), T at least 1")
    as_number("w", w, "a finite number other than 0", lambda value: np.isfinite(value) and value)
    function, slope = _UNITS[as_choice("nonlinearity", nonlinearity, _UNITS)]
    if nonlinearity == "tanh" and not (np.abs(h[1:]) < 1).all():
        raise ValueError(f"h reaches {np.abs(h[1:]).max()}; a tanh unit stays between -1 and 1")
    if as_count("run", run, 0) >= h.shape[1]:
        raise ValueError(f"run is {run}; expected less than {h.shape[1]}, the number of runs")
    steps = np.arange(len(h))
    logs = np.append(0, np.cumsum(np.log10(np.abs(w * slope(h[1:, run])))))
    several = counted(h.shape[1], "run")
    kept = int(((h[-1] < 0) == (h[0] < 0)).sum())
    reach = 1.5 if nonlinearity == "tanh" else float(np.quantile(np.abs(h), 0.98)) * 1.15 or 1
    rests = _rests(w) if nonlinearity == "tanh" else []

    with style():
        figure = Figure(figsize=(WIDTH, 3.5), layout="constrained")
        axes = figure.subplot_mosaic(
            [["map", "runs"], ["words", "gradient"]], width_ratios=(1, 2), height_ratios=(5, 3)
        )
        mapping, runs, gradient = axes["map"], axes["runs"], axes["gradient"]
        grid = np.linspace(-reach, reach, 201)
        mapping.plot(grid, grid, color=colour("edge"), linewidth=1)
        mapping.plot(grid, function(w * grid), color=colour("ink"))
        mapping.plot(rests, rests, "o", color=colour("state"))
        mapping.set(xlim=(-reach, reach), ylim=(-reach, reach), xlabel="$h^{(t-1)}$")
        mapping.xaxis.set_major_locator(MaxNLocator(3))
        for value in rests:
            runs.axhline(value, color=colour("state"), linewidth=1, linestyle=(0, (1.2, 1.6)))
        each = [np.column_stack([steps, one]) for one in h.T]
        runs.add_collection(
            LineCollection(each, colors=colour("state"), alpha=0.12, linewidths=0.7), autolim=False
        )
        runs.plot(steps, h[:, run], color=colour("state"), linewidth=1.3)
        runs.set(ylim=(-reach, reach))
        runs.sharex(gradient)
        runs.tick_params(labelbottom=False)
        for one in (mapping, runs):
            one.yaxis.set_major_locator(MaxNLocator(3))
        mapping.set_title("$h^{(t)}$", color=colour("state"))
        runs.set_title(f"$h^{{(t)}}$ in {several}", color=colour("state"))
        gradient.plot(steps, logs, color=colour("gradient"))
        _set_range(gradient, logs)
        powers(gradient, 4)
        gradient.xaxis.set_major_locator(whole())
        gradient.set_title(
            r"$\partial h^{(t)} / \partial h^{(0)}$"
            + (" of the run in front" if h.shape[1] > 1 else ""),
            color=colour("gradient"),
        )
        gradient.set_xlabel("step $t$")
        axes["words"].set_axis_off()
        axes["words"].text(0, 0.5, f"{kept} of {several}\nkeep their sign", va="center")
        pulls = ""
        if rests:
            pulls = f", with attractors at {number(-rests[-1])} and {number(rests[-1])}"
        alt = (
            f"The map of a {nonlinearity} unit with w = {number(w)} from one state to the next"
            f"{pulls}. {several} of {len(h) - 1} steps, of "
            f"which {kept} end with their original sign. The derivative of one run's state "
            f"with respect to its first state "
            + ("stays at 1." if np.ptp(logs) < 1e-9 else f"goes from 1 to {power(logs[-1])}.")
        )
        return Plot(figure, alt)


def _log_size(vectors):
    """Return log10 of each vector's length, even if the squares of its entries underflow."""
    largest = np.abs(vectors).max(axis=-1)
    scaled = vectors / np.where(largest, largest, 1)[:, None]
    with np.errstate(divide="ignore"):
        return np.log10(largest) + np.log10(np.linalg.norm(scaled, axis=-1))


def _set_range(axes, logs):
    """Set a range with some margin that contains all logarithms, and at least 0.01 to 1."""
    low, high = min(logs.min(), -2), max(logs.max(), 0)
    axes.set_ylim(1.05 * low - 0.05 * high, 1.05 * high - 0.05 * low)


def _rests(w):
    """Return the two attractors of ``h <- tanh(w h)``, or an empty list if w <= 1."""
    if w <= 1:
        return []
    h = 1.0
    for _ in range(50):  # Newton's method, from above
        f = np.tanh(w * h)
        h -= (h - f) / (1 - w * (1 - f**2))
    return [-h, h]
