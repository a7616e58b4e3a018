"""Tests of the long-term tasks: their inputs, answers, optimum and baseline."""

import numpy as np
import pytest
from networks import PARAMS, X, Y
from refusals import (
    COUNT,
    INF,
    NAME,
    NAN,
    SEED,
    first,
)

from rnn_helpers.reference import init_rnn, rnn_forward
from rnn_helpers.tasks import (
    Adding,
    Latch,
    SameOpposite,
    TemporalOrder,
    accuracy,
    character_model,
)
from rnn_helpers.training import Adam, fit

T, B = 20, 4000
TASKS = [Latch(), Latch(1.0, 5, marker=True), SameOpposite(), TemporalOrder(), Adding()]


def draw(task, n_steps=T, batch_size=B, seed=0):
    x, y, mask = next(task.batches(n_steps, batch_size, seed))
    assert (mask == (np.arange(n_steps) == n_steps - 1)[:, None]).all()
    assert (y == y[-1]).all()
    return x, y[-1]


def near(rate):
    """Match `rate` within four standard errors of B draws."""
    return pytest.approx(rate, abs=4 * (rate * (1 - rate) / B) ** 0.5)


def test_the_latch_has_one_value_of_plus_or_minus_one_at_its_first_step():
    x, y = draw(Latch(noise=0.3))
    assert ((x[0, :, 0] > 0) == y).all()
    assert (abs(x[0]) == 1).all()
    assert x[1:].std() == pytest.approx(0.3, rel=0.02)


@pytest.mark.parametrize("task", [Latch(2.0), Latch(2.0, 7), Latch(0.0, 7, marker=True)])
def test_the_value_of_the_latch_determines_the_answer(task):
    x, y = draw(task)
    found = abs(x[..., 0]) == 1  # noise is never exactly 1
    assert (found.sum(axis=0) == 1).all()
    bits = (x[..., 0] * found).sum(axis=0) > 0
    assert (bits == y).mean() == task.optimum
    if task.marker:
        np.testing.assert_array_equal(x[..., 1], found)
    onsets = found.argmax(axis=0)
    for step in range(T):
        assert (onsets == step).mean() == near((step <= task.onset) / (task.onset + 1))


@pytest.mark.parametrize("task", [Latch(), SameOpposite(), TemporalOrder()])
def test_classes_are_equally_frequent_so_guessing_gives_the_baseline(task):
    _, y = draw(task)
    for one in range(task.n_y):
        assert (y == one).mean() == near(task.baseline)


def test_same_or_opposite_requires_both_ends():
    task = SameOpposite()
    x, y = draw(task)
    first, last = x[0, :, 0] > 0, x[-1, :, 0] > 0
    assert ((first == last) == y).mean() == task.optimum
    for end in (first, last):
        for sign in (False, True):
            share = y[end == sign].mean()
            assert share == pytest.approx(task.baseline, abs=4 * 0.5 / (B / 2) ** 0.5)


def test_the_class_is_the_order_of_the_two_tokens():
    task = TemporalOrder(n_distractors=3)
    x, y = draw(task, 40)
    counts = x >= 3
    assert (counts.sum(axis=0) == 2).all()
    places = np.nonzero(counts.T)[1].reshape(B, 2)
    assert ((places[:, 0] >= 4) & (places[:, 0] <= 8)).all()
    assert ((places[:, 1] >= 20) & (places[:, 1] <= 24)).all()
    first, second = (np.take_along_axis(x, places[None, :, k], axis=0)[0] - 3 for k in (0, 1))
    assert (2 * first + second == y).mean() == task.optimum
    # The first token alone leaves two possible classes.
    assert (2 * first == y).mean() == near(0.5)


def test_the_sum_of_the_two_marked_numbers_is_the_answer():
    task = Adding()
    x, y = draw(task, 9)
    marked = x[..., 1]
    assert (marked[:4].sum(axis=0) == 1).all()
    assert (marked[4:].sum(axis=0) == 1).all()
    error = ((x[..., 0] * marked).sum(axis=0) - y) ** 2
    assert error.mean() == pytest.approx(task.optimum, abs=1e-30)
    error = (y - 1) ** 2
    assert error.mean() == pytest.approx(task.baseline, abs=4 * error.std() / B**0.5)
    assert ((y - 1.1) ** 2).mean() > error.mean() < ((y - 0.9) ** 2).mean()


