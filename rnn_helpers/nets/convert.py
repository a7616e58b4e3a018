"""The same network in the book's arrays and in PyTorch's modules."""

from collections.abc import Mapping

import numpy as np
import torch

from rnn_helpers.reference.notation import BLOCKS, PYTORCH
from rnn_helpers.validate import as_cell

# PyTorch stacks the cell input and the gates in each of its arrays, in its own order.
STACKED = {torch.nn.RNN: [""]} | {
    getattr(torch.nn, cell): [block.part for block in blocks] for cell, blocks in BLOCKS.items()
}


def to_torch(params: Mapping[str, np.ndarray]) -> tuple[torch.nn.Module, torch.nn.Linear]:
    """Copy parameters into PyTorch modules that compute the same.

    Parameters
    ----------
    params : mapping
        Arrays of `init_rnn`, of `init_lstm` without peepholes, or of `init_gru` with the bias
        ``bh``, that is ``reset="after"``; without an axis of seeds.

    Returns
    -------
    module : torch.nn.RNN, torch.nn.LSTM or torch.nn.GRU
        Inputs to states, tanh, of the parameters' floating type. ``bias_ih_l0`` holds ``b`` and
        ``bias_hh_l0``, which is redundant, is 0, except for the ``bh`` of a GRU.
    linear : torch.nn.Linear
        States to outputs.

    Raises
    ------
    ValueError
        If PyTorch's module has no place for an array.
    """
    kind = _kind(params)
    if kind is torch.nn.LSTM and params.keys() & {"pf", "pg", "po"}:
        raise ValueError("params has peepholes; expected none, as in nn.LSTM")
    if kind is torch.nn.GRU and "bh" not in params:
        raise ValueError("params lacks bh; expected it, as in init_gru(..., reset='after')")
    weights = as_cell(params, "".join(STACKED[kind]), ["bh"])
    if weights["W"].ndim != 2:
        shape = weights["W"].shape
        raise ValueError(f"params['W'] has shape {shape}; expected (n_h, n_h), no seeds")
    n_h, n_x = weights["U"].shape
    n_y = len(weights["c"])
    tensors = {name: torch.tensor(array) for name, array in weights.items()}
    dtype = tensors["W"].dtype
    module = kind(n_x, n_h, dtype=dtype)
    linear = torch.nn.Linear(n_h, n_y, dtype=dtype)
    linear.load_state_dict({"weight": tensors["V"], "bias": tensors["c"]})
    stacked = {
        name: torch.cat([tensors[PYTORCH[name] + part] for part in STACKED[kind]])
        for name in module.state_dict()
    }
    stacked["bias_hh_l0"].zero_()
    if "bh" in tensors:
        stacked["bias_hh_l0"][-n_h:] = tensors["bh"]
    module.load_state_dict(stacked)
    return module, linear


def _kind(params):
    if isinstance(params, Mapping):
        for kind, gate in {torch.nn.LSTM: "Uf", torch.nn.GRU: "Uu"}.items():
            if gate in params:
                return kind
    return torch.nn.RNN


def from_torch(module: torch.nn.Module, linear: torch.nn.Linear) -> dict[str, np.ndarray]:
    """Copy the parameters of PyTorch modules into the book's arrays.

    Parameters
    ----------
    module : torch.nn.RNN, torch.nn.LSTM or torch.nn.GRU
        One layer, one direction, tanh, no projection.
    linear : torch.nn.Linear
        From its states to the outputs.

    Returns
    -------
    dict of ndarray
        The arrays of `init_rnn`, `init_lstm` or `init_gru` with ``reset="after"``. Each ``b`` is
        the sum of the module's two biases, except that a GRU's ``b`` and ``bh`` differ; a bias
        that a module lacks is 0.

    Raises
    ------
    ValueError
        If the recurrent module has more layers or directions, another nonlinearity,
        projections, or states of a size the linear module does not take.
    """
    if type(module) not in STACKED or not isinstance(linear, torch.nn.Linear):
        raise TypeError(
            f"module is {type(module)} and linear {type(linear)}; expected nn.RNN, nn.LSTM or "
            "nn.GRU, and nn.Linear"
        )
    plain = (module.num_layers, module.bidirectional, module.proj_size) == (1, False, 0)
    if not plain or getattr(module, "nonlinearity", "tanh") != "tanh":
        raise ValueError(f"module is {module}; expected one layer, one direction, tanh")
    if linear.in_features != module.hidden_size:
        raise ValueError(
            f"linear takes {linear.in_features} features; expected {module.hidden_size}, as in "
            "module"
        )
    n_h, parts = module.hidden_size, STACKED[type(module)]
    tensors = {name: tensor.numpy(force=True) for name, tensor in module.state_dict().items()}
    dtype = tensors["weight_hh_l0"].dtype
    arrays = {
        "V": linear.weight.numpy(force=True).copy(),
        "c": np.zeros(linear.out_features, dtype),
    }
    if linear.bias is not None:
        arrays["c"] += linear.bias.numpy(force=True)
    zeros = np.zeros(n_h * len(parts), dtype)
    b, bh = (tensors.get(name, zeros).copy() for name in ("bias_ih_l0", "bias_hh_l0"))
    if isinstance(module, torch.nn.GRU):
        arrays["bh"] = bh[-n_h:].copy()
        bh[-n_h:] = 0
    stacked = {"U": tensors["weight_ih_l0"], "W": tensors["weight_hh_l0"], "b": b + bh}
    for name, array in stacked.items():
        for part, rows in zip(parts, np.split(array, len(parts)), strict=True):
            arrays[name + part] = rows.copy()
    return arrays
