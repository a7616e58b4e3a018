"""What the experiment on pictures read in order measures, and when it says what."""

import numpy as np
import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_16 import sequential_digits
from rnn_helpers.experiments.claims.chapter_16.sequential_digits import GRU, LSTM, SIMPLE, WIDE
from rnn_helpers.experiments.starts import ORTHOGONAL, SMALL

pytestmark = pytest.mark.chapter("16")


def pictures(seeds=5, edge=None, **changed):
    right = {SIMPLE: 0.7, WIDE: 0.9, LSTM: 0.8, GRU: 0.75} | changed
    return [
        {"read": read, "network": name, "start": ORTHOGONAL, "parameters": 9, "eta": 0.01}
        | {"seed": s, "right": share + 0.001 * (-1) ** s, "at_edge": name == edge}
        for read in sequential_digits.READ
        for name, share in right.items()
        for s in range(seeds)
    ]


DIGITS = find("sequential-digits")


def test_gated_networks_must_surpass_the_best_simple_one_of_as_many_units():
    said = DIGITS.sum_up(pictures())
    assert said.verdict.startswith("Does not hold. With as many parameters")
    assert said.finding.endswith("but a wider simple network beats the LSTM, bias 1.")
    assert said.value == pytest.approx(-0.1)
    shares, differences, chosen = DIGITS.tabulate(pictures()).values()
    assert shares[0]["row by row"].startswith("0.700")
    assert differences[1]["difference in accuracy"] == "+0.100 (+0.100 to +0.100)"
    assert chosen[-1] == {"network": "GRU"} | dict.fromkeys(
        ["pixel by pixel", "row by row"], "orthogonal start, 0.01"
    )
    for name, share, kind in ((SIMPLE, 0.85, "does not hold"), (WIDE, 0.7, "holds")):
        assert DIGITS.sum_up(pictures(**{name: share})).kind == kind


def test_a_rate_at_an_end_of_its_grid_is_told():
    assert "lowest or highest" not in DIGITS.sum_up(pictures()).text
    told = "tried for GRU, pixel by pixel (0.01), GRU, row by row (0.01), so another"
    assert told in DIGITS.sum_up(pictures(edge=GRU)).text


@pytest.mark.slow
def test_networks_read_all_of_a_digit_and_the_rule_gives_the_bias():
    pytest.importorskip("torch")
    assert sequential_digits.RULED == "LSTM, bias 5"
    config = DIGITS.quick | {"n_h": 32, "steps": 1}
    sizes = {}
    for read, task in sequential_digits.READ.items():
        readers = sequential_digits.Readers(task)
        for name in sequential_digits.NETWORKS:
            made = readers.train(config, (name, SMALL), [0.01], [0, 1])
            rows = readers.rows(config, (name, SMALL), made, [0, 1], None)
            assert all(0 <= row["right"] < 0.6 for row in rows)
            sizes[read, name] = rows[0]["parameters"]
    assert sizes["pixel by pixel", WIDE] == pytest.approx(sizes["pixel by pixel", LSTM], rel=0.05)


def test_rates_are_chosen_on_digits_that_are_in_neither_training_nor_test():
    task = sequential_digits.READ["row by row"]
    readers = sequential_digits.Readers(task)

    def seen(batch):
        return {picture.tobytes() for picture in np.moveaxis(batch[0], 0, 1)}

    kept = seen(readers._known(for_choice=True))
    training = seen(readers._known(for_choice=False))
    assert len(kept) == pytest.approx(len(training) / 4, rel=0.01)
    assert not kept & (training | seen(task.every(held_out=True)))
    x, y, mask = next(readers.batches({}, (GRU, SMALL), 300, [[0, 2], [1, 2]]))
    assert y.shape == (8, 2, 300)
    assert mask.shape == (8, 300)
    assert seen((np.concatenate([x[:, 0], x[:, 1]], axis=1),)) <= training


@pytest.mark.slow
def test_recurrent_matrices_start_small_or_orthogonal():
    pytest.importorskip("torch")
    readers = sequential_digits.Readers(sequential_digits.READ["row by row"])
    for start in (SMALL, ORTHOGONAL):
        net = readers.net(DIGITS.quick, (GRU, start), [0])
        params = readers.params(DIGITS.quick, (GRU, start), net, [0])
        for name in ("W", "Wu", "Wr"):
            (matrix,) = params[f"layers.0.{name}"]
            product = matrix @ matrix.T
            assert np.allclose(product, np.eye(len(matrix)), atol=1e-5) == (start == ORTHOGONAL)
