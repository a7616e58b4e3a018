"""Chapter 11's exercises: tests of the solutions, and the tables of tests/declared.py."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.exercises import chapter_11 as answers
from rnn_helpers.reference import (
    Depth,
    deep_circuit,
    deep_forward,
    deep_shapes,
    init_deep,
)

FEW = st.integers(0, 3)


@given(st.tuples(*[st.integers(1, 5)] * 3), st.tuples(FEW, FEW, FEW))
def test_the_parameters_are_counted(sizes, layers):
    shapes = deep_shapes(Depth(1, *layers), *sizes)
    assert answers.weights(*sizes, *layers) == sum(np.prod(shape) for shape in shapes.values())


@given(st.integers(1, 3), FEW, st.booleans(), st.integers(0, 4))
def test_the_shortest_path_is_the_one_in_the_unfolded_graph(states, between, skip, k):
    depth = Depth(states, transition=between, skip=skip and between > 0)
    path = deep_circuit(depth).unfold(k + 1).shortest_path(("x", 1), ("o", k + 1))
    assert answers.arrows(states, between, depth.skip, k) == len(path) - 1


def test_ten_steps_leave_the_sum_over_all_paths():
    for share, around in zip(answers.left(), (0.7, 1), strict=True):
        paths = product((0.5 * 0.5, around), repeat=10)
        np.testing.assert_allclose(share, sum(map(np.prod, paths)))


def test_the_paths_of_twelve_arrows_are_counted():
    assert answers.ways() == sum(sum(path) == 12 for path in product((1, 2), repeat=10))


def test_two_of_four_functions_fit_into_an_affine_output():
    """Try many offsets and weights; for the other two functions, the sums exclude each other."""
    pairs = list(product((1, -1), repeat=2))
    functions = [
        lambda one, other: one == other == 1,
        lambda one, other: 1 in (one, other),
        lambda one, other: one != other,
        lambda one, other: one == other,
    ]
    tried = [
        tuple(c + v * one + w * other > 0 for one, other in pairs)
        for c, v, w in product(range(-3, 4), repeat=3)
    ]
    assert answers.exactly() == sum(tuple(f(*pair) for pair in pairs) in tried for f in functions)


def test_the_units_give_about_as_many_parameters():
    def parameters(depth, n):
        return sum(np.prod(shape) for shape in deep_shapes(depth, 50, n, 50).values())

    total, units = answers.units()
    assert total == parameters(Depth(), 100)
    assert parameters(Depth(output=1), units - 1) < total < parameters(Depth(output=1), units)


def test_a_third_layer_echoes_an_echo_of_an_echo():
    def layer(values):
        states = [values[0]]
        for value in values[1:]:
            states.append(0.5 * states[-1] + value)
        return states

    first = layer([1] + [0] * 9)
    third = layer(layer(first))
    assert answers.echo() == tuple(third[:4])
    assert third[8] >= 0.1 * max(third) > third[9]


@given(st.integers(1, 3), st.integers(0, 10**6))
def test_a_stack_computes_the_states_of_the_package(states, seed):
    rng = np.random.default_rng(seed)
    params = init_deep(Depth(states=states), 2, 3, 2, seed=rng)
    layers = [{name: params[f"{name}{k}"] for name in "UWb"} for k in range(1, states + 1)]
    x = rng.normal(size=(4, 2))
    run = deep_forward(params, Depth(states=states), x)
    np.testing.assert_allclose(answers.stack(layers, x), run.h, atol=1e-14)


@given(st.integers(0, 10**6))
def test_one_step_back_equals_finite_differences(seed):
    rng = np.random.default_rng(seed)
    params = {name: rng.normal(size=(3, 3)) for name in "TWS"} | {"b_z": rng.normal(size=3)}
    before, on = rng.normal(size=(2, 3))

    def h(before):
        z = np.tanh(params["b_z"] + params["T"] @ before)
        return np.tanh(params["W"] @ z + params["S"] @ before)

    steps = 1e-6 * np.eye(3)
    quotients = [on @ (h(before + step) - h(before - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(answers.back(params, before, h(before), on), quotients, atol=1e-6)


def two_paths(skip):
    def back(params, before, h, grad):
        z = np.tanh(params["b_z"] + params["T"] @ before)
        through = params["W"].T @ ((1 - h**2) * grad)
        return params["T"].T @ ((1 - z**2) * through) + skip(params["S"], before, h, grad)

    return back


LIMITS = {"11-left": (0.009, 0.011)}

TYPICAL = {
    "11-back": {
        "no slope on the skip connection": two_paths(lambda S, before, h, grad: S.T @ grad),
        "slope after S": two_paths(lambda S, before, h, grad: (1 - h**2) * (S.T @ grad)),
        "slope of the earlier state": two_paths(
            lambda S, before, h, grad: (1 - before**2) * (S.T @ grad)
        ),
    }
}
