"""Networks that give sequences a probability, side by side."""

import numpy as np
import pytest

from rnn_helpers.experiments import sequences
from rnn_helpers.reference import init_rnn, log_joint
from rnn_helpers.tasks import NoisyParity

pytestmark = pytest.mark.chapter("07")
PARAMS = init_rnn(2, 5, 2, seed=[0, 1], scale=2.0)
Y = np.random.default_rng(0).integers(2, size=(7, 2, 3))


def of_seed(s):
    return {name: array[s] for name, array in PARAMS.items()}


def all_seeds(y):
    return sequences.log_probabilities(PARAMS, y).sum(axis=0)


def test_networks_side_by_side_have_the_losses_of_each_alone():
    together = all_seeds(Y)
    for s in (0, 1):
        np.testing.assert_allclose(together[s], log_joint(of_seed(s), Y[:, s]), rtol=1e-5)


def test_the_additional_number_follows_the_previous_symbol():
    x = sequences.inputs_of(Y, 2, np.linspace(0, 1, 7))
    np.testing.assert_array_equal(x[0, ..., :2], 0)
    np.testing.assert_array_equal(x[1:, ..., :2].argmax(axis=-1), Y[:-1])
    np.testing.assert_allclose(x[:, 1, 2, 2], np.linspace(0, 1, 7), rtol=1e-6)


def test_the_parameters_with_the_lowest_held_out_loss_are_kept():
    source = NoisyParity(1, 0.2)
    y = next(source.batches(5, 20, [0, 1]))
    config = {"n_h": 3, "steps": 40, "every": 5, "batch_size": 8}
    made = sequences.from_examples(y, [0.3, 0.3], [0, 1], config)
    held = y[:, :, :4]
    kept = -sequences.log_probabilities(made, held).sum(axis=0).mean(axis=-1)
    end = sequences.from_examples(y, [0.3, 0.3], [0, 1], config | {"every": 40})
    assert (kept <= -sequences.log_probabilities(end, held).sum(axis=0).mean(axis=-1)).all()
