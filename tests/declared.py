"""What the chapters' tests declare about their exercises, for the tests of all exercises.

Each table maps an exercise to

- ``TYPICAL``: the likeliest mistakes, each under the name of the wrong answer that it is, and
  written from scratch, not with the code of that answer;
- ``HINTED``: pairs of another wrong answer and words from the first line of its message;
- ``LIMITS``: how far off a number passes and is refused, or a function that returns a `Line`;
- ``BORROWED``: a function of the book that computes the answer;
- ``EQUIVALENT``: the mutants of the solution that pass because they are right answers too.
"""

from importlib import import_module
from pathlib import Path

import pytest

from rnn_helpers import exercises

FILES = sorted(Path(exercises.__file__).parent.glob("test_*.py"))
MODULES = [import_module(f"{exercises.__name__}.{path.stem}") for path in FILES]


def declared(table):
    """Return the entries of a table of all chapters."""
    tables = [getattr(module, table, {}) for module in MODULES]
    return {name: entry for one in tables for name, entry in one.items()}


def of_chapters(rows):
    """Mark each row with the chapter of its exercise, which is the first entry of the row."""
    return [pytest.param(*row, marks=pytest.mark.chapter(row[0][:2])) for row in rows]


def each(names):
    """Return a decorator that runs a test for each of the exercises."""
    return pytest.mark.parametrize("name", of_chapters((name,) for name in names))
