"""One layer that reads written values, for many seeds at once: all pairs, or one matrix."""

from collections.abc import Sequence

import torch

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.units import Unit, as_seeds
from rnn_helpers.validate import as_choice, as_count

MEMORIES = ("matrix", "softmax")
"""Read one matrix to which every pair was added; or all pairs, weighed by a softmax."""


class Reads(Gated):
    """Networks that write a key ``K x`` and a value ``U x`` at each step, and read by ``Q x``.

    Up to the step's own pair: ``r = M Q x`` of the matrix ``M`` of all ``(U x) (K x)^T``, added, or
    the average of all ``U x`` by a softmax over ``(K x) . (Q x)``. The output is ``c + V r``.
    Losses and their arguments are those of `Gated`.

    Parameters
    ----------
    n_x, width, n_y : int
        Numbers of inputs, of a key and of a value, and of outputs. A matrix has ``width ** 2``.
    seeds : sequence of int
    memory : {"matrix", "softmax"}
    """

    def __init__(self, n_x: int, width: int, n_y: int, seeds: Sequence[int], memory="matrix"):
        torch.nn.Module.__init__(self)
        self.n_x, self.n_y = as_count("n_x", n_x), as_count("n_y", n_y)
        width, seeds = as_count("width", width), as_seeds(seeds)
        self.memory = as_choice("memory", memory, MEMORIES)
        drawn = Unit(self.n_x, width, seeds, 0)
        for name in ("K", "U", "Q"):
            drawn.draw(name, (width, self.n_x))
            setattr(self, name, getattr(drawn, name))
        self._add_output(self.n_y, width, seeds)

    def forward(self, x):
        """Outputs of all steps: (T, S, B, n_x) to (T, S, B, n_y)."""
        k, v, q = (torch.einsum("tsbx,swx->sbtw", x, part) for part in (self.K, self.U, self.Q))
        scores = q @ k.mT  # of each step, on its own row, the pairs
        if self.memory == "softmax":
            later = torch.ones(len(x), len(x)).triu(1).bool()
            weights = scores.masked_fill(later, -torch.inf).softmax(dim=-1)
        else:
            weights = scores.tril()  # M q is the sum of all v (k . q)
        return torch.einsum("sbtw,syw->tsby", weights @ v, self.V) + self.c[:, None]
