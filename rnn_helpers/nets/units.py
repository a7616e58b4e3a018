"""Kinds of recurrent units whose parts can be left out, tied or shared, for many seeds at once."""

import zlib
from collections.abc import Sequence

import numpy as np
import torch

from rnn_helpers.reference import INITIALISATIONS, clock_connections, clock_moves, init_recurrent
from rnn_helpers.validate import (
    MOST_SEED,
    as_choice,
    as_count,
    as_list,
    as_real,
    as_single,
    as_switch,
    brief,
)

SQUASH = {"tanh": torch.tanh, "sigmoid": torch.sigmoid, None: lambda a: a}
"""What a sum may pass through: a function's name, or None for nothing."""


def as_seeds(seeds) -> list[int]:
    """Seeds of networks side by side, or an error that names the argument."""
    seeds = [as_count("each of seeds", seed, 0, MOST_SEED) for seed in as_list("seeds", seeds)]
    if not seeds:
        raise ValueError("seeds is empty; expected at least one")
    return seeds


class Unit(torch.nn.Module):
    """A layer of recurrent units; each kind of unit defines its parts and its step."""

    def __init__(self, n_x: int, n_h: int, seeds: Sequence[int], layer: int):
        super().__init__()
        self.n_x, self.n_h, self.seeds, self.layer = n_x, n_h, seeds, layer
        self.parts = []  # (ending of the names, number of units), in the order they are computed

    def add(self, part: str, n: int, bias: float | None = None):
        """Give a part its ``U``, ``W`` and ``b``, initialized as in PyTorch."""
        self.parts.append((part, n))
        self.draw(f"U{part}", (n, *self.sizes(self.n_x)))
        self.draw(f"W{part}", (n, *self.sizes(self.n_h)))
        self.draw(f"b{part}", (n,))
        if bias is not None:
            torch.nn.init.constant_(getattr(self, f"b{part}"), bias)

    def draw(self, name: str, shape: tuple):
        """Initialize a parameter uniformly; the draw depends only on its seed and its name.

        So two networks that differ in one part start with equal parameters in all others.
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
        W = self.joined("W")
        widths = [n for _, n in self.parts]
        h = inputs.new_zeros(*inputs.shape[1:-1], self.n_h)
        state = self.begin(h)
        outputs = []
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


class LSTMUnit(Unit):
    """LSTM cells (G 10.40)-(G 10.44), any part of which may be missing.

    Parameters
    ----------
    input_gate, forget_gate, output_gate : bool
        Whether the gate exists; without it, its value is 1.
    coupled : bool
        Whether the input gate is one minus the forget gate, without separate parameters.
    peephole : bool
        Whether the gates see the state through ``pf``, ``pg``, ``po``: the first two the state
        before the step, the third the one after it.
    shared : {"no", "layer", "product"}
        One gate for each unit; one for the whole layer, to which ``n_h`` is then 1; or the product
        of the two, the layer's named with a further ``l``, as ``Ufl``.
    squash : {"tanh", "sigmoid", None}
        Function of the cell's input; None for the identity.
    output_squash : {"tanh", "sigmoid", None}
        Function of the state before the output gate; None for the identity.
    forget_bias : float
        Initial bias of the forget gate; for a product, that of each factor.
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
            as_switch(name, flag)
        as_choice("shared", shared, ("no", "layer", "product"))
        forget_bias = as_single("forget_bias", forget_bias)
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


