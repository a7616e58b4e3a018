"""The networks of the figure rhyme, and how they learned the rhyme."""

import base64
from itertools import repeat

import numpy as np

from rnn_helpers.explore.weights import middle, rounded, scaled
from rnn_helpers.figures.rhyme.figure import ALPHABET, CONSTANTS, mistakes, truth
from rnn_helpers.reference import init_rnn
from rnn_helpers.tasks import character_model
from rnn_helpers.training import Adam, fit

UNITS = 32
RATE = 0.01
LARGEST = 2047
MOST_LETTERS = 15_000


def make(seeds=range(5), steps=600):
    """Train networks on the rhyme, and keep one of those fed the truth and one of the others.

    All networks have 32 tanh units. At the first step, the input is the line break that ends the
    rhyme. After that it is the true letter before, or, for the second kind, the true letter with a
    probability that falls from 1 to 0.5 during the training, and otherwise a letter that the
    network sampled. The target is always the true letter. The loss is the mean over
    the letters, the optimizer is Adam with a rate that falls to 0, and weights are rounded to 12
    bits. Of each kind, the network with the median number of slips without a further mistake is
    kept.

    Parameters
    ----------
    seeds : sequence of int
        A network of each kind is trained for each.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        For ``truth`` and for ``practice``: ``weights``, whole numbers of at most 2047 in absolute
        value, two bytes each, in base 64; the ``shapes`` of the arrays, and the ``scales`` by which
        they are multiplied.
    """
    seeds = list(seeds)
    return {
        "truth": _kept([_train(seed, steps) for seed in seeds]),
        "practice": _kept(_practice(seeds, steps)),
    }


def _kept(networks):
    """Round networks, and pack the middle one."""
    networks = [rounded(network, CONSTANTS.ARRAYS, LARGEST) for network in networks]
    lost = [np.count_nonzero(mistakes(scaled(net, CONSTANTS.ARRAYS))) for net in networks]
    kept = networks[middle(np.array([lost]))[1]]
    data = b"".join(np.array(whole, "<i2").tobytes() for whole in kept["whole"])
    return {
        "weights": base64.b64encode(data).decode(),
        "shapes": dict(zip(CONSTANTS.ARRAYS, map(list, map(np.shape, kept["whole"])), strict=True)),
        "scales": kept["scales"],
    }


def _train(seed, steps):
    """Return the weights of a network trained by teacher forcing."""
    y = truth()
    batches = repeat((np.roll(y, 1)[:, None], y[:, None]))
    return _fit(character_model(), _initial(seed), batches, steps)


def _practice(seeds, steps):
    """Return the weights of networks trained by scheduled sampling, side by side."""
    initial = [_initial(seed) for seed in seeds]
    stacked = {name: np.stack([each[name] for each in initial]) for name in initial[0]}
    model, y, rng = character_model(), truth(), np.random.default_rng(seeds)

    def loss_and_grads(params, share):
        return model(params, (fed(params, share, rng)[..., None], y[:, None]))

    shares = (1 - step / (2 * steps) for step in range(steps))
    made = _fit(loss_and_grads, stacked, shares, steps)
    return [{name: made[name][k] for name in made} for k in range(len(seeds))]


def fed(params, share, rng):
    """Let networks write the rhyme, and return the letters that they are fed, of shape (T, S).

    Parameters
    ----------
    params : dict of ndarray
        ``U, W, b, V, c`` of S networks.
    share : float
        Probability that a letter is the true one. Otherwise the network samples it.
    rng : Generator
    """
    U, W, b, V, c = (params[name] for name in CONSTANTS.ARRAYS)
    y, networks = truth(), range(len(b))
    h, inputs = np.zeros_like(b), [np.full(len(b), y[-1])]
    for true in y[:-1]:
        h = np.tanh(U[networks, :, inputs[-1]] + np.einsum("sij,sj->si", W, h) + b)
        o = np.einsum("ski,si->sk", V, h) + c
        own = (o + rng.gumbel(size=o.shape)).argmax(axis=-1)  # a sample of the softmax
        inputs.append(np.where(rng.random(len(b)) < share, true, own))
    return np.array(inputs)


def _initial(seed):
    n = len(ALPHABET)
    return init_rnn(n, UNITS, n, seed)


def _fit(model, params, batches, steps):
    return fit(
        model,
        params,
        batches,
        steps=steps,
        optimizer=Adam(lambda step: RATE * (1 - (step - 1) / steps)),
        clip=1.0,
    ).params
