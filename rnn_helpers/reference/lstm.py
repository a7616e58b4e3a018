"""The LSTM of figure 10.16, forwards and backwards: equations (10.40)-(10.44).

The state ``s^(t)`` runs through a loop whose weight is the forget gate ``f^(t)``; the input gate
``g^(t)`` decides what is added to it, the output gate ``q^(t)`` what of it is shown as the output
``h^(t)``. The cell input has the parameters ``U, W, b``, the gates have ``Uf, Wf, bf`` (forget),
``Ug, Wg, bg`` (input) and ``Uo, Wo, bo`` (output), of the same shapes; ``V, c`` lead from ``h``
to the network's output as in (10.10). With ``pf``, ``pg`` and ``po``, one number for each cell, a
gate sees its own cell's state through a peephole.

Shapes, seeds and tokens are those of `rnn`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.reference._validate import (
    as_array,
    as_cell,
    as_choice,
    as_generator,
    as_inputs,
    as_kind,
    as_number,
    brief,
)
from rnn_helpers.reference.activations import _log_softmax, _sigmoid
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.rnn import (
    NONLINEARITIES,
    AnyRun,
    each_seed,
    init_rnn,
    input_term,
    output,
    several,
    start,
    times,
)

GATES = {"f": "f", "g": "g", "q": "o"}
"""Each gate's own letter in the source, with the letter that its parameters carry."""
PARTS = ["", *GATES.values()]
PEEPHOLES = ["pf", "pg", "po"]


@dataclass(frozen=True, eq=False)
class LSTMRun(AnyRun):
    """What `lstm_forward` computed, and `lstm_backward` needs again, beside that of `AnyRun`.

    Attributes
    ----------
    cells : ndarray, shape (T + 1, ..., n_h)
        Cell states ``s^(0) .. s^(T)``; ``states`` are the outputs ``h^(0) .. h^(T)``.
    cell_input : ndarray, shape (T, ..., n_h)
        What the input gate lets in: the squashed sum in (10.41).
    f, g, q : ndarray, shape (T, ..., n_h)
        Forget, input and output gates.
    squash : str
        Function of the cell input, a key of `NONLINEARITIES`.
    held : dict of ndarray
        Values at which gates were held, NaN where the weights decided.
    """

    cells: np.ndarray
    cell_input: np.ndarray
    f: np.ndarray
    g: np.ndarray
    q: np.ndarray
    squash: str
    held: dict

    @property
    def s0(self):
        """Initial cell state ``s^(0)``, shape (..., n_h)."""
        return self.cells[0]

    @property
    def s(self):
        """Cell states ``s^(1) .. s^(T)``, shape (T, ..., n_h)."""
        return self.cells[1:]

    @property
    def s_prev(self):
        """Cell states ``s^(0) .. s^(T-1)``, shape (T, ..., n_h): what each step starts from."""
        return self.cells[:-1]


def init_lstm(
    n_x, n_h, n_y, seed=0, scale=None, dtype=np.float64, *, forget_bias=1.0, peepholes=False
):
    """Random parameters: Gaussian weights, zero biases but for the forget gate's.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of input units, cells and output units, each at least 1.
    seed : int, numpy.random.Generator, or sequence of these
        Source of the weights. A sequence of S seeds gives S networks, stacked on a leading axis.
    scale : float, optional
        Standard deviation of the weights, at least 0; ``1 / sqrt(n_h)`` by default.
    dtype : dtype
        Floating type of the parameters.
    forget_bias : float
        Bias of the forget gates. At 1, a new network keeps about 0.73 of its state in a step.
    peepholes : bool
        Whether the gates see the state; the peepholes begin at 0.

    Returns
    -------
    dict of ndarray
        ``U, Uf, Ug, Uo`` (n_h, n_x); ``W, Wf, Wg, Wo`` (n_h, n_h); ``b, bf, bg, bo`` (n_h,);
        ``V`` (n_y, n_h), ``c`` (n_y,) and, if wanted, ``pf, pg, po`` (n_h,); each with a leading
        axis S if `seed` is a sequence.

    Raises
    ------
    TypeError, ValueError
        As `init_rnn` does; also if `forget_bias` is not a finite number or `peepholes` not a bool.
    """
    as_number("forget_bias", forget_bias)
    as_kind("peepholes", peepholes, bool, "True or False")
    params = init_gated(GATES.values(), n_x, n_h, n_y, seed, scale, dtype)
    params["bf"] += forget_bias
    if peepholes:
        params |= {name: np.zeros_like(params["b"]) for name in PEEPHOLES}
    return params


