"""Self-attention over all pairs, and a matrix memory of fixed size (10.12, and since).

Each step writes a key ``k^(t)`` and a value ``v^(t)``, and reads with a query ``q^(t)``. Causal
self-attention keeps every pair and computes a softmax over the pairs so far (Vaswani et al., 2017).
A matrix memory adds each pair, ``M <- M + beta v k^T``, or corrects its reading,
``M <- M + beta (v - M k) k^T``, and returns ``M q`` (Schmidhuber, 1992; Schlag et al., 2021). Keys
and queries have the shape (T, d) or (T, B, d), values (T, n) or (T, B, n).
"""

from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import as_choice, as_number, as_real

RULES = ("sum", "delta")
"""Rules for writing a pair into a matrix: add it, or correct the reading for its key."""


@dataclass(frozen=True, eq=False)
class ReadAllRun:
    """The weights and readings of `read_all_forward`.

    Attributes
    ----------
    weights : ndarray, shape (T, T) or (T, T, B)
        Weight of each pair in the reading of each step; 0 for later pairs.
    y : ndarray, shape (T, n) or (T, B, n)
        Readings.
    """

    weights: np.ndarray
    y: np.ndarray


def read_all_forward(q, k, v, beta=1.0) -> ReadAllRun:
    """Compute causal self-attention: at each step, a softmax over all pairs so far.

    Parameters
    ----------
    q, k, v : array_like
        Queries, keys, values.
    beta : float
        Sharpness: scores are ``beta q . k``. Transformers use ``d ** -0.5``.

    Returns
    -------
    ReadAllRun
    """
    q, k, v = map(_by_sequence, _as_pairs(q, k, v))
    scores = as_number("beta", beta) * (q @ k.mT)
    scores[..., ~np.tri(q.shape[-2], dtype=bool)] = -np.inf  # these pairs aren't written yet
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return ReadAllRun(_sequences_last(weights), _by_sequence(weights @ v))


def _by_sequence(array):
    """Swap the axes of time and sequences, so that each sequence is a matrix: (B, T, n)."""
    return array.swapaxes(0, -2)


def _sequences_last(weights):
    """Move the axis of sequences, if there is one, to the end: (T, T, B)."""
    return weights if weights.ndim == 2 else np.moveaxis(weights, 0, -1)


@dataclass(frozen=True, eq=False)
class MatrixRun:
    """The memories and readings of `matrix_forward`.

    Attributes
    ----------
    M : ndarray, shape (T + 1, n, d) or (T + 1, B, n, d)
        The memory before the first step, which is zero, and after each step.
    y : ndarray, shape (T, n) or (T, B, n)
        Readings, each after the pair of its step is written.
    """

    M: np.ndarray
    y: np.ndarray


def matrix_step(M, k, v, beta, rule="sum"):
    """Return the memory after one pair: ``M + beta v k^T``, or ``M + beta (v - M k) k^T``.

    The second rule is a step of gradient descent on half the squared error of the reading.

    Parameters
    ----------
    M : ndarray, shape (n, d) or (B, n, d)
    k : ndarray, shape (d,) or (B, d)
    v : ndarray, shape (n,) or (B, n)
    beta : float or ndarray, shape (B,)
    rule : {"sum", "delta"}
    """
    new = v - _read(M, k) if rule == "delta" else v
    return M + np.asarray(beta)[..., None, None] * _outer(new, k)


def matrix_forward(q, k, v, beta=1.0, rule="sum") -> MatrixRun:
    """Write each pair into one matrix, and read with the query of the step.

    Parameters
    ----------
    q, k, v : array_like
        Queries, keys, values.
    beta : float or array_like, shape (T,) or (T, B)
        Strength of each write.
    rule : {"sum", "delta"}

    Returns
    -------
    MatrixRun
    """
    q, k, v = _as_pairs(q, k, v)
    as_choice("rule", rule, RULES)
    beta = _as_strengths(beta, q)
    M = np.zeros((len(q) + 1, *q.shape[1:-1], v.shape[-1], q.shape[-1]))
    for t in range(len(q)):
        M[t + 1] = matrix_step(M[t], k[t], v[t], beta[t], rule)
    return MatrixRun(M, _read(M[1:], q))


def _read(M, q):
    return (M * q[..., None, :]).sum(axis=-1)


def _outer(v, k):
    return v[..., None] * k[..., None, :]


def _as_pairs(q, k, v):
    q, k, v = (as_real(name, value) for name, value in zip("qkv", (q, k, v), strict=True))
    if q.ndim not in (2, 3) or 0 in q.shape:
        raise ValueError(f"q has shape {q.shape}; expected (T, d) or (T, B, d)")
    if k.shape != q.shape:
        raise ValueError(f"k has shape {k.shape}; expected {q.shape}, as the queries")
    if v.shape[:-1] != q.shape[:-1] or 0 in v.shape:
        lead = ", ".join(map(str, q.shape[:-1]))
        raise ValueError(f"v has shape {v.shape}; expected ({lead}, n)")
    return q, k, v


def _as_strengths(beta, q):
    """Return strengths of shape (T,) or (T, B)."""
    beta = as_real("beta", beta)
    if beta.ndim and beta.shape not in (q.shape[:1], q.shape[:-1]):
        raise ValueError(f"beta has shape {beta.shape}; expected a number or {q.shape[:-1]}")
    beta = beta.reshape(*beta.shape, *[1] * (q.ndim - 1 - beta.ndim)) if beta.ndim else beta
    return np.array(np.broadcast_to(beta, q.shape[:-1]), np.result_type(beta, q))
