"""Networks that are as large as others."""

from collections.abc import Callable

import torch

from rnn_helpers.validate import as_count, as_function


def units_within(make: Callable[[int], torch.nn.Module], most: int) -> int:
    """Units of the largest network with at most `most` parameters.

    Parameters
    ----------
    make : callable
        ``make(n_h)`` gives a network of so many units; more units, more parameters.
    most : int
        Parameters of the other.

    Returns
    -------
    int
        At least 1.

    Examples
    --------
    >>> units_within(lambda n_h: torch.nn.RNN(2, n_h), 100)
    8
    """
    make, most = as_function("make", make), as_count("most", most)

    def size(n_h):
        return sum(p.numel() for p in make(n_h).parameters())

    if size(1) > most:
        raise ValueError(f"most is {most}; expected at least the {size(1)} parameters of one unit")
    n_h = 1
    while size(n_h + 1) <= most:
        n_h += 1
    return n_h
