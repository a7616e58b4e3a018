"""The answers of chapter 11's exercises, held against the package."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.checks import chapter_11 as answers
from rnn_helpers.reference import (
    Depth,
    deep_circuit,
    deep_forward,
    deep_shapes,
    init_deep,
)

pytestmark = pytest.mark.chapter("11")
FEW = st.integers(0, 3)


@given(st.tuples(*[st.integers(1, 5)] * 3), st.tuples(FEW, FEW, FEW))
def test_a_network_weighs_what_its_arrays_hold(sizes, boxes):
    shapes = deep_shapes(Depth(1, *boxes), *sizes)
    assert answers.weights(*sizes, *boxes) == sum(np.prod(shape) for shape in shapes.values())


@given(st.integers(1, 3), FEW, st.booleans(), st.integers(0, 4))
def test_the_shortest_way_is_that_of_the_drawing(states, between, skip, k):
    depth = Depth(states, transition=between, skip=skip and between > 0)
    way = deep_circuit(depth).unfold(k + 1).shortest_path(("x", 1), ("o", k + 1))
    assert answers.arrows(states, between, depth.skip, k) == len(way) - 1


def test_the_ways_of_twelve_arrows_are_counted():
    assert answers.ways() == sum(sum(way) == 12 for way in product((1, 2), repeat=10))


@given(st.integers(1, 3), st.integers(0, 10**6))
def test_a_stack_is_the_packages(states, seed):
    rng = np.random.default_rng(seed)
    params = init_deep(Depth(states=states), 2, 3, 2, seed=rng)
    floors = [{name: params[f"{name}{k}"] for name in "UWb"} for k in range(1, states + 1)]
    x = rng.normal(size=(4, 2))
    run = deep_forward(params, Depth(states=states), x)
    np.testing.assert_allclose(answers.stack(floors, x), run.h, atol=1e-14)


@given(st.integers(0, 10**6))
def test_one_step_back_is_what_quotients_of_differences_say(seed):
    rng = np.random.default_rng(seed)
    params = {name: rng.normal(size=(3, 3)) for name in "TWS"} | {"t": rng.normal(size=3)}
    before, on = rng.normal(size=(2, 3))

    def h(before):
        s = np.tanh(params["t"] + params["T"] @ before)
        return np.tanh(params["W"] @ s + params["S"] @ before)

    steps = 1e-6 * np.eye(3)
    quotients = [on @ (h(before + step) - h(before - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(answers.back(params, before, h(before), on), quotients, atol=1e-6)
