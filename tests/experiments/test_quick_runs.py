"""A quick run of every experiment still sees what its stored result says."""

import pytest

from rnn_helpers.experiments import experiments, load

ALL = experiments()
BY_THE_CLOCK = {"forced-batch"}  # whose number is the processor's, and that of who else is busy
EVERY = [
    pytest.param(slug, marks=pytest.mark.chapter(ALL[slug].chapter))
    for slug in ALL
    if slug not in BY_THE_CLOCK
]


@pytest.mark.parametrize("slug", EVERY)
def test_the_quick_run_agrees_with_the_stored_one(slug):
    quick, stored = ALL[slug].run(quick=True).headline, load(slug).headline
    assert quick.unit == stored.unit
    assert quick.overlaps(stored), (quick, stored)


@pytest.mark.chapter("06")
def test_steps_that_do_not_hear_one_another_come_apart_however_long_it_takes():
    for row in ALL["forced-batch"].run(quick=True).rows:
        assert row["difference"] < 1e-9 < 0.01 < row["others"]
        assert all(len(seconds) == len(row["lengths"]) for seconds in row["seconds"].values())
