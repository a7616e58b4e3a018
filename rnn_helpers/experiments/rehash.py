"""Keep a stored result whose code has changed if the change doesn't affect the numbers."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from rnn_helpers.experiments.fingerprint import PACKAGE
from rnn_helpers.experiments.plain import plain
from rnn_helpers.experiments.schema import Experiment, find
from rnn_helpers.experiments.store import load, save
from rnn_helpers.validate import as_list

# Run in either tree, by the code of that tree.
_RUN = """
import pickle, sys
from rnn_helpers.experiments import find, load
told = {}
for slug, quick in pickle.load(sys.stdin.buffer).items():
    try:
        entry, stored = find(slug), load(slug)
        seeds = list(range(quick.pop("seeds")))
        told[slug] = stored.stale, stored.rows, list(entry.function(quick, seeds))
    except Exception as error:
        told[slug] = f"{type(error).__name__}: {error}"
pickle.dump(told, open(sys.argv[1], "wb"))
"""


def rehash(slugs: Sequence[str], since: str | None = None) -> dict[str, str]:
    """Store results under the present code if quick runs by their own code and by it are the same.

    Both quick runs are made now, on this machine: floats differ to the bit between processors and
    releases of libraries, so a run stored elsewhere would be no evidence about the code. Code that
    a quick run does not reach is not compared.

    Parameters
    ----------
    slugs : sequence of str
        Names of experiments with a stored result.
    since : str, optional
        The commit whose code made the results: the last that changed the stored file if left out.

    Returns
    -------
    dict of str to str
        For each slug why its result was not kept; empty where it was.

    Raises
    ------
    ValueError
        If a slug has no result, or the commit does not exist or cannot be imported.
    """
    groups: dict[str, list[str]] = {}
    for slug in as_list("slugs", slugs):
        if load(slug).stale:
            groups.setdefault(since or _last_commit(slug), []).append(slug)
    refused = dict.fromkeys(slugs, "")
    for commit, group in groups.items():
        for slug, (before, after) in _both(commit, group).items():
            entry = find(slug)
            stored = load(slug)
            if {"seeds": len(stored.blocks[0].seeds), **stored.config} != plain(entry.full):
                refused[slug] = "the full settings have changed; run it again"
            else:
                refused[slug] = _difference(entry, commit, before, after)
            if not refused[slug]:
                save(replace(stored, fingerprint=entry.fingerprint))
    return refused


def _difference(entry: Experiment, commit: str, before: tuple | str, after: tuple | str) -> str:
    """Return the reason against keeping a result; empty if it may be kept."""
    for code, told in ((f"of {commit[:12]}", before), ("that is here", after)):
        if isinstance(told, str):
            return f"the quick run by the code {code} failed: {told}"
    (was_stale, rows, then), (_, stored, now) = before, after
    if was_stale or rows != stored:
        what = "was stale" if was_stale else "is another"
        return f"the result stored at {commit[:12]} {what}; name the commit that made it: --since"
    then, now = ([_exact(entry, row) for row in run] for run in (then, now))
    if len(then) != len(now):
        return f"the quick run gives {len(now)} rows where it gave {len(then)}; run it again"
    differ = [i for i, pair in enumerate(zip(then, now, strict=True)) if pair[0] != pair[1]]
    if differ:
        columns = {
            name for i in differ for name in {**then[i], **now[i]}
            if then[i].get(name) != now[i].get(name)
        }  # fmt: skip
        return (
            f"rows {differ} of the quick run's {len(now)} differ, in {', '.join(sorted(columns))}; "
            "run it again"
        )
    return ""


def _exact(entry: Experiment, row: dict) -> dict:
    """Write a row's numbers to the bit, without times."""
    return {
        name: json.dumps(value)
        for name, value in plain(row, float.hex).items()
        if name not in entry.timed or not entry.timed[name].items() <= row.items()
    }


def _both(commit: str, slugs: Iterable[str]) -> dict[str, tuple]:
    """Run the present quick settings by a commit's code and by the present code."""
    asked = {slug: dict(find(slug).quick) for slug in slugs}
    with tempfile.TemporaryDirectory() as folder:
        archive = _git("archive", "--format=zip", commit, PACKAGE.name, cwd=PACKAGE.parent)
        ZipFile(BytesIO(archive)).extractall(folder)
        before, after = (_told(tree, asked) for tree in (Path(folder), PACKAGE.parent))
    return {slug: (before[slug], after[slug]) for slug in asked}


def _told(tree: Path, asked: dict) -> dict[str, tuple | str]:
    """Run experiments by the code of a tree: whether stale there, rows stored, rows of the run.

    For an experiment that fails, its error message.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "told"
        done = subprocess.run(
            [sys.executable, "-c", _RUN, path],
            input=pickle.dumps(asked),
            cwd=tree,  # Python looks there first
            env={**os.environ, "PYTHONPATH": str(tree)},
            capture_output=True,
        )
        if done.returncode:
            last = done.stderr.decode().strip().splitlines()[-1:]
            raise ValueError(f"the code in {tree} does not run: {' '.join(last)}")
        return pickle.loads(path.read_bytes())


def _last_commit(slug: str) -> str:
    path = find(slug).path
    # A commit that only moved the file is none that made the result.
    changed = "-1", "--follow", "--find-renames=100%", "--diff-filter=AM", "--format=%H"
    commit = _git("log", *changed, "--", path.name, cwd=path.parent).decode().strip()
    if not commit:
        raise ValueError(f"the result of {slug!r} is in no commit; commit it, or name one: --since")
    return commit


def _git(*arguments: str, cwd: Path) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True)
    if done.returncode:
        raise ValueError(f"git {arguments[0]} says: {done.stderr.decode().strip()}")
    return done.stdout
