"""Histories of training: loss and gradient norm, step by step."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import (
    legend,
    legend_rows,
    line_looks,
    logarithmic,
    name_rule,
    rule,
    whole,
    write,
)
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import course, enumerated, number
from rnn_helpers.validate import as_kind, as_number, as_positive, as_real, brief

_BAND = 0.18  # opacity


def training_curves(histories, *, ylabel="loss", clip=None, sample=None):
    """Draw loss and gradient norm against the training step.

    A curve is the mean over a fiftieth of the training, centered; where there are several seeds, it
    is their median, and the band holds the middle 80 % of them. The values of the single steps
    appear faintly behind one history of one seed. A curve ends with a cross where more than half of
    the seeds have diverged.

    Parameters
    ----------
    histories : History or dict of str to History
        Result of `rnn_helpers.training.fit`, or several by name, to compare.
    ylabel : str
        Name of the loss, with its unit.
    clip : float, optional
        Threshold at which gradients were clipped.
    sample : str, optional
        Text that the model wrote, set below the curves.
    """
    several = isinstance(histories, dict)
    named = histories if several else {"": histories}
    if not named:
        raise ValueError("histories is empty; expected a History, or a dict of them")
    if not all(hasattr(h, "loss") and hasattr(h, "grad_norm") for h in named.values()):
        raise ValueError(f"histories is {brief(histories)}; expected a History, or a dict of them")
    if clip is not None:
        as_positive("clip", clip)
    if sample is not None:
        as_kind("sample", sample, str, "a string")
    panels = {
        ylabel: {name: _seeds(f"{name} loss", h.loss) for name, h in named.items()},
        "gradient norm": {
            name: _seeds(f"{name} grad_norm", h.grad_norm) for name, h in named.items()
        },
    }
    plain = line_looks(None, len(named))
    with style():
        if sample is None:
            height = 3 + 0.2 * legend_rows(list(named))  # or the panels' names would meet
            figure, rows = subplots(2, height=height, sharex=True, height_ratios=(3, 2))
        else:
            figure, (*rows, page) = subplots(3, height=4.6, height_ratios=(3, 2, 1.8))
            write(page, sample)
        parts = []
        for axes, (what, panel), kind in zip(
            rows, panels.items(), ("loss", "gradient"), strict=True
        ):
            looks = (
                plain if several else [{"color": colour(kind), "linestyle": "-", "marker": None}]
            )
            for (name, values), look in zip(panel.items(), looks, strict=True):
                middle = _history(axes, values, look, name, faint=not several)
                if kind == "loss":
                    _say_divergence(axes, middle, look)
                parts.append(f"{what} {f'of {name} ' if name else ''}{_course_of(middle)}")
            finite = np.concatenate([v[np.isfinite(v)] for v in panel.values()])
            wide = finite.size and finite.min() > 0 and finite.max() / 30 > finite.min()
            if wide or (kind == "gradient" and (finite > 0).any()):
                logarithmic(axes, "y")
            axes.set_ylabel(what)
        if clip is not None:
            rule(rows[1], clip)
        rows[1].set_xlabel("training step")
        rows[1].xaxis.set_major_locator(whole())
        figure.align_ylabels(rows)
        if several:
            legend(figure, *rows[0].get_legend_handles_labels())
        if clip is not None:
            name_rule(rows[1], clip, "clipped above")
        steps, seeds = max(v.shape for panel in panels.values() for v in panel.values())
        over = f"Over {steps} training steps" + (f", median of {seeds} seeds" if seeds > 1 else "")
        written = "" if sample is None else f" A sample: {sample!r}."
        return Plot(figure, f"{over}: {enumerated(parts, '; ')}.{written}")


def success_curves(steps, accuracy, *, threshold=0.95):
    """Draw the accuracy of several networks against the training step, and how many have made it.

    Parameters
    ----------
    steps : array_like of int, shape (n,)
        Training steps after which the networks were tested, ascending.
    accuracy : array_like, shape (n, S)
        Share of right answers of each of S networks at each test.
    threshold : float
        Accuracy above which a network has learned its task, above 0 and below 1.

    Returns
    -------
    Plot
    """
    steps, accuracy = as_real("steps", steps), as_real("accuracy", accuracy)
    if steps.ndim != 1 or not steps.size or (np.diff(steps) <= 0).any():
        raise ValueError(f"steps is {brief(steps)}; expected (n,) steps, ascending")
    if accuracy.ndim != 2 or len(accuracy) != len(steps) or not accuracy.size:
        raise ValueError(f"accuracy has shape {accuracy.shape}; expected ({len(steps)}, S)")
    if accuracy.min() < 0 or accuracy.max() > 1:
        raise ValueError(
            f"accuracy runs from {accuracy.min()} to {accuracy.max()}; expected shares from 0 to 1"
        )
    as_number("threshold", threshold, "a number above 0, below 1", lambda value: 0 < value < 1)
    above = accuracy > threshold
    count, of = above[-1].sum(), accuracy.shape[1]
    with style():
        figure, (curves, share) = subplots(2, height=3.2, sharex=True, height_ratios=(3, 2))
        for y, made in zip(accuracy.T, above[-1], strict=True):
            look = {"color": colour("accent" if made else "muted"), "alpha": 0.6, "linewidth": 1.3}
            curves.plot(steps, y, marker="." if len(steps) == 1 else None, **look)
        rule(curves, threshold)
        curves.set(ylabel="accuracy", ylim=(min(0.4, accuracy.min()) - 0.03, 1.03))
        share.plot(steps, above.mean(axis=1), color=colour("ink"), marker="o", markersize=4)
        share.set(ylabel="learned", ylim=(-0.05, 1.05), xlabel="training step")
        share.xaxis.set_major_locator(whole())
        share.annotate(
            f"{count} of {of}", (steps[-1], count / of), (8, 0), textcoords="offset points",
            va="center", annotation_clip=False,
        )  # fmt: skip
        figure.align_ylabels([curves, share])
        name_rule(curves, threshold, f"learned above {number(threshold)}")
        middle = course(steps, np.median(accuracy, axis=1))
        return Plot(
            figure,
            f"After {number(steps[-1])} training steps, {count} of {of} networks are right more "
            f"than {number(threshold)} of the time. The median accuracy {middle}; the share of "
            f"networks above {number(threshold)} {course(steps, above.mean(axis=1))}.",
        )


def _seeds(name, values):
    """Values of shape (steps, S) for all seeds; inf where a seed has diverged."""
    values = np.asarray(values, float)
    if values.ndim not in (1, 2) or not values.size:
        raise ValueError(f"{name} has shape {values.shape}; expected (steps,) or (steps, S)")
    values = values.reshape(len(values), -1)
    if np.isnan(values).any():
        raise ValueError(f"{name.strip()} contains nan; expected numbers, inf after divergence")
    return values


def _smooth(values):
    """Centered mean over 1/50 of the steps, of the values before a seed's divergence."""
    window = np.ones(2 * (len(values) // 100) + 1)
    smooth = np.full(values.shape, np.inf)
    for seed in range(values.shape[1]):
        finite = np.isfinite(values[:, seed])
        end = len(values) if finite.all() else int(np.argmin(finite))
        if end:
            share = 1 / np.convolve(np.ones(end), window)
            mean = np.convolve(values[:end, seed], window / len(window)) * share * len(window)
            smooth[:end, seed] = mean[len(window) // 2 :][:end]
    return smooth


def _history(axes, values, look, label, faint):
    """Draw one history into one panel; returns its middle line."""
    steps = np.arange(1, len(values) + 1)
    smooth = _smooth(values)
    low, middle, high = np.quantile(smooth, (0.1, 0.5, 0.9), axis=1, method="inverted_cdf")
    if values.shape[1] > 1:
        drawn = np.isfinite(middle)
        high = np.where(np.isfinite(high), high, np.nan)
        axes.fill_between(
            steps[drawn], low[drawn], high[drawn], color=look["color"], alpha=_BAND, linewidth=0
        )
    elif faint:
        raw = np.where(np.isfinite(values[:, 0]), values[:, 0], np.nan)
        axes.plot(steps, raw, color=look["color"], alpha=0.3, linewidth=0.8)
    end = np.isfinite(middle).sum()
    axes.plot(steps[:end], middle[:end], label=label or None, **look)
    if 0 < end < len(values):
        axes.plot(end, middle[end - 1], marker="X", color=look["color"], markersize=9)
    return middle


def _say_divergence(axes, middle, look):
    end = np.isfinite(middle).sum()
    if 0 < end < len(middle):
        axes.annotate(
            "diverged", (end, middle[end - 1]), (8, 0), textcoords="offset points",
            va="center", color=look["color"], size=10,
        )  # fmt: skip


def _course_of(middle):
    end = int(np.isfinite(middle).sum())
    if not end:
        return "diverges at the first step"
    if end == 1:
        return f"is {number(middle[0])}" + (" and then diverges" if len(middle) > 1 else "")
    words = course(np.arange(1, end + 1), middle[:end])
    return words + (f" and diverges after step {end}" if end < len(middle) else "")
