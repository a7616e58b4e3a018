"""Check what the claim on recall says for several shares of recalled values."""

import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_18 import recall
from rnn_helpers.claims.chapter_18.recall import (
    GRU,
    LARGE,
    LSTM,
    MIDDLE,
    NARROW,
    SMALL,
    SOFTMAX,
)
from rnn_helpers.experiments import find
from rnn_helpers.tasks.recall import Pairs


def recalled(form=0.5, larger=0.1, softmax=1.0):
    """Return how much memories recall of few and of many pairs."""
    return {
        "few": {SOFTMAX: about(1, 0.01)},
        "most": {SOFTMAX: about(softmax, 0.01), LARGE: about(0.5)},
        "larger": about(larger, 0.01),
        "ahead": about(0.1, 0.01),
        "form": about(form),
    }


CASES = {
    "holds": recalled(form=-0.1),
    "holds in part": recalled(),
    "does not hold": recalled(larger=0),
    "undecided": recalled(softmax=0.9),
}
FALLS = {4: 1.0, 8: 0.9, 16: 0.8, 32: 0.7}


def recalled_rows(middle=0.8, large=0.95, gru=0.4, softmax=1.0, last=1.0):
    """Rows of ten networks a method; states recall less of more pairs, from 8 pairs on."""
    shares = {SMALL: 0.5, MIDDLE: middle, LARGE: large, GRU: gru, LSTM: 0.4, NARROW: 0.8}
    rows = []
    for method in recall.METHODS:
        for pairs, falls in FALLS.items():
            right = shares.get(method, softmax) * (1 if method == SOFTMAX else falls / FALLS[8])
            if method == SOFTMAX and pairs == 32:
                right = last
            rows += [
                {"method": method, "pairs": pairs, "seed": seed, "right": min(right, 1.0)}
                | {"trained_to": 16, "guess": 0.125, "state": None, "parameters": 9}
                | {"eta": 0.01, "at_edge": False}
                for seed in range(10)
            ]
    return rows


def test_form_counts_where_a_gru_recalls_less_than_a_matrix_of_its_size():
    some = find("recall").sum_up(recalled_rows())
    assert some.verdict.startswith("Holds in part, if states of the same form are compared")
    assert some.value == pytest.approx(1 - 0.95 * 0.8 / 0.9)
    assert "lowest or highest" not in some.text


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"softmax": 0.89}, "Undecided."),
        ({"middle": 0.5}, "Does not hold."),
        ({"large": 0.8}, "Does not hold."),
        ({"large": 1.0, "softmax": 1.0, "last": 1.0}, "Holds in part, if states of the same form"),
        (
            {"softmax": 0.91, "large": 1.0, "last": 0.95},
            "Holds in part, if states of the same form",
        ),
        ({"gru": 0.76}, "Holds."),
        ({"gru": 0.74}, "Holds in part, if states of the same form"),
        ({"last": 0.9}, "Undecided."),
    ],
)
def test_size_must_count_and_the_softmax_must_go_on(changed, expected):
    assert verdict("recall", recalled_rows(**changed)).startswith(expected)


@pytest.mark.slow
def test_memories_of_one_size_have_equally_many_weights():
    pytest.importorskip("torch")
    task = Pairs(8, 16)
    nets = {method: recall._network(method, task, 12, [0, 1]) for method in recall.METHODS}
    sizes = {method: sum(p[0].size for p in net.params().values()) for method, net in nets.items()}
    assert sizes[LARGE] == sizes[SOFTMAX]
    assert sizes[SMALL] == sizes[NARROW]
    assert 0.8 * sizes[GRU] < sizes[LSTM] <= sizes[GRU]
    states = {method: recall._state(method, net) for method, net in nets.items()}
    assert (states[SMALL], states[MIDDLE], states[LARGE], states[GRU]) == (16, 64, 256, 12)
    assert states[LSTM] == 2 * nets[LSTM].layers[0].n_h
    assert states[SOFTMAX] is states[NARROW] is None
