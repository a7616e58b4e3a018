"""Bidirectional networks, for sequences and for images: section 10.3, figure 10.11.

A bidirectional network consists of two networks of `init_rnn`. The forward network, ``ahead``,
reads the sequence from its first input to its last; its states are ``h^(t)``. The backward
network, ``back``, reads the reversed sequence, and its states, reversed again, are ``g^(t)``. The
outputs of the two are added: ``o = c + V h + V' g``, where ``c`` is the sum of both biases. So the
parameters are ``{"ahead": {...}, "back": {...}}``. For an image there are four networks, ``down``,
``up``, ``right`` and ``left``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rnn_helpers.reference.activations import _log_softmax
from rnn_helpers.reference.rnn import Run, init_rnn, rnn_forward, rnn_loss
from rnn_helpers.validate import (
    as_array,
    as_generator,
    as_kind,
    as_mask,
    as_params,
    as_real,
    as_tokens,
    brief,
)

BOTH = "ahead", "back"
FOUR = "down", "up", "right", "left"


@dataclass(frozen=True, eq=False)
class BidirectionalRun:
    """The results of a forward pass, as the backward pass needs them.

    Attributes
    ----------
    ahead, back : Run
        The runs of the two networks. The run of `back` is in the order in which it reads.
    lengths : ndarray of int, shape (B,) or ()
        Number of steps of each sequence; padding follows them.
    o, log_yhat : ndarray, shape (T, ..., n_y)
        Outputs of the whole network, and log probabilities.
    """

    ahead: Run
    back: Run
    lengths: np.ndarray
    o: np.ndarray
    log_yhat: np.ndarray

    @property
    def h(self):
        """States ``h^(1) .. h^(T)`` of the forward network, shape (T, ..., n_h)."""
        return self.ahead.h

    @property
    def g(self):
        """States ``g^(1) .. g^(T)`` of the backward network, in the order of the steps."""
        return turned(self.back.h, self.lengths)

    @property
    def yhat(self):
        """Probabilities, shape (T, ..., n_y)."""
        return np.exp(self.log_yhat)

    @property
    def counts(self):
        """True at the steps that count, False at padding, shape (T,) or (T, B)."""
        t = np.arange(len(self.o)).reshape(-1, *(1 for _ in self.o.shape[1:-1]))
        return np.broadcast_to(t < self.lengths, self.o.shape[:-1])


@dataclass(frozen=True, eq=False)
class FourRun:
    """The results of `four_directions`, as its backward pass needs them.

    Attributes
    ----------
    runs : dict of Run
        One for each direction, in the order in which that sweep reads: along columns for `down`
        and `up`, along rows for `right` and `left`.
    o : ndarray, shape (I, J, n_y)
        Outputs ``O_ij``, each the sum over the four sweeps.
    """

    runs: dict
    o: np.ndarray


def turned(steps, lengths=None):
    """Reverse each sequence within its own length and leave its padding in place.

    Parameters
    ----------
    steps : array_like, shape (T, ...)
        Time comes first, then the minibatch if there are several lengths.
    lengths : array_like of int, shape (B,) or (), optional
        Number of steps of each sequence; all T by default. The padding stays after them.

    Examples
    --------
    >>> turned(["b", "o", "y", "-", "-"], 3).tolist()
    ['y', 'o', 'b', '-', '-']
    """
    steps = as_array("steps", steps)
    if not steps.ndim or not len(steps):
        raise ValueError(f"steps is {brief(steps)}; expected at least one time step")
    lengths = _as_lengths(lengths, steps.shape)
    t = np.arange(len(steps)).reshape(-1, *(1 for _ in lengths.shape))
    source = np.where(t < lengths, lengths - 1 - t, t)
    if not lengths.ndim:
        return steps[source]
    return steps[source, np.arange(len(lengths))]


def init_bidirectional(n_x, n_h, n_y, seed=0):
    """Return initial parameters of a bidirectional network, two networks of `init_rnn`."""
    rng = as_generator(seed)
    return {way: init_rnn(n_x, n_h, n_y, rng) for way in BOTH}


def bidirectional_forward(params: Mapping, x, lengths=None, nonlinearity="tanh"):
    """Run both networks over the sequences and return all states and outputs.

    Parameters
    ----------
    params : mapping
        ``ahead`` and ``back``, each as `init_rnn` gives them.
    x : array_like
        Tokens (T,) or (T, B), or vectors (T, n_x) or (T, B, n_x).
    lengths : array_like of int, shape (B,) or (), optional
        Number of steps of each sequence, from 1 to T; all T by default. The backward network
        starts at each sequence's own end.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.

    Returns
    -------
    BidirectionalRun
    """
    params = _as_nets(params, BOTH)
    ahead = rnn_forward(params["ahead"], x, nonlinearity=nonlinearity)
    lengths = _as_lengths(lengths, ahead.o.shape[:-1])
    back = rnn_forward(params["back"], turned(ahead.x, lengths), nonlinearity=nonlinearity)
    o = ahead.o + turned(back.o, lengths)
    return BidirectionalRun(ahead, back, lengths, o, _log_softmax(o))


def bidirectional_loss(run: BidirectionalRun, y, mask=None) -> float:
    """Return the loss in nats, summed over the steps that count; padding adds nothing.

    Parameters
    ----------
    run : BidirectionalRun
        The result of `bidirectional_forward`.
    y : array_like of int, shape (T,) or (T, B)
        Targets. Targets of padding are ignored.
    mask : array_like, same shape as `y`, optional
        0 for further steps without a target.
    """
    mask = _counted(run, mask)
    return rnn_loss(replace(run.ahead, o=run.o, log_yhat=run.log_yhat), y, mask)


def init_four_directions(n_x, n_h, n_y, seed=0):
    """Return initial parameters of a layer of four sweeps, four networks of `init_rnn`."""
    rng = as_generator(seed)
    return {way: init_rnn(n_x, n_h, n_y, rng) for way in FOUR}


def four_directions(params: Mapping, x, nonlinearity="tanh") -> FourRun:
    """Run four sweeps over an image and return their states and outputs.

    A sweep is a recurrent network along every row or along every column, with the same weights in
    each. So an output depends on its own row and its own column. If a second layer reads the
    outputs of a first, each output of the second depends on the whole image.

    Parameters
    ----------
    params : mapping
        ``down``, ``up``, ``right`` and ``left``, each as `init_rnn` gives them.
    x : array_like, shape (I, J) of int, or (I, J, n_x)
        A token or a vector for each pixel of the image.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.

    Returns
    -------
    FourRun
    """
    params = _as_nets(params, FOUR)
    x = _as_picture(x, params["down"]["U"])
    runs = {
        way: rnn_forward(params[way], _swept(x, way), nonlinearity=nonlinearity) for way in FOUR
    }
    return FourRun(runs, sum(_swept(run.o, way, home=True) for way, run in runs.items()))


def _swept(picture, way, home=False):
    """Return an image in the order in which a sweep reads it, time first; `home` undoes this."""
    across, reverse = way in ("right", "left"), way in ("up", "left")
    if home:
        picture = picture[::-1] if reverse else picture
        return picture.swapaxes(0, 1) if across else picture
    picture = picture.swapaxes(0, 1) if across else picture
    return picture[::-1] if reverse else picture


def _counted(run, mask):
    """Return a mask of the steps that have a target and aren't padding."""
    as_kind("run", run, BidirectionalRun, "what bidirectional_forward returns")
    mask = as_mask(mask, run.o.shape[:-1])
    return run.counts if mask is None else run.counts & mask


