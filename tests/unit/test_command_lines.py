"""Commands answer a wrong name in plain words, and fail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for path in (ROOT / "rnn_helpers").rglob("*.py")
    if '__name__ == "__main__"' in path.read_text("utf-8")
)
# Within `make`, another one would report each folder that it enters.
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
BEFORE = {"rnn_helpers.experiments": ["run"]}  # the name of a subcommand
NAMED = ["rnn_helpers.experiments", "rnn_helpers.explore.trained", "rnn_helpers.site.slides"]


def refused(*command):
    """Return what a command that must fail prints, line by line."""
    done = subprocess.run(
        command, cwd=ROOT, env=OUTSIDE, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert done.stdout == ""
    return done.stderr.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_a_wrong_name_is_refused_without_a_traceback(module):
    told = refused(sys.executable, "-m", module, *BEFORE.get(module, []), "no-such-name")
    assert "no-such-name" in told[-1]
    if module in NAMED:
        assert len(told) == 1
    else:  # takes no names: argparse says how it is called
        assert told[0].startswith(f"usage: python -m {module}")


@pytest.mark.slow
@pytest.mark.parametrize("chapter", ["1", "001", "1%", "*", "01 02", "99"])
def test_make_takes_a_whole_chapter_number_alone(chapter):
    told = refused("make", "-n", f"CHAPTER={chapter}", "lint")
    assert f"CHAPTER={chapter} is no chapter; there are 01 02 " in told[-1]


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["publish", "classroom"])
def test_a_mistyped_wish_for_no_solutions_publishes_none(goal):
    assert "SOLUTIONS=No: expected yes or no" in refused("make", "-n", "SOLUTIONS=No", goal)[-1]


@pytest.mark.slow
def test_publishing_needs_an_address_before_it_builds_anything():
    told = refused("make", "-o", ".venv/.ready", "publish", "BASEURL=nowhere")
    assert "the site's address is 'nowhere'; expected https://" in told[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("", ""),
        ("SOLUTIONS=yes", ""),
        ("SOLUTIONS=no", " --no-solutions"),
    ],
)
def test_a_site_is_published_with_solutions_unless_somebody_says_no(given, options):
    command = ["make", "-n", "-o", ".venv/.ready", "publish", "BASEURL=https://a.org", given]
    command = list(filter(None, command))
    done = subprocess.run(command, cwd=ROOT, env=OUTSIDE, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1].strip() == (
        f'.venv/bin/python -m rnn_helpers.site.publish --baseurl "https://a.org"{options}'
    )


@pytest.mark.slow
def test_make_runs_the_notebook_of_one_chapter():
    command = ["make", "-n", "-o", ".venv/.ready", "CHAPTER=01", "units"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [word for word in done.stdout.split() if word.endswith(".ipynb")] == [
        "book/01_state.ipynb"
    ]
