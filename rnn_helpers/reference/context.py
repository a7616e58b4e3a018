"""A network that receives a context: a distribution over sequences, given x (10.2.4).

The context is one vector ``x`` of shape (n_x,) or (B, n_x). The parameters are those of `init_rnn`,
whose ``U`` multiplies the symbol before (one-hot, zeros at the first step), and one matrix for each
way in: ``R`` (n_h, n_x) at every step, as in figure 10.9, and ``S`` (n_h, n_x) for the first state.
A network may have both. The source writes the term of ``R`` as ``x^T R``, a row that is added to
columns; here it is ``R x``.
"""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.reference.bptt import grad_state, rnn_backward, sum_outer
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.graphical import symbols_before
from rnn_helpers.reference.rnn import Run, init_rnn, rnn_forward, times
from rnn_helpers.validate import (
    as_choice,
    as_count,
    as_generator,
    as_kind,
    as_list,
    as_number,
    as_params,
    as_real,
    as_result,
    brief,
)

DOORS = {"step": ("R",), "start": ("S",), "both": ("R", "S")}
"""The ways in which a vector can enter, and the matrices of each."""

GIVEN = ("inputs", "outputs", "all inputs", "all")
"""The bits on which each output may depend; see `best_distribution`."""

RULES = ("coin", "same", "next", "last")
"""The rules that a bit can follow; see `rule_joint`."""


# ---- one vector ----


def init_context(n_x, n_h, n_y, door="both", seed=0, scale=None):
    """Return random parameters: those of a recurrent network, and R, S or both, for the context.

    The weights are Gaussian with standard deviation `scale`, and the biases are zero.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of entries of the context, of hidden units and of symbols.
    door : {"step", "start", "both"}
        How the context enters.
    seed : int or Generator
    scale : float, optional
        As for `init_rnn`.
    """
    as_choice("door", door, DOORS)
    n_x, n_y, rng = as_count("n_x", n_x), as_count("n_y", n_y), as_generator(seed)
    params = init_rnn(n_y, n_h, n_y, rng, scale)
    scale = n_h**-0.5 if scale is None else scale
    return params | {name: rng.normal(0, scale, (n_h, n_x)) for name in DOORS[door]}


def context_forward(params: Mapping, x, y) -> Run:
    """Run the network over true symbols, given the context.

    Parameters
    ----------
    params : mapping
        As `init_context` returns them.
    x : array_like, shape (n_x,) or (B, n_x)
        Context.
    y : array_like of int, shape (T,) or (T, B)
        Symbols, each of which is an input of the next step.

    Returns
    -------
    Run
        Its inputs are, at each step, the symbol before, followed by the context.
    """
    params, x = _with_context(params, x)
    previous = previous_symbols(y, len(params["V"]), x.shape[:-1])
    contexts = np.broadcast_to(x, (len(previous), *x.shape))
    with np.errstate(over="ignore", invalid="ignore"):
        both = np.concatenate([previous, contexts], -1)
        run = rnn_forward(_hearing_both(params), both, _first(params, x))
    as_result("context_forward", run.o, "params and x")
    return run


def context_backward(params: Mapping, run: Run, x, y, mask=None) -> dict:
    """Return the gradients of `rnn_loss` with respect to all parameters and the context.

    Parameters
    ----------
    params : mapping
        The parameters of the run.
    run : Run
        Result of `context_forward`.
    x, y : array_like
        As for `context_forward`.
    mask : array_like, optional
        As for `rnn_loss`.

    Returns
    -------
    dict of ndarray
        Each gradient has the shape of its parameter. ``"x"`` has the shape of the context and is
        the sum over all ways in; an encoder's backpropagation continues from it.
    """
    as_kind("run", run, Run, "what context_forward returns")
    params, x = _with_context(params, x)
    wide = (*x.shape[:-1], len(params["V"]) + x.shape[-1])
    if run.x.shape[1:] != wide:
        raise ValueError(f"run has inputs of {run.x.shape[1:]}; expected {wide}, of these x")
    by_step = np.zeros_like(run.h0)  # the gradient with respect to a^(t), summed over time

    def remember(W, grad_h_next, slope_next, from_output):
        by_step[...] += slope_next * grad_h_next
        return grad_state(W, grad_h_next, slope_next, from_output)  # (G 10.21)

    grads = rnn_backward(_hearing_both(params), run, y, mask, recursion=remember)
    grads["U"] = grads["U"][:, : len(params["V"])]
    at_door = {"R": by_step, "S": grads.pop("h0")}
    grads["x"] = np.zeros_like(x)
    for name in DOORS["both"]:
        if name in params:
            grads[name] = sum_outer(at_door[name][None], x[None])
            grads["x"] += times(params[name].T, at_door[name])
    return grads


def previous_symbols(y, n, batch):
    """Return the true symbol before each step, for as many sequences as there are contexts.

    Parameters
    ----------
    y : array_like of int, shape (T, *batch)
    n : int
        Number of symbols.
    batch : tuple of int
        ``()`` for one context, ``(B,)`` for a minibatch.

    Returns
    -------
    ndarray, shape (T, *batch, n)
        One-hot vectors, as `symbols_before` returns them.
    """
    previous = symbols_before(y, n)
    if previous.shape[1:-1] != batch:
        shape = ", ".join(["T", *map(str, batch)])
        raise ValueError(
            f"y has shape {previous.shape[:-1]}; expected ({shape}), one for each context"
        )
    return previous


