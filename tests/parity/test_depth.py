"""The figure depth builds the networks of the reference, and computes their gradients."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import Depth, deep_backward, deep_circuit, deep_forward, deep_shapes

pytestmark = pytest.mark.chapter("11")

CONSTANTS = constants("depth")
STEPS, UNITS, DRAWS = CONSTANTS.STEPS, CONSTANTS.UNITS, CONSTANTS.DRAWS
BOXES = ("states", "input", "transition", "output")


def of(state):
    """Give the depth of a state; where nothing stands between states, there is nothing to skip."""
    skip = state["skip"] and state["transition"] > 0
    return Depth(**{box: state[box] for box in BOXES}, skip=skip)


def drawn(depth, seed, T=STEPS, n=UNITS):
    """Random parameters, as wide as PyTorch draws them, and inputs (T, n)."""
    rng = np.random.RandomState(seed)
    params = {
        name: rng.standard_normal(shape) * (3 * n) ** -0.5 if len(shape) == 2 else np.zeros(shape)
        for name, shape in deep_shapes(depth, n, n, n).items()
    }
    return params, rng.standard_normal((T, n))


def gradients(params, depth, x):
    """Gradient on each input of the loss of the last step, whose target is the first symbol."""
    run = deep_forward(params, depth, x)
    last = np.arange(len(x)) == len(x) - 1
    return deep_backward(params, run, np.zeros(len(x), int), last)["x"]


def shares(depth):
    """Length of the gradient on each input in units of that on the last, over random networks."""
    lengths = []
    for seed in range(1, DRAWS + 1):
        params, x = drawn(depth, seed)
        lengths.append(np.linalg.norm(gradients(params, depth, x), axis=-1))
    mean = np.exp(np.mean(np.log(lengths), axis=0))
    return mean / mean[-1]


META = manifest()["depth"]

few = st.integers(0, 2)
states = st.fixed_dictionaries(
    {"states": st.integers(1, 3), "input": few, "transition": few, "output": few}
    | {"skip": st.booleans(), "start": st.integers(1, STEPS)}
)


@given(states)
def test_the_circuit_is_the_references(math, state):
    ours, theirs = math("circuit", state), deep_circuit(of(state)).to_dict()
    assert ours["nodes"] == theirs["nodes"]
    assert ours["edges"] == theirs["edges"]


@given(states)
def test_the_path_is_a_shortest_one_and_the_weights_are_counted(math, state):
    depth = of(state)
    ours = [tuple(node.split(":")) for node in math("shortest", state, state["start"])]
    theirs = deep_circuit(depth).unfold(STEPS)
    theirs = theirs.shortest_path(("x", state["start"]), ("o", STEPS))
    assert len(ours) == len(theirs)
    shapes = deep_shapes(depth, *[UNITS] * 3)
    assert {name: tuple(shape) for name, shape in math("shapes", state).items()} == shapes
    assert math("weights", state) == sum(int(np.prod(shape)) for shape in shapes.values())


@settings(max_examples=20)
@given(states, st.integers(1, 2**20))
def test_initialization_outputs_and_gradients_are_pythons(math, state, seed):
    depth = of(state)
    params, x = drawn(depth, seed)
    made = math("drawn", state, seed)
    for name, array in params.items():
        close(made["params"][name], array)
    close(made["x"], x)
    close(math("forward", params, state, x)["o"], deep_forward(params, depth, x).o[-1])
    close(math("gradients", params, state, x), gradients(params, depth, x))


@settings(max_examples=5)
@given(states)
def test_the_dots_are_pythons(math, state):
    reach = np.array(math("reach", state))
    close(reach / reach[-1], shares(of(state)))


def test_the_numbers_in_the_answer(math):
    flat = {"states": 1, "input": 0, "transition": 0, "output": 0, "skip": False}
    assert len(math("shortest", flat, 1)) - 1 == 6
    assert len(math("shortest", flat | {"transition": 1}, 1)) - 1 == int(
        META["prediction"]["answer"]
    )


def test_layers_between_states_shrink_the_gradient_and_a_skip_connection_saves_it():
    """What the figure is there to show, in the networks that it draws."""
    shallow, deep, skip = (
        shares(depth)[0] for depth in (Depth(), Depth(transition=1), Depth(transition=1, skip=True))
    )
    assert deep < shallow / 5
    assert skip > shallow


@pytest.mark.parametrize(("transition", "arrows"), [(0, 6), (1, 10)])
def test_the_status_states_the_path_and_the_gradient_at_its_start(transition, arrows):
    said = status("depth", transition=transition)
    assert f"the path has {arrows} arrows." in said
    share = shares(Depth(transition=transition))[0]
    stated = float(re.search(r"([\d.]+) % of the gradient", said)[1]) / 100
    assert stated == pytest.approx(share, rel=0.02)
