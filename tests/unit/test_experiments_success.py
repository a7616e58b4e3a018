"""Tests of networks that are trained side by side, and of their counts."""

import copy

import numpy as np
import pytest
from refusals import COUNT, NAME, POSITIVE, first

from rnn_helpers import explore
from rnn_helpers.experiments import Attempts, attempts, rate_interval, success
from rnn_helpers.experiments.success import start
from rnn_helpers.reference import INITIALISATIONS, spectral_radius
from rnn_helpers.tasks import Adding, Latch
from rnn_helpers.training import SGD, Adam


def test_two_kinds_of_networks_differ_only_in_their_recurrent_weights():
    (one, data), (other, same) = (start(Latch(), kind, [3, 4]) for kind in ("default", "identity"))
    for name in "UVbc":
        np.testing.assert_array_equal(one[name], other[name])
    assert (one["W"] != other["W"]).any()
    for a, b in zip(data, same, strict=True):
        np.testing.assert_array_equal(a.random(5), b.random(5))


def test_weights_have_the_given_radius_and_are_independent():
    params, _ = start(Latch(), "gaussian", range(5), radius=0.5)
    np.testing.assert_allclose(spectral_radius(params["W"]), 0.5, rtol=1e-5)
    for U, W in zip(params["U"], params["W"], strict=True):
        # the same random numbers would give parallel vectors
        cosine = U[:, 0] @ W[0] / np.linalg.norm(U) / np.linalg.norm(W[0])
        assert abs(cosine) < 0.95


@pytest.mark.slow
def test_networks_are_tested_during_training_and_learn_a_short_latch():
    told = list(
        attempts(Latch(), 3, seeds=[0, 1, 2], n_h=5, optimizer=Adam(0.03), steps=90, every=40)
    )
    assert [list(so_far.steps) for so_far in told] == [[40], [40, 80], [40, 80, 90]]
    last = told[-1]
    assert last.accuracy.shape == (3, 3)
    assert last.succeeded.all()
    assert last.params["W"].shape == (3, 5, 5)
    plot = last.plot()
    assert "3 of 3 networks" in plot.alt
    assert plot.png().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_lab_plots_attempts_at_every_setting():
    def learn(initialisation, T, eta):
        for so_far in attempts(
            Latch(), T, initialisation, seeds=[0, 1, 2], optimizer=SGD(eta), steps=6, every=3
        ):
            yield so_far.plot()

    lab = explore.lab(
        learn, button="train", initialisation=list(INITIALISATIONS), T=(1, 40, 5), eta=(0.01, 9.0)
    )
    for values in (lab.defaults, *lab.extremes()):
        plot = lab.at(**values)
        assert "of 3 networks" in plot.alt
        assert "nan" not in plot.alt
        for axes in plot.figure.axes:
            assert np.isfinite([axes.get_xlim(), axes.get_ylim()]).all()


def test_a_network_learns_the_same_alone_and_side_by_side():
    settings = {"n_h": 4, "steps": 20, "optimizer": Adam(0.01)}
    (together,) = attempts(Latch(), 4, "orthogonal", seeds=[5, 6], **settings)
    (alone,) = attempts(Latch(), 4, "orthogonal", seeds=[6], **settings)
    np.testing.assert_allclose(together.params["W"][1], alone.params["W"][0], rtol=1e-3, atol=1e-5)


def test_a_row_counts_successes_with_wilsons_interval():
    made = Attempts(np.array([1, 2]), np.array([[1.0, 1.0, 0.5, 0.5], [0.94, 0.96, 1.0, 0.5]]), {})
    assert made.succeeded.tolist() == [
        False,
        True,
        True,
        False,
    ]  # in the last test, not in the first
    row = made.row()
    assert (row["successes"], row["of"]) == (2, 4)
    assert (row["rate"], row["low"], row["high"]) == rate_interval(2, 4)
    np.testing.assert_array_equal(row["accuracy"], [0.94, 0.96, 1.0, 0.5])


@pytest.fixture
def asked(monkeypatch):
    """Record the minibatches that `attempts` draws (``drawn``) and tests with (``tests``)."""
    drawn, tests, batches = [], [], Latch.batches

    def noted(task, n_steps, batch_size, seed):
        drawn.append((batch_size, copy.deepcopy(seed)))
        return batches(task, n_steps, batch_size, seed)

    def accuracy(params, batch):
        tests.append(batch)
        return np.zeros(3)

    monkeypatch.setattr(Latch, "batches", noted)
    monkeypatch.setattr(success, "accuracy", accuracy)
    list(attempts(Latch(), 4, seeds=[0, 1, 2], n_h=2, batch_size=8, steps=2, every=1))
    return {"drawn": drawn, "tests": tests}


def test_every_test_uses_the_same_500_sequences(asked):
    first, *others = asked["tests"]
    assert len(others) == 1
    assert first[0].shape[1] == 500
    for x, y, mask in others:
        np.testing.assert_array_equal(x, first[0])
        np.testing.assert_array_equal(y, first[1])
        np.testing.assert_array_equal(mask, first[2])


def test_no_network_is_trained_on_the_test_sequences(asked):
    (_, of_test), (batch_size, of_training) = sorted(asked["drawn"], key=lambda each: -each[0])
    assert batch_size == 8
    shown = next(Latch().batches(4, 50, of_test))[0]
    learned = next(Latch().batches(4, 50, of_training))[0]
    assert learned.shape[1] == 3
    for network in range(3):
        assert (learned[:, network] != shown).mean() > 0.5


REFUSALS = {
    first(attempts): (
        {
            "task": Latch(),
            "n_steps": 3,
            "kind": "orthogonal",
            "radius": 1.0,
            "seeds": [0, 1],
            "n_h": 4,
            "batch_size": 2,
            "optimizer": SGD(0.1),
            "steps": 2,
            "every": 1,
        },
        {
            "task": [None, 3, "latch", Adding()],
            "n_steps": COUNT,
            "kind": NAME,
            "radius": [value for value in POSITIVE if value is not None],
            "seeds": [None, 3, [], [-1], [0.5], "a"],
            "n_h": COUNT,
            "batch_size": COUNT,
            "optimizer": [None, 3, "SGD", 0.1],
            "steps": COUNT,
            "every": [value for value in COUNT if value is not None],
        },
    )
}
