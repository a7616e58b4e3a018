"""A decoder with attention (10.4, Bahdanau et al. 2015).

The encoder's *annotations* ``a_1 .. a_m`` have shape (m, n_c) or (m, B, n_c). At each step, three
lines of arithmetic turn them into one context: a score for each annotation, which depends on the
state before the step; a softmax, which gives weights; and the weighted average. The parameters are
those of `init_rnn`, where ``U`` multiplies the previous symbol, with ``R`` (n_h, n_c) for the
context. Dot-product scores ``a_i . Q h`` need ``Q`` (n_c, n_h); additive scores,
``v . tanh(Q h + K a_i)``, need ``Q`` (n_a, n_h), ``K`` (n_a, n_c) and ``v`` (n_a,).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.reference.activations import _log_softmax
from rnn_helpers.reference.bptt import grad_output, grad_step_loss, sum_outer
from rnn_helpers.reference.context import previous_symbols
from rnn_helpers.reference.rnn import (
    AnyRun,
    hidden_state,
    init_rnn,
    input_term,
    output,
    preactivation,
    times,
)
from rnn_helpers.validate import (
    as_choice,
    as_count,
    as_generator,
    as_kind,
    as_mask,
    as_params,
    as_real,
    as_targets,
)

SCORES = {"dot": ("Q",), "additive": ("Q", "K", "v")}
"""Kinds of scores, with the parameters that each needs."""


@dataclass(frozen=True, eq=False)
class AttentionRun(AnyRun):
    """The result of `attention_forward`, in addition to `AnyRun`.

    Attributes
    ----------
    scores, weights : ndarray, shape (T, m) or (T, m, B)
        One for each annotation at each step; the weights of a step add up to 1.
    contexts : ndarray, shape (T, n_c) or (T, B, n_c)
        Weighted averages.
    """

    scores: np.ndarray
    weights: np.ndarray
    contexts: np.ndarray


# ---- three lines of arithmetic ----


def dot_scores(Q, h, annotations):
    """Return the dot-product score of each annotation, ``a_i . Q h``.

    Parameters
    ----------
    Q : ndarray, shape (n_c, n_h)
    h : ndarray, shape (n_h,) or (B, n_h)
        State before the step.
    annotations : ndarray, shape (m, n_c) or (m, B, n_c)

    Returns
    -------
    ndarray, shape (m,) or (m, B)
    """
    return (annotations * times(Q, h)).sum(axis=-1)


def additive_scores(Q, K, v, h, annotations):
    """Return the additive score of each annotation; shapes as for `dot_scores`."""
    return np.tanh(times(Q, h) + times(K, annotations)) @ v


def attention_weights(scores):
    """Return the softmax of the scores over the annotations: shape (m,) or (m, B)."""
    return np.exp(_log_softmax(scores.T).T)


def weighted_average(weights, annotations):
    """Return the context (..., n_c): annotations (m, ..., n_c) averaged with weights (m, ...)."""
    return (weights[..., None] * annotations).sum(axis=0)


def grad_scores(weights, annotations, grad_context):
    """Return the gradient on the scores of a step, from the gradient on its context.

    For score i it is ``weight_i (a_i - context) . grad_context``, so a small weight also means a
    small gradient.

    Parameters
    ----------
    weights : ndarray, shape (m,) or (m, B)
    annotations : ndarray, shape (m, n_c) or (m, B, n_c)
    grad_context : ndarray, shape (n_c,) or (B, n_c)
    """
    grad_each = (annotations * grad_context).sum(axis=-1)
    return weights * (grad_each - (weights * grad_each).sum(axis=0))


def grad_averaged(weights, grad_context):
    """Return the gradient on the annotations that comes through the average: (m, ..., n_c)."""
    return weights[..., None] * grad_context


# ---- a decoder with attention ----


def init_attention(n_c, n_h, n_y, score="dot", n_a=None, seed=0, scale=None):
    """Draw Gaussian weights with standard deviation `scale`; biases are 0.

    Parameters
    ----------
    n_c, n_h, n_y : int
        Numbers in an annotation, hidden units and symbols.
    score : {"dot", "additive"}
    n_a : int, optional
        Units in the network that computes additive scores; `n_h` by default.
    seed : int or Generator
    scale : float, optional
        As for `init_rnn`.
    """
    as_choice("score", score, SCORES)
    n_c, n_y, rng = as_count("n_c", n_c), as_count("n_y", n_y), as_generator(seed)
    params = init_rnn(n_y, n_h, n_y, rng, scale)
    n_a = as_count("n_a", n_h if n_a is None else n_a)
    scale = n_h**-0.5 if scale is None else scale
    shapes = {"R": (n_h, n_c), "Q": (n_c, n_h)}
    if score == "additive":
        shapes |= {"Q": (n_a, n_h), "K": (n_a, n_c), "v": (n_a,)}
    return params | {name: rng.normal(0, scale, shape) for name, shape in shapes.items()}


def attention_forward(params: Mapping, annotations, y) -> AttentionRun:
    """Run the decoder on the true symbols, with attention at each step.

    Parameters
    ----------
    params : mapping
        As `init_attention` gives them.
    annotations : array_like, shape (m, n_c) or (m, B, n_c)
        Such as the states or outputs of an encoder.
    y : array_like of int, shape (T,) or (T, B)
        True symbols; each of them is the input of the step after it.

    Returns
    -------
    AttentionRun
        Whose inputs are the symbols before, as one-hot vectors.
    """
    params, annotations = _as_looking(params, annotations)
    previous = previous_symbols(y, len(params["c"]), annotations.shape[1:-1])
    Uy = input_term(params["U"], previous)
    h = np.zeros((len(previous) + 1, *annotations.shape[1:-1], len(params["b"])))
    keys = _keys(params, annotations)
    each = []
    for t in range(len(previous)):
        scores = _scores(params, h[t], annotations, keys)
        weights = attention_weights(scores)
        context = weighted_average(weights, annotations)
        received = Uy[t] + times(params["R"], context)
        h[t + 1] = hidden_state(preactivation(params["b"], params["W"], h[t], received))
        each.append((scores, weights, context))
    o = output(params["c"], params["V"], h[1:])
    return AttentionRun(previous, h, o, _log_softmax(o), *map(np.array, zip(*each, strict=True)))


def attention_backward(params: Mapping, run: AttentionRun, annotations, y, mask=None) -> dict:
    """Return the gradients of `rnn_loss` on all parameters and on the annotations.

    Parameters
    ----------
    params : mapping
        The parameters that made the run.
    run : AttentionRun
        Result of `attention_forward`.
    annotations, y : array_like
        As for `attention_forward`.
    mask : array_like, optional
        As for `rnn_loss`.

    Returns
    -------
    dict of ndarray
        Each of its parameter's shape; ``"annotations"`` is passed back to the encoder.
    """
    as_kind("run", run, AttentionRun, "what attention_forward returns")
    params, annotations = _as_looking(params, annotations)
    if run.weights.shape[1:] != annotations.shape[:-1]:
        raise ValueError(
            f"run has weights of {run.weights.shape[1:]}; expected those of annotations "
            f"{annotations.shape}"
        )
    mask = as_mask(mask, run.o.shape[:-1])
    y = as_targets(y, run.o.shape, mask)
    R, W = params["R"], params["W"]
    grad_o = grad_output(run.yhat, y, grad_step_loss(mask))
    from_output = times(params["V"].T, grad_o)
    grad_a = np.empty_like(run.h)
    grad_annotations, grad_h = np.zeros_like(annotations), 0
    scoring = {name: np.zeros_like(params[name]) for name in _scoring(params)}
    keys = _keys(params, annotations)
    for t in range(len(run.h) - 1, -1, -1):
        grad_a[t] = (1 - run.h[t] ** 2) * (from_output[t] + grad_h)
        grad_context = times(R.T, grad_a[t])
        on_scores = grad_scores(run.weights[t], annotations, grad_context)
        by_name, looked, scored = _scores_backward(
            params, run.h_prev[t], annotations, keys, on_scores
        )
        for name, grad in by_name.items():
            scoring[name] += grad
        grad_annotations += grad_averaged(run.weights[t], grad_context) + scored
        grad_h = times(W.T, grad_a[t]) + looked
    return scoring | {
        "U": sum_outer(grad_a, run.x),
        "R": sum_outer(grad_a, run.contexts),
        "W": sum_outer(grad_a, run.h_prev),
        "V": sum_outer(grad_o, run.h),
        "b": grad_a.reshape(-1, grad_a.shape[-1]).sum(axis=0),
        "c": grad_o.reshape(-1, grad_o.shape[-1]).sum(axis=0),
        "annotations": grad_annotations,
    }


def _scoring(params):
    return SCORES["additive" if "K" in params else "dot"]


def _keys(params, annotations):
    """Return the ``K a_i`` of additive scores, which are the same at every step."""
    return times(params["K"], annotations) if "K" in params else None


def _scores(params, h, annotations, keys):
    if keys is None:
        return dot_scores(params["Q"], h, annotations)
    return np.tanh(times(params["Q"], h) + keys) @ params["v"]


def _scores_backward(params, h, annotations, keys, on_scores):
    """Return the gradients on the parameters of the scores, the state and the annotations."""
    Q = params["Q"]
    if keys is None:
        asked = (on_scores[..., None] * annotations).sum(axis=0)  # the gradient on Q h
        scored = on_scores[..., None] * times(Q, h)
        return {"Q": sum_outer(asked[None], h[None])}, times(Q.T, asked), scored
    K, v = params["K"], params["v"]
    units = np.tanh(times(Q, h) + keys)
    grad_units = (1 - units**2) * on_scores[..., None] * v
    asked = grad_units.sum(axis=0)
    grads = {
        "Q": sum_outer(asked[None], h[None]),
        "K": sum_outer(grad_units, annotations),
        "v": (on_scores[..., None] * units).reshape(-1, len(v)).sum(axis=0),
    }
    return grads, times(Q.T, asked), times(K.T, grad_units)


def _as_looking(params, annotations):
    U, W, V, b, c = as_params(params)
    annotations = as_real("annotations", annotations)
    if annotations.ndim not in (2, 3) or not annotations.size:
        raise ValueError(
            f"annotations have shape {annotations.shape}; expected (m, n_c) or (m, B, n_c)"
        )
    whole = dict(zip("UWVbc", (U, W, V, b, c), strict=True))
    n_h, n_c = len(b), annotations.shape[-1]
    for name in ("R", *_scoring(params)):
        if name not in params:
            raise ValueError(f"params lacks {name}; expected what init_attention gives")
        whole[name] = as_real(f"params['{name}']", params[name])
    n_a = len(whole["v"]) if "v" in whole and whole["v"].ndim == 1 else n_c
    fits = {"U": (n_h, len(c)), "R": (n_h, n_c), "Q": (n_a, n_h), "K": (n_a, n_c), "v": (n_a,)}
    for name in whole.keys() & fits.keys():
        if whole[name].shape != fits[name]:
            raise ValueError(
                f"params['{name}'] has shape {whole[name].shape}; expected {fits[name]}, with "
                f"annotations of {n_c}"
            )
    return whole, annotations
