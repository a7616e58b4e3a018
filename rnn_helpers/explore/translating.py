"""The networks of the lab on dates, one with attention and one with a single vector."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.lessons import lessons
from rnn_helpers.tasks import Dates
from rnn_helpers.validate import as_choice, as_count

LOOKS, FIXED = "attention", "one vector"
UNITS = {LOOKS: 20, FIXED: 21}
NUMBERS, BATCH, RATE, TESTED = 20, 32, 0.02, 100
LOCALES = {
    "American": ("en_US",),
    "American and Spanish": ("en_US", "es_ES"),
    "five locales": ("en_US", "en_GB", "de_DE", "es_ES", "fr_FR"),
}


class Translated(NamedTuple):
    """Results of two networks after some steps of training.

    Attributes
    ----------
    steps : int
        Steps of training so far.
    right : dict of str to float
        Share of 100 new dates that each network writes correctly, and the expected share of always
        choosing the most likely reading.
    text : str
        One of these dates.
    written : list of str
        The output of the network with attention for this date, as symbols.
    weights : ndarray, shape (T, m)
        Its attention weights for each of these symbols.
    """

    steps: int
    right: dict
    text: str
    written: list
    weights: np.ndarray


def translate_dates(
    formats="American", lengths=("medium",), *, steps=200, every=50, seed=0
) -> Iterator[Translated]:
    """Train two networks side by side on dates in the chosen formats.

    One has attention, and the other receives one vector; they have almost the same number of
    weights. Needs torch.

    Parameters
    ----------
    formats : {"American", "American and Spanish", "five locales"}
    lengths : sequence of {"short", "medium", "long", "full"}
    steps, every : int
        Steps of training in all, and between two pictures.
    seed : int
        Draws the weights and the dates.
    """
    task = Dates(LOCALES[as_choice("formats", formats, LOCALES)], lengths)
    steps, every = as_count("steps", steps), as_count("every", every)
    return _translate(task, steps, every, as_count("seed", seed, 0))


def _translate(task, steps, every, seed):
    from rnn_helpers.nets import Translator

    n_x = len(task.alphabet)
    nets = {
        way: Translator(n_x, n_h, NUMBERS, task.END + 1, [seed], way == LOOKS, True)
        for way, n_h in UNITS.items()
    }
    rng = np.random.default_rng([seed, 3])
    x, lengths, y = next(task.batches(TESTED, rng))
    best = task.best_accuracy(_texts(task, x, lengths))
    runs = [
        lessons(
            net,
            (
                (x, y, lengths)
                for x, lengths, y in task.batches(BATCH, np.random.default_rng([seed, 2]))
            ),
            steps=steps,
            every=every,
            rate=RATE,
        )
        for net in nets.values()
    ]
    for parts in zip(*runs, strict=True):
        made = dict(zip(nets, parts, strict=True))
        right = {
            way: float(net.accuracy(made[way].params, (x, y, lengths))[0])
            for way, net in nets.items()
        }
        looked = _looked(task, nets[LOOKS], made[LOOKS].params, x, lengths)
        yield Translated(len(parts[0].loss), right | {"at best": best}, *looked)


def _texts(task, x, lengths):
    """Return the texts that symbols (n, B) stand for."""
    return ["".join(task.alphabet[k] for k in x[:n, i]) for i, n in enumerate(lengths)]


def _looked(task, net, params, x, lengths):
    """Return a date, the network's output for it, and the attention weights."""
    n = lengths[0]
    one = x[:n, :1]
    y = net.write(params, one, task.END)[:, 0]
    _, weights = net.outputs(params, (one, y))
    (text,) = _texts(task, one, [n])
    return text, [(*task.OUTPUT, "end")[k] for k in y[:, 0]], weights[:, :, 0, 0].astype(float)
