"""A line of bits with gaps, and what several readers put into them."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style
from rnn_helpers.plots.words import enumerated, number
from rnn_helpers.validate import as_array, as_real, as_tokens, brief

_MOST = 4  # readers that stand below one another


def filled_gaps(y, missing, ones, *, true=False):
    """Draw a line of bits with gaps, and the probability of a one that each reader gives to each.

    Parameters
    ----------
    y : array_like of int, shape (T,)
        Bits.
    missing : array_like of int, shape (m,)
        Places of the gaps, from 0.
    ones : mapping of str to array_like, shape (m,)
        Of one to four readers, by name: the probability of a one in each gap.
    true : bool
        Show the bits that stood in the gaps.

    Returns
    -------
    Plot
    """
    y = as_tokens("y", y, 2)
    if y.ndim != 1:
        raise ValueError(f"y has shape {y.shape}; expected (T,), one line")
    missing = as_array("missing", missing)
    missing = as_tokens("missing", missing, len(y)) if missing.size else np.zeros(0, int)
    if missing.ndim != 1:
        raise ValueError(f"missing has shape {missing.shape}; expected (m,), places")
    if not isinstance(ones, Mapping) or not 1 <= len(ones) <= _MOST:
        raise ValueError(f"ones is {brief(ones)}; expected a mapping of one to {_MOST} readers")
    ones = {name: as_real(f"ones[{name!r}]", share) for name, share in ones.items()}
    for name, share in ones.items():
        if share.shape != missing.shape or (share < 0).any() or (share > 1).any():
            raise ValueError(
                f"ones[{name!r}] is {brief(share)}; expected {len(missing)} probabilities"
            )
    with style():
        figure = Figure(figsize=(WIDTH, 0.7 + 1.05 * len(ones)), layout="constrained")
        top, *below = figure.subplots(
            1 + len(ones), sharex=True, height_ratios=(0.55, *[1] * len(ones))
        )
        _draw_bits(top, y, missing, true)
        for axes, (name, share) in zip(below, ones.items(), strict=True):
            axes.bar(missing + 1, share, 0.6, color=colour("output"))
            axes.axhline(0.5, color=colour("edge"), linewidth=0.9, ls=(0, (1, 2)))
            axes.set(ylim=(0, 1), yticks=(0, 1), xticks=range(1, len(y) + 1))
            axes.grid(False)
            axes.tick_params(labelbottom=False, length=0)
            axes.set_title(name)
        below[0].set_xlim(0.4, len(y) + 0.6)
        return Plot(figure, _alt(y, missing, ones, true))


def _draw_bits(axes, y, missing, true):
    gone = np.isin(np.arange(len(y)), missing)
    for place, bit in enumerate(y):
        axes.text(
            place + 1,
            0,
            str(bit) if true or not gone[place] else "?",
            ha="center",
            va="center",
            color=colour("paper" if gone[place] and not true else "ink"),
            bbox={
                "boxstyle": "round,pad=0.35",
                "facecolor": colour("ink" if not true else "grid") if gone[place] else "none",
                "edgecolor": colour("edge"),
            },
        )
    axes.set(ylim=(-0.5, 0.5), yticks=())
    axes.tick_params(bottom=False)
    axes.spines[:].set_visible(False)
    axes.grid(False)


def _alt(y, missing, ones, true):
    shown = [
        "?" if place in missing and not true else str(bit) for place, bit in enumerate(y.tolist())
    ]
    alt = f"A line of {len(y)} bits, {' '.join(shown)}. "
    if not len(missing):
        return alt + "Nothing is missing."
    bits = "bit" if len(missing) == 1 else "bits"
    alt += f"Missing: {bits} {enumerated(str(place + 1) for place in np.sort(missing))}. "
    said = (
        f"{name}, {enumerated(number(round(p, 2)) for p in share)}" for name, share in ones.items()
    )
    return alt + f"Probability of a one: {'; '.join(said)}."
