"""Options of all tests: ``--chapter``, ``--part``, ``--nightly``; the number of random examples."""

import re
from functools import cache

import pytest
from hypothesis import settings

from tests.affected import changes, names

# Random examples are the same in every run. The nightly run tries more of them.
settings.register_profile("day", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("night", settings.get_profile("day"), max_examples=60)
settings.load_profile("day")

# In a test's id: book/02_unfolding.ipynb::Cell 3, test_pages.py::test_axe[02_unfolding-dark],
# claims/chapter_02/cubes/test_claim.py, exercises/test_chapter_02.py::test_cup
CHAPTER = re.compile(r"(?<![0-9A-Za-z])(\d\d)(?:[_/][a-z]|\.py::)")


def pytest_addoption(parser):
    """Add ``--chapter``, ``--part`` and ``--nightly``."""
    parser.addoption(
        "--chapter", metavar="NN", default="", help="only the tests that belong to this chapter"
    )
    parser.addoption(
        "--part", metavar="K/N", default="", help="every Nth file of tests, from the Kth"
    )
    parser.addoption("--nightly", action="store_true", help="also run the tests marked nightly")


def pytest_configure(config):
    """Start to number the files, for ``--part``."""
    config.numbered = {}


def pytest_ignore_collect(collection_path, config):
    """Ignore the files of other parts."""
    part, _, parts = config.getoption("part").partition("/")
    if not parts or not collection_path.name.startswith("test_"):
        return None
    place = config.numbered.setdefault(collection_path, len(config.numbered))
    return place % int(parts) != int(part) - 1 or None


def pytest_sessionfinish(session, exitstatus):
    """Accept a part that has no test of the wanted chapter."""
    if session.config.getoption("part") and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK


def chapter_of(item):
    """Return the two digits of a test's chapter; empty for tests of the whole book."""
    marker = item.get_closest_marker("chapter")
    if marker:
        return marker.args[0]
    found = CHAPTER.search(item.nodeid)
    return found[1] if found else ""


@cache
def changed():
    """Return the changed files, and a pattern for the names of the things that they change."""
    files = changes() or set()
    return files, re.compile("|".join(rf"(?<![a-z0-9_]){name}" for name in names(files)) or "(?!)")


def is_nightly(item):
    """Return whether a test has the mark, is no sample, and doesn't test what has changed."""
    mark = item.get_closest_marker("nightly")
    if mark is None:
        return False
    file, parameters = item.nodeid.partition("::")[0], item.name.partition("[")[2]
    files, things = changed()
    return not (
        any(word in parameters for word in mark.args)
        or any(path.startswith((file, *mark.kwargs.get("files", []))) for path in files)
        or things.search(item.nodeid)
    )


def pytest_collection_modifyitems(config, items):
    """Leave out the tests of other chapters or, if no chapter is given, the nightly ones."""
    for item in items:
        # The build, which runs beside them, executes the same notebooks, and fails if a cell does.
        if item.path.suffix == ".ipynb" and not item.path.name.startswith(("02_", "03_")):
            item.add_marker(pytest.mark.nightly)
    wanted = config.getoption("chapter")
    if wanted:
        others = [item for item in items if chapter_of(item) != wanted]
    else:
        others = [item for item in items if not config.getoption("nightly") and is_nightly(item)]
    for item in items:
        # nbstripout keeps the outputs that nbval compares, and clears the count nbval asks for.
        cell = getattr(item, "cell", None)
        if cell is not None and cell.get("outputs") and cell.get("execution_count") is None:
            cell.execution_count = 0
    if others:
        config.hook.pytest_deselected(items=others)
        left_out = set(others)
        items[:] = [item for item in items if item not in left_out]
