"""`make new` writes what passes its tests, and refuses a name that it can't take."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from press import new

ROOT = Path(__file__).parents[2]
LEFT_OUT = ".*", "_build", "dist", "node_modules", "__pycache__", "*.egg-info"
MODULES = ROOT / "explorables" / "node_modules"
NEXT = f"{len(new.CHAPTERS) + 1:02}"


@pytest.fixture
def run(tmp_path):
    """Runs a module of Python in a copy of the project."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    if MODULES.exists():
        (copy / "explorables" / "node_modules").symlink_to(MODULES.resolve())

    def run(*command):
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=copy,
            env=os.environ | {"PYTHONPATH": str(copy)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.mark.nightly("exercise", files=["press/new"])
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "name", "tests"),
    [
        pytest.param(
            *("figure", "pendulum", ["rnn_helpers/figures/pendulum"]),
            marks=pytest.mark.skipif(not MODULES.exists(), reason="bundling needs Node's modules"),
        ),
        (
            *("exercise", "two-gates"),
            [
                *("rnn_helpers/exercises/test_chapter_02.py", "tests/unit/test_checks_core.py"),
                *("-k", "two_gates or 02-two-gates"),
            ],
        ),
        ("claim", "new-reach", ["rnn_helpers/claims/chapter_02/new_reach"]),
        (
            *("chapter", "after-all"),
            [
                *("tests/structure", "tests/unit/test_checks_core.py"),
                *(f"book/{NEXT}_after_all.ipynb", "-p", "nbval", "--nbval-lax"),
                f"rnn_helpers/exercises/test_chapter_{NEXT}.py",
                *("-k", f"{NEXT}_ or {NEXT}- or chapter_{NEXT} or contents"),
            ],
        ),
    ],
)
def test_each_kind_passes_its_own_tests(run, kind, name, tests):
    assert "\nCheck: " in run("press.new", kind, NEXT if kind == "chapter" else "02", name)
    run("ruff", "format", "--check", ".")
    run("pytest", "-p", "hypothesispytest", "-q", *tests)


REFUSED = [
    ("figure", "13", "Pendulum", "NAME is 'Pendulum', expected one word"),
    ("figure", "13", "two-words", "NAME is 'two-words', expected one word"),
    ("figure", "13", "powers", "NAME is 'powers', which exists or is promised"),
    ("figure", "13", "lib", "NAME is 'lib', which exists or is promised"),
    ("figure", "99", "pendulum", "CHAPTER is '99', expected one of 01 02"),
    ("exercise", "02", "../two", "NAME is '../two', expected lowercase words"),
    ("exercise", "02", "while", "NAME is 'while', expected lowercase words"),
    ("exercise", "02", "list", "NAME is 'list', which exists or is promised"),
    ("exercise", "02", "unfold-by-hand", "NAME is 'unfold-by-hand', which exists or is promised"),
    ("exercise", "02", "drive", "NAME is 'drive', which exists or is promised"),
    ("claim", "13", "robust-bit", "NAME is 'robust-bit', which exists or is promised"),
    ("claim", "02", "unfolding-agrees", "NAME is 'unfolding-agrees', which exists or is promised"),
    ("claim", "02", "a_b", "NAME is 'a_b', expected lowercase words"),
    ("chapter", "02", "since", f"CHAPTER is '02', expected {NEXT}, the next number"),
    ("chapter", "99", "since", f"CHAPTER is '99', expected {NEXT}, the next number"),
    ("chapter", NEXT, "two_words", "NAME is 'two_words', expected lowercase words"),
    ("chapter", NEXT, "echo-state", "NAME is 'echo-state', which exists or is promised"),
    ("", "02", "two-gates", "argument KIND: invalid choice: ''"),
]


@pytest.mark.parametrize(("kind", "chapter", "name", "told"), REFUSED)
def test_a_name_of_another_form_or_one_that_is_taken_is_refused(kind, chapter, name, told, capsys):
    with pytest.raises(SystemExit, match="2"):
        new.main([kind, chapter, name])
    assert told in capsys.readouterr().err


def test_nothing_is_left_of_a_figure_that_cannot_be_bundled(tmp_path, monkeypatch):
    (tmp_path / "manifest.json").write_text("{}", "utf-8")
    for place in ("FIGURES", "SHARED"):
        monkeypatch.setattr(new, place, tmp_path)
    monkeypatch.setattr(new, "APPROVED", tmp_path / "defaults.json")

    def fails(*command, given=None):
        if given is None:
            assert (tmp_path / "pendulum" / "test_pendulum.py").exists()
            raise OSError("no Node")
        return given

    monkeypatch.setattr(new, "_run", fails)
    with pytest.raises(OSError, match="no Node"):
        new.figure("13", "pendulum")
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


def test_what_fails_leaves_files_and_folders_as_they_were(tmp_path):
    kept, file, folder = (tmp_path / name for name in ("kept", "file", "folder"))
    kept.write_text("old", "utf-8")
    with suppress(OSError), new._whole(kept, file, folder):
        kept.write_text("new", "utf-8")
        file.touch()
        folder.mkdir()
        raise OSError
    assert [*tmp_path.iterdir()] == [kept]
    assert kept.read_text("utf-8") == "old"
