"""Words with common prefixes: the best listener's loss, counted over all utterances."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAN, SEED, first

from rnn_helpers.tasks import Lexicon

pytestmark = pytest.mark.chapter("09")


@st.composite
def lexicons(draw):
    """Draw a few short words over two or three letters, none a prefix of another."""
    words = draw(st.lists(st.text("abc", min_size=1, max_size=4), min_size=2, max_size=5))
    kept = []
    for word in words:
        if not any(word.startswith(one) or one.startswith(word) for one in kept):
            kept.append(word)
    return Lexicon(kept) if len(kept) > 1 else Lexicon(("ab", "aac", "b"))


def utterances(task, n_letters):
    """Return all utterances of a length, the word at each letter, and their probabilities."""
    most = -(-n_letters // min(map(len, task.words)))
    for chosen in product(range(task.n_y), repeat=most):
        text = "".join(task.words[word] for word in chosen)
        words = np.repeat(chosen, [len(task.words[word]) for word in chosen])
        yield text[:n_letters], words[:n_letters], task.n_y**-most


@given(lexicons(), st.integers(1, 4), st.sampled_from([0, 1, 2, None]))
def test_the_best_is_that_of_a_count_over_all_utterances(task, n_letters, delay):
    joint = [{} for _ in range(n_letters)]
    for text, words, p in utterances(task, n_letters):
        for t in range(n_letters):
            heard = text if delay is None else text[: t + delay + 1]
            bets = joint[t].setdefault(heard, np.zeros(task.n_y))
            bets[words[t]] += p
    best = [sum(bets.max() for bets in at.values()) for at in joint]
    np.testing.assert_allclose(task.best(n_letters, delay), best, atol=1e-12)
    assert task.optimum(n_letters, delay) == pytest.approx(np.mean(best))
    for text, _, _ in utterances(task, n_letters):
        bets = task.bets(task.read(text), delay)
        for t in range(n_letters):
            counted = joint[t][text if delay is None else text[: t + delay + 1]]
            np.testing.assert_allclose(bets[t], counted / counted.sum(), atol=1e-12)


@given(lexicons(), st.integers(0, 3))
def test_lookahead_never_harms_and_a_long_one_equals_both_directions(task, delay):
    least, more = task.best(9, delay), task.best(9, delay + 1)
    assert (more >= least - 1e-12).all()
    np.testing.assert_allclose(task.best(9, task.wait), task.best(9, None), atol=1e-12)
    if task.wait:
        assert task.optimum(9, task.wait - 1) < task.optimum(9, None) - 1e-12


def test_minibatches_are_utterances():
    task = Lexicon()
    x, y = next(task.batches(20, 30, [0, 1]))
    assert x.shape == y.shape == (20, 2, 30)
    once = next(task.batches(20, 30, 1))
    np.testing.assert_array_equal(once[0], x[:, 1])
    np.testing.assert_array_equal(once[1], y[:, 1])
    for letters, words in zip(once[0].T, once[1].T, strict=True):
        assert (task.bets(letters, None)[np.arange(20), words] > 0).all()
        assert task.spell(letters).startswith(task.words[words[0]])


def test_the_lectures_words_differ_in_their_third_letter():
    task = Lexicon(("boy", "bow", "boolean", "bottle", "border"))
    assert task.wait == 2
    bets = task.bets(task.read("boybo"))
    np.testing.assert_allclose(bets[0], 0.2)
    np.testing.assert_allclose(bets[1], 0.2)
    assert bets[2].tolist() == [1, 0, 0, 0, 0]
    np.testing.assert_allclose(task.bets(task.read("boybo"), None)[3:], 0.2)  # cut short
    assert Lexicon().wait == 4


@pytest.mark.parametrize("words", [("bow", "bowl"), ("bow", "bow"), ("bow",), (), ("", "bow")])
def test_words_that_begin_others_are_refused(words):
    with pytest.raises(ValueError, match="words"):
        Lexicon(words)


def test_invalid_utterances_are_refused():
    task = Lexicon()
    with pytest.raises(ValueError, match="no word"):
        task.bets(task.read("bob"))
    with pytest.raises(ValueError, match="silence"):
        task.bets([2, 0])
    with pytest.raises(ValueError, match="letters"):
        task.read("bö")


LEXICON = Lexicon(("boy", "bow"))

REFUSALS = {
    Lexicon: (
        {"words": ("bow", "boy")},
        {"words": [None, 3, [], ["bow"], ["bow", 3], ["bow", "bowl"], ["", "bow"]]},
    ),
    LEXICON.read: ({"text": "boybo"}, {"text": [None, 3, ["b"], "bö"]}),
    LEXICON.spell: ({"x": [1, 2]}, {"x": [None, "a", [99], [[1]], 0.5]}),
    LEXICON.bets: (
        {"x": [1, 2], "delay": 1},
        {"x": [None, "a", [99], [[1]], [1, 0], [1, 1]], "delay": [-1, 2.5, "a", NAN]},
    ),
    LEXICON.starts: ({"n_letters": 4}, {"n_letters": COUNT}),
    **{
        getattr(LEXICON, name): (
            {"n_letters": 4, "delay": 1},
            {"n_letters": COUNT, "delay": [-1, 2.5, "a", NAN]},
        )
        for name in ("best", "optimum")
    },
    first(LEXICON.batches): (
        {"n_letters": 5, "batch_size": 2, "seed": 0},
        {"n_letters": COUNT, "batch_size": COUNT, "seed": [*SEED, []]},
    ),
}
