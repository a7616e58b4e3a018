"""Search for the most likely sequence: with a beam, or exactly.

Both searches take any function ``next_log_probability(prefix)`` from the symbols so far, an array
of integers (t,), to the log-probabilities (n,) of the next symbol. It defines a distribution over
sequences that end with the symbol `end`.
"""

import heapq
import itertools
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rnn_helpers.validate import as_array, as_count, as_function, brief


class Found(NamedTuple):
    """A sequence that a search has found.

    Attributes
    ----------
    symbols : ndarray of int, shape (T,)
        The end symbol last, unless there was no room for it.
    log_probability : float
        Of the whole sequence, in nats.
    asked : int
        Number of calls of `next_log_probability` in the whole search.
    """

    symbols: np.ndarray
    log_probability: float
    asked: int


def beam_search(next_log_probability: Callable, end, width=1, at_most=20) -> list[Found]:
    """Return the most likely sequences that a beam search finds; width 1 is greedy decoding.

    A finished sequence keeps its place in the beam. The search is over when all sequences in the
    beam are finished or have the greatest length.

    Parameters
    ----------
    next_log_probability : callable
    end : int
        The symbol that ends a sequence.
    width : int
        Number of beginnings that the search keeps at each step.
    at_most : int
        Greatest length; longer sequences are cut off there.

    Returns
    -------
    list of Found
        At most `width`, the most likely first.
    """
    asks = _Asks(next_log_probability, end)
    width, at_most = as_count("width", width), as_count("at_most", at_most)
    kept = [(0.0, ())]
    while any(asks.goes_on(prefix, at_most) for _, prefix in kept):
        longer = []
        for log_p, prefix in kept:
            longer += (
                asks.one_more(log_p, prefix) if asks.goes_on(prefix, at_most) else [(log_p, prefix)]
            )
        kept = sorted(longer, key=lambda one: -one[0])[:width]
    return [Found(np.array(prefix, int), float(log_p), asks.count) for log_p, prefix in kept]


def exact_search(next_log_probability: Callable, end, at_most=20) -> Found:
    """Return the most likely of all sequences up to a length; arguments as for `beam_search`.

    The search always extends the most likely beginning. A sequence is never more likely than its
    beginning, so the first finished sequence that comes up is the most likely of all. The number of
    beginnings before it can grow exponentially with the length.
    """
    asks, at_most = _Asks(next_log_probability, end), as_count("at_most", at_most)
    order = itertools.count()  # of two equally likely beginnings, the older one comes first
    waiting = [(0.0, next(order), ())]
    while True:
        cost, _, prefix = heapq.heappop(waiting)
        if not asks.goes_on(prefix, at_most):
            return Found(np.array(prefix, int), float(-cost), asks.count)
        for log_p, longer in asks.one_more(-cost, prefix):
            heapq.heappush(waiting, (-log_p, next(order), longer))


class _Asks:
    """A distribution that counts its calls and extends beginnings."""

    def __init__(self, next_log_probability, end):
        self.next_log_probability = as_function("next_log_probability", next_log_probability)
        self.end = as_count("end", end, 0)
        self.count = 0

    def goes_on(self, prefix, at_most):
        return len(prefix) < at_most and prefix[-1:] != (self.end,)

    def one_more(self, log_p, prefix):
        """Return all beginnings that are one symbol longer, with their log-probabilities."""
        self.count += 1
        returned = self.next_log_probability(np.array(prefix, int))
        each = as_array("next_log_probability(prefix)", returned)
        fits = each.dtype.kind == "f" and each.ndim == 1 and self.end < len(each)
        if not fits or not (each <= 1e-9).all():
            raise ValueError(
                f"next_log_probability gives {brief(returned)}; expected log-probabilities (n,), "
                f"with n above the end symbol, {self.end}"
            )
        possible = np.flatnonzero(each > -np.inf).tolist()
        return [(log_p + float(each[symbol]), (*prefix, symbol)) for symbol in possible]
