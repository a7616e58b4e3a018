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
