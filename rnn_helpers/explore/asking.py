"""The lab of memory networks: a network reads facts to answer questions."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.lessons import lessons
from rnn_helpers.tasks import Facts
from rnn_helpers.validate import as_count, as_switch

NAMES = (
    ("Ada", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Joy", "Kai", "Lea"),
    ("key", "book", "lamp", "coat", "drum", "flute", "kite", "map", "ring", "shoe", "cup", "hat"),
    (
        "hall",
        "attic",
        "barn",
        "cellar",
        "garden",
        "kitchen",
        "loft",
        "porch",
        "shed",
        "stable",
        "study",
        "tower",
    ),
)
"""People, things and places: people have things, and things are in places."""
N_FACTS, WIDTH, BATCH, RATE, TESTED = 4, 24, 64, 0.02, 400


class Asked(NamedTuple):
    """The answer of a memory network to one question, after some training.

    Attributes
    ----------
    steps : int
        Steps of training so far.
    question : str
        The person in the question.
    facts : list of str
        Such as ``"Ada: key"``, in the order of the input.
    weights : ndarray, shape (hops, n)
        Weight of each fact in each read.
    answer, truth : str
        The answer of the network, and the right answer.
    right : float
        Share of right answers to new questions.
    found : float
        Share of new questions for which each read has its largest weight on the right fact.
    """

    steps: int
    question: str
    facts: list
    weights: np.ndarray
    answer: str
    truth: str
    right: float
    found: float


def ask(
    hops: int = 2,
    address: str = "soft",
    *,
    told: bool = False,
    steps: int = 1200,
    every: int = 200,
    seed: int = 0,
) -> Iterator[Asked]:
    """Train a memory network to answer questions from facts that are new each time.

    Needs torch.

    Parameters
    ----------
    hops : int
        1: people are in places; 2: people have things, and things are in places.
    address : {"soft", "hard"}
        As for `Lookup`.
    told : bool
        Whether the loss includes the facts that lead to the answer.
    steps, every : int
        Training steps in all, and between two results.
    seed : int
        Seed of the weights, the facts and the questions.
    """
    hops, seed = as_count("hops", hops, most=2), as_count("seed", seed, 0)
    as_switch("told", told)
    return _ask(hops, address, told, as_count("steps", steps), as_count("every", every), seed)


def _ask(hops, address, told, steps, every, seed):
    from rnn_helpers.nets import torch  # noqa: F401 - explains what is missing without torch
    from rnn_helpers.nets.lookup import Lookup

    task = Facts(len(NAMES[0]), N_FACTS, hops)
    names = [name for kind in (NAMES if hops == 2 else NAMES[::2]) for name in kind]

    def batches(size, part):
        return task.batches(size, [np.random.default_rng([seed, part])])

    net = Lookup(task.n_x, WIDTH, task.n_y, [seed], hops, address)
    test, options = next(batches(TESTED, 1)), {"supervision": 1.0} if told else {}
    about, says, asked, y, where = (part[0] for part in test)
    facts = [f"{names[i]}: {names[j]}" for i, j in zip(about[0], says[0], strict=True)]
    lesson = batches(BATCH, 2)
    for so_far in lessons(net, lesson, steps=steps, every=every, rate=RATE, **options):
        o, weights = (part[0] for part in net.looks(so_far.params, test))
        found = (weights.argmax(axis=-1) == where).all(axis=-1)
        answers = names[-task.n_y :]
        yield Asked(
            len(so_far.loss),
            names[asked[0]],
            facts,
            weights[0],
            answers[o[0].argmax()],
            answers[y[0]],
            float((o.argmax(axis=-1) == y).mean()),
            float(found.mean()),
        )
