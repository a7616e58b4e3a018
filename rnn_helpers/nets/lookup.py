"""Memory networks with soft or hard (sampled) addressing and one or more hops (10.12)."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from rnn_helpers.nets.gated import Gated
from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.units import Unit, as_seeds
from rnn_helpers.validate import (
    as_choice,
    as_count,
    as_positive,
    as_tokens,
    brief,
)

ADDRESSES = ("soft", "hard")
"""Read the average of all facts, by their weights; or one, drawn by them."""


class Lookup(torch.nn.Module):
    """Networks that answer a question from facts, one for each of S seeds.

    Every name has three learned vectors of `width` numbers: a key, a value and a query. The query
    of the question is compared with the keys of the facts; a softmax turns the scores into weights;
    the value read with them is the next query, and after the last hop a linear layer computes the
    answer (Weston et al., 2014; Sukhbaatar et al., 2015).

    Soft addressing averages the values, and the gradient flows through the weights. Hard addressing
    samples one fact by its weight, and REINFORCE estimates the gradient: the reward is the log
    probability of the right answer, the baseline its mean over the other questions of the
    minibatch. In evaluation, a hard network reads the fact with the largest weight.

    Parameters
    ----------
    n_x, width, n_y : int
        Names, numbers in a vector, and answers.
    seeds : sequence of int
    hops : int
        Number of lookups.
    address : {"soft", "hard"}
    """

    def __init__(
        self,
        n_x: int,
        width: int,
        n_y: int,
        seeds: Sequence[int],
        hops: int = 1,
        address: str = "soft",
    ):
        super().__init__()
        self.n_x, self.n_y = as_count("n_x", n_x), as_count("n_y", n_y)
        width, self.seeds = as_count("width", width), as_seeds(seeds)
        self.hops = as_count("hops", hops)
        self.address = as_choice("address", address, ADDRESSES)
        self.draws = [torch.Generator().manual_seed(seed) for seed in self.seeds]
        drawn = Unit(width, width, self.seeds, 0)
        for name in ("about", "says", "asked"):
            drawn.draw(name, (self.n_x, width))
            # of deviation 1 / sqrt(3): then vectors of different names differ from the beginning
            setattr(self, name, torch.nn.Parameter(getattr(drawn, name).detach() * width**0.5))
        for name, shape in {"V": (self.n_y, width), "c": (self.n_y,)}.items():
            drawn.draw(name, shape)
            setattr(self, name, getattr(drawn, name))

    params = Gated.params

    def looks(self, params: Mapping[str, np.ndarray], batch) -> tuple[np.ndarray, np.ndarray]:
        """Answers, and the weights of the facts at each hop.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : tuple of ndarray
            ``about, says, asked, ...``, as `tasks.Facts` draws them; (B, ...) or (S, B, ...).

        Returns
        -------
        o : ndarray, shape (S, B, n_y)
        weights : ndarray, shape (S, B, hops, n)
        """
        with torch.no_grad():
            o, log_weights, _ = self._look(as_leaves(self, params), *self._facts(batch))
        return o.numpy(), np.exp(log_weights.numpy())

    def right(self, params: Mapping[str, np.ndarray], batch) -> np.ndarray:
        """Whether the most likely answer of each network is right, shape (S, B)."""
        o, _ = self.looks(params, batch)
        return o.argmax(axis=-1) == self._answers(batch, o.shape[:2])

    def loss_and_grads(
        self, params: Mapping[str, np.ndarray], batch, supervision: float | None = None
    ) -> tuple:
        """Mean cross-entropy of the answers, and gradients or their REINFORCE estimates.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : tuple of ndarray
            ``about, says, asked, y``, as `tasks.Facts` draws them, and ``where`` with
            `supervision`.
        supervision : float, optional
            Weight of the cross-entropy of the facts that lead to the answer, added to that of the
            answers: supervision of the addresses. Without it, training is end to end.

        Returns
        -------
        loss : ndarray, shape (S,)
            Of the answers.
        grads : dict of ndarray
        """
        facts = self._facts(batch)
        leaves = as_leaves(self, params, grad=True)
        o, log_weights, drawn = self._look(leaves, *facts, draw=self.address == "hard")
        y = torch.tensor(self._answers(batch, tuple(o.shape[:2])))
        each = -torch.log_softmax(o, -1).gather(-1, y[..., None])[..., 0]
        total = each.mean(dim=1)
        if drawn is not None:
            reward = -each.detach()
            others = max(reward.shape[1] - 1, 1)
            baseline = (reward.sum(dim=1, keepdim=True) - reward) / others
            chosen = log_weights.gather(-1, drawn[..., None])[..., 0].sum(dim=-1)
            total = total - ((reward - baseline) * chosen).mean(dim=1)
        if supervision is not None:
            where = self._where(batch, log_weights.shape)
            found = log_weights.gather(-1, where[..., None])[..., 0]
            total = total - as_positive("supervision", supervision) * found.sum(dim=-1).mean(dim=1)
        total.sum().backward()  # no network depends on another's parameters
        loss = each.detach().mean(dim=1).numpy()
        return loss, {name: leaf.grad.numpy() for name, leaf in leaves.items()}

    def _look(self, leaves, about, says, asked, draw=False):
        """Answers; log weights (S, B, hops, n); and the facts drawn, (S, B, hops), if so."""
        seeds = torch.arange(len(self.seeds)).reshape(-1, 1)
        keys = leaves["about"][seeds[..., None], about]  # (S, B, n, width)
        values = leaves["says"][seeds[..., None], says]
        u = leaves["asked"][seeds, asked]
        log_weights, drawn = [], []
        for _ in range(self.hops):
            scores = (keys * u[..., None, :]).sum(dim=-1)
            log_weights.append(torch.log_softmax(scores, dim=-1))
            if self.address == "hard":
                drawn.append(self._one(log_weights[-1].detach(), draw))
                where = drawn[-1][..., None, None].expand(-1, -1, 1, values.shape[-1])
                u = values.gather(2, where)[:, :, 0]
            else:
                u = (log_weights[-1].exp()[..., None] * values).sum(dim=2)
        o = torch.einsum("sbw,syw->sby", u, leaves["V"]) + leaves["c"][:, None]
        return o, torch.stack(log_weights, dim=2), torch.stack(drawn, dim=2) if drawn else None

    def _one(self, log_weights, draw):
        """One fact for each question: drawn by its weight, by each network's own lot; or the best.

        The largest sum of a log weight and Gumbel noise is a draw by the weights.
        """
        if not draw:
            return log_weights.argmax(dim=-1)
        shape = log_weights.shape[1:]
        lots = torch.stack([torch.rand(shape, generator=draws) for draws in self.draws])
        return (log_weights - torch.log(-torch.log(lots.clamp(1e-12, 1 - 1e-7)))).argmax(dim=-1)

    def _facts(self, batch):
        if not isinstance(batch, tuple | list) or len(batch) < 3:
            raise ValueError(f"batch is {brief(batch)}; expected (about, says, asked, ...)")
        names = "about of batch", "says of batch", "asked of batch"
        parts = [as_tokens(name, part, self.n_x) for name, part in zip(names, batch, strict=False)]
        if parts[2].ndim == 1:
            parts = [np.broadcast_to(part, (len(self.seeds), *part.shape)) for part in parts]
        about, says, asked = parts
        fits = about.ndim == 3 and len(about) == len(self.seeds) and 0 not in about.shape
        if not fits or says.shape != about.shape or asked.shape != about.shape[:2]:
            shapes = ", ".join(str(part.shape) for part in parts)
            raise ValueError(
                f"batch has shapes {shapes}; expected (B, n) twice and (B,), or with "
                f"{len(self.seeds)} seeds before"
            )
        return [torch.tensor(np.array(part)) for part in parts]

    def _answers(self, batch, shape):
        """Answers (S, B)."""
        if len(batch) < 4:
            raise ValueError(f"batch has {len(batch)} parts; expected answers as the fourth")
        y = as_tokens("y of batch", batch[3], self.n_y)
        if y.shape not in (shape, shape[1:]):
            raise ValueError(f"y of batch has shape {y.shape}; expected {shape[1:]} or {shape}")
        return np.broadcast_to(y, shape).astype(np.int64)

    def _where(self, batch, shape):
        """Facts that lead to the answer, (S, B, hops)."""
        if len(batch) < 5:
            raise ValueError(f"batch has {len(batch)} parts; expected the facts' places as fifth")
        where, shape = as_tokens("where of batch", batch[4], shape[-1]), tuple(shape[:3])
        if where.shape not in (shape, shape[1:]):
            raise ValueError(
                f"where of batch has shape {where.shape}; expected {shape[1:]} or {shape}"
            )
        return torch.tensor(np.broadcast_to(where, shape).astype(np.int64))
