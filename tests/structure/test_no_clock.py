"""Tests wait for states, so that a busy machine only takes longer."""

import ast
import re

import pytest
from books import ROOT

# Each of these is allowed to look at a clock or to wait, for a reason.
ALLOWED = {
    "tests/structure/test_no_clock.py": "has examples of waits",
    "tests/browser/drivers.py": "asks again until a browser answers",
    "tests/browser/test_jupyterlab.py": "asks again until the server has started",
    "tests/handouts/test_hub.py": "asks again until a hub answers, and prints a time",
    "tests/unit/test_checks_guard.py": "tests the limit of computing time, without waits",
}
CLOCKS = {"perf_counter", "monotonic", "process_time", "thread_time", "time", "time_ns"}
SUSPECT = re.compile(r"\btime\.|timeout|deadline|setTimeout|setInterval|\.now\(")
WAITS = re.compile(r"wait_for_timeout|setTimeout\(|setInterval\(|performance\.now|Date\.now")
LONG = 120  # seconds that a test waits at least before it gives up


def called(tree):
    """Yield the calls of functions of the module `time`, by their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "time":
                yield node.func.attr, node


def is_none(node):
    """Return whether an expression is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None


def faults(source):
    """List the places in a test's source that depend on how fast the machine is."""
    if not SUSPECT.search(source):
        return []
    tree = ast.parse(source)
    looped = {
        inner
        for loop in ast.walk(tree)
        if isinstance(loop, ast.For | ast.While)
        for inner in ast.walk(loop)
    }
    found = [f"waits: {line.strip()}" for line in source.splitlines() if WAITS.search(line)]
    for name, node in called(tree):
        if name in CLOCKS:
            found.append(f"reads a clock: {ast.unparse(node)}")
        if name == "sleep" and node not in looped:
            found.append(f"sleeps: {ast.unparse(node)}")
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "timeout":
            given = getattr(node.value, "value", None)
            if isinstance(given, int | float) and given < LONG:
                found.append(f"gives up early: {ast.unparse(node)}")
        if isinstance(node, ast.keyword) and node.arg == "deadline" and not is_none(node.value):
            found.append(f"gives up early: {ast.unparse(node)}")
    return found


@pytest.mark.slow
def test_no_test_depends_on_time():
    found = {}
    for path in [*(ROOT / "tests").rglob("*.py"), *(ROOT / "rnn_helpers").rglob("test_*.py")]:
        name = path.relative_to(ROOT).as_posix()
        if name not in ALLOWED and (here := faults(path.read_text("utf-8"))):
            found[name] = here
    assert found == {}


def test_every_exception_is_needed():
    for name in ALLOWED:
        assert faults((ROOT / name).read_text("utf-8")), name


@pytest.mark.parametrize(
    "line",
    [
        "page.wait_for_timeout(100)",
        "page.evaluate('() => new Promise((go) => setTimeout(go, 60))')",
        "page.evaluate('() => performance.now()')",
        "time.sleep(1)",
        "assert time.perf_counter() - start < 1",
        "page.wait_for_function('() => done', timeout=2.0)",
        "process.wait(timeout=10)",
        "settings(deadline=200)",
    ],
)
def test_a_fixed_wait_is_noticed(line):
    assert len(faults(line)) == 1


def test_waiting_for_a_state_is_allowed():
    assert faults("while not path.exists():\n    time.sleep(0.01)") == []
    assert faults("page.wait_for_function('() => done')\nprocess.wait(timeout=600)") == []
