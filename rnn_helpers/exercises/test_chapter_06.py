"""Chapter 06's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_06 as answers
from rnn_helpers.figures.forcing.figure import floor_after
from rnn_helpers.reference import (
    forced_forward,
    grad_output,
    init_output_rnn,
    output_backward,
    output_forward,
    scheduled_optimum,
)


def test_a_mistake_is_passed_on_until_the_ground_floor_only_if_the_network_runs_free():
    moves = ["up", "up", "down", "up", "ground", "up"]
    true, free = [floor_after(0, "up")], [2]
    for move in moves[1:]:
        true.append(floor_after(true[-1], move))
        free.append(floor_after(free[-1], move))
    forced = [2, *(floor_after(*step) for step in zip(true, moves[1:], strict=False))]
    wrong = [sum(np.not_equal(floors, true)) for floors in (forced, free)]
    np.testing.assert_array_equal(answers.lift(), wrong)


def test_the_error_grows_by_half_of_itself_and_a_hundredth_at_each_step():
    outputs = [1.0]
    for _ in range(60):
        outputs.append(1 + 0.5 * (outputs[-1] - 1) + 0.01)
    np.testing.assert_allclose(answers.error(), [outputs[3] - 1, outputs[-1] - 1], rtol=1e-9)


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=8), st.integers(0, 5))
def test_each_row_of_targets_follows_from_the_row_before_and_the_input(x, k):
    rows = answers.targets(x, k)
    assert rows.shape == (len(x), k + 1)
    before = np.zeros(k + 1)
    for t, row in enumerate(rows):
        np.testing.assert_array_equal(row, [x[t], *before[:-1]])
        assert row[k] == (x[t - k] if t >= k else 0)
        before = row


@given(st.integers(0, 99), st.integers(1, 7))
def test_forcing_at_once_is_the_packages(seed, T):
    rng = np.random.default_rng(seed)
    params = init_output_rnn(3, 4, 5, rng)
    x, y = rng.normal(size=(T, 3)), rng.integers(5, size=T)
    np.testing.assert_allclose(
        answers.forced(params, x, y), forced_forward(params, x, y).o, rtol=1e-12
    )


@given(st.lists(st.booleans(), min_size=1, max_size=9), st.booleans())
def test_rounds_are_counted_by_computing_all_that_can_be(own, keeps_state):
    own[0] = False
    done, rounds = set(), 0
    while len(done) < len(own):
        ready = {
            t
            for t, hears_itself in enumerate(own)
            if t == 0 or t - 1 in done or not (hears_itself or keeps_state)
        }
        done |= ready
        rounds += 1
    assert answers.rounds(own, keeps_state) == rounds


@given(st.integers(0, 200), st.floats(1, 40), st.integers(0, 99))
def test_the_fed_symbol_follows_the_schedule(step, k, seed):
    rng = np.random.default_rng(seed)
    u = rng.random(50)
    fed = answers.feed(np.ones(50), np.zeros(50), u, step, k)
    np.testing.assert_array_equal(fed, u < k / (k + np.exp(step / k)))


def test_no_causal_network_has_a_lower_loss():
    losses = []
    for p in np.linspace(0.01, 0.99, 99):  # of a 1 at first; the second output is known
        losses.append(-(np.log(p) + np.log(1 - p)) / 2)
    assert min(losses) == pytest.approx(answers.future())


@given(st.integers(0, 99), st.sampled_from([0, 0.2, 0.9, 1]))
def test_the_mixture_is_the_packages(seed, share):
    joint = np.random.default_rng(seed).dirichlet(np.ones(12)).reshape(3, 4)
    np.testing.assert_allclose(answers.best_answer(joint, share), scheduled_optimum(joint, share))


@given(st.integers(0, 99), st.integers(1, 6))
def test_the_way_back_through_the_outputs_is_the_packages(seed, T):
    rng = np.random.default_rng(seed)
    params = init_output_rnn(3, 4, 2, rng)
    x, y = rng.normal(size=(T, 3)), rng.integers(2, size=T)
    run = output_forward(params, x, own=True, feedback="output")
    whole = answers.through(params["V"], params["R"], 1 - run.h**2, grad_output(run.yhat, y))
    np.testing.assert_allclose(whole.sum(axis=0), output_backward(params, run, y)["c"], rtol=1e-9)
    np.testing.assert_allclose(whole.T @ run.h, output_backward(params, run, y)["V"], rtol=1e-9)


HINTED = {"06-future": [(True, "in the form that the exercise asks for")]}


def test_a_loop_over_time_is_not_praised_for_a_single_product():
    def looped(params, x, y):
        outputs, fed = [], np.zeros(len(params["c"]))
        for x_t, y_t in zip(x, y, strict=True):
            h = np.tanh(params["b"] + params["R"] @ fed + params["U"] @ x_t)
            outputs.append(params["c"] + params["V"] @ h)
            fed = np.eye(len(fed))[y_t]
        return np.array(outputs)

    assert "can compute all steps" in exercises()["06-forced"].grade(looped).message


LIMITS = {"06-error": (1e-4, 4e-4), "06-future": (0.004, 0.006)}
BORROWED = {"06-mixture": scheduled_optimum}
EQUIVALENT = {
    "06-rounds": [
        # The first step is never fed its own output, so it resets the counter to 0.
        "most = waiting = 0 -> most = waiting = -1",
    ],
    "06-schedule": [
        # They differ only if a coin equals the share exactly, which has probability 0.
        "return np.where(u < share, truth, said) -> return np.where(u <= share, truth, said)",
    ],
    "06-through": [
        # The given gradients are floats already.
        "whole = np.array(grad_o, float) -> whole = np.array(grad_o)",
    ],
}
