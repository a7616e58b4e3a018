"""Recursive networks, trained for many seeds at once."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from torch.func import functional_call

from rnn_helpers.nets.leaves import as_leaves
from rnn_helpers.nets.units import Unit, as_seeds
from rnn_helpers.validate import as_count, as_switch


class Recursive(torch.nn.Module):
    """The networks of `rnn_helpers.reference.recursive_forward`, one for each of S seeds.

    Parameters have the reference's names and a leading axis of seeds. All networks use the same
    trees.

    Parameters
    ----------
    n_x, n_h, n_y : int
        Numbers of input symbols, of units in a node, of outputs.
    seeds : sequence of int
        One for each network. With the same seed, plain and tensor nodes start from the same
        parameters, apart from ``T``.
    tensor : bool
        Whether the nodes have a tensor ``T``.
    """

    def __init__(self, n_x: int, n_h: int, n_y: int, seeds: Sequence[int], tensor: bool = False):
        super().__init__()
        n_x, n_h, n_y = as_count("n_x", n_x), as_count("n_h", n_h), as_count("n_y", n_y)
        seeds = as_seeds(seeds)
        as_switch("tensor", tensor)
        drawn = Unit(n_x, n_h, seeds, 0)
        shapes = {"V": (n_h, n_x), "U": (n_h, n_h), "W": (n_h, n_h), "b": (n_h,)}
        shapes |= {"R": (n_y, n_h), "c": (n_y,)} | ({"T": (n_h, n_h, n_h)} if tensor else {})
        for name, shape in shapes.items():
            drawn.draw(name, shape)
            setattr(self, name, getattr(drawn, name))
        with torch.no_grad():  # leaves as large as nodes; each of n_h^2 products gets less weight
            self.V *= n_h**0.5
            if tensor:
                self.T *= n_h**-0.5

    def forward(self, x, forest):
        """Return the outputs at the roots (S, B, n_y) for the symbols (S, L) of all leaves."""
        seeds = torch.arange(len(x))[:, None]
        made = [self.V.mT[seeds, x]]
        place = np.zeros(forest.n_nodes, int)  # which of `made` holds a node
        first = np.zeros(len(forest.levels) + 1, int)
        for k, level in enumerate(forest.levels, 1):
            place[level.nodes], first[k] = k, level.nodes.start
            left, right = (
                _taken(made, place[nodes], nodes - first[place[nodes]])
                for nodes in (level.left, level.right)
            )
            made.append(torch.tanh(self._node(left, right)))
        roots = _taken(made, place[forest.roots], forest.roots - first[place[forest.roots]])
        return torch.baddbmm(self.c[:, None], roots, self.R.mT)

    def _node(self, left, right):
        a = torch.baddbmm(self.b[:, None], left, self.U.mT)
        a = torch.baddbmm(a, right, self.W.mT)
        if not hasattr(self, "T"):
            return a
        pairs = (left[..., :, None] * right[..., None, :]).flatten(2)
        return torch.baddbmm(a, pairs, self.T.flatten(2).mT)

    def params(self) -> dict[str, np.ndarray]:
        """Return copies of the parameters as arrays with a leading axis of seeds."""
        return {name: p.detach().numpy().copy() for name, p in self.named_parameters()}

    def loss_and_grads(self, params: Mapping[str, np.ndarray], batch) -> tuple:
        """Return the mean loss at the roots for each network, and its gradients by autograd.

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : (x, forest, y)
            Symbols (S, L) of all leaves, the trees over them, targets (S, B).

        Returns
        -------
        loss : ndarray, shape (S,)
        grads : dict of ndarray
        """
        x, forest, y = batch
        leaves = as_leaves(self, params, grad=True)
        o = functional_call(self, leaves, (torch.from_numpy(x), forest))
        log_p = torch.log_softmax(o, -1).gather(-1, torch.from_numpy(y)[..., None])
        loss = -log_p[..., 0].mean(1)
        loss.sum().backward()  # no network depends on another's parameters
        return loss.detach().numpy(), {name: leaf.grad.numpy() for name, leaf in leaves.items()}

    def accuracy(self, params: Mapping[str, np.ndarray], batch) -> np.ndarray:
        """Return the share of trees whose most likely class is right, for each network (S,)."""
        x, forest, y = batch
        leaves = as_leaves(self, params)
        with torch.no_grad():
            o = functional_call(self, leaves, (torch.from_numpy(x), forest))
        return (o.argmax(-1).numpy() == y).mean(1)


def _taken(made, where, at):
    """Return the vectors of nodes (S, n, n_h), each from its level in a list."""
    taken, order = [], []
    for k in np.unique(where):
        mine = np.flatnonzero(where == k)
        taken.append(made[k][:, at[mine]])
        order.append(mine)
    back = np.argsort(np.concatenate(order))
    return torch.cat(taken, dim=1)[:, back]
