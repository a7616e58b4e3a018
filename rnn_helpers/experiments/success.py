"""Train several networks on one task side by side, and count the ones that learn it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.experiments.words import at_edges, grouped
from rnn_helpers.reference import init_recurrent, init_rnn
from rnn_helpers.tasks import Latch, SameOpposite, TemporalOrder, accuracy, character_model
from rnn_helpers.training import SGD, Adam, fit_in_parts
from rnn_helpers.validate import (
    MOST_SEED,
    as_count,
    as_kind,
    as_list,
)

SUCCESS = 0.95
"""A network has learned a task if it gets more than this share of new sequences right."""

_TEST_SEQUENCES = 500
_PLAIN = SGD(0.1)


def edges_and_stuck(rows: Iterable[dict], *columns: str, each: str = "") -> dict[str, str]:
    """Name the cells at an edge as `at_edges` does: ``edges`` if a network learned, else ``stuck``.

    These are the numbers for the sentences `AT_EDGES` and `STUCK`.
    """
    learned, stuck = [], []
    for mine in grouped(rows, *columns).values():
        (learned if any(row["right"] > SUCCESS for row in mine) else stuck).extend(mine)
    return {
        "edges": at_edges(learned, *columns, each=each),
        "stuck": at_edges(stuck, *columns, each=each),
    }


@dataclass(frozen=True, eq=False)
class Attempts:
    """Results so far of S networks that are trained on the same task.

    Attributes
    ----------
    steps : ndarray of int, shape (n,)
        Numbers of training steps after which the networks were tested.
    accuracy : ndarray, shape (n, S)
        Share of new sequences that each network got right in each test.
    params : dict of ndarray
        Current parameters, with a leading axis of length S.
    """

    steps: np.ndarray
    accuracy: np.ndarray
    params: dict = field(repr=False)

    @property
    def succeeded(self) -> np.ndarray:
        """Whether each network has learned the task so far, shape (S,)."""
        return self.accuracy[-1] > SUCCESS

    def row(self) -> dict:
        """Count the networks that have learned the task so far.

        Returns
        -------
        dict
            ``successes``, the number of networks that have learned the task, ``of`` all; the
            ``rate`` with its 95 % interval from ``low`` to ``high``; and the ``accuracy`` of each.
        """
        successes = int(self.succeeded.sum())
        trials = len(self.succeeded)
        rate, low, high = rate_interval(successes, trials)
        return {
            "successes": successes,
            "of": trials,
            "rate": rate,
            "low": low,
            "high": high,
            "accuracy": self.accuracy[-1],
        }

    def plot(self):
        """Plot the accuracy of each network and the share of networks that have learned the task.

        Returns
        -------
        rnn_helpers.plots.Plot
        """
        from rnn_helpers.plots import success_curves

        return success_curves(self.steps, self.accuracy, threshold=SUCCESS)


def start(task, kind: str, seeds: Sequence[int], *, n_h: int = 10, radius: float | None = None):
    """Initialize networks whose other parameters don't depend on the kind of ``W``.

    Parameters
    ----------
    task, kind, seeds, n_h, radius
        As for `attempts`.

    Returns
    -------
    params : dict of ndarray
        float32, with a leading axis of seeds.
    generators : list of numpy.random.Generator
        Source of the minibatches of each seed, independent of its parameters.
    """
    seeds = [as_count("each of seeds", seed, 0, MOST_SEED) for seed in as_list("seeds", seeds)]
    if not seeds:
        raise ValueError("seeds is empty, expected at least one")
    # With the seed itself, the same random numbers would become weights and inputs.
    parts = [np.random.default_rng(seed).spawn(3) for seed in seeds]
    others, recurrent, data = map(list, zip(*parts, strict=True))
    params = init_rnn(task.n_x, n_h, task.n_y, seed=others, dtype=np.float32)
    W = init_recurrent(kind, n_h, recurrent, radius=radius, dtype=np.float32)
    return params | {"W": W}, data


def attempts(
    task: Latch | SameOpposite | TemporalOrder,
    n_steps: int,
    kind: str = "default",
    *,
    radius: float | None = None,
    seeds: Sequence[int] = range(20),
    n_h: int = 10,
    batch_size: int = 16,
    optimizer: SGD | Adam = _PLAIN,
    steps: int = 1500,
    every: int | None = None,
) -> Iterator[Attempts]:
    """Train tanh networks on a task, one for each seed, and test them during training.

    Parameters
    ----------
    task : Latch, SameOpposite or TemporalOrder
        Task with classes, from `rnn_helpers.tasks`.
    n_steps : int
        Time steps T of a sequence.
    kind, radius
        Initialization of ``W``; see `rnn_helpers.reference.init_recurrent`.
    seeds : sequence of int
        Seeds, one for each network.
    n_h : int
        Number of hidden units.
    batch_size : int
        Number of sequences in a minibatch. Each network has its own minibatches.
    optimizer : SGD or Adam
        Optimizer.
    steps : int
        Number of training steps.
    every : int, optional
        Number of training steps between two tests; by default `steps`.

    Yields
    ------
    Attempts
        After each test.

    Raises
    ------
    TypeError
        If a setting has the wrong type.
    ValueError
        If a setting is out of range, the kind is unknown or there is no seed.
    """
    as_kind("task", task, Latch | SameOpposite | TemporalOrder, "a task with classes")
    params, data = start(task, kind, seeds, n_h=n_h, radius=radius)
    test = next(task.batches(n_steps, _TEST_SEQUENCES, seed=0))  # new to all networks
    done, seen = [], []
    for history in fit_in_parts(
        character_model(),
        params,
        task.batches(n_steps, batch_size, data),
        steps=steps,
        every=steps if every is None else every,
        optimizer=optimizer,
    ):
        done.append(len(history.loss))
        seen.append(accuracy(history.params, test))
        yield Attempts(np.array(done), np.array(seen), history.params)
