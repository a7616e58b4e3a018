"""One recurrent layer of PyTorch and a linear output layer, trained as the reference is."""

from collections.abc import Mapping

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.validate import (
    MOST_SEED,
    as_array,
    as_count,
    as_mask,
    as_real,
    as_single,
    as_tokens,
    brief,
)


class _Network(torch.nn.Module):
    """Base of the networks of this module; `layer` is the class of their recurrent layer."""

    layer: type[torch.nn.Module]

    def __init__(self, n_x: int, n_h: int, n_y: int, seed: int = 0):
        n_x, n_h, n_y = as_count("n_x", n_x), as_count("n_h", n_h), as_count("n_y", n_y)
        seed = as_count("seed", seed, 0, MOST_SEED)
        super().__init__()
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.recurrent = self.layer(n_x, n_h)
            self.output = torch.nn.Linear(n_h, n_y)

    def forward(self, x, state=None):
        """Outputs for every time step.

        Parameters
        ----------
        x : Tensor, shape (T, B) of int or (T, B, n_x) of float
            Tokens or vectors.
        state : Tensor or tuple of Tensor, optional
            State of the recurrent layer before the first step; 0 by default.

        Returns
        -------
        o : Tensor, shape (T, B, n_y)
            Outputs: for classes, their unnormalized log probabilities.
        state : Tensor or tuple of Tensor
            State after the last step.
        """
        if not x.is_floating_point():
            x = torch.nn.functional.one_hot(x, self.recurrent.input_size)
        h, state = self.recurrent(x.to(self.output.weight.dtype), state)
        return self.output(h), state

    def params(self) -> dict[str, np.ndarray]:
        """Parameters as a dictionary of arrays, copied.

        Returns
        -------
        dict of ndarray
            Named as PyTorch names them, such as ``"recurrent.weight_ih_l0"``.
        """
        return {name: p.detach().numpy().copy() for name, p in self.named_parameters()}

    def loss_and_grads(self, params: Mapping[str, np.ndarray], batch, *state) -> tuple:
        """Loss of a minibatch, and its gradients by autograd.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them. The module's own parameters are read only for the
            names that are not given.
        batch : tuple of ndarray
            Inputs, tokens (T, B) or vectors (T, B, n_x); targets (T, B), integers for classes or
            floats for numbers, of which a network has one output; and, optionally, a mask (T, B)
            of the steps that count.
        *state : optional
            What the previous call returned as its state, or None. Gradients do not flow into it.

        Returns
        -------
        loss : float
            Mean over the steps that count: of the cross-entropy, in nats, for classes, of the
            squared error for numbers.
        grads : dict of ndarray
            Gradients, named as `params`.
        state
            State after the last step, if a state was given.
        """
        x, y, mask = self._batch(batch)
        leaves = as_leaves(self, params, grad=True, partly=True)
        o, after = functional_call(self, leaves, (x, *state))
        o, y = o[mask], y[mask]
        if y.is_floating_point():
            loss = torch.nn.functional.mse_loss(o[:, 0], y.to(o.dtype))
        else:
            loss = torch.nn.functional.cross_entropy(o, y)
        loss.backward()
        result = loss.item(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}
        return (*result, _detached(after)) if state else result

    def _batch(self, batch):
        """Inputs, targets and mask of a minibatch, as tensors that fit each other."""
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise ValueError(f"batch is {brief(batch)}; expected (x, y) or (x, y, mask)")
        n_x, n_y = self.recurrent.input_size, self.output.out_features
        x, y = (as_array(name, value) for name, value in zip("xy", batch, strict=False))
        tokens = x.dtype.kind in "iu"
        shape = x.shape if tokens else x.shape[:-1]
        if len(shape) != 2 or y.shape != shape or 0 in shape or not (tokens or x.shape[2] == n_x):
            raise ValueError(
                f"batch has shapes {x.shape} and {y.shape}; expected (T, B) twice, or "
                f"(T, B, {n_x}) and (T, B)"
            )
        x = as_tokens("x", x, n_x).astype(np.int64) if tokens else as_real("x", x)
        if y.dtype.kind == "f":
            y = as_real("y", y)
            if n_y != 1:
                raise ValueError(
                    f"y holds numbers, expected classes for a network of {n_y} outputs"
                )
        else:
            y = as_tokens("y", y, n_y).astype(np.int64)
        mask = as_mask(batch[2] if len(batch) == 3 else np.ones(shape, bool), shape)
        if mask is None or not mask.any():
            raise ValueError("the mask of a minibatch counts no step, expected at least one")
        return tuple(torch.tensor(array) for array in (x, y, mask))


class RNN(_Network):
    """The network of figure 10.3: tanh units and a linear output layer.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of input, hidden and output units. Integer inputs are tokens, one of n_x.
    seed : int
        Seed of PyTorch's own initialization.
    """

    layer = torch.nn.RNN


class GRU(_Network):
    """Gated recurrent units and a linear output layer; parameters as for `RNN`."""

    layer = torch.nn.GRU


class LSTM(_Network):
    """LSTM units and a linear output layer.

    Parameters
    ----------
    n_x, n_h, n_y, seed : int
        As for `RNN`.
    forget_bias : float, optional
        Bias of the forget gates; without it they start, as all of PyTorch's, near 0, which halves
        the memory at every step. PyTorch adds two biases, of which one is redundant: the first
        takes this value, the second 0.
    """

    layer = torch.nn.LSTM

    def __init__(self, n_x, n_h, n_y, seed=0, forget_bias: float | None = None):
        super().__init__(n_x, n_h, n_y, seed)
        if forget_bias is None:
            return
        forget_bias = as_single("forget_bias", forget_bias)
        n_h = self.recurrent.hidden_size
        forget = slice(n_h, 2 * n_h)  # gates are in the order input, forget, cell, output
        with torch.no_grad():
            self.recurrent.bias_ih_l0[forget] = forget_bias
            self.recurrent.bias_hh_l0[forget] = 0


def _detached(state):
    return tuple(part.detach() for part in state) if isinstance(state, tuple) else state.detach()
