"""The recursive network of figure 10.14: one function at every node of a tree.

A leaf is ``h = V x``. A node is ``h = tanh(b + U h_left + W h_right)``, the same function at every
node. A tensor node (Socher et al., 2013) adds ``h_left^T T_k h_right`` to its unit k, so that one
child can change the effect of the other. Any node can have an output ``o = c + R h``; usually only
the root's is used.
Along a left chain this is the recurrent network of `rnn_forward`.

Parameters are ``{"V": (n_h, n_x), "U": (n_h, n_h), "W": (n_h, n_h), "b": (n_h,), "R": (n_y, n_h),
"c": (n_y,)}``, and for a tensor node also ``"T": (n_h, n_h, n_h)``, whose first axis is the unit k.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.reference.activations import _log_softmax, _one_hot
from rnn_helpers.reference.bptt import grad_output, sum_outer
from rnn_helpers.reference.rnn import input_term, output, step_loss, times
from rnn_helpers.reference.trees import Forest, forest
from rnn_helpers.validate import (
    as_array,
    as_count,
    as_drawn,
    as_generator,
    as_kind,
    as_list,
    as_number,
    as_real,
    as_result,
    as_switch,
    as_tokens,
)


@dataclass(frozen=True, eq=False)
class RecursiveRun:
    """Results of `recursive_forward` that `recursive_backward` needs.

    Attributes
    ----------
    x : ndarray, shape (L,) or (L, n_x)
        Inputs of the leaves of all trees, one tree after the other.
    forest : Forest
        The positions of the nodes.
    h : ndarray, shape (N, n_h)
        Vector of each node; those of the leaves come first.
    o, log_yhat : ndarray, shape (N, n_y)
        Output and log probabilities of each node.
    """

    x: np.ndarray
    forest: Forest
    h: np.ndarray
    o: np.ndarray
    log_yhat: np.ndarray

    @property
    def root(self):
        """Vector of each tree's root, shape (B, n_h)."""
        return self.h[self.forest.roots]

    @property
    def yhat(self):
        """Probabilities at each tree's root, shape (B, n_y)."""
        return np.exp(self.log_yhat[self.forest.roots])


def init_recursive(n_x, n_h, n_y, seed=0, scale=None, tensor=False):
    """Draw random parameters: Gaussian weights, zero biases.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of input symbols (or of numbers in an input vector), of units in a node, of outputs.
    seed : int or Generator
        Source of the weights.
    scale : float, optional
        Standard deviation of ``U``, ``W`` and ``R``; ``1 / sqrt(2 n_h)`` by default, so that the
        terms of two children have the same size as the term of one state in `init_rnn`. The
        standard deviation of ``V`` is 1, and that of ``T`` is the square of `scale`.
    tensor : bool
        Whether there is a tensor ``T``.
    """
    n_x, n_h, n_y = as_count("n_x", n_x), as_count("n_h", n_h), as_count("n_y", n_y)
    scale = (2 * n_h) ** -0.5 if scale is None else scale
    deviation = "a finite standard deviation of at least 0"
    as_number("scale", scale, deviation, lambda value: 0 <= value < np.inf)
    rng = as_generator(seed)
    with np.errstate(over="ignore", invalid="ignore"):
        params = {
            "V": rng.normal(0, 1, (n_h, n_x)),
            "U": rng.normal(0, scale, (n_h, n_h)),
            "W": rng.normal(0, scale, (n_h, n_h)),
            "b": np.zeros(n_h),
            "R": rng.normal(0, scale, (n_y, n_h)),
            "c": np.zeros(n_y),
        }
        if as_switch("tensor", tensor):
            params["T"] = scale * rng.normal(0, scale, (n_h, n_h, n_h))
    return as_drawn("scale", scale, params)


def node(params: Mapping, left, right):
    """Return the vector of a node from those of its two children, for one node or many.

    Parameters
    ----------
    params : mapping
        ``U``, ``W``, ``b``, and ``T`` if it is a tensor node.
    left, right : ndarray, shape (..., n_h)
    """
    a = params["b"] + times(params["U"], left) + times(params["W"], right)
    if "T" in params:
        a += _bilinear(params["T"], left, right)
    return np.tanh(a)


def _bilinear(T, left, right):
    """Return ``left^T T_k right`` for every unit k."""
    return np.einsum("...i,kij,...j->...k", left, T, right, optimize=True)


def node_jacobians(params: Mapping, left, right, h):
    """Return the derivatives of a node's vector with respect to its two children's.

    Parameters
    ----------
    params : mapping
        As for `node`.
    left, right, h : ndarray, shape (..., n_h)
        Vectors of the children, and of the node.

    Returns
    -------
    ndarray, ndarray, each of shape (..., n_h, n_h)
        For the left and the right child; entry ``[k, i]`` is the derivative of unit k of the node
        with respect to unit i of the child.
    """
    to_left, to_right = params["U"], params["W"]
    if "T" in params:
        to_left = to_left + np.einsum("kij,...j->...ki", params["T"], right)
        to_right = to_right + np.einsum("kij,...i->...kj", params["T"], left)
    slope = (1 - h**2)[..., None]
    return slope * to_left, slope * to_right


