"""Networks that predict the next symbol of sequences without inputs, trained side by side."""

from collections.abc import Iterable, Sequence

import numpy as np

from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.reference import init_rnn, log_softmax, rnn_forward, step_loss, symbols_before
from rnn_helpers.tasks import character_model
from rnn_helpers.training import fit_in_parts


def inputs_of(y: np.ndarray, n_y: int, extra: np.ndarray | None = None) -> np.ndarray:
    """Return the inputs of a network: the previous symbol and, optionally, a number.

    Parameters
    ----------
    y : ndarray of int, shape (T, ...)
        Symbols; the first step receives zeros.
    n_y : int
        Kinds of symbols.
    extra : ndarray, shape (T,), optional
        An additional input for each step.

    Returns
    -------
    ndarray, shape (T, ..., n_y) or (T, ..., n_y + 1)
    """
    x = symbols_before(y, n_y)
    if extra is not None:
        each = extra.reshape(-1, *[1] * y.ndim)
        x = np.concatenate([x, np.broadcast_to(each, (*y.shape, 1))], axis=-1)
    return x.astype(np.float32, order="C")  # time first, as the loop of a network reads it


def log_probabilities(params: dict, y: np.ndarray, extra: np.ndarray | None = None) -> np.ndarray:
    """Logarithm of the probability of each symbol, by each of S networks: (T, S, B).

    Sequences are (T, B), the same for all, or (T, S, B).
    """
    o = rnn_forward(params, inputs_of(y, params["c"].shape[-1], extra)).o
    y = y[:, None] if y.ndim == 2 else y
    return -step_loss(log_softmax(o.astype(float)), np.broadcast_to(y, o.shape[:-1]))


def learned(
    batches: Iterable[np.ndarray],
    etas: Sequence[float],
    seeds: Sequence[int],
    config: dict,
    extra: np.ndarray | None = None,
    held: np.ndarray | None = None,
) -> dict:
    """Train networks of tanh units, one for each rate and seed, with Adam.

    Parameters
    ----------
    batches : iterable of ndarray of int, shape (T, S, B)
        Sequences, of bits.
    etas, seeds : sequence of S
        The learning rate of each, which falls linearly to 0, and the seed of its weights.
    config : dict
        ``n_h`` units and ``steps``; with held-out sequences, ``every`` is the number of steps
        between evaluations.
    extra : ndarray, shape (T,), optional
        As of `inputs_of`.
    held : ndarray of int, shape (T, S, B), optional
        Held-out sequences: for each network, the parameters with the lowest loss on them are kept.

    Returns
    -------
    dict of ndarray
        Parameters, on a leading axis of networks.
    """
    made = init_rnn(
        2 + (extra is not None),
        config["n_h"],
        2,
        seed=[np.random.default_rng([seed, 1]) for seed in seeds],
        dtype=np.float32,
    )
    best, least = made, np.full(len(seeds), np.inf)
    for so_far in fit_in_parts(
        character_model(),
        made,
        ((inputs_of(y, 2, extra), y) for y in batches),
        steps=config["steps"],
        every=config["steps"] if held is None else config["every"],
        optimizer=AdamEach(etas, config["steps"]),
        clip=1.0,
    ):
        cost = -np.inf
        if held is not None:
            cost = -log_probabilities(so_far.params, held, extra).mean(axis=(0, 2))
        better = cost < least
        least = np.where(better, cost, least)
        best = {
            name: np.where(better.reshape(-1, *[1] * (p.ndim - 1)), so_far.params[name], p)
            for name, p in best.items()
        }
    return best


def from_examples(
    y: np.ndarray, etas: Sequence[float], seeds: Sequence[int], config: dict, extra=None
) -> dict:
    """Train networks on n sequences each, shape (T, S, n), of which one in five is held out.

    As `learned`, with minibatches of ``batch_size`` drawn from the others.
    """
    held, read = np.split(y, [y.shape[2] // 5], axis=2)
    rngs = [np.random.default_rng([seed, 2]) for seed in seeds]

    def batches():
        while True:
            size = read.shape[2], config["batch_size"]
            places = np.stack([rng.integers(size[0], size=size[1]) for rng in rngs])
            yield np.take_along_axis(read, places[None], axis=2)

    return learned(batches(), etas, seeds, config, extra, held)
