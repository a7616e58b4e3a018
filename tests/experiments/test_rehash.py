"""A stored result is kept where a change of its code leaves the numbers alone, and only there."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from rnn_helpers.experiments.fingerprint import PACKAGE
from rnn_helpers.experiments.plain import digest

SLUG = "robust-bit"  # takes no time
CODE, LINE = "claims/chapter_13/robust_bit/__init__.py", "np.abs(h[s]).max()"
STORED = "claims/chapter_13/robust_bit/result.json"


@pytest.fixture
def copy(tmp_path):
    """A repository with a copy of the package, as it was when its results were stored."""
    unused = shutil.ignore_patterns("explore", "checks", "exercises", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name, ignore=unused)
    for path in (tmp_path / PACKAGE.name / "claims").rglob("result.json"):
        if not path.match(STORED):
            path.unlink()
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder, *arguments):
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "core.hooksPath=/dev/null")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder):
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "as it is")


def change(copy, file, before, after):
    path = copy / PACKAGE.name / file
    text = path.read_text("utf-8")
    assert text.count(before) == 1, (path, before)
    path.write_text(text.replace(before, after), "utf-8")


def rehash(copy, *arguments):
    """Return the command's output in its copy."""
    done = subprocess.run(
        [sys.executable, "-m", f"{PACKAGE.name}.experiments", "rehash", *arguments],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_change_that_leaves_the_numbers_alone_keeps_the_result(copy):
    before = (copy / PACKAGE.name / STORED).read_text("utf-8")
    change(copy, CODE, LINE, LINE.replace("max()", "max(axis=0)"))
    code, said = rehash(copy)
    assert (code, f"{SLUG}: kept" in said, "1 stale, 0 not kept" in said) == (0, True, True), said
    after = (copy / PACKAGE.name / STORED).read_text("utf-8")
    assert after != before
    assert after.partition('"rows"')[2] == before.partition('"rows"')[2]
    assert rehash(copy) == (0, "0 stale, 0 not kept\n")


def test_a_change_of_the_numbers_is_refused_with_its_place(copy):
    before = (copy / PACKAGE.name / STORED).read_text("utf-8")
    change(copy, CODE, LINE, f"{LINE} * (1 + 1e-15)")
    code, said = rehash(copy, SLUG)
    assert code == 1
    assert "of the quick run's 25 differ, in largest_state" in said
    assert "run it again" in said
    assert (copy / PACKAGE.name / STORED).read_text("utf-8") == before


def test_other_full_settings_are_refused_though_the_quick_run_is_the_same(copy):
    change(copy, CODE, '"seeds": 20,', '"seeds": 40,')
    code, said = rehash(copy)
    assert (code, "the full settings have changed" in said) == (1, True), said


def test_a_commit_at_which_the_result_was_stale_is_no_witness(copy):
    change(copy, CODE, LINE, f"{LINE} * 2")
    commit(copy)
    code, said = rehash(copy, SLUG, "--since", "HEAD")
    assert (code, "was stale" in said, "--since" in said) == (1, True, True), said
    code, said = rehash(copy, SLUG)  # the commit before, which stored the result
    assert (code, "differ" in said) == (1, True), said


def test_a_result_of_other_rows_is_no_witness(copy):
    path = copy / PACKAGE.name / STORED
    parts = json.loads(path.read_text("utf-8"))
    parts["rows"] = parts["rows"][::-1]
    parts["digest"] = digest({name: parts[name] for name in parts if name != "digest"})
    path.write_text(json.dumps(parts), "utf-8")
    change(copy, CODE, LINE, LINE.replace("max()", "max(axis=0)"))
    code, said = rehash(copy)
    assert (code, "is another" in said) == (1, True), said


def test_invalid_arguments_are_explained(copy):
    change(copy, CODE, LINE, f"{LINE} * 2")
    assert rehash(copy, "no-such")[0] == 2
    code, said = rehash(copy, SLUG, "--since", "no-such-commit")
    assert (code, "no-such-commit" in said) == (2, True), said
    change(copy, CODE, f"{LINE} * 2", f"{LINE} * missing")
    code, said = rehash(copy, SLUG)
    assert (code, "that is here failed: NameError" in said) == (1, True), said


def test_a_commit_that_moved_a_result_did_not_make_it(copy):
    folder = copy / PACKAGE.name / "claims"
    git(copy, "mv", folder / "chapter_13/robust_bit", folder / "chapter_14/robust_bit")
    change(copy, CODE.replace("_13", "_14"), LINE, LINE.replace("max()", "max(axis=0)"))
    commit(copy)
    code, said = rehash(copy)
    assert (code, f"{SLUG}: kept" in said) == (0, True), said
