"""Networks that write given a context, trained for many seeds at once (10.2.4)."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.units import UNITS, Unit, as_seeds
from rnn_helpers.reference import symbols_before
from rnn_helpers.reference.context import DOORS
from rnn_helpers.validate import (
    as_array,
    as_choice,
    as_count,
    as_generators,
    as_list,
    as_mask,
    as_real,
)


class Conditioned(Gated):
    """Recurrent networks that receive a context and the symbol before, one for each of S seeds.

    The context is a vector. With any `door`, the networks have equally many weights, which are
    initialized alike.

    Parameters
    ----------
    n_c, n_h, n_y : int
        Numbers in the context, of units and of symbols.
    seeds : sequence of int
        One for each network.
    door : {"step", "start", "both"}
        ``"step"``: the context enters at every step, next to the symbol before (figure 10.9).
        ``"start"``: it enters only in an extra step before the first symbol, which computes the
        first state. ``"both"``: it enters in the extra step and then at every step.
    unit : {"gru", "lstm", "leaky"}
        Kind of units.
    """

    def __init__(
        self,
        n_c: int,
        n_h: int,
        n_y: int,
        seeds: Sequence[int],
        door: str = "both",
        unit: str = "gru",
    ):
        torch.nn.Module.__init__(self)
        self.n_c, self.n_y = as_count("n_c", n_c), as_count("n_y", n_y)
        n_h, seeds = as_count("n_h", n_h), as_seeds(seeds)
        self.door = as_choice("door", door, DOORS)
        kind = UNITS[as_choice("unit", unit, UNITS)]
        self.layers = torch.nn.ModuleList([kind(self.n_y + self.n_c, n_h, seeds, 0)])
        self._add_output(self.n_y, n_h, seeds)

    def look(self, x):
        """Return the contexts (S, B, n_c) computed from `x`: here, `x` itself."""
        return x

    def forward(self, x, before):
        """Return the outputs of all steps, of the shape of `before`, the symbols before."""
        context, n_steps = self.look(x), len(before)
        at_steps = torch.zeros_like(context) if self.door == "start" else context
        inputs = torch.cat([before, at_steps.expand(n_steps, *context.shape)], dim=-1)
        if self.door != "step":
            first = torch.cat([torch.zeros_like(before[:1]), context[None]], dim=-1)
            inputs = torch.cat([first, inputs])
        return super().forward(inputs)[-n_steps:]

    def outputs(self, params: Mapping[str, np.ndarray], x, y) -> np.ndarray:
        """Return the outputs of the networks with these parameters, given true symbols.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        x : ndarray, shape (B, n_c) or (S, B, n_c)
            Contexts, or the inputs from which `look` computes them.
        y : ndarray of int, shape (T, B) or (T, S, B)

        Returns
        -------
        ndarray, shape (T, S, B, n_y)
        """
        shown, before, *_ = self._parts((x, y))
        return self._outputs(params, shown, before)

    def write(self, params: Mapping[str, np.ndarray], x, end: int, most: int = 40, seed=None):
        """Write sequences given contexts, up to the end symbol.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        x : ndarray
            As for `outputs`.
        end : int
            The symbol that ends a sequence.
        most : int
            Greatest length of a sequence.
        seed : int, Generator or sequence of S of these, optional
            Seed for sampling; without it, each step takes the most likely symbol.

        Returns
        -------
        ndarray of int, shape (T, S, B)
            Symbols, padded with the end symbol. T is the length of the longest sequence.
        """
        end, most = as_count("end", end, 0, self.n_y - 1), as_count("most", most)
        shown = self._inputs(x)
        leaves = as_leaves(self, params)
        y = np.full((most + 1, self.n_seeds, shown.shape[1]), end)
        rngs = None if seed is None else self._rngs(seed)
        for t in range(most):
            before = self._before(y[: t + 1])
            with torch.no_grad():
                o = functional_call(self, leaves, (shown, before))[-1].numpy()
            if rngs is not None:  # the largest of these is a draw from softmax(o)
                noise = [rng.gumbel(size=(self.n_seeds // len(rngs), *o.shape[1:])) for rng in rngs]
                o = o + np.concatenate(noise)
            over = (y[:t] == end).any(axis=0)
            y[t] = np.where(over, end, o.argmax(axis=-1))
            if (y[: t + 1] == end).any(axis=0).all():
                break
        return y[: t + 1]

    def _rngs(self, seed):
        rngs, several = as_generators(seed)
        if several and len(rngs) != self.n_seeds:
            raise ValueError(f"seed holds {len(rngs)} seeds; expected one, or {self.n_seeds}")
        return rngs

    def _parts(self, batch):
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise ValueError("batch has other parts; expected (x, y) or (x, y, mask)")
        shown = self._inputs(batch[0])
        y = as_array("y", batch[1])
        y = self._targets(y, (len(y) if y.ndim else 0, self.n_seeds, shown.shape[1]))
        shape = tuple(y.shape)
        mask = as_mask(np.ones(shape, bool) if len(batch) == 2 else batch[2], shape)
        if not mask.any(axis=(0, 2)).all():
            raise ValueError("the mask of a minibatch counts no step; expected at least one")
        return shown, self._before(y.numpy()), y, torch.tensor(mask)

    def _before(self, y):
        """Return one-hot vectors (T, S, B, n_y) of the symbols before."""
        return torch.tensor(symbols_before(y, self.n_y), dtype=self.V.dtype)

    def _inputs(self, x):
        """Return the inputs as a tensor with an axis of seeds: (S, B, n_c)."""
        return self._shown(x, (self.n_c,))

    def _shown(self, x, shape):
        x = as_real("x", x)
        if x.ndim == 1 + len(shape):
            x = x[None].repeat(self.n_seeds, axis=0)
        if x.shape[:1] + x.shape[2:] != (self.n_seeds, *shape) or not x.size:
            sizes = ", ".join(map(str, shape))
            raise ValueError(
                f"x has shape {x.shape}; expected (B, {sizes}) or ({self.n_seeds}, B, {sizes})"
            )
        return torch.tensor(x, dtype=self.V.dtype)


class Captioner(Conditioned):
    """Networks that encode a square picture by two convolutional layers and write its caption.

    Convolutions of 3 x 3 pixels with stride 2 and then a linear layer compute the context, like a
    classifier without its last layer.

    Parameters
    ----------
    side : int
        Height and width of pictures, at least 4.
    n_h, n_y, seeds, door, unit
        As for `Conditioned`.
    channels : (int, int)
        Numbers of channels of the two layers.
    n_c : int
        Numbers in the context.
    """

    def __init__(
        self,
        side: int,
        n_h: int,
        n_y: int,
        seeds: Sequence[int],
        door: str = "both",
        unit: str = "gru",
        channels: tuple[int, int] = (8, 16),
        n_c: int = 32,
    ):
        super().__init__(n_c, n_h, n_y, seeds, door, unit)
        self.side = as_count("side", side, 4)
        channels = [as_count("each of channels", n) for n in as_list("channels", channels)]
        if len(channels) != 2:
            raise ValueError(f"channels are {channels}; expected two numbers")
        one, two = channels
        left = (self.side + 3) // 4  # halved twice, and rounded up
        eye = Unit(9, 9, as_seeds(seeds), -2)
        self._draw(eye, "K1", (one, 1, 3, 3), 9)
        self._draw(eye, "K2", (two, one, 3, 3), 9 * one)
        self._draw(eye, "C", (n_c, two * left**2), two * left**2)
        self._draw(eye, "k1", (one,), 9)
        self._draw(eye, "k2", (two,), 9 * one)
        self._draw(eye, "d", (n_c,), two * left**2)

    def _draw(self, eye, name, shape, inputs):
        """Draw a parameter uniformly from within ``1 / sqrt(inputs)`` of 0."""
        eye.draw(name, shape)
        scale = (9 / inputs) ** 0.5
        setattr(self, name, torch.nn.Parameter(getattr(eye, name).detach() * scale))

    def look(self, x):
        """Return the contexts (S, B, n_c) of pictures (S, B, side, side)."""
        S, B = x.shape[:2]
        x = x.swapaxes(0, 1)  # networks side by side are groups of channels
        for K, k in ((self.K1, self.k1), (self.K2, self.k2)):
            K, k = K.flatten(0, 1), k.flatten()
            x = torch.relu(torch.nn.functional.conv2d(x, K, k, stride=2, padding=1, groups=S))
        x = x.reshape(B, S, -1).swapaxes(0, 1)
        return torch.tanh(x @ self.C.mT + self.d[:, None])

    def _inputs(self, x):
        """Return the pictures as a tensor with an axis of seeds: (S, B, side, side)."""
        return self._shown(x, (self.side, self.side))
