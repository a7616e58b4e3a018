"""Units with clocks over time: what they generate, when each moves, what it keeps until then."""

import numpy as np
from matplotlib.ticker import MultipleLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import whole
from rnn_helpers.plots.plot import COLOUR_MAPS, Plot, as_step, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_array, as_choice, as_count, as_kind, as_list, as_real


def clock_raster(h, moves, said, right, *, groups, reads=0, held=None, since=1, at=None):
    """Draw what a network with clocks says, and below it the states of its units, group by group.

    A mark stands above each step at which a group moves; between two marks its states are kept.

    Parameters
    ----------
    h : array_like, shape (T, n_h)
        States of one sequence, from -1 to 1.
    moves : array_like of bool, shape (T, n_h)
        Whether each unit moves at each step, as `clock_moves` gives it.
    said, right : array_like, shape (T,)
        What the network says at each step, and what would be right.
    groups : dict of str to sequence of int
        Units of each group, from 0, by the group's name, in the order of the drawing; all units of
        a group move together.
    reads : int
        Steps at the start at which the network reads the signal; what it says is drawn from the
        last of them on.
    held : str, optional
        Name of a group whose clock was changed by hand, to mark.
    since : int
        Step, from 1, from which it was changed.
    at : int, optional
        A step from 1 to T to mark.

    Raises
    ------
    ValueError
        If the units of a group do not move together.
    """
    h, moves = as_real("h", h), as_array("moves", moves)
    said, right = as_real("said", said), as_real("right", right)
    if h.ndim != 2 or not h.size:
        raise ValueError(f"h has shape {h.shape}; expected (T, n_h), one sequence of states")
    if np.abs(h).max() > 1:
        raise ValueError(f"h reaches {np.abs(h).max()}; expected states from -1 to 1")
    T, n_h = h.shape
    if moves.dtype != bool:
        raise TypeError(f"moves has dtype {moves.dtype}; expected bool")
    for name, array, shape in [
        ("moves", moves, (T, n_h)),
        ("said", said, (T,)),
        ("right", right, (T,)),
    ]:
        if array.shape != shape:
            raise ValueError(f"{name} has shape {array.shape}; expected {shape}, as h has steps")
    units = _units(groups, moves)
    if as_count("reads", reads, 0) >= T:
        raise ValueError(f"reads is {reads}; expected fewer than the {T} steps")
    if held is not None:
        as_choice("held", held, tuple(units))
    as_step("since", as_count("since", since), T)
    as_step("at", at, T)

    steps, first = np.arange(1, T + 1), max(reads - 1, 0)
    with style():
        sizes = [0.16 * len(rows) + 0.16 for rows in units.values()]
        height = 1.9 + sum(sizes) + 0.1 * len(sizes)
        figure, (top, *bands) = subplots(
            1 + len(units), height=height, sharex=True, height_ratios=(1.4, *sizes)
        )
        top.plot(steps, right, color=colour("target"), ls=(0, (1, 1.2)), label="signal")
        top.plot(steps[first:], said[first:], color=colour("output"), label="generated")
        if reads:
            top.axvspan(0.5, reads + 0.5, color=colour("input"), alpha=0.14, linewidth=0)
            top.text(reads / 2 + 0.5, 0.03, "reads", color=colour("input"), ha="center",
                     va="bottom", transform=top.get_xaxis_transform())  # fmt: skip
        figure.legend(loc="outside upper right", ncols=2)
        for axes, (name, rows) in zip(bands, units.items(), strict=True):
            _band(axes, name, h[:, rows], moves[:, rows[0]])
            if name == held:
                axes.axvspan(since - 0.5, T + 0.5, fill=False, color=colour("accent"), lw=1.8)
        for axes in (top, *bands):
            axes.set_xlim(0.5, T + 0.5)
            axes.tick_params(axis="x", length=0)
            axes.spines["bottom"].set_visible(False)
            if at is not None:
                axes.axvspan(at - 0.5, at + 0.5, color=colour("accent"), alpha=0.4, linewidth=0)
        bands[-1].xaxis.set_major_locator(MultipleLocator(24) if T > 60 else whole())
        bands[-1].set_xlabel("step $t$")
        return Plot(figure, _alt(units, moves, said[first:] - right[first:], reads, held, since))


def _units(groups, moves):
    as_kind("groups", groups, dict, "a dict of names and units")
    if not groups:
        raise ValueError("groups is empty; expected at least one")
    units = {}
    for name, rows in groups.items():
        units[name] = [as_count(f"each unit of {name!r}", i, 0) for i in as_list("groups", rows)]
        if not units[name] or max(units[name]) >= moves.shape[1]:
            raise ValueError(
                f"groups has {rows} for {name!r}; expected units below {moves.shape[1]}"
            )
        if (moves[:, units[name]] != moves[:, units[name][:1]]).any():
            raise ValueError(
                f"groups has {name!r}, whose moves differ; expected units that move together"
            )
    return units


def _band(axes, name, h, moves):
    """A row for each unit of a group, and above them a mark for each step at which it moves."""
    T, n = h.shape
    axes.imshow(
        h.T, aspect="auto", cmap=COLOUR_MAPS["signed", "light"], vmin=-1, vmax=1,
        extent=(0.5, T + 0.5, n + 0.5, 0.5),
    )  # fmt: skip
    axes.set_ylim(n + 0.5, -0.5)
    axes.vlines(np.flatnonzero(moves) + 0.5, -0.45, 0.35, color=colour("ink"), linewidth=0.8)
    axes.set_ylabel(name, rotation=0, ha="right", va="center", color=colour("state"))
    axes.set_yticks([])
    axes.grid(False)
    axes.spines["left"].set_visible(False)


def _alt(units, moves, wrong, reads, held, since):
    n = len(moves)
    counts = ", ".join(f"{name} {moves[:, rows[0]].sum()}" for name, rows in units.items())
    alt = f"Over {n} steps, the groups of units move so many times: {counts}. "
    if held is not None:
        later = moves[since - 1 :, units[held][0]].sum()
        alt += f"From step {since} on, {held} has another clock and moves {later} times. "
        before = wrong[: max(since - 1 - max(reads - 1, 0), 0)]
        if len(before):
            alt += f"Until then the root of the mean squared error is {_size(before)}; "
            return alt + f"from then on it is {_size(wrong[len(before) :])}."
    return alt + f"The root of the mean squared error is {_size(wrong)}."


def _size(wrong):
    return number(np.sqrt(np.mean(wrong**2)))
