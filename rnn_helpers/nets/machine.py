"""A network with a memory outside its state: the neural Turing machine (10.12, figure 10.18)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.func import functional_call
from torch.nn.functional import normalize, softplus

from rnn_helpers.nets.bits import Bits
from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.units import LSTMUnit, Unit, as_seeds
from rnn_helpers.validate import as_count

REACH = 1
"""How many cells further a head may go in a step, either way."""
_EMPTY = 1e-8  # as in `rnn_helpers.reference.memory`


class Steps(NamedTuple):
    """A machine's outputs, its attention over the memory at each step, and the memory itself.

    Attributes
    ----------
    o : (T, S, B, n_y)
    written, read : (T, S, B, n_cells)
        Weights.
    M : (T, S, B, n_cells, width)
        The memory after the write.
    """

    o: torch.Tensor
    written: torch.Tensor
    read: torch.Tensor
    M: torch.Tensor


class Machine(Bits):
    """A network that writes into a memory and reads from it, after Graves et al. (2014).

    One network for each of S seeds. A layer of LSTM units receives the input and the previous read
    vector. Its state controls two heads: one selects cells, erases and adds; then the other selects
    cells and reads their weighted average. The output depends on the state and the read vector. At
    first the memory is empty, and both heads are at its first cell.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of inputs, of units, and of output bits.
    seeds : sequence of int
    n_cells, width : int
        Cells of the memory, and numbers in each.
    """

    def __init__(
        self, n_x: int, n_h: int, n_y: int, seeds: Sequence[int], n_cells: int, width: int
    ):
        torch.nn.Module.__init__(self)
        self.n_x, self.n_y = as_count("n_x", n_x), as_count("n_y", n_y)
        n_h, seeds = as_count("n_h", n_h), as_seeds(seeds)
        self.n_cells, self.width = as_count("n_cells", n_cells), as_count("width", width)
        self.controller = LSTMUnit(self.n_x + self.width, n_h, seeds, 0)
        self.heads = Unit(n_h, n_h, seeds, 1)
        emitted = sum(self._sizes(writes=True)) + sum(self._sizes(writes=False))
        self.heads.draw("W", (emitted, n_h))
        self.heads.draw("b", (emitted,))
        self._add_output(self.n_y, n_h + self.width, seeds)

    def _sizes(self, writes):
        """Sizes of a head's outputs: k, beta, g, s, gamma; and, if it writes, e, a."""
        address = [self.width, 1, 1, 2 * REACH + 1, 1]
        return address + [self.width] * 2 if writes else address

    def forward(self, x, whole=False):
        """Outputs of all steps: (T, S, B, n_x) to (T, S, B, n_y); or, if `whole`, `Steps`."""
        lead = x.shape[1:3]
        M = x.new_zeros(*lead, self.n_cells, self.width)
        r = x.new_zeros(*lead, self.width)
        first = torch.eye(self.n_cells, dtype=x.dtype)[0].expand(*lead, -1)
        written = read = first
        h = x.new_zeros(*lead, self.controller.n_h)
        state = self.controller.begin(h)
        each = []
        for x_t in x:
            h, state = self._think(torch.cat([x_t, r], dim=-1), h, state)
            to_write, to_read = self._emit(h)
            written = self._address(M, to_write, written)
            e, a = torch.sigmoid(to_write[5]), torch.tanh(to_write[6])
            M = M * (1 - written[..., None] * e[..., None, :]) + _outer(written, a)
            read = self._address(M, to_read, read)
            r = (read[..., None] * M).sum(dim=-2)
            o = torch.einsum("sbh,syh->sby", torch.cat([h, r], dim=-1), self.V) + self.c[:, None]
            each.append((o, written, read, M))
        steps = Steps(*map(torch.stack, zip(*each, strict=True)))
        return steps if whole else steps.o

    def does(self, params: Mapping[str, np.ndarray], x) -> Steps:
        """Return the `Steps` of the networks with these parameters; `x` is as for `outputs`.

        Returns
        -------
        Steps
            Of ndarray.
        """
        with torch.no_grad():
            leaves = as_leaves(self, params)
            steps = functional_call(self, leaves, (self._inputs(x), True))
        return Steps(*(part.numpy() for part in steps))

    def _think(self, received, h, state):
        unit = self.controller
        sums = unit.from_input(received[None])[0] + unit.from_state(h, unit.joined("W"))
        parts = sums.split([n for _, n in unit.parts], dim=-1)
        return unit.step({p: a for (p, _), a in zip(unit.parts, parts, strict=True)}, state)

    def _emit(self, h):
        emitted = torch.bmm(h, self.heads.W.mT) + self.heads.b[:, None]
        writes, reads = self._sizes(writes=True), self._sizes(writes=False)
        to_write, to_read = emitted.split([sum(writes), sum(reads)], dim=-1)
        return to_write.split(writes, dim=-1), to_read.split(reads, dim=-1)

    def _address(self, M, emitted, before):
        """Weights (S, B, n_cells): by content, by place, shifted and sharpened."""
        k, beta, g, s, gamma = emitted[:5]
        cos = (normalize(M, dim=-1, eps=_EMPTY) * _row(normalize(torch.tanh(k), dim=-1))).sum(-1)
        found = torch.softmax(softplus(beta) * cos, dim=-1)
        g, shares = torch.sigmoid(g), torch.softmax(s, dim=-1)
        gated = g * found + (1 - g) * before
        shifted = sum(
            shares[..., by + REACH, None] * gated.roll(by, dims=-1)
            for by in range(-REACH, REACH + 1)
        )
        powers = shifted.clamp_min(_EMPTY) ** (1 + softplus(gamma))
        return powers / powers.sum(dim=-1, keepdim=True)


def _row(v):
    return v[..., None, :]


def _outer(w, a):
    return w[..., None] * a[..., None, :]
