"""Networks that write, and how they come to their end."""

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import PercentFormatter

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import legend, whole
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.validate import as_count, as_kind, as_list, as_real

_MOST = 5  # networks


def written_lengths(written, probabilities, shortest):
    """Draw the lengths of the sequences that networks wrote, and how many of them end properly.

    Parameters
    ----------
    written : dict of str to sequence of (int, bool)
        For each network, by its name, the length of each sequence, and whether it ends properly;
        five networks at most.
    probabilities : array_like, shape (n,)
        Probabilities of the lengths in training.
    shortest : int
        The least of these.

    Returns
    -------
    Plot
    """
    as_kind("written", written, dict, "a dict of names and sequences")
    if not 1 <= len(written) <= _MOST:
        raise ValueError(f"written has {len(written)} entries; expected 1 to {_MOST}")
    counts = {key: _counts(key, pairs) for key, pairs in written.items()}
    probabilities, shortest = (
        as_real("probabilities", probabilities),
        as_count("shortest", shortest),
    )
    if probabilities.ndim != 1 or not len(probabilities):
        raise ValueError(f"probabilities has shape {probabilities.shape}; expected (n,)")
    longest = shortest + len(probabilities) - 1
    rows = (len(written) + 1) // 2
    with style():
        figure, axes = subplots(rows, 2, height=0.5 + 1.5 * rows, sharex=True)
        axes = axes.ravel()
        tallest = max(probabilities.max(), *(max(_shares(c)[0]) for c in counts.values()))
        for each, (key, count) in zip(axes, counts.items(), strict=False):
            _draw_lengths(each, key, count, probabilities, shortest)
            each.set(xlim=(0.4, longest + 3.6), ylim=(0, 1.1 * tallest))
        for each in axes[len(written) :]:
            each.set_axis_off()
        for each in axes[: len(written)][-2:]:
            each.xaxis.set_major_locator(whole())
            each.tick_params(labelbottom=True)
            each.set_xlabel("length")
        legend(figure, *_KEY)
        ends = "; ".join(f"{key} {_fine(count) or 'none yet'}" for key, count in counts.items())
        return Plot(
            figure,
            f"Lengths of the sequences that {len(written)} networks wrote; in training, they were "
            f"{shortest} to {longest}. Sequences that end properly: {ends}.",
        )


_KEY = (
    [
        Patch(facecolor=colour("output")),
        Patch(facecolor="none", edgecolor=colour("loss"), hatch="----"),
        Line2D([], [], color=colour("target"), ls=(0, (1, 1.2))),
    ],
    ["ends properly", "doesn't", "in training"],
)


def _counts(name, pairs):
    """Count sequences by their length: all, and those that end properly."""
    pairs = as_list(f"written[{name!r}]", pairs)
    lengths = [as_count("each length", length, 0) for length, _ in pairs]
    made, right = (
        np.bincount(np.array(some, int), minlength=max(lengths, default=0) + 1)
        for some in (lengths, [n for n, (_, fine) in zip(lengths, pairs, strict=True) if fine])
    )
    return made, right


def _shares(count):
    made, right = count
    return made / max(made.sum(), 1), right / max(made.sum(), 1)


def _fine(count):
    """Return in words how many sequences end properly, or "" if nothing is written."""
    made, right = (part.sum() for part in count)
    return f"{right} of {made}" if made else ""


def _draw_lengths(axes, name, count, probabilities, shortest):
    made, right = _shares(count)
    last = shortest + len(probabilities) + 2  # this place also counts all longer ones
    made, right = (np.append(p[:last], p[last:].sum()) for p in (made, right))
    lengths = np.arange(len(made))
    axes.bar(lengths, right, 0.75, color=colour("output"))
    some = made > right  # a bar of no height would leave its edge
    axes.bar(
        lengths[some],
        (made - right)[some],
        0.75,
        bottom=right[some],
        facecolor="none",
        hatch="----",
        edgecolor=colour("loss"),
        linewidth=0.8,
    )
    edges = np.arange(shortest, shortest + len(probabilities) + 1) - 0.5
    axes.stairs(probabilities, edges, color=colour("target"), ls=(0, (1, 1.2)), linewidth=1.8)
    axes.set_title(name)
    axes.set_title(_fine(count).replace(" of ", "/"), loc="right")
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
