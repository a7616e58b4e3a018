"""What a reservoir remembers, whether it forgets where it began, and where on a map it stands."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, WIDTH, Plot, style
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_count, as_list, as_real

_LEAST = 1e-10  # smaller distances are drawn at the edge


def reservoir_memory(capacity, gap, *, plane=None, at=None, delay=None):
    """Draw what a reservoir remembers of past inputs, and how two starts of it come together.

    Parameters
    ----------
    capacity : array_like, shape (K + 1,)
        Share remembered for each delay from 0 on, as `memory_capacity` gives it.
    gap : array_like, shape (T + 1,)
        Distance of the states from two starts, as `echo_state_gap` gives it.
    plane : (radii, scales, totals), optional
        Total memory measured at other settings, (n_scales, n_radii), drawn as a map beside the two
        curves, each number as far as halfway to its neighbours. Radii and scales increase; scales
        are above 0.
    at : (float, float), optional
        Radius and input scale of this reservoir, a point on the map.
    delay : int, optional
        A delay to mark, from 0 to K.

    Returns
    -------
    Plot
    """
    capacity, gap = _curve("capacity", capacity), _curve("gap", gap)
    if capacity.max() > 1 + 1e-9:
        raise ValueError(f"capacity reaches {capacity.max()}; expected shares of at most 1")
    K, T, total = len(capacity) - 1, len(gap) - 1, capacity[1:].sum()
    if delay is not None and as_count("delay", delay, 0) > K:
        raise ValueError(f"delay is {delay}; expected one from 0 to {K}")
    plane = None if plane is None else _as_plane(plane)
    if at is not None:
        at = as_real("at", at)
        if at.shape != (2,) or at[0] < 0 or at[1] <= 0:
            raise ValueError(f"at is {at}; expected a radius of at least 0 and a scale above 0")
    with style():
        figure = Figure(figsize=(WIDTH, 3.3), layout="constrained")
        if plane is None:
            shares, gaps = figure.subplots(1, 2)
        else:
            axes = figure.subplot_mosaic([["map", "shares"], ["map", "gaps"]])
            _map(axes["map"], *plane, at)
            shares, gaps = axes["shares"], axes["gaps"]
        shares.fill_between(range(K + 1), capacity, color=colour("state"), alpha=0.16, linewidth=0)
        shares.plot(capacity, color=colour("state"))
        shares.set(ylim=(0, 1.05), xlim=(0, K), yticks=(0, 1), xlabel="delay $k$")
        shares.set_title(f"remembers {number(total)} inputs")
        if delay is not None:
            shares.axvline(delay, color=colour("accent"), linewidth=1.2, linestyle=":")
            shares.plot(delay, capacity[delay], "o", color=colour("accent"), clip_on=False)
        gaps.plot(np.maximum(gap, _LEAST), color=colour("state"))
        gaps.set(yscale="log", ylim=(_LEAST, 1e2), xlim=(0, T), xlabel="step")
        gaps.yaxis.set_major_locator(FixedLocator([1e-8, 1e-4, 1]))
        gaps.yaxis.set_minor_locator(NullLocator())
        gaps.set_title("distance of two starts")
        where = "" if at is None else " at radius {} and input scale {}".format(*map(number, at))
        alt = (
            f"A reservoir{where} remembers {number(total)} past inputs: of the last one a share of "
            f"{number(capacity[min(1, K)])}, of that of {K} steps ago {number(capacity[K])}."
        )
        if delay is not None:
            alt += f" At a delay of {delay} the share is {number(capacity[delay])}."
        alt += f" Two starts, {number(gap[0])} apart, are {number(gap[-1])} apart after {T} steps."
        if plane is not None:
            radii, scales, totals = plane
            best = [number(radii[row.argmax()]) for row in totals]
            told = ", ".join(
                f"{radius} at input scale {number(scale)}"
                for radius, scale in zip(best, scales, strict=True)
            )
            alt += f" On the map most is remembered at a radius of {told}."
        return Plot(figure, alt)


def _curve(name, values):
    values = as_real(name, values)
    if values.ndim != 1 or len(values) < 2:
        raise ValueError(f"{name} has shape {values.shape}; expected at least two numbers in a row")
    if values.min() < 0:
        raise ValueError(f"{name} has {values.min()}; expected numbers of at least 0")
    return values


def _as_plane(plane):
    parts = as_list("plane", plane)
    if len(parts) != 3:
        raise ValueError(f"plane has {len(parts)} parts; expected radii, scales and totals")
    radii, scales, totals = (as_real("plane", part) for part in parts)
    for values, least in ((radii, 0), (scales, np.finfo(float).tiny)):
        if values.ndim != 1 or len(values) < 2 or values[0] < least or (np.diff(values) <= 0).any():
            raise ValueError("plane has radii or scales that do not increase; expected two or more")
    if totals.shape != (len(scales), len(radii)):
        raise ValueError(
            f"plane has totals of shape {totals.shape}; expected ({len(scales)}, {len(radii)})"
        )
    return radii, scales, totals


def _map(axes, radii, scales, totals, at):
    logs = np.log10(scales)
    mesh = axes.pcolormesh(
        _edges(radii), 10 ** _edges(logs), totals, cmap=COLOUR_MAPS["amount", "light"], vmin=0
    )
    axes.axvline(1, color=colour("ink"), linewidth=1.2, linestyle=":")
    axes.set(yscale="log", xlabel="radius", ylabel="input scale", xlim=(radii[0], radii[-1]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.grid(False)
    axes.set_title("memory")
    if at is not None:
        axes.plot(
            *at, "o", color=colour("accent"), markersize=9, markeredgecolor=colour("paper"),
            clip_on=False,
        )  # fmt: skip
        for value, limits, put in zip(
            at, (axes.get_xlim(), axes.get_ylim()), (axes.set_xlim, axes.set_ylim), strict=True
        ):
            put(min(limits[0], value), max(limits[1], value))
    bar = axes.figure.colorbar(mesh, ax=axes, location="bottom", aspect=30, pad=0.02)
    bar.outline.set_visible(False)


def _edges(values):
    """Halfway between neighbours, and as far beyond the first and the last."""
    between = (values[1:] + values[:-1]) / 2
    return np.concatenate([[2 * values[0] - between[0]], between, [2 * values[-1] - between[-1]]])
