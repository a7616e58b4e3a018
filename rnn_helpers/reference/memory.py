"""An explicit memory (10.12) with soft reads and writes, after Graves et al. (2014).

The rows of the memory ``M`` are its cells, shape (n, d), or (n, B, d) for a minibatch. The weights
``w``, shape (n,) or (n, B), set how much of each cell is read or written. They add up to 1. A head
computes them in four steps. It finds cells by content, with a key ``k``, (d,) or (B, d), and a
sharpness ``beta``. A gate ``g`` mixes these weights with those of the previous step. The shares
``s``, (2 r + 1,) or (2 r + 1, B), shift the weights by distances from -r to r. An exponent
``gamma`` sharpens them. ``beta``, ``g`` and ``gamma`` are numbers, or (B,). The reading is the
`weighted_average` of the cells. Goodfellow et al. describe all this without numbered equations.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.reference.attention import attention_weights, weighted_average
from rnn_helpers.reference.norms import length
from rnn_helpers.validate import as_kind, as_real, brief

_EMPTY = 1e-8  # lets a network go from an empty cell to a full one without a jump

HEAD = ("k", "beta", "g", "s", "gamma")
"""The numbers from which a head computes its weights."""


# ---- find by content ----


def cosines(M, k):
    """Return the cosine of each cell with a key.

    A vector shorter than 1e-8 counts as one of that length, so a cell of zeros has a cosine of 0.
    """
    return (_unit(M) * _unit(k)).sum(axis=-1)


def content_scores(M, k, beta):
    """Return the score of each cell, ``beta cos(M_i, k)``; `attention_weights` is their softmax."""
    return beta * cosines(M, k)


def grad_content_scores(M, k, beta, grad):
    """Return the gradients on ``M``, ``k`` and ``beta``, from the gradient on the scores.

    The cosine doesn't depend on the length of a cell, so no gradient points along the cell.
    """
    cos, on_cos = cosines(M, k), (beta * grad)[..., None]
    M_, k_ = _unit(M), _unit(k)
    along = cos[..., None]
    return {
        "M": on_cos * (k_ - along * M_) / _divisor(M),
        "k": (on_cos * (M_ - along * k_)).sum(axis=0) / _divisor(k),
        "beta": (grad * cos).sum(axis=0),
    }


def _unit(v):
    return v / _divisor(v)


def _divisor(v):
    return np.maximum(length(v), _EMPTY)[..., None]


# ---- find by location ----


def interpolate_weights(g, found, before):
    """Mix the weights by content, `found`, with those of the previous step, by the gate ``g``."""
    return g * found + (1 - g) * before


def grad_interpolate_weights(g, found, before, grad):
    """Return the gradients on ``g``, ``found`` and ``before``."""
    return {
        "g": (grad * (found - before)).sum(axis=0),
        "found": g * grad,
        "before": (1 - g) * grad,
    }


def shift_weights(w, s):
    """Shift weights along the cells; each distance from -r to r moves its share.

    After the last cell comes the first.
    """
    return sum(share * np.roll(w, by, axis=0) for by, share in _distances(s))


def grad_shift_weights(w, s, grad):
    """Return the gradients on ``w``, shifted back, and on ``s``."""
    return {
        "w": sum(share * np.roll(grad, -by, axis=0) for by, share in _distances(s)),
        "s": np.array([(grad * np.roll(w, by, axis=0)).sum(axis=0) for by, _ in _distances(s)]),
    }


def _distances(s):
    if len(s) % 2 == 0:
        raise ValueError("s has an even number of distances")
    return list(enumerate(s, -(len(s) // 2)))


def sharpen_weights(w, gamma):
    """Raise weights to the power ``gamma``, and divide by their sum."""
    powers = (w / w.max(axis=0)) ** gamma
    return powers / powers.sum(axis=0)


def grad_sharpen_weights(w, gamma, grad):
    """Return the gradients on ``w`` and ``gamma``."""
    largest = w.max(axis=0)
    powers = (w / largest) ** gamma
    sharp = powers / powers.sum(axis=0)
    more = grad - (grad * sharp).sum(axis=0)
    known = np.log(np.where(w > 0, w, 1))  # a weight of 0 stays 0 for any gamma
    return {
        "w": gamma * more * (w / largest) ** (gamma - 1) / (largest * powers.sum(axis=0)),
        "gamma": (more * sharp * known).sum(axis=0),
    }


# ---- write ----


def write_cells(M, w, e, a):
    """Return the memory after a write: each cell erases ``e`` and adds ``a``, times its weight.

    Parameters
    ----------
    M, w : ndarray
    e : ndarray, shape (d,) or (B, d)
        Share of each number that is erased, from 0 to 1.
    a : ndarray, shape (d,) or (B, d)
    """
    w = w[..., None]
    return M * (1 - w * e) + w * a


def grad_write_cells(M, w, e, a, grad):
    """Return the gradients on ``M``, ``w``, ``e`` and ``a``.

    Without a write, the gradient of a cell passes back unchanged.
    """
    weight = w[..., None]
    return {
        "M": grad * (1 - weight * e),
        "w": (grad * (a - M * e)).sum(axis=-1),
        "e": -(grad * weight * M).sum(axis=0),
        "a": (grad * weight).sum(axis=0),
    }


# ---- read one random cell ----


def grad_drawn(weights, drawn, reward, baseline=0.0):
    """Return the REINFORCE estimate of the gradient on the scores, from one random cell.

    The estimate is ``(reward - baseline) (1[i = drawn] - w_i)``. Its mean over the draws is the
    gradient of the mean reward, for any baseline that doesn't depend on the draw.

    Parameters
    ----------
    weights : ndarray, shape (n,) or (n, B)
    drawn : int or ndarray of int, shape (B,)
        The cell that was read.
    reward, baseline : float or ndarray, shape (B,)
        Such as the log probability of the right answer, and its mean so far.
    """
    one = np.arange(len(weights)).reshape(-1, *[1] * (weights.ndim - 1)) == drawn
    return (reward - baseline) * (one - weights)


# ---- a head ----


@dataclass(frozen=True, eq=False)
class AddressRun:
    """The weights that `address_forward` computed, step by step.

    Attributes
    ----------
    found, gated, shifted, weights : ndarray, shape (n,) or (n, B)
        Weights found by content; after the gate; after the shift; and after sharpening, which a
        head uses to read or write.
    """

    found: np.ndarray
    gated: np.ndarray
    shifted: np.ndarray
    weights: np.ndarray


def address_forward(M, head: Mapping, before) -> AddressRun:
    """Compute the weights with which a head reads or writes.

    Parameters
    ----------
    M : array_like, shape (n, d) or (n, B, d)
    head : mapping
        ``k``, ``beta``, ``g``, ``s`` and ``gamma`` of the head.
    before : array_like, shape (n,) or (n, B)
        Weights of the previous step.

    Returns
    -------
    AddressRun
    """
    M, head, before = _as_addressed(M, head, before)
    found = attention_weights(content_scores(M, head["k"], head["beta"]))
    gated = interpolate_weights(head["g"], found, before)
    shifted = shift_weights(gated, head["s"])
    return AddressRun(found, gated, shifted, sharpen_weights(shifted, head["gamma"]))


def recall(M, k, beta):
    """Read by content: return the average of the cells, weighted by their cosines with the key.

    Parameters
    ----------
    M : ndarray, shape (n, d) or (n, B, d)
    k : ndarray, shape (d,) or (B, d)
    beta : float or ndarray, shape (B,)

    Returns
    -------
    ndarray, shape (d,) or (B, d)
    """
    return weighted_average(attention_weights(content_scores(M, k, beta)), M)


def _as_addressed(M, head, before):
    M, before = as_real("M", M), as_real("before", before)
    if M.ndim not in (2, 3) or 0 in M.shape:
        raise ValueError(f"M has shape {M.shape}; expected (n, d) or (n, B, d)")
    as_kind("head", head, Mapping, f"a mapping with {', '.join(HEAD)}")
    if missing := [name for name in HEAD if name not in head]:
        raise ValueError(f"head has {brief(list(head))}; expected {', '.join(missing)} as well")
    given = {name: as_real(f"head[{name!r}]", head[name]) for name in HEAD}
    batch = M.shape[1:-1]
    _of_shape("before", before, M.shape[:-1])
    _of_shape("head['k']", given["k"], M.shape[1:])
    for name in ("beta", "g", "gamma"):
        if given[name].shape not in ((), batch):
            _of_shape(f"head[{name!r}]", given[name], batch)
    s = given["s"]
    if not s.ndim or s.shape[1:] != batch or len(s) % 2 == 0:
        wanted = ("an odd number", *batch)
        raise ValueError(f"head['s'] has shape {s.shape}; expected ({', '.join(map(str, wanted))})")
    return M, given, before


def _of_shape(name, array, shape):
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; expected {shape}")
    return array
