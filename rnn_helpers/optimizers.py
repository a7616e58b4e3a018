"""Optimizers, which turn a gradient into a step, and clipping of gradients that are too long."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rnn_helpers.reference.clipping import clip_by_element, clip_by_norm, joint_norm, random_step
from rnn_helpers.validate import as_count, as_number, as_positive, several

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class SGD:
    """Gradient descent: ``p <- p - lr * g``.

    Parameters
    ----------
    lr : float or callable
        Learning rate eta; or a function of the step (1, 2, ...), such as ``lambda t: 1 / t``.
    """

    lr: float | Callable[[int], float]

    def __post_init__(self):
        _check_rate(self.lr)

    def update(self, params: Arrays, grads: Arrays, memory: dict, step: int) -> Arrays:
        """Return the parameters after one step.

        Parameters
        ----------
        params, grads : dict of ndarray
            Parameters and gradients, with the same names and shapes.
        memory : dict
            The optimizer's state between steps; empty before the first.
        step : int
            Number of this step, from 1.

        Returns
        -------
        dict of ndarray
        """
        lr = _rate(self.lr, step)
        return {name: p - lr * grads[name] for name, p in params.items()}


@dataclass(frozen=True)
class Nesterov:
    """Descent with a velocity, along the gradient at the point to which the velocity leads.

    With velocity ``m`` and point ``q`` (Sutskever et al., 2013)::

        m <- momentum * m - lr * gradient(q + momentum * m),   q <- q + m

    The parameters that are trained, measured and returned are the point looked ahead to,
    ``p = q + momentum * m``: a loop that asks for the gradient at the parameters asks there.

    Parameters
    ----------
    lr : float or callable
        Learning rate; or a function of the step (1, 2, ...).
    momentum : float
        Share of the velocity that is kept at a step, in [0, 1).
    """

    lr: float | Callable[[int], float]
    momentum: float = 0.9

    def __post_init__(self):
        _check_rate(self.lr)
        as_number("momentum", self.momentum, "a share in [0, 1)", lambda share: 0 <= share < 1)

    def update(self, params: Arrays, grads: Arrays, memory: dict, step: int) -> Arrays:
        """Return the parameters after one step; parameters as for :meth:`SGD.update`."""
        lr = _rate(self.lr, step)
        updated = {}
        for name, p in params.items():
            slowed = self.momentum * memory.get(name, 0.0)
            memory[name] = velocity = slowed - lr * grads[name]
            # from p, back to q, a step with the velocity, ahead again
            updated[name] = p - slowed + velocity + self.momentum * velocity
        return updated


@dataclass(frozen=True)
class Adam:
    """Descent along a running mean of gradients, each scaled by its own size (Kingma and Ba, 2015).

    Parameters
    ----------
    lr : float or callable
        Learning rate; or a function of the step (1, 2, ...).
    beta1, beta2 : float
        Shares of the running means of the gradient and of its square that are kept at a step.
    epsilon : float
        Keeps the division safe; above 0.
    """

    lr: float | Callable[[int], float] = 0.001
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8

    def __post_init__(self):
        _check_rate(self.lr)
        for name in ("beta1", "beta2"):
            as_number(name, getattr(self, name), "a share in [0, 1)", lambda share: 0 <= share < 1)
        as_positive("epsilon", self.epsilon)

    def update(self, params: Arrays, grads: Arrays, memory: dict, step: int) -> Arrays:
        """Return the parameters after one step; parameters as for :meth:`SGD.update`."""
        lr = _rate(self.lr, step)
        updated = {}
        for name, p in params.items():
            g = grads[name]
            mean, square = memory.get(name, (0.0, 0.0))
            mean = self.beta1 * mean + (1 - self.beta1) * g
            square = self.beta2 * square + (1 - self.beta2) * g**2
            memory[name] = mean, square
            # both means start at 0; this division corrects the bias
            unbiased = mean / (1 - self.beta1**step)
            size = np.sqrt(square / (1 - self.beta2**step))
            updated[name] = p - lr * unbiased / (size + self.epsilon)
        return updated


@dataclass(frozen=True)
class _Clipping:
    """The common parts of :class:`ByNorm` and :class:`ByElement`, which differ in `_clip`."""

    threshold: float
    rescue: int | Sequence[int] | None = None

    def __post_init__(self):
        if self.rescues:
            as_positive("threshold", self.threshold)
            _drawn_at(1, "rescue", self.rescue)
        else:
            as_number("threshold", self.threshold, "a number above 0", lambda value: value > 0)

    @property
    def rescues(self) -> bool:
        """Whether training continues where the loss or the gradient is not finite."""
        return self.rescue is not None

    def apply(
        self, grads: Arrays, loss: np.ndarray, step: int, seed_axis: bool = False
    ) -> tuple[Arrays, np.ndarray, np.ndarray]:
        """Clip the gradients of one step.

        Parameters
        ----------
        grads : dict of ndarray
            Gradients; with `seed_axis`, of several networks on a leading axis.
        loss : ndarray, shape () or (S,)
            Loss at this step.
        step : int
            Number of this step, from 1; with the seed, it determines the random numbers.
        seed_axis : bool
            Whether there is an axis of networks, each clipped separately.

        Returns
        -------
        clipped : dict of ndarray
            Like `grads`.
        norm : ndarray, shape () or (S,)
            Joint norm before clipping.
        changed : ndarray of bool, shape () or (S,)
            Whether the gradients were changed.
        """
        clipped, norm, changed = self._clip(grads, seed_axis)
        lost = ~(np.isfinite(norm) & np.isfinite(loss))
        if self.rescues and lost.any():
            rng = _drawn_at(step, "rescue", self.rescue)
            clipped, _ = random_step(clipped, self.threshold, rng, seed_axis, where=lost)
            changed = changed | lost
        return clipped, norm, changed


class ByNorm(_Clipping):
    """Gradients longer than a threshold are scaled down, all together: (G 10.48), (G 10.49).

    Parameters
    ----------
    threshold : float
        Largest joint norm v, above 0; ``inf`` to measure only.
    rescue : int or sequence of int, optional
        Where the loss or the gradient is not finite, a random vector of length v replaces the
        gradient, and training continues. This is the seed that draws it, or one for each network.
        Without it, training ends there.

    Raises
    ------
    ValueError
        If the threshold is infinite where there is a rescue.
    """

    def _clip(self, grads, seed_axis):
        clipped, norm = clip_by_norm(grads, self.threshold, seed_axis)
        return clipped, norm, norm > self.threshold


class ByElement(_Clipping):
    """Entries of the gradients larger than a threshold are clipped to it, each by itself.

    Parameters
    ----------
    threshold : float
        Largest size of an entry, above 0; ``inf`` to measure only.
    rescue : int or sequence of int, optional
        As for :class:`ByNorm`; the random vector is `threshold` long.
    """

    def _clip(self, grads, seed_axis):
        clipped, norm = clip_by_element(grads, self.threshold, seed_axis)
        beyond = [
            (np.abs(g) > self.threshold).any(axis=tuple(range(int(seed_axis), np.ndim(g))))
            for g in grads.values()
        ]
        return clipped, norm, np.any(beyond, axis=0)


@dataclass(frozen=True)
class RandomStep:
    """Gradients longer than a threshold, or not finite, become random vectors of that length.

    Parameters
    ----------
    threshold : float
        Largest joint norm v that is left unchanged, above 0.
    seed : int or sequence of int
        Draws the directions; or one for each network, whose draws don't depend on the others.
    """

    rescues: ClassVar[bool] = True

    threshold: float
    seed: int | Sequence[int] = 0

    def __post_init__(self):
        as_positive("threshold", self.threshold)
        _drawn_at(1, "seed", self.seed)

    def apply(
        self, grads: Arrays, loss: np.ndarray, step: int, seed_axis: bool = False
    ) -> tuple[Arrays, np.ndarray, np.ndarray]:
        """Replace the gradients of one step where needed, as :meth:`ByNorm.apply` does."""
        norm = joint_norm(grads, seed_axis)
        over = ~(norm <= self.threshold) | ~np.isfinite(loss)
        if over.any():
            rng = _drawn_at(step, "seed", self.seed)
            grads, _ = random_step(grads, self.threshold, rng, seed_axis, where=over)
        return grads, norm, over


def _drawn_at(step: int, name: str, seed: int | Sequence[int]):
    """Generators for the draws of one step, independent of those of other steps."""
    many = several(seed, name)
    rngs = [
        np.random.default_rng([as_count(name, one, 0), step]) for one in (seed if many else [seed])
    ]
    return rngs if many else rngs[0]


def _check_rate(lr: float | Callable[[int], float]) -> None:
    if not callable(lr):
        expected = "a finite number above 0, or a function of the step"
        as_number("lr", lr, expected, lambda rate: 0 < rate < np.inf)


def _rate(lr: float | Callable[[int], float], step: int) -> float:
    """Return the learning rate of a step."""
    if not callable(lr):
        return lr
    rate = lr(step)
    _check_rate(rate)
    return rate
