"""A character model in PyTorch that `rnn_helpers.training.fit` trains like the reference."""

from collections.abc import Mapping

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.reference._validate import (
    as_choice,
    as_count,
    as_kind,
    as_real,
    as_tokens,
    brief,
)

CELLS = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM, "gru": torch.nn.GRU}


class CharRNN(torch.nn.Module):
    """Predict the next character: one recurrent layer and a linear output layer.

    Parameters
    ----------
    n_symbols : int
        Number of different characters, at least 2.
    n_h : int
        Number of hidden units, at least 1.
    cell : {"rnn", "lstm", "gru"}
        Kind of recurrent layer.
    seed : int
        Seed of PyTorch's own initialisation.

    Raises
    ------
    TypeError
        If a size or the seed is not an integer.
    ValueError
        If a size is too small, the cell is unknown or the seed is negative.
    """

    def __init__(self, n_symbols: int, n_h: int, cell: str = "rnn", seed: int = 0):
        n_symbols, n_h = as_count("n_symbols", n_symbols, 2), as_count("n_h", n_h)
        as_choice("cell", cell, CELLS)
        seed = as_count("seed", seed, 0)
        super().__init__()
        self.n_symbols = n_symbols
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.recurrent = CELLS[cell](n_symbols, n_h)
            self.output = torch.nn.Linear(n_h, n_symbols)

    def forward(self, x, state=None):
        """Outputs for every time step.

        Parameters
        ----------
        x : Tensor of int, shape (T, B)
            Characters, as tokens.
        state : Tensor or tuple of Tensor, optional
            State of the recurrent layer before the first step; 0 by default.

        Returns
        -------
        o : Tensor, shape (T, B, n_symbols)
            Unnormalised log probabilities of the next character.
        state : Tensor or tuple of Tensor
            State after the last step.
        """
        inputs = torch.nn.functional.one_hot(x, self.n_symbols).to(self.output.weight.dtype)
        h, state = self.recurrent(inputs, state)
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
        batch : tuple of ndarray of int, shape (T, B)
            Characters, and the characters that follow them.
        *state : optional
            What the previous call returned as its state, or None. Gradients do not flow into it.

        Returns
        -------
        loss : float
            Mean over all characters, in nats.
        grads : dict of ndarray
            Gradients, named as `params`.
        state
            State after the last step, if a state was given.

        Raises
        ------
        TypeError
            If the tokens are not integers, or the parameters do not hold real numbers.
        ValueError
            If a token is out of range, the two arrays differ in shape or are empty, or the
            parameters have other names or shapes than those of the module.
        """
        if not isinstance(batch, tuple | list) or len(batch) != 2:
            raise ValueError(f"batch is {brief(batch)}; expected (x, y)")
        x, y = (
            torch.as_tensor(as_tokens(name, tokens, self.n_symbols).astype(np.int64))
            for name, tokens in zip("xy", batch, strict=True)
        )
        if x.shape != y.shape or x.ndim != 2 or x.numel() == 0:
            raise ValueError(
                f"batch has shapes {tuple(x.shape)} and {tuple(y.shape)}; expected (T, B) twice"
            )
        leaves = {
            name: torch.tensor(self._param(name, array), requires_grad=True)
            for name, array in as_kind("params", params, Mapping, "a mapping").items()
        }
        o, after = functional_call(self, leaves, (x, *state))
        loss = torch.nn.functional.cross_entropy(o.flatten(0, 1), y.flatten())
        loss.backward()
        result = loss.item(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}
        return (*result, _detached(after)) if state else result

    def _param(self, name, value):
        """Array that can take the place of one of the module's parameters."""
        array = as_real(f"params[{name!r}]", value)
        shapes = {known: tuple(p.shape) for known, p in self.named_parameters()}
        if shapes.get(name) != array.shape:
            raise ValueError(f"params[{name!r}] has shape {array.shape}; expected {shapes}")
        return array


def _detached(state):
    return tuple(part.detach() for part in state) if isinstance(state, tuple) else state.detach()
