"""Networks with recurrence from the output, the state or both, trained for many seeds at once.

Parameters are named as in `rnn_helpers.reference.output_recurrence`: ``U`` from the inputs, ``R``
from the output of the step before, ``W`` from the state before, ``V`` to the outputs, ``b``, ``c``.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.units import Unit, as_seeds
from rnn_helpers.validate import (
    as_array,
    as_choice,
    as_count,
    as_real,
    as_switch,
    as_tokens,
    brief,
)

RECURRENCE = {"output": "R", "state": "W", "both": "RW"}
"""The weights from one step to the next, by the source of the recurrence."""

FEEDBACK = {
    "output": lambda o: o,
    "probabilities": lambda o: torch.softmax(o, dim=-1),
    "likeliest": lambda o: _one_hot(o.argmax(dim=-1), o),
}
"""The forms in which an output o can be fed: as it is, its softmax, or its most likely symbol."""


class OutputRecurrent(Gated):
    """Networks of tanh units whose outputs are fed back, one for each of S seeds.

    ``h = tanh(b + U x + R f + W h)`` and ``o = c + V h``, where f is the vector that a step is fed:
    the true output of the step before, or the network's own. The first step is fed zeros.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of inputs, units and outputs. If ``n_x`` is 0, there is no ``U``.
    seeds : sequence of int
        One for each network. Networks with the same seed have the same initial values of all
        weights that they have in common.
    recurrence : {"output", "state", "both"}
        Whether there is ``R``, ``W``, or both.
    feedback : {"output", "probabilities", "likeliest"}
        The form in which the network's own output is fed.
    through : bool
        Whether gradients pass through the network's own outputs; none pass through a symbol.
    """

    def __init__(
        self,
        n_x: int,
        n_h: int,
        n_y: int,
        seeds: Sequence[int],
        recurrence: str = "both",
        feedback: str = "output",
        through: bool = True,
    ):
        torch.nn.Module.__init__(self)
        n_x, n_h, n_y = as_count("n_x", n_x, 0), as_count("n_h", n_h), as_count("n_y", n_y)
        seeds = as_seeds(seeds)
        between = RECURRENCE[as_choice("recurrence", recurrence, RECURRENCE)]
        self.feedback = as_choice("feedback", feedback, FEEDBACK)
        self.through = as_switch("through", through)
        self.n_x, self.n_h, self.n_y, self.n_seeds = n_x, n_h, n_y, len(seeds)
        sizes = {"U": n_x, "R": n_y, "W": n_h}
        drawn = Unit(n_x, n_h, seeds, 0)
        for name in [*("U" if n_x else ""), *between]:
            drawn.draw(name, (n_h, sizes[name]))
        drawn.draw("b", (n_h,))
        drawn.draw("V", (n_y, n_h))
        drawn.draw("c", (n_y,))
        for name, p in drawn.named_parameters():
            setattr(self, name, p)

    def forward(self, x, truth, own):
        """Return the outputs of all steps, of shape (T, S, B, n_y).

        Parameters
        ----------
        x : Tensor or None
            Inputs (T, S, B, n_x).
        truth : Tensor
            True outputs (T, S, B, n_y); each can be fed to the next step.
        own : Tensor of bool
            Whether a step is fed the network's own output instead, of shape (T, S, B).
        """
        from_inputs = self.b[:, None]
        if x is not None:
            from_inputs = from_inputs + torch.einsum("tsbx,snx->tsbn", x, self.U)
        before = torch.cat([torch.zeros_like(truth[:1]), truth[:-1]])
        if not hasattr(self, "W") and not own.any():  # no step waits for another
            return self._output(
                torch.tanh(from_inputs + torch.einsum("tsby,sny->tsbn", before, self.R))
            )
        from_inputs = from_inputs.expand(*truth.shape[:-1], self.n_h)
        h, outputs = torch.zeros_like(from_inputs[0]), []
        for t, a in enumerate(from_inputs):
            if hasattr(self, "R"):
                fed = before[t]
                if t and own[t].any():
                    fed = torch.where(own[t, ..., None], self.fed_back(outputs[-1]), fed)
                a = a + torch.bmm(fed, self.R.mT)
            if hasattr(self, "W"):
                a = a + torch.bmm(h, self.W.mT)
            h = torch.tanh(a)
            outputs.append(self._output(h))
        return torch.stack(outputs)

    def _output(self, h):
        return self.c[:, None] + torch.einsum("...sbh,syh->...sby", h, self.V)

    def fed_back(self, o):
        """Return an output in the form in which it is fed."""
        fed_back = FEEDBACK[self.feedback](o)
        return fed_back if self.through else fed_back.detach()

    def outputs(self, params: Mapping[str, np.ndarray], batch) -> np.ndarray:
        """Return the outputs of the networks with these parameters.

        Parameters
        ----------
        params : mapping
            Arrays with the names that `params` uses.
        batch : tuple
            The inputs, which are tokens (T, B), vectors (T, B, n_x) or None; the true outputs,
            which are classes (T, B) or vectors of numbers (T, B, n_y); whether a step is fed the
            network's own output, a bool or (T, B); and, optionally, a mask (T, B) of the steps that
            count. Each may have an axis of seeds after the axis of time. `loss_and_grads` and
            `accuracy` take the same argument.

        Returns
        -------
        ndarray, shape (T, S, B, n_y)
        """
        *inputs, _, _ = self._parts(batch)
        return self._outputs(params, *inputs)

    def _each(self, o, y):
        if y.is_floating_point():
            return ((o - y) ** 2).mean(dim=-1)
        return super()._each(o, y)

    def _parts(self, batch):
        """Return inputs, true outputs to feed, which steps are fed own outputs, targets, mask."""
        if not isinstance(batch, tuple | list) or len(batch) not in (3, 4):
            raise ValueError("batch has other parts; expected (x, y, own) or (x, y, own, mask)")
        x, y, own, mask = (*batch, None)[:4]
        y = as_array("y", y)
        classes = y.dtype.kind in "iu"
        y = as_tokens("y", y, self.n_y).astype(np.int64) if classes else as_real("y", y)
        y = y if y.ndim == 4 - classes else y[:, None]
        shape = (len(y), self.n_seeds, *y.shape[2:3])
        whole = shape if classes else (*shape, self.n_y)
        if len(shape) != 3 or y.shape not in (whole, (whole[0], 1, *whole[2:])) or 0 in shape:
            raise ValueError(f"y has shape {y.shape}; expected (T, B), (T, B, n_y), or {whole}")
        y = torch.tensor(np.broadcast_to(y, whole), dtype=torch.int64 if classes else self.c.dtype)
        if (x is None) != (not self.n_x):
            raise ValueError(f"x is {'' if x is None else 'not '}None; expected {self.n_x} inputs")
        if x is not None:
            x = self._inputs(x)
            if tuple(x.shape[:3]) != shape:
                raise ValueError(f"x has shape {tuple(x.shape)}; expected {shape}, as y has")
        own = self._flags("own", own, shape)
        mask = self._flags("mask", True if mask is None else mask, shape)
        if not mask.any(axis=(0, 2)).all():
            raise ValueError("the mask of a minibatch counts no step; expected at least one")
        truth = _one_hot(y, self.c) if classes else y
        return x, truth, torch.tensor(own), y, torch.tensor(mask)

    @staticmethod
    def _flags(name, flags, shape):
        """Return booleans of a shape, from one for all or from those of one minibatch."""
        flags = as_array(name, flags)
        if flags.dtype.kind not in "biu" or not ((flags == 0) | (flags == 1)).all():
            raise ValueError(f"{name} is {brief(flags)}; expected True or False")
        flags = flags[:, None] if flags.ndim == 2 else flags
        if flags.ndim and flags.shape not in (shape, (shape[0], 1, shape[2])):
            raise ValueError(f"{name} has shape {flags.shape}; expected {shape[::2]} or {shape}")
        return np.broadcast_to(flags, shape).astype(bool)


def _one_hot(classes, like):
    """Return classes as one-hot vectors of the type and last size of a tensor."""
    return torch.nn.functional.one_hot(classes, like.shape[-1]).to(like.dtype)
