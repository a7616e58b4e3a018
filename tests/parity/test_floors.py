"""The figure floors runs its stacks as Python does, and measures what a letter leaves alike."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import floors
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.trained.floors import FLOORS, LARGEST, NAMES, UNITS, make
from rnn_helpers.reference import Depth, deep_forward
from rnn_helpers.tasks import characters

pytestmark = pytest.mark.chapter("11")
close = partial(compare.close, atol=1e-9)
KINDS = ("before", "after")
DEFAULT = complete("floors", {})
META = manifest()["floors"]
every_kind = pytest.mark.parametrize("kind", KINDS)
texts = st.text("abcxyz (){}:\n.Ω", min_size=1, max_size=12)


def kept(kind, text, at):
    """Letters after which less than a tenth is left, by floor."""
    return [int(np.flatnonzero(share >= 0.1)[-1]) + 1 for share in floors.left(kind, text, at)]


@every_kind
def test_the_weights_are_whole_numbers_of_eight_bits(kind):
    network, scales = floors.network(kind), stored("floors")["networks"][kind]["scales"]
    assert tuple(network) == NAMES
    for array, scale in zip(network.values(), scales, strict=True):
        assert np.abs(array).max() <= (LARGEST + 1e-9) * scale


@every_kind
@given(text=texts)
def test_every_state_is_the_references(math, kind, text):
    ours = math.eval("M.run(M.network(kind), M.encode(text))", kind=kind, text=text)
    assert math("encode", text) == floors.encode(text).tolist()
    run = deep_forward(floors.network(kind), Depth(FLOORS), floors.encode(text))
    close(np.moveaxis(np.array(ours), 1, 0), [states[1:] for states in run.each])


@every_kind
@settings(max_examples=10, deadline=None)
@given(text=texts, at=st.integers(0, 11))
def test_what_is_left_of_a_letter_is_what_python_finds(math, kind, text, at):
    at = min(at, len(text) - 1)
    ours = math.eval("M.left(kind, M.encode(text), at)", kind=kind, text=text, at=at)
    close(ours, floors.left(kind, text, at))


@every_kind
def test_the_unit_is_what_lies_between_two_places_of_a_text(kind):
    text = characters("topics").held_out[:4000]
    run = deep_forward(floors.network(kind), Depth(FLOORS), text)
    for states, spread in zip(run.each, stored("floors")["spread"][kind], strict=True):
        one, other = states[1:].reshape(2, -1, UNITS)
        apart = ((one - np.random.default_rng(0).permutation(other)) ** 2).sum(-1).mean()
        assert abs(apart**0.5 / spread - 1) < 0.05


def test_the_words_say_the_numbers_of_the_figure(math):
    text, at = DEFAULT["text"], DEFAULT["at"] - 1
    assert DEFAULT["net"] == "before"
    assert "after 4 letters, the second after 6, the third after 7" in META["alt"]
    assert kept("before", text, at) == [4, 6, 7]
    assert "five letters later nine tenths of this one are gone" in META["prediction"]["why"]
    assert kept("after", text, at) == [5, 5, 5]
    assert stored("floors")["bits"]["after"] < 2.6 < stored("floors")["bits"]["before"]


@given(shares=st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_a_letter_is_gone_once_less_than_a_tenth_is_left_for_good(math, shares):
    ours = math("kept", shares)
    above = [k for k, share in enumerate(shares) if share >= 0.1]
    gone = above[-1] + 1 if above else 0
    assert ours == (gone if gone < len(shares) else None)


@pytest.mark.slow
def test_the_poster_names_every_floor():
    assert all(name in show("floors").alt for name in floors.NAMES)


@pytest.mark.slow
def test_the_networks_come_from_a_recipe_that_runs():
    pytest.importorskip("torch")
    made = make(steps=2, streams=2, measured=20)
    for kind, network in made["networks"].items():
        assert network["shapes"] == stored("floors")["networks"][kind]["shapes"]