class GRUUnit(Unit):
    """Gated recurrent units (G 10.45)-(G 10.47), with corrected time indices.

    The update gate's parameters are ``Uu Wu bu``, the reset gate's ``Ur Wr br``.

    Parameters
    ----------
    reset : {"before", "after"}
        Whether the reset gate multiplies the state before the matrix product, as in (G 10.45), or
        the product, as in PyTorch, which then has a separate bias ``bh``.
    squash : {"tanh", "sigmoid"}
        Function of the target state: tanh, or the logistic function, as printed.
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
        inputs = self.from_input(x)
        W = self.joined("W")
        outputs = []
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


class LeakyUnit(Unit):
    """Simple units, and those of section 10.9: with skip connections, leaky, or with clocks.

    ``h <- kappa h + (1 - kappa) tanh(b + W h + Wd h^(t-d) + U x)``, as `time_scale_forward` of
    `rnn_helpers.reference` has it; simple ones where kappa is 0.

    Parameters
    ----------
    alpha : float or sequence of float
        Share kappa of the old state that is kept, from 0 to less than 1, or one for each unit.
    learned : bool
        Whether the shares are parameters, one for each unit, initialized at `alpha`, above 0. They
        are the logistic function of the learned ``alpha_logit``.
    skip : int, optional
        Length of skip connections ``Wd``; before the first step, states are 0.
    direct : bool
        Whether there are length-one connections ``W``; False removes them and needs `skip`.
    periods : sequence of int, optional
        Periods of the clocks of all units; see `clock_moves` and `clock_connections` of
        `rnn_helpers.reference`. Weights from units that aren't connected keep their initial values.
    start : {"default", "gaussian", "orthogonal", "identity", "sparse"}
        Initialization of ``W``, or of ``Wd`` if there is no ``W``; see
        `rnn_helpers.reference.init_recurrent`.
    """

    def __init__(
        self,
        *place,
        alpha: float | Sequence[float] = 0.0,
        learned: bool = False,
        skip: int | None = None,
        direct: bool = True,
        periods: Sequence[int] | None = None,
        start: str = "default",
    ):
        super().__init__(*place)
        alpha = as_real("alpha", alpha, np.float32)
        if alpha.shape not in ((), (self.n_h,)) or not ((alpha >= 0) & (alpha < 1)).all():
            raise ValueError(
                f"alpha is {brief(alpha)}; expected a share in [0, 1), or one for each unit"
            )
        for name, flag in {"learned": learned, "direct": direct}.items():
            as_switch(name, flag)
        if learned and not alpha.all():
            raise ValueError(f"learned is True and alpha {brief(alpha)}; expected shares above 0")
        if skip is None and not direct:
            raise ValueError("direct is False and skip is None; expected connections of one length")
        if periods is not None and (learned or alpha.any()):
            raise ValueError("periods are given, and alpha or learned too; expected one of them")
        self.add("", self.n_h)
        self.lags = {"W": 1} if direct else {}
        if not direct:
            del self.W
        if skip is not None:
            self.lags["Wd"] = as_count("skip", skip)
            self.draw("Wd", (self.n_h, self.n_h))
        if as_choice("start", start, INITIALISATIONS) != "default":
            W = init_recurrent(start, self.n_h, self.seeds, dtype=np.float32)
            setattr(self, next(iter(self.lags)), torch.nn.Parameter(torch.tensor(W)))
        self.register_buffer("alpha", torch.tensor(alpha))
        if learned:
            logit = torch.logit(self.alpha).expand(len(self.seeds), self.n_h)
            self.alpha_logit = torch.nn.Parameter(logit.clone())
        self.periods = periods
        if periods is not None:
            connected = clock_connections(periods)
            if len(connected) != self.n_h:
                raise ValueError(f"periods has {len(connected)} entries; expected {self.n_h}")
            self.register_buffer("connected", torch.tensor(connected))

    def kept(self, like):
        """Share of the old state that is kept at all steps: (T, ...)."""
        if self.periods is not None:
            return (~torch.from_numpy(clock_moves(self.periods, len(like)))).to(like.dtype)
        learned = hasattr(self, "alpha_logit")
        alpha = torch.sigmoid(self.alpha_logit)[:, None] if learned else self.alpha
        return alpha.expand(len(like), *alpha.shape)

    def forward(self, x):
        """Outputs ``h`` of all steps, which are the states, from 0: (T, S, B, n_h)."""
        inputs = self.from_input(x)
        kept = self.kept(inputs)
        edges = [(lag, getattr(self, name)) for name, lag in self.lags.items()]
        if self.periods is not None:
            edges = [(lag, W * self.connected) for lag, W in edges]
        states = [inputs.new_zeros(*inputs.shape[1:-1], self.n_h)]
        for t, (a, keep, new) in enumerate(zip(inputs, kept, 1 - kept, strict=True), 1):
            for lag, W in edges:
                a = a + self.from_state(states[max(t - lag, 0)], W)  # 0 before the first step
            states.append(keep * states[-1] + new * torch.tanh(a))
        return torch.stack(states[1:])


UNITS = {"lstm": LSTMUnit, "gru": GRUUnit, "leaky": LeakyUnit}


def _squash(name: str, squash: str | None):
    if squash is None:
        return SQUASH[None]
    return SQUASH[as_choice(name, squash, [known for known in SQUASH if known])]