@pytest.mark.parametrize("task", TASKS)
def test_the_shortest_sequences_contain_the_whole_task(task):
    draw(task, task.least_steps, 5)
    with pytest.raises(ValueError, match=f"expected an integer of at least {task.least_steps}"):
        task.batches(task.least_steps - 1, 5, seed=0)


@pytest.mark.parametrize("task", TASKS)
def test_minibatches_of_several_seeds_match_those_of_single_seeds(task):
    together, alone = task.batches(8, 3, seed=[4, 5]), [task.batches(8, 3, seed=s) for s in (4, 5)]
    for _ in range(3):
        x, y, mask = next(together)
        assert mask.shape == (8, 3)
        for place, batches in enumerate(alone):
            one, answer, _ = next(batches)
            np.testing.assert_array_equal(x[:, place], one)
            np.testing.assert_array_equal(y[:, place], answer)
    assert (x[:, 0] != x[:, 1]).any()


def test_accuracy_counts_only_the_steps_in_the_mask():
    task = TemporalOrder()
    batch = next(task.batches(10, 50, seed=0))
    params = init_rnn(task.n_x, 6, task.n_y, seed=[0, 1])
    for seed, share in enumerate(accuracy(params, batch)):
        one = {name: p[seed] for name, p in params.items()}
        said = rnn_forward(one, batch[0]).o[-1].argmax(axis=-1)
        assert accuracy(one, batch) == share == (said == batch[1][-1]).mean()


def test_a_network_learns_the_latch_over_a_few_steps():
    task = Latch()
    history = fit(
        character_model(),
        init_rnn(task.n_x, 5, task.n_y, seed=[0, 1, 2]),
        task.batches(4, 20, seed=[0, 1, 2]),
        steps=100,
        optimizer=Adam(0.03),
    )
    assert (accuracy(history.params, next(task.batches(4, 500, seed=9))) > 0.95).all()


def test_bad_arguments_are_rejected_by_name():
    with pytest.raises(ValueError, match=r"noise is -1; expected a finite standard deviation"):
        Latch(noise=-1)
    with pytest.raises(TypeError, match="marker is 1; expected True or False"):
        Latch(marker=1)
    with pytest.raises(ValueError, match="n_distractors is 0"):
        TemporalOrder(0)
    with pytest.raises(ValueError, match="seed is empty"):
        Latch().batches(5, 5, seed=[])
    batch = next(Latch().batches(5, 5, seed=0))
    params = init_rnn(1, 3, 2)
    with pytest.raises(ValueError, match=r"expected \(x, y\) or \(x, y, mask\)"):
        accuracy(params, batch[:1])
    with pytest.raises(ValueError, match="counts no step"):
        accuracy(params, (*batch[:2], np.zeros((5, 5))))


REFUSALS = {
    Latch: (
        {"noise": 0.1, "onset": 2, "marker": True},
        {
            "noise": [-1, NAN, INF, "a", None],
            "onset": [-1, 2.5, "a", None, NAN],
            "marker": [1, None, "a"],
        },
    ),
    first(Latch(onset=4).batches): (
        {"n_steps": 5, "batch_size": 2, "seed": 0},
        {"n_steps": [*COUNT, 4], "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    SameOpposite: ({"noise": 0.1}, {"noise": [-1, NAN, INF, "a", None]}),
    TemporalOrder: ({"n_distractors": 3}, {"n_distractors": COUNT}),
    first(Adding().batches): (
        {"n_steps": 5, "batch_size": 2, "seed": 0},
        {"n_steps": [*COUNT, 1], "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    accuracy: (
        {
            "params": init_rnn(1, 4, 2),
            "batch": next(Latch().batches(3, 2, 0)),
            "nonlinearity": "tanh",
        },
        {"params": PARAMS, "batch": [None, 3, (), (X,), (X, Y, None, None)], "nonlinearity": NAME},
    ),
    Adding: ({}, {}),
}
