"""Back-propagation through time for LSTM and GRU, derived by hand from (G 10.40)-(G 10.47).

As in `bptt`, gradients are column vectors along the last axis. The numbers in the comments are
those of the equations whose derivatives a line takes.
"""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.reference.activations import _one_hot
from rnn_helpers.reference.bptt import (
    _at_the_end,
    _finite,
    _sum,
    grad_c,
    grad_last_state,
    grad_output,
    grad_step_loss,
    grad_V,
    sum_outer,
)
from rnn_helpers.reference.gru import GATES as GRU_GATES
from rnn_helpers.reference.gru import GRURun
from rnn_helpers.reference.lstm import GATES, PARTS, PEEPHOLES, LSTMRun, split
from rnn_helpers.reference.rnn import NONLINEARITIES, times
from rnn_helpers.validate import as_cell_of, as_kind, as_mask, as_targets


def lstm_backward(params: Mapping, run: LSTMRun, y, mask=None) -> dict:
    """Gradients of `rnn_loss` for an LSTM, by back-propagation through time.

    Parameters
    ----------
    params : mapping
        The parameters that made the run.
    run : LSTMRun
        Result of `lstm_forward`. A gate that was held passes no gradient on.
    y, mask : array_like
        As for `rnn_loss`.

    Returns
    -------
    dict of ndarray
        Gradients on the parameters, each of its parameter's shape, and on ``h0`` and ``s0``.
    """
    params = _lstm_params(params, run)
    grads, from_output = _through_output(params, run, y, mask)
    grad_h, grad_s, grad_a = _lstm_states(params, run, from_output)
    grads |= _on_weights(PARTS, grad_a, run, params)
    seen = {"pf": run.s_prev, "pg": run.s_prev, "po": run.s}
    for peephole, part in zip(PEEPHOLES, range(1, 4), strict=True):
        if peephole in params:
            grads[peephole] = _sum(grad_a[..., part, :] * seen[peephole])
    return {**grads, "h0": grad_h[0], "s0": grad_s[0]}


def lstm_gradient_through_time(params: Mapping, run: LSTMRun, grad_last):
    """Gradient on every output and state of a loss that sees the last output alone.

    Parameters
    ----------
    params, run
        As for `lstm_backward`.
    grad_last : array_like
        Gradient on ``h^(T)``, of a shape that broadcasts to that of ``run.h[-1]``.

    Returns
    -------
    grad_h, grad_s : ndarray, shape (T + 1, ..., n_h)
        Gradients on ``h^(t)`` and ``s^(t)`` for ``t = 0 .. T``, by all paths to the loss.
    """
    params = _lstm_params(params, run)
    with np.errstate(over="ignore", invalid="ignore"):
        grad_h, grad_s, _ = _lstm_states(params, run, _at_the_end(run, grad_last))
    return _finite(grad_h), _finite(grad_s)


def _lstm_params(params, run):
    as_kind("run", run, LSTMRun, "what lstm_forward returns")
    return as_cell_of(run, params, GATES.values(), PEEPHOLES)


def _lstm_states(params, run, from_output):
    """Gradients on ``h``, on ``s``, and on the sums of cell input and gates: (T, ..., 4, n_h)."""
    W = np.concatenate([params["W" + part] for part in PARTS], axis=-2)
    pf, pg, po = (params.get(name) for name in PEEPHOLES)
    # The factors by which gradients on h^(t) and s^(t) are multiplied, at every t at once.
    tanh_s = np.tanh(run.s)
    h_to_s = tanh_s**2
    np.subtract(1, h_to_s, out=h_to_s)  # (G 10.43)
    h_to_s *= run.q
    to_sums = _slopes(run)
    to_k, to_f, to_g, to_q = split(to_sums)
    to_k *= run.g  # (G 10.41)
    to_f *= run.s_prev  # (G 10.40)
    to_g *= run.cell_input  # (G 10.42)
    to_q *= tanh_s  # (G 10.44)

    grad_h, grad_s = np.zeros((2, *run.states.shape), run.states.dtype)
    grad_h[1:] = from_output
    # In the loop each gradient on a sum takes the place of the factor that leads to it.
    grad_a = to_sums.reshape(*run.h.shape[:-1], 4, -1)
    into_state, f = grad_a[..., :3, :], run.f  # the three sums that lead into the state
    through_W, through_h = np.empty((2, *grad_h[0].shape), grad_h.dtype)  # used at every step
    for t in reversed(range(len(run.h))):
        on_h, on_s = grad_h[t + 1], grad_s[t + 1]
        h_prev, s_prev = grad_h[t], grad_s[t]
        to_q[t] *= on_h
        on_s += np.multiply(on_h, h_to_s[t], out=through_h)
        if po is not None:
            on_s += po * to_q[t]
        into_state[t] *= on_s[..., None, :]
        np.multiply(f[t], on_s, out=s_prev)  # (G 10.41): the loop of the state
        if pf is not None:
            s_prev += pf * to_f[t]
        if pg is not None:
            s_prev += pg * to_g[t]
        h_prev += np.matmul(to_sums[t], W, out=through_W)  # all four sums see h^(t-1)
    return grad_h, grad_s, grad_a


def _slopes(run):
    """Slopes of cell input and gates at their sums, side by side; 0 where a gate was held."""
    slopes = 1 - run.parts
    slopes *= run.parts
    n_h = run.h.shape[-1]
    slopes[..., :n_h] = NONLINEARITIES[run.squash].slope(run.cell_input)
    for name, slope in zip(GATES, split(slopes)[1:], strict=True):
        if name in run.held:
            slope[~np.isnan(run.held[name])] = 0
    return slopes


