"""Self-attention over all pairs, and a matrix memory of fixed size (10.12, and since).

Each step writes a key ``k^(t)`` and a value ``v^(t)``, and reads with a query ``q^(t)``. Causal
self-attention keeps every pair and computes a softmax over the pairs so far (Vaswani et al., 2017).
A matrix memory adds each pair, ``M <- M + beta v k^T``, or corrects its reading,
``M <- M + beta (v - M k) k^T``, and returns ``M q`` (Schmidhuber, 1992; Schlag et al., 2021). Keys
and queries have the shape (T, d) or (T, B, d), values (T, n) or (T, B, n).
"""

from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import as_choice, as_kind, as_number, as_real

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


def read_all_backward(q, k, v, run: ReadAllRun, grad, beta=1.0) -> dict:
    """Return the gradients on queries, keys and values.

    Parameters
    ----------
    q, k, v, beta
        As for `read_all_forward`.
    run : ReadAllRun
        What it returned.
    grad : array_like
        Gradient on what was read, of its shape.

    Returns
    -------
    dict of ndarray
        ``q``, ``k``, ``v``.
    """
    as_kind("run", run, ReadAllRun, "what read_all_forward returns")
    q, k, v = _as_pairs(q, k, v)
    beta = as_number("beta", beta)
    q, k, v, grad = map(_by_sequence, (q, k, v, _as_grad(grad, v, run)))
    weights = run.weights if q.ndim == 2 else np.moveaxis(run.weights, -1, 0)
    on_weights = grad @ v.mT
    average = (weights * on_weights).sum(axis=-1, keepdims=True)
    on_scores = beta * weights * (on_weights - average)
    grads = {"q": on_scores @ k, "k": on_scores.mT @ q, "v": weights.mT @ grad}
    return {name: _by_sequence(array) for name, array in grads.items()}


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


def matrix_backward(q, k, v, run: MatrixRun, grad, beta=1.0, rule="sum") -> dict:
    """Return the gradients on queries, keys, values and strengths.

    Parameters
    ----------
    q, k, v, beta, rule
        As for `matrix_forward`.
    run : MatrixRun
        What it returned.
    grad : array_like
        Gradient on what was read, of its shape.

    Returns
    -------
    dict of ndarray
        ``q``, ``k``, ``v``; and ``beta``, a number for each step and sequence.
    """
    as_kind("run", run, MatrixRun, "what matrix_forward returns")
    q, k, v = _as_pairs(q, k, v)
    as_choice("rule", rule, RULES)
    grad, beta = _as_grad(grad, v, run), _as_strengths(beta, q)
    grads = {name: np.zeros_like(array) for name, array in {"k": k, "v": v, "beta": beta}.items()}
    on_M = np.zeros_like(run.M[0])
    for t in range(len(q) - 1, -1, -1):
        on_M = on_M + _outer(grad[t], q[t])
        strength = beta[t][..., None]
        new = v[t] - _read(run.M[t], k[t]) if rule == "delta" else v[t]
        on_new = strength * _read(on_M, k[t])
        grads["v"][t] = on_new
        grads["k"][t] = strength * _read(np.swapaxes(on_M, -1, -2), new)
        grads["beta"][t] = (new * _read(on_M, k[t])).sum(axis=-1)
        if rule == "delta":  # the write also depends on the old reading
            grads["k"][t] -= _read(np.swapaxes(run.M[t], -1, -2), on_new)
            on_M = on_M - _outer(on_new, k[t])
    return {"q": np.einsum("t...n,t...nd->t...d", grad, run.M[1:])} | grads


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


def _as_grad(grad, v, run):
    grad = as_real("grad", grad)
    for name, array in (("grad", grad), ("y of run", run.y)):
        if array.shape != v.shape:
            raise ValueError(f"{name} has shape {array.shape}; expected {v.shape}")
    return grad
