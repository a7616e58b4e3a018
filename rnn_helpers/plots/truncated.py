"""Back-propagation in blocks: what of a gradient is cut off."""

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from rnn_helpers.palette import colour
from rnn_helpers.plots.curves import at_lengths
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.reference import (
    gradient_through_time,
    rnn_backward,
    rnn_forward,
    truncated_gradient,
)
from rnn_helpers.reference.rnn import NONLINEARITIES
from rnn_helpers.validate import as_count, as_kind, as_targets

_CUT = "UWb"  # the gradients on the others pass through no step back
_FLOOR = 1e-6  # least size drawn, that of a loss's own step being 1


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
    """Draw the norm of each step's contribution to the gradient of one loss, over U, W and b.

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
        at_lengths(below, [1, 2, 5, 10, 20, T])
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
