"""Forward pass of a recurrent network: equations (G 10.8) to (G 10.14), (C 5.4) to (C 5.11).

A state is ``(n_h,)`` for one sequence and ``(B, n_h)`` for a minibatch; the functions of single
equations take either. Parameters are ``{"U": (n_h, n_x), "W": (n_h, n_h), "V": (n_y, n_h),
"b": (n_h,), "c": (n_y,)}``. With one leading axis of length S on all five, S networks ("seeds")
run side by side, and a state is ``(S, B, n_h)``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from rnn_helpers.reference.activations import _log_softmax, _sigmoid, softmax
from rnn_helpers.reference.equations import equation
from rnn_helpers.validate import (
    as_cell,
    as_choice,
    as_count,
    as_drawn,
    as_dtype,
    as_generator,
    as_initial_state,
    as_inputs,
    as_kind,
    as_mask,
    as_number,
    as_targets,
    brief,
    several,
)


@dataclass(frozen=True)
class Nonlinearity:
    """A hidden unit's function and its slope.

    Attributes
    ----------
    function : callable
        From ``a^(t)`` to ``h^(t)``, entry by entry.
    slope : callable
        From ``h^(t)``, the state, to the derivative of `function` at ``a^(t)``, entry by entry.
    """

    function: Callable
    slope: Callable


class _Nonlinearities(dict):
    def __missing__(self, name):
        raise ValueError(
            f"nonlinearity is {brief(name)}; expected one of {', '.join(map(repr, self))}"
        )


def _tanh_slope(h):
    return 1 - h**2


def _sigmoid_slope(h):
    return h * (1 - h)


NONLINEARITIES = _Nonlinearities(
    tanh=Nonlinearity(np.tanh, _tanh_slope),
    sigmoid=Nonlinearity(_sigmoid, _sigmoid_slope),
)
"""The two nonlinearities of the sources: Goodfellow's (G 10.9) and Chiang's (C 5.5)."""


@dataclass(frozen=True, eq=False)
class AnyRun:
    """Results that the forward passes of all networks have in common.

    Attributes
    ----------
    x : ndarray, shape (T, ...) or (T, ..., n_x)
        Inputs, as tokens or as vectors.
    states : ndarray, shape (T + 1, ..., n_h)
        States ``h^(0) .. h^(T)``.
    o : ndarray, shape (T, ..., n_y)
        Logits, also called unnormalized log probabilities.
    log_yhat : ndarray, shape (T, ..., n_y)
        Log probabilities.
    params : dict of ndarray
        The checked parameters, which the backward pass uses again; empty if it checks its own.
    """

    x: np.ndarray
    states: np.ndarray
    o: np.ndarray
    log_yhat: np.ndarray
    params: dict = field(default_factory=dict, kw_only=True, repr=False)

    @property
    def h0(self):
        """Initial state ``h^(0)``, shape (..., n_h)."""
        return self.states[0]

    @property
    def h(self):
        """States ``h^(1) .. h^(T)``, shape (T, ..., n_h)."""
        return self.states[1:]

    @property
    def h_prev(self):
        """States ``h^(0) .. h^(T-1)``, shape (T, ..., n_h): the old state of each step."""
        return self.states[:-1]

    @property
    def yhat(self):
        """Probabilities, shape (T, ..., n_y)."""
        return np.exp(self.log_yhat)


@dataclass(frozen=True, eq=False)
class Run(AnyRun):
    """Results of `rnn_forward`, including those that only `rnn_backward` needs.

    Attributes
    ----------
    a : ndarray, shape (T, ..., n_h)
        Pre-activations ``a^(1) .. a^(T)``.
    nonlinearity : str
        Name of the hidden units' function, a key of `NONLINEARITIES`.
    """

    a: np.ndarray
    nonlinearity: str


def init_rnn(n_x, n_h, n_y, seed=0, scale=None, dtype=np.float64):
    """Draw random parameters: Gaussian weights, and biases of zero.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of input, hidden and output units.
    seed : int, Generator, or sequence of S of these
        Source of the weights.
    scale : float, optional
        Standard deviation of the weights, at least 0. The default, ``1 / sqrt(n_h)``, gives ``W`` a
        spectral radius near 1.
    dtype : dtype
        Floating-point type of the parameters.

    Returns
    -------
    dict of ndarray
        ``U`` (n_h, n_x), ``W`` (n_h, n_h), ``V`` (n_y, n_h), ``b`` (n_h,) and ``c`` (n_y,), each
        with a leading axis S if `seed` is a sequence.
    """
    n_x, n_h, n_y = as_count("n_x", n_x), as_count("n_h", n_h), as_count("n_y", n_y)
    dtype = as_dtype("dtype", dtype)
    deviation = "a finite standard deviation of at least 0"
    scale = n_h**-0.5 if scale is None else scale
    as_number("scale", scale, deviation, lambda value: 0 <= value < np.inf)
    if several(seed):
        return each_seed(lambda one: init_rnn(n_x, n_h, n_y, one, scale, dtype), seed)
    rng = as_generator(seed)
    with np.errstate(over="ignore"):
        params = {
            "U": rng.normal(0, scale, (n_h, n_x)).astype(dtype),
            "W": rng.normal(0, scale, (n_h, n_h)).astype(dtype),
            "V": rng.normal(0, scale, (n_y, n_h)).astype(dtype),
            "b": np.zeros(n_h, dtype),
            "c": np.zeros(n_y, dtype),
        }
    return as_drawn("scale", scale, params)


def each_seed(init, seeds):
    """Return the parameters that `init` draws for each seed, stacked on a leading axis."""
    networks = [init(seed) for seed in seeds]
    return {name: np.stack([params[name] for params in networks]) for name in networks[0]}


def times(M, v):
    """Multiply ``M v`` for each vector along the last axis of `v`.

    The vectors of many time steps are multiplied in one product of two matrices.

    Parameters
    ----------
    M : ndarray, shape (m, n) or (S, m, n)
    v : ndarray, shape (..., n) or (..., S, B, n)
    """
    if M.ndim == 2 and v.ndim > 2:
        return (v.reshape(-1, v.shape[-1]) @ M.mT).reshape(*v.shape[:-1], -1)
    return v @ M.mT


def input_term(U, x):
    """Return the input term of (G 10.8), ``U x^(t)``, for one step or for all steps at once.

    Parameters
    ----------
    U : ndarray, shape (n_h, n_x) or (S, n_h, n_x)
        Input-to-hidden weights.
    x : ndarray, shape (..., n_x) of float or (...) of int
        Input vectors, or tokens: a token stands for a one-hot vector, so its product with ``U``
        is a column of ``U``. With seeds, (T, S or 1, B[, n_x]).
    """
    if x.dtype.kind not in "iu":
        return times(U, x)
    columns = np.ascontiguousarray(U.mT)
    if U.ndim == 2:
        return columns.take(x, axis=0)
    return columns[np.arange(len(U))[:, None], x]


@equation("5.4")
def initial_state(shape, dtype=np.float64):
    """Return the initial state ``h^(0) = 0``, of a shape such as ``(n_h,)`` or ``(B, n_h)``."""
    lengths = shape if isinstance(shape, tuple | list) else [shape]
    shape = [as_count("shape", length) for length in lengths]
    return np.zeros(shape, as_dtype("dtype", dtype))  # (C 5.4)


def start(name, given, shape, dtype):
    """Return the initial state of `shape`: the `given` one, or 0."""
    if given is None:
        return initial_state(shape, dtype)  # (C 5.4)
    return as_initial_state(name, given, shape, dtype)


@equation("10.8", "5.5")
def preactivation(b, W, h_prev, Ux):
    """Return the pre-activation ``a^(t)`` of the hidden units.

    Parameters
    ----------
    b, W : ndarray, shape (n_h,), (n_h, n_h)
        Hidden bias and hidden-to-hidden weights.
    h_prev, Ux : ndarray, shape (..., n_h)
        State ``h^(t-1)``, and ``U x^(t)`` from `input_term`.
    """
    return b + times(W, h_prev) + Ux  # (G 10.8)


@equation("10.9", "5.5")
def hidden_state(a, nonlinearity="tanh"):
    """Return the state ``h^(t)`` of the hidden units.

    Parameters
    ----------
    a : ndarray, shape (..., n_h)
        Pre-activation ``a^(t)``.
    nonlinearity : {"tanh", "sigmoid"}
        ``"tanh"`` for (G 10.9), ``"sigmoid"`` for (C 5.5).
    """
    return NONLINEARITIES[nonlinearity].function(a)  # (G 10.9), (C 5.5)


@equation("10.10", "5.8")
def output(c, V, h):
    """Return the logits ``o^(t)`` (Chiang's ``s^(i)``).

    Parameters
    ----------
    c, V : ndarray, shape (n_y,), (n_y, n_h)
        Output bias and hidden-to-output weights.
    h : ndarray, shape (..., n_h)
        State ``h^(t)``.
    """
    return c + times(V, h)  # (G 10.10), (C 5.8)


@equation("10.11", "5.7")
def probabilities(o):
    """Return the probabilities ``yhat^(t)`` of the next symbol, from the logits (..., n_y)."""
    return softmax(o)  # (G 10.11), (C 5.7)


@equation("10.14", "5.11")
def step_loss(log_yhat, y):
    """Return the loss ``L^(t)`` of each step: minus the log probability of the target.

    Parameters
    ----------
    log_yhat : ndarray, shape (..., n_y)
        Log probabilities.
    y : ndarray of int, shape (...)
        Targets, as tokens. Taking one entry is (C 5.11)'s product with a one-hot vector.

    Returns
    -------
    ndarray, shape (...)
        ``L^(t)``, in nats.
    """
    return -np.take_along_axis(log_yhat, y[..., None], axis=-1)[..., 0]  # one term of (G 10.14)


def rnn_forward(params: Mapping, x, h0=None, nonlinearity="tanh") -> Run:
    """Run the network over a sequence, or a minibatch of sequences.

    Parameters
    ----------
    params : mapping
        Arrays ``U``, ``W``, ``V``, ``b``, ``c``, as `init_rnn` returns them.
    x : array_like
        Tokens (T,) or (T, B), or vectors (T, n_x) or (T, B, n_x). Integers are tokens, and floats
        are vectors. For S networks: (T, B[, n_x]) if they share the inputs, or (T, S, B[, n_x]).
    h0 : array_like, optional
        Initial state, of a shape that broadcasts to (n_h,), (B, n_h) or (S, B, n_h); 0 by default.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.

    Returns
    -------
    Run
        The states, pre-activations and outputs of every time step.
    """
    params = as_cell(params)
    U, W, V, b, c = (params[name] for name in "UWVbc")
    as_choice("nonlinearity", nonlinearity, NONLINEARITIES)
    x, batch = as_inputs(x, U)
    n_steps = len(x)
    state_shape = (*batch, W.shape[-1])
    W = np.ascontiguousarray(W.mT).mT  # the same numbers in the memory order that the loop needs

    a = Ux = input_term(U, x)  # all steps in one product; overwritten by a^(t)
    h = np.empty((n_steps + 1, *state_shape), W.dtype)
    h[0] = start("h0", h0, state_shape, W.dtype)
    for t in range(1, n_steps + 1):
        a[t - 1] = preactivation(b, W, h[t - 1], Ux[t - 1])  # (G 10.8)
        h[t] = hidden_state(a[t - 1], nonlinearity)  # (G 10.9)
    o = output(c, V, h[1:])  # (G 10.10), all steps in one product
    return Run(x, h, o, _log_softmax(o), a, nonlinearity, params=params)


@equation("10.12", "10.13", "5.10")
def rnn_loss(run: AnyRun, y, mask=None):
    """Return the loss of a run in nats: the sum of ``L^(t)`` over time and minibatch.

    Minus this number is Chiang's log-likelihood (C 5.10).

    Parameters
    ----------
    run : Run, LSTMRun or GRURun
        The result of `rnn_forward`, `lstm_forward` or `gru_forward`.
    y : array_like of int, shape (T,) or (T, B), with seeds also (T, S, B)
        Targets, as tokens.
    mask : array_like, same shape as `y`, optional
        1 (or True) for the steps that count, 0 for the others: padding, or outputs that have
        no target. The targets of masked steps are ignored.

    Returns
    -------
    float or ndarray, shape (S,)
        Always float64; one number per seed if there are seeds.
    """
    as_kind("run", run, AnyRun, "what a forward pass returns")
    mask = as_mask(mask, run.o.shape[:-1])
    y = as_targets(y, run.o.shape, mask)
    L = step_loss(run.log_yhat, y)  # (G 10.14)
    if mask is not None:
        L = np.where(mask, L, 0)
    if L.ndim == 3:
        return L.sum(axis=(0, 2), dtype=np.float64)  # (G 10.13), for each seed
    return float(L.sum(dtype=np.float64))  # (G 10.13)