def init_gated(gates, n_x, n_h, n_y, seed, scale, dtype):
    """Parameters of `init_rnn`, and for each letter in `gates` another ``U``, ``W`` and ``b``."""
    if several(seed):
        return each_seed(lambda one: init_gated(gates, n_x, n_h, n_y, one, scale, dtype), seed)
    rng = as_generator(seed)
    params = init_rnn(n_x, n_h, n_y, rng, scale, dtype)
    for gate in gates:
        drawn = init_rnn(n_x, n_h, n_y, rng, scale, dtype)
        params |= {part + gate: drawn[part] for part in "UWb"}
    return params


@equation("10.40")
def forget_gate(b, Ux, Wh, seen=0):
    """Forget gate ``f^(t)``, the weight of the state's own loop.

    Parameters
    ----------
    b : ndarray, shape (n_h,)
        Bias ``b^f``.
    Ux, Wh : ndarray, shape (..., n_h)
        ``U^f x^(t)`` and ``W^f h^(t-1)``, from `times`.
    seen : ndarray, shape (..., n_h), optional
        What comes through the peephole, ``pf * s^(t-1)``.

    Returns
    -------
    ndarray, shape (..., n_h)
        ``f^(t)``, between 0 (forget) and 1 (keep).
    """
    return _sigmoid(b + Ux + Wh + seen)  # (10.40)


@equation("10.42")
def input_gate(b, Ux, Wh, seen=0):
    """External input gate ``g^(t)``: how much of the cell input enters the state.

    Parameters
    ----------
    b : ndarray, shape (n_h,)
        Bias ``b^g``.
    Ux, Wh : ndarray, shape (..., n_h)
        ``U^g x^(t)`` and ``W^g h^(t-1)``, from `times`.
    seen : ndarray, shape (..., n_h), optional
        What comes through the peephole, ``pg * s^(t-1)``.

    Returns
    -------
    ndarray, shape (..., n_h)
        ``g^(t)``, between 0 (closed) and 1 (open).
    """
    return _sigmoid(b + Ux + Wh + seen)  # (10.42)


@equation("10.41")
def cell_input(b, Ux, Wh, squash="tanh"):
    """Cell input, which the input gate multiplies in (10.41).

    The source prints a sigmoid. Then nothing negative enters a state, and nothing in it is ever
    counted down: from ``s^(0) >= 0`` on, ``s^(t) >= 0`` and ``0 <= h^(t) < 1``. Graves and
    PyTorch use tanh.

    Parameters
    ----------
    b : ndarray, shape (n_h,)
        Bias ``b``.
    Ux, Wh : ndarray, shape (..., n_h)
        ``U x^(t)`` and ``W h^(t-1)``, from `times`.
    squash : {"tanh", "sigmoid"}
        Function of the sum, ``"sigmoid"`` as printed.

    Returns
    -------
    ndarray, shape (..., n_h)
        The squashed sum.

    Raises
    ------
    ValueError
        If the function has another name.
    """
    return NONLINEARITIES[squash].function(b + Ux + Wh)  # the inner part of (10.41)


@equation("10.41")
def cell_state(f, s_prev, g, cell_input):
    """Internal state ``s^(t)`` of the cells, linear in the state before.

    Parameters
    ----------
    f, g : ndarray, shape (..., n_h)
        Forget and input gates at ``t``.
    s_prev : ndarray, shape (..., n_h)
        State ``s^(t-1)``.
    cell_input : ndarray, shape (..., n_h)
        The cell input, from the function of that name.

    Returns
    -------
    ndarray, shape (..., n_h)
        ``s^(t)``.
    """
    return f * s_prev + g * cell_input  # (10.41)


@equation("10.44")
def output_gate(b, Ux, Wh, seen=0):
    """Output gate ``q^(t)``, whose parameters carry the letter o.

    Parameters
    ----------
    b : ndarray, shape (n_h,)
        Bias ``b^o``.
    Ux, Wh : ndarray, shape (..., n_h)
        ``U^o x^(t)`` and ``W^o h^(t-1)``, from `times`.
    seen : ndarray, shape (..., n_h), optional
        What comes through the peephole, ``po * s^(t)``: of the three gates it alone can see the
        state of its own time, which the other two have made.

    Returns
    -------
    ndarray, shape (..., n_h)
        ``q^(t)``, between 0 (shut off) and 1.
    """
    return _sigmoid(b + Ux + Wh + seen)  # (10.44)


@equation("10.43")
def cell_output(s, q):
    """Output ``h^(t)`` of the cells.

    Parameters
    ----------
    s : ndarray, shape (..., n_h)
        State ``s^(t)``.
    q : ndarray, shape (..., n_h)
        Output gate ``q^(t)``.

    Returns
    -------
    ndarray, shape (..., n_h)
        ``h^(t)``.
    """
    return np.tanh(s) * q  # (10.43)


