"""A memory outside the state (10.12), addressed softly, as by Graves et al. (2014).

The memory ``M`` has cells in its rows, shape (n, d), or (n, B, d) for a minibatch. How much of each
cell is read or written is said by weights ``w``, shape (n,) or (n, B), that add up to 1. They are
found in four steps: by content, from a key ``k``, (d,) or (B, d), and its sharpness ``beta``; by
what was chosen before, as far as a gate ``g`` wants it; one or more cells further, as ``s``,
(2 r + 1,) or (2 r + 1, B), says for distances from -r to r; and sharpened, by an exponent
``gamma``. ``beta``, ``g`` and ``gamma`` are numbers, or (B,). What is read is the
`weighted_average` of the cells. Goodfellow et al. describe all this and number no equation.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.reference.attention import attention_weights, weighted_average
from rnn_helpers.validate import as_kind, as_real, brief

HEAD = ("k", "beta", "g", "s", "gamma")
"""What a head says in order to choose cells."""
_EMPTY = 1e-8  # a cell of zeros points nowhere, and is like no key


# ---- find by content ----


def cosines(M, k):
    """How alike each cell and a key are in direction, from -1 to 1; 0 for a cell of zeros."""
    return (_unit(M) * _unit(k)).sum(axis=-1)


def content_scores(M, k, beta):
    """Score of each cell, ``beta cos(M_i, k)``; `attention_weights` makes weights of them."""
    return beta * cosines(M, k)


def grad_content_scores(M, k, beta, grad):
    """Gradients on ``M``, ``k`` and ``beta``, from that on the scores.

    A cell's length is nothing to its cosine, so no gradient points along the cell.
    """
    cos, on_cos = cosines(M, k), (beta * grad)[..., None]
    M_, k_ = _unit(M), _unit(k)
    along = cos[..., None]
    return {
        "M": on_cos * (k_ - along * M_) / _length(M),
        "k": (on_cos * (M_ - along * k_)).sum(axis=0) / _length(k),
        "beta": (grad * cos).sum(axis=0),
    }


def _length(v):
    return np.maximum(np.sqrt((v * v).sum(axis=-1, keepdims=True)), _EMPTY)


def _unit(v):
    return v / _length(v)


# ---- find by place ----


def interpolate_weights(g, found, before):
    """Weights by content, `found`, as far as the gate ``g`` says; for the rest those before."""
    return g * found + (1 - g) * before


def grad_interpolate_weights(g, found, before, grad):
    """Gradients on ``g``, ``found`` and ``before``."""
    return {
        "g": (grad * (found - before)).sum(axis=0),
        "found": g * grad,
        "before": (1 - g) * grad,
    }


def shift_weights(w, s):
    """Weights moved along the cells, by each distance from -r to r in the proportion that it has.

    After the last cell comes the first.
    """
    return sum(share * np.roll(w, by, axis=0) for by, share in _distances(s))


def grad_shift_weights(w, s, grad):
    """Gradients on ``w``, back by the same distances, and on ``s``."""
    return {
        "w": sum(share * np.roll(grad, -by, axis=0) for by, share in _distances(s)),
        "s": np.array([(grad * np.roll(w, by, axis=0)).sum(axis=0) for by, _ in _distances(s)]),
    }


def _distances(s):
    if len(s) % 2 == 0:
        raise ValueError("s has an even number of distances")
    return list(enumerate(s, -(len(s) // 2)))


def sharpen_weights(w, gamma):
    """Weights to the power ``gamma``, made to add up to 1 again."""
    powers = w**gamma
    return powers / powers.sum(axis=0)


def grad_sharpen_weights(w, gamma, grad):
    """Gradients on ``w`` and ``gamma``."""
    sharp = sharpen_weights(w, gamma)
    more = grad - (grad * sharp).sum(axis=0)
    known = np.log(np.where(w > 0, w, 1))  # a weight of 0 stays 0 whatever gamma is
    return {
        "w": gamma * more * w ** (gamma - 1) / (w**gamma).sum(axis=0),
        "gamma": (more * sharp * known).sum(axis=0),
    }


# ---- write ----


def write_cells(M, w, e, a):
    """The memory after a write: in each cell, by its weight, ``e`` is erased and ``a`` added.

    Parameters
    ----------
    M, w : ndarray
    e : ndarray, shape (d,) or (B, d)
        How much of each number goes, from 0, nothing, to 1, all.
    a : ndarray, shape (d,) or (B, d)
    """
    w = w[..., None]
    return M * (1 - w * e) + w * a


def grad_write_cells(M, w, e, a, grad):
    """Gradients on ``M``, ``w``, ``e`` and ``a``.

    Where nothing is written the gradient passes to the cell of before as it is: copying preserves
    it.
    """
    weight = w[..., None]
    return {
        "M": grad * (1 - weight * e),
        "w": (grad * (a - M * e)).sum(axis=-1),
        "e": -(grad * weight * M).sum(axis=0),
        "a": (grad * weight).sum(axis=0),
    }


# ---- read one cell, drawn by lot ----


def grad_drawn(weights, drawn, reward, baseline=0.0):
    """Gradient on the scores of one cell drawn by its weight, as REINFORCE estimates it.

    ``(reward - baseline) (1[i = drawn] - w_i)``: on average over the draws it is the gradient of
    the mean reward, whatever the baseline is, as long as it does not depend on the draw.

    Parameters
    ----------
    weights : ndarray, shape (n,) or (n, B)
    drawn : int or ndarray of int, shape (B,)
        The cell that was read.
    reward, baseline : float or ndarray, shape (B,)
        What came of it, such as the log probability of the right answer; and what was expected.
    """
    one = np.arange(len(weights)).reshape(-1, *[1] * (weights.ndim - 1)) == drawn
    return (reward - baseline) * (one - weights)


# ---- a head ----


@dataclass(frozen=True, eq=False)
class AddressRun:
    """What `address_forward` computed, step by step.

    Attributes
    ----------
    found, gated, shifted, weights : ndarray, shape (n,) or (n, B)
        Weights by content; after interpolation; after the shift; and sharpened, those that a head
        reads or writes with.
    """

    found: np.ndarray
    gated: np.ndarray
    shifted: np.ndarray
    weights: np.ndarray


def address_forward(M, head: Mapping, before) -> AddressRun:
    """Weights by which a head reads or writes.

    Parameters
    ----------
    M : array_like, shape (n, d) or (n, B, d)
    head : mapping
        ``k``, ``beta``, ``g``, ``s`` and ``gamma``, as the head says them.
    before : array_like, shape (n,) or (n, B)
        Weights at the step before.

    Returns
    -------
    AddressRun
    """
    M, head, before = _as_addressed(M, head, before)
    found = attention_weights(content_scores(M, head["k"], head["beta"]))
    gated = interpolate_weights(head["g"], found, before)
    shifted = shift_weights(gated, head["s"])
    return AddressRun(found, gated, shifted, sharpen_weights(shifted, head["gamma"]))


def address_backward(M, head: Mapping, before, run: AddressRun, grad) -> dict:
    """Gradients on all that the weights come from.

    Parameters
    ----------
    M, head, before
        As for `address_forward`.
    run : AddressRun
        What it returned.
    grad : array_like, shape (n,) or (n, B)
        Gradient on the weights.

    Returns
    -------
    dict of ndarray
        ``M``, ``before``, and each of the head's numbers.
    """
    as_kind("run", run, AddressRun, "what address_forward returns")
    M, head, before = _as_addressed(M, head, before)
    grad = _of_shape("grad", as_real("grad", grad), before.shape)
    _of_shape("weights of run", run.weights, before.shape)
    sharpened = grad_sharpen_weights(run.shifted, head["gamma"], grad)
    shifted = grad_shift_weights(run.gated, head["s"], sharpened["w"])
    gated = grad_interpolate_weights(head["g"], run.found, before, shifted["w"])
    more = gated["found"] - (gated["found"] * run.found).sum(axis=0)
    scored = grad_content_scores(M, head["k"], head["beta"], run.found * more)
    return scored | {
        "before": gated["before"],
        "g": gated["g"],
        "s": shifted["s"],
        "gamma": sharpened["gamma"],
    }


def recall(M, k, beta):
    """What is read by content alone: the average of the cells, by how alike the key they are.

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
    said = {name: as_real(f"head[{name!r}]", head[name]) for name in HEAD}
    batch = M.shape[1:-1]
    _of_shape("before", before, M.shape[:-1])
    _of_shape("head['k']", said["k"], M.shape[1:])
    for name in ("beta", "g", "gamma"):
        if said[name].shape not in ((), batch):
            _of_shape(f"head[{name!r}]", said[name], batch)
    s = said["s"]
    if not s.ndim or s.shape[1:] != batch or len(s) % 2 == 0:
        wanted = ("an odd number", *batch)
        raise ValueError(f"head['s'] has shape {s.shape}; expected ({', '.join(map(str, wanted))})")
    return M, said, before


def _of_shape(name, array, shape):
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; expected {shape}")
    return array
