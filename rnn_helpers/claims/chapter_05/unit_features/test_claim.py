"""Units that follow what nobody told them: what is measured, and each verdict can come out."""

import numpy as np
import pytest
from verdicts import about

from rnn_helpers.claims.chapter_05 import unit_features as units
from rnn_helpers.experiments import find
from rnn_helpers.experiments.data import named
from rnn_helpers.experiments.store import run
from rnn_helpers.tasks import FEATURES, characters

CASES = {
    "holds": {"least": about(0.8), "share": about(0.9)},
    "holds in part": {"least": about(0.2), "share": about(0.9)},
    "does not hold": {"least": about(0.1), "share": about(0.2)},
    "undecided": {"least": about(0.2), "share": about(0.5)},
}


def test_the_best_unit_is_chosen_on_one_half_and_measured_on_the_other():
    rng = np.random.default_rng(0)
    feature = rng.integers(0, 2, 4000).astype(float)
    h = rng.normal(0, 0.1, (4000, 3))
    h[:2000, 0] += feature[:2000]  # follows on the first half, and no longer
    assert units.follow(h, feature) < 0.1
    h[:, 1] -= 2 * feature
    assert units.follow(h, feature) > 0.98


def follows(network, **features):
    """Rows of twelve networks, with correlations after and before training by feature."""
    told = dict.fromkeys(FEATURES, (0.5, 0.5)) | features
    return [
        {"network": network, "feature": name, "seed": seed, "after": after + 0.01 * (seed % 3)}
        | {"before": before, "moved": 0.01, "bits": 2.5, "eta": 0.1, "at_edge": False}
        for name, (after, before) in told.items()
        for seed in range(12)
    ]


LEARNED, KNOWN, WEAK = (0.6, 0.3), (0.6, 0.55), (0.4, 0.1)


@pytest.mark.parametrize("learned", ["brackets", "line"])
def test_one_of_two_features_is_to_be_learned(learned):
    sum_up = find("unit-features").sum_up
    ours = follows("LSTM 9", **{"brackets": WEAK, "line": WEAK, learned: LEARNED})
    said = "LSTMs with 9 units"
    assert sum_up(ours).verdict.startswith("Holds. Most networks of every kind")
    others = follows("RNN 9", brackets=WEAK, line=KNOWN)
    assert sum_up(others + ours).verdict.startswith(
        f"Holds in part, if the networks are {said}. 12 of 12"
    )
    assert sum_up(ours + others).verdict.startswith("Does not hold. Only 0 of 12 RNNs")


def test_a_unit_that_follows_before_training_has_not_been_learned():
    said = find("unit-features").sum_up(follows("LSTM 9", brackets=KNOWN, line=(0.6, 0.6)))
    assert said.verdict.startswith("Does not hold.")
    assert said.finding.startswith("In most LSTMs with 9 units, no single unit")


def test_networks_are_drawn_before_and_after_they_learned():
    rows = follows("LSTM 9", brackets=(0.6, 0.2), line=(0.5, 0.1))
    picture = units.plot(rows)
    assert "LSTM 9, in brackets: 0.61, before 0.2" in picture.alt
    assert "LSTM 9, position in the line: 0.51" in picture.alt
    points = [line for line in picture.figure.axes[0].lines if len(line.get_xdata()) == 12]
    assert len(points) == len(FEATURES)


def test_networks_that_learn_a_unit_are_counted():
    rows = follows("RNN 9", brackets=WEAK) + follows("LSTM 9", brackets=LEARNED, line=KNOWN)
    largest = {name: row["count"] for name, row in named(units.data_largest(rows).rows)}
    assert largest["in brackets"] == (12, 12)
    assert largest["position in the line"] == (0, 12)
    kinds = {name: row["count"] for name, row in named(units.data_kinds(rows).rows)}
    assert kinds["in brackets: RNN 9"] == (0, 12)
    assert kinds["in brackets: LSTM 9"] == (12, 12)


@pytest.mark.slow
def test_weights_are_those_before_and_after_learning():
    pytest.importorskip("torch")
    experiment = find("unit-features")
    rows = run(experiment, quick=True).rows
    cells = {(row["network"], row["feature"], row["seed"]) for row in rows}
    assert len(cells) == len(rows) == 2 * len(FEATURES) * 2
    assert max(row["moved"] for row in rows) < 0.3
    assert all(0 <= row[when] <= 1 for row in rows for when in ("after", "before"))
    assert any(row["after"] != row["before"] for row in rows)


@pytest.mark.slow
def test_the_rate_is_chosen_on_another_part_of_the_text():
    choice, result = units.Units().corpora({"held_out": 3000}, ("RNN 8",))
    whole = characters("code")
    np.testing.assert_array_equal(choice.held_out, whole.held_out[-3000:])
    np.testing.assert_array_equal(result.held_out, whole.held_out[:3000])
    assert choice.train is result.train
