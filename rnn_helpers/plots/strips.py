"""All gates and states of a gated network over one sequence, with a strip for each unit."""

import numpy as np
from matplotlib.ticker import FixedLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import whole
from rnn_helpers.plots.plot import Plot, as_step, style, subplots
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.reference import GRURun, LSTMRun
from rnn_helpers.validate import as_count, as_kind, as_list, as_real

_LSTM = [("f", "forget gate"), ("g", "input gate"), ("s", "state")]
_GRU = [("u", "update gate"), ("r", "reset gate"), ("h", "state")]


def gate_strips(run, answers, targets, *, symbols=None, mark=None, unit=None, at=None):
    """Draw a gated network's inputs and answers, and below them each unit's gates and state.

    Gates are drawn from 0 to 1. The states of each unit have a scale of their own.

    Parameters
    ----------
    run : LSTMRun or GRURun
        Result of `lstm_forward` or `gru_forward` for one sequence of T steps.
    answers, targets : array_like, shape (T,)
        Output of the network and right answer at each step.
    symbols : sequence of str, optional
        Input at each step; by default the numbers of the steps.
    mark : str, optional
        One of the symbols. The alternative text describes the first gate at its steps.
    unit : int, optional
        A unit to mark, from 1.
    at : int, optional
        A step from 1 to T to mark.

    Raises
    ------
    ValueError
        If `run` is not of one sequence and one network.
    """
    as_kind("run", run, LSTMRun | GRURun, "what lstm_forward or gru_forward returned")
    strips = _LSTM if isinstance(run, LSTMRun) else _GRU
    if run.h.ndim != 2:
        raise ValueError(f"run has states of shape {run.h.shape}; expected one sequence")
    T, n_h = run.h.shape
    answers, targets = (
        _series(name, value, T) for name, value in (("answers", answers), ("targets", targets))
    )
    steps = np.arange(1, T + 1)
    symbols = steps.astype(str) if symbols is None else np.array(as_list("symbols", symbols), str)
    if symbols.shape != (T,):
        raise ValueError(
            f"symbols has shape {symbols.shape}; expected {T} of them, one for each step"
        )
    if mark is not None and mark not in symbols:
        raise ValueError(f"mark is {mark!r}; expected one of {', '.join(sorted(set(symbols)))}")
    if unit is not None and as_count("unit", unit) > n_h:
        raise ValueError(f"unit is {unit}; expected a unit from 1 to {n_h}")
    as_step("at", at, T)

    with style():
        height = 2 + 3 * (0.2 + 0.19 * n_h)
        figure, rows = subplots(4, height=height, sharex=True, height_ratios=(6, n_h, n_h, n_h))
        rows[0].plot(
            steps, targets, "_", ms=13, mew=2, color=colour("target"), label="right answer"
        )
        rows[0].plot(
            steps, answers, "o", mfc=colour("paper"), color=colour("output"), label="answer"
        )
        figure.legend(loc="outside upper right", ncols=2, handlelength=1)
        top = rows[0].secondary_xaxis("top")
        top.set_xticks(steps, symbols if T <= 40 else [""] * T)
        top.tick_params(length=0)
        top.spines["top"].set_visible(False)
        rows[0].tick_params(length=0)
        rows[0].spines["bottom"].set_visible(False)
        for axes, (name, called) in zip(rows[1:], strips, strict=True):
            kind = {"s": "memory", "h": "state"}.get(name, "gate")
            _strip(axes, getattr(run, name), kind)
            axes.set_ylabel(f"{called} ${name}$", rotation=0, ha="right", va="center",
                            color=colour(kind), labelpad=14)  # fmt: skip
            if unit is not None:
                axes.axhspan(unit - 0.5, unit + 0.5, fill=False, color=colour("accent"), lw=1.5)
        for axes in rows:
            axes.set_xlim(0.4, T + 0.6)
            if at is not None:
                axes.axvspan(at - 0.5, at + 0.5, color=colour("accent"), alpha=0.16, linewidth=0,
                             zorder=0.3)  # fmt: skip
        rows[3].xaxis.set_major_locator(FixedLocator(steps) if T <= 12 else whole())
        rows[3].set_xlabel("step $t$")
        rows[0].yaxis.set_major_locator(whole())
        alt = _alt(strips[0], run, answers, targets, symbols, mark)
        return Plot(figure, alt)


def _strip(axes, values, kind):
    """Draw a row for each unit, downward. Bars of states start at the middle of their row."""
    T, n_h = values.shape
    for k in range(n_h):
        if kind == "gate":
            size, bottom = 0.9 * values[:, k], k + 1.45
        else:
            size, bottom = 0.46 * values[:, k] / max(np.abs(values[:, k]).max(), 1e-300), k + 1
        axes.bar(np.arange(1, T + 1), -size, 0.8, bottom=bottom, color=colour(kind))
    axes.set_ylim(n_h + 0.5, 0.5)
    axes.set_yticks(range(1, n_h + 1))
    axes.grid(False)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)


def _alt(strip, run, answers, targets, symbols, mark):
    name, called = strip
    wrong = np.abs(answers - targets)
    far = int(wrong.argmax())
    alt = (
        f"Answers of a network of {run.h.shape[1]} units over {len(answers)} steps. The largest "
        f"error is at step {far + 1}: {number(answers[far])} instead of {number(targets[far])}"
    )
    if mark is not None:
        there, gate = symbols == mark, getattr(run, name)
        places = enumerated([str(t) for t in np.flatnonzero(there) + 1], ", ")
        alt += f". The input is {mark} at step {places}. There the {called}s are "
        alt += _span(gate[there])
        if not there.all():
            alt += f", and elsewhere {_span(gate[~there])}"
    return alt + "."


def _span(values):
    return f"from {number(values.min())} to {number(values.max())}"


def _series(name, value, T):
    value = as_real(name, value)
    if value.shape != (T,):
        raise ValueError(f"{name} has shape {value.shape}; expected ({T},), as the run has steps")
    return value
