"""Small pictures of handwritten digits, which move, or are read a pixel at a time.

The pictures were collected by Alpaydin and Kaynak (1998): 1797 of 8 x 8 pixels, in the selection
that scikit-learn has. A fifth of them, always the same, is held out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from rnn_helpers.validate import (
    as_count,
    as_generators,
    as_list,
    as_switch,
    brief,
    convert_count,
)

_SIDE = 8
_HELD_OUT = 0.2

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray


def handwritten_digits(held_out: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return pictures of digits.

    Parameters
    ----------
    held_out : bool
        Whether to return those that are kept for tests, a fifth, or the others.

    Returns
    -------
    pictures : ndarray of float, shape (N, 8, 8)
        From 0, the paper, to 1.
    labels : ndarray of int, shape (N,)
        Digits from 0 to 9.
    """
    as_switch("held_out", held_out)
    pictures, labels, held = _loaded()
    return pictures[held == held_out], labels[held == held_out]


@cache
def _loaded():
    with np.load(Path(__file__).with_name("digits.npz")) as loaded:
        pictures, labels = loaded["pictures"], loaded["labels"]
    order = np.random.default_rng(0).permutation(len(labels))
    pictures = (pictures / pictures.max()).astype(np.float32)
    return pictures, labels.astype(int), order < _HELD_OUT * len(order)


