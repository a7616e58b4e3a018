"""Chapter 05's exercises: tests of the solutions, and the tables of tests/declared.py."""

import dataclasses
import gzip
import itertools

import numpy as np
import pytest

from rnn_helpers import tasks
from rnn_helpers.checks import exercises
from rnn_helpers.exercises import chapter_05 as answers
from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward, rnn_loss
from rnn_helpers.reference.clipping import clip_by_norm


def test_perplexities_are_those_of_a_fair_guess():
    # 12 words of 3 characters, each character one of 8: 3 bits
    assert answers.convert(108.0, 36, 12) == (3.0, 8.0, 512.0)
    characters, words = 2000, 400
    per_character, perplexity, of_words = answers.convert(4400.0, characters, words)
    assert perplexity == pytest.approx(2**per_character)
    assert of_words == pytest.approx(perplexity ** (characters / words))
    # the numbers of the solution
    told = answers.convert(2.2 * 5700, 5700, 1000)
    assert told[1:] == (pytest.approx(4.59, abs=0.005), pytest.approx(5955, abs=5))


def test_drawn_characters_have_the_softmax_of_the_divided_outputs():
    o, temperature = np.array([0.3, -1.0, 2.0]), 1.7
    numbers = (np.arange(10**4) + 0.5) / 10**4
    counts = np.bincount([answers.draw(o, temperature, u) for u in numbers], minlength=3)
    p = np.exp(o / temperature)
    np.testing.assert_allclose(counts / 10**4, p / p.sum(), atol=2e-4)
    assert {answers.draw(o, 0.01, u) for u in numbers[::100]} == {2}
    assert {answers.draw(o * 1000, 1e4, u) for u in numbers[::100]} == {0, 1, 2}


def test_a_greedy_text_enters_a_cycle_of_states_and_not_of_characters():
    params = init_rnn(3, 6, 3, seed=2, scale=1.2)
    params = {name: np.round(array, 2) for name, array in params.items()}

    def step(h, token):
        run = rnn_forward(params, np.array([token]), h)
        # few digits, so that the cycle is reached soon
        return np.round(run.h[0], 1), int(run.o[0].argmax())

    h, token, seen, text = np.zeros(6), 0, {}, []
    for t in itertools.count():
        key = (*h, token)
        if key in seen:
            break
        seen[key] = t
        text.append(token)
        h, token = step(h, token)
    assert t < 10**4
    first, length = seen[key], t - seen[key]
    for _ in range(2 * length):
        text.append(token)
        h, token = step(h, token)
    assert text[first : first + length] == text[first + length : first + 2 * length]


def test_masked_bits_are_those_of_the_sentences_one_by_one_and_the_packages():
    params = init_rnn(5, 4, 5, seed=0, scale=1.0)
    rng = np.random.default_rng(0)
    sentences = [rng.integers(5, size=n) for n in (4, 9, 2)]
    x, y, mask = tasks.pad(sentences, 0)
    run = rnn_forward(params, x)
    lengths = np.array([len(one) - 1 for one in sentences])
    bits = answers.masked_bits(run.yhat, y, lengths)
    assert bits == pytest.approx(rnn_loss(run, y, mask) / np.log(2))
    alone = [rnn_loss(rnn_forward(params, one[:-1]), one[1:]) for one in sentences]
    assert bits == pytest.approx(sum(alone) / np.log(2))


def test_padding_matches_the_packages_count():
    lengths, batch_size = next(case for case in answers._lengths() if len(case[0]) == 200)
    sequences = [np.zeros(n + 1, int) for n in lengths]
    groups = [sequences[i : i + batch_size] for i in range(0, len(lengths), batch_size)]
    came, sorted_ = answers.padding(lengths, batch_size)
    assert came == pytest.approx(tasks.padding_share(tasks.pad(group, 0) for group in groups))
    batches = tasks.length_sorted_batches(sequences, batch_size, 0, 0)
    one_pass = list(itertools.islice(batches, len(groups)))
    assert sorted_ == pytest.approx(tasks.padding_share(one_pass))
    assert sorted_ < 0.2 < came


