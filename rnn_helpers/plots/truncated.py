"""Back-propagation in blocks: what of a gradient is cut off, and what is learned all the same."""

import numpy as np
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import DASHES, logarithmic
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.reference import (
    gradient_through_time,
    rnn_backward,
    rnn_forward,
    truncated_gradient,
)
from rnn_helpers.reference.rnn import NONLINEARITIES
from rnn_helpers.validate import as_count, as_kind, as_real, as_rows, as_targets

_CUT = "UWb"  # the gradients on the others pass through no step back
_FLOOR = 1e-6  # least size drawn, that of a loss's own step being 1
_MARKERS = "osD^v"


def block_gradient(params, x, y, block, carry=True):
    """Gradient of a loss in blocks, each from the state before it or, if none is carried, from 0.

    Parameters
    ----------
    params, x, y, block
        As for `truncated_gradient`; `x` is one sequence of tokens, shape (T,).
    carry : bool
        Whether each block begins with the state in which the one before it ended.

    Returns
    -------
    dict of ndarray
        As of `rnn_backward`, without ``h0``.
    """
    if carry:
        grads = truncated_gradient(params, x, y, block)
        return {name: grads[name] for name in "UWVbc"}
    cuts = [slice(first, first + block) for first in range(0, len(x), block)]
    each = [rnn_backward(params, rnn_forward(params, x[cut]), y[cut]) for cut in cuts]
    return {name: np.sum([grads[name] for grads in each], axis=0) for name in "UWVbc"}


def truncation(params, x, y, block, carry=True):
    """Error and cosine of the gradient in blocks, on U, W and b, compared with the exact one.

    Parameters
    ----------
    params, x, y, block, carry
        As for `block_gradient`.

    Returns
    -------
    error, cosine : float
        Length of the difference as a share of the exact gradient's, and the cosine between them.
    """
    exact = _joined(rnn_backward(params, rnn_forward(params, x), y))
    cut = _joined(block_gradient(params, x, y, block, carry))
    size = np.linalg.norm(exact)
    return np.linalg.norm(cut - exact) / size, cut @ exact / np.linalg.norm(cut) / size


def _joined(grads):
    return np.concatenate([grads[name].ravel() for name in _CUT])


def contributions(params, x, y, t):
    """Size of what each step gives to the gradient of one loss, on U, W and b together.

    Parameters
    ----------
    params : dict of ndarray
        As for `rnn_forward`.
    x, y : ndarray of int, shape (T,)
        Tokens that are read, and those that are to be said.
    t : int
        Step of the loss, from 1.

    Returns
    -------
    ndarray, shape (t,)
        For each step up to t. They add up as vectors, not in size.
    """
    run = rnn_forward(params, x[:t])
    off = run.yhat[-1] - np.eye(len(params["c"]))[y[t - 1]]
    grad_h = gradient_through_time(params, run, params["V"].T @ off)[1:]
    on_a = NONLINEARITIES[run.nonlinearity].slope(run.h) * grad_h
    # each step's share of the three gradients is an outer product with (x, h before, 1)
    read = np.sqrt(2 + (run.states[:-1] ** 2).sum(axis=-1))
    return np.linalg.norm(on_a, axis=-1) * read


