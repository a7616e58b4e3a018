"""One gated recurrent unit over time: the shares that it keeps and takes in."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import whole
from rnn_helpers.plots.plot import Plot, as_step, style, subplots
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.validate import as_real


def gated_updates(x, update, reset, candidate, h, *, lstm=None, at=None):
    """Draw one gated recurrent unit over time, and the share of each input in its last state.

    A step keeps the share u of the state and takes in 1 - u of the candidate, (G 10.45). So the
    shares of all candidates and of the first state in the last state add up to 1. If an LSTM's
    unit is given, it is drawn beside; its shares may add up to more.

    Parameters
    ----------
    x : array_like, shape (T,)
        Inputs, T at least 1.
    update, reset : array_like, shape (T,)
        Gates u and r of each step, between 0 and 1.
    candidate : array_like, shape (T,)
        State of each step if nothing of the old state were kept.
    h : array_like, shape (T,)
        States.
    lstm : sequence of three array_like, shape (T,), optional
        Forget gates and input gates, between 0 and 1, and states of an LSTM's unit with the same
        inputs.
    at : int, optional
        A step from 1 to T to mark.
    """
    x = _series("x", x)
    T = len(x)
    update, reset = (_gate(*pair, T) for pair in (("update", update), ("reset", reset)))
    candidate, h = _series("candidate", candidate, T), _series("h", h, T)
    if lstm is not None:
        if not isinstance(lstm, (tuple, list)) or len(lstm) != 3:
            raise TypeError(
                f"lstm is {type(lstm).__name__}; expected forget and input gates, states"
            )
        forget, taken, s = _gate("lstm", lstm[0], T), _gate("lstm", lstm[1], T), lstm[2]
        s = _series("lstm", s, T)
    as_step("at", at, T)
    left = _left(1 - update, update)
    lefts = [left] if lstm is None else [left, _left(taken, forget)]
    steps = np.arange(1, T + 1)

    with style():
        figure, rows = subplots(
            6, height=5.2, sharex=True, height_ratios=(1, 1.6, 1.6, 1.6, 2.6, 1.4)
        )
        for axes, name, mathname, kind, values in (
            (rows[0], "input", "x", "input", x),
            (rows[1], "keep", "u", "gate", update),
            (rows[2], "reset", "r", "gate", reset),
        ):
            axes.bar(steps, values, 0.64, color=colour(kind), alpha=1 if axes is rows[0] else 0.45)
            _label(axes, f"${mathname}$ {name}", kind)
        rows[3].bar(steps, candidate, 0.64, facecolor="none", edgecolor=colour("state"))
        _label(rows[3], r"$\tilde{h}$ new", "state")
        pairs = [(h, "GRU", "state"), *([] if lstm is None else [(s, "LSTM", "memory")])]
        for axes, series in ((rows[4], [one[0] for one in pairs]), (rows[5], lefts)):
            for k, values in enumerate(series):
                width = 0.8 / len(series)
                place = steps - 0.4 + width * (k + 0.5)
                shown = np.where(x != 0, values, 0) if axes is rows[5] else values
                _, label, kind = pairs[k]
                axes.bar(
                    *(place, shown, width), label=label, edgecolor=colour(kind),
                    facecolor="none" if k else colour(kind),
                )  # fmt: skip
        _label(rows[4], "$h$" if lstm is None else "$h$ and $s$", "state")
        _label(rows[5], "left of it\nat the end", "ink")
        if lstm is not None:
            rows[4].legend(loc="lower left", bbox_to_anchor=(0, 0.98), ncols=2, borderaxespad=0)
        for axes in rows:
            axes.axhline(0, color=colour("edge"), linewidth=0.8)
            axes.grid(False)
            if at is not None:
                axes.axvspan(at - 0.5, at + 0.5, color=colour("accent"), alpha=0.15, zorder=0.2)
        for axes in (rows[1], rows[2], rows[5]):
            axes.set_ylim(0, 1.08)
        rows[5].xaxis.set_major_locator(whole())
        rows[5].set_xlabel("step $t$")
        rows[5].set_xlim(0.4, T + 0.6)
        alt = _alt(x, update, h, lefts, None if lstm is None else s)
        return Plot(figure, alt)


def _left(taken, kept):
    """Return the share of each step's candidate in the last state."""
    after = np.append(np.cumprod(kept[:0:-1])[::-1], 1) if len(kept) else kept
    return taken * after


def _label(axes, words, kind):
    axes.set_ylabel(words, rotation=0, ha="right", va="center", color=colour(kind))


def _alt(x, update, h, lefts, s):
    events = np.flatnonzero(x)
    named = enumerated([f"{number(x[i])} at step {i + 1}" for i in events], ", ") or "0 throughout"
    alt = (
        f"Over {len(x)} steps, a gated unit receives {named}. Its update gate goes from "
        f"{number(update.min())} to {number(update.max())}; its state ends at {number(h[-1])}"
    )
    if s is not None:
        alt += f", and that of an LSTM unit at {number(s[-1])}"
    shares = [enumerated([f"{left[i]:.2f}" for i in events], ", ") for left in lefts]
    if len(events):
        alt += f". At the end, the shares of these inputs in its state are {shares[0]}"
        if s is not None:
            alt += f", and {shares[1]} in the LSTM"
    return alt + "."


def _series(name, value, T=None):
    value = as_real(name, value)
    if value.ndim != 1 or not len(value) or (T is not None and len(value) != T):
        expected = "(T,), T at least 1" if T is None else f"({T},), as x has"
        raise ValueError(f"{name} has shape {value.shape}; expected {expected}")
    return value


def _gate(name, value, T):
    value = _series(name, value, T)
    if value.min() < 0 or value.max() > 1:
        worst = value.min() if value.min() < 0 else value.max()
        raise ValueError(f"{name} reaches {worst}; expected gates between 0 and 1")
    return value
