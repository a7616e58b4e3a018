"""What a network with a memory does: which cells it writes and reads, and what it says."""

from collections.abc import Mapping

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, WIDTH, Plot, as_step, style
from rnn_helpers.plots.words import counted
from rnn_helpers.validate import as_real, brief

_MOST = 3  # answers that stand below one another


def memory_run(shown, says, written, read, M, *, at=None):
    """Draw a pattern, its copies by networks, and the heads of the first network.

    Parameters
    ----------
    shown : array_like, shape (n, n_y)
        Bits of n columns, the input of the first n steps.
    says : mapping of str to array_like, shape (n, n_y)
        Output bits of one to three networks, by name, at the last n of 2 n + 1 steps. The heads
        are those of the first network.
    written, read : array_like, shape (2 n + 1, n_cells)
        Weights of the cells at each step, from 0 to 1.
    M : array_like, shape (n_cells, width)
        Contents of the cells.
    at : int, optional
        Step of these contents, from 1. It is marked, and nothing after it is drawn.

    Returns
    -------
    Plot
    """
    shown = _as_bits("shown", shown)
    n, n_y = shown.shape
    if not isinstance(says, Mapping) or not 1 <= len(says) <= _MOST:
        raise ValueError(f"says is {brief(says)}; expected a mapping of one to {_MOST} answers")
    says = {name: _as_bits(f"says[{name!r}]", bits, shown.shape) for name, bits in says.items()}
    written, read, M = _as_weights("written", written, n), as_real("read", read), as_real("M", M)
    read = _as_weights("read", read, n, written.shape[1])
    if M.ndim != 2 or len(M) != written.shape[1] or not M.size:
        raise ValueError(f"M has shape {M.shape}; expected ({written.shape[1]}, width)")
    at = as_step("at", at, 2 * n + 1)
    last = 2 * n + 1 if at is None else at
    k = max(0, last - n - 1)  # columns that have been output
    right = {name: int((bits[:k] == shown[:k]).sum()) for name, bits in says.items()}
    with style():
        figure = Figure(figsize=(WIDTH, 3 + 0.75 * len(says)), layout="constrained")
        rows = figure.subplots(
            len(says) + 1, 2, sharex="col", height_ratios=[1] * len(says) + [4], width_ratios=(4, 1)
        )
        for axes, beside, (name, bits) in zip(rows, rows[:, 1], says.items(), strict=False):
            first = axes[0] is rows[0, 0]
            axes[0].imshow(_bands(shown, bits[:k], first), aspect="auto", extent=_extent(n, n_y))
            wrong = np.argwhere(bits[:k] != shown[:k])
            axes[0].plot(wrong[:, 0] + n + 2, wrong[:, 1] + 1, "x", color=colour("loss"), ms=4)
            score = f"{right[name]} of {k * n_y} right" if k else "no output yet"
            axes[0].set_title(f"{name}: {score}", loc="right")
            if first:
                axes[0].set_title("input", loc="left", color=colour("input"))
                axes[0].axvspan(n + 0.8, n + 1.2, color=colour("gate"), linewidth=0)
            axes[0].set(yticks=())
            axes[0].spines[:].set_visible(False)
            beside.axis("off")
        strip, cells = rows[-1]
        _strip(strip, written[:last], read[:last])
        strip.set_xlim(0.5, 2 * n + 1.5)
        if at is not None:
            for axes in rows[:, 0]:
                axes.axvline(at, color=colour("accent"), linewidth=1)
        limit = max(1.0, np.abs(M).max())
        signed = COLOUR_MAPS["signed", "light"]
        cells.imshow(M, cmap=signed, vmin=-limit, vmax=limit, aspect="auto")
        cells.set(xticks=(), yticks=())
        cells.set_title("cells" if at is None else f"cells at {at}", color=colour("memory"))
        for axes in rows.flat:
            axes.grid(False)
            axes.tick_params(length=0)
        return Plot(figure, _alt(shown, right, k, written, read, at))


def _extent(n, n_y):
    return (0.5, 2 * n + 1.5, n_y + 0.5, 0.5)


def _bands(shown, bits, first):
    """Return colors (n_y, 2 n + 1, 4) of the output so far and, if `first`, of the input."""
    n, n_y = shown.shape
    shades = np.zeros((n_y, 2 * n + 1, 4))
    for name, start, part in (("input", 0, shown), ("output", n + 1, bits)):
        there = shades[:, start : start + len(part)]
        there[..., :3] = to_rgb(colour(name))
        there[..., 3] = 0.08 + (0.92 - 0.6 * (start > 0) * (part != shown[: len(part)]).T) * part.T
    if not first:
        shades[:, :n] = 0
    return shades


def _strip(axes, written, read):
    for weights, name, marker in ((written, "input", "s"), (read, "output", "o")):
        t, i = np.nonzero(weights > 0.02)
        axes.scatter(
            *(t + 1, i + 1),
            marker=marker,
            s=min(60, (300 / len(weights)) ** 2),
            linewidth=0,
            color=[(*to_rgb(colour(name)), weight) for weight in weights[t, i]],
            label={"input": "writes", "output": "reads"}[name],
        )
    axes.set(ylim=(written.shape[1] + 0.5, 0.5), xlabel="step", ylabel="cell")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))


def _alt(shown, right, k, written, read, at):
    n, n_y = shown.shape
    scores = ", ".join(f"{name} {many}" for name, many in right.items())
    alt = (
        f"{counted(n, 'column')} of {n_y} bits, then a mark. "
        + (f"Right of {k * n_y} bits: {scores}. " if k else "No output yet. ")
        + f"{counted(written.shape[1], 'cell')} over {counted(len(written), 'step')}: during the "
        f"input, the write head goes {_way(written[: min(n, at or n)])}"
    )
    alt += f"; during the output, the read head goes {_way(read[n + 1 :][:k])}." if k else "."
    if at is not None:
        w, r = (f"cell {p[at - 1].argmax() + 1}, {p[at - 1].max():.2f}" for p in (written, read))
        alt += f" At step {at}, the largest weight of the write head is that of {w}; of the read "
        alt += f"head, that of {r}."
    return alt


def _way(weights):
    most = weights.argmax(axis=1) + 1
    return f"from cell {most[0]} to {most[-1]}"


def _as_bits(name, bits, shape=None):
    bits = as_real(name, bits)
    if bits.ndim != 2 or not bits.size or (shape and bits.shape != shape):
        raise ValueError(f"{name} has shape {bits.shape}; expected {shape or '(n, n_y)'}")
    if not np.isin(bits, (0, 1)).all():
        raise ValueError(f"{name} is {brief(bits)}; expected bits, 0 or 1")
    return bits


def _as_weights(name, weights, n, n_cells=None):
    weights = as_real(name, weights)
    if (
        weights.ndim != 2
        or len(weights) != 2 * n + 1
        or weights.shape[1] != (n_cells or weights.shape[1])
    ):
        wanted = (2 * n + 1, n_cells or "n_cells")
        raise ValueError(f"{name} has shape {weights.shape}; expected {wanted}")
    if weights.min() < 0 or weights.max() > 1 + 1e-9:
        raise ValueError(f"{name} runs from {weights.min()} to {weights.max()}; expected 0 to 1")
    return weights
