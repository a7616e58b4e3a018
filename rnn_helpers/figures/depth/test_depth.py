"""The figure depth builds the networks of the reference, and computes their gradients."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.figures.depth.model import STEPS, UNITS, drawn, gradients, shares
from rnn_helpers.reference import Depth, deep_circuit, deep_forward, deep_shapes

pytestmark = pytest.mark.chapter("11")

PLACES = ("states", "input", "transition", "output")


def of(state):
    """Return the depth of a state; a skip needs a layer between states to have an effect."""
    skip = state["skip"] and state["transition"] > 0
    return Depth(**{place: state[place] for place in PLACES}, skip=skip)


META = manifest()["depth"]

few = st.integers(0, 2)
states = st.fixed_dictionaries(
    {"states": st.integers(1, 3), "input": few, "transition": few, "output": few}
    | {"skip": st.booleans(), "start": st.integers(1, STEPS)}
)


@given(states)
def test_the_circuit_matches_the_reference(math, state):
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
def test_initialization_outputs_and_gradients_equal_those_in_python(math, state, seed):
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
def test_the_dots_equal_the_shares_in_python(math, state):
    reach = np.array(math("reach", state))
    close(reach / reach[-1], shares(of(state)))


def test_the_numbers_in_the_answer(math):
    flat = {"states": 1, "input": 0, "transition": 0, "output": 0, "skip": False}
    assert len(math("shortest", flat, 1)) - 1 == 6
    assert len(math("shortest", flat | {"transition": 1}, 1)) - 1 == int(
        META["prediction"]["answer"]
    )


def test_with_one_extra_layer_the_status_states_the_path_alone():
    assert status("depth", input=1) == "From input 1 to the last output, the path has 7 arrows."
    assert status("depth", output=1, start=5).endswith("the path has 3 arrows.")


def test_layers_between_states_shrink_the_gradient_and_a_skip_connection_saves_it():
    """Check the figure's message on the networks that it draws."""
    shallow, deep, skip = (
        shares(depth)[0] for depth in (Depth(), Depth(transition=1), Depth(transition=1, skip=True))
    )
    assert deep < shallow / 5
    assert skip > shallow


@pytest.mark.parametrize(("transition", "arrows"), [(0, 6), (1, 10)])
def test_the_status_states_the_path_and_the_gradient_at_its_start(transition, arrows):
    said = status("depth", view="all", transition=transition)
    assert f"the path has {arrows} arrows." in said
    share = shares(Depth(transition=transition))[0]
    stated = float(re.search(r"([\d.]+) % of the gradient", said)[1]) / 100
    assert stated == pytest.approx(share, rel=0.02)
