"""Networks whose outputs depend on fewer or more of the later inputs, with equal parameters."""

from collections.abc import Sequence


def network(ahead: int | None, n_x: int, n_h: int, n_y: int, seeds: Sequence[int], width: int = 0):
    """Make networks whose outputs depend on so many later inputs, one for each seed.

    Parameters
    ----------
    ahead : int or None
        Delay of a one-way network; None for a bidirectional network.
    n_x, n_h, n_y : int
        Numbers of inputs, of units of the one-way network, and of outputs. The other networks
        have as many units as its number of parameters allows.
    seeds : sequence of int
    width : int
        If it isn't 0, return a convolution over so many steps instead.

    Returns
    -------
    module
    """
    from rnn_helpers.nets import BothWays
    from rnn_helpers.nets.listening import Convolution, Waiting
    from rnn_helpers.nets.sizes import units_within

    if ahead is not None and not width:
        return Waiting(n_x, n_h, n_y, seeds, ahead)
    most = sum(p.numel() for p in Waiting(n_x, n_h, n_y, [0]).parameters())

    def make(n_h, seeds=(0,)):
        if width:
            return Convolution(n_x, n_h, n_y, seeds, width)
        return BothWays(n_x, n_h, n_y, seeds)

    return make(units_within(make, most), seeds)
