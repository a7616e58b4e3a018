"""What is said of networks that read their own text follows from the rows."""

import numpy as np
import pytest
from verdicts import about

from rnn_helpers.claims.chapter_06 import own_words
from rnn_helpers.experiments import find

CASES = {
    "holds": {"drift": about(0.2)},
    "holds in part": {"drift": about(0, 0.05), "rise": about(0.2)},
    "does not hold": {"drift": about(-0.1), "rise": about(0)},
    "undecided": {"drift": about(0.08), "rise": about(0)},
}


def word_rows(own, wrong=(1, 0, 0), text=(2, 2, 2)):
    """What is charged at the first character, at the early and at the late ones."""

    def bits(first, early, late):
        return np.array([first] * 5 + [early, early, late, late], float)

    extra = {own_words.TEXT: 0, own_words.WORDS: bits(*own)}
    extra[own_words.WRONG] = extra[own_words.WORDS] + bits(*wrong)
    return [
        {
            "judge": judge,
            "what": what,
            "seed": s,
            "eta": 0.02,
            "at_edge": False,
            "held_out": 2.5 + s / 100,
            "bits": bits(*text) + more * (0.99 + s / 500),
        }
        for judge in ("LSTM", "5-gram")
        for s in range(10)
        for what, more in extra.items()
    ]


@pytest.mark.parametrize(
    ("own", "starts"),
    [
        ((0.5, 0.6, 0.9), "Holds."),
        ((0.6, 0.6, 0.61), "Holds."),
        ((0.2, 0.6, 0.6), "Holds in part, if we look only at the first characters."),
        ((0.6, 0.6, 0.5), "Does not hold."),
    ],
)
def test_a_text_drifts_if_late_characters_cost_more_than_early_ones(own, starts):
    said = find("own-words").sum_up(word_rows(own))
    assert said.verdict.startswith(starts)
    assert said.value == pytest.approx(own[2] - own[1], abs=0.01)
    assert ("Most of the difference to real text is there" in said.text) == (
        own[2] - own[1] < own[0]
    )
    (costs,) = find("own-words").tabulate(word_rows(own)).values()
    assert costs[0]["after a wrong character"] == "1.00 (0.99 to 1.00)"


def test_networks_go_on_from_places_of_their_own_and_from_one_wrong_character():
    class Parrot:
        """Says the last character of its prompt over and over."""

        def write(self, prompts, temperatures, length, seed):
            return np.broadcast_to(prompts[-1], (length, 1, prompts.shape[1]))

    unseen = np.random.default_rng(0).integers(5, size=1000)
    first, other = (own_words._written(Parrot(), unseen, 5, 3, seed) for seed in (0, 1))
    assert not np.array_equal(first[own_words.TEXT], other[own_words.TEXT])
    text, own, wrong = first[own_words.TEXT], first[own_words.WORDS], first[own_words.WRONG]
    at = own_words.READ
    np.testing.assert_array_equal(own[:at], text[:at])
    np.testing.assert_array_equal(wrong[: at - 1], text[: at - 1])
    assert (wrong[at - 1] != text[at - 1]).all()
    assert (wrong[at:] == wrong[at - 1]).all()


def test_what_is_charged_of_a_stretch_is_the_sum_over_its_characters():
    from rnn_helpers.tasks import NGram

    rng = np.random.default_rng(0)
    table = NGram(3, rng.integers(4, size=500), 4)
    read = rng.integers(4, size=(own_words.READ + own_words.ENDS[-1], 2))
    each = [
        [-np.log2(table.probabilities(t[:at])[t[at]]) for at in range(own_words.READ, len(t))]
        for t in read.T
    ]
    ends = own_words.ENDS[:-1]
    expected = [np.mean(part) for part in np.split(np.array(each), ends, axis=1)]
    np.testing.assert_allclose(own_words._counted(table, read), expected)
