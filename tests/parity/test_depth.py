"""The figure depth builds the networks of the reference, and follows its gradients."""

import numpy as np
import pytest
from compare import close
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.figures import depth as figure
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import Depth, deep_circuit, deep_forward, deep_shapes

pytestmark = pytest.mark.chapter("11")
META = manifest()["depth"]

few = st.integers(0, 2)
states = st.fixed_dictionaries(
    {"states": st.integers(1, 3), "input": few, "transition": few, "output": few}
    | {"skip": st.booleans(), "start": st.integers(1, figure.STEPS)}
)


@given(states)
def test_the_circuit_is_the_references(math, state):
    ours, theirs = math("circuit", state), deep_circuit(figure.of(state)).to_dict()
    assert ours["nodes"] == theirs["nodes"]
    assert ours["edges"] == theirs["edges"]


@given(states)
def test_a_way_is_a_shortest_one_and_the_weights_are_counted(math, state):
    depth = figure.of(state)
    ours = [tuple(node.split(":")) for node in math("shortest", state, state["start"])]
    theirs = deep_circuit(depth).unfold(figure.STEPS)
    theirs = theirs.shortest_path(("x", state["start"]), ("o", figure.STEPS))
    assert len(ours) == len(theirs)
    shapes = deep_shapes(depth, *[figure.UNITS] * 3)
    assert {name: tuple(shape) for name, shape in math("shapes", state).items()} == shapes
    assert math("weights", state) == sum(int(np.prod(shape)) for shape in shapes.values())


@settings(max_examples=20)
@given(states, st.integers(1, 2**20))
def test_what_is_drawn_computed_and_differentiated_is_pythons(math, state, seed):
    depth = figure.of(state)
    params, x = figure.drawn(depth, seed)
    made = math("drawn", state, seed)
    for name, array in params.items():
        close(made["params"][name], array)
    close(made["x"], x)
    close(math("forward", params, state, x)["o"], deep_forward(params, depth, x).o[-1])
    close(math("gradients", params, state, x), figure.gradients(params, depth, x))


@settings(max_examples=5)
@given(states)
def test_the_dots_are_pythons(math, state):
    reach = np.array(math("reach", state))
    close(reach / reach[-1], figure.shares(figure.of(state)))


def test_the_numbers_in_the_answer(math):
    flat = {"states": 1, "input": 0, "transition": 0, "output": 0, "skip": False}
    assert len(math("shortest", flat, 1)) - 1 == 6
    assert len(math("shortest", flat | {"transition": 1}, 1)) - 1 == int(
        META["prediction"]["answer"]
    )


def test_depth_between_states_drowns_a_gradient_and_a_skip_saves_it():
    """What the figure is there to show, in the networks that it draws."""
    shallow, deep, skip = (
        figure.shares(depth)[0]
        for depth in (Depth(), Depth(transition=1), Depth(transition=1, skip=True))
    )
    assert deep < shallow / 5
    assert skip > shallow


def test_the_poster_is_the_untouched_figure():
    said = figure.poster(complete("depth", {})).alt
    assert "6 arrows lead from the input of step 1" in said
    assert "0.03 of the gradient" in said
