"""Deep recurrent networks, forward and backward: section 10.5, figure 10.13.

A recurrent network has three operations: from the input to the state, from one state to the next,
and from the state to the output. `Depth` contains the number of hidden layers in each of these
places, and the number of recurrent layers in the stack. Every hidden layer has as many units as a
state, with tanh.

Parameters have the network's usual letters and the number of their recurrent layer, from the bottom
up: ``U1``, ``W1``, ``b1``, ..., and ``V``, ``c``; a skip connection is ``S1``. The weights and
biases of the hidden layers are ``A1``, ``a1``, ... from the input, ``T1_1``, ``t1_1``, ... between
states of the first recurrent layer, and ``Q1``, ``q1``, ... to the output.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rnn_helpers.circuits import Circuit, Edge
from rnn_helpers.reference.activations import _log_softmax, _one_hot
from rnn_helpers.reference.bptt import grad_output, grad_step_loss, sum_outer
from rnn_helpers.reference.rnn import AnyRun, start, times
from rnn_helpers.validate import (
    as_count,
    as_generator,
    as_inputs,
    as_kind,
    as_list,
    as_mask,
    as_real,
    as_switch,
    as_targets,
    convert_count,
)


@dataclass(frozen=True)
class Depth:
    """The places where a recurrent network is deep.

    Attributes
    ----------
    states : int
        Number of recurrent layers in the stack, 1 or more. The state of each is the input of the
        next (figure 10.13a).
    input, transition, output : int
        Numbers of hidden layers from the input to the bottom state, from each state to its next
        value, and from the top state to the output (figure 10.13b).
    skip : bool
        Whether a skip connection leads from each state to its next value, past the hidden layers
        between them (figure 10.13c). There must be at least one such layer.
    """

    states: int = 1
    input: int = 0
    transition: int = 0
    output: int = 0
    skip: bool = False

    def __post_init__(self):
        convert_count(self, "states")
        for name in ("input", "transition", "output"):
            convert_count(self, name, least=0)
        if as_switch("skip", self.skip) and not self.transition:
            raise ValueError(
                "skip is True; expected it only where a transition has hidden layers to skip"
            )

    def hidden(self, box: str, state: int = 1) -> list[tuple[str, str]]:
        """Return the names of weights and biases of the hidden layers in a place, in order."""
        if box == "transition":
            return [(f"T{state}_{k}", f"t{state}_{k}") for k in range(1, self.transition + 1)]
        weights, biases = {"input": "Aa", "output": "Qq"}[box]
        return [(f"{weights}{k}", f"{biases}{k}") for k in range(1, getattr(self, box) + 1)]


@dataclass(frozen=True, eq=False)
class DeepRun(AnyRun):
    """The result of `deep_forward`: an `AnyRun` with the top states, and the values of all layers.

    Attributes
    ----------
    depth : Depth
    each : tuple of ndarray, shape (T + 1, ..., n_h)
        The states of all recurrent layers, from the bottom up.
    read, spoken : list of ndarray, shape (T, ..., n)
        The input and the values of the layers after it; the top states and the values of the layers
        from them to the output.
    passed : tuple of list of ndarray, shape (T, ..., n_h)
        For each recurrent layer, ``h^(t-1)`` and the values of the layers between states.
    """

    depth: Depth
    each: tuple
    read: list
    spoken: list
    passed: tuple


def init_deep(depth: Depth, n_x, n_h, n_y, seed=0) -> dict:
    """Draw Gaussian weights with variance 1/n, where n is the number of inputs; biases are 0.

    Parameters
    ----------
    depth : Depth
    n_x, n_h, n_y : int
        Numbers of inputs, of units in each state and hidden layer, and of outputs.
    seed : int or Generator
    """
    shapes, rng = deep_shapes(depth, n_x, n_h, n_y), as_generator(seed)
    return {
        name: rng.normal(0, shape[-1] ** -0.5, shape) if len(shape) == 2 else np.zeros(shape)
        for name, shape in shapes.items()
    }


def deep_shapes(depth: Depth, n_x, n_h, n_y) -> dict[str, tuple]:
    """Return the shapes of all parameters by name. The arguments are those of `init_deep`."""
    as_kind("depth", depth, Depth, "a Depth")
    n_x, n_h, n_y = as_count("n_x", n_x), as_count("n_h", n_h), as_count("n_y", n_y)
    shapes, below = {}, n_x
    for M, m in depth.hidden("input"):
        shapes |= {M: (n_h, below), m: (n_h,)}
        below = n_h
    for k in range(1, depth.states + 1):
        shapes |= {f"U{k}": (n_h, below), f"W{k}": (n_h, n_h), f"b{k}": (n_h,)}
        shapes |= {f"S{k}": (n_h, n_h)} if depth.skip else {}
        for M, m in depth.hidden("transition", k):
            shapes |= {M: (n_h, n_h), m: (n_h,)}
        below = n_h
    for M, m in depth.hidden("output"):
        shapes |= {M: (n_h, n_h), m: (n_h,)}
    return shapes | {"V": (n_y, n_h), "c": (n_y,)}


def deep_circuit(depth: Depth) -> Circuit:
    """Return the circuit of the network: figure 10.13, for any depth.

    Nodes are ``x``, ``a1``, ... (layers from the input), ``t1_1``, ... (between states), ``h1``,
    ..., ``q1``, ... (to the output) and ``o``. Edges have the names of the weights.
    """
    as_kind("depth", depth, Depth, "a Depth")
    nodes, edges = ["x"], []

    def chain(source, layers, delay=0):
        for M, m in layers:
            nodes.append(m)
            edges.append(Edge(source, m, M, delay))
            source, delay = m, 0
        return source, delay

    below, _ = chain("x", depth.hidden("input"))
    for k in range(1, depth.states + 1):
        state = f"h{k}"
        nodes.append(state)
        before, delay = chain(state, depth.hidden("transition", k), 1)
        edges += [Edge(below, state, f"U{k}"), Edge(before, state, f"W{k}", delay)]
        edges += [Edge(state, state, f"S{k}", 1)] if depth.skip else []
        below = state
    above, _ = chain(below, depth.hidden("output"))
    return Circuit([*nodes, "o"], [*edges, Edge(above, "o", "V")])


def deep_forward(params: Mapping, depth: Depth, x, h0=None) -> DeepRun:
    """Run the network over a sequence, or a minibatch of sequences.

    Parameters
    ----------
    params : mapping
        Those that `init_deep` returns.
    depth : Depth
    x : array_like
        Tokens (T,) or (T, B), or vectors (T, n_x) or (T, B, n_x).
    h0 : sequence of array_like, optional
        Initial state of each recurrent layer; 0 by default.
    """
    params = _as_deep(params, depth)
    entry = params["A1" if depth.input else "U1"]
    x, batch = as_inputs(x, entry)
    vectors = _one_hot(x, entry.shape[-1], entry.dtype) if x.dtype.kind in "iu" else x
    h0 = [None] * depth.states if h0 is None else as_list("h0", h0)
    if len(h0) != depth.states:
        raise ValueError(f"h0 has {len(h0)} states; expected {depth.states}")
    read = _through(params, depth.hidden("input"), vectors)
    each, passed, below = [], [], read[-1]
    for k, given in enumerate(h0, 1):
        first = start("h0", given, (*batch, len(params["W1"])), entry.dtype)
        states, layers = _run_state(params, depth, k, below, first)
        each.append(states)
        passed.append(layers)
        below = states[1:]
    spoken = _through(params, depth.hidden("output"), below)
    o = params["c"] + times(params["V"], spoken[-1])
    return DeepRun(x, each[-1], o, _log_softmax(o), depth, tuple(each), read, spoken, tuple(passed))


def _through(params, layers, v):
    """Return `v` and the values of each hidden layer after it."""
    values = [v]
    for M, m in layers:
        values.append(np.tanh(params[m] + times(params[M], values[-1])))
    return values


def _run_state(params, depth, k, below, h0):
    """Return all states of a recurrent layer, and the values of its layers between states."""
    from_below = params[f"b{k}"] + times(params[f"U{k}"], below)
    states, steps = [h0], []
    for share in from_below:
        steps.append(_through(params, depth.hidden("transition", k), states[-1]))
        a = share + times(params[f"W{k}"], steps[-1][-1])
        if depth.skip:
            a = a + times(params[f"S{k}"], states[-1])
        states.append(np.tanh(a))
    return np.stack(states), [np.stack(layer) for layer in zip(*steps, strict=True)]


def deep_backward(params: Mapping, run: DeepRun, y, mask=None) -> dict:
    """Return the gradients of `rnn_loss`, by back-propagation through time and through the layers.

    Parameters
    ----------
    params : mapping
        The parameters of the run.
    run : DeepRun
        The result of `deep_forward`.
    y, mask : array_like
        Targets and mask, as for `rnn_loss`.

    Returns
    -------
    dict of ndarray
        The gradient with respect to each parameter by its name. ``"h0"`` has a list of the
        gradients with respect to the initial states, from the bottom up, and ``"x"`` the gradient
        with respect to the inputs, as vectors.
    """
    as_kind("run", run, DeepRun, "what deep_forward returns")
    params, depth = _as_deep(params, run.depth), run.depth
    mask = as_mask(mask, run.o.shape[:-1])
    y = as_targets(y, run.o.shape, mask)
    grad_o = grad_output(run.yhat, y, grad_step_loss(mask))  # (G 10.18)
    grads = {name: np.zeros_like(array) for name, array in params.items()}
    _collect(grads, "V", "c", grad_o, run.spoken[-1])
    grad = times(params["V"].T, grad_o)
    grad, grad_h0 = _back(params, grads, depth.hidden("output"), run.spoken, grad), []
    for k in range(depth.states, 0, -1):
        below = run.each[k - 2][1:] if k > 1 else run.read[-1]
        grad, first = _back_state(params, grads, run, k, below, grad)
        grad_h0.insert(0, first)
    grad_x = _back(params, grads, depth.hidden("input"), run.read, grad)
    return grads | {"h0": grad_h0, "x": grad_x}


def _collect(grads, M, m, grad_a, v):
    """Add the gradients of a layer's weights and bias, given the gradient before its tanh."""
    grads[M] += sum_outer(grad_a, v)
    grads[m] += grad_a.reshape(-1, grad_a.shape[-1]).sum(0)