@dataclass(frozen=True)
class MovingDigits:
    """Say the next frame of a film in which a digit moves, and bounces off the edges.

    The digit moves by one pixel at each step, up or down and left or right, and turns where its
    ink touches the edge. A frame does not show the direction; two frames do, and then all that
    follows is known.

    Parameters
    ----------
    size : int
        Width and height of a frame in pixels, at least 9.
    columns : (int, int), optional
        First and last column at which a digit's left edge may begin, from 0 to ``size - 8``; by
        default, anywhere.
    vertical : bool
        Whether digits keep their column, and move up and down alone.

    Attributes
    ----------
    optimum : float
        Mean squared error, from the second step on, of whoever has found out how digits move; see
        `baseline` for whoever copies the last frame.
    """

    size: int = 16
    columns: tuple[int, int] | None = None
    vertical: bool = False

    optimum: ClassVar[float] = 0.0

    def __post_init__(self):
        convert_count(self, "size", _SIDE + 1)
        as_switch("vertical", self.vertical)
        if self.columns is None:
            return
        columns = [as_count("each of columns", one, 0) for one in as_list("columns", self.columns)]
        if len(columns) != 2 or not columns[0] <= columns[1] <= self.size - _SIDE:
            raise ValueError(
                f"columns is {brief(self.columns)}; expected two in order, from 0 to "
                f"{self.size - _SIDE}"
            )
        object.__setattr__(self, "columns", tuple(columns))

    def baseline(self, held_out: bool = False) -> float:
        """Mean squared error of whoever says that the next frame is the last one.

        Parameters
        ----------
        held_out : bool
            Whether for the digits kept for tests.

        Returns
        -------
        float
            What all digits leave behind, and cover, with a step in each direction.
        """
        pictures, _ = handwritten_digits(held_out)
        still = np.pad(pictures, ((0, 0), (1, 1), (1, 1)))
        steps = [(1, 0)] if self.vertical else [(1, 1), (1, -1)]
        wrong = [(np.roll(still, step, axis=(1, 2)) - still) ** 2 for step in steps]
        return float(np.sum(wrong, dtype=float) / (len(steps) * len(pictures) * self.size**2))

    def batches(
        self, n_steps: int, batch_size: int, seed: Seeds, held_out: bool = False
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Draw minibatches without end.

        Parameters
        ----------
        n_steps : int
            Time steps T, at least 2.
        batch_size : int
            Films B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws digits, places and directions. A sequence of S seeds gives each its own, on an
            axis of seeds.
        held_out : bool
            Whether to draw from the digits kept for tests.

        Yields
        ------
        x, y : ndarray of float, shape (T, B, size, size); (T, S, B, size, size) with S seeds
            Frames, from 0 to 1, and the frames that follow them.
        mask : ndarray of bool, shape (T, B)
            False at the first step, at which the direction is not known.
        """
        n_steps = as_count("n_steps", n_steps, 2)
        batch_size = as_count("batch_size", batch_size)
        rngs, several = as_generators(seed)
        pictures, _ = handwritten_digits(held_out)
        ink = pictures.any(axis=1)
        first = ink.argmax(axis=1)
        width = _SIDE - ink[:, ::-1].argmax(axis=1) - ink.argmax(axis=1)
        shifted = (first[:, None] + np.arange(_SIDE)) % _SIDE  # ink begins in column 0
        pictures = np.take_along_axis(pictures, shifted[:, None], axis=2)
        return self._batches(n_steps, batch_size, rngs, several, pictures, width)

    def _batches(self, n_steps, batch_size, rngs, several, pictures, width):
        mask = np.ones((n_steps, batch_size), bool)
        mask[0] = False
        while True:
            films = [self._film(n_steps + 1, batch_size, rng, pictures, width) for rng in rngs]
            film = np.stack(films, axis=1) if several else films[0]
            yield film[:-1], film[1:], mask

    def _film(self, n_frames, batch_size, rng, pictures, width):
        """Frames (n_frames, B, size, size)."""
        which = rng.integers(len(pictures), size=batch_size)
        room = self.size - np.stack([np.full(batch_size, _SIDE), width[which]])
        # A place and a direction are one of the 2 room moments of the way there and back.
        moment = rng.integers(2 * room)
        if self.columns is not None:
            column = rng.integers(self.columns[0], self.columns[1] + 1, size=batch_size)
            moment[1] = np.where(rng.integers(2, size=batch_size), column, -column)
        step = np.array([[1], [0 if self.vertical else 1]])
        moment = moment + step * np.arange(n_frames)[:, None, None]
        row, column = np.moveaxis(room - np.abs(room - moment % (2 * room)), 1, 0)[..., None, None]
        # wide enough for the paper beside a digit that touches the edge
        frames = np.zeros((n_frames, batch_size, self.size, self.size + _SIDE), np.float32)
        place = np.arange(_SIDE)
        frames[
            np.arange(n_frames)[:, None, None, None],
            np.arange(batch_size)[:, None, None],
            row + place[:, None],
            column + place,
        ] = pictures[which]
        return frames[..., : self.size]


@dataclass(frozen=True)
class SequentialDigits:
    """Read a digit a pixel at a time, line by line as one reads, and say at the end which it was.

    Parameters
    ----------
    by_row : bool
        Whether a step reads the 8 pixels of a row, in 8 steps, and not one of 64.
    shuffle : int, optional
        Seed of an order in which all digits are read; by default the usual one.

    Attributes
    ----------
    baseline : float
        Accuracy of whoever guesses; see `linear` for who sees all pixels at once.
    n_x, n_y, n_steps : int
        Numbers of inputs, of classes, and of time steps T.
    """

    by_row: bool = False
    shuffle: int | None = None

    baseline: ClassVar[float] = 0.1
    n_y: ClassVar[int] = 10

    def __post_init__(self):
        as_switch("by_row", self.by_row)
        if self.shuffle is not None:
            convert_count(self, "shuffle", 0)

    @property
    def n_x(self) -> int:
        """Pixels that a step reads."""
        return _SIDE if self.by_row else 1

    @property
    def n_steps(self) -> int:
        """Steps until all is read."""
        return _SIDE**2 // self.n_x

    @staticmethod
    @cache
    def linear() -> float:
        """Held-out accuracy of a linear classifier: logistic regression on all pixels at once.

        Raises
        ------
        ModuleNotFoundError
            If scikit-learn is not installed. It is part of the extra ``lab``.
        """
        try:
            from sklearn.linear_model import LogisticRegression
        except ModuleNotFoundError:
            raise ModuleNotFoundError(
                "the linear classifier is scikit-learn's, which is not installed; "
                "`pip install scikit-learn` installs it"
            ) from None
        train, test = (
            (x.reshape(len(x), -1), y) for x, y in map(handwritten_digits, (False, True))
        )
        return float(LogisticRegression(max_iter=1000).fit(*train).score(*test))

    def batches(
        self, batch_size: int, seed: Seeds, held_out: bool = False
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Draw minibatches without end.

        Parameters
        ----------
        batch_size : int
            Digits B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the digits. A sequence of S seeds gives each its own, on an axis of seeds.
        held_out : bool
            Whether to draw from the digits kept for tests.

        Yields
        ------
        x : ndarray of float, shape (T, B, n_x); (T, S, B, n_x) with S seeds
            Pixels, from 0 to 1.
        y : ndarray of int, shape (T, B); (T, S, B) with S seeds
            The digit, at every step.
        mask : ndarray of bool, shape (T, B)
            True at the last step alone.
        """
        batch_size = as_count("batch_size", batch_size)
        rngs, several = as_generators(seed)
        return self._batches(batch_size, rngs, several, *handwritten_digits(held_out))

    def _batches(self, batch_size, rngs, several, pictures, labels):
        while True:
            which = [rng.integers(len(labels), size=batch_size) for rng in rngs]
            which = np.array(which) if several else which[0]
            yield self._read(pictures[which], labels[which])

    def every(self, held_out: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return all digits as one minibatch: those kept for tests, or the others."""
        return self._read(*handwritten_digits(held_out))

    def _read(self, pictures, labels):
        """Pictures ([S,] B, 8, 8) and labels ([S,] B) as a minibatch."""
        pixels = pictures.reshape(*labels.shape, _SIDE**2)
        if self.shuffle is not None:
            pixels = pixels[..., np.random.default_rng(self.shuffle).permutation(_SIDE**2)]
        x = np.moveaxis(pixels.reshape(*labels.shape, self.n_steps, self.n_x), -2, 0)
        mask = np.zeros((self.n_steps, labels.shape[-1]), bool)
        mask[-1] = True
        return x, np.broadcast_to(labels, (self.n_steps, *labels.shape)), mask