def lstm_forward(params: Mapping, x, h0=None, s0=None, squash="tanh", held=None) -> LSTMRun:
    """Run an LSTM over a sequence, or a minibatch of sequences.

    Parameters
    ----------
    params : mapping
        Arrays as `init_lstm` gives them, with all of ``pf``, ``pg`` and ``po``, some or none.
    x : array_like
        Tokens (T,) or (T, B), or vectors (T, n_x) or (T, B, n_x). With seeds: (T, B[, n_x]),
        shared by all seeds, or (T, S, B[, n_x]).
    h0, s0 : array_like, optional
        Initial output and state, of a shape that broadcasts to (n_h,), (B, n_h) or (S, B, n_h);
        0 by default.
    squash : {"tanh", "sigmoid"}
        Function of the cell input, ``"sigmoid"`` as (10.41) is printed.
    held : mapping, optional
        Gates held by hand: under ``"f"``, ``"g"`` or ``"q"``, values from 0 to 1 that broadcast
        to (T, ..., n_h), NaN where the weights are to decide.

    Returns
    -------
    LSTMRun
        Everything that was computed, for every time step.

    Raises
    ------
    TypeError
        If an argument has the wrong type.
    ValueError
        If a shape does not fit, a token is out of range, a number is not finite, the sequence is
        empty, or a name is unknown.
    """
    params = as_cell(params, GATES.values(), PEEPHOLES)
    as_choice("squash", squash, NONLINEARITIES)
    x, batch = as_inputs(x, params["U"])
    # Cell input, forget, input and output gate side by side: one product instead of four.
    b = [params["b" + part] for part in PARTS]
    U, W = (np.concatenate([params[M + part] for part in PARTS], axis=-2) for M in "UW")
    W = np.ascontiguousarray(W.mT).mT  # same numbers, laid out for the products of the loop
    pf, pg, po = (params.get(name) for name in PEEPHOLES)
    shape, dtype = (*batch, W.shape[-1]), W.dtype
    held = _as_held(held, (len(x), *shape), dtype)

    Ux = _parts(input_term(U, x))  # every time step in one product
    h, s = np.empty((2, len(x) + 1, *shape), dtype)
    h[0], s[0] = start("h0", h0, shape, dtype), start("s0", s0, shape, dtype)
    k, f, g, q = np.empty((4, len(x), *shape), dtype)
    for t in range(len(x)):  # h[t] and s[t] are what this step starts from
        Wh = _parts(times(W, h[t]))
        f[t] = forget_gate(b[1], Ux[1][t], Wh[1], _seen(pf, s[t]))  # (10.40)
        g[t] = input_gate(b[2], Ux[2][t], Wh[2], _seen(pg, s[t]))  # (10.42)
        _hold(held, f=f[t], g=g[t], t=t)
        k[t] = cell_input(b[0], Ux[0][t], Wh[0], squash)
        s[t + 1] = cell_state(f[t], s[t], g[t], k[t])  # (10.41)
        q[t] = output_gate(b[3], Ux[3][t], Wh[3], _seen(po, s[t + 1]))  # (10.44)
        _hold(held, q=q[t], t=t)
        h[t + 1] = cell_output(s[t + 1], q[t])  # (10.43)
    o = output(params["c"], params["V"], h[1:])  # (10.10), every time step in one product
    return LSTMRun(x, h, o, _log_softmax(o), s, k, f, g, q, squash, held)


def _parts(joined):
    """What stands side by side along the last axis, as four arrays."""
    n_h = joined.shape[-1] // 4
    return [joined[..., i * n_h : (i + 1) * n_h] for i in range(4)]


def _seen(peephole, s):
    return 0 if peephole is None else peephole * s


def _hold(held, t, **gates):
    for name in held.keys() & gates.keys():
        value = held[name][t]
        np.copyto(gates[name], value, where=~np.isnan(value))


def _as_held(held, shape, dtype):
    held = {} if held is None else as_kind("held", held, Mapping, "a mapping of f, g or q")
    checked = {}
    for name, given in held.items():
        as_choice("held gate", name, GATES)
        value = as_array(f"held[{name!r}]", given)
        if value.dtype.kind not in "fiub":
            raise TypeError(f"held[{name!r}] is {brief(given)}; expected numbers from 0 to 1")
        if not ((value >= 0) & (value <= 1) | np.isnan(value)).all():
            raise ValueError(f"held[{name!r}] is {brief(given)}; expected numbers from 0 to 1")
        try:
            checked[name] = np.broadcast_to(value.astype(dtype), shape)
        except ValueError:
            raise ValueError(
                f"held[{name!r}] has shape {value.shape}; expected it to broadcast to {shape}"
            ) from None
    return checked
