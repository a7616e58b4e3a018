"""Every stored result belongs to its code, and the ledger lists it."""

import subprocess
import sys

import pytest

from rnn_helpers.experiments import experiments, ledger, load, registry

ALL = experiments()


@pytest.mark.parametrize("slug", ALL)
def test_the_stored_result_belongs_to_the_code(slug):
    stored = load(slug)
    hint = f"run `python -m rnn_helpers.experiments run {slug}`"
    assert stored.hash == ALL[slug].fingerprint, hint
    assert (stored.claim, stored.source) == (ALL[slug].claim, ALL[slug].source), hint


def test_every_stored_result_has_an_experiment():
    assert {path.stem for path in registry.RESULTS.glob("*.json")} == set(ALL)


def test_the_ledger_lists_every_experiment():
    assert [row["slug"] for row in ledger()] == list(ALL)
    assert all(all(row.values()) for row in ledger())


def test_results_are_read_without_torch():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from rnn_helpers import checks, experiments\n"
        "print(len(experiments.ledger()), len(checks.exercises()) > 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(len(ALL)), "True"]
