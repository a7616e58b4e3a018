"""Networks in PyTorch; the only part of the package that imports it."""

from rnn_helpers.nets.char_rnn import CharRNN
from rnn_helpers.nets.convert import from_torch, to_torch

__all__ = ["CharRNN", "from_torch", "to_torch"]
