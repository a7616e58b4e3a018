"""A result is stale exactly when the code behind its rows has changed, tested in a copy."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from rnn_helpers.experiments import experiments, load
from rnn_helpers.experiments.fingerprint import PACKAGE, Definition, reached

ALL = experiments()
ALREADY = {slug for slug in ALL if load(slug).stale}  # of them another test speaks


@pytest.fixture
def copy(tmp_path):
    """A copy of the package."""
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name)
    return tmp_path / PACKAGE.name


def change(path, before, after):
    """Put some words of a file in the place of others, which are there once."""
    text = path.read_text("utf-8")
    assert text.count(before) == 1, (path, before)
    path.write_text(text.replace(before, after), "utf-8")


def stale(copy) -> set[str]:
    """Which results are stale in a copy of the package that are not in the package itself."""
    code = (
        "import json\nfrom rnn_helpers.experiments import experiments, load\n"
        "print(json.dumps([slug for slug in experiments() if load(slug).stale]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=copy.parent,
        env={"PYTHONPATH": str(copy.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout)) - ALREADY


def reaching(file, name) -> set[str]:
    """The experiments that reach a definition."""
    definition = Definition(PACKAGE / file, name)
    return {slug for slug, entry in ALL.items() if definition in reached(entry.function)}


@pytest.mark.parametrize(
    ("file", "before", "after", "name", "some"),
    [
        (
            "optimizers.py",
            "return {name: p - lr * grads[name]",
            "return {name: p - 2 * lr * grads[name]",
            "SGD",
            {"learning-rate", "length-success", "hessian-free"},
        ),
        (
            "training.py",
            "self.clip.apply(grads, loss, step, seed_axis)",
            "self.clip.apply(grads, loss, step + 1, seed_axis)",
            "_Loop",
            {"learning-rate", "length-success", "hessian-free"},
        ),
        (
            "experiments/counting.py",
            'config.get("reset", 0.05)',
            'config.get("reset", 0.06)',
            "_task",
            {"accumulate-forget"},
        ),
        (
            "tasks/counting.py",
            "np.where(reset, 0, count + one)",
            "np.where(reset, one, count + one)",
            "CountSinceReset",
            {"accumulate-forget"},
        ),
    ],
)
def test_a_change_of_the_code_behind_the_rows_is_noticed(copy, file, before, after, name, some):
    change(copy / file, before, after)
    found = stale(copy)
    assert found == reaching(file, name) - ALREADY
    assert found < set(ALL)
    assert some <= found | ALREADY


def test_a_change_of_the_text_about_the_rows_is_ignored(copy):
    """Words, verdicts, claims, names within a summary, comments and plots."""
    change(
        copy / "claims/chapter_04/zero_init/__init__.py",
        "If all parameters start at zero",
        "If everything starts at zero",
    )
    change(
        copy / "claims/chapter_04/zero_init/__init__.py",
        '"Does not hold. Networks',
        '"Does not hold. Nets',
    )
    helper = copy / "claims/chapter_17/clipping_saves/__init__.py"
    helper.write_text(
        helper.read_text("utf-8").replace("_by_threshold", "_over_thresholds"), "utf-8"
    )
    change(helper, "gradient descent behaves reasonably", "gradient descent is well-behaved")
    change(copy / "optimizers.py", '"""Gradient descent: ``p <- p - lr * g``.', '"""Downhill.')
    change(copy / "plots" / "curves.py", "_LABEL_GAP = 0.075", "_LABEL_GAP = 0.08")
    assert stale(copy) == set()


def test_a_module_that_moves_leaves_the_results_as_they_are(copy):
    (copy / "training.py").rename(copy / "reference" / "learning.py")
    for path in copy.rglob("*.py"):
        text = path.read_text("utf-8")
        moved = text.replace("rnn_helpers.training", "rnn_helpers.reference.learning")
        if moved != text:
            path.write_text(moved, "utf-8")
    assert stale(copy) == set()


def test_a_stored_row_that_was_edited_is_noticed(copy):
    row = '"unit": "tanh", "w": 1.0, "seed": 0'
    change(copy / "claims/chapter_13/robust_bit/result.json", row, row[:-1] + "1")
    done = subprocess.run(
        [sys.executable, "-m", "rnn_helpers.experiments", "list"],
        cwd=copy.parent,
        env={"PYTHONPATH": str(copy.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    named = "robust-bit  \\(chapter 13\\)\n.*\n +the stored result of 'robust-bit' is damaged"
    assert re.search(named, done.stdout)
    assert done.stdout.count("damaged") == 1
