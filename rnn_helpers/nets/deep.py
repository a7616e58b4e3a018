"""Deep recurrent networks, trained for many seeds at once."""

from collections.abc import Sequence

import torch

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.units import Unit, as_seeds
from rnn_helpers.reference import Depth, deep_shapes


class Deep(Gated):
    """The networks of `rnn_helpers.reference.deep_forward`, one for each of S seeds.

    Parameters have the reference's names, on a leading axis of seeds; `params`, `outputs` and
    `loss_and_grads` are those of `Gated`.

    Parameters
    ----------
    depth : Depth
        The places where the networks are deep.
    n_x, n_h, n_y : int
        Numbers of inputs, of units in each state and hidden layer, and of outputs.
    seeds : sequence of int
        One for each network. Parameters that two depths share start with the same values.
    """

    def __init__(self, depth: Depth, n_x: int, n_h: int, n_y: int, seeds: Sequence[int]):
        torch.nn.Module.__init__(self)
        shapes, seeds = deep_shapes(depth, n_x, n_h, n_y), as_seeds(seeds)
        self.depth, self.n_x, self.n_y, self.n_seeds = depth, n_x, n_y, len(seeds)
        drawn = Unit(n_x, n_h, seeds, 0)
        for name, shape in shapes.items():
            drawn.draw(name, shape)
            setattr(self, name, getattr(drawn, name))

    def forward(self, x):
        """Return the outputs at all steps: (T, S, B, n_x) to (T, S, B, n_y)."""
        for layer in self.depth.hidden("input"):
            x = torch.tanh(self._at_all_steps(*layer, x))
        for k in range(1, self.depth.states + 1):
            x = self._state(k, x)
        for layer in self.depth.hidden("output"):
            x = torch.tanh(self._at_all_steps(*layer, x))
        return self._at_all_steps("V", "c", x)

    def _at_all_steps(self, M, m, v):
        return torch.einsum("tsbx,snx->tsbn", v, getattr(self, M)) + getattr(self, m)[:, None]

    def _state(self, k, below):
        """Return the states of a recurrent layer from step 1 on: (T, S, B, n_h)."""
        W = getattr(self, f"W{k}").mT
        skip = getattr(self, f"S{k}").mT if self.depth.skip else None
        layers = [
            (getattr(self, M).mT, getattr(self, m)[:, None])
            for M, m in self.depth.hidden("transition", k)
        ]
        from_below = self._at_all_steps(f"U{k}", f"b{k}", below)
        h, states = torch.zeros_like(from_below[0]), []
        for a in from_below:
            passed = h
            for M, m in layers:
                passed = torch.tanh(m + torch.bmm(passed, M))
            a = torch.baddbmm(a, passed, W)
            h = torch.tanh(a if skip is None else torch.baddbmm(a, h, skip))
            states.append(h)
        return torch.stack(states)
