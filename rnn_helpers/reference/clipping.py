"""Clipping of gradients that are too long to be followed (10.11.1).

The gradients of all parameters are one vector here, and with `seed_axis` one for each network. A
vector with an entry that is not finite has no direction to keep.
"""

from collections.abc import Callable, Mapping

import numpy as np

from rnn_helpers.reference.bptt import grad_state
from rnn_helpers.reference.equations import equation
from rnn_helpers.reference.norms import length
from rnn_helpers.validate import (
    as_floating,
    as_generators,
    as_number,
    as_positive,
    as_switch,
    brief,
)


@equation("10.48")
def exceeds(g, v):
    """Whether a gradient ``g`` (..., n) is longer than the threshold ``v``: ``||g|| > v``."""
    return length(g) > v  # (G 10.48)


@equation("10.49")
def rescale(g, v):
    """Gradient of length ``v`` in the direction of ``g`` (..., n), not 0: ``g v / ||g||``."""
    return g / length(g)[..., None] * np.asarray(v)[..., None]  # (G 10.49)


def joint_norm(arrays: Mapping[str, np.ndarray], seed_axis: bool = False) -> np.ndarray:
    """Euclidean norm of several arrays taken as one vector; one for each seed with `seed_axis`."""
    arrays, seed_axis = as_floating("arrays", arrays), as_switch("seed_axis", seed_axis)
    seeds = {a.shape[:1] for a in arrays.values()}
    if seed_axis and (len(seeds) > 1 or () in seeds):
        shapes = brief({name: a.shape for name, a in arrays.items()})
        raise ValueError(f"arrays have the shapes {shapes}; expected one number of seeds")
    return length(*(np.reshape(a, (len(a), -1) if seed_axis else -1) for a in arrays.values()))


def clip_by_norm(
    grads: Mapping[str, np.ndarray], threshold: float, seed_axis: bool = False
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Scale gradients down, all together, so that their joint norm is at most a threshold.

    A gradient that is not finite has no direction to keep: it is replaced by zeros, and its norm
    isn't finite.

    Parameters
    ----------
    grads : dict of ndarray
        Gradients.
    threshold : float
        Largest norm, above 0; ``inf`` to measure only.
    seed_axis : bool
        Whether the arrays have a leading axis of seeds, each of which is clipped by itself.

    Returns
    -------
    clipped : dict of ndarray
        Like `grads`, of norm at most `threshold`.
    norm : ndarray, shape () or (S,)
        Norm before clipping; infinite or NaN where an entry was.
    """
    threshold = _as_threshold(threshold)
    grads, norm = _measured(grads, seed_axis)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(norm > threshold, threshold / norm, 1.0)  # (G 10.48), (G 10.49)
    finite = np.isfinite(norm)
    if finite.all() and (factor == 1.0).all():
        return dict(grads), norm
    return {
        name: np.where(per_seed(finite, g), g, 0.0) * per_seed(factor, g).astype(g.dtype)
        for name, g in grads.items()
    }, norm


def clip_by_element(
    grads: Mapping[str, np.ndarray], threshold: float, seed_axis: bool = False
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Clip each entry of the gradients separately to a threshold.

    The direction changes, but no entry changes its sign, so a small enough step still descends
    (Mikolov, 2012).

    Parameters
    ----------
    grads, seed_axis
        As for `clip_by_norm`.
    threshold : float
        Largest size of an entry, above 0; ``inf`` to measure only.

    Returns
    -------
    clipped : dict of ndarray
        Like `grads`, its entries from ``-threshold`` to ``threshold``; zeros where the gradient,
        of that seed, is not finite.
    norm : ndarray, shape () or (S,)
        Norm of all entries before clipping; infinite or NaN where an entry was.
    """
    threshold = _as_threshold(threshold)
    grads, norm = _measured(grads, seed_axis)
    finite = np.isfinite(norm)
    return {
        name: np.clip(np.where(per_seed(finite, g), g, 0.0), -threshold, threshold)
        for name, g in grads.items()
    }, norm


def random_step(
    grads: Mapping[str, np.ndarray], threshold: float, seed, seed_axis: bool = False, where=None
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Replace gradients that are too long, or not finite, by a random vector of a given length.

    Every direction is equally likely.

    Parameters
    ----------
    grads, seed_axis
        As for `clip_by_norm`.
    threshold : float
        Largest norm that is left unchanged, and the length of the random vector; finite.
    seed : int, Generator, or sequence of these
        Draws the directions; with `seed_axis` there may be one for each seed.
    where : ndarray of bool, shape () or (S,), optional
        Which gradients to replace, instead of those of norm above `threshold` or not finite.

    Returns
    -------
    stepped : dict of ndarray
        Like `grads`.
    norm : ndarray, shape () or (S,)
        Norm before; infinite or NaN where an entry was.
    """
    threshold = as_positive("threshold", threshold)
    grads, norm = _measured(grads, seed_axis)
    rngs, several = as_generators(seed)
    if several and len(rngs) != norm.size:
        raise ValueError(
            f"seed holds {len(rngs)} seeds, expected {norm.size}, one for each network"
        )
    where = np.asarray(~(norm <= threshold) if where is None else where, bool)
    if where.shape != norm.shape:
        raise ValueError(f"where has shape {where.shape}, expected {norm.shape}")
    if not where.any():
        return dict(grads), norm
    sizes = [g.size // norm.size for g in grads.values()]
    drawn = np.zeros((norm.size, sum(sizes)))
    for s, needed in enumerate(where.flat):
        # a single generator draws for every network, so that no draw depends on the others' needs
        if needed or not several:
            drawn[s] = rngs[s if several else 0].standard_normal(sum(sizes))
    lengths = length(drawn)
    drawn *= (threshold / np.where(lengths > 0, lengths, 1.0))[:, None]
    parts = np.split(drawn, np.cumsum(sizes)[:-1], axis=1)
    return {
        name: np.where(per_seed(where, g), part.reshape(g.shape), g).astype(g.dtype)
        for (name, g), part in zip(grads.items(), parts, strict=True)
    }, norm


def clip_hidden(v: float) -> Callable:
    """Make the step backward in time clip the gradient on each state (after Graves, 2013).

    `rnn_backward` propagates the sum of losses (G 10.12). So ``v`` bounds what all the later
    predictions of one sequence contribute to one unit of its state, regardless of the length of a
    minibatch and the number of its sequences.

    Parameters
    ----------
    v : float
        Largest size of an entry of the gradient on a state, above 0.

    Returns
    -------
    callable
        A `recursion` for `rnn_backward`: `grad_state`, with its entries clipped to ``-v .. v``
        before they go one step further back. The gradients on ``V`` and ``c`` stay as they are;
        those on ``U``, ``W`` and ``b`` are sums of clipped terms and may be of any length.
    """
    as_number("v", v, "a number above 0", lambda value: value > 0)

    def recursion(W, grad_h_next, slope_next, from_output):
        return np.clip(grad_state(W, grad_h_next, slope_next, from_output), -v, v)

    return recursion


def per_seed(values: np.ndarray, array: np.ndarray) -> np.ndarray:
    """Give one value for each seed (or one for all) the axes of an array."""
    return values.reshape(values.shape + (1,) * (array.ndim - values.ndim))


def _as_threshold(threshold):
    return as_number("threshold", threshold, "a number above 0", lambda value: value > 0)


def _measured(grads, seed_axis):
    """Gradients as floating-point arrays and their norm, or an error that names the argument."""
    grads = as_floating("grads", grads)
    return grads, joint_norm(grads, seed_axis)
