"""Four artificial tasks in which the answer depends on inputs from long ago.

Each task has one answer, at the last step. The mask of a minibatch counts only that step.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rnn_helpers.reference import rnn_forward
from rnn_helpers.tasks.language import _count, _parts
from rnn_helpers.validate import (
    as_count,
    as_generators,
    as_mask,
    as_number,
    as_switch,
    as_targets,
    convert_count,
)


class _Task(ABC):
    """A task with sequences that have one answer, at their last step."""

    @property
    @abstractmethod
    def n_x(self) -> int:
        """Number of inputs of a network for this task, or number of different tokens."""

    @property
    @abstractmethod
    def n_y(self) -> int:
        """Number of outputs of a network for this task, or number of classes."""

    @property
    @abstractmethod
    def least_steps(self) -> int:
        """Length of the shortest possible sequences."""

    @abstractmethod
    def _draw(self, n_steps, batch_size, rng) -> tuple[np.ndarray, np.ndarray]:
        """Draw inputs (T, B[, n_x]) and answers (B,)."""

    def batches(
        self,
        n_steps: int,
        batch_size: int,
        seed: int | np.random.Generator | Sequence[int] | np.ndarray,
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Draw an endless series of minibatches.

        Parameters
        ----------
        n_steps : int
            Time steps T, at least `least_steps`.
        batch_size : int
            Number of sequences B in a minibatch.
        seed : int, Generator, or sequence of these
            Source of the sequences. S seeds draw S independent minibatches, on an axis of seeds.

        Yields
        ------
        x : ndarray, shape (T, B, n_x) of float or (T, B) of int; (T, S, B[, n_x]) with S seeds
            Inputs, as vectors or as tokens.
        y : ndarray, shape (T, B); (T, S, B) with S seeds
            The answer, repeated at every step: a class, or a number for `Adding`.
        mask : ndarray of bool, shape (T, B)
            True only at the last step.
        """
        n_steps = as_count("n_steps", n_steps, self.least_steps)
        batch_size = as_count("batch_size", batch_size)
        rngs, several = as_generators(seed)
        return self._batches(n_steps, batch_size, rngs, several)

    def _batches(self, n_steps, batch_size, rngs, several):
        mask = np.zeros((n_steps, batch_size), bool)
        mask[-1] = True
        while True:
            drawn = [self._draw(n_steps, batch_size, rng) for rng in rngs]
            if several:
                x = np.stack([x for x, _ in drawn], axis=1)
                y = np.stack([y for _, y in drawn])
            else:
                x, y = drawn[0]
            yield x, np.broadcast_to(y, (n_steps, *y.shape)), mask


def _noise(scale, n_steps, batch_size, rng):
    """Draw one channel of Gaussian noise, shape (n_steps, batch_size, 1)."""
    return scale * rng.standard_normal((n_steps, batch_size, 1))


def _as_noise(value):
    expected = "a finite standard deviation of at least 0"
    as_number("noise", value, expected, lambda scale: 0 <= scale < np.inf)


@dataclass(frozen=True)
class Latch(_Task):
    """The task of holding one bit: was one early input positive or negative?

    One input is exactly +1 or -1, and all others are Gaussian noise. At the end, class 1 stands for
    +1, and class 0 for -1.

    Parameters
    ----------
    noise : float
        Standard deviation of the noise, at least 0.
    onset : int
        Last step (from 0) at which the value may come. It comes at each step from 0 to `onset` with
        equal probability. With 0, it always comes at the first step.
    marker : bool
        Whether a second channel marks the value: 1 at its step, and 0 at all others.

    Attributes
    ----------
    optimum, baseline : float
        Accuracy of a network that holds the bit, and of guessing.
    """

    noise: float = 0.2
    onset: int = 0
    marker: bool = False

    optimum: ClassVar[float] = 1.0
    baseline: ClassVar[float] = 0.5
    n_y: ClassVar[int] = 2

    def __post_init__(self):
        _as_noise(self.noise)
        convert_count(self, "onset", 0)
        as_switch("marker", self.marker)

    @property
    def n_x(self) -> int:
        """Number of channels: 1, or 2 with a marker."""
        return 1 + self.marker

    @property
    def least_steps(self) -> int:
        """Length of the shortest sequences that contain the last possible onset."""
        return self.onset + 1

    def _draw(self, n_steps, batch_size, rng):
        x = _noise(self.noise, n_steps, batch_size, rng)
        bits = rng.integers(2, size=batch_size)
        onset = rng.integers(self.onset + 1, size=batch_size)
        sequence = np.arange(batch_size)
        x[onset, sequence, 0] = 2 * bits - 1
        if self.marker:
            x = np.concatenate([x, np.zeros_like(x)], axis=-1)
            x[onset, sequence, 1] = 1
        return x, bits


