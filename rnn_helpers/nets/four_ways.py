"""Networks that look at pictures: recurrent along lines, convolutions, or attention (10.3)."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.units import GRUUnit, Unit, as_seeds
from rnn_helpers.validate import as_array, as_count, as_real, as_tokens, brief


class _Pictures(torch.nn.Module):
    """Layers over pictures and one linear output at cells, for each of S seeds."""

    def __init__(self, n_x: int, n_y: int, seeds: Sequence[int]):
        super().__init__()
        self.n_x, self.n_y = as_count("n_x", n_x), as_count("n_y", n_y)
        self.seeds = as_seeds(seeds)
        self.n_seeds = len(self.seeds)

    def _add_output(self, n_h):
        top = Unit(n_h, n_h, self.seeds, -1)
        top.draw("V", (self.n_y, n_h))
        top.draw("c", (self.n_y,))
        self.V, self.c = top.V, top.c

    def forward(self, x):
        """Outputs at every cell: (S, B, H, W, n_x) to (S, B, H, W, n_y)."""
        h = self.look(x)
        return torch.einsum("sbijh,syh->sbijy", h, self.V) + self.c[:, None, None, None]

    def params(self) -> dict[str, np.ndarray]:
        """Parameters as a dictionary of arrays, copied, on a leading axis of seeds."""
        return {name: p.detach().numpy().copy() for name, p in self.named_parameters()}

    def outputs(self, params: Mapping[str, np.ndarray], x) -> np.ndarray:
        """Outputs of the networks with these parameters, one for each picture.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        x : ndarray of int, shape (B, H, W) or (S, B, H, W); or of float, with an axis n_x more
            Pictures whose cells hold kinds; the last kind, ``n_x - 1``, is a mark, and each picture
            has at least one. Or pictures whose cells hold values.

        Returns
        -------
        ndarray, shape (S, B, n_y)
            Averaged over the marks, or, where cells hold values, over all cells.
        """
        leaves = as_leaves(self, params)
        with torch.no_grad():
            return self._read(leaves, *self._cells(x)).numpy()

    def loss_and_grads(self, params: Mapping[str, np.ndarray], batch) -> tuple:
        """Mean cross-entropy of each network, and its gradients by autograd.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : (x, y)
            Pictures as for `outputs`, and classes (B,) or (S, B).

        Returns
        -------
        loss : ndarray, shape (S,)
        grads : dict of ndarray
        """
        cells, asked, y = self._parts(batch)
        leaves = as_leaves(self, params, grad=True)
        log_p = torch.log_softmax(self._read(leaves, cells, asked), -1)
        loss = -log_p.gather(-1, torch.tensor(y)[..., None])[..., 0].mean(dim=1)
        loss.sum().backward()  # no network depends on another's parameters
        return loss.detach().numpy(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}

    def right(self, params: Mapping[str, np.ndarray], batch) -> np.ndarray:
        """Whether each network's more likely class is right for each picture, shape (S, B)."""
        _, _, y = self._parts(batch)
        return self.outputs(params, batch[0]).argmax(axis=-1) == y

    def _read(self, leaves, cells, asked):
        o = functional_call(self, leaves, (cells.to(leaves["V"].dtype),)) * asked
        return o.sum(dim=(2, 3)) / asked.sum(dim=(2, 3))

    def _cells(self, x, name="x"):
        """Cells (S, B, H, W, n_x), and at which of them one reads (S, B, H, W, 1)."""
        if as_array(name, x).dtype.kind == "f":
            values = torch.tensor(self._side_by_side(name, as_real(name, x), (self.n_x,)))
            return values, torch.ones_like(values[..., :1])
        x = self._side_by_side(name, as_tokens(name, x, self.n_x), ())
        if not (x == self.n_x - 1).any(axis=(2, 3)).all():
            raise ValueError(f"{name} has a picture without a mark; expected one at least in each")
        kinds = torch.eye(self.n_x)[torch.tensor(x)]
        return kinds, kinds[..., -1:]

    def _side_by_side(self, name, x, inner):
        """Pictures with an axis of seeds, each cell an array with axes `inner`."""
        x = np.broadcast_to(x, (self.n_seeds, *x.shape)) if x.ndim == 3 + len(inner) else x
        expected = (self.n_seeds, *x.shape[1:4], *inner)
        if x.ndim != 4 + len(inner) or x.shape != expected or 0 in x.shape:
            wanted = ", ".join(map(str, ("B", "H", "W", *inner)))
            raise ValueError(
                f"{name} has shape {x.shape}; expected ({wanted}) or ({self.n_seeds}, {wanted})"
            )
        return x

    def _parts(self, batch):
        """Cells, at which of them one reads, and classes (S, B)."""
        if not isinstance(batch, tuple | list) or len(batch) != 2:
            raise ValueError(f"batch is {brief(batch)}; expected (x, y)")
        cells, asked = self._cells(batch[0], "x of batch")
        y, shape = as_tokens("y of batch", batch[1], self.n_y), tuple(cells.shape[:2])
        if y.shape not in (shape, shape[1:]):
            raise ValueError(f"y of batch has shape {y.shape}; expected {shape} or {shape[1:]}")
        return cells, asked, np.broadcast_to(y, shape).astype(np.int64)


