"""A quick run of every experiment still sees what its stored result says."""

import pytest

from rnn_helpers.experiments import experiments, load

ALL = experiments()
EVERY = [pytest.param(slug, marks=pytest.mark.chapter(ALL[slug].chapter)) for slug in ALL]


@pytest.mark.parametrize("slug", EVERY)
def test_the_quick_run_agrees_with_the_stored_one(slug):
    quick, stored = ALL[slug].run(quick=True).headline, load(slug).headline
    assert quick.unit == stored.unit
    assert quick.overlaps(stored), (quick, stored)
