"""Liquid state machines (Maass et al., 2002), section 10.8: a reservoir whose units spike.

The weights are those of an echo state network, as `init_reservoir` draws them, and so is the
readout, `ridge_readout`. Only the unit differs: its output is binary. It adds up its inputs in a
potential that leaks. When the potential passes a threshold, the unit spikes and starts again at 0.
"""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.reference.rnn import input_term, preactivation
from rnn_helpers.validate import as_cell, as_inputs, as_number


def liquid_states(params: Mapping, x, keep=0.5, trace_keep=0.8):
    """Return the spikes of a liquid driven by a sequence, and their running averages.

    With ``s`` for the spikes, ``u`` for the potentials and ``r`` for the traces, all 0 before the
    first step, and `keep` and `trace_keep` for alpha and beta::

        u^(t) = alpha (1 - s^(t-1)) u^(t-1) + b + U x^(t) + W s^(t-1)
        s^(t) = 1 where u^(t) > 1, and 0 elsewhere
        r^(t) = beta r^(t-1) + (1 - beta) s^(t)

    The threshold of 1 is no restriction: another one is another scale of ``U``, ``W`` and ``b``.

    Parameters
    ----------
    params : mapping
        ``U``, ``W`` and ``b``, as `init_reservoir` returns them. Others are ignored. An input
        weight above 1 makes a single input spike pass the threshold.
    x : array_like
        As for `rnn_forward`. A spike train is a sequence of vectors of zeros and ones, (T, n_x).
    keep : float
        Share of a potential that is left after a step without a spike, at least 0 and below 1.
    trace_keep : float
        Share of a trace that is left after a step, at least 0 and below 1. At 0 the traces are
        the spikes.

    Returns
    -------
    spikes : ndarray, shape (T, ..., n_h)
        ``s^(1) .. s^(T)``, each 0 or 1.
    traces : ndarray, shape (T, ..., n_h)
        ``r^(1) .. r^(T)``, running averages of the spikes, each from 0 to 1.
    """
    U, W, b = as_cell(params, own="UWb").values()
    x, batch = as_inputs(x, U)
    for name, share in (("keep", keep), ("trace_keep", trace_keep)):
        as_number(name, share, "a number of at least 0 and below 1", lambda v: 0 <= v < 1)
    Ux = input_term(U, x)
    spikes = np.zeros((len(x) + 1, *batch, W.shape[-1]), W.dtype)
    traces, potential = np.zeros_like(spikes), np.zeros_like(spikes[0])
    for t in range(1, len(spikes)):
        received = preactivation(
            b, W, spikes[t - 1], Ux[t - 1]
        )  # (G 10.8), with spikes for a state
        potential = keep * (1 - spikes[t - 1]) * potential + received
        spikes[t] = potential > 1
        traces[t] = trace_keep * traces[t - 1] + (1 - trace_keep) * spikes[t]
    return spikes[1:], traces[1:]