def _first(params, x):
    """Return the first state, S x or zeros."""
    return times(params["S"], x) if "S" in params else np.zeros((*x.shape[:-1], len(params["b"])))


def _hearing_both(params):
    """Return the same network with one input, the symbol before followed by the context."""
    U = params["U"]
    R = params.get("R")
    if R is None:
        R = np.zeros((len(U), params["S"].shape[1]))
    return {**{name: params[name] for name in "WVbc"}, "U": np.hstack([U, R])}


def _with_context(params, x):
    U, W, V, b, c = as_params(params)
    doors = [name for name in "RS" if name in params]
    if U.ndim != 2 or U.shape[1] != len(V) or not doors:
        raise ValueError(
            f"params has U of shape {U.shape}, V of {V.shape} and the matrices {doors}; expected "
            "one network whose input is its symbol before, and R, S or both"
        )
    x = as_real("x", x)
    checked = dict(zip("UWVbc", (U, W, V, b, c), strict=True))
    for name in doors:
        checked[name] = as_real(f"params['{name}']", params[name])
        if x.ndim not in (1, 2) or checked[name].shape != (len(b), x.shape[-1]):
            raise ValueError(
                f"params['{name}'] has shape {checked[name].shape}, x {x.shape}; expected "
                f"({len(b)}, n_x), and (n_x,) or (B, n_x)"
            )
    return checked, x


# ---- a sequence as context: the distributions of each graph ----


def rule_joint(rules, noise=0.0):
    """Return the joint distribution of fair bits x and of bits y that follow rules.

    Parameters
    ----------
    rules : sequence of T of str
        The rule of each ``y^(t)``: ``"coin"``; ``"same"``, it is ``x^(t)``; ``"next"``, it is
        ``x^(t+1)``; ``"last"``, it is ``y^(t-1)``. A coin replaces a bit outside the sequence.
    noise : float
        Probability, from 0 to 1, with which a bit that isn't a coin is flipped.

    Returns
    -------
    ndarray, shape (2,) * 2T
        Probability of ``x^(1) .. x^(T), y^(1) .. y^(T)``.
    """
    rules = as_list("rules", rules)
    T = as_count("the length of rules", len(rules), most=8)
    for rule in rules:
        as_choice("rules", rule, RULES)
    as_number("noise", noise, "a probability", lambda value: 0 <= value <= 1)
    bits = np.indices((2,) * 2 * T)
    joint = np.full((2,) * 2 * T, 0.5**T)
    for t, rule in enumerate(rules):
        source = {"same": t, "next": t + 1 if t + 1 < T else None, "last": T + t - 1 if t else None}
        axis = source.get(rule)
        follows = 0.5 if axis is None else np.where(bits[T + t] == bits[axis], 1 - noise, noise)
        joint = joint * follows
    return joint


@equation("10.35")
def best_distribution(joint, given="inputs"):
    """Return the distribution closest to `joint` if each y depends only on permitted bits.

    Each symbol has its true probabilities given the bits on which it may depend. Their product is
    the distribution of the sequence, and x has its own distribution.

    Parameters
    ----------
    joint : array_like, shape (n,) * T + (m,) * T
        Probability of ``x^(1) .. x^(T), y^(1) .. y^(T)``.
    given : {"inputs", "outputs", "all inputs", "all"}
        The bits on which ``y^(t)`` may depend. ``"inputs"``: the inputs up to t, (G 10.35), as in
        figure 10.3, and also if predictions are fed back instead of symbols. ``"outputs"``: these
        and the symbols before t, as in figure 10.10. ``"all inputs"``: the inputs from the first to
        the last. ``"all"``: these and the symbols before t.

    Returns
    -------
    ndarray
        An array of the same shape.
    """
    joint, conditionals = _conditionals(joint, given)
    T = joint.ndim // 2
    best = joint.sum(axis=tuple(range(T, 2 * T)), keepdims=True)
    for conditional in conditionals:
        best = best * conditional  # (G 10.35), one factor
    return best


def expected_losses(joint, given="inputs"):
    """Return the least expected loss of each symbol, in nats, given its permitted bits.

    Their sum is a lower bound for every network of that graph. Arguments as for
    `best_distribution`.

    Returns
    -------
    ndarray, shape (T,)
        Entropy of ``y^(t)``, given the bits on which it may depend.
    """
    joint, conditionals = _conditionals(joint, given)
    with np.errstate(divide="ignore"):
        logs = [np.where(joint > 0, np.log(conditional), 0) for conditional in conditionals]
    return np.array([-(joint * log).sum() for log in logs])


def _conditionals(joint, given):
    """Return the joint, and the probabilities of each y given its permitted bits."""
    as_choice("given", given, GIVEN)
    joint = as_real("joint", joint)
    if joint.ndim < 2 or joint.ndim % 2 or (joint < 0).any() or abs(joint.sum() - 1) > 1e-9:
        raise ValueError(
            f"joint is {brief(joint)}; expected probabilities whose sum is 1, with an axis "
            "for each x and each y"
        )
    T, conditionals = joint.ndim // 2, []
    for t in range(T):
        known = set(range(T if given.startswith("all") else t + 1))
        if given in ("outputs", "all"):
            known |= set(range(T, T + t))
        others = tuple(set(range(2 * T)) - known - {T + t})
        with_y = joint.sum(axis=others, keepdims=True)
        without_y = with_y.sum(axis=T + t, keepdims=True)
        even = np.full_like(with_y, 1 / joint.shape[T + t])
        conditionals.append(np.divide(with_y, without_y, out=even, where=without_y > 0))
    return joint, conditionals
