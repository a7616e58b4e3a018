"""Tables of counts, and when a state is ahead of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verdicts import about, verdict

from rnn_helpers.claims.chapter_07 import table_against_state
from rnn_helpers.experiments import find
from rnn_helpers.reference import init_rnn
from rnn_helpers.tasks import NoisyParity

CASES = {
    "holds": {"gains": {100: about(0.2), 1000: about(0.3)}},
    "holds in part": {"gains": {100: about(0), 1000: about(0.3)}, "gain": about(0.3)},
    "does not hold": {"gains": {100: about(0), 1000: about(-0.1)}, "gain": about(-0.1)},
    "undecided": {"gains": {100: about(0), 1000: about(0)}, "gain": about(0)},
}
SEEDS = range(10)


@given(st.integers(1, 11), st.floats(0.1, 5))
def test_counts_make_a_distribution_over_all_sequences(back, added):
    read = NoisyParity().sample(12, 30, 0)
    every = np.indices((2,) * 12).reshape(12, -1)
    log_p = table_against_state.counted(read, back, added, every).sum(axis=0)
    np.testing.assert_allclose(np.exp(log_p).sum(), 1)


def test_a_table_counts_the_bits_after_the_same_context():
    read = np.array([[1, 1, 1, 0], [0, 0, 1, 0]] + [[0] * 4] * 10)
    found = np.exp(table_against_state.counted(read, 2, 0.5, read))
    np.testing.assert_allclose(found[0], [3.5 / 5] * 3 + [1.5 / 5])
    np.testing.assert_allclose(found[1, 0], 2.5 / 4)  # after a 1 came 0, 0 and 1
    for model in (table_against_state.TABLE, table_against_state.CHAIN):
        assert table_against_state._size(model, 24) == 2**12 - 1
    network = init_rnn(2, 24, 2)
    size = sum(array.size for array in network.values())
    assert table_against_state._size(table_against_state.NETWORK, 24) == size


def test_a_table_of_all_sequences_counts_each():
    every = np.indices((2,) * 12).reshape(12, -1)
    read = every[:, [5, 5, 7]]
    table = table_against_state._by_tables(table_against_state.TABLE, read, 1e-6, every)
    np.testing.assert_allclose(np.exp(table)[[5, 6, 7]], [2 / 3, 0, 1 / 3], atol=1e-3)


def table_rows(network=5.5, most=5.4, few=6.2):
    costs = {
        table_against_state.TABLE: [7.0, 5.8, 5.5],
        table_against_state.CHAIN: [6.5, 5.7, 5.45],
        table_against_state.PAIRS: [8.4, 8.3, 8.3],
        table_against_state.TRUE: [5.5, 5.4, 5.375],
        table_against_state.NETWORK: [few, network, most],
    }
    return [
        {
            "model": model,
            "examples": examples,
            "seed": s,
            "parameters": 3,
            "setting": 30.0 if model == table_against_state.PAIRS else 0.1,
            "at_edge": model == table_against_state.PAIRS,
            "nats": cost + 0.001 * (s + s % 2 * (model == table_against_state.NETWORK)),
        }
        for model, each in costs.items()
        for examples, cost in zip((100, 1000, 10000), each, strict=True)
        for s in SEEDS
    ]


def lost_rows(*seeds):
    """Return rows of networks of which some never find what a bit depends on."""
    lost = {(table_against_state.NETWORK, 1000, seed) for seed in seeds}
    return [
        row | {"nats": 8.3} if (row["model"], row["examples"], row["seed"]) in lost else row
        for row in table_rows()
    ]


def test_the_verdict_compares_a_network_with_tables():
    said = find("table-against-state").sum_up(table_rows())
    assert said.verdict.startswith("Holds. From")
    assert said.value == pytest.approx(0.1, abs=0.01)
    assert "made with the knowledge that four bits matter" in said.text
    assert "the largest added number that we tried, 30." in said.text
    assert "so another value might be better there" not in said.text
    for other in ({"few": 7.1}, {"network": 5.9}):
        assert verdict("table-against-state", table_rows(**other)).startswith(
            "Holds in part, if there are"
        )
    one = find("table-against-state").sum_up(lost_rows(3))
    assert one.verdict.startswith("Holds. From")
    assert "fair coins: 1 with 1,000 examples." in one.text
    some = find("table-against-state").sum_up(lost_rows(*range(4)))
    assert some.verdict.startswith("Holds in part, if there are")
    assert some.verdict.endswith(
        "From 1,000 examples, the interval of its median gain reaches below 0."
    )
    assert verdict("table-against-state", table_rows(most=5.6)).startswith("Does not hold.")


def test_a_setting_at_the_edge_is_named_unless_it_makes_fair_coins():
    chain = table_against_state.CHAIN
    rows = [row | {"at_edge": row["at_edge"] or row["model"] == chain} for row in table_rows()]
    text = find("table-against-state").sum_up(rows).text
    every = "the tables given all earlier bits with"
    assert f"for {every} 100 examples (0.1), {every} 1,000 examples" in text
    assert "given the last bit with" not in text
