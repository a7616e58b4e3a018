"""What all tests share: ``--chapter NN``, who runs which, how many random examples are tried, what
each chapter's tests cost, and nbval's counts.
"""

import gc
import re
import sys
from collections import Counter
from itertools import accumulate

import pytest
from hypothesis import settings

# With it jsonschema, which nbformat imports, would take two seconds to learn a grammar of
# addresses, and no notebook has one to check.
sys.modules.setdefault("rfc3987_syntax", None)

# Random examples are the same in every run. `make test` tries more of them than `make check`.
settings.register_profile("check", max_examples=10, deadline=None, derandomize=True)
settings.register_profile("test", settings.get_profile("check"), max_examples=60)
settings.load_profile("check")

# In a test's id: book/02_unfolding.ipynb::Cell 3, test_pages.py::test_axe[02_unfolding-dark]
CHAPTER = re.compile(r"(?<![0-9A-Za-z])(\d\d)_[a-z]")
SECONDS, TESTS = Counter(), Counter()


def pytest_addoption(parser):
    """Add ``--chapter`` and ``--part``."""
    parser.addoption(
        "--chapter", metavar="NN", default="", help="only the tests that belong to this chapter"
    )
    parser.addoption(
        "--part", metavar="K/N", default="", help="every Nth file of tests, from the Kth"
    )


def pytest_configure(config):
    """Begin to count the files that are dealt out."""
    config.dealt = {}


def pytest_ignore_collect(collection_path, config):
    """Leave the other files to the other parts."""
    part, _, parts = config.getoption("part").partition("/")
    if not parts or not collection_path.name.startswith("test_"):
        return None
    place = config.dealt.setdefault(collection_path, len(config.dealt))
    return place % int(parts) != int(part) - 1 or None


def pytest_collection_finish(session):
    """Spare the collector of garbage what stays to the end anyway."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session, exitstatus):
    """A part without a test of the chapter that is wanted has not failed."""
    if session.config.getoption("part") and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK


def chapter_of(item):
    """Two digits, from the marker or from the test's id; empty for what all chapters share."""
    marker = item.get_closest_marker("chapter")
    if marker:
        return marker.args[0]
    found = CHAPTER.search(item.nodeid)
    return found[1] if found else ""


def pytest_collection_modifyitems(config, items):
    """Note each test's chapter, and leave out those of other chapters."""
    wanted = config.getoption("chapter")
    others = []
    for item in items:
        chapter = chapter_of(item)
        item.user_properties.append(("chapter", chapter))
        if wanted and chapter != wanted:
            others.append(item)
        # nbstripout keeps the outputs that nbval compares, and clears the count nbval asks for.
        cell = getattr(item, "cell", None)
        if cell is not None and cell.get("outputs") and cell.get("execution_count") is None:
            cell.execution_count = 0
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in set(others)]
    if config.getoption("loadgroup", False):
        items[:] = dealt_out(items)


def dealt_out(items):
    """What waits for a browser's frames and what computes, in turns, so that no core has to wait.

    A worker takes a whole group; of either kind the largest come first. Groups that wait take about
    as long as they have tests; of those that compute all but one have a single test.
    """
    groups = {}
    for item in items:
        mark = item.get_closest_marker("xdist_group")
        groups.setdefault(mark.args[0] if mark else item.nodeid, []).append(item)
    turns = []
    for waits in (False, True):
        kind = [g for g in groups.values() if ("browser" in g[0].path.parts) == waits]
        kind.sort(key=lambda group: (-len(group), chapter_of(group[0])))
        before = [0, *accumulate(len(group) if waits else 1 for group in kind)]
        turns += [(done / before[-1], group) for done, group in zip(before, kind, strict=False)]
    turns.sort(key=lambda turn: turn[0])
    return [item for _, group in turns for item in group]


def pytest_runtest_logreport(report):
    """Add up what each chapter costs."""
    chapter = dict(report.user_properties).get("chapter")
    if chapter is not None:
        SECONDS[chapter] += report.duration
        TESTS[chapter] += report.when == "call"


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    """Print what each chapter costs."""
    if not any(SECONDS):
        return
    terminalreporter.section("cost per chapter")
    for chapter in sorted(SECONDS):
        name = chapter or "all"
        terminalreporter.write_line(
            f"{name:>4} {SECONDS[chapter]:7.1f} s {TESTS[chapter]:5d} tests"
        )
