"""Commands answer a wrong name in plain words, and fail."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from rnn_helpers.experiments import experiments
from rnn_helpers.experiments.archived import archived_slugs

ROOT = Path(__file__).parents[2]
CODE = [*(ROOT / "rnn_helpers").rglob("*.py"), *(ROOT / "press").rglob("*.py")]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for path in CODE
    if '__name__ == "__main__"' in path.read_text("utf-8")
)
# Within `make`, another one would report each folder that it enters.
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
BEFORE = {"rnn_helpers.experiments": ["run"]}  # the name of a subcommand
NAMED = ["rnn_helpers.experiments", "rnn_helpers.figures", "press.slides"]


def refused(*command):
    """Return the lines that a failing command prints."""
    done = subprocess.run(
        command, cwd=ROOT, env=OUTSIDE, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 2
    assert done.stdout == ""
    return done.stderr.splitlines()


@pytest.mark.nightly("experiments", "press.slides", "press.new", files=["rnn_helpers/commands.py"])
@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_a_wrong_name_is_refused_without_a_traceback(module):
    told = refused(sys.executable, "-m", module, *BEFORE.get(module, []), "no-such-name")
    assert "no-such-name" in told[-1]
    if module in NAMED:
        assert len(told) == 1
    else:  # takes no names: argparse prints its usage
        assert told[0].startswith(f"usage: python -m {module}")


@pytest.mark.slow
@pytest.mark.parametrize("chapter", ["1", "001", "1%", "*", "01 02", "99"])
def test_make_takes_a_whole_chapter_number_alone(chapter):
    told = refused("make", "-n", f"CHAPTER={chapter}", "lint")
    assert f"CHAPTER={chapter} is no chapter; there are 01 02 " in told[-1]


@pytest.mark.slow
@pytest.mark.parametrize("given", ["No", "yes no", "yes yes", "yesno"])
@pytest.mark.parametrize("goal", ["publish", "classroom"])
def test_a_mistyped_wish_for_no_solutions_publishes_none(given, goal):
    told = refused("make", "-n", f"SOLUTIONS={given}", goal)
    assert f"SOLUTIONS={given}: expected yes or no" in told[-1]


@pytest.mark.slow
@pytest.mark.parametrize("given", ["a'b; c$$(echo d)", '* a"b`echo c`'])
def test_publishing_needs_an_address_before_it_builds_anything(given):
    told = refused("make", "-o", ".venv/.ready", "publish", f"BASEURL={given}")
    assert f"the site's address is {given!r}; expected https://" in told[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("", ""),
        ("SOLUTIONS=yes", ""),
        ("SOLUTIONS=no", " --no-solutions"),
    ],
)
def test_a_site_is_published_with_solutions_by_default(given, options):
    command = ["make", "-n", "-o", ".venv/.ready", "publish", "BASEURL=https://a.org", given]
    command = list(filter(None, command))
    done = subprocess.run(command, cwd=ROOT, env=OUTSIDE, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1].strip() == (
        f".venv/bin/python -m press.publish --baseurl 'https://a.org'{options}"
    )


@pytest.mark.slow
def test_make_runs_the_notebook_of_one_chapter():
    command = ["make", "-n", "-o", ".venv/.ready", "CHAPTER=01", "units"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [word for word in done.stdout.split() if word.endswith(".ipynb")] == [
        "book/01_state.ipynb"
    ]


def git(folder, *command):
    """Run git in a folder; return its status and everything that it prints."""
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", *who, *command], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def write_notebook(path, source):
    """Write a notebook with one cell and its output."""
    output = nbformat.v4.new_output("stream", text="printed")
    cell = nbformat.v4.new_code_cell(source, id="one", outputs=[output])
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)


@pytest.mark.nightly(files=["Makefile", ".gitattributes", "requirements.txt"])
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_git_strips_notebooks_in_a_folder_with_a_space_even_after_a_move(tmp_path):
    folder, moved = tmp_path / "My Drive/a copy", tmp_path / "moved here"
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    for name in ("Makefile", ".gitattributes"):
        shutil.copy(ROOT / name, folder)
    (folder / ".venv").symlink_to(sys.prefix)
    make = ["make", "-o", ".venv/.ready", "setup"]
    subprocess.run(make, cwd=folder, env=OUTSIDE, check=True, capture_output=True)

    def committed(place, source):
        write_notebook(place / "note.ipynb", source)
        assert git(place, "commit", "--quiet", "--message", source, "note.ipynb")[0] == 0
        return git(place, "show", "HEAD:note.ipynb")[1]

    write_notebook(folder / "note.ipynb", "1")
    assert git(folder, "add", "note.ipynb") == (0, "")
    assert "printed" not in committed(folder, "x = 1")
    folder.rename(moved)
    assert "printed" not in committed(moved, "x = 2")
    status, shown = git(moved, "diff", "HEAD~", "--", "note.ipynb")
    assert status == 0
    assert "nbdiff" in shown
    git(moved, "checkout", "--quiet", "-b", "other", "HEAD~")
    committed(moved, "x = 3")
    status, told = git(moved, "merge", "main")
    assert status == 1
    assert "CONFLICT" in told
    assert "not found" not in told

    (moved / ".venv").unlink()
    write_notebook(moved / "new.ipynb", "y")
    assert git(moved, "add", "new.ipynb")[0] != 0


FAILING = """
import errno, sys
from rnn_helpers.commands import run_program
def main():
    print("√ \\u2192", flush=True)
    raise {error}
