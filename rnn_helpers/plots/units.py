"""Units of a network that read a text, and what they follow."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.maps import _columns, _monospaced, _shown
from rnn_helpers.plots.plot import COLOUR_MAPS, WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.tasks import unit_correlations
from rnn_helpers.validate import as_count, as_list, as_real, as_rows

_MOST_NAMED = 100  # columns that can carry a symbol each
_WORDS = {"indent": "the indent", "line": "place in the line", "space": "a space"}
_LOOKS = [("ink", "o"), ("muted", "^"), ("accent", "s"), ("state", "D")]


def following_units(h, feature, symbols=None, *, unit=None, elsewhere=None, name="the feature"):
    """Draw what units hold over a text, a feature of it, and how well each unit follows that.

    Parameters
    ----------
    h : array_like, shape (T, n_h)
        One sequence of states, from -1 to 1; the units are drawn in their order.
    feature : array_like, shape (T,)
        A number for each step, such as one of `rnn_helpers.tasks.text_features`.
    symbols : sequence of T str, optional
        What was read at each step.
    unit : int, optional
        The unit, from 1, whose course is drawn over the feature; by default the one that follows it
        best.
    elsewhere : array_like, shape (n_h,), optional
        Correlations of the units with the feature on another, longer text, drawn as lines over the
        bars.
    name : str
        What the feature is called.

    Returns
    -------
    Plot

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a shape does not fit, a number is not finite, or a state or a unit out of range.
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
    if elsewhere is not None:
        elsewhere = as_real("elsewhere", elsewhere)
        if elsewhere.shape != (n_h,):
            raise ValueError(f"elsewhere has shape {elsewhere.shape}; expected ({n_h},), as h")
    with style():
        width = float(np.clip(1.7 + 0.105 * T, WIDTH, 9))
        figure, axes = subplots(
            2,
            2,
            width=width,
            height=float(np.clip(1.9 + 0.08 * n_h, 2.6, 5.2)),
            gridspec_kw={"width_ratios": [1, min(1 / width, 0.16)], "height_ratios": [0.8, 3.2]},
        )
        (strip, empty), (heat, bars) = axes
        empty.set_axis_off()
        heat.imshow(h.T, cmap=COLOUR_MAPS["signed", "light"], vmin=-1, vmax=1, aspect="auto")
        low, high = min(feature.min(), 0), max(feature.max(), 1e-12)
        steps = np.arange(T)
        strip.bar(steps, 2 * (feature - low) / (high - low), 1, -1, color=colour("grid"))
        strip.plot(steps, h[:, unit - 1], color=colour("state"))
        strip.set(xlim=(-0.5, T - 0.5), ylim=(-1.1, 1.1), xticks=[], yticks=[-1, 0, 1])
        strip.set_title(f"unit {unit} over {name} (grey)")
        bars.barh(range(n_h), np.abs(rs), 0.8, color=colour("muted"))
        bars.barh(unit - 1, abs(rs[unit - 1]), 0.8, color=colour("accent"))
        if elsewhere is not None:
            edges = np.arange(n_h) - 0.5
            bars.vlines(np.abs(elsewhere), edges, edges + 1, color=colour("target"), linewidth=1.6)
        bars.set(xlim=(0, 1), ylim=(n_h - 0.5, -0.5), xticks=[0, 1], yticks=[])
        bars.set_xlabel("|r|")
        for each in (heat, strip, bars):
            each.grid(False)
            each.tick_params(length=0)
        heat.spines[:].set_visible(False)
        heat.set_yticks(sorted({0, unit - 1, n_h - 1}), sorted({1, unit, n_h}))
        heat.set_ylabel("unit")
        if symbols and T <= _MOST_NAMED:
            heat.set_xticks(steps, [_shown(symbol) for symbol in symbols])
            _monospaced(heat.get_xticklabels(), 10 if T <= 60 else 8.5)
        heat.set_xlabel("symbol read" if symbols and T <= _MOST_NAMED else "time step")
        second = np.sort(np.abs(rs))[-2:][0]
        alt = (
            f"Heat map of {n_h} units over {T} steps"
            + (f", reading “{_said(symbols)}”" if symbols else "")
            + f". Unit {unit} has a correlation of {number(rs[unit - 1])} with {name}"
            + (f", {number(elsewhere[unit - 1])} on another text" if elsewhere is not None else "")
            + f". Unit {np.argmax(np.abs(rs)) + 1} follows it best, with {number(np.abs(rs).max())}"
            + (f"; the next with {number(second)}." if n_h > 1 else ".")
        )
        return Plot(figure, alt)


