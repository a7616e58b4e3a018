"""One cell with gates over time: its input, gates, state and output."""

import numpy as np
from matplotlib.ticker import FixedLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import whole
from rnn_helpers.plots.plot import Plot, as_step, style, subplots
from rnn_helpers.plots.words import counted, enumerated, number
from rnn_helpers.reference import LSTMRun
from rnn_helpers.validate import as_count, as_kind, as_real

# The name of each row, and the key of its color in the palette.
_ROWS = {
    "x": ("input $x$", "input"),
    "cell_input": ("cell input", "input"),
    "g": ("input gate $g$", "gate"),
    "f": ("forget gate $f$", "gate"),
    "s": ("state $s$", "memory"),
    "q": ("output gate $q$", "gate"),
    "h": ("output $h$", "state"),
    "grad_s": ("gradient on $s$", "gradient"),
}


def lstm_gates(run, *, unit=1, grad_s=None, at=None):
    """Draw one cell of an LSTM over time: its input, gates, state and output.

    Gates that were held by hand are marked. Of inputs that are vectors, the first number is drawn.

    Parameters
    ----------
    run : LSTMRun
        Result of `lstm_forward` for one sequence.
    unit : int
        Number of the cell, from 1.
    grad_s : array_like, shape (T,), optional
        Gradient of a loss, or of an output, on each state of this cell; drawn below.
    at : int, optional
        A step from 1 to T to mark.

    Raises
    ------
    ValueError
        If `run` is not of one sequence and one network.
    """
    as_kind("run", run, LSTMRun, "what lstm_forward returned")
    if run.f.ndim != 2:
        raise ValueError(f"run has gates of shape {run.f.shape}; expected one sequence")
    T, n_h = run.f.shape
    if as_count("unit", unit) > n_h:
        raise ValueError(f"unit is {unit}; expected a cell from 1 to {n_h}")
    as_step("at", at, T)
    rows = {"x": run.x[:, 0]} if run.x.ndim == 2 else {}
    rows |= {
        name: getattr(run, name)[:, unit - 1]
        for name in _ROWS
        if hasattr(run, name) and name != "x"
    }
    if grad_s is not None:
        rows["grad_s"] = as_real("grad_s", grad_s)
        if rows["grad_s"].shape != (T,):
            raise ValueError(f"grad_s has shape {rows['grad_s'].shape}; expected ({T},)")
    held = {
        name: np.flatnonzero(~np.isnan(values[:, unit - 1])) + 1
        for name, values in run.held.items()
    }
    steps = np.arange(1, T + 1)

    with style():
        figure, grid = subplots(len(rows), height=0.45 * len(rows) + 0.6, sharex=True)
        for axes, (name, values) in zip(grid, rows.items(), strict=True):
            label, kind = _ROWS[name]
            gate = kind == "gate"
            axes.bar(steps, values, 0.75, color=colour(kind))
            axes.set_ylabel(label, color=colour(kind), rotation=0, ha="left", va="center",
                            labelpad=100)  # fmt: skip
            limit = max(1, np.abs(values).max())
            axes.set_ylim(0 if gate else -limit, limit)
            axes.yaxis.set_major_locator(FixedLocator([0, 1] if gate else [-limit, 0, limit]))
            axes.yaxis.set_major_formatter(_tick if limit > 1 else "")
            axes.tick_params(axis="x", length=0)
            axes.spines["left"].set_visible(False)
            axes.spines["bottom"].set_visible(False)
            if not gate:
                axes.axhline(0, color=colour("edge"), linewidth=0.9)
            for t in held.get(name, ()):
                axes.plot([t - 0.45, t + 0.45], [values[t - 1]] * 2, color=colour("accent"),
                          linewidth=3, clip_on=False)  # fmt: skip
            if at is not None:
                axes.axvspan(at - 0.5, at + 0.5, color=colour("accent"), alpha=0.16, linewidth=0,
                             zorder=0.5)  # fmt: skip
        grid[-1].xaxis.set_major_locator(FixedLocator(steps) if T <= 12 else whole())
        grid[-1].set_xlabel("step $t$")
        figure.align_ylabels(grid)
        return Plot(figure, _alt(rows, held))


def _tick(value, _):
    return number(value) if value else ""


def _alt(rows, held):
    T = len(rows["s"])
    largest = int(np.abs(rows["s"]).argmax())
    gates = {"g": "input", "f": "forget", "q": "output"}
    parts = [
        f"the {word} gate from {number(rows[name].min())} to {number(rows[name].max())}"
        for name, word in gates.items()
    ]
    words = (
        f"Over {counted(T, 'step')}, one unit of an LSTM: {', '.join(parts)}; the state is largest "
        f"at step {largest + 1}, with {number(rows['s'][largest])}, and ends at "
        f"{number(rows['s'][-1])}; the output ends at {number(rows['h'][-1])}"
    )
    if "grad_s" in rows:
        first, last = rows["grad_s"][[0, -1]]
        words += f"; the gradient on the state is {number(last)} at the last step and "
        words += f"{number(first)} at the first"
    for name, steps in held.items():
        if len(steps):
            words += f"; the {gates[name]} gate is held by hand at "
            words += "all steps" if len(steps) == T else f"step {enumerated(map(str, steps), ', ')}"
    return f"{words}."
