"""Networks in PyTorch; the only part of the package that imports it.

Without PyTorch this module can still be imported, but using a network raises an error that explains
what is missing. A chapter's figures, checks and stored results don't need PyTorch.
"""

try:
    import torch

    from rnn_helpers.nets.both_ways import BothWays
    from rnn_helpers.nets.conditioned import Captioner, Conditioned
    from rnn_helpers.nets.conv_lstm import ConvLSTM
    from rnn_helpers.nets.convert import from_torch, to_torch
    from rnn_helpers.nets.encoder_decoder import Translator
    from rnn_helpers.nets.ends import Stopping
    from rnn_helpers.nets.gated import Gated
    from rnn_helpers.nets.next_frame import NextFrame
    from rnn_helpers.nets.output_recurrent import OutputRecurrent
    from rnn_helpers.nets.recurrent import GRU, LSTM, RNN
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        raise ModuleNotFoundError(
            f"nets.{name} needs PyTorch, which is not installed. Without it the cells that train "
            "networks, or compare with PyTorch's, do not run, and all others do: go on with the "
            "next cell, or install it (pip install torch) and restart the kernel.",
            name="torch",
        )


__all__ = [
    "GRU",
    "LSTM",
    "RNN",
    "BothWays",
    "Captioner",
    "Conditioned",
    "ConvLSTM",
    "Gated",
    "NextFrame",
    "OutputRecurrent",
    "Stopping",
    "Translator",
    "from_torch",
    "to_torch",
    "torch",
]
