"""Sequences of different lengths in one minibatch: padding, and the mask that hides it."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from rnn_helpers.validate import (
    MOST,
    as_array,
    as_count,
    as_generator,
    as_list,
    as_mask,
    as_tokens,
)

Batch = tuple[np.ndarray, np.ndarray, np.ndarray]


def pad(sequences: Sequence[np.ndarray], padding: int) -> Batch:
    """Put sequences of different lengths side by side.

    Parameters
    ----------
    sequences : sequence of array_like of int
        The B sequences, each of at least two tokens, such as a `Vocabulary` makes of sentences.
    padding : int
        The token that fills up the shorter ones. It can be any token that a network can read,
        because the mask keeps it out of the loss and the gradient.

    Returns
    -------
    x, y : ndarray of int, shape (T, B)
        All tokens but the last of each sequence, and all but the first.
    mask : ndarray of bool, shape (T, B)
        True for the steps that have a target, False for padding.
    """
    return _pad(_sequences(sequences), as_count("padding", padding, 0))


def length_sorted_batches(
    sequences: Sequence[np.ndarray],
    batch_size: int,
    seed: int | np.random.Generator,
    padding: int,
) -> Iterator[Batch]:
    """Cut sequences into minibatches of similar lengths, one pass through the data after another.

    In each pass the sequences are sorted by length, those of the same length in random order, cut
    into groups, and padded. Then the order of the *groups* is random: to shuffle the sequences
    after sorting would undo the sorting.

    Parameters
    ----------
    sequences, padding
        As for :func:`pad`.
    batch_size : int
        Sequences B in a minibatch; the one with the longest may have fewer.
    seed : int or Generator
        Draws the order.

    Yields
    ------
    x, y, mask
        As of :func:`pad`, without end; ``ceil(len(sequences) / batch_size)`` minibatches make a
        pass, and each sequence is in one of them.
    """
    sequences = _sequences(sequences)
    batch_size, padding = as_count("batch_size", batch_size), as_count("padding", padding, 0)
    return _sorted_passes(sequences, batch_size, as_generator(seed), padding)


def _sorted_passes(sequences, batch_size, rng, padding):
    lengths = np.array([len(one) for one in sequences])
    while True:
        mixed = rng.permutation(len(sequences))
        by_length = mixed[np.argsort(lengths[mixed], kind="stable")]
        groups = range(0, len(sequences), batch_size)
        for first in rng.permutation(groups):
            yield _pad([sequences[i] for i in by_length[first : first + batch_size]], padding)


def padding_share(batches: Iterable[Batch]) -> float:
    """Share of the steps of finitely many minibatches ``(x, y, mask)`` that are padding."""
    counted = steps = 0
    for batch in as_list("batches", batches):
        if not isinstance(batch, tuple | list) or len(batch) != 3:
            raise ValueError("batches hold something else; expected (x, y, mask)")
        mask = as_mask(batch[2], np.shape(as_array("batches", batch[1])))
        if mask is None or not mask.size:
            raise ValueError("batches hold a minibatch without mask; expected (x, y, mask)")
        counted, steps = counted + int(mask.sum()), steps + mask.size
    if not steps:
        raise ValueError("batches is empty; expected at least one minibatch")
    return 1 - counted / steps


def _pad(sequences, padding):
    lengths = np.array([len(one) - 1 for one in sequences])
    x, y = np.full((2, lengths.max(), len(sequences)), padding, dtype=np.intp)
    for column, tokens in enumerate(sequences):
        x[: len(tokens) - 1, column], y[: len(tokens) - 1, column] = tokens[:-1], tokens[1:]
    return x, y, np.arange(len(x))[:, None] < lengths


def _sequences(sequences):
    sequences = [as_tokens("sequences", one, MOST) for one in as_list("sequences", sequences)]
    if not sequences:
        raise ValueError("sequences is empty; expected at least one")
    for tokens in sequences:
        if tokens.ndim != 1 or len(tokens) < 2:
            raise ValueError(
                f"sequences hold an array of shape {tokens.shape}; expected one axis of at least "
                "two tokens"
            )
    return sequences
