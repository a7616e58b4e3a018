"""Networks that write symbols and stop in one of several ways (section 10.2.3)."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.func import functional_call
from torch.nn.functional import logsigmoid

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.units import UNITS, as_seeds
from rnn_helpers.reference import symbols_before
from rnn_helpers.validate import as_array, as_choice, as_count, as_generators, as_tokens

ENDS = ("symbol", "coin", "early coin", "length", "total", "left")
"""The ways in which a network comes to its end; `Stopping` says what they are."""


class Stopping(Gated):
    """Networks that write symbols until they stop, one for each of S seeds.

    Each step receives the previous symbol, the first step zeros: ``h = tanh(b + U x + W h)`` and
    ``o = c + V h``, whose first `n_y` entries are the scores of the next symbol.

    Parameters
    ----------
    n_y, n_h : int
        Numbers of symbols and of units.
    seeds : sequence of int
        One for each network.
    ends : str
        How it stops. ``"symbol"``: an extra end symbol. ``"coin"``: an extra output, whose logistic
        function is the probability to stop; the coin is flipped at every step but the first, before
        the step writes and after it received the previous symbol. ``"early coin"``: the same, but
        flipped along with each symbol, before that symbol is fed back. ``"length"``: the length is
        drawn first, from the softmax of ``d``, and isn't an input. ``"total"``: it is an input at
        every step, as ``tau / longest``; ``"left"``: the remaining length is, as
        ``(tau - t) / longest`` at step t.
    longest : int
        Greatest length that a network can draw.
    unit : {"leaky", "gru", "lstm"}
        Kind of its units, by default plain tanh units: leaky ones that keep nothing.
    """

    def __init__(
        self,
        n_y: int,
        n_h: int,
        seeds: Sequence[int],
        ends: str = "symbol",
        longest: int = 10,
        unit: str = "leaky",
    ):
        torch.nn.Module.__init__(self)
        n_h, seeds = as_count("n_h", n_h), as_seeds(seeds)
        self.n_symbols, self.longest = as_count("n_y", n_y), as_count("longest", longest)
        self.ends = as_choice("ends", ends, ENDS)
        self.draws = ends in ("length", "total", "left")
        self.throws = ends in ("coin", "early coin")
        self.n_x = self.n_symbols + (ends in ("total", "left"))
        self.n_y = self.n_symbols + (not self.draws)
        kind = UNITS[as_choice("unit", unit, UNITS)]
        self.layers = torch.nn.ModuleList([kind(self.n_x, n_h, seeds, 0)])
        self._add_output(self.n_y, n_h, seeds)
        if self.draws:
            self.d = torch.nn.Parameter(torch.zeros(len(seeds), self.longest))

    def log_probability(self, params: Mapping[str, np.ndarray], y, lengths) -> np.ndarray:
        """Logarithm of the probability of whole sequences, their ends included, in nats.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        y : ndarray of int, shape (T, B) or (T, S, B)
            Symbols; those from the length on do not matter.
        lengths : ndarray of int, shape (B,) or (S, B)
            From 1 to T, and at most `longest` where the network draws it.

        Returns
        -------
        ndarray, shape (S, B)
        """
        y, lengths = self._sequences((y, lengths))
        with torch.no_grad():
            return self._total(as_leaves(self, params), y, lengths).numpy()

    def loss_and_grads(self, params: Mapping[str, np.ndarray], batch) -> tuple:
        """Loss of each network, the mean over sequences in nats, and its gradients.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : tuple of ndarray
            ``(y, lengths)``, as for `log_probability`.

        Returns
        -------
        loss : ndarray, shape (S,)
        grads : dict of ndarray
        """
        y, lengths = self._sequences(batch)
        leaves = as_leaves(self, params, grad=True)
        loss = -self._total(leaves, y, lengths).mean(dim=-1)
        loss.sum().backward()  # no network depends on another's parameters
        return loss.detach().numpy(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}

    def _total(self, leaves, y, lengths):
        """Log-probability of sequences: symbols (T, S, B), lengths (S, B)."""
        after = np.concatenate([y, np.zeros_like(y[:1])])  # the step at which it may be over
        o = functional_call(self, leaves, (self._before(after, lengths),))
        n, t = torch.tensor(lengths), torch.arange(len(after)).view(-1, 1, 1)
        if self.throws:
            o, coin = o[..., :-1], o[..., -1]
        if self.ends == "symbol":
            after = np.where(t.numpy() < lengths, after, self.n_symbols)
        each = torch.log_softmax(o, dim=-1).gather(-1, torch.tensor(after)[..., None])[..., 0]
        total = (each * (t < n + (self.ends == "symbol"))).sum(dim=0)
        if self.throws:
            first = self._first_coin
            last = n - 1 + first
            decided = logsigmoid(torch.where(t < last, -coin, coin))
            total = total + (decided * ((t >= first) & (t <= last))).sum(dim=0)
        if self.draws:
            total = total + torch.log_softmax(leaves["d"], dim=-1).gather(-1, n - 1)
        return total

    @property
    def _first_coin(self):
        """The step, from 0, at which the first coin is thrown."""
        return int(self.ends == "coin")

    def _before(self, y, lengths):
        """Inputs (T, S, B, n_x): the previous symbols, and the length where it is an input."""
        parts = [symbols_before(y, self.n_symbols)]
        if self.n_x > self.n_symbols:
            t = np.arange(1, len(y) + 1)[:, None, None]
            given = lengths - (t if self.ends == "left" else 0 * t)
            parts.append(given[..., None] / self.longest)
        return torch.tensor(np.concatenate(parts, axis=-1), dtype=self.V.dtype)

    def _sequences(self, batch):
        """Symbols (T, S, B) and lengths (S, B) of a minibatch."""
        if not isinstance(batch, tuple | list) or len(batch) != 2:
            raise ValueError("batch has other parts; expected (y, lengths)")
        y = as_tokens("y", batch[0], self.n_symbols)
        y = y[:, None] if y.ndim == 2 else y
        if y.ndim != 3 or y.shape[1] not in (1, self.n_seeds) or 0 in y.shape:
            raise ValueError(f"y has shape {y.shape}; expected (T, B) or (T, {self.n_seeds}, B)")
        shape = self.n_seeds, y.shape[2]
        lengths = as_array("lengths", batch[1])
        lengths = lengths[None] if lengths.ndim == 1 else lengths
        if lengths.shape not in (shape, (1, shape[1])):
            raise ValueError(f"lengths have shape {lengths.shape}; expected {shape[1:]} or {shape}")
        most = min(len(y), self.longest) if self.draws else len(y)
        lengths = as_tokens("lengths", lengths, most + 1)
        if not lengths.all():
            raise ValueError("lengths contain 0; expected at least 1")
        return np.broadcast_to(y, (len(y), *shape)), np.broadcast_to(lengths, shape).astype(int)

    def write(
        self, params: Mapping[str, np.ndarray], size: int, seed=0, most: int = 40
    ) -> tuple[np.ndarray, np.ndarray]:
        """Let the networks write.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        size : int
            Sequences B that each network writes.
        seed : int, Generator or sequence of S of these
            Draws symbols, coins and lengths: one for all, or one for each network.
        most : int
            Symbols after which a sequence is given up, at least `longest`.

        Returns
        -------
        y : ndarray of int, shape (most, S, B)
            Symbols; after the end, zeros.
        lengths : ndarray of int, shape (S, B)
            How many were written; ``most + 1`` where it did not come to an end.
        """
        size, most = as_count("size", size), as_count("most", most, self.longest)
        rngs, several = as_generators(seed)
        if several and len(rngs) != self.n_seeds:
            raise ValueError(f"seed holds {len(rngs)} seeds; expected one, or {self.n_seeds}")
        sizes = size if several else (1, self.n_seeds, size)

        def draw(p):  # a place in distributions along the last axis
            below = np.stack([rng.random(sizes) for rng in rngs]).reshape(self.n_seeds, size, 1)
            return np.minimum((below > p.cumsum(axis=-1)).sum(axis=-1), p.shape[-1] - 1)

        leaves = as_leaves(self, params)
        y = np.zeros((most + 1, self.n_seeds, size), int)
        lengths = np.full(y.shape[1:], most + 1)
        if self.draws:
            lengths = 1 + draw(torch.softmax(leaves["d"], dim=-1).numpy()[:, None])
        for t in range(most + 1):
            if (lengths <= t).all():
                break
            with torch.no_grad():
                o = functional_call(self, leaves, (self._before(y[: t + 1], lengths),))[-1]
            if self.throws:
                o, coin = o[..., :-1], torch.sigmoid(o[..., -1:]).numpy()
                stops = (lengths > t) & (draw(np.concatenate([1 - coin, coin], axis=-1)) == 1)
                if t >= self._first_coin:
                    lengths[stops] = t + 1 - self._first_coin
            symbol = draw(torch.softmax(o, dim=-1).numpy())
            lengths[(lengths > t) & (symbol == self.n_symbols)] = t  # the symbol that ends it
            y[t] = np.where(lengths > t, symbol, 0)
        return y[:most], lengths