def _as_nets(params, ways):
    """Return the parameters of several networks whose outputs can be added, or refuse them."""
    expected = f"{', '.join(ways[:-1])} and {ways[-1]}"
    as_kind("params", params, Mapping, f"a mapping with {expected}")
    missing = [way for way in ways if way not in params]
    if missing:
        raise ValueError(f"params lacks {', '.join(missing)}; expected {expected}")
    nets = {way: as_params(params[way])._asdict() for way in ways}
    sizes = {way: (net["U"].shape[-1], *net["c"].shape) for way, net in nets.items()}
    if any(net["W"].ndim > 2 for net in nets.values()) or len(set(sizes.values())) > 1:
        raise ValueError(
            f"params have inputs and outputs {brief(sizes)}; expected as many in each network, "
            "without seeds"
        )
    return nets


def _as_lengths(lengths, shape):
    """Return lengths that fit sequences of (T,) or (T, B, ...), or refuse them."""
    if lengths is None:
        return np.array(shape[0])
    lengths = as_tokens("lengths", lengths, shape[0] + 1)
    if lengths.shape not in ((), shape[1:2]) or not lengths.all():
        raise ValueError(
            f"lengths are {brief(lengths)}; expected from 1 to {shape[0]}, for shape {shape}"
        )
    return lengths


def _as_picture(x, U):
    """Return tokens (I, J) or vectors (I, J, n_x), or refuse them."""
    x = as_array("x", x)
    tokens = x.dtype.kind in "iu"
    x = as_tokens("x", x, U.shape[-1]) if tokens else as_real("x", x, U.dtype)
    wanted = (2, ()) if tokens else (3, U.shape[-1:])
    if (x.ndim, x.shape[2:]) != wanted or 0 in x.shape:
        raise ValueError(
            f"x has shape {x.shape} and dtype {x.dtype}; expected (I, J) integer tokens, or "
            f"(I, J, {U.shape[-1]}) vectors"
        )
    return x