@dataclass(frozen=True)
class SameOpposite(_Task):
    """The task of comparing two inputs: do the first and the last have the same sign?

    The first and the last input are +1 or -1, independently. The inputs in between are Gaussian
    noise. Class 1 stands for the same sign, and class 0 for opposite signs. Either input alone
    contains no information about the class.

    Parameters
    ----------
    noise : float
        Standard deviation of the inputs in between, at least 0.

    Attributes
    ----------
    optimum, baseline : float
        Accuracy of a network that holds the first sign until the end, and of guessing.
    """

    noise: float = 0.2

    optimum: ClassVar[float] = 1.0
    baseline: ClassVar[float] = 0.5
    n_x: ClassVar[int] = 1
    n_y: ClassVar[int] = 2
    least_steps: ClassVar[int] = 2

    def __post_init__(self):
        _as_noise(self.noise)

    def _draw(self, n_steps, batch_size, rng):
        x = _noise(self.noise, n_steps, batch_size, rng)
        ends = rng.integers(2, size=(2, batch_size))
        x[[0, -1], :, 0] = 2 * ends - 1
        return x, (ends[0] == ends[1]).astype(int)


@dataclass(frozen=True)
class TemporalOrder(_Task):
    """The task of remembering two tokens and their order (Hochreiter and Schmidhuber, 1997).

    Two tokens of a sequence are an X or a Y, and all others are distractors. The first of the two
    comes after 10 to 20 % of the sequence, and the second after 50 to 60 %. The classes are XX, XY,
    YX and YY.

    Parameters
    ----------
    n_distractors : int
        Number of different distractors, at least 1. They are numbered from 0, and X and Y come
        after them.

    Attributes
    ----------
    optimum, baseline : float
        Accuracy of a network that holds both tokens, and of guessing. Holding one of them gives
        1/2.
    """

    n_distractors: int = 4

    optimum: ClassVar[float] = 1.0
    baseline: ClassVar[float] = 0.25
    n_y: ClassVar[int] = 4
    least_steps: ClassVar[int] = 2

    def __post_init__(self):
        convert_count(self, "n_distractors")

    @property
    def n_x(self) -> int:
        """Number of different tokens."""
        return self.n_distractors + 2

    def _draw(self, n_steps, batch_size, rng):
        x = rng.integers(self.n_distractors, size=(n_steps, batch_size))
        two = rng.integers(2, size=(2, batch_size))
        first = rng.integers(n_steps // 10, n_steps // 5 + 1, size=batch_size)
        second = rng.integers(n_steps // 2, 3 * n_steps // 5 + 1, size=batch_size)
        x[[first, second], np.arange(batch_size)] = self.n_distractors + two
        return x, 2 * two[0] + two[1]


@dataclass(frozen=True)
class Adding(_Task):
    """The task of adding two marked numbers (Hochreiter and Schmidhuber, 1997).

    The first channel contains numbers drawn uniformly from 0 to 1. The second channel is 1 at one
    step in each half of the sequence, and 0 at all others. The answer is the sum of the two marked
    numbers. It isn't a class, so the loss is the squared error.

    Attributes
    ----------
    optimum, baseline : float
        Mean squared error of the true sum, and of the constant output 1. The variance of a uniform
        number is 1/12, so the variance of a sum of two is 1/6.
    """

    optimum: ClassVar[float] = 0.0
    baseline: ClassVar[float] = 1 / 6
    n_x: ClassVar[int] = 2
    n_y: ClassVar[int] = 1
    least_steps: ClassVar[int] = 2

    def _draw(self, n_steps, batch_size, rng):
        x = np.stack([rng.random((n_steps, batch_size)), np.zeros((n_steps, batch_size))], axis=-1)
        half = n_steps // 2
        sequence = np.arange(batch_size)
        marked = rng.integers([[0], [half]], [[half], [n_steps]], size=(2, batch_size))
        x[marked, sequence, 1] = 1
        return x, x[marked, sequence, 0].sum(axis=0)


def accuracy(params: Mapping, batch: tuple, nonlinearity: str = "tanh") -> float | np.ndarray:
    """Compute the share of the answers that a network gets right.

    Parameters
    ----------
    params : mapping
        Parameters of one network, or of S networks on a leading axis.
    batch : tuple of ndarray
        Inputs, classes and, optionally, a mask of the steps that count.
    nonlinearity : {"tanh", "sigmoid"}
        Function of the hidden units.

    Returns
    -------
    float or ndarray, shape (S,)
    """
    x, y, mask = _parts(batch)
    run = rnn_forward(params, x, nonlinearity=nonlinearity)
    mask = as_mask(mask, run.o.shape[:-1])
    right = run.o.argmax(axis=-1) == as_targets(y, run.o.shape, mask)
    if mask is not None:
        right &= mask
    share = right.sum(axis=(0, 2) if right.ndim == 3 else None) / _count(run, mask)
    return share if right.ndim == 3 else float(share)
