"""The figure batching arranges and pads as the package does, and its texts state its numbers."""

from itertools import islice

import numpy as np
import pytest
from compare import status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import constants, stored
from rnn_helpers.figures.batching.trained import make
from rnn_helpers.tasks import Vocabulary, length_sorted_batches, pad, padding_share

pytestmark = pytest.mark.chapter("05")
META = manifest()["batching"]
SENTENCES = [words.split() for words in stored("batching")]
VOCABULARY = Vocabulary.most_frequent(SENTENCES, 10_000)
TOKENS = [VOCABULARY.encode(words) for words in SENTENCES]
MANY = len(SENTENCES)
LETTERS = constants("batching").LETTERS
orders = st.sampled_from([option["value"] for option in META["controls"]["order"]["options"]])
sizes, seeds = st.integers(1, MANY), st.integers(1, 99)


def state(**changes):
    return complete("batching", changes)


def lengths():
    """Return the steps of each sentence: one more than its words, for its end."""
    return np.array(list(map(len, SENTENCES))) + 1


def arrangement(state):
    """Return the sentences of each minibatch, by their places in the text.

    ``own``, if it isn't empty, has a letter for each sentence and a dot at each cut.
    """
    order, size, own = state["order"], state["size"], state["own"]
    groups = [[LETTERS.index(letter) for letter in part] for part in own.split(".")]
    if all(groups) and sorted(np.concatenate(groups)) == list(range(MANY)):
        return groups
    chance = np.random.RandomState(state["seed"])
    places = np.arange(MANY)
    if order == "random":
        places = chance.random_sample(MANY).argsort()
    elif order != "given":
        places = np.argsort(lengths(), kind="stable")
    groups = [places[first : first + size].tolist() for first in range(0, MANY, size)]
    if order == "groups":
        groups = [groups[i] for i in chance.random_sample(len(groups)).argsort()]
    return groups


def padded(groups):
    """The minibatches of an arrangement as the package makes them."""
    return [pad([TOKENS[i] for i in group], VOCABULARY.pad) for group in groups]


@st.composite
def by_hand(draw):
    """Any order of the sentences, cut anywhere."""
    places = draw(st.permutations(range(MANY)))
    cuts = sorted(draw(st.sets(st.integers(1, MANY - 1))))
    ends = zip([0, *cuts], [*cuts, MANY], strict=True)
    return [places[first:last] for first, last in ends]


@given(orders, sizes, seeds)
def test_sentences_are_arranged_as_in_python(math, order, size, seed):
    now = state(order=order, size=size, seed=seed)
    assert math("arrange", now) == arrangement(now)


@given(by_hand())
def test_an_arrangement_of_the_reader_is_written_and_read(math, groups):
    own = math("written", groups)
    assert len(own) <= META["controls"]["own"]["maxLength"]
    assert math("read", own) == groups
    now = state(own=own)
    assert math("arrange", now) == arrangement(now) == groups


@pytest.mark.parametrize("own", ["A", "..", LETTERS[:-1] + "A", LETTERS + "."])
def test_a_text_that_is_no_arrangement_is_refused(math, own):
    now = state(own=own)
    ordered = arrangement(state())
    assert math("arrange", now) == arrangement(now) == ordered


@given(by_hand())
def test_padding_is_that_of_the_packages_minibatches(math, groups):
    shown, batches = math("compute", groups), padded(groups)
    assert shown["padding"] == pytest.approx(padding_share(batches), abs=1e-12)
    assert shown["steps"] == sum(mask.size for *_, mask in batches)
    assert shown["pads"] == sum((~mask).sum() for *_, mask in batches)
    assert shown["turns"] == sum(len(mask) for *_, mask in batches)
    for one, (*_, mask) in zip(shown["batches"], batches, strict=True):
        assert (one["T"], len(one["group"]), one["words"]) == (*mask.shape, mask.sum())
        assert one["padding"] == pytest.approx(padding_share([(None, mask, mask)]), abs=1e-12)


