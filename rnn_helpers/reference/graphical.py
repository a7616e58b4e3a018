"""A network whose inputs are its own symbols, as a distribution over sequences (10.2.3).

Parameters are those of `init_rnn`. The input of each step is the previous symbol as a one-hot
vector, and the input of the first step is zeros (figure 10.8). Sequences ``y`` have shape (T,) or
(T, ...) and contain whole numbers below n. A *log-probability* is any function from such an array
to the logarithm of the probability of each sequence, or of the beginning of each, in nats.
"""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from rnn_helpers.reference.activations import _log_softmax, _one_hot
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.output_recurrence import output_forward
from rnn_helpers.reference.rnn import rnn_forward, step_loss
from rnn_helpers.validate import (
    as_array,
    as_choice,
    as_count,
    as_function,
    as_kind,
    as_params,
    as_real,
    as_result,
    as_targets,
    as_tokens,
    brief,
)

MOST = 2**20
"""The largest number of sequences that are enumerated."""

ENDS = ("symbol", "coin", "length", "total", "left")
"""The ways to end a sequence; see `ending_log_probability`."""


# ---- a product of predictions ----


@equation("10.29", "10.30")
def predictive_log_likelihood(params: Mapping, x, y):
    """Return the log-probability of each true output, given the inputs of the network so far.

    Parameters
    ----------
    params : mapping
        From `init_rnn`, or with ``R`` from `init_output_rnn`.
    x : array_like
        Inputs, as for `rnn_forward`.
    y : array_like of int, shape (T, ...)
        True outputs.

    Returns
    -------
    ndarray, shape (T, ...)
        Given the inputs alone (G 10.29); if there is ``R``, the true outputs before as well
        (G 10.30).
    """
    as_kind("params", params, Mapping, "a mapping of names to arrays")
    run = output_forward(params, x, y) if "R" in params else rnn_forward(params, x)
    return -step_loss(run.log_yhat, as_targets(y, run.o.shape, None))  # (G 10.29), (G 10.30)


@equation("10.32", "10.33")
def sequence_losses(params: Mapping, y):
    """Return the loss ``L^(t)`` of each symbol, given the symbols before; their sum is the loss.

    Parameters
    ----------
    params : mapping
        With as many columns in ``U`` as rows in ``V``.
    y : array_like of int, shape (T, ...)

    Returns
    -------
    ndarray, shape (T, ...)
        In nats. Its sum over time is (G 10.32), printed there with an index i.
    """
    params, n = _as_writer(params)
    y = _as_sequence(y, n)
    return step_loss(rnn_forward(params, symbols_before(y, n)).log_yhat, y)  # (G 10.33)


@equation("10.31")
def log_joint(params: Mapping, y):
    """Return the log-probability of whole sequences, the logarithm of the product of predictions.

    The product is printed as an integral. Arguments as for `sequence_losses`; shape (...).
    """
    return -sequence_losses(params, y).sum(axis=0)  # log of (G 10.31)


def symbols_before(y, n):
    """Return each step's input: the previous symbol as a one-hot vector, zeros at first."""
    n = as_count("n", n)
    y = _as_sequence(y, n)
    before = np.zeros((*y.shape, n))
    before[1:] = _one_hot(y[:-1], n, float)
    return before


def _as_sequence(y, n):
    """Return tokens whose first axis is time, or raise an error."""
    y = as_tokens("y", y, n)
    if not y.ndim:
        raise ValueError(f"y is {y}; expected a sequence of tokens, of shape (T, ...)")
    return y


def gaussian_loss(prediction, y):
    """Return minus the logarithm of a Gaussian density with variance 1, entry by entry, in nats.

    It is half the squared error plus half the logarithm of ``2 pi``, which is a constant.
    """
    prediction, y = as_real("prediction", prediction), as_real("y", y)
    if prediction.shape != y.shape and y.ndim and prediction.ndim:
        raise ValueError(f"y has shape {y.shape}; expected {prediction.shape}, as prediction has")
    with np.errstate(over="ignore"):
        loss = (prediction - y) ** 2 / 2 + math.log(2 * math.pi) / 2
    return as_result("gaussian_loss", loss, "prediction and y")


# ---- all sequences of a length ----


def joint_table(log_probability: Callable, n, n_steps):
    """Return the probability of every sequence of one length.

    Parameters
    ----------
    log_probability : callable
    n, n_steps : int
        Number of symbols, and length; at most 2^20 sequences.

    Returns
    -------
    ndarray, shape (n,) * n_steps
        Entry ``[y1, y2, ...]`` is the probability of that sequence.
    """
    n, n_steps = as_count("n", n), as_count("n_steps", n_steps)
    log_p = as_function("log_probability", log_probability)(_every(n, n_steps))
    return np.exp(log_p).reshape((n,) * n_steps)


