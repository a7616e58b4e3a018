"""The captioner of the lab: an encoder and a decoder, trained together."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.lessons import lessons
from rnn_helpers.reference.context import DOORS
from rnn_helpers.tasks import TwoDigits
from rnn_helpers.validate import as_choice, as_count

TASK = TwoDigits()
UNITS, BATCH, RATE, TESTED, SHOWN = 48, 32, 0.004, 200, 4
EYE = {"channels": (16, 32), "n_c": 64}
HEARD, NEVER = "trained sentences", "held-out sentences"


class Captioned(NamedTuple):
    """The accuracy of a captioner after some training steps, on new images of digits.

    Attributes
    ----------
    steps : int
        Steps of training so far.
    pictures : ndarray, shape (4, 20, 20)
        The first half shows trained sentences, the second half held-out ones.
    said, true : list of str
        The network's captions of these pictures, and the correct ones.
    right : dict of str to float
        Share of captions that are right, for trained and for held-out sentences.
    """

    steps: int
    pictures: np.ndarray
    said: list
    true: list
    right: dict


def caption_digits(door="both", *, steps=800, every=100, seed=0) -> Iterator[Captioned]:
    """Train a captioner on pictures of two digits, for all but 20 of the 200 sentences.

    Needs torch.

    Parameters
    ----------
    door : {"step", "start", "both"}
        Where the picture enters.
    steps, every : int
        Training steps in all, and between two results.
    seed : int
        Seed of the weights and the pictures.
    """
    as_choice("door", door, DOORS)
    steps, every = as_count("steps", steps), as_count("every", every)
    return _caption(door, steps, every, as_count("seed", seed, 0))


def _caption(door, steps, every, seed):
    from rnn_helpers.nets import Captioner

    net = Captioner(TASK.SIDE, UNITS, len(TASK.WORDS), [seed], door, **EYE)
    tests = {name: _tests(seed, kind) for name, kind in ((HEARD, "seen"), (NEVER, "new"))}
    parts = lessons(net, TASK.batches(BATCH, [seed]), steps=steps, every=every, rate=RATE)
    for so_far in parts:
        right, shown = {}, []
        for name, (pictures, y) in tests.items():
            said = _said(net, so_far.params, pictures)
            right[name] = float((said == y).all(axis=0).mean())
            shown += list(zip(pictures, said.T, y.T, strict=True))[: SHOWN // len(tests)]
        pictures, said, true = zip(*shown, strict=True)
        yield Captioned(
            len(so_far.loss),
            np.array(pictures),
            [TASK.sentence(words) for words in said],
            [TASK.sentence(words) for words in true],
            right,
        )


def _said(net, params, pictures):
    """Return a network's captions of pictures as words (5, B), padded with ends."""
    written = net.write(params, pictures, TASK.end, most=TASK.longest)[:, 0]
    said = np.full((TASK.longest, len(pictures)), TASK.end)
    said[: len(written)] = written
    return said


def _tests(seed, kind):
    """Return pictures and sentences for tests, with new images of digits."""
    rng = np.random.default_rng([seed, 3])
    return next(TASK.batches(TESTED, rng, held_out=True, combinations=kind))
