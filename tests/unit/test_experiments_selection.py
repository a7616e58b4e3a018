"""How an experiment chose its settings is read from its code."""

import pytest

from rnn_helpers.experiments import counting, experiments
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.lengths import Lengths
from rnn_helpers.experiments.selection import FIXED, PROTOCOL, selection
from rnn_helpers.tasks import characters


@pytest.mark.parametrize(
    ("code", "way"),
    [
        (Contest, PROTOCOL),
        (Lengths, PROTOCOL),
        (counting.Counting, PROTOCOL),
        (characters, FIXED),
    ],
)
def test_the_selection_of_settings_is_read_from_the_code(code, way):
    assert selection(code) == way


@pytest.mark.parametrize("slug", experiments())
def test_an_experiment_chooses_if_it_sets_seeds_aside_for_a_choice(slug):
    entry = experiments()[slug]
    assert (selection(entry.function) != FIXED) == bool({"choosing", "grid"} & entry.full.keys())
