"""Networks with a limited look-ahead, trained for many seeds at once (section 10.3)."""

from collections.abc import Sequence

import torch

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.units import Unit, as_seeds
from rnn_helpers.validate import as_count


class Waiting(Gated):
    """One-way recurrent networks whose output for each step is delayed.

    The output for step t is computed after the input of step t + delay: the delay is a look-ahead
    of fixed size, and the state must keep that many more steps. After the end, inputs are zero.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of inputs, of units, and of outputs.
    seeds : sequence of int
        One for each network.
    delay : int
        Steps to wait, at least 0; with 0 it is `Gated`.
    unit : {"lstm", "gru", "leaky"}
        Kind of unit.
    """

    def __init__(
        self,
        n_x: int,
        n_h: int,
        n_y: int,
        seeds: Sequence[int],
        delay: int = 0,
        unit: str = "gru",
    ):
        super().__init__(n_x, n_h, n_y, seeds, unit)
        self.delay = as_count("delay", delay, 0)

    def forward(self, x):
        """Outputs of all steps: (T, S, B, n_x) to (T, S, B, n_y)."""
        silence = x.new_zeros(self.delay, *x.shape[1:])
        return super().forward(torch.cat([x, silence]))[self.delay :]


class _Around(Unit):
    """Units that see a window of steps, with the same weights at every step."""

    def __init__(self, *sizes, width: int):
        super().__init__(*sizes)
        self.draw("U", (width, self.n_h, self.n_x))
        self.draw("b", (self.n_h,))

    def forward(self, x):
        """Values at all steps, (T, S, B, n_h); beyond the ends are zeros."""
        none = x.new_zeros(self.U.shape[1] // 2, *x.shape[1:])
        around = torch.cat([none, x, none]).unfold(0, self.U.shape[1], 1)
        a = torch.einsum("tsbxk,sknx->tsbn", around, self.U)
        return torch.tanh(a + self.b[:, None])


class Convolution(Gated):
    """A layer of units that see a window around each step, and one linear output layer.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of inputs, of units, and of outputs.
    seeds : sequence of int
        One for each network.
    width : int
        Steps of the window, odd: as many before the step as after it.
    """

    def __init__(self, n_x: int, n_h: int, n_y: int, seeds: Sequence[int], width: int = 5):
        torch.nn.Module.__init__(self)
        self.n_x, self.n_y = as_count("n_x", n_x), as_count("n_y", n_y)
        n_h, seeds = as_count("n_h", n_h), as_seeds(seeds)
        if as_count("width", width) % 2 == 0:
            raise ValueError(f"width is {width}; expected an odd number of steps")
        self.layers = torch.nn.ModuleList([_Around(n_x, n_h, seeds, 0, width=width)])
        self._add_output(n_y, n_h, seeds)
