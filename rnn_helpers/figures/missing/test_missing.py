"""The figure missing fills gaps as the reference does, by the source's own probabilities."""

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import exact_filling, forward_filling
from rnn_helpers.tasks import NoisyParity

pytestmark = pytest.mark.chapter("07")
META = manifest()["missing"]
DEFAULT = complete("missing", {})
REVEALED = DEFAULT | {"at": 240, "weigh": True, "truth": True}
CONSTANTS = constants("missing")
T = CONSTANTS.LENGTH

states = st.fixed_dictionaries(
    {
        "hidden": st.integers(1, 2**T - 1),
        "noise": st.sampled_from([0.02, 0.1, 0.24, 0.4]),
        "seed": st.integers(0, 99),
        "coins": st.integers(0, 99),
        "at": st.integers(0, 60),
    }
)


def source(noise):
    """Return the source of the line."""
    return NoisyParity(CONSTANTS.ORDER, noise)


def line(noise, seed):
    """Return the bits of the line."""
    bits = np.random.MT19937()
    bits.state = np.random.RandomState(seed).get_state(legacy=False)
    return source(noise).sample(T, 1, np.random.Generator(bits))[:, 0]


def gaps(hidden):
    """Return the places, from 0, whose bit is set in `hidden`."""
    return np.flatnonzero(hidden >> np.arange(T) & 1)


def sampled(source, y, places, draws, seed):
    """Sample one gap at a time, from the first to the last and again, by Gibbs sampling.

    Return the share of ones among the draws of each gap, 1/2 before its first draw, and the bits
    that the gaps hold at the end.
    """
    coins, y = np.random.RandomState(seed), y.copy()
    y[places] = coins.random_sample(len(places)) < 0.5
    ones, times = np.zeros(len(places)), np.zeros(len(places))
    for draw, u in enumerate(coins.random_sample(draws if len(places) else 0)):
        gap = draw % len(places)
        y[places[gap]] = u < one_given_all(source, y, places[gap])
        ones[gap] += y[places[gap]]
        times[gap] += 1
    return np.divide(ones, times, np.full(len(places), 0.5), where=times > 0), y[places]


def one_given_all(source, y, place):
    """Return the probability that one bit is a one, given all others."""
    return exact_filling(source.log_probability, y, [place], 2).probabilities[0, 1]


def set_up(state):
    """Return the source, line and gaps of a state."""
    y = line(state["noise"], state["seed"])
    return source(state["noise"]), y, gaps(state["hidden"])


@given(states)
def test_the_line_and_its_gaps_are_the_sources(math, state):
    source, y, places = set_up(state)
    assert math("line", state["noise"], state["seed"]) == y.tolist()
    assert math("gaps", state["hidden"]) == places.tolist()
    close(math("logProbability", y, state["noise"]), source.log_probability(y))
    p = [math("following", y, t, state["noise"]) for t in range(T)]
    close(p, source.following(y)[:-1])


@given(states)
def test_exact_and_forward_filling_match_the_reference(math, state):
    source, y, places = set_up(state)
    for name, filling in (("exact", exact_filling), ("forward", forward_filling)):
        ours = math(name, y, places, state["noise"])
        theirs = filling(source.log_probability, y, places, 2)
        close(ours["ones"], theirs.probabilities[:, 1])
        # Going from left to right, a network computes all predictions in one pass.
        assert ours["passes"] == (theirs.evaluations if name == "exact" else min(1, len(places)))


@given(states, st.integers(0, T - 1))
def test_a_draw_has_the_probability_that_the_reference_gives_it(math, state, place):
    source, y, _ = set_up(state)
    theirs = one_given_all(source, y, place)
    close(math("oneGivenAll", y, place, state["noise"]), theirs)
    whole = [source.log_probability(np.where(np.arange(T) == place, bit, y)) for bit in (0, 1)]
    close(theirs, 1 / (1 + np.exp(whole[0] - whole[1])))


