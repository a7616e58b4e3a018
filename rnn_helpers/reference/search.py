"""The likeliest sequence: taken symbol by symbol, with a few kept side by side, or surely found.

What is searched is any function ``next_log_probability(prefix)`` from the symbols written so far,
an array of whole numbers (t,), to the log-probabilities (n,) of the next, which adds up to a
distribution over sequences that end with the symbol `end`.
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
        How often the next symbol was asked for until the search was over.
    """

    symbols: np.ndarray
    log_probability: float
    asked: int


def beam_search(next_log_probability: Callable, end, width=1, at_most=20) -> list[Found]:
    """Keep the likeliest few beginnings of each length; a width of 1 is greedy search.

    A beginning that has ended keeps its place among the others; the search is over when none that
    is kept goes on.

    Parameters
    ----------
    next_log_probability : callable
    end : int
        The symbol that ends a sequence.
    width : int
        Beginnings that are kept.
    at_most : int
        Greatest length; those that have it are given up as they are.

    Returns
    -------
    list of Found
        At most `width`, the likeliest first.
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
    """The likeliest sequence there is, up to a length.

    The likeliest beginning goes on first. As a longer one is never likelier than its beginning, the
    first that is taken up and has ended is the likeliest of all. How many are taken up before can
    grow exponentially with the length. Arguments as for `beam_search`.
    """
    asks, at_most = _Asks(next_log_probability, end), as_count("at_most", at_most)
    order = itertools.count()  # of two that are equally likely, the one that was found first
    waiting = [(0.0, next(order), ())]
    while True:
        cost, _, prefix = heapq.heappop(waiting)
        if not asks.goes_on(prefix, at_most):
            return Found(np.array(prefix, int), float(-cost), asks.count)
        for log_p, longer in asks.one_more(-cost, prefix):
            heapq.heappush(waiting, (-log_p, next(order), longer))


class _Asks:
    """What is asked of a distribution: the next symbols of a beginning, and whether there are."""

    def __init__(self, next_log_probability, end):
        self.next_log_probability = as_function("next_log_probability", next_log_probability)
        self.end = as_count("end", end, 0)
        self.count = 0

    def goes_on(self, prefix, at_most):
        return len(prefix) < at_most and prefix[-1:] != (self.end,)

    def one_more(self, log_p, prefix):
        """All beginnings that are one symbol longer, with their log-probabilities."""
        self.count += 1
        said = self.next_log_probability(np.array(prefix, int))
        each = as_array("next_log_probability(prefix)", said)
        fits = each.dtype.kind == "f" and each.ndim == 1 and self.end < len(each)
        if not fits or not (each <= 1e-9).all():
            raise ValueError(
                f"next_log_probability gives {brief(said)}; expected log-probabilities (n,), with "
                f"n above the end symbol, {self.end}"
            )
        possible = np.flatnonzero(each > -np.inf).tolist()
        return [(log_p + float(each[symbol]), (*prefix, symbol)) for symbol in possible]