class FourWays(_Pictures):
    """Four sweeps of gated units over a picture, or more of them on top of each other.

    In a layer, two recurrent networks read every column, one down, one up; two others read their
    outputs row by row, one to the right, one to the left (Visin et al., 2015). So after one layer
    every cell depends on every other. Units are those of a GRU; all rows share weights, and so do
    all columns. The update gates' biases start at 1, so that states are kept for some cells.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Kinds of cells or values of each, units of each sweep, and classes.
    seeds : sequence of int
        One for each network.
    n_layers : int
        Layers, each of four sweeps.
    """

    def __init__(self, n_x: int, n_h: int, n_y: int, seeds: Sequence[int], n_layers: int = 1):
        super().__init__(n_x, n_y, seeds)
        n_h = as_count("n_h", n_h)
        n_in = [self.n_x] + [2 * n_h] * (2 * as_count("n_layers", n_layers) - 1)
        # Two directions are like twice the number of networks: one loop runs through both.
        self.sweeps = torch.nn.ModuleList(
            torch.nn.ModuleList(GRUUnit(n, n_h, self.seeds, 2 * k + back) for back in (0, 1))
            for k, n in enumerate(n_in)
        )
        for unit in self.sweeps.modules():
            if isinstance(unit, GRUUnit):
                torch.nn.init.constant_(unit.bu, 1.0)
        self._add_output(2 * n_h)

    def look(self, x):
        """Outputs of the last sweeps at every cell, shape (S, B, H, W, 2 n_h)."""
        for k, (ahead, back) in enumerate(self.sweeps):
            lines = x.permute(2, 0, 1, 3, 4) if k % 2 == 0 else x.permute(3, 0, 1, 2, 4)
            T, S, B, others, _ = lines.shape
            lines = lines.reshape(T, S, B * others, -1)
            h = _both(ahead, back, lines).reshape(T, S, B, others, -1)
            x = h.permute(1, 2, 0, 3, 4) if k % 2 == 0 else h.permute(1, 2, 3, 0, 4)
        return x


def _both(ahead, back, x):
    """States of units that read (T, S, B, n) ahead, and of others that read it backwards."""
    inputs = torch.cat([ahead.from_input(x), back.from_input(x.flip(0))], dim=1)
    gates = torch.cat([ahead.joined("W"), back.joined("W")]).mT
    target = torch.cat([ahead.W, back.W]).mT
    n = ahead.n_h
    h = inputs.new_zeros(*inputs.shape[1:-1], n)
    states = []
    for each in inputs:
        u, r = torch.sigmoid(each[..., : 2 * n] + torch.bmm(h, gates)).chunk(2, dim=-1)
        h = u * h + (1 - u) * torch.tanh(each[..., 2 * n :] + torch.bmm(r * h, target))
        states.append(h)
    first, second = torch.stack(states).chunk(2, dim=1)
    return torch.cat([first, second.flip(0)], dim=-1)


