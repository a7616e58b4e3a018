"""What the laboratory of depth trains: a recurrent network, deep where the reader wants it."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.lessons import lessons
from rnn_helpers.reference import Depth, deep_circuit
from rnn_helpers.tasks import TemporalOrder
from rnn_helpers.validate import as_count, as_kind

UNITS, BATCH, RATE, TESTED = 20, 32, 0.005, 400


class Built(NamedTuple):
    """A network after some steps of training.

    Attributes
    ----------
    name : str
        Where it is deep.
    weights, arrows : int
        Its parameters; arrows of the shortest way from the first letter to the answer.
    steps : list of int
        Steps of training after which it was asked.
    right : list of float
        Share of new sequences that it answered right, at each of these.
    """

    name: str
    weights: int
    arrows: int
    steps: list
    right: list


def build(
    depth: Depth, length: int = 20, *, steps: int = 400, every: int = 50, seed: int = 0
) -> Iterator[Built]:
    """Train a network of 20 units in each layer to say in which order two letters came.

    Needs torch.

    Parameters
    ----------
    depth : Depth
        Where it is deep.
    length : int
        Letters of a sequence, 10 or more, as `TemporalOrder` draws them.
    steps, every : int
        Steps of training, and between two results.
    seed : int
        Draws the weights and the sequences.
    """
    as_kind("depth", depth, Depth, "a Depth")
    length, seed = as_count("length", length, 10), as_count("seed", seed, 0)
    return _build(depth, length, as_count("steps", steps), as_count("every", every), seed)


def _build(depth, length, steps, every, seed):
    from rnn_helpers.nets import torch  # noqa: F401 - says what is missing where it is not
    from rnn_helpers.nets.deep import Deep

    task = TemporalOrder()

    def batches(size, part):
        return task.batches(length, size, [np.random.default_rng([seed, part])])

    net, test = Deep(depth, task.n_x, UNITS, task.n_y, [seed]), next(batches(TESTED, 1))
    way = deep_circuit(depth).unfold(length).shortest_path(("x", 1), ("o", length))
    weights = sum(array[0].size for array in net.params().values())
    asked, right = [], []
    for so_far in lessons(net, batches(BATCH, 2), steps=steps, every=every, rate=RATE):
        asked.append(len(so_far.loss))
        right.append(float(net.accuracy(so_far.params, test)[0]))
        yield Built(named(depth), weights, len(way) - 1, list(asked), list(right))


def named(depth: Depth) -> str:
    """Say where a network is deep, in a few words."""
    as_kind("depth", depth, Depth, "a Depth")
    counts = {"states": depth.states - 1 and depth.states, "from the input": depth.input}
    counts |= {"between": depth.transition, "to the output": depth.output}
    words = [f"{n} {where}" for where, n in counts.items() if n]
    return ", ".join(words + ["skipped"] * depth.skip) or "shallow"
