"""A task for networks that are fed their own outputs, and scheduled sampling."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from rnn_helpers.validate import (
    as_count,
    as_function,
    as_generators,
    as_kind,
    as_number,
    as_real,
    as_result,
    brief,
)

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


@dataclass(frozen=True)
class Oscillator:
    """A wave and its overtone, to be continued: ``sin(a) + overtone * sin(2 a)``.

    There is no input. The angle a makes one turn in a `period`, from a random phase. The last value
    doesn't determine the next one, because the wave passes each height upward and downward.

    Parameters
    ----------
    period : float
        Number of steps of one wave, above 4, because the overtone is twice as fast.
    overtone : float
        Amplitude of the overtone; that of the wave is 1.
    """

    period: float = 23.0
    overtone: float = 0.5

    def __post_init__(self):
        as_number("period", self.period, "a finite number above 4", lambda p: 4 < p < np.inf)
        as_number("overtone", self.overtone)

    @property
    def n_y(self) -> int:
        """Return the number of outputs."""
        return 1

    @property
    def variance(self) -> float:
        """Return the mean squared error of an output that is always 0, the mean."""
        return (1 + self.overtone**2) / 2

    def wave(self, n_steps: int, phase) -> np.ndarray:
        """Return waves that begin at the given phases, in radians.

        Parameters
        ----------
        n_steps : int
            Time steps T.
        phase : float or array_like

        Returns
        -------
        ndarray of float, shape (T, 1) or (T, ..., 1)
        """
        phase = as_real("phase", phase)
        steps = np.arange(as_count("n_steps", n_steps)).reshape(-1, *[1] * phase.ndim)
        with np.errstate(over="ignore", invalid="ignore"):
            angle = 2 * np.pi * steps / self.period + phase
            waves = (np.sin(angle) + self.overtone * np.sin(2 * angle))[..., None]
        return as_result("wave", waves, "phase")

    def batches(self, n_steps: int, batch_size: int, seed: Seeds) -> Iterator[np.ndarray]:
        """Draw minibatches without end.

        Parameters
        ----------
        n_steps : int
            Time steps T.
        batch_size : int
            Waves B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the phases. A sequence of S seeds gives minibatches side by side.

        Yields
        ------
        ndarray of float, shape (T, B, 1); (T, S, B, 1) with S seeds
        """
        n_steps, batch_size = as_count("n_steps", n_steps), as_count("batch_size", batch_size)
        return self._batches(n_steps, batch_size, *as_generators(seed))

    def _batches(self, n_steps, batch_size, rngs, several):
        while True:
            phase = np.array([rng.uniform(0, 2 * np.pi, batch_size) for rng in rngs])
            yield self.wave(n_steps, phase if several else phase[0])


def with_coins(
    waves: Iterable[np.ndarray],
    share: Callable[[int], float],
    seed: Seeds = 0,
    warm_up: int = 10,
) -> Iterator[tuple[None, np.ndarray, np.ndarray]]:
    """Choose at random which steps of each minibatch are fed the truth, as in scheduled sampling.

    Parameters
    ----------
    waves : iterable of ndarray, shape (T, B, 1) or (T, S, B, 1)
        From `Oscillator.batches`.
    share : callable
        ``share(step)`` is the share of truth, from 0 to 1, at the step 0, 1, ... of training; or
        several, one for each of the S seeds.
    seed : int, Generator, or sequence of these
        Source of the random numbers; as many as the minibatches have.
    warm_up : int
        Number of steps at the beginning of each sequence that are always fed the truth, at least 1.

    Yields
    ------
    tuple
        ``(None, wave, own)``, a batch for `rnn_helpers.nets.OutputRecurrent`.
    """
    as_function("share", share)
    as_kind("waves", waves, Iterable, "an iterable of minibatches")
    return _with_coins(waves, share, *as_generators(seed), as_count("warm_up", warm_up))


def _with_coins(waves, share, rngs, several, warm_up):
    for step, wave in enumerate(waves):
        wave = as_real("waves", wave)
        if wave.ndim != 3 + several:
            raise ValueError(
                f"waves have shape {wave.shape}; expected (T, {'S, ' if several else ''}B, 1)"
            )
        shape = wave.shape[0], wave.shape[-2]
        coins = np.stack([rng.random(shape) for rng in rngs], axis=1)
        truth = as_real("share", share(step)).reshape(-1, 1)
        if not ((truth >= 0) & (truth <= 1)).all():
            raise ValueError(f"share is {brief(truth)} at step {step}; expected shares from 0 to 1")
        own = coins >= truth
        own[:warm_up] = False
        yield None, wave, own if several else own[:, 0]