run_program(main)
"""


def ran(script, **environment):
    """Run a script, and return its status, output and error output."""
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **environment}, capture_output=True
    )
    return done.returncode, done.stdout.strip(), done.stderr.decode("utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("code", ["ENOSPC", "EROFS", "EACCES"])
def test_a_disk_error_is_reported_in_one_line(code):
    script = FAILING.format(error=f"OSError(errno.{code}, 'no', 'dist/site')")
    status, _, told = ran(script)
    assert status == 1
    assert len(told) == 1
    assert told[0].startswith("error: ")
    assert told[0].endswith("no: 'dist/site'")


@pytest.mark.slow
def test_a_folder_that_cannot_be_copied_is_reported_with_its_first_file():
    script = FAILING.format(
        error="__import__('shutil').Error([('a', 'b', 'full'), ('c', 'd', 'e')])"
    )
    assert ran(script)[::2] == (1, ["error: full"])


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_a_letter_that_the_terminal_lacks_is_written_as_an_escape(encoding):
    script = FAILING.format(error="SystemExit(3)")
    expected = "√ →".encode(encoding, "backslashreplace")
    assert ran(script, PYTHONIOENCODING=encoding) == (3, expected, [])


@pytest.mark.nightly(files=["rnn_helpers/commands.py", "rnn_helpers/experiments/"])
@pytest.mark.slow
def test_every_experiment_is_listed_on_windows_as_well():
    command = [sys.executable, "-m", "rnn_helpers.experiments", "list"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(command, env=environment, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    found = re.findall(rb"^([a-z0-9-]+)  \(chapter", done.stdout, re.M)
    assert len(found) == len(experiments()) + len(archived_slugs())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows closes pipes in another way")
def test_a_reader_that_stops_early_causes_no_error():
    script = "from rnn_helpers.commands import run_program\nrun_program(lambda: print('x' * 10**6))"
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.read(1)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0


def test_every_command_line_runs_in_the_same_frame():
    for path in CODE:
        _, ends, last = path.read_text("utf-8").partition('if __name__ == "__main__":\n')
        assert last.strip() in ("", "run_program(main)"), path
        assert ends or path.name != "__main__.py", path


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_chromium_is_read_in_its_own_encoding(tmp_path):
    chromium = tmp_path / "chromium"
    chromium.write_text("#!/bin/sh\necho 'h → o'\n", "utf-8")
    chromium.chmod(0o755)
    script = (
        "from pathlib import Path\nfrom press import browser\n"
        f"browser.find = lambda: {str(chromium)!r}\n"
        "print(ascii(browser.browse(Path('page.html'))))"
    )
    plain = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert ran(script, **plain) == (0, rb"'h \u2192 o\n'", [])
