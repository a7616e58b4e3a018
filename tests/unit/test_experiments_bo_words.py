"""What is said of networks that name words follows from the runs."""

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_09 import bo_words

pytestmark = pytest.mark.chapter("09")
SEEDS = range(10)


def words_rows(gap=0.005, **gaps):
    rows = []
    for way, delay in bo_words.WAYS.items():
        best = bo_words.TASK.optimum(24, delay)
        below = gaps.get({bo_words.BOTH: "both", bo_words.ONE: "one"}.get(way), gap)
        rows += [
            {"way": way, "place": place, "seed": seed, "right": 0.5, "whole": best - below}
            | {"best": best, "eta": 0.01, "at_edge": way == bo_words.ONE}
            for place in (1, 2)
            for seed in SEEDS
        ]
    return rows


def test_words_are_named_as_often_as_is_possible_or_not():
    said = find("bo-words").sum_up(words_rows())
    assert said.verdict.startswith("Holds. Over all letters")
    assert "a delay of 4 letters comes within 0.01" in said.text
    assert "lowest or highest that we tried for one way (0.01)" in said.text
    assert verdict("bo-words", words_rows(0.019)).startswith("Holds. Over all letters")
    assert verdict("bo-words", words_rows(both=0.03)).startswith(
        "Holds in part, if networks reach the"
    )
    assert "“both ways”, stays 0.030" in verdict("bo-words", words_rows(both=0.03))
    assert verdict("bo-words", words_rows(both=0.42)).startswith("Does not hold.")


def test_the_place_of_a_letter_is_counted_from_the_beginning_of_its_word():
    task = bo_words.TASK
    text = "boyboyboostbo"
    y = np.repeat([0, 0, 5, 0], [3, 3, 5, 2])
    places = bo_words.places(task.read(text)[:, None, None], y[:, None, None])
    assert places.ravel().tolist() == [1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 5, 1, 2]
