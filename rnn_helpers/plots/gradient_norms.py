"""Gradient norms during training, next to the loss."""

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import legend, line_looks, logarithmic, whole
from rnn_helpers.plots.histories import _course_of, _history, _say_divergence, _seeds
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.validate import as_positive, brief

_PER_DECADE = 4  # bins
_RANGE = (1e-6, 1e6)  # of norms drawn; larger ones are counted in the last bin
_TOP = 1e4  # of the losses drawn, in units of the middle one


def gradient_norms(histories, threshold=None, *, ylabel="loss"):
    """Draw the loss of each step and, next to it, a histogram of gradient norms.

    The curve is the median over the seeds, each smoothed over a fiftieth of the steps, and its band
    holds the middle 80 % of them; it ends with a cross where more than half have diverged. The
    histogram counts the finite norms of all steps and seeds before clipping, on a logarithmic axis.

    Parameters
    ----------
    histories : History or dict of str to History
        Result of `rnn_helpers.training.fit`, or several by name, to compare.
    threshold : float, optional
        Threshold to compare the norms with, above 0.
    ylabel : str
        Name of the loss, with its unit.
    """
    named = histories if isinstance(histories, dict) else {"": histories}
    if not named or not all(hasattr(h, "loss") and hasattr(h, "grad_norm") for h in named.values()):
        raise ValueError(f"histories is {brief(histories)}; expected a History, or a dict of them")
    if threshold is not None:
        as_positive("threshold", threshold)
    losses = {name: _seeds(f"{name} loss", h.loss) for name, h in named.items()}
    norms = {name: _seeds(f"{name} grad_norm", h.grad_norm) for name, h in named.items()}
    lost = {name: np.count_nonzero(~np.isfinite(v).all(axis=0)) for name, v in norms.items()}
    looks = line_looks(None, len(named))
    parts = []
    with style():
        figure, (left, right) = subplots(1, 2, width=6.4, height=3.4)
        for (name, loss), look in zip(losses.items(), looks, strict=True):
            gone = f": {lost[name]} of {loss.shape[1]} lost" if lost[name] else ""
            middle = _history(left, loss, look, name and name + gone, faint=False)
            _say_divergence(left, middle, look)
            parts.append(f"{ylabel} {f'of {name} ' if name else ''}{_course_of(middle)}")
        _bound(left, losses)
        left.set(ylabel=ylabel, xlabel="training step")
        left.xaxis.set_major_locator(whole())
        # values that aren't finite are mentioned, not drawn
        seen = [norm[np.isfinite(norm)] for norm in norms.values()]
        every = np.clip(np.concatenate([*seen, [] if threshold is None else [threshold]]), *_RANGE)
        low, high = (every.min(), every.max()) if every.size else (0.1, 10)
        first, last = np.floor(np.log10(low)), np.ceil(np.log10(high) + 1e-9)
        edges = np.logspace(first, last, int(last - first) * _PER_DECADE + 1)
        for (name, norm), some, look in zip(norms.items(), seen, looks, strict=True):
            share = np.histogram(np.clip(some, *_RANGE), edges)[0] / max(1, some.size)
            right.stairs(share, edges, color=look["color"], linestyle=look["linestyle"],
                         linewidth=1.8)  # fmt: skip
            right.stairs(share, edges, fill=True, color=look["color"], alpha=0.12)
            what = f"gradient norms{f' of {name}' if name else ''}"
            if threshold is not None and some.size:
                share = f"{100 * np.mean(some > threshold):.0f} %"
                parts.append(f"{share} of the {what} are above {number(threshold)}")
            if lost[name]:
                parts.append(f"{lost[name]} of {norm.shape[1]} seeds of {name or 'it'} diverge")
        if threshold is not None:
            right.axvline(threshold, color=colour("muted"), lw=1.4, linestyle=(0, (1.2, 1.6)))
            right.annotate("v", (threshold, 1), (0, 3), textcoords="offset points", ha="center",
                           xycoords=("data", "axes fraction"), style="italic",
                           color=colour("muted"))  # fmt: skip
        beyond = any((norm > _RANGE[1]).any() for norm in seen)
        what = "gradient norm" + " (last: ≥ $10^6$)" * beyond
        right.set(xscale="log", xlabel=what, ylabel="share of steps", ylim=(0, None))
        right.xaxis.set_major_locator(LogLocator(numticks=6))
        right.xaxis.set_minor_formatter(NullFormatter())
        right.minorticks_off()
        if "" not in named:
            legend(figure, *left.get_legend_handles_labels())
        steps, seeds = max(norm.shape for norm in norms.values())
        over = f"Over {steps} training steps" + (f", median of {seeds} seeds" if seeds > 1 else "")
        return Plot(figure, f"{over}: {enumerated(parts, '; ')}.")


def _bound(axes, losses):
    """Keep a loss that runs away from hiding the others."""
    finite = np.concatenate([v[np.isfinite(v)] for v in losses.values()])
    if not finite.size:
        axes.set_ylim(0, 1)
        return
    usual = np.median(finite)
    if finite.min() > 0 and finite.max() > 30 * finite.min():
        logarithmic(axes, "y")
        axes.set_ylim(max(0.7 * finite.min(), 1e-8 * usual), min(2 * finite.max(), _TOP * usual))
