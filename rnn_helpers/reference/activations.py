"""Sigmoid, softmax and one-hot vectors, computed without overflow."""

import numpy as np

from rnn_helpers.reference.equations import equation
from rnn_helpers.validate import as_count, as_real, as_tokens


@equation("5.6")
def sigmoid(z):
    """Sigmoid of every entry, ``1 / (1 + exp(-z))``, in the floating type of `z`."""
    return _sigmoid(as_real("z", z))


def _sigmoid(z):
    with np.errstate(over="ignore", under="ignore"):  # where exp(-z) is infinite, the sigmoid is 0
        return _sigmoid_into(None, z)


def _sigmoid_into(out, z):
    """Write the sigmoid into `out`; callers silence overflow warnings once, outside their loop."""
    e = np.exp(np.negative(z, out=out), out=out)
    return np.divide(1, np.add(1, e, out=out), out=out)  # (C 5.6)


@equation("10.11", "5.9")
def softmax(o):
    """Return the softmax over the last axis, ``exp(o_j) / sum_j' exp(o_j')``.

    (C 5.9) prints ``exp(s_j)`` in the sum over ``j'``, which would make every entry ``1 / n``.
    This function adds up ``exp(s_j')``.

    Parameters
    ----------
    o : array_like, shape (..., n)
        Logits.
    """
    with np.errstate(under="ignore"):
        e = np.exp(_shifted(_as_scores(o)))
        return e / e.sum(axis=-1, keepdims=True)  # (G 10.11), (C 5.9)


@equation("10.11", "5.9")
def log_softmax(o):
    """Return the logarithm of `softmax`, accurate even where the probability rounds to 0.

    All entries are finite and at most 0.
    """
    return _log_softmax(_as_scores(o))


def _log_softmax(o):
    log_yhat = _shifted(o)
    with np.errstate(under="ignore"):
        log_yhat -= np.log(np.exp(log_yhat).sum(axis=-1, keepdims=True))  # log of (G 10.11)
    return log_yhat


def one_hot(tokens, n):
    """One-hot vectors: all 0 except for a 1 at the token's place.

    Parameters
    ----------
    tokens : array_like of int, shape (...)
        Tokens in ``0 .. n-1``. (The sources number symbols from 1, arrays from 0.)
    n : int
        Number of different symbols.

    Returns
    -------
    ndarray of float64, shape (..., n)
    """
    n = as_count("n", n)
    return _one_hot(as_tokens("tokens", tokens, n), n, np.float64)


def _one_hot(tokens, n, dtype):
    vectors = np.zeros((tokens.size, n), dtype)
    vectors[np.arange(tokens.size), tokens.ravel()] = 1
    return vectors.reshape(*tokens.shape, n)


def _as_scores(o):
    o = as_real("o", o)
    if o.ndim == 0 or o.shape[-1] == 0:
        raise ValueError(f"o has shape {o.shape}; expected a last axis of at least one score")
    return o


def _shifted(o):
    """Scores minus their maximum: the same softmax, and ``exp`` stays below 1."""
    return o - o.max(axis=-1, keepdims=True)