def recursive_forward(params: Mapping, x, tree) -> RecursiveRun:
    """Run the network along a tree over a sequence, or along several trees over several sequences.

    All nodes of one height are computed at once, in all trees.

    Parameters
    ----------
    params : mapping
        As returned by `init_recursive`.
    x : array_like, or list of these
        Tokens (n,) or vectors (n, n_x); a list of such sequences if `tree` is a list.
    tree : nested tuple, or list of these
        A tree over the n leaves, as in `rnn_helpers.reference.trees`; one for each sequence.
    """
    params = _as_params(params)
    laid = forest(tree)
    x = _as_leaves(x, tree, laid, params["V"])
    h = np.empty((laid.n_nodes, len(params["b"])), params["b"].dtype)
    h[: laid.n_leaves] = input_term(params["V"], x)
    with np.errstate(over="ignore", invalid="ignore"):
        for level in laid.levels:
            h[level.nodes] = node(params, h[level.left], h[level.right])
        o = output(params["c"], params["R"], h)
    as_result("recursive_forward", o, "params and x")
    return RecursiveRun(x, laid, h, o, _log_softmax(o))


def recursive_loss(run: RecursiveRun, y, at=None) -> float:
    """Return the loss in nats: minus the log probability of the targets, summed over the trees.

    Parameters
    ----------
    run : RecursiveRun
        Result of `recursive_forward`.
    y : array_like of int, shape (B,), or int
        Target of each tree's root, or of the nodes `at`.
    at : array_like of int, shape (M,), optional
        Positions in ``run.forest`` of the nodes that have a target, if these aren't the roots
        (Frasconi et al., 1997).
    """
    at, y = _as_targets(run, y, at)
    return float(step_loss(run.log_yhat[at], y).sum(dtype=np.float64))


def recursive_backward(params: Mapping, run: RecursiveRun, y, at=None) -> dict:
    """Return the gradients of `recursive_loss`, computed from the roots down to the leaves.

    Each node passes a gradient to its two children. All nodes share the parameters, so a
    parameter's gradient is a sum over nodes, as it is a sum over time in a recurrent network.

    Parameters
    ----------
    params : mapping
        The parameters that made the run.
    run, y, at
        As for `recursive_loss`.

    Returns
    -------
    dict of ndarray
        Gradients on each parameter, with the parameter's shape, and on ``h``, the vectors of all
        nodes (N, n_h). Those of the leaves come first, in the order of the sequences.
    """
    at, y = _as_targets(run, y, at)
    params = _as_params(params)
    _as_made(params, run)
    grad_o = np.zeros_like(run.o)
    np.add.at(grad_o, at, grad_output(np.exp(run.log_yhat[at]), y))
    grad_h = times(params["R"].mT, grad_o)  # from a node's own output; its parent adds to it
    grad_a = np.zeros_like(run.h)
    for level in reversed(run.forest.levels):
        left, right, here = run.h[level.left], run.h[level.right], run.h[level.nodes]
        to_left, to_right = node_jacobians(params, left, right, here)
        grad_a[level.nodes] = (1 - here**2) * grad_h[level.nodes]
        grad_h[level.left] += _back(to_left, grad_h[level.nodes])
        grad_h[level.right] += _back(to_right, grad_h[level.nodes])
    return {**_on_parameters(params, run, grad_h, grad_a, grad_o), "h": grad_h}


def _back(jacobians, grad):
    """Return ``J^T g`` for every node."""
    return (grad[:, None, :] @ jacobians)[:, 0]


def _on_parameters(params, run, grad_h, grad_a, grad_o):
    """Add up the terms that all nodes contribute to the gradients of the parameters."""
    n = run.forest.n_leaves
    x = run.x
    if x.dtype.kind in "iu":
        x = _one_hot(x, params["V"].shape[-1], grad_h.dtype)
    left, right = np.zeros_like(run.h), np.zeros_like(run.h)
    for level in run.forest.levels:
        left[level.nodes], right[level.nodes] = run.h[level.left], run.h[level.right]
    grads = {
        "V": sum_outer(grad_h[:n], x),
        "U": sum_outer(grad_a, left),
        "W": sum_outer(grad_a, right),
        "b": grad_a.sum(axis=0),
        "R": sum_outer(grad_o, run.h),
        "c": grad_o.sum(axis=0),
    }
    if "T" in params:
        pairs = left[:, :, None] * right[:, None, :]
        grads["T"] = np.tensordot(grad_a, pairs, axes=(0, 0))
    return grads


