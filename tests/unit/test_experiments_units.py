"""Units that follow what nobody told them: what is measured, and each verdict can come out."""

import numpy as np
import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_05 import unit_features as units
from rnn_helpers.experiments.store import run
from rnn_helpers.experiments.words import Unforeseen
from rnn_helpers.tasks import FEATURES

pytestmark = pytest.mark.chapter("05")


def test_the_best_unit_is_chosen_on_one_half_and_measured_on_the_other():
    rng = np.random.default_rng(0)
    feature = rng.integers(0, 2, 4000).astype(float)
    h = rng.normal(0, 0.1, (4000, 3))
    h[:2000, 0] += feature[:2000]  # follows on the first half, and no longer
    r, _ = units.follow(h, feature)
    assert r < 0.1
    h[:, 1] -= 2 * feature
    r, explained = units.follow(h, feature)
    assert r > 0.98
    assert 0.9 < explained < 1


def test_a_readout_explains_what_no_single_unit_does():
    rng = np.random.default_rng(1)
    h = rng.uniform(-1, 1, (2000, 8))
    r, explained = units.follow(h, h.sum(axis=1))
    assert r < 0.6
    assert explained > 0.99


def test_a_unit_stuck_on_the_first_half_breaks_nothing():
    rng = np.random.default_rng(2)
    h = np.tanh(rng.normal(size=(2000, 3)))
    feature = h[:, 1].copy()
    h[:1000, 0] = 1 - 1e-9 * rng.random(1000)
    assert units.follow(h, feature)[1] > 0.95


def row(network, feature, after, before):
    each = [after - 0.02, after, after + 0.02]
    return {"network": network, "feature": feature, "each": each, "before": [before] * 3,
            "moved": [0.01] * 3, "bits": [2.5] * 3}  # fmt: skip


def followed(brackets, line):
    """Rows of a network, with correlations after and before it learned."""
    told = dict.fromkeys(FEATURES, (0.5, 0.5)) | {"brackets": brackets, "line": line}
    return [row("LSTM 9", name, *values) for name, values in told.items()]


def test_the_verdict_names_what_is_followed_and_was_not_before_learning():
    sum_up = find("unit-features").sum_up
    said = sum_up(followed((0.8, 0.3), (0.4, 0.3)))
    assert said.verdict == (
        "Holds if the networks are LSTMs with 9 units and the feature is being in brackets."
    )
    assert said.finding.endswith("from 0.30 before training to 0.80 after it.")
    both, before = ((0.8, 0.3), (0.7, 0.3)), ((0.8, 0.8), (0.4, 0.3))
    for other in (both, before):
        with pytest.raises(Unforeseen):
            sum_up(followed(*other))


def test_networks_are_drawn_before_and_after_they_learned():
    rows = followed((0.6, 0.2), (0.5, 0.1))
    picture = units.plot(rows)
    assert "LSTM 9, in brackets: 0.6, before 0.2" in picture.alt
    assert "LSTM 9, position in the line: 0.5" in picture.alt
    points = [line for line in picture.figure.axes[0].lines if len(line.get_xdata()) == 3]
    assert len(points) == len(rows)


@pytest.mark.slow
def test_weights_are_those_before_and_after_learning():
    pytest.importorskip("torch")
    experiment = find("unit-features")
    result = run(experiment, quick=True)
    cells = {(r["network"], r["feature"]): r for r in result.rows}
    assert len(cells) == 2 * len(FEATURES)
    for r in result.rows:
        assert len(r["each"]) == len(r["before"]) == len(r["moved"]) == 2
        assert max(r["moved"]) < 0.3
        assert all(0 <= value <= 1 for value in r["each"] + r["before"])
    assert any(r["each"] != r["before"] for r in result.rows)
