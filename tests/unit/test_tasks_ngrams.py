"""Kneser and Ney's n-grams, against counting by hand; and the length of compressed text."""

import gzip
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import X
from refusals import (
    COUNT,
    POSITIVE,
    SEED,
    TOKENS,
)

from rnn_helpers.tasks import Corpus, NGram, bigram_bits, characters, compressed_bits, unigram_bits

CORPUS = characters("topics")
N = len(CORPUS.alphabet)
texts = st.lists(st.integers(0, 3), min_size=4, max_size=40)


def by_definition(order, text, n, context, symbol):
    """The formula of the docstring, in dictionaries, from the highest order down."""

    def counts(k):
        if k == order:
            return Counter(tuple(text[i : i + k]) for i in range(len(text) - k + 1))
        before = defaultdict(set)
        for i in range(len(text) - k):
            before[tuple(text[i + 1 : i + k + 1])].add(text[i])
        return {gram: len(symbols) for gram, symbols in before.items()}

    def p(k):
        if k == 0:
            return 1 / n
        count, h = counts(k), tuple(context[len(context) - k + 1 :])
        once, twice = (list(count.values()).count(times) for times in (1, 2))
        d = once / (once + 2 * twice) if once else 0.5
        after = {c: count[(*h, c)] for c in range(n) if count.get((*h, c), 0)}
        if not after:
            return p(k - 1)
        total = sum(after.values())
        return max(after.get(symbol, 0) - d, 0) / total + d * len(after) / total * p(k - 1)

    return p(min(order, len(context) + 1))


def test_a_small_text_counted_by_hand():
    """01 twice, 10 twice, 02 once: d_2 = 1/(1 + 2 * 2). One symbol before each: d_1 = 1."""
    model = NGram(2, [0, 1, 0, 1, 0, 2], 3)
    np.testing.assert_allclose(model.probabilities([]), [1 / 3, 1 / 3, 1 / 3])
    shared = 0.2 * 2 / 3 / 3
    np.testing.assert_allclose(
        model.probabilities([0]), [shared, 1.8 / 3 + shared, 0.8 / 3 + shared]
    )
    np.testing.assert_allclose(model.probabilities([2]), [1 / 3, 1 / 3, 1 / 3])  # never followed
    assert model.size == 6  # 0 1 2, 01 10 02
    assert model.bits([0, 2]) == pytest.approx(-np.log2(0.8 / 3 + shared))


def test_a_lower_order_counts_distinct_predecessors():
    """Kneser and Ney's point: a symbol that follows one other alone is rare in new contexts."""
    text = [0, 1] * 20 + [0, 2, 3, 2, 1, 3, 0, 3, 1, 2, 0]
    assert text.count(1) > 3 * text.count(3)
    after = NGram(2, text, 4).probabilities([])
    assert after[3] == pytest.approx(after[1])


@given(order=st.integers(1, 4), text=texts, context=st.lists(st.integers(0, 3), max_size=5))
def test_probabilities_match_the_definition(order, text, context):
    likely = NGram(order, text, 4).probabilities(context)
    expected = [by_definition(order, text, 4, context, symbol) for symbol in range(4)]
    np.testing.assert_allclose(likely, expected)


@given(order=st.integers(1, 4), text=texts, context=st.lists(st.integers(0, 4), max_size=5))
def test_probabilities_are_above_0_and_sum_to_1(order, text, context):
    """The fifth symbol never occurs."""
    likely = NGram(order, text, 5).probabilities(context)
    assert likely.sum() == pytest.approx(1)
    assert (likely > 0).all()


@pytest.mark.slow
@given(order=st.integers(1, 4), text=texts, held_out=texts)
def test_bits_are_the_mean_surprise_given_all_that_came_before(order, text, held_out):
    model = NGram(order, text, 4)
    surprise = [
        -np.log2(model.probabilities(held_out[:t])[held_out[t]]) for t in range(1, len(held_out))
    ]
    assert model.bits(held_out) == pytest.approx(np.mean(surprise))


def test_a_longer_context_helps_and_orders_1_and_2_are_the_tables_of_counts():
    bits = {k: NGram(k, CORPUS.train, N).bits(CORPUS.held_out) for k in (1, 2, 3, 5)}
    assert bits[1] == pytest.approx(unigram_bits(CORPUS), abs=0.01)
    assert bits[2] == pytest.approx(bigram_bits(CORPUS), abs=0.02)
    assert bits[1] > bits[2] + 1 > bits[3] + 1.8 > bits[5] + 2.4