def gru_backward(params: Mapping, run: GRURun, y, mask=None) -> dict:
    """Gradients of `rnn_loss` for gated recurrent units, by back-propagation through time.

    Parameters
    ----------
    params : mapping
        The parameters that made the run.
    run : GRURun
        Result of `gru_forward`.
    y, mask : array_like
        As for `rnn_loss`.

    Returns
    -------
    dict of ndarray
        Gradients on the parameters, each of its parameter's shape, and on ``h0``.
    """
    params = _gru_params(params, run)
    grads, from_output = _through_output(params, run, y, mask)
    grad_h, grad_a = _gru_states(params, run, from_output)
    grads |= _on_weights(["", *GRU_GATES], grad_a, run, params)
    grad_sum = grad_a[..., 0, :]
    if run.reset == "before":
        grads["W"] = sum_outer(grad_sum, run.r * run.h_prev)  # (G 10.45)
    else:
        grads["W"] = sum_outer(grad_sum * run.r, run.h_prev)
        if "bh" in params:
            grads["bh"] = _sum(grad_sum * run.r)
    return {**grads, "h0": grad_h[0]}


def gru_gradient_through_time(params: Mapping, run: GRURun, grad_last):
    """Gradient on every state of a loss that sees the last state alone, ``dL^(T)/dh^(t)``.

    Parameters
    ----------
    params, run
        As for `gru_backward`.
    grad_last : array_like
        Gradient on ``h^(T)``, of a shape that broadcasts to that of ``run.h[-1]``.

    Returns
    -------
    ndarray, shape (T + 1, ..., n_h)
        Gradients for ``t = 0 .. T``.
    """
    params = _gru_params(params, run)
    with np.errstate(over="ignore", invalid="ignore"):
        grad_h, _ = _gru_states(params, run, _at_the_end(run, grad_last))
    return _finite(grad_h)


def _gru_params(params, run):
    as_kind("run", run, GRURun, "what gru_forward returns")
    return as_cell_of(run, params, GRU_GATES, ["bh"])


def _gru_states(params, run, from_output):
    """Gradients on ``h`` and on the sums of target, update and reset gate: (T, ..., 3, n_h)."""
    W, u, r, h_prev = params["W"], run.u, run.r, run.h_prev
    gates = np.concatenate([params["W" + gate] for gate in GRU_GATES], axis=-2)
    h_to_sums = np.stack(  # (G 10.45), (G 10.46)
        [
            (1 - u) * NONLINEARITIES[run.squash].slope(run.target),
            (h_prev - run.target) * u * (1 - u),
        ],
        axis=-2,
    )
    before = run.reset == "before"
    what_r_scales = h_prev if before else times(W, h_prev) + params.get("bh", 0)
    to_r = what_r_scales * r * (1 - r)  # (G 10.47)
    grad_h = np.zeros_like(run.states)
    grad_h[1:] = from_output
    grad_a = np.empty((*run.h.shape[:-1], 3, run.h.shape[-1]), grad_h.dtype)
    of_gates = grad_a[..., 1:, :]
    for t in range(len(run.h), 0, -1):  # step t is at t - 1 in arrays that begin with step 1
        now = grad_a[t - 1]
        np.multiply(grad_h[t][..., None, :], h_to_sums[t - 1], out=now[..., :2, :])
        grad_sum = now[..., 0, :]
        if before:  # through W, then through r * h
            back = times(W.mT, grad_sum)
            now[..., 2, :] = back * to_r[t - 1]
            back *= r[t - 1]
        else:  # through r * (W h + bh), then through W
            now[..., 2, :] = grad_sum * to_r[t - 1]
            back = times(W.mT, grad_sum * r[t - 1])
        back += u[t - 1] * grad_h[t]  # (G 10.45): the part that the update gate keeps
        back += times(gates.mT, of_gates[t - 1].reshape(*back.shape[:-1], -1))
        grad_h[t - 1] += back
    return grad_h, grad_a


def _through_output(params, run, y, mask):
    """Gradients on ``V`` and ``c``, and on each state from its own output."""
    mask = as_mask(mask, run.o.shape[:-1])
    y = as_targets(y, run.o.shape, mask)
    grad_o = grad_output(run.yhat, y, grad_step_loss(mask))  # (G 10.17), (G 10.18)
    grads = {"V": grad_V(grad_o, run.h), "c": grad_c(grad_o)}  # (G 10.24), (G 10.22)
    return grads, grad_last_state(params["V"], grad_o)


def _on_weights(parts, grad_a, run, params):
    """Gradients on the weights of sums that see ``x^(t)`` and ``h^(t-1)``, all in two products."""
    n_h = run.h.shape[-1]
    x = run.x
    if x.dtype.kind in "iu":
        x = _one_hot(x, params["U"].shape[-1], grad_a.dtype)
    joined = grad_a.reshape(*run.h.shape[:-1], -1)
    stacked = {
        "U": sum_outer(joined, x),
        "W": sum_outer(joined, run.h_prev),
        "b": _sum(joined)[..., None],
    }
    grads = {}
    for name, array in stacked.items():
        for i, part in enumerate(parts):
            grads[name + part] = array[..., i * n_h : (i + 1) * n_h, :]
    return {name: grad[..., 0] if name[0] == "b" else grad for name, grad in grads.items()}