def _said(symbols, most=40):
    text = ("" if max(map(len, symbols)) <= 1 else " ").join(symbols)
    text = " ".join(text.split())
    return text if len(text) <= most else text[:most] + "…"


def unit_features(rows):
    """Draw how well the best unit of networks follows each feature, before and after learning.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``network`` and ``feature``, and ``each`` and ``before``, lists of a correlation
        from 0 to 1 for each seed, as those of the experiment ``unit-features``; at most four
        networks.

    Returns
    -------
    Plot
        A point for each seed, a line at the mean; hollow, the mean of the networks that had not
        learned.

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or one of them no numbers.
    ValueError
        If there are no rows, a key is missing, a correlation is out of range, or there are more
        than four networks.
    """
    rows = as_rows(rows, ("network", "feature", "each", "before"))
    for row in rows:
        for key in ("each", "before"):
            values = as_real(f"rows[{key!r}]", as_list(f"rows[{key!r}]", row[key]))
            if not values.size or values.min() < 0 or values.max() > 1:
                raise ValueError(f"rows[{key!r}] is {row[key]}; expected numbers from 0 to 1")
    networks, features = (
        list(dict.fromkeys(r[key] for r in rows)) for key in ("network", "feature")
    )
    if len(networks) > len(_LOOKS):
        raise ValueError(f"rows have {len(networks)} networks; expected at most {len(_LOOKS)}")
    told = []
    with style():
        figure, axes = subplots(height=3.3)
        for row in rows:
            k = networks.index(row["network"])
            ink, marker = _LOOKS[k]
            x = features.index(row["feature"]) + 0.8 * ((k + 0.5) / len(networks) - 0.5)
            look = {"color": colour(ink), "marker": marker, "linestyle": "none"}
            spread = np.linspace(-0.06, 0.06, len(row["each"]))
            axes.plot(x + spread, row["each"], **look, markersize=3, alpha=0.6)
            axes.hlines(np.mean(row["each"]), x - 0.11, x + 0.11, color=colour(ink), linewidth=2.4)
            axes.plot(x, np.mean(row["before"]), **look, markersize=7, markerfacecolor="none")
            told.append(
                f"{row['network']}, {_WORDS.get(row['feature'], row['feature'])}: "
                f"{number(np.mean(row['each']))}, before {number(np.mean(row['before']))}"
            )
        for network, (ink, marker) in zip(networks, _LOOKS, strict=False):
            axes.plot([], [], color=colour(ink), marker=marker, linestyle="-", label=network)
        hollow = {"color": colour("ink"), "marker": "o", "markerfacecolor": "none"}
        axes.plot([], [], **hollow, linestyle="none", markersize=7, label="before learning")
        axes.set_xticks(
            range(len(features)), [_WORDS.get(f, f).replace("in the", "in\nthe") for f in features]
        )
        axes.set(ylim=(0, 1.02), ylabel="|r| of the best unit")
        figure.legend(loc="outside upper left", ncols=len(networks) + 1, columnspacing=1.4)
        return Plot(
            figure,
            "Correlation of the best unit with a feature of unseen text, mean after learning and "
            f"before. {'; '.join(told)}.",
        )
