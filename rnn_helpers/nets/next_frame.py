"""Networks that predict the next frame of a film, by convolutions or by whole matrices."""

from collections.abc import Sequence

import numpy as np
import torch

from rnn_helpers.nets.conv_lstm import ConvLSTM
from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.units import LSTMUnit, as_seeds
from rnn_helpers.validate import as_count, as_real


class NextFrame(Gated):
    """An LSTM layer that reads frames, and a linear output layer that predicts the next ones.

    One network for each of S seeds. `params`, `outputs` and `loss_and_grads` are those of `Gated`,
    with frames (T, B, size, size) or (T, S, B, size, size) for inputs, outputs and targets; the
    loss is the squared error, mean over the pixels too.

    Parameters
    ----------
    size : int
        Width and height of a frame in pixels.
    n_h : int
        Cells: at every place, with a kernel; in all, without.
    seeds : sequence of int
        One for each network.
    kernel : int, optional
        Width and height of the kernels of a convolutional LSTM, odd; every place predicts its pixel
        from its own cells. Without it the layer is fully connected.
    """

    def __init__(self, size: int, n_h: int, seeds: Sequence[int], kernel: int | None = None):
        torch.nn.Module.__init__(self)
        self.size = as_count("size", size)
        n_h = as_count("n_h", n_h)
        seeds = as_seeds(seeds)
        self.kernel = kernel
        if kernel is None:
            n_y = self.size**2
            self.layer = LSTMUnit(n_y, n_h, seeds, 0)
        else:
            n_y = 1
            self.layer = ConvLSTM(1, n_h, seeds, kernel)
        self._add_output(n_y, n_h, seeds)

    def forward(self, x):
        """Next frames: (T, S, B, size, size) to the same."""
        if self.kernel is None:
            h = self.layer(x.flatten(-2))
            return (torch.einsum("tsbh,syh->tsby", h, self.V) + self.c[:, None]).view(x.shape)
        h = self.layer(x[:, :, :, None])
        return torch.einsum("tsbhij,sh->tsbij", h, self.V[:, 0]) + self.c[:, :, None, None]

    def _each(self, o, y):
        return ((o - y) ** 2).mean(dim=(-2, -1))

    def _inputs(self, x, name="x"):
        """Frames (T, S, B, size, size) as a tensor."""
        x = as_real(name, x)
        if x.ndim == 4:
            x = x[:, None].repeat(self.n_seeds, axis=1)
        frame = self.size, self.size
        if x.ndim != 5 or x.shape[1] != self.n_seeds or x.shape[3:] != frame or 0 in x.shape:
            raise ValueError(
                f"{name} has shape {x.shape}; expected (T, B, {self.size}, {self.size}) or "
                f"(T, {self.n_seeds}, B, {self.size}, {self.size})"
            )
        return torch.tensor(np.ascontiguousarray(x), dtype=self.V.dtype)

    def _targets(self, y, shape):
        """Frames as a tensor."""
        y = self._inputs(y, "y")
        if y.shape[:3] != shape:
            raise ValueError(f"y has shape {tuple(y.shape)}; expected {shape} frames, as x")
        return y
