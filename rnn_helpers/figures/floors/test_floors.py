"""The figure floors runs its stacks and measures the memory of a letter as Python does."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import stored
from rnn_helpers.figures.floors.trained import FLOORS, LARGEST, NAMES, UNITS, make
from rnn_helpers.reference import Depth, deep_forward
from rnn_helpers.tasks import characters

pytestmark = pytest.mark.chapter("11")

SAID = ("bottom layer", "middle layer", "top layer")
OTHERS = "abcdefghijklmnopqrstuvwxyz "


def network(kind):
    """Return the rounded weights of a stack, which Python and the figure both use."""
    return unpacked(stored("floors")["networks"][kind])


def encode(text):
    """Return the tokens of a text. An unknown character becomes a space."""
    alphabet = stored("floors")["alphabet"]
    return np.array([alphabet.find(c) if c in alphabet else alphabet.index(" ") for c in text], int)


def left(kind, text, at):
    """Return the changes of each layer's states, from a letter on, if another letter replaces it.

    It is the root mean square over all other letters, in units of the distance between the states
    at two positions of a text.

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
    """Return, for each layer, the number of letters after which less than 10 % remains."""
    return [int(np.flatnonzero(share >= 0.1)[-1]) + 1 for share in left(kind, text, at)]


@every_kind
def test_the_weights_are_integers_of_eight_bits(kind):
    weights, scales = network(kind), stored("floors")["networks"][kind]["scales"]
    assert tuple(weights) == NAMES
    for array, scale in zip(weights.values(), scales, strict=True):
        assert np.abs(array).max() <= (LARGEST + 1e-9) * scale


@every_kind
@given(text=texts)
def test_every_state_matches_the_reference(math, kind, text):
    ours = math.eval("M.run(M.network(kind), M.encode(text))", kind=kind, text=text)
    assert math("encode", text) == encode(text).tolist()
    run = deep_forward(network(kind), Depth(FLOORS), encode(text))
    close(np.moveaxis(np.array(ours), 1, 0), [states[1:] for states in run.each])


@every_kind
@settings(max_examples=10, deadline=None)
@given(text=texts, at=st.integers(0, 11))
def test_the_share_that_is_left_of_a_letter_equals_the_one_in_python(math, kind, text, at):
    at = min(at, len(text) - 1)
    ours = math.eval("M.left(kind, M.encode(text), at)", kind=kind, text=text, at=at)
    close(ours, left(kind, text, at))


@every_kind
def test_the_unit_is_the_distance_between_two_positions_of_a_text(kind):
    text = characters("topics").held_out[:4000]
    run = deep_forward(network(kind), Depth(FLOORS), text)
    for states, spread in zip(run.each, stored("floors")["spread"][kind], strict=True):
        one, other = states[1:].reshape(2, -1, UNITS)
        apart = ((one - np.random.default_rng(0).permutation(other)) ** 2).sum(-1).mean()
        assert abs(apart**0.5 / spread - 1) < 0.05


def test_the_texts_state_the_numbers_of_the_figure(math):
    text, at = DEFAULT["text"], DEFAULT["at"] - 1
    assert DEFAULT["net"] == "before"
    ends = "after 4 letters in the bottom layer, after 6 in the middle layer and after 7 in the top"
    assert ends in META["alt"]
    assert kept("before", text, at) == [4, 6, 7]
    why = META["prediction"]["why"]
    assert "less than a tenth is left of this v after five letters, in all three layers" in why
    assert kept("after", text, at) == [5, 5, 5]
    assert stored("floors")["bits"]["after"] < 2.6 < stored("floors")["bits"]["before"]


def test_the_top_layer_keeps_a_letter_longer_and_after_training_by_less():
    corpus = characters("topics")
    text = "".join(corpus.alphabet[token] for token in corpus.held_out)
    starts = np.random.default_rng(0).integers(len(text) - 40, size=40)
    bottom, top = {}, {}
    for kind in KINDS:
        letters = [kept(kind, text[i : i + 40], at) for i in starts for at in (5, 8, 11)]
        bottom[kind], _, top[kind] = np.mean(letters, axis=0)
    assert top["before"] - bottom["before"] > 2
    assert 1 < top["after"] - bottom["after"] < 2


@given(shares=st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_a_letter_is_forgotten_when_less_than_a_tenth_remains_from_then_on(math, shares):
    ours = math("kept", shares)
    above = [k for k, share in enumerate(shares) if share >= 0.1]
    gone = above[-1] + 1 if above else 0
    assert ours == (gone if gone < len(shares) else None)


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(steps=2, streams=2, measured=20)
    for kind, network in made["networks"].items():
        assert network["shapes"] == stored("floors")["networks"][kind]["shapes"]


def test_the_status_states_how_long_each_layer_keeps_the_letter():
    letters = kept("before", DEFAULT["text"], DEFAULT["at"] - 1)
    said = compare.status("floors")
    assert all(
        f"for {count} letters in the {name}" in said
        for name, count in zip(SAID, letters, strict=True)
    )
