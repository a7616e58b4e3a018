"""Images in which a path joins two marked cells, or a gap separates them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rnn_helpers.validate import as_count, as_generators, as_list, as_tokens, brief, convert_count

Seeds = int | np.random.Generator | Sequence[int] | np.ndarray
_STRAIGHT = 0.5  # paths mostly continue straight ahead, where they can
_SIDES = np.array([(0, 1), (1, 0), (0, -1), (-1, 0)])


@dataclass(frozen=True)
class Joined:
    """Decide whether a path over floor cells joins the two marked cells of an image.

    There are two winding paths of equal length, which touch neither themselves nor each other. One
    of them, chosen at random, has a wall in its middle third. The ends of one path, also chosen at
    random, are marked. So neither the floor and walls alone nor the marks alone contain the answer:
    for each image there is an equally likely one that differs in the marks only and has the other
    answer, and one that differs in two cells, with the gap in the other path. All images have the
    same number of floor cells and of dead ends. The only way to the answer is to follow a path
    from a mark until the gap is reached or passed.

    Parameters
    ----------
    size : int
        Rows and columns of an image, at least 6.
    lengths : sequence of int
        Cells of a path, marks included, each at least 5; equally likely.

    Attributes
    ----------
    WALL, FLOOR, MARK : int
        The kinds of cells: 0, 1, 2.

    Examples
    --------
    >>> task = Joined()
    >>> x, y = next(task.batches(4, seed=0))
    >>> x.shape, [joined(picture) for picture in x] == (y == 1).tolist()
    ((4, 8, 8), True)
    """

    size: int = 8
    lengths: tuple[int, ...] = (5, 7, 9, 11)

    WALL: ClassVar[int] = 0
    FLOOR: ClassVar[int] = 1
    MARK: ClassVar[int] = 2

    def __post_init__(self):
        convert_count(self, "size", 6)
        most = self.size**2 // 5
        lengths = [
            as_count("each of lengths", n, 5, most) for n in as_list("lengths", self.lengths)
        ]
        if not lengths:
            raise ValueError("lengths is empty; expected at least one")
        object.__setattr__(self, "lengths", tuple(lengths))

    @property
    def n_x(self) -> int:
        """Number of kinds of cells: wall, floor, mark."""
        return 3

    @property
    def n_y(self) -> int:
        """Number of answers: 1 if the marks are joined, otherwise 0."""
        return 2

    def batches(self, batch_size: int, seed: Seeds) -> Iterator[tuple]:
        """Draw minibatches without end.

        Parameters
        ----------
        batch_size : int
            Images B in a minibatch.
        seed : int, Generator, or sequence of these
            Draws the paths, the gap and the marks. A sequence of S seeds gives minibatches side by
            side, with an axis of seeds in front.

        Yields
        ------
        x : ndarray of int, shape (B, size, size)
            Images.
        y : ndarray of int, shape (B,)
            Answers.
        """
        return self._batches(as_count("batch_size", batch_size), *as_generators(seed))

    def _batches(self, batch_size, rngs, several):
        while True:
            drawn = [self._pictures(batch_size, rng) for rng in rngs]
            x, y = (np.stack(part) for part in zip(*drawn, strict=True))
            yield (x, y) if several else (x[0], y[0])

    def _pictures(self, n, rng):
        """Draw images and answers, with lengths in random order."""
        lengths = rng.choice(self.lengths, n)
        x, y = np.zeros((n, self.size, self.size), int), rng.integers(2, size=n)
        for length in set(self.lengths):
            mine = np.flatnonzero(lengths == length)
            paths = self._paths(len(mine), length, rng)
            marked = rng.integers(2, size=len(mine))
            first = max(2, length // 3)  # never next to a mark
            gaps = rng.integers(first, length - first, size=len(mine))
            parted = np.where(y[mine] == 1, 1 - marked, marked)
            at = np.arange(len(mine))
            rows, columns = np.moveaxis(paths, -1, 0)
            x[mine[:, None, None], rows, columns] = self.FLOOR
            x[mine, *paths[at, parted, gaps].T] = self.WALL
            for end in (0, -1):
                x[mine, *paths[at, marked, end].T] = self.MARK
        return x, y

    def _paths(self, n, length, rng):
        """Draw pairs of paths that don't touch, as cells (n, 2, length, 2)."""
        found = np.zeros((0, 2, length, 2), int)
        while len(found) < n:
            tries = 2 * (n - len(found)) + 8
            free = np.zeros((tries, self.size + 2, self.size + 2), bool)
            free[:, 1:-1, 1:-1] = True
            whole = np.ones(tries, bool)
            pair = np.stack([self._walks(free, whole, length, rng) for _ in range(2)], axis=1)
            found = np.concatenate([found, pair[whole] - 1])
        return found[:n]

    def _walks(self, free, whole, length, rng):
        """Walk over free cells in all images at once; `whole` becomes False where a walk is stuck.

        A walk blocks its cells and their neighbors as soon as it has left them.
        """
        at = np.arange(len(free))
        flat = (rng.random(free.shape) * free).reshape(len(free), -1)
        place = np.stack(np.unravel_index(flat.argmax(axis=1), free.shape[1:]), axis=-1)
        whole &= flat.max(axis=1) > 0
        cells, ahead = [place], 0.0
        for _ in range(length - 1):
            free[at, *place.T] = False
            beside = place[:, None] + _SIDES  # (n, 4, 2)
            open_ = free[at[:, None], beside[..., 0], beside[..., 1]]
            whole &= open_.any(axis=1)
            wish = rng.random(open_.shape) + ahead
            chosen = np.argmax(wish * open_, axis=1)
            ahead = _STRAIGHT * (np.arange(4) == chosen[:, None])
            free[at[:, None], beside[..., 0], beside[..., 1]] = False
            place = beside[at, chosen].clip(1, self.size)
            cells.append(place)
        free[at, *place.T] = False
        beside = place[:, None] + _SIDES
        free[at[:, None], beside[..., 0], beside[..., 1]] = False
        return np.stack(cells, axis=1)


def reached(picture, start: tuple[int, int]) -> np.ndarray:
    """Return the cells that a path over cells other than walls joins to a start.

    Parameters
    ----------
    picture : ndarray of int, shape (rows, columns)
        0 is a wall; all other cells are free.
    start : (int, int)
        Row and column.

    Returns
    -------
    ndarray of bool, shape (rows, columns)
    """
    open_ = np.pad(_as_picture(picture) > 0, 1)
    start = as_list("start", start)
    if len(start) != 2:
        raise ValueError(f"start is {brief(start)}; expected a row and a column")
    row, column = (
        as_count("each of start", k, 0, n - 3) for k, n in zip(start, open_.shape, strict=True)
    )
    found = np.zeros_like(open_)
    found[row + 1, column + 1] = open_[row + 1, column + 1]
    while True:
        sides = [np.roll(found, step, axis) for axis in (0, 1) for step in (1, -1)]
        more = (found | np.any(sides, axis=0)) & open_
        if (more == found).all():
            return found[1:-1, 1:-1]
        found = more


def joined(picture) -> bool:
    """Return whether a path over floor cells joins the two marks of an image."""
    marks = np.argwhere(_as_picture(picture) == Joined.MARK)
    if len(marks) != 2:
        raise ValueError(f"picture has {len(marks)} marks; expected 2")
    return bool(reached(picture, marks[0].tolist())[*marks[1]])


def _as_picture(picture):
    picture = as_tokens("picture", picture, 3)
    if picture.ndim != 2:
        raise ValueError(f"picture has shape {picture.shape}; expected rows and columns")
    return picture
