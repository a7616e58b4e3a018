"""Check what the claim on padding measures, and that it can reach each verdict."""

import numpy as np
import pytest
from estimates import by_line

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_05 import padding
from rnn_helpers.reference import init_rnn
from rnn_helpers.tasks import Vocabulary, pad

pytestmark = pytest.mark.chapter("05")


@pytest.fixture(scope="module")
def rows():
    experiment = find("padding")
    config = {**experiment.quick, "seeds": 3, "sentences": 200}
    return list(experiment.function(config, range(config.pop("seeds"))))


@pytest.mark.slow
def test_sorting_saves_padding_and_one_at_a_time_there_is_none(rows):
    share = {
        (row["way"], row["batch_size"]): row["value"]
        for row in rows
        if row["measure"] == "padding" and row["seed"] == 0
    }
    assert share[padding.MIXED, 1] == 0
    assert 0 < share[padding.SORTED, 32] < share[padding.MIXED, 32] - 0.2


@pytest.mark.slow
def test_what_is_shown_is_the_loss_of_words_unless_padding_counts(rows):
    """Chiang 5.5: what is masked is not learned; what is not masked dilutes the mean."""

    def bits(measure, way):
        return [row["value"] for row in rows if (row["measure"], row["way"]) == (measure, way)]

    for way in padding.MIXED, padding.SORTED:
        assert bits("shown", way) == bits("bits", way)
    assert bits("shown", padding.UNMASKED) != bits("bits", padding.UNMASKED)


def test_a_network_without_mask_has_an_output_for_padding_and_one_with_it_has_none():
    letters = Vocabulary("ab")
    sizes = {
        way: len(padding._start({"n_h": 3}, letters, 0, way)["c"])
        for way in (padding.MIXED, padding.UNMASKED)
    }
    assert sizes == {padding.MIXED: letters.pad - 1, padding.UNMASKED: letters.pad + 1}


def test_minibatches_of_one_length_have_no_bias_and_other_lengths_have():
    letters, rng = Vocabulary("abcd"), np.random.default_rng(0)
    params = init_rnn(letters.n_x, 5, letters.n_y)
    even, uneven = (
        [
            pad([letters.encode(rng.choice(list("abcd"), n)) for _ in range(4)], letters.pad)
            for n in lengths
        ]
        for lengths in ([6] * 5, [1, 3, 6, 12, 24])
    )
    assert padding._bias(params, even) == pytest.approx(0, abs=1e-12)
    assert padding._bias(params, uneven) > 0.05
    assert padding._bias(params, uneven[:1]) == pytest.approx(0, abs=1e-12)


def test_every_way_is_a_pass_through_the_same_sentences():
    letters = Vocabulary("ab")
    sentences = [letters.encode("a" * n) for n in (3, 1, 4, 1, 5, 9, 2, 6)]
    for way in padding.MIXED, padding.SORTED:
        batches = padding._pass(sentences, 3, way, np.random.default_rng(1), letters.pad)
        groups = [mask.sum(axis=0).tolist() for *_, mask in batches]
        assert sorted(n for group in groups for n in group) == [2, 2, 3, 4, 5, 6, 7, 10]
        if way == padding.SORTED:
            assert sorted(map(sorted, groups)) == [[2, 2, 3], [4, 5, 6], [7, 10]]


def changed(rows, measure, change):
    """Rows in which a way's value is another; else sorting makes training twice as fast."""
    faster = {padding.MIXED: 4.0, padding.SORTED: 8.0}
    return [
        row | {"value": change.get(row["way"], row["value"])}
        if row["measure"] == measure and row["batch_size"] > 1
        else row | {"value": faster[row["way"]]}
        if row["measure"] == "speed" and row["batch_size"] > 1
        else row
        for row in rows
    ]


BETTER = {padding.MIXED: 3.0, padding.UNMASKED: 4.0}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "change", "verdict"),
    [
        ("bits", BETTER, "Holds in part, if only whole minibatches are shuffled after sorting"),
        ("padding", {padding.MIXED: 0.05, padding.SORTED: 0.05}, "Holds. Even in random order"),
        ("padding", {padding.MIXED: 0.3, padding.SORTED: 0.3}, "Undecided."),
        ("speed", {padding.MIXED: 0.5, padding.SORTED: 0.9}, "Does not hold."),
        ("bits", {padding.MIXED: 3.0, padding.UNMASKED: 3.0}, "Undecided."),
        ("bits", {padding.MIXED: 3.0, padding.UNMASKED: 2.9}, "Does not hold."),
    ],
)
def test_the_verdict_follows_padding_speed_and_mask(rows, measure, change, verdict):
    said = find("padding").sum_up(changed(changed(rows, "bits", BETTER), measure, change))
    assert said.verdict.startswith(verdict)


def test_costs_are_means_by_size():
    rows = [
        {"measure": measure, "way": way, "batch_size": size, "value": value * size * seed}
        for measure in ("padding", "speed")
        for way, value in ((padding.MIXED, 0.002), (padding.SORTED, 0.001))
        for size in (1, 8, 32)
        for seed in (1, 2)
    ]
    data = padding.data(rows)
    for panel in (0, 1):
        assert by_line(data, panel) == {
            "random order": [(8, 0.024), (32, 0.096)],
            "sorted by length": [(8, 0.012), (32, 0.048)],
        }
