"""Train a recurrent network with the depth that the reader chooses in the lab."""

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
        The places where it is deep.
    weights, arrows : int
        The number of parameters; the number of arrows on the shortest path from the first letter to
        the answer.
    steps : list of int
        The training steps after which it was tested.
    right : list of float
        The share of right answers on new sequences at each of these steps.
    """

    name: str
    weights: int
    arrows: int
    steps: list
    right: list


def build(
    depth: Depth, length: int = 20, *, steps: int = 400, every: int = 50, seed: int = 0
) -> Iterator[Built]:
    """Train a network with 20 units per layer to output the order of two letters; needs torch.

    Parameters
    ----------
    depth : Depth
        The places where the network is deep.
    length : int
        Number of letters in a sequence of `TemporalOrder`, 10 or more.
    steps, every : int
        Number of training steps, and of steps between two tests.
    seed : int
        Seed of the weights and the sequences.
    """
    as_kind("depth", depth, Depth, "a Depth")
    length, seed = as_count("length", length, 10), as_count("seed", seed, 0)
    return _build(depth, length, as_count("steps", steps), as_count("every", every), seed)


def _build(depth, length, steps, every, seed):
    from rnn_helpers.nets import torch  # noqa: F401 - raises an error with advice without torch
    from rnn_helpers.nets.deep import Deep

    task = TemporalOrder()

    def batches(size, part):
        return task.batches(length, size, [np.random.default_rng([seed, part])])

    net, test = Deep(depth, task.n_x, UNITS, task.n_y, [seed]), next(batches(TESTED, 1))
    path = deep_circuit(depth).unfold(length).shortest_path(("x", 1), ("o", length))
    weights = sum(array[0].size for array in net.params().values())
    tested, right = [], []
    for so_far in lessons(net, batches(BATCH, 2), steps=steps, every=every, rate=RATE):
        tested.append(len(so_far.loss))
        right.append(float(net.accuracy(so_far.params, test)[0]))
        yield Built(named(depth), weights, len(path) - 1, list(tested), list(right))


def named(depth: Depth) -> str:
    """Name a network by its extra layers."""
    as_kind("depth", depth, Depth, "a Depth")
    words = [f"stack of {depth.states}"] if depth.states > 1 else []
    counts = {"after the input": depth.input, "between states": depth.transition}
    counts |= {"before the output": depth.output}
    words += [f"{n} layer{'s' * (n > 1)} {where}" for where, n in counts.items() if n]
    return ", ".join(words + ["skip"] * depth.skip) or "shallow"
