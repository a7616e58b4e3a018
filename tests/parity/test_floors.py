"""The figure floors runs its stacks as Python does, and measures what a letter leaves alike."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.trained.floors import FLOORS, LARGEST, NAMES, UNITS, make
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.reference import Depth, deep_forward
from rnn_helpers.tasks import characters

pytestmark = pytest.mark.chapter("11")

SAID = ("first floor", "second floor", "third floor")
OTHERS = "abcdefghijklmnopqrstuvwxyz "


def network(kind):
    """Weights of a stack, as they were rounded: these are the stack, here and in the figure."""
    return unpacked(stored("floors")["networks"][kind])


def encode(text):
    """Tokens of a text; what the network has never read is a space to it."""
    alphabet = stored("floors")["alphabet"]
    return np.array([alphabet.find(c) if c in alphabet else alphabet.index(" ") for c in text], int)


def left(kind, text, at):
    """How far each floor's states move, from a letter on, if another stands in its place.

    The root of the mean square over all others, in units of what lies between the states at two
    places of a text.

    Returns
    -------
    list of ndarray, shape (T - at,)
    """
    tokens = encode(text)
    others = [token for token in encode(OTHERS) if token != tokens[at]]
    x = np.tile(tokens[:, None], (1, 1 + len(others)))
    x[at, 1:] = others
    run = deep_forward(network(kind), Depth(FLOORS), x)
    shares = []
    for states, spread in zip(run.each, stored("floors")["spread"][kind], strict=True):
        moved = states[1 + at :, 1:] - states[1 + at :, :1]
        shares.append(np.sqrt((moved**2).sum(-1).mean(1)) / spread)
    return shares


close = partial(compare.close, atol=1e-9)
KINDS = ("before", "after")
DEFAULT = complete("floors", {})
META = manifest()["floors"]
every_kind = pytest.mark.parametrize("kind", KINDS)
texts = st.text("abcxyz (){}:\n.Ω", min_size=1, max_size=12)


def kept(kind, text, at):
    """Letters after which less than a tenth is left, by floor."""
    return [int(np.flatnonzero(share >= 0.1)[-1]) + 1 for share in left(kind, text, at)]


@every_kind
def test_the_weights_are_whole_numbers_of_eight_bits(kind):
    weights, scales = network(kind), stored("floors")["networks"][kind]["scales"]
    assert tuple(weights) == NAMES
    for array, scale in zip(weights.values(), scales, strict=True):
        assert np.abs(array).max() <= (LARGEST + 1e-9) * scale


@every_kind
@given(text=texts)
def test_every_state_is_the_references(math, kind, text):
    ours = math.eval("M.run(M.network(kind), M.encode(text))", kind=kind, text=text)
    assert math("encode", text) == encode(text).tolist()
    run = deep_forward(network(kind), Depth(FLOORS), encode(text))
    close(np.moveaxis(np.array(ours), 1, 0), [states[1:] for states in run.each])


@every_kind
@settings(max_examples=10, deadline=None)
@given(text=texts, at=st.integers(0, 11))
def test_what_is_left_of_a_letter_is_what_python_finds(math, kind, text, at):
    at = min(at, len(text) - 1)
    ours = math.eval("M.left(kind, M.encode(text), at)", kind=kind, text=text, at=at)
    close(ours, left(kind, text, at))


@every_kind
def test_the_unit_is_what_lies_between_two_places_of_a_text(kind):
    text = characters("topics").held_out[:4000]
    run = deep_forward(network(kind), Depth(FLOORS), text)
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
def test_the_networks_come_from_a_recipe_that_runs():
    pytest.importorskip("torch")
    made = make(steps=2, streams=2, measured=20)
    for kind, network in made["networks"].items():
        assert network["shapes"] == stored("floors")["networks"][kind]["shapes"]


def test_the_status_states_how_long_each_floor_keeps_the_letter():
    letters = kept("before", DEFAULT["text"], DEFAULT["at"] - 1)
    said = compare.status("floors")
    assert all(
        f"{name}: {count} letters" in said for name, count in zip(SAID, letters, strict=True)
    )
