"""Recursive networks that choose their own trees (section 10.6)."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.recursive import Recursive
from rnn_helpers.nets.units import Unit, as_seeds


class Joining(Recursive):
    """Recursive networks that receive no tree and combine two neighbors, again and again.

    Each step computes the plain node of `Recursive` for all pairs of neighbors, and keeps the pair
    with the largest score, the product of its vector with ``q``. The choice has no gradient, so the
    backward pass uses that of the softmax of the scores. In training, Gumbel noise is added to the
    scores, so that a choice has the probability that the softmax gives it. Of the trees in a batch,
    only the number of leaves is used.

    Parameters
    ----------
    n_x, n_h, n_y, seeds
        As for `Recursive`.
    """

    def __init__(self, n_x: int, n_h: int, n_y: int, seeds: Sequence[int]):
        super().__init__(n_x, n_h, n_y, seeds)
        drawn = Unit(n_x, n_h, as_seeds(seeds), 1)
        drawn.draw("q", (n_h,))
        self.q = drawn.q
        self._sources = [torch.Generator().manual_seed(int(seed)) for seed in seeds]

    def forward(self, x, forest, choices: list | None = None):
        """Return the outputs at the roots (S, B, n_y), and append the chosen pairs to `choices`."""
        lengths = torch.from_numpy(np.bincount(forest.tree[: forest.n_leaves]))
        h = self._side_by_side(x, lengths)
        for joined in range(h.shape[2] - 1):
            pairs = torch.arange(h.shape[2] - 1) < (lengths - joined - 1)[:, None]
            left, right = h[:, :, :-1], h[:, :, 1:]
            above = torch.tanh(self._node(left.flatten(1, 2), right.flatten(1, 2))).view_as(left)
            chosen, which = self._choice((above * self.q[:, None, None]).sum(-1), pairs)
            until = chosen.cumsum(-1)
            h = (
                (1 - until)[..., None] * left
                + chosen[..., None] * above
                + (until - chosen)[..., None] * right
            )
            if choices is not None:
                choices.append(torch.where(pairs.any(-1), which, -1))
        return torch.baddbmm(self.c[:, None], h[:, :, 0], self.R.mT)

    def _side_by_side(self, x, lengths):
        """Return the vectors of the leaves, with a row for each tree: (S, B, most leaves, n_h)."""
        leaves = self.V.mT[torch.arange(len(x))[:, None], x]
        there = torch.arange(int(lengths.max())) < lengths[:, None]
        h = leaves.new_zeros(len(x), *there.shape, leaves.shape[-1])
        h[:, there] = leaves
        return h

    def _choice(self, score, pairs):
        """Choose a pair (S, B, pairs): a 1 going forward, with the gradient of the softmax."""
        score = score.masked_fill(~pairs, -torch.inf).masked_fill(~pairs.any(-1)[:, None], 0)
        if torch.is_grad_enabled():
            noise = [torch.rand(score.shape[1:], generator=source) for source in self._sources]
            score = score - torch.log(-torch.log(torch.stack(noise).clamp(1e-9, 1 - 1e-7)))
        soft = torch.softmax(score, -1)
        which = soft.argmax(-1)
        hard = torch.nn.functional.one_hot(which, score.shape[-1])
        return (hard - soft.detach() + soft) * pairs.any(-1)[:, None], which

    def trees(self, params: Mapping[str, np.ndarray], batch) -> list[list]:
        """Return the trees that each network chooses over the leaves of a batch.

        Parameters
        ----------
        params, batch
            As for `loss_and_grads`.
        """
        x, forest, _ = batch
        leaves, choices = as_leaves(self, params), []
        with torch.no_grad():
            functional_call(self, leaves, (torch.from_numpy(x), forest), {"choices": choices})
        lengths = np.bincount(forest.tree[: forest.n_leaves])
        pairs = np.array([each.numpy() for each in choices]).reshape(-1, len(x), len(lengths))
        return [
            [_tree(n, pairs[: n - 1, s, b]) for b, n in enumerate(lengths)] for s in range(len(x))
        ]


def _tree(n: int, pairs) -> tuple:
    """Return the nested tuple over n leaves for pairs of neighbors combined in this order."""
    parts = list(range(n))
    for at in pairs:
        parts[at : at + 2] = [(parts[at], parts[at + 1])]
    return parts[0]
