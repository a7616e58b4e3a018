"""What the laboratory of scheduled sampling trains: networks that hear themselves now and then."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.tasks import Oscillator, with_coins
from rnn_helpers.training import Adam, fit_in_parts
from rnn_helpers.validate import as_count, as_number

WAVE = Oscillator()
READS = int(WAVE.period)  # steps at the beginning that are fed the truth in any case: once round
UNITS, LENGTH, BATCH, ALONE = 20, 46, 8, 138
TOLD, YOURS = "always told the truth", "your schedule"


class Practised(NamedTuple):
    """How far two networks are, after some steps of training.

    Attributes
    ----------
    steps : int
        Steps of training so far.
    wave : ndarray, shape (T,)
        A wave, of which the first `READS` steps are told.
    said, errors : dict of str to ndarray, shape (T,)
        What each network says of it, alone after that, and how far that is from it.
    told : dict of str to float
        Mean error of each network where it is told the truth at every step.
    """

    steps: int
    wave: np.ndarray
    said: dict
    errors: dict
    told: dict


def practise(first, last, *, steps=300, every=50, seed=0) -> Iterator[Practised]:
    """Train a network on a schedule, and its twin that is always told the truth, side by side.

    Both have 20 tanh units that keep a state and hear an output, and learn to say what comes next
    of a wave and its overtone. Needs torch.

    Parameters
    ----------
    first, last : float
        Share of truth, from 0 to 1, at the beginning and at the end of training; between them it
        changes evenly.
    steps, every : int
        Steps of training, and between two pictures.
    seed : int
        Draws the weights, the waves and the coins.
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

    names = [TOLD, YOURS]
    net = OutputRecurrent(0, UNITS, WAVE.n_y, [seed, seed])
    waves = WAVE.batches(LENGTH, BATCH, [seed, seed])
    batches = with_coins(
        waves, lambda step: [1, first + (last - first) * step / steps], [seed, seed], READS
    )
    settings = {"steps": steps, "every": every, "optimizer": Adam(0.01), "clip": 1.0}
    wave = WAVE.wave(READS + ALONE, [0.0])
    alone = np.arange(len(wave))[:, None] >= READS
    for so_far in fit_in_parts(net.loss_and_grads, net.params(), batches, **settings):
        free, told = (
            dict(
                zip(names, net.outputs(so_far.params, (None, wave, own))[..., 0, 0].T, strict=True)
            )
            for own in (alone, np.zeros_like(alone))
        )
        target = wave[:, 0, 0]
        errors = {name: np.abs(said - target) for name, said in free.items()}
        mean = {name: float(np.abs(said - target)[READS:].mean()) for name, said in told.items()}
        yield Practised(len(so_far.loss), target, free, errors, mean)
