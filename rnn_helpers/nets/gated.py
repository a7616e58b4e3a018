"""Recurrent layers whose gates can be left out, tied or shared, trained for many seeds at once.

One loop makes all variants of the LSTM that Greff et al. (2015) compare, and those that the source
names besides. Every parameter has a leading axis of seeds; names are the reference's, ``U W b`` for
the cell's input and ``Uf Wf bf``, ``Ug Wg bg``, ``Uo Wo bo`` for the forget, input and output gate.
"""

import zlib
from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.reference import INITIALISATIONS, init_recurrent
from rnn_helpers.reference._validate import (
    as_array,
    as_choice,
    as_count,
    as_kind,
    as_list,
    as_mask,
    as_number,
    as_real,
    as_tokens,
    brief,
)

SQUASH = {"tanh": torch.tanh, "sigmoid": torch.sigmoid, None: lambda a: a}
"""What a sum may pass through: a function's name, or None for nothing."""


class _Unit(torch.nn.Module):
    """A layer of recurrent units; a kind of unit says which parts it has, and makes a step."""

    def __init__(self, n_x: int, n_h: int, seeds: Sequence[int], layer: int):
        super().__init__()
        self.n_x, self.n_h, self.seeds, self.layer = n_x, n_h, seeds, layer
        self.parts = []  # (ending of the names, number of units), in the order they are computed

    def add(self, part: str, n: int, bias: float | None = None):
        """Give a part its ``U``, ``W`` and ``b``; they begin as PyTorch's do."""
        self.parts.append((part, n))
        self.draw(f"U{part}", (n, *self.sizes(self.n_x)))
        self.draw(f"W{part}", (n, *self.sizes(self.n_h)))
        self.draw(f"b{part}", (n,))
        if bias is not None:
            torch.nn.init.constant_(getattr(self, f"b{part}"), bias)

    def draw(self, name: str, shape: tuple):
        """Begin a parameter uniformly; it depends on its seed and its name, and on nothing else.

        So two networks that differ in one part begin alike in all the others.
        """
        limit = np.prod(self.sizes(self.n_h)) ** -0.5
        key = zlib.crc32(f"{self.layer}.{name}".encode())
        values = [np.random.default_rng([s, key]).uniform(-limit, limit, shape) for s in self.seeds]
        setattr(self, name, torch.nn.Parameter(torch.tensor(np.array(values, np.float32))))

    def sizes(self, n: int) -> tuple:
        """Sizes of a weight matrix after its number of rows."""
        return (n,)

    def joined(self, letter: str):
        """The weights or biases of all parts, as one array, their units along the second axis."""
        return torch.cat([getattr(self, letter + part) for part, _ in self.parts], dim=1)

    def from_input(self, x):
        """``b + U x`` of all parts at all steps: (T, S, B, n_x) to (T, S, B, n)."""
        return torch.einsum("tsbx,snx->tsbn", x, self.joined("U")) + self.joined("b")[:, None]

    def from_state(self, h, W):
        """``W h`` of all parts: (S, B, n_h) to (S, B, n)."""
        return torch.bmm(h, W.mT)

    def forward(self, x):
        """Outputs ``h`` of all steps, from a state of zeros: (T, S, B, n_h)."""
        inputs = self.from_input(x)
        W, widths = self.joined("W"), [n for _, n in self.parts]
        h = inputs.new_zeros(*inputs.shape[1:-1], self.n_h)
        state, outputs = self.begin(h), []
        for from_input in inputs:
            sums = (from_input + self.from_state(h, W)).split(widths, dim=-1)
            h, state = self.step({p: a for (p, _), a in zip(self.parts, sums, strict=True)}, state)
            outputs.append(h)
        return torch.stack(outputs)

    def begin(self, zeros):
        """State before the first step."""
        return zeros


def _spread(p, like):
    """Values (S, n) of units with the axes of an array (S, ..., n)."""
    return p.view(len(p), *[1] * (like.ndim - 2), -1)


