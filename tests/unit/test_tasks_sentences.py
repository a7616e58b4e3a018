"""Sentences of a text, and the numbers of their words."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import COUNT, NAN

from rnn_helpers.reference import END
from rnn_helpers.tasks import PAD, START, Vocabulary, sentences
from rnn_helpers.tasks.corpora import UNKNOWN

pytestmark = pytest.mark.chapter("05")


def test_the_symbols_of_a_small_alphabet():
    letters = Vocabulary("ab")
    assert letters.symbols == (END, "a", "b", START, PAD)
    assert (letters.n_x, letters.n_y) == (5, 3)
    assert letters.encode("aba").tolist() == [3, 1, 2, 1, 0]
    assert letters.encode("").tolist() == [3, 0]
    assert letters.symbols[letters.pad] == PAD


def test_nothing_that_is_never_predicted_has_an_output():
    letters = Vocabulary("ab")
    assert set(letters.symbols[letters.n_y :]) == {START, PAD}
    assert letters.encode("abab")[1:].max() < letters.n_y


@given(st.lists(st.sampled_from(["one", "two", "three"])))
def test_words_come_back(sentence):
    vocabulary = Vocabulary(["two", "three", "one"])
    tokens = vocabulary.encode(sentence).tolist()
    assert vocabulary.decode([*tokens, vocabulary.pad]) == sentence


def test_rare_words_become_one():
    text = [["a", "b", "a"], ["c", "b", "a", "d"]]
    vocabulary = Vocabulary.most_frequent(text, 3)
    assert vocabulary.words == (UNKNOWN, "a", "b")
    assert vocabulary.decode(vocabulary.encode("cab")) == [UNKNOWN, "a", "b"]
    everything = Vocabulary.most_frequent(text, 4)
    assert everything.words == ("a", "b", "c", "d")
    with pytest.raises(ValueError, match="'e'"):
        everything.encode("e")


def test_an_unknown_word_of_the_text_itself_is_not_counted_twice():
    text = [[UNKNOWN, UNKNOWN, "a", "a", "b"]]
    assert Vocabulary.most_frequent(text, 2).words == (UNKNOWN, "a")


@pytest.mark.parametrize("words", [["a", "a"], ["a", ""], [END], [START, "a"], [PAD]])
def test_invalid_words_are_refused(words):
    with pytest.raises(ValueError, match="all different"):
        Vocabulary(words)


def test_the_sentences_of_the_language_reference():
    found = sentences()
    assert len(found) > 1500
    assert len(set(found)) == len(found)
    assert all(len(words) >= 3 for words in found)
    assert all({".", "?", "!"} & set(words[-4:]) for words in found)
    assert 20 < sum(map(len, found)) / len(found) < 30
    words = Counter(word for one in found for word in one)
    assert {"the", ".", '"', "__init__"} <= set(words)
    assert "|" not in (word for word, _ in words.most_common(200))  # no tables


def test_invalid_sentences_are_omitted(tmp_path):
    path = tmp_path / "text.txt"
    prose = "One is odd. Is two\n  even? (Three is odd.) It's e.g. five."
    rest = ["HEADING", "   x = y.z", "| A cell. |", ">>> Call(me).", "ends in small letters."]
    path.write_text("\n\n".join([prose, *rest, "\n".join([prose, "x"]), "a " * 1000]), "utf-8")
    assert [" ".join(words) for words in sentences(path)] == [
        "One is odd .",
        "Is two even ?",
        "( Three is odd . )",
        "It's e . g . five .",
    ]
    path.write_text("a b c " * 500, "utf-8")
    with pytest.raises(ValueError, match="no sentence"):
        sentences(path)


REFUSALS = {
    Vocabulary: ({"words": "ab"}, {"words": [None, 3, [], "aa", [3]]}),
    Vocabulary.most_frequent: (
        {"sentences": [["a", "b"]], "n_words": 1},
        {"sentences": [None, 3, [], [[]], [[3]], [3]], "n_words": COUNT},
    ),
    Vocabulary("ab").encode: ({"sentence": "ab"}, {"sentence": [None, 3, "x", ["a", 3]]}),
    Vocabulary("ab").decode: (
        {"tokens": [3, 1, 0]},
        {"tokens": [None, 3, "a", NAN, [-1], [99], [0.5], [[1]]]},
    ),
    sentences: ({}, {"source": [None, 3, "no such", ["topics"]]}),
}
