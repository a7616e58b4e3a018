"""The laboratory of memory networks: one that looks facts up, trained on the spot."""

import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.explore.asking import ask

pytestmark = [pytest.mark.chapter("18"), pytest.mark.slow]


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ({"hops": 3}, "hops"),
        ({"address": "firm"}, "address"),
        ({"told": 1}, "told"),
        ({"steps": 0}, "steps"),
        ({"every": 0}, "every"),
        ({"seed": -1}, "seed"),
    ],
)
def test_invalid_arguments_of_the_lab_are_refused(bad, named):
    with pytest.raises((TypeError, ValueError), match=named):
        list(ask(**{"steps": 1, **bad}))


@pytest.mark.parametrize("address", ["soft", "hard"])
@pytest.mark.parametrize("hops", [1, 2])
def test_it_states_its_attention_and_its_answer(hops, address):
    first, last = ask(hops, address, steps=3, every=2)
    assert (first.steps, last.steps) == (2, 3)
    assert last.weights.shape == (hops, 4 * hops)
    np.testing.assert_allclose(last.weights.sum(axis=1), 1, atol=1e-5)
    said = dict(fact.split(": ") for fact in last.facts)
    truth = last.question
    for _ in range(hops):
        truth = said[truth]
    assert truth == last.truth
    looks = [f"look {n + 1}" for n in range(hops)]
    drawn = plots.attention_weights(last.weights, last.facts, looks, names=("facts", "looks"))
    assert "facts" in drawn.alt


def test_with_supervised_attention_it_attends_to_the_relevant_facts():
    *_, last = ask(told=True, steps=600)
    assert last.right > 0.97
    assert last.found > 0.97
