"""`Lengths` chooses rates on separate sequences, and counts the networks that learn by length."""

import numpy as np
import pytest

from rnn_helpers.experiments import lengths
from rnn_helpers.experiments.lengths import Lengths
from rnn_helpers.experiments.rates import SGDEach
from rnn_helpers.tasks import Latch

CONFIG = {
    "starts": ["default", "orthogonal"],
    "lengths": [3, 5],
    "n_h": 2,
    "batch_size": 4,
    "steps": 2,
    "clip": 1.0,
    "etas": [0.1, 1, 10],
    "first": 3,
    "choosing": 2,
}


@pytest.fixture
def drawn(monkeypatch):
    """Collect the size and the inputs of every minibatch."""
    drawn, batches = [], Latch.batches

    def noted(task, n_steps, batch_size, seed):
        for batch in batches(task, n_steps, batch_size, seed):
            drawn.append((batch_size, batch[0]))
            yield batch

    monkeypatch.setattr(Latch, "batches", noted)
    return drawn


def test_a_rate_is_chosen_by_other_networks_on_other_sequences(drawn):
    Lengths(Latch(), SGDEach).run(CONFIG | {"lengths": [3]}, [0, 1, 2])
    tests = [x for size, x in drawn if size == 500]
    trained = [x for size, x in drawn if size == 4]
    for_choice, for_result = trained[0], trained[-1]
    assert for_choice.shape[1] == 3 * 2  # rates, seeds
    assert for_result.shape[1] == 3
    assert len(tests) == 4  # for each of two starts, one for the choice and one for the result
    assert (tests[0] == tests[1]).all()
    assert (tests[0] != tests[-1]).any(axis=0).all()
    for one in for_choice.swapaxes(0, 1):
        for other in for_result.swapaxes(0, 1):
            assert (one != other).mean() > 0.5


def test_each_row_has_the_best_rate_and_the_accuracy_of_one_network():
    best = {"default": 10, "orthogonal": 0.1}

    class Known(Lengths):
        def train(self, config, cell, settings, seeds):
            return np.repeat([1.0 if best[cell[0]] == eta else 0.5 for eta in settings], len(seeds))

        def score(self, config, cell, made, seeds):
            return made

    etas = {"etas": [0.01, 0.1, 1, 10, 100], "first": 3}
    rows = Known(Latch(), SGDEach).run(CONFIG | etas, [0, 1, 2])
    assert [(row["length"], row["start"], row["seed"]) for row in rows] == [
        (length, start, seed)
        for length in (3, 5)
        for start in ("default", "orthogonal")
        for seed in range(3)
    ]
    for row in rows:
        assert row["eta"] == best[row["start"]]
        assert not row["at_edge"]
        assert row["right"] == 1


def test_networks_that_learn_are_tabulated_by_initialization_and_length():
    learned = {("default", 10): 9, ("default", 20): 0, ("orthogonal", 10): 8}
    rows = [
        {"start": start, "length": length, "seed": seed, "right": 1.0 if seed < n else 0.95}
        | {"eta": 0.1, "at_edge": n == 0}
        for (start, length), n in learned.items()
        for seed in range(9)
    ]
    assert lengths.learned_by_length(rows) == [
        {"initialization": "default", "10 steps": "9 of 9", "20 steps": "0 of 9"},
        {"initialization": "orthogonal", "10 steps": "8 of 9"},
    ]
    assert lengths.counts(rows) == {"default": {10: 9, 20: 0}, "orthogonal": {10: 8}}
    assert lengths.shares(rows)["orthogonal"][10].value == 8 / 9
    assert lengths.rates_by_length(rows)[0]["20 steps"] == "0.1"
