"""The figure independence computes the optima of the reference, and tells what they are."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import independence
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import rule_joint
from rnn_helpers.reference.context import HEARS, RULES

pytestmark = pytest.mark.chapter("08")
close = partial(compare.close, atol=1e-9)
META = manifest()["independence"]
DEFAULT = complete("independence", {})
SHIFTED = ["next"] * independence.LENGTH
EQUAL = ["coin", *["last"] * (independence.LENGTH - 1)]

numbers = st.integers(0, 4**independence.LENGTH - 1)
noises = st.sampled_from([0.0, 0.05, 0.3, 0.5])
fed = st.sampled_from(["drawn", "predicted"])


def optimum(rules, hears, feeds="drawn", noise=0):
    """Least loss of a sequence, in nats."""
    return independence.least_losses(rule_joint(rules, noise), hears, feeds).sum()


def test_rules_and_networks_are_the_references():
    assert tuple(independence.RULES) == RULES
    assert tuple(independence.NAMES) == HEARS


@given(numbers)
def test_rules_are_kept_in_a_number(math, number):
    rules = independence.rules(number)
    assert math("rulesOf", number) == rules
    assert math("numberOf", rules) == number


@given(numbers, st.integers(0, independence.LENGTH - 1), st.integers(0, 3))
def test_one_rule_is_changed_alone(math, number, t, place):
    rules = independence.rules(number)
    rules[t] = RULES[place]
    assert independence.rules(math("withRule", number, t, place)) == rules


@given(numbers, noises, fed)
def test_the_optima_are_the_references(math, number, noise, feeds):
    rules = independence.rules(number)
    joint = rule_joint(rules, noise)
    ours = math("joint", rules, noise)
    close(ours, joint.ravel())
    for hears in HEARS:
        theirs = independence.least_losses(joint, hears, feeds)
        close(math("leastLosses", ours, hears, feeds), theirs)


def test_the_words_say_the_numbers():
    coin = np.log(2)
    assert independence.rules(DEFAULT["rules"]) == EQUAL
    assert optimum(EQUAL, "inputs") == pytest.approx(6 * coin)
    assert "0.69 nats at each of six steps, 4.16 in all" in META["alt"]
    assert (round(coin, 2), round(6 * coin, 2)) == (0.69, 4.16)
    for hears, least in {"inputs": 6, "outputs": 6, "all inputs": 1, "all": 1}.items():
        assert optimum(SHIFTED, hears) == pytest.approx(least * coin)
    for hears, least in {"outputs": 1, "all inputs": 6, "all": 1}.items():
        assert optimum(EQUAL, hears) == pytest.approx(least * coin)
    assert META["prediction"]["answer"] == "4.16 nats"
    assert "loses 0.69 nats, the last y" in META["prediction"]["why"]


def test_a_prediction_fed_back_helps_with_nothing():
    assert optimum(EQUAL, "outputs", "predicted") == optimum(EQUAL, "inputs")


@pytest.mark.slow
def test_the_poster_tells_what_the_figure_tells():
    assert "hears x until now, 4.16 nats" in show("independence").alt
    assert "y fed back" not in show("independence").alt
    assert "reads all of x first, y fed back, 0.69 nats" in show("independence", shown=True).alt
