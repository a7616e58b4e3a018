"""The figure pairs computes the tea as the loop and as its unfolded function do."""

import pytest
from compare import close, status

from rnn_helpers.explore import manifest
from rnn_helpers.figures import constants
from rnn_helpers.reference import drive, unfolded

pytestmark = pytest.mark.chapter("02")

META = manifest()["pairs"]
TEA = constants("unfold")
ROOMS = [degrees for _, degrees in TEA.ROOMS]
LENGTHS = range(1, META["controls"]["T"]["max"] + 1)


def cool(tea, room):
    return TEA.WEIGHTS["W"] * tea + TEA.WEIGHTS["U"] * room


@pytest.mark.equation("10.7")
@pytest.mark.parametrize("T", LENGTHS)
def test_the_left_side_is_the_loop(math, T):
    close(math("stepByStep", T), [TEA.START, *drive(cool, TEA.START, ROOMS[:T])])


@pytest.mark.equation("10.6")
@pytest.mark.parametrize("t", LENGTHS)
def test_the_right_side_is_the_unfolded_function(math, t):
    close(math("allAtOnce", t), unfolded(cool, t)(ROOMS[:t], TEA.START))


@pytest.mark.parametrize("T", LENGTHS)
def test_at_the_end_a_product_is_counted_for_each_term(math, T):
    terms = sum(len(math("terms", t)) for t in range(1, T + 1))
    assert math("products", T, T) == {"steps": 2 * T, "pairs": terms}


def test_one_round_is_enough_for_the_right_side_only(math):
    assert math("ready", 4, 0) == math("products", 4, 0) == {"steps": 0, "pairs": 0}
    assert math("ready", 4, 1) == {"steps": 1, "pairs": 4}
    assert math("products", 4, 1) == {"steps": 2, "pairs": 14}
    assert math("ready", 4, 9) == {"steps": 4, "pairs": 4}


def test_the_alternative_text_starts_with_the_kettle():
    assert f"first temperature, {TEA.START}" in META["alt"]


def test_the_status_tells_the_terms_of_a_state_that_is_ready():
    assert "State" not in status("pairs")
    assert "State 3 is 42 degrees: 0.25 times 0 plus" in status("pairs", round=1, at=3)
