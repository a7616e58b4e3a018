"""Digits that move as they say, and digits that are read in order."""

import subprocess
import sys

import numpy as np
import pytest

from rnn_helpers.tasks import MovingDigits, SequentialDigits, handwritten_digits

pytestmark = pytest.mark.chapter("16")

FILMS = [MovingDigits(), MovingDigits(columns=(2, 5), vertical=True), MovingDigits(9)]


def test_a_fifth_is_held_out_and_no_picture_is_in_both():
    (train, labels), (test, others) = handwritten_digits(), handwritten_digits(held_out=True)
    assert (len(train), len(test)) == (len(labels), len(others)) == (1437, 360)
    assert not {picture.tobytes() for picture in train} & {picture.tobytes() for picture in test}
    assert (train.min(), train.max()) == (0, 1)
    assert set(labels) == set(others) == set(range(10))


def oracle(before, now):
    """The next frame, from two: along each axis the ink moves on, and turns at an edge."""
    after = now
    for axis in (0, 1):
        ink = [np.flatnonzero(frame.any(axis=1 - axis)) for frame in (before, now)]
        step = ink[1][0] - ink[0][0]
        if step and (ink[1][0] == 0 or ink[1][-1] == len(now) - 1):
            step = 1 if ink[1][0] == 0 else -1
        after = np.roll(after, step, axis=axis)
    return after


@pytest.mark.parametrize("task", FILMS, ids=str)
def test_from_the_second_frame_on_all_that_follows_is_known(task):
    x, y, mask = next(task.batches(25, 30, seed=0))
    np.testing.assert_array_equal(x[1:], y[:-1])
    wrong = [
        ((oracle(before, now) - after) ** 2).mean()
        for film, next_film in zip(np.moveaxis(x, 1, 0), np.moveaxis(y, 1, 0), strict=True)
        for before, now, after in zip(film, film[1:], next_film[1:], strict=False)
    ]
    assert len(wrong) == mask.sum()
    assert np.mean(wrong) == task.optimum


@pytest.mark.parametrize("task", FILMS, ids=str)
@pytest.mark.parametrize("held_out", [False, True])
def test_the_baseline_is_the_error_of_a_copy(task, held_out):
    x, y, _ = next(task.batches(3, 4000, seed=1, held_out=held_out))
    assert task.baseline(held_out) == pytest.approx(((x - y) ** 2).mean(), rel=0.02)


def test_one_frame_does_not_tell_the_direction():
    x, y, _ = next(MovingDigits().batches(2, 2000, seed=0))
    down, right = (np.ptp([_edge(x[0], axis), _edge(y[0], axis)], axis=0) for axis in (2, 1))
    assert (down == 1).all()
    assert (right == 1).all()
    moves = np.mean(_edge(y[0], 2) > _edge(x[0], 2))
    assert moves == pytest.approx(0.5, abs=0.03)


def _edge(frames, axis):
    """First row (axis 2) or column (axis 1) with ink."""
    return frames.any(axis=axis).argmax(axis=-1)


def test_digits_begin_where_they_should_and_a_vertical_path_keeps_the_column():
    x, _, _ = next(MovingDigits(columns=(2, 5), vertical=True).batches(20, 500, seed=0))
    left = _edge(x.reshape(-1, 16, 16), 1).reshape(20, 500)
    assert set(left[0]) == {2, 3, 4, 5}
    assert (left == left[0]).all()
    x, _, _ = next(MovingDigits(columns=(0, 1)).batches(20, 500, seed=0))
    left = _edge(x.reshape(-1, 16, 16), 1).reshape(20, 500)
    assert set(left[0]) == {0, 1}
    assert left.max() > 7


@pytest.mark.parametrize(
    "batches",
    [
        lambda seed: MovingDigits().batches(4, 3, seed),
        lambda seed: SequentialDigits().batches(3, seed),
    ],
)
def test_several_seeds_have_an_axis_each_as_if_alone(batches):
    x, y, mask = next(batches([3, 4]))
    for s, seed in enumerate([3, 4]):
        alone = next(batches(seed))
        np.testing.assert_array_equal(x[:, s], alone[0])
        np.testing.assert_array_equal(y[:, s], alone[1])
        np.testing.assert_array_equal(mask, alone[2])


def test_a_digit_is_read_line_by_line():
    pictures, labels = handwritten_digits(held_out=True)
    pixels, y, mask = SequentialDigits().every(held_out=True)
    rows, _, _ = SequentialDigits(by_row=True).every(held_out=True)
    assert pixels.shape == (64, 360, 1)
    np.testing.assert_array_equal(np.moveaxis(pixels[..., 0], 0, 1).reshape(-1, 8, 8), pictures)
    np.testing.assert_array_equal(np.moveaxis(rows, 0, 1), pictures)
    np.testing.assert_array_equal(y, np.tile(labels, (64, 1)))
    assert mask.sum(axis=0).tolist() == [1] * 360
    assert mask[-1].all()


def test_no_network_learns_from_the_digits_that_are_kept_for_tests():
    drawn = {
        held_out: next(SequentialDigits(by_row=True).batches(500, 0, held_out))
        for held_out in (False, True)
    }
    for held_out, (rows, y, _) in drawn.items():
        allowed, other = (handwritten_digits(kept) for kept in (held_out, not held_out))
        kept = {picture.tobytes(): label for picture, label in zip(*allowed, strict=True)}
        pictures = np.moveaxis(rows, 0, 1)
        assert [kept.get(picture.tobytes()) for picture in pictures] == list(y[-1])
        others = {picture.tobytes() for picture in other[0]}
        assert not others & {picture.tobytes() for picture in pictures}


def test_a_shuffled_digit_has_the_same_pixels_in_one_order_for_all():
    plain, shuffled = (SequentialDigits(shuffle=seed).every()[0] for seed in (None, 3))
    order = np.random.default_rng(3).permutation(64)
    np.testing.assert_array_equal(shuffled, plain[order])
    train, _, _ = next(SequentialDigits(shuffle=3).batches(5, seed=0))
    usual, _, _ = next(SequentialDigits().batches(5, seed=0))
    np.testing.assert_array_equal(train, usual[order])


def test_guessing_gets_a_tenth_and_a_linear_classifier_of_all_pixels_nearly_all():
    _, labels = handwritten_digits(held_out=True)
    guesses = np.random.default_rng(0).integers(10, size=(1000, len(labels)))
    assert np.mean(guesses == labels) == pytest.approx(SequentialDigits.baseline, abs=0.003)
    assert SequentialDigits.linear() == pytest.approx(0.956, abs=0.01)


@pytest.mark.slow
def test_pictures_and_dates_need_no_library():
    code = (
        "import sys; sys.modules |= dict.fromkeys(['sklearn', 'scipy', 'babel'])\n"
        "from rnn_helpers import experiments, explore, plots, tasks\n"
        "next(tasks.MovingDigits().batches(2, 1, 0)), next(tasks.TwoDigits().batches(1, 0))\n"
        "print(len(tasks.handwritten_digits()[0]), tasks.Dates().readings('4. april 2005'))\n"
        "try: tasks.SequentialDigits.linear()\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    count, message = done.stdout.splitlines()
    assert count == "1437 {'2005-04-04': 1.0}"
    assert "pip install scikit-learn" in message