def truncated_blocks(params, x, y, block, *, at=None, carry=True):
    """Draw what the steps give to the gradient of a loss, cut off at its block, and the errors.

    Parameters
    ----------
    params : dict of ndarray
        A tanh network, as for `rnn_forward`.
    x, y : ndarray of int, shape (T,)
        Tokens that are read, and those that are to be said.
    block : int
        Steps K of a block, from 1 to T.
    at : int, optional
        Step, from 1, whose loss is taken apart; the middle one if not given.
    carry : bool
        Whether each block begins with the state in which the one before it ended.

    Returns
    -------
    Plot
        Above, the size of each step's share of the gradient on U, W and b of the loss at `at`, its
        own step's being 1; below, how far the gradient of all losses is from the exact one, for
        blocks of any length.
    """
    run = rnn_forward(params, x)
    if run.h.ndim != 2 or np.ndim(x) != 1:
        raise ValueError(f"x has shape {np.shape(x)}; expected tokens of one sequence, (T,)")
    x, y = np.asarray(x), as_targets(y, run.o.shape, None)
    as_kind("carry", carry, bool | np.bool_, "True or False")
    T, block = len(x), as_count("block", block)
    at = (T + 1) // 2 if at is None else as_count("at", at)
    for name, value in (("block", block), ("at", at)):
        if value > T:
            raise ValueError(f"{name} is {value}; expected 1 to {T}, the steps of x")
    first = at - (at - 1) % block
    sizes = contributions(params, x, y, at)
    scale = sizes[-1] or 1.0
    if not carry:
        sizes[first - 1 :] = contributions(params, x[first - 1 :], y[first - 1 :], at - first + 1)
    sizes = sizes / scale
    lengths = sorted({*np.geomspace(1, T, 14).round().astype(int).tolist(), block})
    errors, cosines = np.transpose([truncation(params, x, y, K, carry) for K in lengths])
    here = lengths.index(block)
    seen = np.arange(1, at + 1) >= first
    ink = colour("gradient")
    with style():
        figure, (above, below) = subplots(2, 1, height=4.6)
        steps, tall = np.arange(1, at + 1), np.maximum(sizes, _FLOOR)
        for which, look in (
            (seen, {"color": ink}),
            (~seen, {"facecolor": "none", "edgecolor": ink, "hatch": "/////", "linewidth": 0.6}),
        ):
            above.bar(steps[which], tall[which], 0.75, bottom=_FLOOR, **look)
        for edge in range(block, T, block):
            above.axvline(edge + 0.5, color=colour("accent"), linewidth=1, linestyle=(0, (3, 2)))
        if first > 1:
            low, high = _FLOOR, 4.0
            for ends in ([low, high], [high, low]):
                above.plot([0.5, first - 0.5], ends, color=colour("ink"), linewidth=0.8)
        above.set(xlim=(0.4, T + 0.6), yscale="log", ylim=(_FLOOR, 4.0))
        above.yaxis.set_major_locator(FixedLocator([1e-6, 1e-4, 1e-2, 1]))
        above.yaxis.set_minor_locator(NullLocator())
        above.set_title(f"given by each step to the gradient of the loss at step {at}")
        below.plot(lengths, cosines, color=colour("muted"), linestyle=(0, (4, 2)), label="cosine")
        below.plot(lengths, errors, color=ink, label="error")
        below.plot(block, errors[here], "o", color=colour("accent"), markersize=9)
        below.set_title("error of the whole gradient and its cosine, by block")
        below.set(xscale="log", ylim=(0, 1.05))
        _at_lengths(below, [1, 2, 5, 10, 20, T])
        below.legend(loc="center right")
        cut = (
            f"steps 1 to {first - 1}, from {number(sizes[0])} to {number(sizes[first - 2])}, are "
            "cut off"
            if first > 1
            else "none is cut off"
        )
        return Plot(
            figure,
            f"{T} steps in blocks of {block}, the state {'' if carry else 'not '}carried. Of what "
            f"each step gives to the gradient of the loss at step {at}, 1 at that step, {cut}. The "
            f"error of the whole gradient is {number(errors[here])}, its cosine with the exact one "
            f"{number(cosines[here])}; in blocks of one step the error is "
            f"{number(errors[0])}.",
        )


def _at_lengths(axes, lengths):
    axes.xaxis.set_major_locator(FixedLocator(sorted(set(lengths))))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def truncation_errors(rows):
    """Draw how far gradients in blocks are from exact ones, by length of block, for each network.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``measure``; those whose measure is ``"error"`` with ``net``, ``block`` and
        ``each``, the errors of networks, as those of the experiment ``truncated-gradient``; at most
        five kinds of network.

    Returns
    -------
    Plot
        Means, on lines from the least to the largest error; both scales are logarithmic.

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or a row no numbers.
    ValueError
        If there are no such rows, a key is missing, an error is not above 0, or there are more than
        five networks.
    """
    rows = _measured(rows, "error", ("net", "block", "each"))
    nets = list(dict.fromkeys(row["net"] for row in rows))
    if len(nets) > len(_MARKERS):
        raise ValueError(f"rows have {len(nets)} networks; expected at most {len(_MARKERS)}")
    told = []
    with style():
        figure, axes = subplots(height=3.6)
        for i, net in enumerate(nets):
            mine = sorted((r for r in rows if r["net"] == net), key=lambda row: row["block"])
            blocks = [row["block"] for row in mine]
            if not (as_real("rows['block']", blocks) > 0).all():
                raise ValueError("rows['block'] holds a length that is not above 0")
            each = [as_real("rows['each']", row["each"]) for row in mine]
            if any((one <= 0).any() for one in each):
                raise ValueError("rows['each'] holds an error that is not above 0")
            means, low, high = np.transpose([(one.mean(), one.min(), one.max()) for one in each])
            look = colour("state" if net == "trained" else "gradient")
            beside = np.array(blocks) * 1.035 ** (i - (len(nets) - 1) / 2)
            axes.vlines(beside, low, high, color=look, linewidth=1, alpha=0.6)
            axes.plot(beside, means, color=look, marker=_MARKERS[i], linestyle=DASHES[i % 4],
                      label=net)  # fmt: skip
            told.append(f"{net} from {number(means[0])} to {number(means[-1])}")
        logarithmic(axes, "y")
        axes.set(xscale="log", xlabel="steps of a block", ylabel="error of the gradient")
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
        _at_lengths(axes, [row["block"] for row in rows])
        handles, labels = axes.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper left", ncols=3)
        return Plot(
            figure,
            "Error of the gradient, as a share of the exact one, from blocks of "
            f"{min(r['block'] for r in rows)} to {max(r['block'] for r in rows)} steps: "
            f"{'; '.join(told)}.",
        )


