"""Padding only costs time, and sorting by length makes it cost little."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import X, Y
from refusals import (
    COUNT,
    SEED,
    TIME,
    first,
)

from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward, rnn_loss
from rnn_helpers.tasks import (
    Vocabulary,
    character_model,
    length_sorted_batches,
    pad,
    padding_share,
)

pytestmark = pytest.mark.chapter("05")
LETTERS = Vocabulary("abcd")


def some(n, seed=0, longest=12):
    """Sentences of 0 to `longest` letters."""
    rng = np.random.default_rng(seed)
    return [
        LETTERS.encode("".join(rng.choice(list("abcd"), k))) for k in rng.integers(longest, size=n)
    ]


def one_pass(sequences, batch_size, seed=0):
    batches = length_sorted_batches(sequences, batch_size, seed, LETTERS.pad)
    return list(islice(batches, -(-len(sequences) // batch_size)))


def sequences_of(batches):
    """The tokens of each sequence in minibatches, padding taken off."""
    return [
        (*x[counts, i].tolist(), int(y[counts, i][-1]))
        for x, y, mask in batches
        for i, counts in enumerate(mask.T)
    ]


def test_inputs_and_targets_are_right():
    x, y, mask = pad([[5, 1, 2, 0], [5, 3, 0]], 6)
    assert x.T.tolist() == [[5, 1, 2], [5, 3, 6]]
    assert y.T.tolist() == [[1, 2, 0], [3, 0, 6]]
    assert mask.T.tolist() == [[True, True, True], [True, True, False]]


@given(st.integers(1, 6), st.integers(0, 99))
def test_loss_and_gradients_are_those_of_the_sentences_one_by_one(n, seed):
    sequences = some(n, seed)
    params = init_rnn(LETTERS.n_x, 5, LETTERS.n_y, seed)
    x, y, mask = pad(sequences, LETTERS.pad)
    run = rnn_forward(params, x)
    loss, grads = rnn_loss(run, y, mask), rnn_backward(params, run, y, mask)
    alone = [rnn_forward(params, tokens[:-1]) for tokens in sequences]
    targets = [tokens[1:] for tokens in sequences]
    assert loss == pytest.approx(sum(map(rnn_loss, alone, targets)), rel=1e-12)
    each = [rnn_backward(params, *pair) for pair in zip(alone, targets, strict=True)]
    for name in params:
        together = sum(g[name] for g in each)
        np.testing.assert_allclose(grads[name], together, rtol=1e-9, atol=1e-12)
    assert not grads["U"][:, LETTERS.pad].any()  # padding has no gradient


def test_values_in_the_padding_have_no_effect():
    sequences, params = some(5), init_rnn(LETTERS.n_x, 5, LETTERS.n_y)
    loss, grads = character_model()(params, pad(sequences, LETTERS.pad))
    other_loss, other = character_model()(params, pad(sequences, 0))
    assert other_loss == loss
    for name in params:
        np.testing.assert_array_equal(grads[name], other[name])


def test_without_the_mask_the_network_would_be_taught_to_end_again_and_again():
    sequences, params = some(5), init_rnn(LETTERS.n_x, 5, LETTERS.n_y)
    x, y, mask = pad(sequences, 0)
    masked, unmasked = (rnn_backward(params, rnn_forward(params, x), y, m) for m in (mask, None))
    assert unmasked["c"][0] < masked["c"][0] - 1
    with pytest.raises(ValueError, match="token 6"):  # padding itself can be no target at all
        character_model()(params, pad(sequences, LETTERS.pad)[:2])


@given(st.integers(1, 40), st.integers(1, 45), st.integers(0, 99))
def test_a_pass_has_every_sentence_once_and_no_other_arrangement_has_less_padding(n, size, seed):
    sequences = some(n, seed)
    batches = one_pass(sequences, size, seed)
    assert sorted(sequences_of(batches)) == sorted(tuple(s.tolist()) for s in sequences)
    in_order = sorted(sequences, key=len)
    groups = [pad(in_order[i : i + size], LETTERS.pad) for i in range(0, n, size)]
    assert padding_share(batches) == pytest.approx(padding_share(groups), abs=1e-12)
    as_given = [pad(sequences[i : i + size], LETTERS.pad) for i in range(0, n, size)]
    if n % size == 0:
        assert padding_share(batches) <= padding_share(as_given)


def test_the_order_of_the_minibatches_is_random_in_every_pass():
    sequences = some(60)
    batches = length_sorted_batches(sequences, 5, 0, LETTERS.pad)
    lengths = [[len(x) for x, _, _ in islice(batches, 12)] for _ in range(2)]
    assert sorted(lengths[0]) == sorted(lengths[1])
    assert lengths[0] != lengths[1]
    assert all(order != sorted(order) for order in lengths)


def test_the_seed_decides():
    sequences = some(60)
    first, again, other = (sequences_of(one_pass(sequences, 5, seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_sentences_of_one_length_meet_others_in_the_next_pass():
    sequences = [LETTERS.encode(one) for one in ("aa", "ab", "ac", "ad", "ba", "bb", "bc", "bd")]
    batches = length_sorted_batches(sequences, 4, 0, LETTERS.pad)
    together = {frozenset(sequences_of([batch])) for batch in islice(batches, 12)}
    assert len(together) > 2


def test_the_share_of_padding():
    assert padding_share([pad([[5, 0]], 6)]) == 0
    assert padding_share([pad([[5, 1, 2, 0], [5, 0]], 6), pad([[5, 0]], 6)]) == pytest.approx(2 / 7)


SEQUENCES = [None, 3, [], [3], [[0]], [[0, -1]], [[0.5, 1.0]], [[[0, 1]]], "ab"]

REFUSALS = {
    pad: (
        {"sequences": [[0, 1], [1, 0, 1]], "padding": 2},
        {"sequences": SEQUENCES, "padding": TIME},
    ),
    first(length_sorted_batches): (
        {"sequences": [[0, 1], [1, 0, 1]], "batch_size": 2, "seed": 0, "padding": 2},
        {"sequences": SEQUENCES, "batch_size": COUNT, "seed": SEED, "padding": TIME},
    ),
    padding_share: (
        {"batches": [pad([[0, 1]], 2)]},
        {"batches": [None, 3, [], [3], [(X, Y)], [(X, Y, None)], [([], [], [])]]},
    ),
}