@given(states)
def test_every_draw_matches_python(math, state):
    source, y, places = set_up(state)
    ours = math("sampled", y, places, state["noise"], state["at"], state["coins"])
    share, now = sampled(source, y, places, state["at"], state["coins"])
    close(ours["ones"], share)
    assert ours["now"] == now.tolist()
    assert ours["passes"] == 2 * state["at"]


def test_no_draw_depends_on_the_last_digits():
    """In the draws that the page mentions, no u is close to the probability that it decides."""
    source, y, places = set_up(DEFAULT)
    coins = np.random.RandomState(DEFAULT["coins"])
    y = y.copy()
    y[places] = coins.random_sample(len(places)) < 0.5
    for draw, u in enumerate(coins.random_sample(1000)):
        place = places[draw % len(places)]
        p = one_given_all(source, y, place)
        assert abs(u - p) > 1e-6
        y[place] = u < p


@pytest.mark.slow
def test_gibbs_sampling_converges_to_the_exact_probabilities_unless_stuck(math):
    state = DEFAULT | {"noise": 0.4, "at": 1000}
    source, y, places = set_up(state)
    ones = math("fill", state)["sampled"]["ones"]
    exact = exact_filling(source.log_probability, y, places, 2).probabilities[:, 1]
    np.testing.assert_allclose(ones, exact, atol=0.12)


def test_no_method_uses_a_covered_bit(math):
    _, y, places = set_up(DEFAULT)
    other = y.copy()
    other[places] = 1 - y[places]
    for name in ("exact", "forward"):
        assert math(name, y, places, 0.1) == math(name, other, places, 0.1)
    first, second = (math("sampled", line, places, 0.1, 40, 3) for line in (y, other))
    assert first == second


def test_the_prediction_is_true(math):
    made = math("fill", REVEALED)
    why = META["prediction"]["why"]
    assert [place + 1 for place in made["places"]] == [4, 5, 6, 7]
    assert made["forward"]["right"] == 2
    assert META["prediction"]["answer"] == "two"
    assert made["exact"]["right"] == 4
    assert f"a 1 at bit 4 probability {made['exact']['ones'][0]:.2f}" in why
    assert made["y"][3] == 1
    assert 2 ** len(made["places"]) == 16
    # Gibbs sampling begins with the values of forward filling, then changes them.
    y, places = made["y"], made["places"]
    wrong = [math("guess", p) for p in made["forward"]["ones"]]
    held = [
        draws
        for draws in range(4, 260)
        if math("sampled", y, places, 0.1, draws, DEFAULT["coins"])["now"] == wrong
    ]
    assert held[0] == 4
    assert f"for more than {REVEALED['at']} draws" in why
    assert held == list(range(4, held[-1] + 1))
    assert REVEALED["at"] < held[-1]


def test_the_texts_state_the_numbers_of_the_figure(math):
    made = math("fill", DEFAULT)
    shown = [f"{p:.2f}" for p in made["forward"]["ones"]]
    ones = f"{', '.join(shown[:3])} and {shown[3]}"
    assert f"of a one of {ones}, and has filled in 0, 1, 0, 1" in META["alt"]
    assert [math("guess", p) for p in made["forward"]["ones"]] == [0, 1, 0, 1]
    assert f"in {made['forward']['passes']} pass" in META["alt"]
    assert f"of which there are {made['exact']['passes']}," in META["alt"]
    assert f"with probability {DEFAULT['noise']:g}." in META["story"]


@pytest.mark.parametrize("state", [{}, {"at": 240, "weigh": True, "truth": True}])
def test_the_status_states_the_probabilities_of_each_method(state):
    now, text = DEFAULT | state, status("missing", **state)
    source, y, places = set_up(now)
    ones = {
        "left to right": forward_filling(source.log_probability, y, places, 2).probabilities[:, 1],
        "every way weighed": exact_filling(source.log_probability, y, places, 2).probabilities[
            :, 1
        ],
        "Gibbs sampling": sampled(source, y, places, now["at"], now["coins"])[0],
    }
    for name, p in ones.items():
        words = f"{', '.join(f'{one:.2f}' for one in p)} ({name}, "
        assert (words in text) == (name == "left to right" or now["weigh"])
