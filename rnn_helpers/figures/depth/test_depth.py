"""The figure depth builds the networks of the reference, and computes their gradients."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.figures.depth.model import BACK, STEPS, UNITS, drawn, gradients, reach
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
    | {"init": st.sampled_from(["small", "orthogonal"])}
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
    params, x = drawn(depth, seed, orthogonal=state["init"] == "orthogonal")
    made = math("drawn", state, seed)
    for name, array in params.items():
        close(made["params"][name], array)
    close(made["x"], x)
    close(math("forward", params, state, x)["o"], deep_forward(params, depth, x).o[-1])
    close(math("gradients", params, state, x), gradients(params, depth, x))


@settings(max_examples=5)
@given(states, st.integers(1, 8))
def test_the_lines_equal_the_medians_in_python(math, state, back):
    ours = math("reach", state, back)
    close(ours, reach(of(state), state["init"] == "orthogonal", back))


def test_the_numbers_in_the_answer(math):
    flat = {"states": 1, "input": 0, "transition": 0, "output": 0, "skip": False}
    assert len(math("shortest", flat, 1)) - 1 == 6
    assert len(math("shortest", flat | {"transition": 1}, 1)) - 1 == int(
        META["prediction"]["answer"]
    )


def test_with_one_extra_layer_the_status_states_the_path_alone():
    assert status("depth", input=1) == "From input 1 to the last output, the path has 7 arrows."
    assert status("depth", output=1, start=5).endswith("the path has 3 arrows.")


@pytest.mark.parametrize("orthogonal", [False, True])
def test_the_texts_describe_where_the_lines_end(orthogonal):
    """Check the section's message, and the answer to the prediction, on the drawn networks."""
    shallow, deep, skip, output = (
        reach(depth, orthogonal)[-1]
        for depth in (
            Depth(),
            Depth(transition=1),
            Depth(transition=1, skip=True),
            Depth(output=1),
        )
    )
    assert skip > shallow > deep
    assert np.log10(output) == pytest.approx(np.log10(shallow), abs=1)
    if orthogonal:
        assert deep > shallow / 10 > 0.001
    else:
        assert np.log10(deep) < 1.7 * np.log10(shallow)


@pytest.mark.parametrize("init", ["small", "orthogonal"])
def test_the_status_states_the_path_and_the_gradient_of_both_networks(init):
    said = status("depth", view="all", transition=1, init=init)
    assert "the path has 10 arrows." in said
    assert f"With the {init} start, {BACK} steps back" in said
    shares = [reach(depth, init == "orthogonal")[-1] for depth in (Depth(transition=1), Depth())]
    if init == "orthogonal":
        said = re.findall(r"(0\.\d+) times", said)
        assert [float(number) for number in said] == pytest.approx(shares, rel=0.1)
    else:
        said = re.findall(r"(\d) times 10 to the power −(\d+)", said)
        assert [f"{digit}e-{power}" for digit, power in said] == [f"{s:.0e}" for s in shares]