def _back(params, grads, layers, values, grad):
    """Return the gradient with respect to the input of hidden layers, from that of their output."""
    for (M, m), v, h in reversed(list(zip(layers, values[:-1], values[1:], strict=True))):
        grad_a = (1 - h**2) * grad
        _collect(grads, M, m, grad_a, v)
        grad = times(params[M].T, grad_a)
    return grad


def _back_state(params, grads, run, k, below, grad_h):
    """Return the gradients with respect to a recurrent layer's inputs and initial state."""
    depth, states = run.depth, run.each[k - 1]
    grad_a, back = np.empty_like(grad_h), np.zeros_like(states[0])
    layers = depth.hidden("transition", k)
    for t in range(len(grad_h) - 1, -1, -1):
        grad_a[t] = (1 - states[t + 1] ** 2) * (grad_h[t] + back)
        at_t = [layer[t] for layer in run.passed[k - 1]]
        back = _back(params, grads, layers, at_t, times(params[f"W{k}"].T, grad_a[t]))
        if depth.skip:
            back = back + times(params[f"S{k}"].T, grad_a[t])
    _collect(grads, f"U{k}", f"b{k}", grad_a, below)
    grads[f"W{k}"] += sum_outer(grad_a, run.passed[k - 1][-1])
    if depth.skip:
        grads[f"S{k}"] += sum_outer(grad_a, states[:-1])
    return times(params[f"U{k}"].T, grad_a), back


def _as_deep(params, depth):
    """Return the parameters in one floating type, or raise an error that names a wrong array."""
    as_kind("depth", depth, Depth, "a Depth")
    as_kind("params", params, Mapping, "a mapping of names to arrays")
    wanted = deep_shapes(depth, 1, 1, 1)
    missing = [name for name in wanted if name not in params]
    if missing:
        raise ValueError(f"params lacks {', '.join(missing)}; expected what init_deep gives")
    arrays = {name: as_real(f"params[{name!r}]", params[name]) for name in wanted}
    entry = arrays["A1" if depth.input else "U1"]
    sizes = entry.shape[-1:], entry.shape[:1], arrays["V"].shape[:1]
    if not all(sizes) or 0 in entry.shape + sizes[2]:
        raise ValueError(
            f"params has V of shape {arrays['V'].shape} and first weights of shape {entry.shape}; "
            "expected matrices"
        )
    for name, shape in deep_shapes(depth, *(size for (size,) in sizes)).items():
        if arrays[name].shape != shape:
            raise ValueError(f"params[{name!r}] has shape {arrays[name].shape}; expected {shape}")
    dtype = np.result_type(*arrays.values())
    return {name: array.astype(dtype, copy=False) for name, array in arrays.items()}