class LSTMUnit(_Unit):
    """LSTM cells (10.40)-(10.44), any part of which may be missing.

    Parameters
    ----------
    input_gate, forget_gate, output_gate : bool
        Whether there is the gate; without it, what it lets through passes whole.
    coupled : bool
        Whether the input gate is one minus the forget gate, without parameters of its own.
    peephole : bool
        Whether the gates see the state through ``pf``, ``pg``, ``po``: the first two the state
        before the step, the third the one after it.
    shared : {"no", "layer", "product"}
        One gate for each unit; one for the whole layer, to which ``n_h`` is then 1; or the product
        of the two, the layer's named with a further ``l``, as ``Ufl``.
    squash : {"tanh", "sigmoid", None}
        What the cell's input passes through; None for nothing.
    output_squash : {"tanh", "sigmoid", None}
        What the state passes through on its way to the output.
    forget_bias : float
        Where the bias of the forget gate begins; of a product, that of each factor.
    """

    def __init__(
        self,
        *place,
        input_gate: bool = True,
        forget_gate: bool = True,
        output_gate: bool = True,
        coupled: bool = False,
        peephole: bool = False,
        shared: str = "no",
        squash: str | None = "tanh",
        output_squash: str | None = "tanh",
        forget_bias: float = 1.0,
    ):
        super().__init__(*place)
        flags = {
            "input_gate": input_gate,
            "forget_gate": forget_gate,
            "output_gate": output_gate,
            "coupled": coupled,
            "peephole": peephole,
        }
        for name, flag in flags.items():
            as_kind(name, flag, bool, "True or False")
        as_choice("shared", shared, ("no", "layer", "product"))
        as_number("forget_bias", forget_bias)
        self.squash = _squash("squash", squash)
        self.output_squash = _squash("output_squash", output_squash)
        if coupled and not (input_gate and forget_gate):
            raise ValueError("coupled is True; expected both an input and a forget gate to couple")
        if peephole and shared != "no":
            raise ValueError(f"peephole is True and shared is {shared!r}; expected 'no'")
        self.coupled, self.peephole = coupled, peephole
        self.add("", self.n_h)
        gates = {"f": forget_gate, "g": input_gate and not coupled, "o": output_gate}
        for gate in (gate for gate, there in gates.items() if there):
            bias = forget_bias if gate == "f" else None
            self.add(gate, 1 if shared == "layer" else self.n_h, bias)
            if shared == "product":
                self.add(f"{gate}l", 1, bias)
            if peephole:
                self.draw(f"p{gate}", (self.n_h,))

    def gate(self, name: str, sums: dict, state):
        """Value of a gate, which is 1 if there is none."""
        if name not in sums:
            return 1.0
        a = sums[name]
        if self.peephole:
            a = a + _spread(getattr(self, f"p{name}"), state) * state
        value = torch.sigmoid(a)
        return value * torch.sigmoid(sums[f"{name}l"]) if f"{name}l" in sums else value

    def step(self, sums, state):
        """Output and state of a step."""
        f = self.gate("f", sums, state)
        g = 1 - f if self.coupled else self.gate("g", sums, state)
        state = f * state + g * self.squash(sums[""])
        return self.output_squash(state) * self.gate("o", sums, state), state


class GRUUnit(_Unit):
    """Gated recurrent units (10.45)-(10.47), their time indices put right.

    The update gate's parameters are ``Uu Wu bu``, the reset gate's ``Ur Wr br``.

    Parameters
    ----------
    reset : {"before", "after"}
        Whether the reset gate multiplies the state before the matrix product, as in (10.45), or
        the product, as in PyTorch, which then has a bias ``bh`` of its own.
    squash : {"tanh", "sigmoid"}
        What the target state passes through: tanh, or the logistic function that is printed.
    """

    def __init__(self, *place, reset: str = "before", squash: str = "tanh"):
        super().__init__(*place)
        self.squash = SQUASH[as_choice("squash", squash, ("tanh", "sigmoid"))]
        self.reset = as_choice("reset", reset, ("before", "after"))
        for part in ("u", "r"):
            self.add(part, self.n_h)
        self.draw("U", (self.n_h, self.n_x))
        self.draw("W", (self.n_h, self.n_h))
        self.draw("b", (self.n_h,))
        if reset == "after":
            self.draw("bh", (self.n_h,))

    def from_input(self, x):
        """``b + U x`` of the two gates and of the target state."""
        target = torch.einsum("tsbx,snx->tsbn", x, self.U) + self.b[:, None]
        return torch.cat([super().from_input(x), target], dim=-1)

    def forward(self, x):
        """Outputs ``h`` of all steps, from a state of zeros: (T, S, B, n_h)."""
        inputs, W, outputs = self.from_input(x), self.joined("W"), []
        h = inputs.new_zeros(*inputs.shape[1:-1], self.n_h)
        for from_input in inputs:
            gates, target = from_input.split([2 * self.n_h, self.n_h], dim=-1)
            u, r = torch.sigmoid(gates + self.from_state(h, W)).chunk(2, dim=-1)
            if self.reset == "before":
                recurrent = self.from_state(r * h, self.W)
            else:
                recurrent = r * (self.from_state(h, self.W) + self.bh[:, None])
            h = u * h + (1 - u) * self.squash(target + recurrent)
            outputs.append(h)
        return torch.stack(outputs)


class LeakyUnit(_Unit):
    """Units ``h <- alpha h + (1 - alpha) tanh(b + W h + U x)``; simple ones where alpha is 0.

    Parameters
    ----------
    alpha : float or sequence of float
        Share of the old state that is kept, from 0 to less than 1, or one for each unit.
    start : {"default", "gaussian", "orthogonal", "identity", "sparse"}
        How ``W`` begins; see `rnn_helpers.reference.init_recurrent`.
    """

    def __init__(self, *place, alpha: float | Sequence[float] = 0.0, start: str = "default"):
        super().__init__(*place)
        alpha = as_real("alpha", alpha, np.float32)
        if alpha.shape not in ((), (self.n_h,)) or not ((alpha >= 0) & (alpha < 1)).all():
            raise ValueError(
                f"alpha is {brief(alpha)}; expected a share in [0, 1), or one for each unit"
            )
        self.register_buffer("alpha", torch.tensor(alpha))
        self.add("", self.n_h)
        if as_choice("start", start, INITIALISATIONS) != "default":
            W = init_recurrent(start, self.n_h, self.seeds, dtype=np.float32)
            self.W = torch.nn.Parameter(torch.tensor(W))

    def step(self, sums, state):
        """Output of a step, which is the state."""
        h = self.alpha * state + (1 - self.alpha) * torch.tanh(sums[""])
        return h, h


