"""Bidirectional networks in PyTorch, trained for many seeds at once."""

from collections.abc import Sequence

import torch

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.units import UNITS, as_seeds
from rnn_helpers.validate import as_choice, as_count


class BothWays(Gated):
    """A forward and a backward network of recurrent units, with one linear output layer.

    One network for each of S seeds; `params`, `outputs` and `loss_and_grads` are those of `Gated`.
    Each output depends on the whole sequence.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of inputs, of units in each direction, and of outputs.
    seeds : sequence of int
        One for each network.
    unit : {"lstm", "gru", "leaky"}
        Kind of unit.
    """

    def __init__(self, n_x: int, n_h: int, n_y: int, seeds: Sequence[int], unit: str = "gru"):
        torch.nn.Module.__init__(self)
        self.n_x, self.n_y = as_count("n_x", n_x), as_count("n_y", n_y)
        n_h, seeds = as_count("n_h", n_h), as_seeds(seeds)
        kind = UNITS[as_choice("unit", unit, UNITS)]
        self.layers = torch.nn.ModuleList(kind(n_x, n_h, seeds, k) for k in range(2))
        self._add_output(n_y, 2 * n_h, seeds)

    def forward(self, x):
        """Return the outputs of all steps: (T, S, B, n_x) to (T, S, B, n_y)."""
        ahead, back = self.layers
        h = torch.cat([ahead(x), back(x.flip(0)).flip(0)], dim=-1)
        return torch.einsum("tsbh,syh->tsby", h, self.V) + self.c[:, None]
