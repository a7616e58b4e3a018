"""Recurrent layers whose gates can be left out, tied or shared, trained for many seeds at once.

One loop makes all variants of the LSTM that Greff et al. (2015) compare, and others that the source
names; another makes all time scales of section 10.9. Every parameter has a leading axis of seeds;
names are the reference's, ``U W b`` for the cell's input and ``Uf Wf bf``, ``Ug Wg bg``,
``Uo Wo bo`` for the forget, input and output gate.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.units import UNITS, Unit, as_seeds
from rnn_helpers.validate import (
    as_array,
    as_choice,
    as_count,
    as_mask,
    as_real,
    as_tokens,
    brief,
)


class Gated(torch.nn.Module):
    """Layers of recurrent units and a linear output layer, one network for each of S seeds.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of inputs, of units in each layer, and of outputs.
    seeds : sequence of int
        One for each network. Networks that differ in their parts alone begin alike in all they
        have in common, uniform within ``1 / sqrt(n_h)`` of 0, as in PyTorch.
    unit : {"lstm", "gru", "leaky"}
        Kind of unit: `LSTMUnit`, `GRUUnit` or `LeakyUnit`.
    n_layers : int
        Layers, each fed by the one below.
    **parts
        Parts of the units, as the kind documents them.

    Examples
    --------
    >>> net = Gated(2, 8, 1, seeds=range(10), unit="lstm", forget_gate=False)
    >>> net.params()["layers.0.Ug"].shape
    (10, 8, 2)
    """

    def __init__(
        self,
        n_x: int,
        n_h: int,
        n_y: int,
        seeds: Sequence[int],
        unit: str = "lstm",
        n_layers: int = 1,
        **parts,
    ):
        super().__init__()
        n_x, n_h, n_y = as_count("n_x", n_x), as_count("n_h", n_h), as_count("n_y", n_y)
        seeds = as_seeds(seeds)
        kind = UNITS[as_choice("unit", unit, UNITS)]
        self.n_x, self.n_y = n_x, n_y
        self.layers = torch.nn.ModuleList(
            kind(n_h if layer else n_x, n_h, seeds, layer, **parts)
            for layer in range(as_count("n_layers", n_layers))
        )
        self._add_output(n_y, n_h, seeds)

    def _add_output(self, n_y, n_h, seeds):
        top = Unit(n_h, n_h, seeds, -1)  # it begins as the others do
        top.draw("V", (n_y, n_h))
        top.draw("c", (n_y,))
        self.V = top.V
        self.c = top.c
        self.n_seeds = len(seeds)

    def forward(self, x):
        """Outputs ``c + V h`` of all steps: (T, S, B, n_x) to (T, S, B, n_y)."""
        for layer in self.layers:
            x = layer(x)
        return torch.einsum("tsbh,syh->tsby", x, self.V) + self.c[:, None]

    def params(self) -> dict[str, np.ndarray]:
        """Parameters as a dictionary of arrays, copied, on a leading axis of seeds.

        Returns
        -------
        dict of ndarray
            ``V``, ``c`` and, for each layer, ``"layers.0.Uf"`` and so on.
        """
        return {name: p.detach().numpy().copy() for name, p in self.named_parameters()}

    def outputs(self, params: Mapping[str, np.ndarray], x) -> np.ndarray:
        """Outputs of the networks with these parameters.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        x : ndarray
            Tokens or vectors: (T, B) or (T, B, n_x) for all seeds, or (T, S, B[, n_x]).

        Returns
        -------
        ndarray, shape (T, S, B, n_y)
        """
        return self._outputs(params, self._inputs(x))

    def loss_and_grads(self, params: Mapping[str, np.ndarray], batch) -> tuple:
        """Loss of a minibatch for each network, and its gradients by autograd.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : tuple of ndarray
            Inputs, as for `outputs`; targets (T, B) or (T, S, B), integers for classes or floats
            for numbers, of which a network has one output; and, optionally, a mask (T, B) of the
            steps that count.

        Returns
        -------
        loss : ndarray, shape (S,)
            Mean over the steps that count: of the cross-entropy, in nats, for classes, of the
            squared error for numbers.
        grads : dict of ndarray
            Gradients, named as `params`.
        """
        *inputs, y, mask = self._parts(batch)
        leaves = as_leaves(self, params, grad=True)
        o = functional_call(self, leaves, tuple(inputs))
        loss = (self._each(o, y) * mask).sum(dim=(0, 2)) / mask.sum(dim=(0, 2))
        loss.sum().backward()  # no network depends on another's parameters
        return loss.detach().numpy(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}

    def accuracy(self, params: Mapping[str, np.ndarray], batch) -> np.ndarray:
        """Share of the steps that count at which each network's most likely class is right.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : tuple of ndarray
            Inputs, classes and, optionally, a mask, as for `loss_and_grads`.

        Returns
        -------
        ndarray, shape (S,)
        """
        *inputs, y, mask = self._parts(batch)
        if y.is_floating_point():
            raise TypeError("batch holds numbers for targets; expected classes")
        right = (self._outputs(params, *inputs).argmax(axis=-1) == y.numpy()) & mask.numpy()
        return right.sum(axis=(0, 2)) / mask.numpy().sum(axis=(0, 2))

    def _outputs(self, params, *inputs):
        with torch.no_grad():
            o = functional_call(self, as_leaves(self, params), inputs)
        return o.numpy()

    def _each(self, o, y):
        """Loss of every step (T, S, B)."""
        if y.is_floating_point():
            return (o[..., 0] - y) ** 2
        return -torch.log_softmax(o, dim=-1).gather(-1, y[..., None])[..., 0]

    def _parts(self, batch):
        """Split a minibatch into the inputs of `forward`, the targets and the mask, as tensors."""
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise ValueError(f"batch is {brief(batch)}; expected (x, y) or (x, y, mask)")
        x = self._inputs(batch[0])
        shape = tuple(x.shape[:3])
        y = self._targets(batch[1], shape)
        mask = batch[2] if len(batch) == 3 else None
        mask = as_mask(np.ones(shape, bool) if mask is None else mask, shape)
        if not mask.any(axis=(0, 2)).all():
            raise ValueError("the mask of a minibatch counts no step; expected at least one")
        return x, y, torch.tensor(mask)

    def _inputs(self, x):
        """Vectors (T, S, B, n_x) as a tensor."""
        x = as_array("x", x)
        if x.dtype.kind in "iu":
            x = np.eye(self.n_x)[as_tokens("x", x, self.n_x)]
        x = as_real("x", x)
        if x.ndim == 3:
            x = x[:, None].repeat(self.n_seeds, axis=1)
        if x.ndim != 4 or x.shape[1] != self.n_seeds or x.shape[3] != self.n_x or 0 in x.shape:
            raise ValueError(
                f"x has shape {x.shape}; expected (T, B, {self.n_x}) or "
                f"(T, {self.n_seeds}, B, {self.n_x}), or tokens without the last axis"
            )
        return torch.tensor(x, dtype=self.V.dtype)

    def _targets(self, y, shape):
        """Targets (T, S, B) as a tensor."""
        y = as_array("y", y)
        y = y[:, None] if y.ndim == 2 else y
        if y.ndim != 3 or y.shape[1] not in (1, shape[1]) or y.shape[::2] != shape[::2]:
            raise ValueError(f"y has shape {y.shape}; expected (T, B) or {shape}, as x")
        y = np.broadcast_to(y, shape)
        if y.dtype.kind == "f":
            if self.n_y != 1:
                raise ValueError(f"y holds numbers; expected classes for {self.n_y} outputs")
            y = as_real("y", y)
        else:
            y = as_tokens("y", y, self.n_y).astype(np.int64)
        return torch.tensor(y, dtype=self.V.dtype if y.dtype.kind == "f" else torch.int64)
