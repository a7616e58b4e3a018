"""The output-recurrent network of figure 10.4, whose outputs are fed back to its hidden units.

Parameters are ``{"U": (n_h, n_x), "R": (n_h, n_y), "V": (n_y, n_h), "b": (n_h,), "c": (n_y,)}``,
and ``"W": (n_h, n_h)`` if the network also keeps a state, as in figure 10.10. The letters are those
of figure 10.10; figure 10.4 has no weights between hidden units and writes W for our R. At each
step the hidden units receive the input and what they are *fed*: the true output of the step before
(teacher forcing) or the network's own (free running).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rnn_helpers.reference.activations import _log_softmax, _one_hot, softmax
from rnn_helpers.reference.bptt import grad_output, grad_step_loss, sum_outer
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.rnn import AnyRun, init_rnn, input_term, output, times
from rnn_helpers.validate import (
    as_array,
    as_choice,
    as_generator,
    as_initial_state,
    as_inputs,
    as_kind,
    as_mask,
    as_number,
    as_params,
    as_real,
    as_targets,
    as_tokens,
    brief,
)

FEEDBACK = ("output", "probabilities", "likeliest", "drawn")
"""The forms in which an output o can be fed: as it is, softmax(o), or a one-hot vector."""


@dataclass(frozen=True, eq=False)
class OutputRun(AnyRun):
    """The results of `output_forward` and `forced_forward`, in addition to those of `AnyRun`.

    Attributes
    ----------
    fed : ndarray, shape (T, ..., n_y)
        The vectors that the hidden units were fed at each step.
    own : ndarray of bool, shape (T, ...)
        Whether each of them was the network's own output of the step before.
    feedback : str
        The form in which its own outputs were fed, one of `FEEDBACK`.
    """

    fed: np.ndarray
    own: np.ndarray
    feedback: str


def init_output_rnn(n_x, n_h, n_y, seed=0, scale=None, dtype=np.float64, keeps_state=False):
    """Return random parameters: Gaussian weights of deviation `scale`, and zero biases.

    Parameters
    ----------
    n_x, n_h, n_y, scale, dtype
        As for `init_rnn`.
    seed : int or Generator
        Source of the weights.
    keeps_state : bool
        Whether there are weights ``W`` from the hidden units of one step to those of the next.
    """
    rng = as_generator(seed)
    params = init_rnn(n_x, n_h, n_y, rng, scale, dtype)
    scale = n_h**-0.5 if scale is None else scale
    params["R"] = rng.normal(0, scale, (n_h, n_y)).astype(params["V"].dtype)
    return params if keeps_state else {name: params[name] for name in "URVbc"}


def output_forward(
    params: Mapping, x, y=None, own=False, feedback="likeliest", seed=0, start=None
) -> OutputRun:
    """Run the network step by step, and feed each step the truth or the network's last output.

    Parameters
    ----------
    params : mapping
        From `init_output_rnn`.
    x : array_like
        Tokens (T,) or (T, B), or vectors (T, n_x) or (T, B, n_x).
    y : array_like of int, shape (T,) or (T, B), optional
        The true outputs, as tokens. They aren't needed if no step is fed the truth.
    own : bool or array_like of bool, shape (T,) or (T, B)
        Whether a step is fed the network's own output of the step before; otherwise it is fed the
        truth. The first step is fed `start`.
    feedback : {"likeliest", "drawn", "probabilities", "output"}
        The form in which the network's own output is fed.
    seed : int or Generator
        Source of the outputs that are drawn.
    start : array_like, optional
        The vector that the first step is fed, of a shape that broadcasts to (n_y,) or (B, n_y); 0
        by default.
    """
    params = _as_params(params)
    x, batch = as_inputs(x, params["U"])
    own = _as_own(own, (len(x), *batch))
    as_choice("feedback", feedback, FEEDBACK)
    rng = as_generator(seed)
    fed = _truth_before(y, own, params, start)
    W, R, b = params.get("W"), params["R"], params["b"]

    Ux = input_term(params["U"], x)
    h = np.zeros((len(x) + 1, *batch, len(b)), b.dtype)
    o = np.empty_like(fed)
    for t in range(1, len(x) + 1):
        if t > 1 and own[t - 1].any():
            returned = fed_back(o[t - 2], feedback, rng)
            fed[t - 1] = np.where(own[t - 1][..., None], returned, fed[t - 1])
        a = b + times(R, fed[t - 1]) + Ux[t - 1]
        if W is not None:
            a = a + times(W, h[t - 1])
        h[t] = np.tanh(a)  # (G 10.9)
        o[t - 1] = output(params["c"], params["V"], h[t])  # (G 10.10)
    return OutputRun(x, h, o, _log_softmax(o), fed, own, feedback)


def forced_forward(params: Mapping, x, y, start=None) -> OutputRun:
    """Run a network without a state by teacher forcing, all steps at once.

    No step waits for another, because `y` contains everything that each step is fed. So time is one
    more axis of the batch. The result equals that of `output_forward`, and so do the arguments,
    except that `params` has no ``W``.
    """
    params = _as_params(params)
    if "W" in params:
        raise ValueError("params has W; expected a network whose steps do not wait for one another")
    x, batch = as_inputs(x, params["U"])
    own = _as_own(False, (len(x), *batch))
    fed = _truth_before(y, own, params, start)
    a = params["b"] + times(params["R"], fed) + input_term(params["U"], x)
    h = np.tanh(a)  # (G 10.9)
    o = output(params["c"], params["V"], h)  # (G 10.10)
    states = np.concatenate([np.zeros_like(h[:1]), h])
    return OutputRun(x, states, o, _log_softmax(o), fed, own, "likeliest")


def fed_back(o, feedback, rng):
    """Return an output in the form in which it is fed: as it is, as probabilities, or as a symbol.

    Parameters
    ----------
    o : ndarray, shape (..., n_y)
    feedback : str
        One of `FEEDBACK`.
    rng : Generator
        Used if a symbol is drawn.
    """
    if feedback == "output":
        return o
    if feedback == "probabilities":
        return softmax(o)
    if feedback == "drawn":
        o = o + rng.gumbel(size=o.shape)  # the largest of these is a draw from softmax(o)
    return _one_hot(o.argmax(axis=-1), o.shape[-1], o.dtype)


def output_backward(params: Mapping, run: OutputRun, y, mask=None) -> dict:
    """Return the gradients of `rnn_loss` for any mixture of true and own outputs.

    A gradient has two paths back through time: through ``W``, if the network keeps a state, and
    through ``R``, at steps that were fed the network's own output or its probabilities. None passes
    through a chosen symbol. If neither path is open, the gradients of the steps are independent,
    and there is no loop.

    Parameters
    ----------
    params : mapping
        The parameters that made the run.
    run : OutputRun
        From `output_forward` or `forced_forward`.
    y, mask : array_like
        Targets, and the steps that count, as in `rnn_loss`.

    Returns
    -------
    dict of ndarray
        The gradient with respect to each parameter.
    """
    as_kind("run", run, OutputRun, "what output_forward or forced_forward returns")
    params = _as_params(params)
    _as_of(run, params)
    mask = as_mask(mask, run.o.shape[:-1])
    y = as_targets(y, run.o.shape, mask)
    R, V, W = params["R"], params["V"], params.get("W")
    grad_o = grad_output(run.yhat, y, grad_step_loss(mask))  # (G 10.17), (G 10.18)
    slope = 1 - run.h**2
    passes = run.own.any() and run.feedback in ("output", "probabilities")
    if W is None and not passes:
        grad_a = slope * times(V.mT, grad_o)  # the steps are independent
    else:
        grad_a = np.empty_like(run.h)
        for t in range(len(run.h) - 1, -1, -1):
            later = 0
            if t + 1 < len(run.h):
                if passes:
                    grad_o[t] += _through_feedback(run, t, times(R.mT, grad_a[t + 1]))
                later = 0 if W is None else times(W.mT, grad_a[t + 1])
            grad_a[t] = slope[t] * (times(V.mT, grad_o[t]) + later)
    tokens = run.x.dtype.kind in "iu"
    x = _one_hot(run.x, params["U"].shape[1], V.dtype) if tokens else run.x
    grads = {
        "U": sum_outer(grad_a, x),
        "R": sum_outer(grad_a, run.fed),
        "V": sum_outer(grad_o, run.h),
        "b": grad_a.reshape(-1, grad_a.shape[-1]).sum(axis=0),
        "c": grad_o.reshape(-1, grad_o.shape[-1]).sum(axis=0),
    }
    return grads if W is None else grads | {"W": sum_outer(grad_a, run.h_prev)}


def _through_feedback(run, t, grad_fed):
    """Return the gradient with respect to the output ``o`` that was fed to the next step."""
    if run.feedback == "probabilities":
        yhat = run.yhat[t]
        grad_fed = yhat * (grad_fed - (yhat * grad_fed).sum(axis=-1, keepdims=True))
    return np.where(run.own[t + 1][..., None], grad_fed, 0)


def through_output(params: Mapping) -> dict:
    """Turn a network with a state into an output-recurrent network.

    With ``R = W V^+``, the fed-back output contributes ``W V^+ V h``. If V has as many independent
    rows as there are hidden units, ``V^+ V`` is the identity, so the outputs determine the state.
    Then `output_forward` gives the states and outputs of `rnn_forward` if ``own=True``,
    ``feedback="output"`` and ``start=params["c"]``, which is the output of a zero state. Otherwise
    the matrix of the loop has the rank of V.

    Parameters
    ----------
    params : mapping
        ``U, W, V, b, c``, from `init_rnn`.
    """
    U, W, V, b, c = as_params(params)
    if W.ndim != 2:
        raise ValueError(f"params['W'] has shape {W.shape}; expected one network, (n_h, n_h)")
    R = W @ np.linalg.pinv(V)
    return {"U": U, "R": R, "V": V, "b": b - R @ c, "c": c}


class TwoSteps(NamedTuple):
    """The log-likelihood of two outputs, and the two terms whose sum it is."""

    together: np.ndarray
    second: np.ndarray
    first: np.ndarray


@equation("10.15", "10.16")
def two_step_log_likelihood(joint, y):
    """Compute the log-likelihood of two outputs at once and step by step.

    Parameters
    ----------
    joint : array_like, shape (n_1, n_2)
        Probability of each pair of outputs, given the inputs; the sum is 1.
    y : sequence of two int
        The two outputs, as tokens.

    Returns
    -------
    TwoSteps
        (G 10.15) and the two terms of (G 10.16), the later output first, as in the book.
    """
    joint = _as_table(joint)
    first, second = _as_pair(y, joint.shape)
    with np.errstate(divide="ignore"):
        together = np.log(joint[first, second])  # (G 10.15)
        log_first = np.log(joint[first].sum())  # (G 10.16), the second term
    if together == -np.inf:
        raise ValueError(f"y is {brief(y)}; expected a pair that has a probability above 0")
    log_second = np.log(joint[first, second] / joint[first].sum())  # (G 10.16), the first term
    return TwoSteps(together, log_second, log_first)


def scheduled_optimum(joint, share):
    """Return the best prediction of a second symbol if the true first symbol isn't always fed.

    Step 2 is fed the true first symbol with probability `share`, and otherwise a symbol that the
    network sampled with the true frequencies. A sampled symbol is independent of the true second
    one, and the network can't see which case it is in. So the best prediction is a mixture of the
    conditional probabilities and the plain frequencies.

    Parameters
    ----------
    joint : array_like, shape (n_1, n_2)
        Probability of each pair of true symbols. The sum is 1, and no row is 0.
    share : float
        Probability, from 0 to 1, that step 2 is fed the truth.

    Returns
    -------
    ndarray, shape (n_1, n_2)
        Row i contains the probabilities of the second symbol, given that i was fed.
    """
    joint = _as_table(joint)
    first = joint.sum(axis=1, keepdims=True)
    if not first.all():
        raise ValueError(f"joint has rows {first[:, 0]}; expected none whose sum is 0")
    share = _as_share(share)
    return share * joint / first + (1 - share) * joint.sum(axis=0)


def _as_of(run, params):
    """Raise an error if the parameters can't have made the run."""
    n_h, n_y = run.h.shape[-1], run.o.shape[-1]
    made_with = {"R": n_y, "V": n_h}
    if run.x.dtype.kind in "iu":
        as_tokens("x", run.x, params["U"].shape[-1])
    else:
        made_with["U"] = run.x.shape[-1]
    for name, n in made_with.items():
        found = params[name].shape
        if found[-1] != n:
            raise ValueError(f"params[{name!r}] has shape {found}; expected {n} columns, as in run")


