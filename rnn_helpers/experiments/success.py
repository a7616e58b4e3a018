"""Several networks that try to learn one task, side by side: how many have made it, and when."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from rnn_helpers.experiments.stats import rate_interval
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
"""A network has learned a task when more than this share of its answers to new sequences is right.
"""

_TEST_SEQUENCES = 500
_PLAIN = SGD(0.1)


@dataclass(frozen=True, eq=False)
class Attempts:
    """What became, so far, of S networks that learn the same task.

    Attributes
    ----------
    steps : ndarray of int, shape (n,)
        Training steps after which they were tested.
    accuracy : ndarray, shape (n, S)
        Share of right answers to new sequences at each test.
    params : dict of ndarray
        The networks now, on a leading axis of length S.
    """

    steps: np.ndarray
    accuracy: np.ndarray
    params: dict = field(repr=False)

    @property
    def succeeded(self) -> np.ndarray:
        """Whether each network has learned the task by now, shape (S,)."""
        return self.accuracy[-1] > SUCCESS

    def row(self) -> dict:
        """Count the networks that have learned the task by now.

        Returns
        -------
        dict
            ``successes`` ``of`` how many, the ``rate`` with its 95 % interval from ``low`` to
            ``high``, and the ``accuracy`` of each.
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
        """Draw the accuracy of each network, and the share of those that have learned the task.

        Returns
        -------
        rnn_helpers.plots.Plot
        """
        from rnn_helpers.plots import success_curves

        return success_curves(self.steps, self.accuracy, threshold=SUCCESS)


def start(task, kind: str, seeds: Sequence[int], *, n_h: int = 10, radius: float | None = None):
    """Networks that differ in nothing but ``W`` between kinds, and the minibatches' generators.

    Parameters
    ----------
    task, kind, seeds, n_h, radius
        As for `attempts`.

    Returns
    -------
    params : dict of ndarray
        float32, with a leading axis of seeds.
    generators : list of numpy.random.Generator
        One for each seed, independent of its parameters.
    """
    seeds = [as_count("each of seeds", seed, 0, MOST_SEED) for seed in as_list("seeds", seeds)]
    if not seeds:
        raise ValueError("seeds is empty, expected at least one")
    # Not the seed itself: the same numbers would come as weights and again as inputs.
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
    """Train tanh networks on a task, one for each seed, and test them as they go.

    Parameters
    ----------
    task : Latch, SameOpposite or TemporalOrder
        What they learn; one of `rnn_helpers.tasks` with classes.
    n_steps : int
        Time steps T of a sequence.
    kind, radius
        How ``W`` begins; see `rnn_helpers.reference.init_recurrent`.
    seeds : sequence of int
        One network each.
    n_h : int
        Hidden units.
    batch_size : int
        Sequences in a minibatch; each network has its own.
    optimizer : SGD or Adam
        How a gradient becomes a step.
    steps : int
        Training steps.
    every : int, optional
        Steps between two tests; `steps` if left out.

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
    test = next(task.batches(n_steps, _TEST_SEQUENCES, seed=0))  # the same for all, new to all
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