class Convolutions(_Pictures):
    """A stack of 3-by-3 convolutions; each layer widens the receptive field by one cell.

    Each layer adds its output to that of the layer below, so that deep stacks can be trained.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Kinds of cells or values of each, units of each layer, and classes.
    seeds : sequence of int
        One for each network.
    n_layers : int
    """

    def __init__(self, n_x: int, n_h: int, n_y: int, seeds: Sequence[int], n_layers: int = 2):
        super().__init__(n_x, n_y, seeds)
        n_h, n_layers = as_count("n_h", n_h), as_count("n_layers", n_layers)
        self.layers = torch.nn.ModuleList(
            _Around(n_h if k else self.n_x, n_h, self.seeds, k) for k in range(n_layers)
        )
        self._add_output(n_h)

    def look(self, x):
        """Outputs of the last layer at every cell, shape (S, B, H, W, n_h)."""
        S, B, H, W, _ = x.shape
        x = x.permute(1, 0, 4, 2, 3)  # (B, S, n, H, W): seeds are groups of one convolution
        for k, layer in enumerate(self.layers):
            h = layer(x.reshape(B, -1, H, W)).reshape(B, S, -1, H, W)
            x = x + h if k else h
        return x.permute(1, 0, 3, 4, 2)


class _Around(Unit):
    """Units that see the 3 by 3 cells around each, with the same weights at every cell."""

    def __init__(self, n_x, n_h, seeds, layer):
        super().__init__(n_x, n_h, seeds, layer)
        self.draw("U", (n_h, n_x, 3, 3))
        self.draw("b", (n_h,))
        with torch.no_grad():
            self.U *= (n_h / n_x / 3) ** 0.5  # a sum over nine cells is as large as a unit's

    def forward(self, x):
        """Values (B, S n_h, H, W); beyond the edges are zeros."""
        a = torch.nn.functional.conv2d(
            x, self.U.flatten(0, 1), self.b.flatten(), padding=1, groups=len(self.seeds)
        )
        return torch.relu(a)


class RepeatedConvolution(_Pictures):
    """One gated 3-by-3 convolution, repeated with the same weights, once for each row or column.

    Each repetition reads the picture and the states of the 3 by 3 cells around each cell. Update
    gates as those of a GRU decide how much of a state stays; their biases start at 1. In a larger
    picture there are more repetitions, so the receptive field always covers the picture.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Kinds of cells or values of each, units at each cell, and classes.
    seeds : sequence of int
        One for each network.
    """

    def __init__(self, n_x: int, n_h: int, n_y: int, seeds: Sequence[int]):
        super().__init__(n_x, n_y, seeds)
        n_h = as_count("n_h", n_h)
        self.unit = _GatedAround(self.n_x, n_h, self.seeds, 0)
        self._add_output(n_h)

    def look(self, x):
        """States at every cell after the last repetition, shape (S, B, H, W, n_h)."""
        S, B, H, W, _ = x.shape
        h = self.unit(x.permute(1, 0, 4, 2, 3).reshape(B, -1, H, W), max(H, W))
        return h.reshape(B, S, -1, H, W).permute(1, 0, 3, 4, 2)


class _GatedAround(Unit):
    """Gated units that read the picture and the states of the 3 by 3 cells around each."""

    def __init__(self, *place):
        super().__init__(*place)
        for part, bias in (("u", 1.0), ("", None)):
            self.add(part, self.n_h, bias)

    def sizes(self, n):
        return n, 3, 3

    def forward(self, x, times):
        """States (B, S n_h, H, W) after so many repetitions; beyond the edges are zeros."""
        B, _, H, W = x.shape
        S, n = len(self.seeds), self.n_h

        def around(values, letter):
            kernels = self.joined(letter).flatten(0, 1)
            return torch.nn.functional.conv2d(values, kernels, padding=1, groups=S)

        inputs = around(x, "U").view(B, S, 2 * n, H, W) + self.joined("b")[..., None, None]
        h = inputs.new_zeros(B, S, n, H, W)
        for _ in range(times):
            sums = inputs + around(h.reshape(B, S * n, H, W), "W").view(inputs.shape)
            u, target = torch.sigmoid(sums[:, :, :n]), torch.tanh(sums[:, :, n:])
            h = u * h + (1 - u) * target
        return h.reshape(B, S * n, H, W)


