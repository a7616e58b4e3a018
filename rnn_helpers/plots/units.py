"""Units of a network that read a text, and the features they follow."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.maps import _columns, _monospaced, _shown
from rnn_helpers.plots.plot import COLOUR_MAPS, WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.tasks import unit_correlations
from rnn_helpers.validate import as_count, as_real

_MOST_NAMED = 100  # columns that can carry a symbol each
_MOST_ROWS = 16  # units that are distinguishable


def following_units(h, feature, symbols=None, *, unit=None, name="the feature"):
    """Draw what units hold over a text, a feature of it, and how well each unit follows that.

    Of many units, sixteen about the chosen one are drawn.

    Parameters
    ----------
    h : array_like, shape (T, n_h)
        One sequence of states, from -1 to 1; the units are drawn in their order.
    feature : array_like, shape (T,)
        A number for each step, such as one of `rnn_helpers.tasks.text_features`.
    symbols : sequence of T str, optional
        The input at each step.
    unit : int, optional
        The unit, from 1, whose course is drawn over the feature; by default the one that follows it
        best.
    name : str
        Name of the feature.

    Returns
    -------
    Plot
    """
    h, feature = as_real("h", h), as_real("feature", feature)
    rs = unit_correlations(h, feature)
    if np.abs(h).max() > 1:
        raise ValueError(f"h runs from {h.min()} to {h.max()}; expected states from -1 to 1")
    T, n_h = h.shape
    symbols = _columns(symbols, T)
    unit = int(np.argmax(np.abs(rs))) + 1 if unit is None else as_count("unit", unit)
    if unit > n_h:
        raise ValueError(f"unit is {unit}; expected one from 1 to {n_h}")
    rows = min(n_h, _MOST_ROWS)
    first = int(np.clip(unit - 1 - rows // 2, 0, n_h - rows))
    shown = slice(first, first + rows)
    with style():
        width = float(np.clip(1.7 + 0.105 * T, WIDTH, 9))
        figure, axes = subplots(
            2,
            2,
            width=width,
            height=1.9 + 0.2 * rows,
            gridspec_kw={"width_ratios": [1, min(1 / width, 0.16)], "height_ratios": [0.8, 3.2]},
        )
        (strip, empty), (heat, bars) = axes
        empty.set_axis_off()
        heat.imshow(
            h[:, shown].T, cmap=COLOUR_MAPS["signed", "light"], vmin=-1, vmax=1, aspect="auto"
        )
        low, high = min(feature.min(), 0), max(feature.max(), 1e-12)
        steps = np.arange(T)
        strip.bar(steps, 2 * (feature - low) / (high - low), 1, -1, color=colour("grid"))
        strip.plot(steps, h[:, unit - 1], color=colour("state"))
        strip.set(xlim=(-0.5, T - 0.5), ylim=(-1.1, 1.1), xticks=[], yticks=[-1, 0, 1])
        strip.set_title(f"unit {unit} over {name} (grey)")
        bars.barh(range(rows), np.abs(rs[shown]), 0.8, color=colour("muted"))
        bars.barh(unit - 1 - first, abs(rs[unit - 1]), 0.8, color=colour("accent"))
        bars.set(xlim=(0, 1), ylim=(rows - 0.5, -0.5), xticks=[0, 1], yticks=[])
        bars.set_xlabel("|r|")
        for each in (heat, strip, bars):
            each.grid(False)
            each.tick_params(length=0)
        heat.spines[:].set_visible(False)
        named = sorted({0, unit - 1 - first, rows - 1})
        heat.set_yticks(named, [first + row + 1 for row in named])
        heat.set_ylabel("unit" if rows == n_h else f"unit, of {n_h}")
        if symbols and T <= _MOST_NAMED:
            heat.set_xticks(steps, [_shown(symbol) for symbol in symbols])
            _monospaced(heat.get_xticklabels(), 10 if T <= 60 else 8.5)
        heat.set_xlabel("symbol read" if symbols and T <= _MOST_NAMED else "time step")
        second = np.sort(np.abs(rs))[-2:][0]
        alt = (
            f"Heat map of {n_h} units over {T} steps"
            + (f", reading “{_said(symbols)}”" if symbols else "")
            + f". Unit {unit} has a correlation of {number(rs[unit - 1])} with {name}"
            + f". Unit {np.argmax(np.abs(rs)) + 1} follows it best, with {number(np.abs(rs).max())}"
            + (f"; the next with {number(second)}." if n_h > 1 else ".")
        )
        return Plot(figure, alt)


def _said(symbols, most=40):
    text = ("" if max(map(len, symbols)) <= 1 else " ").join(symbols)
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most] + "…"
