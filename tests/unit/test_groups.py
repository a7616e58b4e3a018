"""Tests that share what is slow to open are run by one worker."""

import re
import subprocess
import sys

import pytest

TESTS = """import pytest

@pytest.mark.parametrize("group", [
    pytest.param(k % 2, marks=pytest.mark.xdist_group(f"group-{k % 2}")) for k in range(12)
])
def test_grouped(group):
    pass
"""


@pytest.mark.slow
def test_a_group_of_tests_stays_with_one_worker(tmp_path):
    """With pytest 9.2, pytest-xdist 3.8 deals them out one by one, and says nothing."""
    (tmp_path / "test_grouped.py").write_text(TESTS, "utf-8")
    options = ["-p", "xdist", "-n", "2", "--dist", "loadgroup", "-v"]
    command = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    ran = re.findall(r"\[(gw\d)\].*@(group-\d)", done.stdout)
    assert len(ran) == 12
    assert len(set(ran)) == 2
