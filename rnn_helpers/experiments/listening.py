"""Networks that hear less or more of what is ahead, with equally many parameters."""

from collections.abc import Sequence


def network(ahead: int | None, n_x: int, n_h: int, n_y: int, seeds: Sequence[int], width: int = 0):
    """Make networks that hear so much of what is ahead, one for each seed.

    Parameters
    ----------
    ahead : int or None
        Steps for which a network that reads one way waits; None for one that reads both ways.
    n_x, n_h, n_y : int
        Numbers of inputs, of units of the network that reads one way, and of outputs. The others
        have as many units as its number of parameters allows.
    seeds : sequence of int
    width : int
        If it is not 0, a convolution with a window of so many steps is made instead.

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