UNITS = {"lstm": LSTMUnit, "gru": GRUUnit, "leaky": LeakyUnit}


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

    Raises
    ------
    TypeError
        If a size or seed is not an integer, or a part has the wrong type or is not the kind's.
    ValueError
        If a size is less than 1, there is no seed, or a part is out of range.

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
        seeds = [as_count("each of seeds", seed, 0) for seed in as_list("seeds", seeds)]
        if not seeds:
            raise ValueError("seeds is empty; expected at least one")
        kind = UNITS[as_choice("unit", unit, UNITS)]
        self.n_x, self.n_y, self.n_seeds = n_x, n_y, len(seeds)
        self.layers = torch.nn.ModuleList(
            kind(n_h if layer else n_x, n_h, seeds, layer, **parts)
            for layer in range(as_count("n_layers", n_layers))
        )
        top = _Unit(n_h, n_h, seeds, -1)  # the output layer begins as the others do
        top.draw("V", (n_y, n_h))
        top.draw("c", (n_y,))
        self.V, self.c = top.V, top.c

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

        Raises
        ------
        TypeError
            If inputs or parameters hold no numbers.
        ValueError
            If shapes do not fit, or a token is out of range.
        """
        with torch.no_grad():
            o = functional_call(self, self._leaves(params, grad=False), (self._inputs(x),))
        return o.numpy()

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
            Mean over all that counts: of the cross-entropy, in nats, for classes, of the squared
            error for numbers.
        grads : dict of ndarray
            Gradients, named as `params`.

        Raises
        ------
        TypeError
            If inputs, targets or parameters do not hold what they should.
        ValueError
            If a token or class is out of range, shapes do not fit, or the mask counts no step.
        """
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise ValueError(f"batch is {brief(batch)}; expected (x, y) or (x, y, mask)")
        x = self._inputs(batch[0])
        y, mask = self._targets(*batch[1:], shape=x.shape[:3])
        leaves = self._leaves(params)
        o = functional_call(self, leaves, (x,))
        loss = (self._each(o, y) * mask).sum(dim=(0, 2)) / mask.sum(dim=(0, 2))
        loss.sum().backward()  # no network depends on another's parameters
        return loss.detach().numpy(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}

    def _each(self, o, y):
        """Loss of every step (T, S, B)."""
        if y.is_floating_point():
            return (o[..., 0] - y) ** 2
        return -torch.log_softmax(o, dim=-1).gather(-1, y[..., None])[..., 0]

    def _leaves(self, params, grad=True):
        as_kind("params", params, Mapping, "a mapping")
        shapes = {name: tuple(p.shape) for name, p in self.named_parameters()}
        given = {name: as_real(f"params[{name!r}]", value) for name, value in params.items()}
        if {name: array.shape for name, array in given.items()} != shapes:
            found = {name: array.shape for name, array in given.items()}
            raise ValueError(f"params have shapes {found}; expected {shapes}")
        return {name: torch.tensor(array, requires_grad=grad) for name, array in given.items()}

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

    def _targets(self, y, mask=None, *, shape):
        """Targets and mask (T, S, B) as tensors."""
        y = as_array("y", y)
        y = y[:, None] if y.ndim == 2 else y
        if y.ndim != 3 or y.shape[1] not in (1, shape[1]) or y.shape[::2] != shape[::2]:
            raise ValueError(f"y has shape {y.shape}; expected (T, B) or {tuple(shape)}, as x")
        y = np.broadcast_to(y, shape)
        if y.dtype.kind == "f":
            if self.n_y != 1:
                raise ValueError(f"y holds numbers; expected classes for {self.n_y} outputs")
            y = as_real("y", y)
        else:
            y = as_tokens("y", y, self.n_y).astype(np.int64)
        mask = as_mask(np.ones(shape, bool) if mask is None else mask, tuple(shape))
        mask = np.broadcast_to(mask, shape)
        if not mask.any(axis=(0, 2)).all():
            raise ValueError("the mask of a minibatch counts no step; expected at least one")
        y = torch.tensor(y, dtype=self.V.dtype if y.dtype.kind == "f" else torch.int64)
        return y, torch.tensor(mask)


def _squash(name: str, squash: str | None):
    if squash is None:
        return SQUASH[None]
    return SQUASH[as_choice(name, squash, [known for known in SQUASH if known])]