def truncation_recall(rows):
    """Draw how well networks recall, by block and delay, with the state carried and without.

    Parameters
    ----------
    rows : sequence of dict
        Each with ``measure``; those whose measure is ``"recall"`` with ``net``, ``delay``,
        ``block``, ``carried`` and ``each``, accuracies of networks, as those of the experiment
        ``truncated-gradient``; at most two kinds of network.

    Returns
    -------
    Plot
        A dot for each network, and a line for their mean; a panel for each delay.

    Raises
    ------
    TypeError
        If `rows` holds no dicts, or a row no numbers.
    ValueError
        If there are no such rows, a key is missing, an accuracy is not in [0, 1], or there are more
        than two kinds of network.
    """
    rows = _measured(rows, "recall", ("net", "delay", "block", "carried", "each"))
    nets = list(dict.fromkeys(row["net"] for row in rows))
    if len(nets) > 2:
        raise ValueError(f"rows have {len(nets)} kinds of network; expected at most 2")
    delays = sorted({row["delay"] for row in rows})
    blocks = sorted({row["block"] for row in rows})
    told = []
    with style():
        figure, panels = subplots(1, len(delays), height=3.4, sharey=True, squeeze=False)
        for axes, delay in zip(panels[0], delays, strict=True):
            for row in rows:
                if row["delay"] != delay:
                    continue
                each = as_real("rows['each']", row["each"])
                if (each < 0).any() or (each > 1).any():
                    raise ValueError("rows['each'] holds an accuracy that is not in [0, 1]")
                side = (nets.index(row["net"]) - (len(nets) - 1) / 2) * 0.2
                x = blocks.index(row["block"]) + side + (0.21 if row["carried"] else -0.21)
                look = colour("state" if row["carried"] else "muted")
                marker = "os"[nets.index(row["net"])]
                axes.plot(np.full(len(each), x), each, marker, color=look, markersize=4,
                          markerfacecolor="none", alpha=0.6)  # fmt: skip
                axes.plot([x - 0.08, x + 0.08], [each.mean()] * 2, color=look, linewidth=2.6)
                how = "carried" if row["carried"] else "not carried"
                told.append(
                    f"delay {delay}, blocks of {row['block']}, {row['net']}, {how}: "
                    f"{number(each.mean())}"
                )
            axes.axhline(0.5, color=colour("edge"), linewidth=1, linestyle=(0, (1.2, 1.6)))
            axes.set_xticks(range(len(blocks)), blocks)
            axes.set(title=f"{delay} steps back", xlabel="steps of a block", ylim=(0.4, 1.03))
        panels[0][0].set_ylabel("right answers")
        for marker, net in zip("os", nets, strict=False):
            panels[0][0].plot([], [], marker, color=colour("ink"), markerfacecolor="none",
                              label=net)  # fmt: skip
        for look, how in (("state", "carried"), ("muted", "not carried")):
            panels[0][0].plot([], [], color=colour(look), linewidth=2.6, label=how)
        named = panels[0][0].get_legend_handles_labels()
        figure.legend(*named, loc="outside upper left", ncols=4, columnspacing=1.2)
        return Plot(figure, f"Share of right answers, the mean of networks. {'; '.join(told)}.")


def _measured(rows, measure, keys):
    rows = as_rows(rows, ("measure",))
    mine = [row for row in rows if row["measure"] == measure]
    return as_rows(mine, keys)
