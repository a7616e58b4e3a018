"""Heat maps and bars over symbols: hidden states and predicted probabilities."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, WIDTH, Plot, style, subplots, unframed
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.validate import as_count, as_list, as_real, as_tokens

_MOST_NAMED = 100  # columns that can carry a symbol each
_VISIBLE = {" ": "␣", "\n": "⏎", "\t": "⇥", "\r": "␍"}
_MARKED = {"marker": "D", "markersize": 5, "linestyle": "none", "markeredgewidth": 1.4}


def states(h, symbols=None, *, units=None, limits=None, by_change=True):
    """Draw hidden states over time, a row for each unit, as in Chiang's figure 5.2.

    Parameters
    ----------
    h : array_like, shape (T, n_h)
        One sequence of states.
    symbols : sequence of T str, optional
        The input at each step: a string, or a list of words.
    units : sequence of n_h str, optional
        Names of the units; by default they are numbered from 1, as in the equations.
    limits : (float, float), optional
        Values at the two ends of the color scale, such as (0, 1) for sigmoid units; by default
        (-1, 1), or wider where the states are.
    by_change : bool
        Whether to sort the units by how much they change from step to step, the most constant on
        top; otherwise they keep their order.
    """
    h = as_real("h", h)
    if h.ndim != 2 or not h.size:
        raise ValueError(f"h has shape {h.shape}; expected (T, n_h), one sequence of states")
    symbols = _columns(symbols, len(h))
    units = None if units is None else as_list("units", units)
    if units is not None and len(units) != h.shape[1]:
        raise ValueError(f"units has {len(units)} names; expected {h.shape[1]}, one each unit")
    if limits is None:
        limits = max(1, np.abs(h).max()) * np.array([-1, 1])
    limits = as_real("limits", limits)
    if limits.shape != (2,):
        raise ValueError(f"limits has shape {limits.shape}; expected two numbers")
    low, high = map(float, limits)
    if not low <= h.min() <= h.max() <= high or low == high:
        raise ValueError(f"limits are {low}, {high}; h runs from {h.min()} to {h.max()}")
    change = np.abs(np.diff(h, axis=0)).mean(axis=0) if len(h) > 1 else np.zeros(h.shape[1])
    order = np.argsort(change, kind="stable") if by_change else np.arange(h.shape[1])
    with style():
        figure, axes = _grid(h.T[order], "signed", (low, high), "state", symbols)
        wrapped = ",\n" if len(order) < 12 else ", "
        axes.set_ylabel("hidden unit" + f"{wrapped}steadiest on top" * by_change)
        if len(order) <= 40:
            names = order + 1 if units is None else [units[i] for i in order]
            axes.set_yticks(range(len(order)), names, size=min(10, 320 / len(order)))
        else:
            axes.set_yticks([])
        steady, restless = (
            i + 1 if units is None else f"“{units[i]}”" for i in (change.argmin(), change.argmax())
        )
        alt = (
            f"Heat map of {h.shape[1]} hidden units over {len(h)} steps"
            + (f", reading {_quoted(symbols)}" if symbols else "")
            + f". Unit {steady} changes least, by {number(change.min())} a step on average; "
            f"unit {restless} changes most, by {number(change.max())}."
        )
        return Plot(figure, alt)


def probabilities(yhat, alphabet, *, symbols=None, target=None, top=20):
    """Draw the distribution over the next symbol: bars for one step, a heat map for several.

    Parameters
    ----------
    yhat : array_like, shape (n_y,) or (T, n_y)
        Probabilities.
    alphabet : sequence of n_y str
        The symbols: a string of characters, or a list of words.
    symbols : sequence of T str, optional
        The input at each step, for the heat map's columns.
    target : int or array_like of int, shape (T,), optional
        Index of the symbol that did come, marked by a diamond.
    top : int
        How many symbols to show, the most likely and the targets.
    """
    yhat, alphabet = as_real("yhat", yhat), list(map(str, as_list("alphabet", alphabet)))
    if yhat.ndim not in (1, 2) or not yhat.size or yhat.shape[-1] != len(alphabet):
        raise ValueError(
            f"yhat has shape {yhat.shape}; expected ({len(alphabet)},) or (T, {len(alphabet)}), "
            "as the alphabet"
        )
    if yhat.min() < 0 or np.abs(yhat.sum(axis=-1) - 1).max() > 1e-3:
        raise ValueError("yhat holds numbers that are negative or do not sum to 1 at each step")
    top = as_count("top", top)
    if target is not None:
        target = as_tokens("target", target, len(alphabet))
        if target.shape != yhat.shape[:-1]:
            raise ValueError(f"target has shape {target.shape}; expected {yhat.shape[:-1]}")
    if yhat.ndim == 1:
        if symbols is not None:
            raise ValueError("symbols name the columns of a heat map; yhat has one step only")
        return _bars(yhat, alphabet, target, top)

    symbols = _columns(symbols, len(yhat))
    weight = yhat.max(axis=0)
    if target is not None:
        weight = weight + np.bincount(target, minlength=len(alphabet))
    rows = np.sort(np.argsort(-weight, kind="stable")[:top])
    with style():
        figure, axes = _grid(yhat.T[rows], "amount", (0, 1), "probability", symbols)
        axes.set_yticks(range(len(rows)), [_shown(alphabet[i]) for i in rows])
        axes.set_ylabel("next symbol")
        _monospaced(axes.get_yticklabels())
        if target is not None:
            row = {index: y for y, index in enumerate(rows)}
            marks = [(t, row[index]) for t, index in enumerate(target) if index in row]
            axes.plot(*zip(*marks, strict=True), color=colour("paper"),
                      markeredgecolor=colour("target"), **_MARKED)  # fmt: skip
        likeliest = [alphabet[i] for i in yhat.argmax(axis=1)]
        alt = (
            f"Heat map of the probabilities of {len(rows)} symbols over {len(yhat)} steps"
            + (f", reading {_quoted(symbols)}" if symbols else "")
            + f". The likeliest next symbols are {_quoted(likeliest)}"
        )
        if target is not None:
            hits = int((yhat.argmax(axis=1) == target).sum())
            alt += f"; {hits} of {len(target)} are the ones that came"
        return Plot(figure, alt + ".")


def _bars(yhat, alphabet, target, top):
    order = np.argsort(-yhat, kind="stable")[:top]
    if target is not None and target not in order:
        order[-1] = target
    heights = yhat[order]
    names = [_shown(alphabet[i]) for i in order]
    rest = 1 - heights.sum()
    with style():
        figure, axes = subplots(height=2.8)
        axes.bar(range(len(order)), heights, color=colour("output"), width=0.72)
        if len(order) < len(alphabet):
            axes.bar(len(order), rest, color=colour("muted"), width=0.72)
            names.append("rest")
        if target is not None:
            place = int(np.flatnonzero(order == target)[0])
            axes.plot(
                place, heights[place] + 0.04 * heights.max(), color=colour("target"), **_MARKED
            )
        axes.set_xticks(range(len(names)), names)
        _monospaced(axes.get_xticklabels())
        axes.tick_params("x", length=0)
        axes.set(xlabel="next symbol", ylabel="probability")
        shown = [f"{_quoted([alphabet[i]])} {number(yhat[i])}" for i in order]
        alt = f"Bars of the probabilities of the next symbol: {enumerated(shown)}."
        if target is not None:
            alt += f" The one that came, {_quoted([alphabet[target]])}, had {number(yhat[target])}."
        return Plot(figure, alt)


def _grid(values, ramp, limits, label, symbols):
    """A heat map with a color bar and a column for each symbol."""
    n_rows, n_columns = values.shape
    words = symbols and max(map(len, symbols)) > 1
    width = float(np.clip(1.6 + (0.24 if words else 0.15) * n_columns, WIDTH * 0.8, 9))
    height = float(np.clip(1 + 0.17 * n_rows, 1.9, 5.2)) + 0.5 * bool(words)
    figure, axes = subplots(width=width, height=height)
    image = axes.imshow(
        values, cmap=COLOUR_MAPS[ramp, "light"], vmin=limits[0], vmax=limits[1], aspect="auto"
    )
    bar = figure.colorbar(image, ax=axes, label=label, pad=0.02, aspect=14, shrink=0.9)
    bar.outline.set_visible(False)
    bar.locator = MaxNLocator(4)
    bar.ax.grid(False)
    unframed(axes)
    if symbols and n_columns <= _MOST_NAMED:
        axes.set_xticks(range(n_columns), [_shown(s) for s in symbols], rotation=90 if words else 0)
        _monospaced(axes.get_xticklabels(), 10 if n_columns <= 60 else 8.5)
        axes.set_xlabel("symbol read")
    else:
        step = max(1, n_columns // 8)
        times = np.arange(step - 1, n_columns, step)
        axes.set_xticks(times, times + 1)
        axes.set_xlabel("time step")
    return figure, axes


def _columns(symbols, T):
    if symbols is None:
        return None
    symbols = as_list("symbols", symbols)
    if len(symbols) != T or not all(isinstance(s, str) for s in symbols):
        raise ValueError(f"symbols has {len(symbols)} entries; expected {T} strings, one each step")
    return symbols


def _shown(symbol):
    return _VISIBLE.get(symbol, symbol).replace("$", r"\$")


def _monospaced(labels, size=10):
    for label in labels:
        label.set(family="DejaVu Sans Mono", size=size)


def _quoted(symbols, most=40):
    joint = "" if max(map(len, symbols)) <= 1 else " "
    text = joint.join(symbols)
    return repr(text if len(text) <= most else text[:most] + "…")
