"""Networks that continue a signal from their own outputs."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import powers, whole
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.validate import as_count, as_kind, as_real

_LOOKS = [("ink", "D"), ("accent", "o"), ("muted", "v"), ("output", "s")]
_LEAST = 1e-3  # smaller errors are drawn at the edge


def left_alone(said, errors, right, *, since):
    """Draw networks' predictions of a signal, from the true signal and then from their own outputs.

    Parameters
    ----------
    said, errors : dict of str to array_like, shape (T,)
        The prediction of each network at each step, and its error, by the network's name; four
        networks at most.
    right : array_like, shape (T,)
        The true signal.
    since : int
        Number of steps at which the networks receive the true signal.

    Returns
    -------
    Plot
    """
    right = as_real("right", right)
    if right.ndim != 1 or not len(right):
        raise ValueError(f"right has shape {right.shape}; expected (T,), one signal")
    T = len(right)
    since = as_count("since", since, most=T)
    said, errors = _rows("said", said, T), _rows("errors", errors, T)
    if said.keys() != errors.keys():
        raise ValueError(f"said and errors have {list(said)}, {list(errors)}; expected the same")
    steps = np.arange(1, T + 1)
    tall = 1.65 * np.abs(right).max() or 1.0  # larger values are drawn at the edge
    with style():
        n = len(said)
        figure, axes = subplots(
            n + 1, height=1.9 + 0.85 * n, sharex=True, height_ratios=(*[1] * n, 1.7)
        )
        *strips, below = axes
        for strip, (name, row), (ink, marker) in zip(strips, said.items(), _LOOKS, strict=False):
            strip.axvspan(0.5, since + 0.5, color=colour("input"), alpha=0.12, linewidth=0)
            strip.plot(steps, right, color=colour("target"), ls=(0, (1, 1.2)))
            strip.plot(steps, np.clip(row, -tall, tall), color=colour(ink))
            strip.plot(0.012, 1.19, marker, color=colour(ink), transform=strip.transAxes,
                       clip_on=False)  # fmt: skip
            strip.set_title(f"   {name}")
            strip.set(ylim=(-tall, tall))
            logs = np.log10(np.maximum(errors[name], _LEAST))
            for part in (slice(since), slice(since, T)):
                below.plot(steps[part], logs[part], color=colour(ink), marker=marker,
                           markevery=(12, 36))  # fmt: skip
        for each in axes:
            each.axvline(since + 0.5, color=colour("accent"), linewidth=1.4)
            each.set_xlim(0.5, T + 0.5)
        below.set_title("error")
        powers(below)
        below.xaxis.set_major_locator(whole())
        below.set_xlabel("step $t$")
        ends = ", ".join(f"{name} {number(errors[name][-1])}" for name in said)
        return Plot(
            figure,
            f"A signal of {T} steps. The networks receive it for {since} steps; then each of them "
            f"receives its own last output. At step {T} the errors are: {ends}.",
        )


def _rows(name, rows, T):
    as_kind(name, rows, dict, "a dict of names and numbers")
    if not 1 <= len(rows) <= len(_LOOKS):
        raise ValueError(f"{name} has {len(rows)} networks; expected one to {len(_LOOKS)}")
    rows = {key: as_real(f"{name}[{key!r}]", row) for key, row in rows.items()}
    for key, row in rows.items():
        if row.shape != (T,):
            raise ValueError(f"{name}[{key!r}] has shape {row.shape}; expected {(T,)}")
    return rows