def _as_params(params):
    """Return parameters of one floating type, or raise an error if their shapes don't fit."""
    as_kind("params", params, Mapping, "a mapping with U, R, V, b and c")
    missing = [name for name in "URVbc" if name not in params]
    if missing:
        raise ValueError(f"params lacks {', '.join(missing)}; expected U, R, V, b and c")
    names = [name for name in "URVbcW" if name in params]
    arrays = {name: as_real(f"params[{name!r}]", params[name]) for name in names}
    dtype = np.result_type(*arrays.values())
    n_x, n_h, n_y = (arrays[name].shape[-1:] for name in "Ubc")
    shapes = {
        "U": (*n_h, *n_x),
        "R": (*n_h, *n_y),
        "V": (*n_y, *n_h),
        "b": n_h,
        "c": n_y,
        "W": (*n_h, *n_h),
    }
    for name, array in arrays.items():
        if (
            array.ndim != (1 if name in "bc" else 2)
            or array.shape != shapes[name]
            or not array.size
        ):
            raise ValueError(
                f"params[{name!r}] has shape {array.shape}; expected {shapes[name]}, as of b and c"
            )
    return {name: array.astype(dtype, copy=False) for name, array in arrays.items()}


def _as_own(own, shape):
    """Return which steps are fed the network's own output; the first step never is."""
    own = as_array("own", own)
    if own.ndim and own.shape != shape:
        raise ValueError(f"own has shape {own.shape}; expected {shape}")
    if own.dtype.kind not in "biu" or not ((own == 0) | (own == 1)).all():
        raise ValueError(f"own is {brief(own)}; expected True or False")
    own = np.broadcast_to(own, shape).astype(bool)
    own[0] = False
    return own


