"""Networks that sweep over a picture in four directions, against convolutions and others."""

from collections.abc import Callable, Mapping

from rnn_helpers.experiments.contest import Contest

SWEEPS = "sweeps"


class Sweeping(Contest):
    """A comparison of sweeps, of convolutions with at most as many parameters, and of others.

    The settings are ``n_h``, the number of units of a sweep, and ``etas``, the rates of ``sweeps``
    and of ``convolutions``, or of a method by its name. A claim's subclass draws the pictures and
    scores the networks.

    Parameters
    ----------
    depths : dict of int or callable
        The number of stacked convolutions, by method; 0 for sweeps; or a function
        ``make(n_x, n_y, seeds)`` that makes another kind of network, of its own size.
    n_x, n_y : int
        Kinds of cells of a picture or values of each, and classes.
    n_layers : int
        Layers of sweeps, each in four directions.
    """

    columns = ("method",)

    def __init__(self, depths: Mapping[str, int | Callable], n_x: int, n_y: int, n_layers: int = 1):
        self.depths, self.n_x, self.n_y, self.n_layers = depths, n_x, n_y, n_layers

    def cells(self, config):
        """Name each method."""
        return [(method,) for method in self.depths]

    def choices(self, config):
        """Choose a rate for each method, from its own or those of its kind."""
        kinds = {method: "convolutions" if n else "sweeps" for method, n in self.depths.items()}
        etas = {
            method: config["etas"].get(method) or config["etas"][kind]
            for method, kind in kinds.items()
        }
        return super().choices(config | {"etas": etas})

    def net(self, config, cell, seeds):
        """Make networks of a method."""
        from rnn_helpers.nets.four_ways import Convolutions, FourWays
        from rnn_helpers.nets.sizes import units_within

        sizes = self.n_x, config["n_h"], self.n_y
        depth = self.depths[cell[0]]
        if callable(depth):
            return depth(self.n_x, self.n_y, seeds)
        if not depth:
            return FourWays(*sizes, seeds, self.n_layers)
        most = sum(p.numel() for p in FourWays(*sizes, [0], self.n_layers).parameters())

        def make(n_h, seeds=(0,)):
            return Convolutions(self.n_x, n_h, self.n_y, seeds, depth)

        return make(units_within(make, most), seeds)

    def right(self, made, batch):
        """Return each network's share of right answers to a minibatch."""
        net, params = made
        return net.right(params, batch).mean(axis=1)
