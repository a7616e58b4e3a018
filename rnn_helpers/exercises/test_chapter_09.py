"""Chapter 09's exercises: tests of the solutions, and the tables of tests/declared.py."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers import reference
from rnn_helpers.exercises import chapter_09 as answers
from rnn_helpers.tasks import Lexicon

DRAWN = st.integers(0, 10**6)


@pytest.mark.parametrize("words", answers.LEXICA)
def test_the_wait_is_that_of_the_lexicon(words):
    assert answers.wait(list(words)) == Lexicon(words).wait


def nets(params):
    """Functions from a sequence to its states, one for each network."""
    return {way: lambda x, net=net: reference.rnn_forward(net, x).h for way, net in params.items()}


@given(DRAWN)
def test_the_states_of_a_bidirectional_network_are_those_of_the_package(seed):
    rng = np.random.default_rng(seed)
    params, x = reference.init_bidirectional(2, 3, 2, rng), rng.normal(size=(5, 2))
    run = reference.bidirectional_forward(params, x)
    states = answers.both_ways(*nets(params).values(), x)
    np.testing.assert_allclose(states, np.hstack([run.h, run.g]), atol=1e-14)


@given(DRAWN, st.integers(0, 4))
def test_the_states_around_a_step_depend_on_all_inputs_but_its_own(seed, t):
    rng = np.random.default_rng(seed)
    params, x = reference.init_bidirectional(2, 3, 2, rng), rng.normal(size=(5, 2))
    moved = x.copy()
    moved[t] += 0.3
    ahead, back = nets(params).values()
    change = answers.around(ahead, back, moved) - answers.around(ahead, back, x)
    heard = np.abs(change).max(axis=1) > 0
    np.testing.assert_array_equal(heard, np.arange(5) != t)


@given(DRAWN)
def test_turned_is_the_packages(seed):
    rng = np.random.default_rng(seed)
    x, lengths = rng.integers(9, size=(6, 4)), rng.integers(1, 7, size=4)
    np.testing.assert_array_equal(answers.turned(x, lengths), reference.turned(x, lengths))


@given(DRAWN)
def test_the_gradient_on_the_input_is_a_quotient(seed):
    """For two linear networks, whose gradients are their transposes."""
    rng = np.random.default_rng(seed)
    maps = [np.tril(rng.normal(size=(5, 5))) for _ in range(2)]
    ahead, back = (lambda x, M=M: M @ x for M in maps)
    ahead_grad, back_grad = (lambda g, M=M: M.T @ g for M in maps)
    grad, x, step = rng.normal(size=(5, 4)), rng.normal(size=(5, 2)), rng.normal(size=(5, 2))
    change = answers.both_ways(ahead, back, x + step) - answers.both_ways(ahead, back, x)
    on_x = answers.grad_x(ahead_grad, back_grad, grad)
    np.testing.assert_allclose((on_x * step).sum(), (grad * change).sum(), atol=1e-10)


@given(DRAWN)
def test_four_sweeps_are_the_packages(seed):
    rng = np.random.default_rng(seed)
    params, x = reference.init_four_directions(2, 3, 4, rng), rng.normal(size=(4, 5, 2))
    states = answers.four([nets(params)[way] for way in params], x)
    V = np.hstack([net["V"] for net in params.values()])
    np.testing.assert_allclose(states @ V.T, reference.four_directions(params, x).o, atol=1e-13)


LIMITS = {"09-prefix": (0.0015, 0.0025)}
BORROWED = {"09-turned": reference.turned}
EQUIVALENT = {
    "09-around": [
        # The array holds zeros already.
        "…ack([np.vstack([nothing, h[:-1]]… -> …ack([np.vstack([0 * nothing, h[:-1]]…",
        "….vstack([g[1:], nothing])]) -> ….vstack([g[1:], 0 * nothing])])",
    ],
    "09-wait": [
        # The number of letters that two words share doesn't depend on their order.
        "…n max((_shared(one, other) for one, other… -> "
        "…n max((_shared(other, one) for one, other…",
        "_shared: … enumerate(zip(one, other, strict=False))… -> "
        "… enumerate(zip(other, one, strict=False))…",
        # No word is the beginning of another, so two words always differ somewhere and the default
        # is never used.
        "_shared: …lse)) if a != b), 0) -> …lse)) if a != b))",
        "_shared: …e)) if a != b), 0) -> …e)) if a != b), 1)",
        "_shared: …e)) if a != b), 0) -> …e)) if a != b), -1)",
    ],
}
