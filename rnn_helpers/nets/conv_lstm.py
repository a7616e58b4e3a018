"""The LSTM whose state is a picture: its matrix products are convolutions (Shi et al., 2015)."""

from collections.abc import Sequence

import torch

from rnn_helpers.nets.units import LSTMUnit, as_seeds
from rnn_helpers.validate import as_count


class ConvLSTM(LSTMUnit):
    """Convolutional LSTM layers of S networks: (G 10.40)-(G 10.44) at every place of a picture.

    Input and state go through the same small kernels at every place, so the parameters do not
    depend on the size of the picture. The gates multiply entry by entry: those are the Hadamard
    products that the source's equations for this layer lack.

    Parameters
    ----------
    n_x, n_h : int
        Channels of the input and of the state.
    seeds : sequence of int
        One for each network.
    kernel : int
        Width and height of the kernels, odd, so that pictures keep their size.
    **parts
        As for `rnn_helpers.nets.units.LSTMUnit`.
    """

    def __init__(self, n_x: int, n_h: int, seeds: Sequence[int], kernel: int = 3, **parts):
        self.kernel = as_count("kernel", kernel)
        if kernel % 2 == 0:
            raise ValueError(f"kernel is {kernel}; expected an odd number")
        super().__init__(as_count("n_x", n_x), as_count("n_h", n_h), as_seeds(seeds), 0, **parts)

    def sizes(self, n):
        """Sizes of a kernel after its number of outputs."""
        return n, self.kernel, self.kernel

    def from_input(self, x):
        """``b + U * x`` of all parts at all steps: (T, S, B, H, W, n_x) to (T, S, B, H, W, n)."""
        U, b = self.joined("U"), self.joined("b")
        return torch.stack([self.from_state(x_t, U) + b[:, None, None, None] for x_t in x])

    def from_state(self, h, W):
        """``W * h`` of all parts, each network with its own kernels."""
        n_seeds, n_batch, height, width, _ = h.shape
        planes = h.permute(1, 0, 4, 2, 3).reshape(n_batch, -1, height, width)
        kernels = W.flatten(0, 1)
        sums = torch.nn.functional.conv2d(planes, kernels, padding="same", groups=n_seeds)
        return sums.view(n_batch, n_seeds, -1, height, width).permute(1, 0, 3, 4, 2)

    def forward(self, x):
        """Outputs of all steps, from a state of zeros.

        Parameters
        ----------
        x : Tensor, shape (T, S, B, n_x, H, W)
            Pictures.

        Returns
        -------
        Tensor, shape (T, S, B, n_h, H, W)
        """
        if x.ndim != 6 or x.shape[1] != len(self.seeds) or x.shape[3] != self.n_x:
            expected = f"(T, {len(self.seeds)}, B, {self.n_x}, H, W)"
            raise ValueError(f"x has shape {tuple(x.shape)}; expected {expected}")
        return super().forward(x.movedim(3, -1)).movedim(-1, 3)