def test_an_order_whose_sequences_cannot_be_numbered_is_refused():
    assert NGram(9, CORPUS.train[:99], N).order == 9
    with pytest.raises(ValueError, match="order is 10"):
        NGram(10, CORPUS.train[:99], N)


@pytest.mark.slow
def test_samples_follow_the_probabilities_and_the_seed():
    model, text = NGram(3, CORPUS.train, N), CORPUS.alphabet
    one, again, other = (model.sample(CORPUS, 40, seed=s, prompt="the ") for s in (1, 1, 2))
    assert one == again != other
    assert len(one) == 40
    rng = np.random.default_rng(0)
    drawn = "".join(model.sample(CORPUS, 1, seed=rng, prompt="th") for _ in range(2000))
    share = model.probabilities(CORPUS.encode("th"))[text.index("e")]
    assert drawn.count("e") / 2000 == pytest.approx(share, abs=0.04)


def test_cold_samples_are_the_most_likely_and_hot_ones_are_uniform():
    model = NGram(4, CORPUS.train, N)
    cold = {model.sample(CORPUS, 30, seed=s, temperature=1e-300, prompt="The") for s in range(3)}
    assert len(cold) == 1
    likeliest = CORPUS.alphabet[model.probabilities(CORPUS.encode("The")).argmax()]
    assert cold.pop()[0] == likeliest
    assert len(set(model.sample(CORPUS, 500, temperature=1e300))) > 0.9 * N


def test_a_sample_needs_the_alphabet_of_the_model():
    with pytest.raises(ValueError, match=f"corpus has {N} characters; expected 4"):
        NGram(2, [0, 1, 2, 3], 4).sample(CORPUS, 5)


def corpus_of(train, held_out):
    alphabet = "".join(map(chr, range(33, 33 + 90)))
    return Corpus("made", "", alphabet, np.array(train), np.array(held_out))


def test_compression_only_learns_from_the_training_text():
    """Noise costs all its bits, unless the training text holds it: gzip must have it in view."""
    rng = np.random.default_rng(0)
    noise, other = rng.integers(90, size=(2, 2000))
    filler = np.zeros(40_000, dtype=int)
    new = compressed_bits(corpus_of(other, noise))
    seen = compressed_bits(corpus_of(noise, noise))
    assert all(np.log2(90) - 0.1 < bits < np.log2(90) + 0.6 for bits in new.values())
    assert max(seen["gzip"], seen["xz"]) < 0.2
    away = compressed_bits(corpus_of([*noise, *filler], noise))
    assert away["gzip"] > 6 > 0.3 > away["xz"]


@pytest.mark.slow
def test_compressed_bits_are_a_difference_of_lengths():
    train, held_out = (bytes(part.tolist()) for part in (CORPUS.train, CORPUS.held_out))
    whole, part = (len(gzip.compress(data, 9)) for data in (train + held_out, train))
    bits = compressed_bits(CORPUS)
    assert bits["gzip"] == pytest.approx(8 * (whole - part) / len(held_out))
    assert bigram_bits(CORPUS) > bits["gzip"] > bits["xz"] > bits["bzip2"] > 1


def test_an_alphabet_that_is_no_byte_is_refused():
    alphabet = "".join(map(chr, range(300, 600)))
    with pytest.raises(ValueError, match="300 characters; expected at most 256"):
        compressed_bits(Corpus("made", "", alphabet, np.array([0, 1]), np.array([1, 0])))


REFUSALS = {
    NGram: (
        {"order": 2, "tokens": X, "n": 3},
        {"order": [*COUNT, 4, 99], "tokens": TOKENS, "n": COUNT},
    ),
    NGram(2, X, 3).bits: ({"tokens": X}, {"tokens": [*TOKENS, [1]]}),
    NGram(2, X, 3).probabilities: (
        {"tokens": X},
        {"tokens": [value for value in TOKENS if value != []]},
    ),
    NGram(2, CORPUS.train, N).sample: (
        {"corpus": CORPUS, "length": 3, "seed": 0, "temperature": 1.0, "prompt": ""},
        {
            "corpus": [None, 3, "topics"],
            "length": COUNT,
            "seed": SEED,
            "temperature": POSITIVE,
            "prompt": [None, 3, ["a"]],
        },
    ),
    compressed_bits: ({"corpus": CORPUS}, {"corpus": [None, 3, "topics"]}),
}