@pytest.mark.parametrize(("w", "K"), [(0.5, 10), (0.9, 10), (0.97, 25), (-0.7, 3)])
def test_the_lost_share_is_that_of_a_long_linear_chain(w, K):
    """The numbers are those of the solution."""
    steps = np.arange(1200)
    heard = (1 - w ** (steps % K + 1)) / (1 - w)
    exact = (1 - w ** (steps + 1)) / (1 - w)
    blocks = slice(K * (300 // K + 1), K * (1200 // K))  # far from the beginning, whole blocks
    lost = 1 - heard[blocks].sum() / exact[blocks].sum()
    assert answers.lost_share(w, K) == pytest.approx(lost, rel=1e-3)
    assert answers.lost_share(0.9, 10) == pytest.approx(0.586, abs=5e-4)
    assert answers.lost_share(0.9, 100) == pytest.approx(0.09, abs=5e-4)
    assert answers.lost_share(0.9, 900) == pytest.approx(0.01, abs=5e-5)


def test_a_mean_is_stepped_like_a_sum_clipped_or_not():
    params = init_rnn(3, 4, 3, seed=1, scale=1.0)
    tokens = np.random.default_rng(3).integers(3, size=41)
    total = rnn_backward(params, rnn_forward(params, tokens[:-1]), tokens[1:])
    total = {name: total[name] for name in params}
    mean = {name: g / 40 for name, g in total.items()}
    for v in (0.1, 1e6):
        eta_mean, v_mean = answers.for_the_mean(0.01, v, 40)
        for name in params:
            np.testing.assert_allclose(
                eta_mean * clip_by_norm(mean, v_mean)[0][name],
                0.01 * clip_by_norm(total, v)[0][name],
            )


def test_sentences_shuffled_after_sorting_are_padded_as_if_never_sorted():
    rng = np.random.default_rng(58)
    lengths = rng.geometric(0.05, size=400)

    def share(ordered):
        return answers.padding(ordered, 20)[0]

    drawn = [share(rng.permutation(lengths)) for _ in range(300)]
    shuffled = [share(rng.permutation(np.sort(lengths))) for _ in range(300)]
    assert np.mean(shuffled) == pytest.approx(np.mean(drawn), abs=0.01)
    groups = np.split(np.sort(lengths), 20)
    kept = np.concatenate([groups[i] for i in rng.permutation(20)])
    assert share(kept) == pytest.approx(share(np.sort(lengths)))
    assert share(kept) < np.mean(shuffled) / 3


def test_compressed_bits_are_the_packages():
    corpus = tasks.characters("topics")
    train, held_out = (
        part.astype(np.uint8).tobytes().decode("latin-1")
        for part in (corpus.train[:60_000], corpus.held_out[:8000])
    )

    def size(text):
        return len(gzip.compress(text.encode("latin-1"), 9, mtime=0))

    part = dataclasses.replace(corpus, train=corpus.train[:60_000], held_out=corpus.held_out[:8000])
    theirs = tasks.compressed_bits(part)["gzip"]
    assert answers.compressed_bits(train, held_out, size) == pytest.approx(theirs)


def test_the_best_unit_has_the_largest_of_numpys_correlations():
    for h, feature in answers._units():
        k, r = answers.best_unit(h, feature)
        moves = [j for j in range(h.shape[1]) if np.ptp(h[:, j])]
        each = [np.corrcoef(h[:, j], feature)[0, 1] for j in moves]
        assert abs(r) == pytest.approx(np.abs(each).max())
        assert moves[int(np.abs(each).argmax())] == k
    assert exercises()["05-unit"].grade(lambda h, f: [*answers.best_unit(h, f)])


def without_the_maximum(search):
    def draw(o, temperature, u):
        with np.errstate(all="ignore"):
            p = np.exp(o / temperature)
            return search(p / p.sum(), u)

    return draw


def in_a_loop(p, u):
    total = 0
    for k, share in enumerate(p):
        total += share
        if u < total:
            return k
    return len(p) - 1


def while_below(p, u):
    k, total = 0, p[0]
    while total <= u and k < len(p) - 1:
        k += 1
        total += p[k]
    return k


SEARCHES = {
    "argmax": lambda p, u: int(np.argmax(np.cumsum(p) > u)),
    "a for loop": in_a_loop,
    "a while loop": while_below,
    "searchsorted, left": lambda p, u: int(np.searchsorted(np.cumsum(p), u, side="left")),
    "searchsorted, right": lambda p, u: int(np.searchsorted(np.cumsum(p), u, side="right")),
    "next": lambda p, u: next(k for k, total in enumerate(np.cumsum(p)) if total > u),
    "counting": lambda p, u: int((np.cumsum(p) <= u).sum()),
}


def without_a_sign(yhat, y, lengths):
    return sum(np.log2(yhat[t, k, y[t, k]]) for k, n in enumerate(lengths) for t in range(n))


def of_all_symbols(yhat, y, lengths):
    return sum(-np.log2(yhat[t, k]).sum() for k, n in enumerate(lengths) for t in range(n))


TYPICAL = {"05-masked": {"the sign forgotten": without_a_sign, "all symbols": of_all_symbols}}


@pytest.mark.parametrize("search", SEARCHES)
def test_an_overflow_is_recognized_however_the_piece_is_found(search):
    message = exercises()["05-draw"].grade(without_the_maximum(SEARCHES[search])).message
    assert message.startswith("Hint: What is exp(1000)?")


def mask_times_logarithm(yhat, y, lengths):
    p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., 0]
    with np.errstate(all="ignore"):
        return (-np.log2(p) * (np.arange(len(y))[:, None] < lengths)).sum()


def drawn_after_subtracting(shift):
    def draw(o, temperature, u):
        with np.errstate(all="ignore"):
            p = np.exp((o - shift(o)) / temperature)
            return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))

    return draw


