"""The LSTM of figure 10.16, forwards and backwards: equations (G 10.40)-(G 10.44).

The state ``s^(t)`` runs through a loop whose weight is the forget gate ``f^(t)``; the input gate
``g^(t)`` scales the input added to it, and the output gate ``q^(t)`` scales the output
``h^(t)``. The cell input has the parameters ``U, W, b``, the gates have ``Uf, Wf, bf`` (forget),
``Ug, Wg, bg`` (input) and ``Uo, Wo, bo`` (output), of the same shapes; ``V, c`` lead from ``h``
to the network's output as in (G 10.10). With ``pf``, ``pg`` and ``po``, one number for each cell, a
gate sees its own cell's state through a peephole.

Shapes, seeds and tokens are those of `rnn`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.reference.activations import _log_softmax, _sigmoid
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.rnn import (
    NONLINEARITIES,
    AnyRun,
    each_seed,
    init_rnn,
    input_term,
    output,
    start,
)
from rnn_helpers.validate import (
    as_array,
    as_cell,
    as_choice,
    as_drawn,
    as_generator,
    as_inputs,
    as_kind,
    as_number,
    as_switch,
    brief,
    several,
)

GATES = {"f": "f", "g": "g", "q": "o"}
"""Each gate's own letter in the source, with the letter that its parameters carry."""
PARTS = ["", *GATES.values()]
PEEPHOLES = ["pf", "pg", "po"]


@dataclass(frozen=True, eq=False)
class LSTMRun(AnyRun):
    """Values that `lstm_forward` computed and `lstm_backward` needs, in addition to `AnyRun`'s.

    Attributes
    ----------
    cells : ndarray, shape (T + 1, ..., n_h)
        Cell states ``s^(0) .. s^(T)``; ``states`` are the outputs ``h^(0) .. h^(T)``.
    parts : ndarray, shape (T, ..., 4 n_h)
        Cell input and gates, side by side in the order of `PARTS`.
    squash : str
        Function of the cell input, a key of `NONLINEARITIES`.
    held : dict of ndarray
        Values at which gates were held, NaN where the weights were used.
    """

    cells: np.ndarray
    parts: np.ndarray
    squash: str
    held: dict

    @property
    def cell_input(self):
        """Input to the input gate, shape (T, ..., n_h): the squashed sum in (G 10.41)."""
        return split(self.parts)[0]

    @property
    def f(self):
        """Forget gates, shape (T, ..., n_h)."""
        return split(self.parts)[1]

    @property
    def g(self):
        """Input gates, shape (T, ..., n_h)."""
        return split(self.parts)[2]

    @property
    def q(self):
        """Output gates, shape (T, ..., n_h)."""
        return split(self.parts)[3]

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
        """Cell states before each step, ``s^(0) .. s^(T-1)``, shape (T, ..., n_h)."""
        return self.cells[:-1]


def init_lstm(
    n_x, n_h, n_y, seed=0, scale=None, dtype=np.float64, *, forget_bias=1.0, peepholes=False
):
    """Random parameters: Gaussian weights, and zero biases except the forget gate's.

    Parameters
    ----------
    n_x, n_h, n_y, seed, scale, dtype
        As for `init_rnn`; there are ``n_h`` cells.
    forget_bias : float
        Bias of the forget gates. At 1, a new network keeps about 0.73 of its state in a step.
    peepholes : bool
        Whether the gates see the state; the peepholes are initialized to 0.

    Returns
    -------
    dict of ndarray
        ``U, Uf, Ug, Uo`` (n_h, n_x); ``W, Wf, Wg, Wo`` (n_h, n_h); ``b, bf, bg, bo`` (n_h,);
        ``V`` (n_y, n_h), ``c`` (n_y,) and, if wanted, ``pf, pg, po`` (n_h,); each with a leading
        axis S if `seed` is a sequence.
    """
    as_number("forget_bias", forget_bias)
    as_switch("peepholes", peepholes)
    params = init_gated(GATES.values(), n_x, n_h, n_y, seed, scale, dtype)
    with np.errstate(over="ignore"):
        params["bf"] += forget_bias
    as_drawn("forget_bias", forget_bias, {"bf": params["bf"]})
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
    """Forget gate ``f^(t)``, the weight of the state's own loop: 0 forgets, 1 keeps.

    Parameters
    ----------
    b : ndarray, shape (n_h,)
        Bias ``b^f``.
    Ux, Wh : ndarray, shape (..., n_h)
        ``U^f x^(t)`` and ``W^f h^(t-1)``, from `times`.
    seen : ndarray, shape (..., n_h), optional
        Peephole term, ``pf * s^(t-1)``.
    """
    return _sigmoid(b + Ux + Wh + seen)  # (G 10.40)


@equation("10.42")
def input_gate(b, Ux, Wh, seen=0):
    """External input gate ``g^(t)``: how much of the cell input enters the state, from 0 to 1.

    Parameters
    ----------
    b, Ux, Wh, seen
        As for `forget_gate`, with ``b^g``, ``U^g``, ``W^g`` and ``pg``.
    """
    return _sigmoid(b + Ux + Wh + seen)  # (G 10.42)


@equation("10.41")
def cell_input(b, Ux, Wh, squash="tanh"):
    """Cell input, which the input gate multiplies in (G 10.41).

    The source prints a sigmoid. Then inputs are never negative, so a state can't be counted down:
    if ``s^(0) >= 0``, then ``s^(t) >= 0`` and ``0 <= h^(t) < 1``. Graves and PyTorch use tanh.

    Parameters
    ----------
    b : ndarray, shape (n_h,)
        Bias ``b``.
    Ux, Wh : ndarray, shape (..., n_h)
        ``U x^(t)`` and ``W h^(t-1)``, from `times`.
    squash : {"tanh", "sigmoid"}
        Function of the sum, ``"sigmoid"`` as printed.
    """
    return NONLINEARITIES[squash].function(b + Ux + Wh)  # the inner part of (G 10.41)


