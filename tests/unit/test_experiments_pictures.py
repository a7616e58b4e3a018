"""Every claim shows its result, as data that the figure accepts or as a picture."""

import pytest

from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.data import sentence
from rnn_helpers.experiments.show import figure
from rnn_helpers.explore import markup

ALL = experiments()


def each(kind):
    return [
        pytest.param(slug, which, marks=pytest.mark.chapter(entry.chapter), id=f"{slug}-{which}")
        for slug, entry in ALL.items()
        for which in getattr(entry, kind)
    ]


def test_every_claim_shows_its_result():
    assert [slug for slug, entry in ALL.items() if not entry.shown] == []


def test_only_four_results_are_pictures():
    assert sum(len(entry.pictures) for entry in ALL.values()) <= 4


@pytest.mark.parametrize(("slug", "which"), each("data"))
def test_a_claims_data_makes_a_figure(slug, which):
    data = load(slug).data(which)
    payload = figure(data)
    assert "<figure" in markup(payload)
    assert data.question in payload["alt"]
    for part in data.parts:
        for name, point in part["points"]:
            assert "None" not in sentence(name, point, part)


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "which"), each("pictures"))
def test_a_picture_has_large_letters_and_an_alternative_text(slug, which):
    plot = load(slug).plot(which)
    plot.figure.draw_without_rendering()  # the words at its ticks are made now
    assert plot.smallest >= 11
    assert len(plot.alt) > 60, f"what says this to who does not see the picture? {plot.alt!r}"
