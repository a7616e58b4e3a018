"""The figure rhyme writes the same letters as Python, and its texts state the results."""

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.figures import stored
from rnn_helpers.figures.rhyme import figure as rhyme
from rnn_helpers.figures.rhyme.trained import LARGEST, fed, make
from rnn_helpers.reference import rnn_forward

pytestmark = pytest.mark.chapter("06")
META = manifest()["rhyme"]
DEFAULT = complete("rhyme", {})
NETWORKS = {training: rhyme.network(training) for training in ("truth", "practice")}
PARAMS, Y = NETWORKS["truth"], rhyme.truth()
N = len(Y)


def text(slip, own=True):
    """Return what the network writes as a string."""
    return "".join(rhyme.ALPHABET[token] for token in rhyme.write(PARAMS, slip, own)[0])


def test_the_letters_and_the_weights_match_python(math):
    assert math.eval("[M.LETTERS, M.Y]") == [rhyme.ALPHABET, Y.tolist()]
    for training, params in NETWORKS.items():
        for name, array in math("network", training).items():
            np.testing.assert_array_equal(array, params[name])


@given(st.integers(0, N - 1), st.booleans(), st.sampled_from(sorted(NETWORKS)))
def test_every_letter_and_probability_matches_python(math, slip, own, training):
    steps = math("run", slip, own, training)
    tokens, yhat = rhyme.write(NETWORKS[training], slip, own)
    assert [now["token"] for now in steps] == tokens.tolist()
    close([now["yhat"] for now in steps], yhat)


@given(st.integers(0, N - 1), st.integers(1, N))
def test_only_wrong_letters_after_the_slip_are_counted(math, slip, t):
    tokens, _ = rhyme.write(PARAMS, slip)
    assert math.eval("M.wrong(M.run(slip, true), slip, t)", slip=slip, t=t) == sum(
        tokens[slip:t] != Y[slip:t]
    )


def test_writing_side_by_side_is_writing_one_after_another():
    tokens, yhat = rhyme.write(PARAMS, np.array([5, 33]))
    for k, slip in enumerate((5, 33)):
        one = rhyme.write(PARAMS, slip)
        np.testing.assert_array_equal(tokens[:, k], one[0])
        close(yhat[:, k], one[1])


@pytest.mark.parametrize("params", NETWORKS.values(), ids=NETWORKS)
def test_fed_the_truth_or_without_a_slip_the_network_makes_no_mistake(params):
    tokens, yhat = rhyme.write(params, own=False)
    np.testing.assert_array_equal(tokens, Y)
    np.testing.assert_array_equal(rhyme.write(params)[0], Y)
    close(yhat, rnn_forward(params, np.roll(Y, 1)).yhat)


@pytest.mark.parametrize("params", NETWORKS.values(), ids=NETWORKS)
def test_no_choice_depends_on_the_last_digits(params):
    _, yhat = rhyme.write(params, np.arange(N))
    third, second, first = np.moveaxis(np.sort(yhat)[..., -3:], -1, 0)
    assert (first - second).min() > 1e-4
    at_slips = range(N - 1), range(1, N)
    assert (second - third)[at_slips].min() > 1e-7


def test_the_texts_state_the_results():
    wrong = rhyme.mistakes(PARAMS)
    assert f"{np.count_nonzero(wrong == 0)} of {len(wrong)}" in META["prediction"]["why"]
    assert DEFAULT == {"slip": 33, "t": 33, "training": "truth"}
    assert META["alt"].split(": ")[1].startswith(text(33)[:33] + ".")
    assert (text(33)[32], text(0)[32]) == ("e", "p")
    assert text(33)[33:].startswith("ty kanges h m t mpn  sumpty sat or a wada")
    assert f"{wrong[32]} if it is the network’s own letter" in status("rhyme", t=N)
    assert status("rhyme").endswith("at letter 33, and nothing follows the slip yet.")


def test_a_slip_can_be_forgotten_or_ruin_the_rest():
    wrong = rhyme.mistakes(PARAMS)
    assert [wrong[slip - 1] for slip in (22, 33, 61)] == [0, 96, 72]


@pytest.mark.slow
def test_the_training_recipe_runs():
    made = make(seeds=[0, 1], steps=2)
    for training, network in made.items():
        assert network["shapes"] == stored("rhyme")[training]["shapes"]
        for array, scale in zip(unpacked(network).values(), network["scales"], strict=True):
            assert np.abs(array).max() in (0, pytest.approx(LARGEST * scale))


def test_in_practice_the_letters_fed_are_true_ones_or_the_networks_own():
    params = {name: array[None] for name, array in PARAMS.items()}
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(fed(params, 1, rng)[:, 0], np.roll(Y, 1))
    untrained = {name: 0 * array for name, array in params.items()}
    own = fed(untrained, 0, rng)[1:, 0]
    assert len(set(own.tolist())) > 10  # they are drawn, and without weights all are as likely
