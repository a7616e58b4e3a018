"""A character model in PyTorch that `rnn_helpers.training.fit` trains like the reference."""

from rnn_helpers.nets.recurrent import GRU, LSTM, RNN, _Network
from rnn_helpers.reference._validate import as_choice, as_count

CELLS = {"rnn": RNN.layer, "lstm": LSTM.layer, "gru": GRU.layer}


class CharRNN(_Network):
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
        n_symbols = as_count("n_symbols", n_symbols, 2)
        self.layer = CELLS[as_choice("cell", cell, CELLS)]
        super().__init__(n_symbols, n_h, n_symbols, seed)