HINTED = {
    "05-masked": [(mask_times_logarithm, "a probability of 0")],
    "05-draw": [
        (drawn_after_subtracting(shift), "Which number do you subtract")
        for shift in (np.min, np.mean, np.median, lambda o: o[0])
    ],
}
LIMITS = {"05-charge": (0.009, 0.011), "05-reach": (9e-4, 1.1e-3)}
EQUIVALENT = {
    "05-charge": [
        # A factor of 1, the probability of the space, changes nothing.
        "bits = -np.log2(2 / 5 * 1 / 4 * 1) -> bits = -np.log2(2 / 5 * 1 / 4)",
        "bits = -np.log2(2 / 5 * 1 / 4 * 1) -> bits = -np.log2(2 / 5 / 4 * 1)",
    ],
    "05-draw": [
        # They differ only if u equals a cumulative probability exactly, which has probability 0.
        "…(p / p.sum()), u, side='right')) -> …(p / p.sum()), u))",
    ],
    "05-masked": [
        # The last axis is the default of take_along_axis.
        "p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., 0] -> "
        "p = np.take_along_axis(yhat, y[..., None])[..., 0]",
        # The last axis has a single entry, which is both the first and the last.
        "p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., 0] -> "
        "p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., -1]",
    ],
    "05-unit": [
        # The feature is a vector, which transposing doesn't change.
        "r = feature @ h / np.where(size > 0, size, 1.0) -> "
        "r = feature.T @ h / np.where(size > 0, size, 1.0)",
        # For a unit that never moves the numerator is 0, so the correlation is 0 for any
        # denominator.
        "r = feature @ h / np.where(size > 0, size, 1.0) -> "
        "r = feature @ h / np.where(size > 0, size, 2.0)",
    ],
}
