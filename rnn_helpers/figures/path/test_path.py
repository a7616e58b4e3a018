"""The figure path moves its state as the package does, and as chapter 1 describes."""

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants, stored
from rnn_helpers.reference import rnn_forward

pytestmark = pytest.mark.chapter("01")
CONSTANTS = constants("path")
META, TRAINED = manifest()["path"], stored("path")
DEFAULT = complete("path", {})
YEARS, ALL = CONSTANTS.YEARS, range(len(CONSTANTS.YEARS))
STATES = [
    {},
    {"place": 6},
    {"words": 12, "place": 8, "year": 2006},
    {"words": 12, "place": 12, "trained": "any"},
    {"words": 2, "place": 1, "trained": "any"},
]


def params(trained):
    return {name: np.array(p) for name, p in TRAINED["networks"][trained].items()}


def sentence(place, words, year):
    """Return the tokens of the sentence with a year (0 to 3) at a position from 1."""
    tokens = list(range(1, words - 1))
    tokens.insert(max(place - 2, 0), 0)
    tokens.insert(place - 1, len(CONSTANTS.WORDS) + year)
    return np.array(tokens)


def named(place, words, trained="second"):
    """Return the year that a network outputs for each of the four years."""
    runs = [rnn_forward(params(trained), sentence(place, words, year)) for year in ALL]
    return [int(run.o[-1].argmax()) for run in runs]


@pytest.mark.parametrize("state", STATES)
def test_every_state_is_the_packages(math, state):
    asked = DEFAULT | state
    found = math("compute", asked)
    year = YEARS.index(str(asked["year"]))
    run = rnn_forward(params(asked["trained"]), sentence(asked["place"], asked["words"], year))
    close(found["states"], np.vstack([[0, 0], run.h]))
    assert found["says"] == named(asked["place"], asked["words"], asked["trained"])


@pytest.mark.parametrize("trained", TRAINED["networks"])
def test_each_region_is_where_its_year_is_named(math, trained):
    p = params(trained)
    regions = math("compute", DEFAULT | {"trained": trained})["regions"]
    for year, corners in enumerate(map(np.array, regions)):
        inside = 0.98 * corners + 0.02 * corners.mean(axis=0)
        assert all((p["c"] + p["V"] @ h).argmax() == year for h in inside)
    x, y = (np.array([np.array(r)[:, k] for r in regions], dtype=object) for k in (0, 1))
    areas = [
        abs(np.dot(a.astype(float), np.roll(b, 1)) - np.dot(b.astype(float), np.roll(a, 1))) / 2
        for a, b in zip(x, y, strict=True)
    ]
    assert sum(areas) == pytest.approx((2 * 1.16) ** 2)  # they cover the plane


def test_the_year_is_right_after_four_words_and_after_eight_only():
    assert named(2, 6) == named(2, 10) == [*ALL]
    for words in (5, 7, 8, 9):
        assert sum(a == b for a, b in zip(named(2, words), ALL, strict=True)) in (0, 2)
    assert YEARS[named(3, 6)[3]] == "2007"  # as the page says of 2009
    assert YEARS[named(4, 6)[3]] == "2006"


def test_four_words_after_the_year_arent_enough_in_longer_sentences():
    right = [sum(np.equal(named(n - 4, n), ALL)) for n in (6, 7, 12)]
    assert right == [4, 3, 1]
    assert len(set(named(8, 12))) == 1


def test_trained_with_the_year_anywhere_it_is_right_everywhere():
    for words in range(2, 13):
        for place in range(1, words + 1):
            assert named(place, words, "any") == [*ALL]


def test_the_weights_are_those_of_the_page():
    turning, holding = (params(name)["W"] for name in ("second", "any"))
    close(turning, [[0, -2.6], [2.8, 0]], atol=0.05)
    close(holding, [[2.3, 0], [0, 2.3]], atol=0.13)
    close(params("any")["U"][:, -1], [3.9, -3.5], atol=0.05)
    assert np.abs(params("second")["U"][:, -4:]).max() == 1.84


def test_every_network_that_learned_turns_its_state():
    assert len(TRAINED["turns"]) == sum(np.array(TRAINED["right"]["second"])[:, 1] > 0.99)
    assert min(TRAINED["turns"]) == 90
    assert np.min(TRAINED["right"]["any"]) > 0.95


def test_before_the_first_word_the_state_is_in_the_middle(math):
    assert math("compute", DEFAULT | {"t": 0})["states"][0] == [0, 0]
    assert "After 0 of 6 words, the state is at 0.0 and 0.0" in status("path", t=0)


def test_the_words_name_the_year_that_it_outputs():
    assert "names 4 of 4 years" in status("path")
    assert "outputs 2007 for 2009, and it names 0 of 4" in status("path", place=3)
    assert "names 4 of 4 years" in META["alt"]