class Attention(_Pictures):
    """A small Transformer over the cells of a picture, which all attend to one another.

    Each layer adds self-attention with two heads, and then two linear layers, to its input, which
    is normalized first. Scores have a learned term for each relative position, by rows and columns,
    which at first favors cells nearby, more so in the first head. Cells further apart than in the
    pictures of training share the term of the furthest.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Kinds of cells or values of each, units of each head, and classes.
    seeds : sequence of int
        One for each network.
    n_layers : int
        Layers, each with its own weights.
    furthest : int
        Rows or columns between cells from which on relative positions count as equal.
    """

    def __init__(
        self,
        n_x: int,
        n_h: int,
        n_y: int,
        seeds: Sequence[int],
        n_layers: int = 3,
        furthest: int = 7,
    ):
        super().__init__(n_x, n_y, seeds)
        n_h = as_count("n_h", n_h)
        self.first = Unit(self.n_x, 2 * n_h, self.seeds, -2)
        self.first.draw("U", (2 * n_h, self.n_x))
        self.layers = torch.nn.ModuleList(
            _Attending(n_h, self.seeds, k, as_count("furthest", furthest))
            for k in range(as_count("n_layers", n_layers))
        )
        self._add_output(2 * n_h)

    def look(self, x):
        """Values of the last layer at every cell, shape (S, B, H, W, 2 n_h)."""
        S, B, H, W, _ = x.shape
        h = torch.einsum("sbijx,snx->sbijn", x, self.first.U).reshape(S, B, H * W, -1)
        for layer in self.layers:
            h = layer(h, H, W)
        return _normal(h).reshape(S, B, H, W, -1)


class _Attending(Unit):
    """One layer of a Transformer, with two heads of `n` units each."""

    HEADS = 2

    def __init__(self, n, seeds, layer, furthest):
        n_h = self.HEADS * n
        super().__init__(n_h, n_h, seeds, layer)
        self.furthest = furthest
        for name, shape in {"QKV": (3 * n_h, n_h), "O": (n_h, n_h)}.items():
            self.draw(name, shape)
        for name, shape in {"U": (2 * n_h, n_h), "b": (2 * n_h,), "W": (n_h, 2 * n_h)}.items():
            self.draw(name, shape)
        off = torch.arange(-furthest, furthest + 1).abs()
        near = -torch.stack([off[:, None] + off, (off[:, None] + off) / 2])
        self.R = torch.nn.Parameter(near.repeat(len(seeds), 1, 1, 1))

    def forward(self, h, H, W):
        """Values (S, B, H W, n_h) of cells, row by row."""
        S, B, T, n_h = h.shape
        qkv = torch.einsum("sbtx,snx->sbtn", _normal(h), self.QKV)
        q, k, v = qkv.view(S, B, T, 3, self.HEADS, -1).permute(3, 0, 1, 4, 2, 5)
        scores = q @ k.mT / q.shape[-1] ** 0.5 + self._from_places(H, W)[:, None]
        read = (torch.softmax(scores, -1) @ v).transpose(2, 3).reshape(S, B, T, n_h)
        h = h + torch.einsum("sbtx,snx->sbtn", read, self.O)
        a = torch.einsum("sbtx,snx->sbtn", _normal(h), self.U) + self.b[:, None, None]
        return h + torch.einsum("sbtx,snx->sbtn", torch.relu(a), self.W)

    def _from_places(self, H, W):
        """Terms of the scores for the relative positions of cells, shape (S, heads, H W, H W)."""
        rows, columns = (
            i.flatten() for i in torch.meshgrid(*map(torch.arange, (H, W)), indexing="ij")
        )
        far = self.furthest
        down, right = ((i[None] - i[:, None]).clamp(-far, far) + far for i in (rows, columns))
        return self.R[:, :, down, right]


def _normal(h):
    """Values of each cell with mean 0 and variance 1."""
    return torch.nn.functional.layer_norm(h, h.shape[-1:])
