"""The same network in the book's arrays and in PyTorch's modules."""

from collections.abc import Mapping

import numpy as np
import torch

from rnn_helpers.reference._validate import as_params
from rnn_helpers.reference.notation import PYTORCH


def to_torch(params: Mapping[str, np.ndarray]) -> tuple[torch.nn.RNN, torch.nn.Linear]:
    """Copy parameters into PyTorch modules that compute (10.8)-(10.10).

    Parameters
    ----------
    params : mapping
        Arrays ``U`` (n_h, n_x), ``W`` (n_h, n_h), ``V`` (n_y, n_h), ``b`` (n_h,), ``c`` (n_y,),
        without an axis of seeds.

    Returns
    -------
    rnn : torch.nn.RNN
        Inputs to states, tanh, of the parameters' floating type. ``bias_ih_l0`` is ``b`` and
        ``bias_hh_l0``, which is redundant, is 0.
    linear : torch.nn.Linear
        States to outputs.

    Raises
    ------
    ValueError
        If an array is missing, not finite, or of a shape that does not fit the others.
    """
    weights = as_params(params)
    if weights.W.ndim != 2:
        raise ValueError(f"params['W'] has shape {weights.W.shape}; expected (n_h, n_h), no seeds")
    (n_h, n_x), n_y = weights.U.shape, len(weights.c)
    tensors = {name: torch.tensor(array) for name, array in weights._asdict().items()}
    dtype = tensors["W"].dtype
    rnn = torch.nn.RNN(n_x, n_h, dtype=dtype)
    linear = torch.nn.Linear(n_h, n_y, dtype=dtype)
    for module in (rnn, linear):
        module.load_state_dict({name: tensors[PYTORCH[name]] for name in module.state_dict()})
    torch.nn.init.zeros_(rnn.bias_hh_l0)
    return rnn, linear


def from_torch(rnn: torch.nn.RNN, linear: torch.nn.Linear) -> dict[str, np.ndarray]:
    """Copy the parameters of PyTorch modules into the book's arrays.

    Parameters
    ----------
    rnn : torch.nn.RNN
        One layer, one direction, tanh.
    linear : torch.nn.Linear
        From its states to the outputs.

    Returns
    -------
    dict of ndarray
        ``U``, ``W``, ``V``, ``b`` and ``c``; ``b`` is the sum of the module's two biases, and a
        bias that a module lacks is 0.

    Raises
    ------
    TypeError
        If the modules are of other classes.
    ValueError
        If the recurrent module has more layers or directions, another nonlinearity, or states of
        a size the linear module does not take.
    """
    if not isinstance(rnn, torch.nn.RNN) or not isinstance(linear, torch.nn.Linear):
        raise TypeError(
            f"rnn is {type(rnn)} and linear {type(linear)}; expected nn.RNN and nn.Linear"
        )
    if (rnn.num_layers, rnn.bidirectional, rnn.nonlinearity) != (1, False, "tanh"):
        raise ValueError(f"rnn is {rnn}; expected one layer, one direction, tanh")
    if linear.in_features != rnn.hidden_size:
        raise ValueError(
            f"linear takes {linear.in_features} features; expected {rnn.hidden_size}, as in rnn"
        )
    tensors = {**rnn.state_dict(), **linear.state_dict()}
    arrays = {
        "b": np.zeros(rnn.hidden_size, tensors["weight_hh_l0"].numpy().dtype),
        "c": np.zeros(linear.out_features, tensors["weight"].numpy().dtype),
    }
    for name, tensor in tensors.items():
        arrays[PYTORCH[name]] = arrays.get(PYTORCH[name], 0) + tensor.cpu().numpy()
    return {name: arrays[name] for name in "UWVbc"}
