"""Texts, their tokens, their minibatches, and the counts that networks are compared with."""

import ast
import sys
import sysconfig
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import COUNT, INF, NAN, SEED, TOKENS, first

from rnn_helpers.tasks import bigram_bits, characters, corpora, minibatches, unigram_bits

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@pytest.fixture
def text_file(tmp_path):
    """A function that writes a text and returns its path."""

    def write(text, encoding="utf-8"):
        path = tmp_path / "text.txt"
        path.write_bytes(text.encode(encoding))
        return path

    return write


def words(n, seed=0):
    """Different words, of a few letters, so that no paragraph comes twice."""
    rng = np.random.default_rng(seed)
    return " ".join("".join(rng.choice(list("abcde"), 4)) for _ in range(n))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["topics", "code"])
def test_the_named_corpora_are_long_and_their_alphabet_small(name):
    corpus = characters(name)
    assert len(corpus.text) > 200_000
    assert len(corpus.alphabet) <= corpora.ALPHABET
    assert set("abcdefghijklmnopqrstuvwxyz(). \n") <= set(corpus.alphabet)
    assert len(corpus.train) + len(corpus.held_out) == len(corpus.text)
    assert len(corpus.held_out) == pytest.approx(0.1 * len(corpus.text), abs=1)


def bare(source):
    """Return a module's code without comments and docstrings, as `ast.unparse` lays it out."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


@pytest.mark.slow
@pytest.mark.skipif(sys.version_info[:3] != (3, 11, 7), reason="other versions have other texts")
def test_the_shipped_texts_are_those_of_python_3_11_7():
    from pydoc_data.topics import topics

    modules = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    texts = {
        "topics": [topics[name] for name in sorted(topics)],
        "code": [bare(module.read_text("utf-8")) for module in modules],
    }
    for name, parts in texts.items():
        assert characters(name).text == corpora.clean("\n\n".join(parts))


def test_the_named_corpora_need_no_file_of_this_python(monkeypatch):
    expected = characters("topics").text
    corpora._named.cache_clear()
    monkeypatch.setitem(sys.modules, "pydoc_data", None)  # the import fails
    monkeypatch.setattr(sysconfig, "get_path", None)
    assert characters("topics").text == expected


def test_a_corpus_is_the_same_every_time():
    first = characters("topics")
    corpora._named.cache_clear()
    again = characters("topics")
    assert (again.text, again.alphabet) == (first.text, first.alphabet)
    np.testing.assert_array_equal(again.held_out, first.held_out)


def test_a_changed_file_is_read_again(text_file):
    assert characters(text_file(words(1000))).alphabet == " abcde"
    assert characters(text_file(words(1000).upper())).alphabet == " ABCDE"


def test_tokens_and_text_are_each_others_inverse():
    corpus = characters("topics")
    everything = np.concatenate([corpus.train, corpus.held_out])
    assert corpus.decode(everything) == corpus.text
    np.testing.assert_array_equal(corpus.encode(corpus.text), everything)
    assert corpus.decode(corpus.encode("“A–Z…”")) == '"A-Z..."'
    assert corpus.encode("").shape == (0,)
    assert corpus.decode([]) == ""


def test_no_held_out_paragraph_was_in_the_training_text():
    corpus = characters("topics")
    paragraphs = corpus.text.split("\n\n")
    assert len(paragraphs) == len(set(paragraphs))


def test_any_text_file_is_a_corpus(text_file):
    corpus = characters(text_file("\ufeff" + words(1000)), held_out=0.25)
    assert corpus.alphabet == " abcde"
    assert len(corpus.held_out) == pytest.approx(len(corpus.text) / 4, abs=1)


def test_cleaning_keeps_layout_and_makes_the_rest_plain():
    dirty = "\tif x:  \r\n    return “y”\x07\r\n\n\n\nagain\n\nagain\n"
    assert corpora.clean(dirty) == '    if x:\n    return "y"\n\nagain'


def test_rare_characters_become_one():
    common = "".join(chr(0x100 + i) for i in range(corpora.ALPHABET - 1))
    text = corpora.clean(common * 3 + "щ" + "й")
    assert text == common * 3 + 2 * corpora.UNKNOWN


@given(st.text())
@example("0\r ")
def test_cleaning_any_text_twice_changes_nothing_more(text):
    once = corpora.clean(text)
    assert corpora.clean(once) == once
    assert len(set(once)) <= corpora.ALPHABET


@pytest.mark.parametrize("text", ["", "\n\n \t\n", "too short"])
def test_a_text_that_is_too_short_is_refused(text_file, text):
    with pytest.raises(ValueError, match="at least 2000"):
        characters(text_file(text))


def test_a_file_that_is_not_text_is_refused(text_file):
    with pytest.raises(ValueError, match=r"not UTF-8 \(byte 1\)"):
        characters(text_file("aé" * 2000, encoding="latin-1"))


def test_a_source_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(ValueError, match="'topic', expected 'topics'"):
        characters("topic")
    with pytest.raises(ValueError, match="path of a text file"):
        characters(tmp_path)
    with pytest.raises(TypeError, match="source is a int"):
        characters(3)


@pytest.mark.parametrize("share", [0, 1, -0.1, float("nan")])
def test_a_share_out_of_range_is_refused(share):
    with pytest.raises(ValueError, match="held_out"):
        characters("topics", held_out=share)


def test_strange_characters_and_tokens_are_refused():
    corpus = characters("topics")
    with pytest.raises(ValueError, match="'щ'"):
        corpus.encode("щ")
    with pytest.raises(TypeError, match="list"):
        corpus.encode(["a"])
    for tokens in ([-1], [len(corpus.alphabet)], [0.5], [[1]]):
        with pytest.raises(ValueError, match="tokens"):
            corpus.decode(tokens)


# minibatches ------------------------------------------------------------------------------------


def test_targets_are_the_next_characters():
    tokens = np.arange(100)
    for x, y in islice(minibatches(tokens, 7, 3, seed=0), 20):
        assert x.shape == y.shape == (7, 3)
        np.testing.assert_array_equal(y, x + 1)
        np.testing.assert_array_equal(x[1:], y[:-1])


def test_contiguous_minibatches_continue_the_last_one():
    tokens = np.arange(50)
    pairs = list(islice(minibatches(tokens, 7, 3, seed=0, contiguous=True), 20))
    for (_, before), (after, _) in pairwise(pairs):
        np.testing.assert_array_equal(after[0], before[-1])


def test_independent_minibatches_start_at_random_positions():
    pairs = islice(minibatches(np.arange(12), 9, 1, seed=0), 60)
    starts = [int(x[0, 0]) for x, _ in pairs]
    assert set(starts) == set(starts[1:]) == {0, 1, 2}
    assert {after - before for before, after in pairwise(starts)} == {-2, -1, 0, 1, 2}


def test_minibatches_repeat_with_the_seed_and_differ_without():
    tokens = np.arange(1000)
    (one, _), (again, _), (other, _) = (next(minibatches(tokens, 5, 4, s)) for s in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert (one != other).any()


def test_seeds_side_by_side_equal_each_alone():
    tokens = np.arange(1000)
    x, y = next(minibatches(tokens, 5, 4, seed=np.array([1, 2])))
    assert x.shape == (5, 2, 4)
    for place, seed in enumerate([1, 2]):
        alone = next(minibatches(tokens, 5, 4, seed=seed))
        np.testing.assert_array_equal((x[:, place], y[:, place]), alone)


@pytest.mark.parametrize(("n_steps", "batch_size"), [(0, 1), (1, 0), (10, 1), (11, 1)])
def test_impossible_sizes_are_refused(n_steps, batch_size):
    with pytest.raises(ValueError, match=r"n_steps|batch_size"):
        minibatches(np.arange(10), n_steps, batch_size, seed=0)


def test_invalid_tokens_and_seeds_are_refused():
    for tokens in (np.ones((3, 9), int), np.ones(9), [-1, 0, 1], np.array([-1, 0], np.int8)):
        with pytest.raises(ValueError, match="tokens"):
            minibatches(tokens, 2, 1, seed=0)
    with pytest.raises(ValueError, match="seed is empty"):
        minibatches(np.arange(9), 2, 1, seed=[])


def test_the_shortest_possible_text_gives_a_minibatch():
    x, y = next(minibatches(np.arange(10), 9, 1, seed=0))
    np.testing.assert_array_equal(x[:, 0], np.arange(9))
    assert y[-1] == 9


# counts -----------------------------------------------------------------------------------------


def test_independent_characters_need_their_entropy(text_file):
    rng = np.random.default_rng(0)
    p = [0.5, 0.25, 0.25]
    corpus = characters(text_file("".join(rng.choice(list("abc"), 40_000, p=p))))
    assert unigram_bits(corpus) == pytest.approx(1.5, abs=0.02)
    assert bigram_bits(corpus) == pytest.approx(1.5, abs=0.02)


def test_only_bigrams_predict_a_repeated_sequence(text_file):
    corpus = characters(text_file("abc" * 4000))
    assert unigram_bits(corpus) == pytest.approx(np.log2(3), abs=0.01)
    assert bigram_bits(corpus) == pytest.approx(0, abs=0.01)


def test_a_pair_never_seen_costs_much_but_not_everything(text_file):
    corpus = characters(text_file("ab" * 2000 + "ba" * 200))
    assert np.isfinite(bigram_bits(corpus))


def test_pairs_predict_real_text_better_than_single_characters():
    corpus = characters("topics")
    assert 3.3 < bigram_bits(corpus) < 3.6 < 4.6 < unigram_bits(corpus) < 4.8


CORPUS = characters("topics")

REFUSALS = {
    CORPUS.encode: ({"text": "a"}, {"text": [None, 3, b"x", ["a"], NAN, "ж"]}),
    CORPUS.decode: ({"tokens": [1]}, {"tokens": [value for value in TOKENS if value != []]}),
    bigram_bits: ({"corpus": CORPUS}, {"corpus": [None, 3, "topics"]}),
    unigram_bits: ({"corpus": CORPUS}, {"corpus": [None, 3, "topics"]}),
    characters: (
        {"source": "topics", "held_out": 0.1},
        {
            "source": [None, 3, "", "no/such/file", Path("no/such/file"), "a" * 10**5],
            "held_out": [0, 1, -1, NAN, INF, "a", None, 1e-9, 1 - 1e-12, np.float16(2)],
        },
    ),
    first(minibatches): (
        {"tokens": np.arange(20), "n_steps": 3, "batch_size": 2, "seed": 0},
        {
            "tokens": [value for value in TOKENS if value != [0, 99, 1]],
            "n_steps": [*COUNT, 50],
            "batch_size": COUNT,
            "seed": [*SEED, []],
        },
    ),
}