@equation("10.41")
def cell_state(f, s_prev, g, cell_input):
    """Internal state ``s^(t)`` of the cells, linear in the state before.

    Parameters
    ----------
    f, s_prev, g, cell_input : ndarray, shape (..., n_h)
        Forget gate, state ``s^(t-1)``, input gate, and the value of the function `cell_input`.
    """
    return f * s_prev + g * cell_input  # (G 10.41)


@equation("10.44")
def output_gate(b, Ux, Wh, seen=0):
    """Output gate ``q^(t)``, whose parameters carry the letter o: 0 shuts the output off.

    Parameters
    ----------
    b, Ux, Wh, seen
        As for `forget_gate`, with ``b^o``, ``U^o`` and ``W^o``. The peephole term is
        ``po * s^(t)``: only this gate can see the state of its own step, because that state
        depends on the other two gates.
    """
    return _sigmoid(b + Ux + Wh + seen)  # (G 10.44)


@equation("10.43")
def cell_output(s, q):
    """Output ``h^(t)`` of the cells, from state ``s^(t)`` and output gate ``q^(t)`` (..., n_h)."""
    return np.tanh(s) * q  # (G 10.43)


def lstm_forward(params: Mapping, x, h0=None, s0=None, squash="tanh", held=None) -> LSTMRun:
    """Run an LSTM over a sequence, or a minibatch of sequences.

    Parameters
    ----------
    params : mapping
        Arrays as `init_lstm` gives them, with all of ``pf``, ``pg`` and ``po``, some or none.
    x : array_like
        As for `rnn_forward`.
    h0, s0 : array_like, optional
        Initial output and state, as ``h0`` of `rnn_forward`.
    squash : {"tanh", "sigmoid"}
        Function of the cell input, ``"sigmoid"`` as (G 10.41) is printed.
    held : mapping, optional
        Gates held by hand: under ``"f"``, ``"g"`` or ``"q"``, values from 0 to 1 that broadcast
        to (T, ..., n_h), NaN to use the weights.
    """
    params = as_cell(params, GATES.values(), PEEPHOLES)
    as_choice("squash", squash, NONLINEARITIES)
    x, batch = as_inputs(x, params["U"])
    # Cell input, forget, input and output gate side by side: one product instead of four. Where the
    # function is a sigmoid the weights are halved, because sigmoid(a) = (1 + tanh(a / 2)) / 2: one
    # tanh over all four sums is then enough.
    halves = [0.5 if squash == "sigmoid" else 1.0, 0.5, 0.5, 0.5]
    b = _side_by_side(params, "b", halves, axis=-1)
    U, W = (_side_by_side(params, matrix, halves, axis=-2) for matrix in "UW")
    WT = np.ascontiguousarray(W.mT)  # laid out for the products of the loop
    pf, pg, po = (params[name] / 2 if name in params else None for name in PEEPHOLES)
    n_h, dtype = W.shape[-1], W.dtype
    shape = (*batch, n_h)
    held = _as_held(held, (len(x), *shape), dtype)

    sums = input_term(U, x)  # every time step in one product
    sums += b
    # The parts that don't need s^(t): all of them, unless the output gate has a peephole.
    early = sums if po is None else sums[..., : 3 * n_h]
    sigmoids = early if squash == "sigmoid" else early[..., n_h:]
    h, s = np.empty((2, len(x) + 1, *shape), dtype)
    h[0], s[0] = start("h0", h0, shape, dtype), start("s0", s0, shape, dtype)
    product, entering = np.empty_like(sums[0]), np.empty_like(s[0])  # used at every step
    steps = zip(sums, early, sigmoids, *split(sums), h[:-1], s[:-1], h[1:], s[1:], strict=True)
    for t, (a, known, gates, k, f, g, q, h_prev, s_prev, h_t, s_t) in enumerate(steps):
        a += np.matmul(h_prev, WT, out=product)
        if pf is not None:
            f += pf * s_prev
        if pg is not None:
            g += pg * s_prev
        np.tanh(known, out=known)
        gates *= 0.5
        gates += 0.5  # (G 10.40), (G 10.42), (G 10.44)
        if held:
            _hold(held, t, f=f, g=g, q=q)
        np.multiply(f, s_prev, out=s_t)
        s_t += np.multiply(g, k, out=entering)  # (G 10.41)
        if po is not None:
            q += po * s_t
            q[...] = 0.5 + 0.5 * np.tanh(q)  # (G 10.44)
            if held:
                _hold(held, t, q=q)
        np.tanh(s_t, out=h_t)
        h_t *= q  # (G 10.43)
    o = output(params["c"], params["V"], h[1:])  # (G 10.10), every time step in one product
    return LSTMRun(x, h, o, _log_softmax(o), s, sums, squash, held, params=params)


def _side_by_side(params, letter, factors, axis):
    """Join the ``U``, ``W`` or ``b`` of all four parts, each multiplied by its factor."""
    parts = (params[letter + part] * factor for part, factor in zip(PARTS, factors, strict=True))
    return np.concatenate(list(parts), axis=axis)


def split(parts):
    """Split the last axis into views of the cell input, f, g and q."""
    n_h = parts.shape[-1] // 4
    return [parts[..., i * n_h : (i + 1) * n_h] for i in range(4)]


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
