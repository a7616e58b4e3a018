"""Every picture of a stored result can be read, and is told to who does not see it."""

import pytest

from rnn_helpers.experiments import experiments, load

ALL = experiments()
PICTURES = [
    pytest.param(slug, which, marks=pytest.mark.chapter(experiment.chapter), id=f"{slug}-{which}")
    for slug, experiment in ALL.items()
    for which in experiment.pictures
]


def test_every_claim_has_a_picture():
    assert [slug for slug, experiment in ALL.items() if not experiment.pictures] == []


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "which"), PICTURES)
def test_a_picture_has_words_that_are_large_enough_and_words_for_who_does_not_see_it(slug, which):
    plot = load(slug).plot(which)
    plot.figure.draw_without_rendering()  # the words at its ticks are made now
    assert plot.smallest >= 11
    assert len(plot.alt) > 60, f"what says this to who does not see the picture? {plot.alt!r}"
