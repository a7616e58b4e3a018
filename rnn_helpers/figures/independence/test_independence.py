"""The figure independence computes the optima of the reference, and states them."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.reference import expected_losses, rule_joint
from rnn_helpers.reference.context import GIVEN, RULES

pytestmark = pytest.mark.chapter("08")
close = partial(compare.close, atol=1e-9)
META = manifest()["independence"]
DEFAULT = complete("independence", {})
CONSTANTS = constants("independence")
LENGTH = CONSTANTS.LENGTH
HALF = ["coin", "last", "last", "next", "next", "coin"]
EQUAL = ["coin", *["last"] * (LENGTH - 1)]

numbers = st.integers(0, 4**LENGTH - 1)
noises = st.sampled_from([0.0, 0.05, 0.3, 0.5])
fed = st.sampled_from(["drawn", "predicted"])


def rules_of(number):
    """Return the rule of each bit from a number with two binary digits for each."""
    return [RULES[number >> 2 * t & 3] for t in range(LENGTH)]


def least_losses(joint, hears, fed):
    """Return the least expected loss of each bit, in nats; fed-back predictions don't reduce it."""
    if fed == "predicted":
        hears = {"outputs": "inputs", "all": "all inputs"}.get(hears, hears)
    return expected_losses(joint, hears)


def optimum(rules, hears, feeds="drawn", noise=0):
    """Least loss of a sequence, in nats."""
    return least_losses(rule_joint(rules, noise), hears, feeds).sum()


def test_rules_and_networks_match_the_reference():
    assert tuple(CONSTANTS.RULES) == RULES
    assert tuple(CONSTANTS.NAMES) == GIVEN


@given(numbers)
def test_rules_are_kept_in_a_number(math, number):
    rules = rules_of(number)
    assert math("rulesOf", number) == rules
    assert math("numberOf", rules) == number


@given(numbers, st.integers(0, LENGTH - 1), st.integers(0, 3))
def test_one_rule_is_changed_alone(math, number, t, place):
    rules = rules_of(number)
    rules[t] = RULES[place]
    assert rules_of(math("withRule", number, t, place)) == rules


@given(numbers, noises, fed)
def test_the_optima_match_the_reference(math, number, noise, feeds):
    rules = rules_of(number)
    joint = rule_joint(rules, noise)
    ours = math("joint", rules, noise)
    close(ours, joint.ravel())
    for hears in GIVEN:
        theirs = least_losses(joint, hears, feeds)
        close(math("leastLosses", ours, hears, feeds), theirs)


def test_the_texts_state_the_numbers():
    coin = np.log(2)
    assert rules_of(DEFAULT["rules"]) == EQUAL
    assert optimum(EQUAL, "inputs") == pytest.approx(6 * coin)
    assert "0.69 nats at each of six steps, 4.16 in all" in META["alt"]
    assert (round(coin, 2), round(6 * coin, 2)) == (0.69, 4.16)
    for hears, least in {"inputs": 6, "outputs": 4, "all inputs": 4, "all": 2}.items():
        assert optimum(HALF, hears) == pytest.approx(least * coin)
    asked = META["prediction"]
    assert f"loses {6 * coin:.2f} nats" in asked["question"]
    assert asked["answer"] == f"{4 * coin:.2f} nats"
    assert f"Four coins remain, which cost {asked['answer']}" in asked["why"]
    assert f"leave two, {2 * coin:.2f} nats" in asked["why"]


def test_feeding_a_prediction_back_does_not_reduce_the_loss():
    assert optimum(EQUAL, "outputs", "predicted") == optimum(EQUAL, "inputs")


@pytest.mark.parametrize("state", [{}, {"shown": True}, {"shown": True, "fed": "predicted"}])
def test_its_words_give_the_least_losses(state):
    told = compare.status("independence", **state)
    for key in GIVEN if state else ["inputs"]:
        least = optimum(EQUAL, key, state.get("fed", "drawn"), DEFAULT["noise"])
        assert f"{least:.2f} nats if the network {CONSTANTS.NAMES[key]}" in told
