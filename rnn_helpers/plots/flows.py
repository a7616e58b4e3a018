"""The length of a gradient on its way back, and the terms that add up to Omega."""

from collections.abc import Mapping

import numpy as np

from rnn_helpers import reference
from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import whole
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_list

_DASHES = ("-", (0, (4, 2)), (0, (1, 1.4)), (0, (6, 2, 1, 2)))
_MOST = len(_DASHES)


def gradient_flow(params, run, grad_last, *, others=None):
    """Draw a gradient's length on its way back, the ratios of (G 10.52), and Omega adding up.

    Parameters
    ----------
    params : mapping
        Parameters of the one network that made the run.
    run : Run
        Return value of `rnn_forward` for one sequence of at least two steps.
    grad_last : array_like, shape (n_h,)
        Gradient on ``h^(T)`` of a loss at the last step; not 0.
    others : mapping of str to (params, run), optional
        Other networks of as many units and steps, four at most, whose lengths are drawn too.

    Returns
    -------
    Plot
        Lengths are relative to that of `grad_last`. Where the gradient is 0, nothing is drawn, and
        Omega has no term.

    Raises
    ------
    ValueError
        If `run` is not of one sequence and one network.
    """
    length, ratio = _way_back(params, run, grad_last)
    T = len(length)
    others = dict(_named("others", others))
    for name, pair in others.items():
        if len(as_list(f"others of {name!r}", pair)) != 2:
            raise ValueError(f"others of {name!r} has length {len(pair)}; expected (params, run)")
    others = {name: _way_back(*pair, grad_last)[0] for name, pair in others.items()}
    for name, each in others.items():
        if len(each) != T:
            raise ValueError(f"others of {name!r} has {len(each)} steps; expected {T}, as the run")
    terms = np.nan_to_num((ratio - 1) ** 2)
    sums = terms[::-1].cumsum()[::-1]
    radii = np.sort(np.abs(np.linalg.eigvals(np.asarray(params["W"]))))[::-1]
    steps, middle = np.arange(1, T + 1), np.arange(2, T + 1) - 0.5
    gradient, loss, muted = (colour(name) for name in ("gradient", "loss", "muted"))

    with style():
        figure, grid = subplots(3, height=4.9, height_ratios=[1.5, 1, 1.1])
        curve, ratios, total = grid
        for (name, each), dash in zip(others.items(), _DASHES[1:] + _DASHES[:1], strict=False):
            curve.plot(steps, each, color=muted, linewidth=1.2, linestyle=dash, label=name)
        alive = np.where(length > 0, length, np.nan)
        curve.plot(steps, alive, color=gradient, marker="v", markersize=4.5, clip_on=False)
        curve.set(yscale="log")
        drawn = np.concatenate([length, *others.values()])
        drawn = drawn[drawn > 0]
        low, high = drawn.min(initial=0.1), drawn.max(initial=2)
        curve.set_ylim(low / (high / low) ** 0.06, high * (high / low) ** 0.1)
        curve.minorticks_off()
        curve.set_title("length of the gradient at $h^{(t)}$, 1 at the end", color=gradient)
        if others:
            curve.legend(loc="best")
        ratios.axhline(1, color=colour("edge"), linewidth=1, linestyle=(0, (4, 2)))
        ratios.vlines(middle, 1, ratio, color=gradient, linewidth=2.2)
        ratios.plot(middle, ratio, "o", color=gradient, markersize=4.5)
        ratios.set_ylim(0, max(1.25, 1.08 * np.nanmax(ratio)))
        ratios.set_title("ratio of lengths, after the step to before it")
        total.bar(middle, sums, 1, color=loss, alpha=0.16, linewidth=0)
        total.bar(middle, terms, 1, bottom=sums - terms, color=loss, linewidth=0)
        total.set_ylim(0, 1.12 * max(sums[0], 1e-3))
        title = r"$(\mathrm{ratio} - 1)^2$ adding up to $\Omega$ = " + number(sums[0])
        total.set_title(title, color=loss)
        total.set_xlabel("step $t$")
        for axes in grid:
            axes.set_xlim(0.7, T + 0.3)
            axes.xaxis.set_major_locator(whole())
            axes.tick_params(labelbottom=axes is total)
        return Plot(figure, _alt(length, ratio, sums[0], radii))


def _way_back(params, run, grad_last):
    """Return the relative lengths at ``h^(1) .. h^(T)`` and the ratios of the steps ``2 .. T``."""
    grad_h = reference.gradient_through_time(params, run, grad_last)[1:]
    if grad_h.ndim != 2 or len(grad_h) < 2:
        raise ValueError(
            f"run has states of shape {grad_h.shape}; expected one sequence of two steps or more"
        )
    if not grad_h[-1].any():
        raise ValueError("grad_last is 0; expected a gradient that has a direction")
    length = reference.gradient_size(grad_h)
    flowed = reference.flowed_back(grad_h[1:], reference.state_jacobians(params, run)[1:])
    zero = length[1:] == 0
    ratio = reference.gradient_size(flowed) / np.where(zero, 1, length[1:])
    return length / length[-1], np.where(zero, np.nan, ratio)


def _named(name, given):
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        raise TypeError(f"{name} is {type(given).__name__}; expected a mapping of names")
    if len(given) > _MOST:
        raise ValueError(f"{name} has {len(given)} names; expected {_MOST} at most")
    return given.items()


def _alt(length, ratio, omega, radii):
    T, missing = len(length), int(np.isnan(ratio).sum())
    return (
        f"Going back from step {T}, the length of a gradient goes from 1 to {number(length[0])}; "
        f"the steps leave between {number(np.nanmin(ratio))} and {number(np.nanmax(ratio))} of it"
        + (f", {missing} have none to leave" if missing else "")
        + f". The squared distances of these ratios from 1 add up to Omega = {number(omega)}. The "
        f"largest eigenvalue of W is {number(radii[0])} in size, the smallest {number(radii[-1])}."
    )
