"""The figure orders writes as the best networks would, and counts the true sentences."""

from itertools import product

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest
from rnn_helpers.figures import constants

pytestmark = pytest.mark.chapter("08")
META = manifest()["orders"]
CONSTANTS = constants("orders")
LEFT, RIGHT = CONSTANTS.SENTENCES["left"], CONSTANTS.SENTENCES["right"]
SHARES = {  # of true sentences, in the long run
    ("whole", "nothing"): 1 / 4,
    ("whole", "shares"): 1 / 4,
    ("whole", "word"): 1,
    ("strips", "nothing"): 5 / 36,
    ("strips", "shares"): 5 / 36,
    ("strips", "word"): 5 / 9,
}
ways = pytest.mark.parametrize(("read", "fed"), SHARES)


def paths(math, read, fed):
    """Return every sentence that can be written, with its probability."""
    found = {(): 1.0}
    for t in range(4):
        found = {
            (*words, word): p * q
            for words, p in found.items()
            for word, q in math("choices", t, list(words), read, fed)
        }
    return found


@ways
def test_the_share_of_true_sentences_is_that_of_the_text(math, read, fed):
    found = paths(math, read, fed)
    close(sum(found.values()), 1)
    close(found[tuple(LEFT)] + found.get(tuple(RIGHT), 0), SHARES[read, fed])


@ways
def test_each_choice_has_its_true_probability(math, read, fed):
    """The share of a word among the true sentences that agree with all that is known."""
    names = CONSTANTS.NUMBERS
    pictures = [("three", other) for other in names if other != "three"]
    both = [
        (picture, words)
        for picture in pictures
        for words in (
            [picture[0], "left", "of", picture[1]],
            [picture[1], "right", "of", picture[0]],
        )
    ]
    for t, start in product(range(4), [LEFT, RIGHT]):
        seen = 2 if read == "whole" or t == 3 else 1
        agree = [
            words
            for picture, words in both
            if picture[:seen] == ("three", "seven")[:seen]
            and (fed != "word" or words[:t] == start[:t])
        ]
        for word, p in math("choices", t, start[:t], read, fed):
            close(p, np.mean([words[t] == word for words in agree]))


@ways
def test_the_sentences_are_drawn_by_numpys_numbers(math, read, fed):
    chance = np.random.RandomState(META["controls"]["seed"]["default"])
    for words in math("written", META["controls"]["seed"]["default"], read, fed):
        for t, word in enumerate(words):
            names, shares = zip(*math("choices", t, words[:t], read, fed), strict=True)
            below = np.cumsum(shares) <= chance.random_sample()
            assert word == names[min(int(below.sum()), len(names) - 1)]


def test_the_default_coins_are_typical(math):
    def right(read, fed):
        said = math("written", META["controls"]["seed"]["default"], read, fed)
        return sum(words in (LEFT, RIGHT) for words in said)

    assert [right("whole", fed) for fed in ("nothing", "shares", "word")] == [5, 5, 20]
    assert [right("strips", fed) for fed in ("nothing", "shares", "word")] == [3, 3, 11]
    assert "here in 5 of 20" in META["prediction"]["why"]


def test_the_words_give_the_first_sentence():
    assert "So far, 0 of 1 sentences are true." in status("orders")
    assert "The friends have written “three right of seven”." in status("orders")
    assert "The first of twenty numbered lines says three right of seven" in META["alt"]
    assert "So far, 11 of 20 sentences are true." in status(
        "orders", view="network", read="strips", fed="word", at=80
    )


def test_the_digits_are_those_of_the_captioner():
    assert {d: constants("caption").DIGITS[int(d)] for d in "37"} == CONSTANTS.DIGITS
