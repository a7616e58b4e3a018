"""The tensors that take the place of a module's parameters."""

from collections.abc import Mapping

import numpy as np
import torch

from rnn_helpers.validate import FLOATS, as_kind, as_real


def as_leaves(module, params, grad=False, partly=False):
    """Return `params` as tensors that fit `module`, or raise an error that names the array.

    All parameters of the module are expected or, if `partly`, some of them. Arrays of float32 or
    float64 keep their type; everything else gets the module's.
    """
    as_kind("params", params, Mapping, "a mapping from names to arrays")
    own = {name: parameter.detach().numpy() for name, parameter in module.named_parameters()}
    if params.keys() - own.keys() or (own.keys() - params.keys() and not partly):
        raise ValueError(f"params has {', '.join(map(str, params))}; expected {', '.join(own)}")
    return {
        name: torch.tensor(_array(f"params[{name!r}]", value, own[name]), requires_grad=grad)
        for name, value in params.items()
    }


def _array(name, value, like):
    kept = isinstance(value, np.ndarray) and value.dtype in FLOATS
    array = as_real(name, value, value.dtype if kept else like.dtype)
    if array.shape != like.shape:
        raise ValueError(f"{name} has shape {array.shape}; expected {like.shape}")
    return array.copy(order="C")  # PyTorch takes no array that is read backward
