"""Training for the laboratory of scheduled sampling."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.tasks import Oscillator, with_coins
from rnn_helpers.training import Adam, fit_in_parts
from rnn_helpers.validate import as_count, as_number

WAVE = Oscillator()
READS = int(WAVE.period)  # the first steps, one period, are always fed the truth
UNITS, LENGTH, BATCH, FREE = 20, 46, 8, 138
TRUTH, YOURS = "always fed the truth", "your schedule"


class Practised(NamedTuple):
    """The outputs of two networks after some steps of training.

    Attributes
    ----------
    steps : int
        Number of steps of training so far.
    wave : ndarray, shape (T,)
        A wave. The networks are fed its first `READS` steps and then run free.
    said, errors : dict of str to ndarray, shape (T,)
        The outputs of each network, and their distances from the wave.
    """

    steps: int
    wave: np.ndarray
    said: dict
    errors: dict


def practise(first, last, *, steps=500, every=50, seed=0) -> Iterator[Practised]:
    """Train a network on a schedule, and a twin that is always fed the truth.

    Both have 20 tanh units with a state, are fed an output at each step, and learn to predict the
    next value of a wave with an overtone. The learning rate falls to 0. Needs torch.

    Parameters
    ----------
    first, last : float
        Share of truth, from 0 to 1, at the beginning and at the end of training; it changes in a
        straight line.
    steps, every : int
        Number of steps of training, in all and between two results.
    seed : int
        Source of the weights, of the waves and of the random choices.
    """
    first, last = (
        as_number(name, share, "a number from 0 to 1", lambda value: 0 <= value <= 1)
        for name, share in (("first", first), ("last", last))
    )
    steps, every, seed = (
        as_count("steps", steps),
        as_count("every", every),
        as_count("seed", seed, 0),
    )
    return _practise(first, last, steps, every, seed)


def _practise(first, last, steps, every, seed):
    from rnn_helpers.nets import OutputRecurrent

    net = OutputRecurrent(0, UNITS, WAVE.n_y, [seed, seed])
    waves = WAVE.batches(LENGTH, BATCH, [seed, seed])
    batches = with_coins(
        waves, lambda step: [1, first + (last - first) * step / steps], [seed, seed], READS
    )
    optimizer = Adam(lambda step: 0.01 * (1 - (step - 1) / steps))
    settings = {"steps": steps, "every": every, "optimizer": optimizer, "clip": 1.0}
    wave = WAVE.wave(READS + FREE, [0.0])
    own = np.arange(len(wave))[:, None] >= READS
    for so_far in fit_in_parts(net.loss_and_grads, net.params(), batches, **settings):
        outputs = net.outputs(so_far.params, (None, wave, own))[..., 0, 0]
        said = dict(zip([TRUTH, YOURS], outputs.T, strict=True))
        errors = {name: np.abs(row - wave[:, 0, 0]) for name, row in said.items()}
        yield Practised(len(so_far.loss), wave[:, 0, 0], said, errors)