def _truth_before(y, own, params, start):
    """Return the last true outputs as one-hot vectors; 0 where the network's own is fed."""
    c = params["c"]
    fed = np.zeros((*own.shape, len(c)), c.dtype)
    if y is not None:
        y = as_targets(y, fed.shape, None)
        fed[1:] = np.where(own[1:, ..., None], 0, _one_hot(y[:-1], len(c), c.dtype))
    elif not own[1:].all():
        raise ValueError("y is None; expected the true outputs, which some of the steps are fed")
    if start is not None:
        fed[0] = as_initial_state("start", start, fed.shape[1:], c.dtype)
    return fed


def _as_share(share):
    return as_number("share", share, "a number from 0 to 1", lambda value: 0 <= value <= 1)


def _as_table(joint):
    joint = as_real("joint", joint)
    if joint.ndim != 2 or (joint < 0).any() or abs(joint.sum() - 1) > 1e-9:
        raise ValueError(
            f"joint is {brief(joint)}; expected a table of probabilities whose sum is 1"
        )
    return joint


def _as_pair(y, shape):
    y = as_array("y", y)
    if y.shape != (2,) or y.dtype.kind not in "iu" or (y < 0).any() or (y >= shape).any():
        raise ValueError(f"y is {brief(y)}; expected two tokens, below {shape[0]} and {shape[1]}")
    return y
