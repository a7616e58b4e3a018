"""Words that say nothing are left out."""

import re

import pytest
from books import NOTEBOOKS, PAGES, words

FILLERS = re.compile(
    r"\b(?:simply|obviously|easily|clearly|trivial(?:ly)?|crucial(?:ly)?|delves?|delving|"
    r"let(?:'|\u2019)s dive|in this chapter,? we|it is worth noting|needless to say|of course|"
    r"just (?:a|an|one|use|call|write|add|take|by|do|need|apply|run|want))\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("path", [*NOTEBOOKS, *PAGES], ids=lambda path: path.stem)
def test_no_filler(path):
    assert FILLERS.findall(words(path)) == []
