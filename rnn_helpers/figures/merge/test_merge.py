"""The figure merge combines the moves of an elevator as the reference's steps do."""

import numpy as np
import pytest
from compare import status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants
from rnn_helpers.figures.forcing import figure as elevator
from rnn_helpers.reference import drive

pytestmark = pytest.mark.chapter("06")

META = manifest()["merge"]
DEFAULT = complete("merge", {})
STEPS, KINDS = constants("merge").STEPS, constants("merge").KINDS
ROUNDS = META["controls"]["round"]["max"]
RULES = {"up": (1, 1), "down": (1, -1), "ground": (0, 0)}

codes = st.integers(0, len(KINDS) ** STEPS - 1)


def kinds(code):
    """Return the moves whose numbers are the digits of a code in base 3."""
    return [KINDS[code // len(KINDS) ** i % len(KINDS)] for i in range(STEPS)]


def floors(code, start=0):
    """Return the floors after all moves, one at a time."""
    rules = [RULES[kind] for kind in kinds(code)]
    return drive(lambda floor, rule: rule[0] * floor + rule[1], start, rules)


def test_the_first_moves_are_those_of_the_elevator_figure(math):
    assert math("kinds", DEFAULT["moves"]) == elevator.MOVES
    assert math("floors", DEFAULT["moves"]) == elevator.truth().tolist()


@given(codes)
def test_the_moves_and_floors_match_python(math, code):
    assert math("kinds", code) == kinds(code)
    assert math("floors", code) == floors(code)


@given(codes, st.integers(1, STEPS))
def test_a_click_replaces_one_move_by_the_next_kind(math, code, t):
    expected = kinds(code)
    expected[t - 1] = KINDS[(KINDS.index(expected[t - 1]) + 1) % len(KINDS)]
    assert math("kinds", math("turned", code, t)) == expected


@given(codes, st.integers(-5, 5))
def test_each_rule_does_what_its_moves_do_from_any_floor(math, code, start):
    rows = math("rounds", code)
    assert len(rows) == ROUNDS + 1
    for number, row in enumerate(rows):
        for t, rule in enumerate(row, 1):
            floor = start
            for kind in kinds(code)[math("from", t, number) - 1 : t]:
                keep, add = RULES[kind]
                floor = keep * floor + add
            assert rule["keep"] * start + rule["add"] == floor


@given(codes)
def test_after_the_last_round_every_floor_is_known(math, code):
    last = math("rounds", code)[-1]
    assert [rule["add"] for rule in last] == floors(code)
    assert math("known", ROUNDS)["merged"] == STEPS
    assert math("known", 0) == {"merged": 1, "single": 1}


@pytest.mark.parametrize("t", range(1, STEPS + 1))
def test_the_tree_of_a_floor_ends_in_all_moves_before_it(math, t):
    leaves = {place[0] for place in math("needed", t) if place[1] == 0}
    assert leaves == set(range(1, t + 1))


def test_the_prediction_is_right():
    assert META["prediction"]["answer"] == "three"
    assert ROUNDS == 3
    assert int(np.log2(STEPS)) == ROUNDS


def test_the_status_states_the_rule_of_the_chosen_moves():
    words = status("merge", round=2)
    assert "4 of 8 floors are known" in words
    assert "Moves 5 to 8, down, ground, up, up: wherever you were, you end on floor 2." in words
