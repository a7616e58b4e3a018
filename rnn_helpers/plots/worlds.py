"""The least loss of each symbol, for readers that hear more or less."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_list, as_real, brief

_MOST = 6  # rows that stand below one another


def least_losses(losses, names=None):
    """Draw the least expected loss of each symbol, a row for each network.

    Parameters
    ----------
    losses : mapping of str to array_like, shape (T,)
        Of one to six networks, by name: the losses, in nats, none negative.
    names : sequence of T of str, optional
        What stands below each symbol; without it, its step.

    Returns
    -------
    Plot
    """
    if not isinstance(losses, Mapping) or not 1 <= len(losses) <= _MOST:
        raise ValueError(f"losses is {brief(losses)}; expected a mapping of one to {_MOST} rows")
    rows = {name: as_real(f"losses[{name!r}]", row) for name, row in losses.items()}
    T = next(iter(rows.values())).size
    for name, row in rows.items():
        if row.shape != (T,) or not T or (row < -1e-9).any():
            raise ValueError(f"losses[{name!r}] is {brief(row)}; expected {T} losses from 0 on")
    names = [str(t + 1) for t in range(T)] if names is None else as_list("names", names)
    if len(names) != T or not all(isinstance(name, str) for name in names):
        raise ValueError(f"names is {brief(names)}; expected {T} strings")
    highest = max(np.log(2), *(row.max() for row in rows.values()))
    with style():
        figure = Figure(figsize=(WIDTH, 0.5 + 0.95 * len(rows)), layout="constrained")
        every = figure.subplots(len(rows), sharex=True, sharey=True, squeeze=False)[:, 0]
        for axes, (name, row) in zip(every, rows.items(), strict=True):
            axes.bar(np.arange(T) + 1, row, 0.7, color=colour("loss"))
            axes.set(ylim=(0, 1.05 * highest), ylabel="nats")
            axes.set_xticks(range(1, T + 1), names)
            axes.grid(False)
            axes.set_title(f"{name}: {number(round(row.sum(), 2))} nats")
        said = (f"{name}, {number(round(row.sum(), 2))} nats" for name, row in rows.items())
        return Plot(figure, f"Least losses of {T} symbols in all: {'; '.join(said)}.")
