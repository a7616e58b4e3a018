"""What a network that hears its own outputs is fed: the truth, or what it has said."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import whole
from rnn_helpers.plots.plot import COLOUR_MAPS, Plot, as_step, style, subplots
from rnn_helpers.plots.words import counted, enumerated, number
from rnn_helpers.validate import as_array, as_real, as_tokens


def forced_steps(yhat, y, said, forced, *, at=None):
    """Draw the probabilities of every step, the truth, what is said, and which of them is fed on.

    Parameters
    ----------
    yhat : array_like, shape (T, n_y)
        Probabilities at each step.
    y, said : array_like of int, shape (T,)
        The truth at each step, and what the network says.
    forced : array_like of bool, shape (T,)
        Whether each step is fed the truth of the step before; else it is fed what was said there.
        The first step has none before it.
    at : int, optional
        A step from 1 to T to mark.

    Returns
    -------
    Plot
    """
    yhat = as_real("yhat", yhat)
    if yhat.ndim != 2 or not yhat.size:
        raise ValueError(f"yhat has shape {yhat.shape}; expected (T, n_y), one sequence")
    if yhat.min() < 0 or not np.allclose(yhat.sum(axis=1), 1):
        raise ValueError("yhat has rows that are no probabilities; expected sums of 1")
    T, n_y = yhat.shape
    y, said = as_tokens("y", y, n_y), as_tokens("said", said, n_y)
    forced = as_array("forced", forced)
    if forced.dtype != bool:
        raise TypeError(f"forced has dtype {forced.dtype}; expected bool")
    for name, array in (("y", y), ("said", said), ("forced", forced)):
        if array.shape != (T,):
            raise ValueError(f"{name} has shape {array.shape}; expected {(T,)}, as yhat has steps")
    as_step("at", at, T)
    steps, wrong = np.arange(1, T + 1), said != y
    with style():
        figure, (above, below) = subplots(
            2, height=1.3 + 0.42 * n_y + 0.55, sharex=True, height_ratios=(n_y, 1.1)
        )
        above.imshow(
            yhat.T, aspect="auto", cmap=COLOUR_MAPS["amount", "light"], vmin=0, vmax=2,
            extent=(0.5, T + 0.5, -0.5, n_y - 0.5), origin="lower",
        )  # fmt: skip
        above.plot(
            steps - 0.16,
            y,
            "D",
            ls=(0, (1, 2)),
            color=colour("target"),
            markersize=7,
            label="truth",
        )
        above.plot(steps + 0.16, said, color=colour("output"))
        above.plot(
            (steps + 0.16)[~wrong], said[~wrong], "o", color=colour("output"), markersize=8,
            label="said",
        )  # fmt: skip
        if wrong.any():
            above.plot(
                (steps + 0.16)[wrong], said[wrong], "x", color=colour("loss"), markersize=9,
                markeredgewidth=2.5, label="said, and wrong",
            )  # fmt: skip
        above.set(yticks=range(n_y), ylabel="output")
        above.grid(False)
        for t in steps[1:]:
            kind, row = ("target", 1) if forced[t - 1] else ("output", 0)
            below.annotate(
                "", (t - 0.08, -0.55), (t - 0.75, row),
                arrowprops={"arrowstyle": "-|>", "color": colour(kind), "linewidth": 1.8},
            )  # fmt: skip
            below.plot(t - 0.75, row, "D" if forced[t - 1] else "o", color=colour(kind))
        below.set(ylim=(-0.8, 1.5), yticks=(0, 1), yticklabels=("said", "truth"), xlabel="step $t$")
        below.set_xlim(0.5, T + 0.5)
        below.set_title("fed to the next step")
        below.grid(False)
        below.xaxis.set_major_locator(whole())
        if at is not None:
            for axes in (above, below):
                axes.axvspan(at - 0.5, at + 0.5, color=colour("accent"), alpha=0.14, linewidth=0)
        figure.legend(loc="outside upper right", ncols=3, handlelength=1.4)
        return Plot(figure, _alt(yhat, y, forced, steps, wrong))


def _alt(yhat, y, forced, steps, wrong):
    told = int(forced[1:].sum())
    alt = f"{counted(len(steps), 'step')}, {told} of which are fed the truth of the step before. "
    alt += (
        f"Wrong is what is said at {enumerated(str(t) for t in steps[wrong])}. "
        if wrong.any()
        else "All that is said is right. "
    )
    logp = np.log(yhat[np.arange(len(y)), y]).sum()
    return alt + f"The log probabilities of the truth add up to {number(logp)}."
