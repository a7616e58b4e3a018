"""The figure context runs its networks as the reference does, and states their outputs."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.figures import stored
from rnn_helpers.figures.context import figure as context
from rnn_helpers.figures.context.trained import LARGEST, UNITS, loss, make, right
from rnn_helpers.reference import context_forward

pytestmark = pytest.mark.chapter("08")
close = partial(compare.close, atol=1e-9)
META = manifest()["context"]
N = len(context.LETTERS)
NETWORKS = {door: context.network(door) for door in context.DOORS}
every_door = pytest.mark.parametrize("door", context.DOORS)
doors = st.sampled_from(context.DOORS)
places = st.integers(0, len(context.PICTURES) - 1)
states = st.lists(st.floats(-1, 1), min_size=UNITS, max_size=UNITS)


@every_door
def test_the_weights_are_the_stored_ones(math, door):
    ours = math("network", door)
    for name, array in NETWORKS[door].items():
        np.testing.assert_array_equal(ours[name], array)
    for whole in stored("context")["networks"][door]["whole"]:
        assert np.abs(whole).max() <= LARGEST


def test_a_network_ignores_the_inputs_that_it_does_not_have():
    assert not NETWORKS["step"]["S"].any()
    assert not NETWORKS["start"]["U"][:, N:].any()
    assert NETWORKS["both"]["S"].any()


@given(doors, states, st.integers(0, N - 1), places)
def test_every_step_matches_the_reference(math, door, h, before, place):
    picture = context.PICTURES[place]
    ours = math("step", door, h, before, picture.tolist())
    state, yhat = context.step(NETWORKS[door], np.array(h), np.eye(N)[before], picture)
    close(ours["h"], state)
    close(ours["yhat"], yhat)


@given(doors, places, st.integers(1, context.LENGTH + 1))
def test_the_outputs_match_python(math, door, place, gone):
    picture = context.PICTURES[place]
    ours = math("says", door, picture.tolist(), gone)
    letters, p = context.says(NETWORKS[door], picture, gone)
    assert ours["letters"] == letters
    close(ours["p"], p)


@every_door
def test_with_the_picture_there_it_is_the_network_of_the_chapter(door):
    params = NETWORKS[door]
    told = params | {"U": params["U"][:, :N], "R": params["U"][:, N:]}
    for picture in context.PICTURES:
        letters, p = context.says(params, picture)
        o = context_forward(told, picture, letters).o
        close(np.exp(o) / np.exp(o).sum(-1, keepdims=True), p)


@every_door
def test_the_networks_are_as_good_as_stated(door):
    said = stored("context")["training"][door]
    assert loss(NETWORKS[door]) == pytest.approx(said["loss"], abs=1e-5)
    assert right(NETWORKS[door]) == said["right"] == 1


def test_the_texts_state_the_numbers(math):
    counts = {door: math("rightInAll", door, 4) for door in context.DOORS}
    why = META["prediction"]["why"]
    assert counts["start"] == 64
    assert "64 of 64 letters" in why
    assert f"at every step gets {counts['step']} right" in why
    assert f"both ways in gets {counts['both']}." in why
    assert " ".join(context.CONSTANTS.SENTENCES[0]) in META["alt"]


@pytest.mark.slow
def test_the_training_recipe_runs():
    made = make(seeds=[0], steps=2)
    assert made["training"].keys() == stored("context")["training"].keys()


@pytest.mark.parametrize("state", [{}, {"picture": 2, "gone": 4}])
def test_the_status_states_the_letters_of_each_network(state):
    told = compare.status("context", **state)
    for params in NETWORKS.values():
        picture = context.PICTURES[state.get("picture", 0)]
        said, _ = context.says(params, picture, state.get("gone", context.LENGTH + 1))
        assert " ".join(context.LETTERS[k] for k in said) in told
