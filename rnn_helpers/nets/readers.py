"""Networks that name one thing in a sentence: with weights for each place, or shared by all."""

import torch

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.units import UNITS, Unit


class Places(Unit):
    """Units with separate weights for the word at each place, which see the whole sentence."""

    def __init__(self, *sizes, n_places: int, n_embedded: int | None = None):
        super().__init__(*sizes)
        if n_embedded is not None:
            self.draw("E", (n_embedded, self.n_x))
        self.draw("U", (n_places, self.n_h, n_embedded or self.n_x))
        self.draw("b", (self.n_h,))

    def forward(self, x):
        """The same units at all steps; places after the end of a sentence are read as zeros."""
        if hasattr(self, "E"):
            x = torch.einsum("tsbx,sex->tsbe", x, self.E)
        inputs = torch.einsum("tsbx,stnx->sbn", x, self.U[:, : len(x)])
        return torch.tanh(inputs + self.b[:, None]).expand(len(x), *inputs.shape)


class Window(Unit):
    """Units that see three words, with the same weights at every place; of each, the largest."""

    def __init__(self, *sizes):
        super().__init__(*sizes)
        self.draw("U", (3, self.n_h, self.n_x))
        self.draw("b", (self.n_h,))

    def forward(self, x):
        """The largest values, the same at all steps; beyond the ends of a sentence are zeros."""
        none = torch.zeros_like(x[:1])
        around = torch.stack([torch.cat([none, x[:-1]]), x, torch.cat([x[1:], none])])
        inputs = torch.einsum("ktsbx,sknx->tsbn", around, self.U)
        pooled = torch.tanh(inputs + self.b[:, None]).amax(dim=0)
        return pooled.expand(len(x), *pooled.shape)


class Reader(Gated):
    """A network that reads n_x kinds of words and names one of n_y years, for each of S seeds.

    The first symbols are uninformative words, the last are the years. ``n_places`` is the number of
    places for which an MLP has weights.
    """

    def __init__(self, kind: str, n_x: int, n_h: int, n_y: int, seeds, n_places: int):
        torch.nn.Module.__init__(self)
        unit, parts = {
            "MLP": (Places, {"n_places": n_places}),
            "MLP, embedded": (Places, {"n_places": n_places, "n_embedded": n_h}),
            "convolution": (Window, {}),
            "RNN": (UNITS["leaky"], {}),
            "GRU": (UNITS["gru"], {}),
        }[kind]
        self.n_x, self.n_y = n_x, n_y
        self.layers = torch.nn.ModuleList([unit(n_x, n_h, seeds, 0, **parts)])
        self._add_output(n_y, n_h, seeds)
