"""Train a network on a list of words and return the probabilities that it gives them."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.experiments.listening import network
from rnn_helpers.explore.lessons import lessons
from rnn_helpers.reference import softmax
from rnn_helpers.tasks import Lexicon
from rnn_helpers.validate import as_count

UNITS, LETTERS, BATCH, RATE, TESTED = 24, 24, 16, 0.02, 200


class Heard(NamedTuple):
    """The network's probabilities for one text, after some steps of training.

    Attributes
    ----------
    steps : int
        Steps of training so far.
    yhat : ndarray, shape (T, n_y)
        Probability of each word at each letter of the text.
    right, best : float
        Share of letters in new texts at which the network names the right word, and the best
        possible share with the same letters given.
    """

    steps: int
    yhat: np.ndarray
    right: float
    best: float


def listen(
    words,
    text: str,
    wait: int | None = 0,
    *,
    steps: int = 300,
    every: int = 50,
    seed: int = 0,
) -> Iterator[Heard]:
    """Train a network and yield its probabilities for the text as training proceeds.

    With a delay, the network is one-way; with None, it is bidirectional. Needs torch.

    Parameters
    ----------
    words : sequence of str
        As for `Lexicon`.
    text : str
        Any sequence of these words' letters.
    wait : int, optional
        The delay in letters; None for a bidirectional network.
    steps, every : int
        Number of training steps, and of steps between two results.
    seed : int
        Draws the weights and the texts.

    Yields
    ------
    Heard
    """
    task = Lexicon(words)
    x = task.read(text)
    if not len(x):
        raise ValueError("text is empty; expected at least one letter")
    steps, every, seed = (
        as_count("steps", steps),
        as_count("every", every),
        as_count("seed", seed, 0),
    )
    best = task.optimum(LETTERS, wait)
    return _listen(task, x, wait, best, steps, every, seed)


def _listen(task, x, wait, best, steps, every, seed):
    net = network(wait, task.n_x, UNITS, task.n_y, [seed])
    told, asked = next(task.batches(LETTERS, TESTED, [[seed, 3]]))
    lesson = task.batches(LETTERS, BATCH, [[seed, 2]])
    for so_far in lessons(net, lesson, steps=steps, every=every, rate=RATE):
        o = net.outputs(so_far.params, x[:, None, None])[:, 0, 0]
        right = (net.outputs(so_far.params, told).argmax(axis=-1) == asked).mean()
        yield Heard(len(so_far.loss), softmax(o.astype(float)), float(right), best)