@given(sizes, seeds)
def test_sorted_minibatches_are_those_of_a_pass(math, size, seed):
    """The order of two sentences of equal length is random, but the shapes agree."""
    n = -(-MANY // size)
    theirs = list(islice(length_sorted_batches(TOKENS, size, seed, VOCABULARY.pad), n))
    for order in "sorted", "groups":
        ours = padded(math("arrange", state(order=order, size=size, seed=seed)))
        lengths = [
            sorted(tuple(sorted(mask.sum(axis=0))) for *_, mask in batches)
            for batches in (ours, theirs)
        ]
        assert lengths[0] == lengths[1]


@given(by_hand())
def test_losses_are_those_of_the_targets_frequencies_with_and_without_a_mask(math, groups):
    batches = padded(groups)
    shown = math("compute", groups)
    for masked, name in (True, "masked"), (False, "unmasked"):
        targets = [y[mask if masked else ...].ravel() for _, y, mask in batches]
        _, counts = np.unique(np.concatenate(targets), return_counts=True)
        share = counts / counts.sum()
        assert shown[name] == pytest.approx(-(share * np.log2(share)).sum(), abs=1e-9)


@pytest.mark.parametrize("mask", [True, False])
def test_the_bits_of_all_rows_add_up_to_the_loss(math, mask):
    shown = math("compute", arrangement(state()))
    rows = [math("losses", i, shown, mask) for i in range(MANY)]
    total = sum(sum(row["words"]) for row in rows) + shown["pads"] * rows[0]["pad"]
    steps = shown["steps"] - mask * shown["pads"]
    assert total / steps == pytest.approx(shown["masked" if mask else "unmasked"], abs=1e-9)


@given(by_hand())
def test_a_word_counts_as_in_the_mean_of_the_minibatches_means(math, groups):
    each = np.random.default_rng(0).normal(size=sum(map(len, TOKENS)) - MANY)  # losses of words
    shown = math("compute", groups)["batches"]
    parts = np.split(each, np.cumsum([one["words"] for one in shown])[:-1])
    weighted = sum(one["weight"] * part.sum() for one, part in zip(shown, parts, strict=True))
    assert weighted / len(each) == pytest.approx(np.mean([part.mean() for part in parts]), abs=1e-9)


@given(by_hand(), st.data())
def test_a_drag_moves_one_sentence_or_one_cut(math, groups, data):
    flat = [i for group in groups for i in group]
    start, to = (data.draw(st.integers(0, MANY - 1)) for _ in range(2))
    after = math("moved", groups, start, to)
    assert [len(group) for group in after] == [len(group) for group in groups]
    rest = [i for i in flat if i != flat[start]]
    assert [i for group in after for i in group] == [*rest[:to], flat[start], *rest[to:]]
    if len(groups) > 1:
        k = data.draw(st.integers(0, len(groups) - 2))
        low, high = math("room", groups, k)
        place = data.draw(st.integers(low, high))
        after = math("recut", groups, k, place)
        assert [i for group in after for i in group] == flat
        assert math("cutsOf", after) == [
            place if g == k else cut for g, cut in enumerate(math("cutsOf", groups))
        ]
        assert all(after)


def test_the_statements_about_the_default_and_the_prediction_are_true(math):
    shown = math("compute", arrangement(state()))
    widths = [one["T"] for one in shown["batches"]]
    steps = lengths()
    assert f"{steps.min()} to {steps.max()} steps" in META["alt"]
    assert f"from {min(widths)} to {max(widths)}" in META["alt"]
    assert f"{shown['pads']} of {shown['steps']} steps" in META["alt"]
    assert f"{100 * shown['padding']:.0f} percent" in META["alt"]
    predicted = math("compute", arrangement(state(size=32)))
    assert [one["T"] for one in predicted["batches"]] == [87, 67]
    why = META["prediction"]["why"]
    assert f"{100 * predicted['padding']:.0f} percent" in why
    assert "87 and 67 steps" in why
    assert f"has only {steps.mean():.0f} on average" in why
    sorted_ = math("compute", arrangement(state(order="sorted", size=32)))
    assert f"only to {100 * sorted_['padding']:.0f} percent" in why


def test_shuffling_sentences_undoes_the_sorting_and_shuffling_minibatches_does_not():
    def share(**changes):
        return padding_share(padded(arrangement(state(**changes))))

    at_random = [share(seed=seed) for seed in range(1, 100)]
    assert {round(share(order="groups", seed=seed), 12) for seed in range(1, 100)} == {
        round(share(order="sorted"), 12)
    }
    assert share(order="sorted") < 0.2 < 0.4 < min(at_random)


def test_its_sentences_are_drawn_by_a_recipe():
    """Another version of Python has other sentences in this text, but the same number of them."""
    drawn = make()
    assert len(drawn) == len(set(drawn)) == MANY == len(LETTERS)


@pytest.mark.parametrize("changes", [{}, {"order": "sorted", "size": 1}, {"size": MANY}])
def test_the_status_states_the_share_of_padding(changes):
    share = padding_share(padded(arrangement(state(**changes))))
    assert f"{100 * share:.0f} %" in status("batching", **changes)