def total_correlation(joint):
    """Measure how strongly symbols depend on one another, by their total correlation.

    Parameters
    ----------
    joint : array_like, shape (n,) * T
        Probability of each sequence; the sum is 1.

    Returns
    -------
    float
        The sum of the symbols' entropies minus the entropy of the sequence, in nats. It is 0 if
        and only if the symbols are independent.
    """
    joint = as_real("joint", joint)
    if (joint < 0).any() or abs(joint.sum() - 1) > 1e-9:
        raise ValueError(f"joint is {brief(joint)}; expected probabilities whose sum is 1")
    axes = set(range(joint.ndim))
    single = sum(_entropy(joint.sum(axis=tuple(axes - {axis}))) for axis in axes)
    return float(single - _entropy(joint))


def table_numbers(n, n_steps):
    """Count the numbers in a table of all sequences; the last follows from the others."""
    return as_count("n", n) ** as_count("n_steps", n_steps) - 1


def network_numbers(n, n_h):
    """Count the parameters of a network of `n_h` units over `n` symbols, for any length."""
    n, n_h = as_count("n", n), as_count("n_h", n_h)
    return n_h * (n + n_h + 1) + n * (n_h + 1)


def _every(n, n_steps):
    """Return all sequences (T, n^T); the last symbol changes fastest."""
    if n**n_steps > MOST:
        raise ValueError(f"there are {n}^{n_steps} sequences; expected at most {MOST}")
    return np.indices((n,) * n_steps).reshape(n_steps, -1)


def _entropy(p):
    p = p[p > 0]
    return -(p * np.log(p)).sum()


# ---- filling gaps ----


class Filled(NamedTuple):
    """The result of filling gaps.

    Attributes
    ----------
    probabilities : ndarray, shape (m, n)
        Probability of each symbol in each gap.
    symbols : ndarray of int, shape (m,)
        The most likely symbol in each gap.
    evaluations : int
        Number of sequences, or beginnings, whose probability was computed.
    """

    probabilities: np.ndarray
    symbols: np.ndarray
    evaluations: int


def exact_filling(log_probability: Callable, y, missing, n) -> Filled:
    """Fill gaps by weighing every way to fill them all.

    Parameters
    ----------
    log_probability : callable
    y : array_like of int, shape (T,)
        A sequence; its values in the gaps are ignored.
    missing : array_like of int, shape (m,)
        Positions of the gaps, counted from 0.
    n : int
        Number of symbols.
    """
    y, missing, n = _as_gaps(log_probability, y, missing, n)
    ways = _every(n, len(missing))
    whole = np.repeat(y[:, None], ways.shape[1], axis=1)
    whole[missing] = ways
    p = np.exp(_log_softmax(_scored(log_probability, whole)))  # given the known symbols
    each = [[p[way == symbol].sum() for symbol in range(n)] for way in ways]
    return _filled(each, ways.shape[1])


def forward_filling(log_probability: Callable, y, missing, n) -> Filled:
    """Fill gaps from left to right, each with the most likely symbol given those before it.

    Arguments as for `exact_filling`. The symbols after a gap are ignored.
    """
    y, missing, n = _as_gaps(log_probability, y, missing, n)
    y, each = y.copy(), []
    for place in np.sort(missing):
        begun = np.repeat(y[: place + 1, None], n, axis=1)
        begun[place] = range(n)
        each.append(np.exp(_log_softmax(_scored(log_probability, begun))))
        y[place] = each[-1].argmax()
    order = np.argsort(np.argsort(missing))
    return _filled(np.array(each)[order], n * len(missing))


def _scored(log_probability, sequences):
    """Return the logarithms of probabilities of sequences (T, B), or raise an error."""
    scores = as_real("what log_probability returns", log_probability(sequences))
    if scores.shape != sequences.shape[1:]:
        raise ValueError(
            f"log_probability returns shape {scores.shape}; expected {sequences.shape[1:]}"
        )
    return scores


def _filled(probabilities, evaluations):
    probabilities = np.array(probabilities)
    return Filled(probabilities, probabilities.argmax(axis=1), evaluations)


def _as_gaps(log_probability, y, missing, n):
    as_function("log_probability", log_probability)
    missing, y = as_array("missing", missing), as_array("y", y)
    if y.ndim != 1 or not y.size:
        raise ValueError(f"y has shape {y.shape}; expected one sequence (T,)")
    missing = as_tokens("missing", missing, len(y))
    if missing.ndim != 1 or not missing.size or len(set(missing.tolist())) < missing.size:
        raise ValueError(f"missing is {brief(missing)}; expected places, each of them once")
    y = np.where(np.isin(np.arange(len(y)), missing), 0, y)
    n = as_count("n", n)
    return as_tokens("y", y, n).copy(), missing, n


# ---- three ends ----


