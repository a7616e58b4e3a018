"""Networks in PyTorch; the only part of the package that imports it."""

from rnn_helpers.nets.conv_lstm import ConvLSTM
from rnn_helpers.nets.convert import from_torch, to_torch
from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.next_frame import NextFrame
from rnn_helpers.nets.recurrent import GRU, LSTM, RNN

__all__ = ["GRU", "LSTM", "RNN", "ConvLSTM", "Gated", "NextFrame", "from_torch", "to_torch"]
