"""Words that say nothing are left out, and standard terms are used."""

import json
import re

import pytest
from books import BOOK, NOTEBOOKS, PAGES, ROOT, words

from rnn_helpers.explore import manifest

FILLERS = re.compile(
    r"\b(?:simply|obviously|easily|clearly|trivial(?:ly)?|crucial(?:ly)?|delves?|delving|"
    r"let(?:'|\u2019)s dive|in this chapter,? we|it is worth noting|needless to say|of course|"
    r"just (?:a|an|one|use|call|write|add|take|by|do|need|apply|run|want))\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES], ids=lambda path: path.stem)
def test_no_filler(path):
    assert FILLERS.findall(words(path)) == []


OURS = re.compile(
    r"\b(?:complaints?|lamps?|bets?|said aloud|dear|believes it|(?:an?|the|no|any) bends?)\b",
    re.IGNORECASE,
)  # for gradient, unit, prediction, output, expensive, nonlinearity
DECKS = sorted((BOOK / "slides").glob("*.md"))


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES, *DECKS], ids=lambda path: path.name)
def test_standard_terms_lead(path):
    assert OURS.findall(words(path)) == []


def test_standard_terms_lead_in_figures_and_claims():
    figures = json.dumps(manifest(), ensure_ascii=False)
    claims = (ROOT / "rnn_helpers/experiments/claims").rglob("*.py")
    assert OURS.findall(figures) == []
    assert [path.name for path in claims if OURS.search(path.read_text("utf-8"))] == []


# Every scale for values above and below zero is red above and blue below.
SWAPPED = re.compile(
    r"\bblue\W{1,2}(?:above|plus|positive)|\bred\W{1,2}(?:below|minus|negative)", re.IGNORECASE
)


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES, *DECKS], ids=lambda path: path.name)
def test_pages_name_the_colors_of_signs_as_they_are(path):
    assert SWAPPED.findall(words(path)) == []


def test_figures_and_plots_take_the_colors_of_signs_from_one_place():
    figures = [
        path for kind in ("js", "css") for path in (ROOT / "explorables/figures").rglob(f"*.{kind}")
    ]
    package = [
        path
        for path in (ROOT / "rnn_helpers").rglob("*.py")
        if path.parts[-2:] != ("plots", "plot.py")
    ]
    own = re.compile(r"signed-\d|Colormap\b|cmap=[\"']|colormaps|TwoSlopeNorm|CenteredNorm")
    for path in figures + package:
        text = path.read_text("utf-8")
        assert not own.search(text), path
        assert not SWAPPED.search(text), path
