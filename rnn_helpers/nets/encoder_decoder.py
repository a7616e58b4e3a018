"""Networks that read one sequence and write another, trained for many seeds at once (10.4)."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.units import GRUUnit, Unit, as_seeds
from rnn_helpers.reference import symbols_before
from rnn_helpers.validate import as_array, as_count, as_real, as_switch, as_tokens, brief


class Translator(Gated):
    """GRU encoders and decoders, one pair for each of S seeds.

    Annotations are linear functions of the encoder's state after each symbol. At every step the
    decoder receives the previous symbol and either the annotation of the whole sequence, C, or the
    average of all annotations with the weights ``softmax(a_i . Q h)``.

    Parameters
    ----------
    n_x, n_y : int
        Numbers of input and output symbols.
    n_h : int
        Hidden units of the decoder, and of the encoder in each direction.
    n_c : int
        Numbers in an annotation, and so in C.
    seeds : sequence of int
        One for each pair.
    looks : bool
        Whether the decoder attends to all annotations, or receives C alone.
    both_ways : bool
        Whether the encoder is bidirectional. Annotations then depend on the states of both
        directions, and C on their final states.
    """

    def __init__(
        self,
        n_x: int,
        n_h: int,
        n_c: int,
        n_y: int,
        seeds: Sequence[int],
        looks: bool = True,
        both_ways: bool = False,
    ):
        torch.nn.Module.__init__(self)
        self.n_x, self.n_c, self.n_y = (
            as_count(name, n) for name, n in (("n_x", n_x), ("n_c", n_c), ("n_y", n_y))
        )
        n_h, seeds = as_count("n_h", n_h), as_seeds(seeds)
        self.looks = as_switch("looks", looks)
        self.both_ways = as_switch("both_ways", both_ways)
        ways = 1 + self.both_ways
        self.layers = torch.nn.ModuleList(GRUUnit(self.n_x, n_h, seeds, way) for way in range(ways))
        self.writer = _Writer(self.n_y + self.n_c, n_h, seeds, 2)
        extra = Unit(n_h, n_h, seeds, 3)
        extra.draw("P", (self.n_c, ways * n_h))
        extra.draw("Q", (self.n_c, n_h))
        self.P = extra.P
        if looks:
            self.Q = extra.Q
        self._add_output(self.n_y, n_h, seeds)

    def annotations(self, x, lengths):
        """Annotations (n, S, B, n_c) of symbols (n, S, B, n_x), and C: those of the ends."""
        place = torch.arange(len(x), device=x.device)[:, None, None]
        held, ends = [self.layers[0](x)], [lengths - 1]
        if self.both_ways:
            turned = (lengths - 1 - place).clamp(min=0)[..., None]  # each text by itself
            back = self.layers[1](x.gather(0, turned.expand_as(x)))
            held.append(back.gather(0, turned.expand_as(back)))
            ends.append(torch.zeros_like(lengths))
        last = [
            h.gather(0, end[None, ..., None].expand_as(h[:1]))
            for h, end in zip(held, ends, strict=True)
        ]
        context = [torch.cat(parts, dim=-1) @ self.P.mT for parts in (held, last)]
        return context[0], context[1][0], place < lengths

    def forward(self, x, lengths, previous, weights=None):
        """Outputs (T, S, B, n_y), and the weights (T, n, S, B) of each step, if there are any.

        `previous` holds the previous symbols (T, S, B, n_y). If it is an int, T, each step receives
        the most likely symbol of the step before instead.
        """
        notes, whole, there = self.annotations(x, lengths)
        own = isinstance(previous, int)
        if not own and not self.looks:  # no input depends on a state
            context = whole.expand(len(previous), *whole.shape)
            return self._readout(self.writer(torch.cat([previous, context], dim=-1))), None
        h = notes.new_zeros(*notes.shape[1:-1], self.writer.n_h)
        before, context, o, looked = notes.new_zeros(*h.shape[:-1], self.n_y), whole, [], []
        for t in range(previous if own else len(previous)):
            before = before if own else previous[t]
            if self.looks:
                looked.append(self.look(h, notes, there) if weights is None else weights[t])
                context = torch.einsum("msb,msbc->sbc", looked[t], notes)
            h = self.writer.move(torch.cat([before, context], dim=-1), h)
            o.append(self._readout(h[None])[0])
            before = torch.nn.functional.one_hot(o[t].argmax(dim=-1), self.n_y).to(h.dtype)
        return torch.stack(o), torch.stack(looked) if self.looks else None

    def look(self, h, notes, there):
        """Weights (n, S, B) of all annotations, from the state before the step."""
        scores = torch.einsum("msbc,sbc->msb", notes, h @ self.Q.mT)
        return scores.masked_fill(~there, -torch.inf).softmax(dim=0)

    def _readout(self, h):
        return torch.einsum("tsbh,syh->tsby", h, self.V) + self.c[:, None]

    def loss_and_grads(self, params: Mapping[str, np.ndarray], batch) -> tuple:
        """Loss of a minibatch for each network, and its gradients by autograd.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : tuple of ndarray
            Input symbols, (n, B) or (n, S, B); output symbols, (T, B) or (T, S, B); and, unless
            they are all n, the lengths of the inputs, (B,) or (S, B).

        Returns
        -------
        loss : ndarray, shape (S,)
            Mean cross-entropy of the output symbols, in nats.
        grads : dict of ndarray
            Gradients, named as `params`.
        """
        x, lengths, y = self._parts(batch)
        leaves = as_leaves(self, params, grad=True)
        o, _ = functional_call(self, leaves, (x, lengths, self._before(y.numpy())))
        loss = self._each(o, y).mean(dim=(0, 2))
        loss.sum().backward()  # no network depends on another's parameters
        return loss.detach().numpy(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}

    def accuracy(self, params: Mapping[str, np.ndarray], batch) -> np.ndarray:
        """Share of sequences that each network writes right by itself, end included; (S,)."""
        x, lengths, y = self._parts(batch)
        y = y.numpy()
        written = self._outputs(params, x, lengths, len(y))[0].argmax(axis=-1)
        return (written == y).all(axis=0).mean(axis=-1)

    def outputs(self, params: Mapping[str, np.ndarray], batch, weights=None) -> tuple:
        """Outputs with teacher forcing, and the attention weights.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : tuple of ndarray
            As for `loss_and_grads`.
        weights : ndarray, shape (T, n, S, B), optional
            Replace the networks' own attention weights.

        Returns
        -------
        o : ndarray, shape (T, S, B, n_y)
        weights : ndarray, shape (T, n, S, B), or None
        """
        x, lengths, y = self._parts(batch)
        if weights is not None:
            weights = as_real("weights", weights)
            expected = (len(y), *x.shape[:3])
            if not self.looks or weights.shape != expected:
                raise ValueError(
                    f"weights have shape {weights.shape}; expected {expected}, and a network that "
                    "looks"
                )
            weights = torch.tensor(weights, dtype=self.V.dtype)
        return self._outputs(params, x, lengths, self._before(y.numpy()), weights)

    def write(self, params: Mapping[str, np.ndarray], x, most: int, lengths=None) -> np.ndarray:
        """Decode greedily.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        x, lengths : ndarray
            As for `loss_and_grads`.
        most : int
            Number of output symbols.

        Returns
        -------
        ndarray of int, shape (T, S, B)
            All `most` symbols, including those after an end symbol.
        """
        x = self._inputs(x)
        lengths, most = self._lengths(lengths, x), as_count("most", most)
        return self._outputs(params, x, lengths, most)[0].argmax(axis=-1)

    def _outputs(self, params, *inputs):
        with torch.no_grad():
            o, weights = functional_call(self, as_leaves(self, params), inputs)
        return o.numpy(), None if weights is None else weights.numpy()

    def _parts(self, batch):
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise ValueError(f"batch is {brief(batch)}; expected (x, y) or (x, y, lengths)")
        x = self._inputs(batch[0])
        y = as_array("y", batch[1])
        y = self._targets(y, (len(y) if y.ndim else 0, *x.shape[1:3]))
        return x, self._lengths(batch[2] if len(batch) == 3 else None, x), y

    def _inputs(self, x):
        x = as_array("x", x)
        if x.dtype.kind not in "iu":
            raise TypeError(f"x holds {x.dtype}; expected symbols, whole numbers")
        return super()._inputs(x)

    def _lengths(self, lengths, x):
        """Lengths (S, B) of the inputs, as a tensor."""
        shape = tuple(x.shape[1:3])
        if lengths is None:
            return torch.full(shape, len(x))
        lengths = as_tokens("lengths", lengths, len(x) + 1)
        if lengths.shape not in (shape, shape[1:]) or lengths.min() < 1:
            raise ValueError(f"lengths are {brief(lengths)}; expected {shape} of at least 1")
        return torch.tensor(np.broadcast_to(lengths, shape).astype(np.int64))

    def _before(self, y):
        """One-hot vectors (T, S, B, n_y) of the symbols before."""
        return torch.tensor(symbols_before(y, self.n_y), dtype=self.V.dtype)


class _Writer(GRUUnit):
    """GRU units that run one step at a time, because their input depends on their state."""

    def move(self, x, h):
        gates, target = self.from_input(x[None])[0].split([2 * self.n_h, self.n_h], dim=-1)
        u, r = torch.sigmoid(gates + self.from_state(h, self.joined("W"))).chunk(2, dim=-1)
        return u * h + (1 - u) * self.squash(target + self.from_state(r * h, self.W))