def root_jacobians(params: Mapping, run: RecursiveRun):
    """Return the derivatives of each tree's root with respect to each of its nodes.

    Each is a product along the path from the root to the node.

    Returns
    -------
    ndarray, shape (N, n_h, n_h)
        Entry ``[p, k, i]``: derivative of unit k of the root over node p with respect to unit i
        of node p. That of a root is the identity.
    """
    as_kind("run", run, RecursiveRun, "what recursive_forward returns")
    params = _as_params(params)
    _as_made(params, run)
    n_h = run.h.shape[-1]
    products = np.empty((run.forest.n_nodes, n_h, n_h), run.h.dtype)
    products[run.forest.roots] = np.eye(n_h)
    for level in reversed(run.forest.levels):
        left, right, here = run.h[level.left], run.h[level.right], run.h[level.nodes]
        to_left, to_right = node_jacobians(params, left, right, here)
        products[level.left] = products[level.nodes] @ to_left
        products[level.right] = products[level.nodes] @ to_right
    return products


def _as_params(params):
    """Return arrays of one floating type with matching shapes, or raise an error."""
    names = ["V", "U", "W", "b", "R", "c"]
    expected = "V, U, W, b, R and c"
    as_kind("params", params, Mapping, f"a mapping with {expected}")
    if missing := [name for name in names if name not in params]:
        raise ValueError(f"params lacks {', '.join(missing)}; expected {expected}")
    names += [name for name in ["T"] if name in params]
    arrays = {name: as_real(f"params[{name!r}]", params[name]) for name in names}
    (n_h, n_x, *_), (n_y, *_) = (*arrays["V"].shape, 0, 0), (*arrays["c"].shape, 0)
    shapes = {"V": (n_h, n_x), "U": (n_h, n_h), "W": (n_h, n_h), "b": (n_h,)}
    shapes |= {"R": (n_y, n_h), "c": (n_y,), "T": (n_h, n_h, n_h)}
    for name, array in arrays.items():
        if array.shape != shapes[name] or not array.size:
            raise ValueError(
                f"params[{name!r}] has shape {array.shape}; expected {shapes[name]}, none of them 0"
            )
    dtype = np.result_type(*arrays.values())
    return {name: array.astype(dtype, copy=False) for name, array in arrays.items()}


def _as_leaves(x, tree, laid, V):
    """Return the inputs of all leaves in one array; raise an error if a sequence doesn't fit."""
    several = isinstance(tree, list)
    sequences = as_list("x", x) if several else [x]
    name = "x[{}]" if several else "x"
    if len(sequences) != len(laid.roots):
        raise ValueError(
            f"x has length {len(sequences)}; expected {len(laid.roots)}, a sequence for each tree"
        )
    arrays = []
    for which, sequence in enumerate(sequences):
        array = as_array(name.format(which), sequence)
        tokens = array.dtype.kind in "iu"
        n = laid.stop[laid.roots[which]]
        wanted = (n,) if tokens else (n, V.shape[-1])
        if array.shape != wanted:
            raise ValueError(
                f"{name.format(which)} has shape {array.shape} and dtype {array.dtype}; expected "
                f"({n},) integer tokens, or ({n}, {V.shape[-1]}) vectors, as the tree has leaves"
            )
        check = as_tokens if tokens else as_real
        arrays.append(check(name.format(which), array, V.shape[-1] if tokens else V.dtype))
    if len({array.ndim for array in arrays}) > 1:
        raise ValueError("x holds tokens and vectors; expected one kind")
    return np.concatenate(arrays)


def _as_targets(run, y, at):
    """Return the nodes that have a target, and the targets, or raise an error."""
    as_kind("run", run, RecursiveRun, "what recursive_forward returns")
    roots, n = run.forest.roots, run.forest.n_nodes
    at = roots if at is None else as_tokens("at", np.atleast_1d(as_array("at", at)), n)
    y = as_tokens("y", np.atleast_1d(as_array("y", y)), run.o.shape[-1])
    if at.ndim != 1 or y.shape != at.shape:
        raise ValueError(f"y has shape {y.shape}; expected {at.shape}, a target for each node read")
    return at, y


def _as_made(params, run):
    """Raise an error if parameters of these shapes can't have made `run`."""
    for name, shape in {"b": run.h.shape[-1:], "c": run.o.shape[-1:]}.items():
        if params[name].shape != shape:
            raise ValueError(
                f"params[{name!r}] has shape {params[name].shape}; expected {shape}, as in run"
            )
    tokens = run.x.dtype.kind in "iu"
    n_x, wanted = params["V"].shape[-1], run.x.max() + 1 if tokens else run.x.shape[-1]
    if n_x < wanted or (n_x > wanted and not tokens):
        raise ValueError(
            f"params['V'] has shape {params['V'].shape}; expected {wanted} columns, as in run"
        )
