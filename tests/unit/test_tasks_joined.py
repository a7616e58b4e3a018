"""Pictures of two paths: unique, balanced, and without local clues to the answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAN, SEED, first

from rnn_helpers.tasks.joined import Joined, joined, reached

pytestmark = pytest.mark.chapter("09")
SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
tasks = st.sampled_from([Joined(), Joined(6, (5,)), Joined(9, (6, 13))])


def degrees(picture):
    """Return the number of open neighbors of each open cell."""
    open_ = {tuple(cell) for cell in np.argwhere(picture > 0).tolist()}
    return {(i, j): sum((i + a, j + b) in open_ for a, b in SIDES) for i, j in open_}


def drawn(task, seed, n=8):
    return next(task.batches(n, seed))


@given(tasks, st.integers(0, 999))
def test_the_answer_is_the_flood_fills_and_the_path_is_the_only_one(task, seed):
    for picture, answer in zip(*drawn(task, seed), strict=True):
        assert joined(picture) == bool(answer)
        around = degrees(picture)
        assert max(around.values()) <= 2  # no forks and no cycles:
        assert sum(around.values()) / 2 == len(around) - 3  # three pieces, each a path


@given(tasks, st.integers(0, 999))
def test_cells_and_dead_ends_are_as_many_whatever_the_answer(task, seed):
    for picture, _ in zip(*drawn(task, seed), strict=True):
        open_ = (picture > 0).sum()
        assert (open_ + 1) / 2 in task.lengths
        assert (picture == task.MARK).sum() == 2
        around = degrees(picture)
        marks = [tuple(cell) for cell in np.argwhere(picture == task.MARK).tolist()]
        assert all(around[mark] == 1 for mark in marks)
        assert (
            sum(n == 1 for n in around.values()) + 2 * sum(n == 0 for n in around.values()) == 6
        )  # ends of three pieces, one of which may be a single cell


@given(tasks, st.integers(0, 999))
def test_no_gap_is_beside_a_mark(task, seed):
    """From each mark the path continues for 1/3 of its length."""
    for picture, _ in zip(*drawn(task, seed), strict=True):
        length = ((picture > 0).sum() + 1) // 2
        for mark in np.argwhere(picture == task.MARK).tolist():
            assert reached(picture, mark).sum() >= max(2, length // 3)


@given(st.integers(0, 99))
def test_a_picture_has_a_pair_with_the_gap_in_the_other_path_and_the_other_answer(seed):
    """Walls of the picture can be exchanged so that two cells differ and the answer turns."""
    for picture, answer in zip(*drawn(Joined(), seed, 4), strict=True):
        turned = []
        whole = picture > 0
        gaps = [
            tuple(cell)
            for cell in np.argwhere(~whole).tolist()
            if (
                filled := np.where(np.arange(64).reshape(8, 8) == 8 * cell[0] + cell[1], 1, picture)
            )
            is not None
            and max(degrees(filled).values()) <= 2
            and sum(degrees(filled).values()) / 2 == whole.sum() + 1 - 2
        ]
        for gap in gaps:
            for cell in np.argwhere(picture == Joined.FLOOR).tolist():
                other = picture.copy()
                other[gap], other[tuple(cell)] = Joined.FLOOR, Joined.WALL
                turned.append(joined(other) != bool(answer))
        assert any(turned)


def test_answers_are_balanced_and_independent_of_single_cells():
    x, y = drawn(Joined(), 0, 6000)
    assert abs(y.mean() - 0.5) < 0.02
    for near in (x > 0, x == Joined.MARK):  # any cell alone, and its density
        means = [near[y == k].mean(axis=0) for k in (0, 1)]
        assert abs(means[0] - means[1]).max() < 0.07
        assert abs(means[0].mean() - means[1].mean()) < 0.005


@given(st.integers(0, 99))
def test_seeds_side_by_side_draw_the_same_samples_as_alone(seed):
    x, y = next(Joined().batches(3, [seed, seed + 1]))
    assert x.shape == (2, 3, 8, 8)
    once = next(Joined().batches(3, seed + 1))
    np.testing.assert_array_equal(x[1], once[0])
    np.testing.assert_array_equal(y[1], once[1])


def test_what_is_reached_goes_round_corners_and_not_through_walls():
    picture = np.array([[2, 1, 0, 1], [0, 1, 0, 1], [0, 2, 0, 1]])
    np.testing.assert_array_equal(reached(picture, (0, 0)), picture * [[1, 1, 1, 0]] > 0)
    assert joined(picture)
    assert not reached(picture, (0, 2)).any()
    with pytest.raises(ValueError, match="1 marks; expected 2"):
        joined(picture[:2])


PICTURES = [None, "a", 3, [1, 2], [[3, 1]], [[0.5]], [[NAN]]]

REFUSALS = {
    Joined: (
        {"size": 6, "lengths": [5]},
        {"size": [*COUNT, 5], "lengths": [None, 3, [], [4], [5.5], [99]]},
    ),
    first(Joined(6, (5,)).batches): (
        {"batch_size": 2, "seed": 0},
        {"batch_size": COUNT, "seed": [*SEED, []]},
    ),
    joined: ({"picture": [[2, 1, 2]]}, {"picture": PICTURES}),
    reached: (
        {"picture": [[2, 1, 2]], "start": (0, 0)},
        {"picture": PICTURES, "start": [None, 3, (0,), (0, 3), (-1, 0), (0.5, 0)]},
    ),
}
