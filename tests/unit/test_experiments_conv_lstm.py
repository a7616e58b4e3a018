"""What the experiment on films measures, and that each verdict can come out."""

import numpy as np
import pytest

from rnn_helpers.experiments import conv_lstm

pytestmark = pytest.mark.chapter("16")


def films(seeds=5, **changed):
    """Rows of networks with these errors (free, trained, new), a little more from seed to seed."""
    errors = {
        conv_lstm.CONV: (0.2, 0.15, 0.15),
        conv_lstm.SAME: (0.6, 0.8, 2.0),
        conv_lstm.LARGE: (0.3, 0.2, 1.5),
        conv_lstm.LONGER: (0.25, 0.1, 1.6),
    }
    return [
        {"network": name, "parameters": 9, "seed": s}
        | {k: e * 1.001**s for k, e in zip(("free", "trained", "new"), three, strict=True)}
        for name, three in (errors | {getattr(conv_lstm, k): v for k, v in changed.items()}).items()
        for s in range(seeds)
    ]


def test_convolutions_must_win_at_their_size_and_do_as_well_in_new_places():
    holds = conv_lstm.summarise(films())
    assert holds.verdict == "holds"
    assert holds.value == pytest.approx(1)
    assert "in those and in 6 to 9: convolutional 0.15 (0.15 to 0.15) and 0.15" in holds.text
    longer = conv_lstm.summarise(films(LONGER=(0.1, 0.1, 1.6))).verdict
    assert longer.startswith("holds if parameters are dear or places are new")
    for worse in ((0.7, 0.15, 0.15), (0.2, 0.15, 0.2), (0.2, 1.2, 1.2)):
        assert conv_lstm.summarise(films(CONV=worse)).verdict == "does not hold"


def test_networks_that_are_compared_at_one_size_have_it():
    pytest.importorskip("torch")
    sizes = {name: conv_lstm._size(name) for name in conv_lstm.NETWORKS}
    assert sizes[conv_lstm.SAME] == pytest.approx(sizes[conv_lstm.CONV], rel=0.1)
    assert sizes[conv_lstm.LARGE] > 30 * sizes[conv_lstm.CONV]


def test_a_network_that_has_learned_nothing_is_as_bad_as_a_blank_frame():
    pytest.importorskip("torch")
    config = {"length": 4, "batch_size": 2, "films": 50, "steps": 1}
    (error,) = conv_lstm._errors(
        conv_lstm.CONV, conv_lstm.FREE, [conv_lstm.FREE], 1e-9, config, [0]
    )
    _, y, _ = next(conv_lstm.FREE.batches(4, 50, 0, held_out=True))
    blank = (y**2).mean() / conv_lstm.FREE.baseline(held_out=True)
    assert error[0] > 0.5 * blank


def test_the_learning_rate_is_chosen_on_other_seeds(monkeypatch):
    asked = []

    def errors(name, task, tests, eta, config, seeds, held_out=True):
        asked.append((eta, list(seeds), held_out))
        return np.full((len(tests), len(seeds)), abs(eta - 0.01) + 0.1)

    monkeypatch.setattr(conv_lstm, "_errors", errors)
    monkeypatch.setattr(conv_lstm, "_size", lambda name: 9)
    config = {"grid": {"seeds": 2, "etas": [0.003, 0.01, 0.03]}}
    rows = conv_lstm._rows(conv_lstm.CONV, config, [0, 1])
    assert asked[:3] == [(eta, [1000, 1001], False) for eta in (0.003, 0.01, 0.03)]
    assert asked[3:] == [(0.01, [0, 1], True)] * 2
    assert [len(row["columns"]) for row in rows] == [9, 9]