def coin_of_symbol(o):
    """Return the score of a coin that stops with the probability of the end symbol.

    Parameters
    ----------
    o : array_like, shape (..., n + 1)
        Scores of n symbols and, last, of the end.

    Returns
    -------
    ndarray, shape (...)
        The sigmoid of the score is the probability of stopping. Given that the sequence goes on,
        the symbols keep their probabilities.
    """
    o = _as_scores_of("o", o, 2)
    return o[..., -1] - np.logaddexp.reduce(o[..., :-1], axis=-1)


def symbol_of_coin(o, coin):
    """Return scores (..., n + 1) with an end symbol that is as likely as the coin is to stop.

    Parameters
    ----------
    o : array_like, shape (..., n)
        Scores of the symbols.
    coin : array_like, shape (...)
        The coin's score.
    """
    o, coin = _as_scores_of("o", o, 1), as_real("coin", coin)
    if coin.shape != o.shape[:-1]:
        raise ValueError(
            f"coin has shape {coin.shape}; expected {o.shape[:-1]}, for o of {o.shape}"
        )
    end = coin + np.logaddexp.reduce(o, axis=-1)
    return np.concatenate([o, end[..., None]], axis=-1)


@equation("10.34")
def ending_log_probability(params: Mapping, y, end):
    """Return the log-probability that a network writes exactly these symbols and then stops.

    Parameters
    ----------
    params : mapping
        As for `sequence_losses`. ``V`` and ``c`` have one more row for ``"symbol"`` and
        ``"coin"``, and ``U`` has one more column for ``"total"`` and ``"left"``. For the last
        three ways, ``"d"`` (longest,) contains the scores of the lengths 1, 2, ...
    y : array_like of int, shape (T,) or (T, B)
        Sequences of one length.
    end : {"symbol", "coin", "length", "total", "left"}
        Draw an end symbol after the last one, or toss a coin after each symbol, or draw the
        length first. In the last case, the length isn't an input, or each step receives
        ``tau / longest`` or, for the steps left, ``(tau - t) / longest``.
    """
    params, n, d = _as_ending(params, end)
    y = _as_sequence(y, n)
    tau = as_count("length", len(y), most=len(d) if end in ENDS[2:] else 2**31)
    before = symbols_before(np.concatenate([y, np.zeros_like(y[:1])]), n)
    if end in ENDS[:2]:
        o = rnn_forward(params, before).o
        coin = coin_of_symbol(o) if end == "symbol" else o[..., -1]
        log_p = -step_loss(_log_softmax(o[:-1, ..., :n]), y)
        goes_on, stops = -np.logaddexp(0, coin), -np.logaddexp(0, -coin)
        first = 0 if end == "symbol" else 1  # the first coin is tossed after a symbol
        return log_p.sum(axis=0) + goes_on[first:-1].sum(axis=0) + stops[-1]
    before = _with_length(before[:-1], tau, len(d), end)
    given = -step_loss(rnn_forward(params, before).log_yhat, y).sum(axis=0)
    return _log_softmax(d)[tau - 1] + given  # (G 10.34)


def _with_length(before, tau, longest, end, t=0):
    """Return the inputs of steps t + 1, t + 2, ...: symbols, and an input about the length."""
    if end == "length":
        return before
    steps = np.arange(t + 1, t + 1 + len(before)).reshape(-1, *[1] * (before.ndim - 1))
    counted = np.broadcast_to(tau - (steps if end == "left" else 0), (*before.shape[:-1], 1))
    return np.concatenate([before, counted / longest], axis=-1)


def _as_scores_of(name, o, least):
    o = as_real(name, o)
    if not o.ndim or o.shape[-1] < least:
        raise ValueError(f"{name} has shape {o.shape}; expected at least {least} scores in a row")
    return o


def _as_writer(params):
    """Return the parameters and the number of symbols, or raise an error."""
    U, _, V, _, _ = as_params(params)
    if U.shape[-1] != V.shape[-2] or U.ndim != 2:
        raise ValueError(
            f"params['U'] has shape {U.shape} and params['V'] {V.shape}; expected one network with "
            "as many columns in U as rows in V: it hears what it says"
        )
    return params, U.shape[-1]


def _as_ending(params, end):
    """Return parameters, number of symbols, and the lengths' scores if these are drawn first."""
    as_choice("end", end, ENDS)
    U, _, V, _, _ = as_params(params)
    d = np.zeros(0)
    if end in ENDS[2:]:
        if "d" not in params:
            raise ValueError("params lacks d; expected the scores of the lengths")
        d = as_real("params['d']", params["d"])
    columns = V.shape[0] - (end in ENDS[:2]) + (end in ENDS[3:])
    if U.ndim != 2 or U.shape[1] != columns or columns < 1:
        raise ValueError(
            f"params['U'] has shape {U.shape}; expected {columns} columns for V of {V.shape} and "
            f"end {end!r}"
        )
    return params, V.shape[0] - (end in ENDS[:2]), d
