"""Full runs of experiments, which resume where they were interrupted.

While an experiment runs, its finished trainings are files in the folder ``.runs/SLUG`` of the
repository. Rows are stored when a block of seeds is complete. Then the folder is deleted, unless a
second block is due, which has the same trainings for the choice of settings.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from rnn_helpers.experiments.fingerprint import PACKAGE
from rnn_helpers.experiments.margins import margin
from rnn_helpers.experiments.schema import experiments, find
from rnn_helpers.experiments.store import Result, load, run, run_again, save, stored_slugs

RUNS = PACKAGE.parent / ".runs"
"""The folder of finished trainings; Git ignores it."""


def complete(slug: str, block: int = 1) -> tuple[Result, Path]:
    """Run a block of seeds to its end and store its rows.

    Parameters
    ----------
    slug : str
        Name of the experiment.
    block : int
        1 replaces the stored result. The next number adds new seeds to it.

    Returns
    -------
    result : Result
        With all blocks.
    path : pathlib.Path
        The file it is stored in.

    Raises
    ------
    ValueError
        If there is no such experiment, it is archived, or another block is next.
    """
    entry, folder = find(slug), RUNS / slug
    if block == 1:
        result = run(entry, folder=folder)
    else:
        before = load(slug)
        if block != len(before.blocks) + 1:
            raise ValueError(f"block is {block}, expected 1 or {len(before.blocks) + 1}")
        result = run_again(before, folder)
    path = save(result)
    if due(slug) is None:
        shutil.rmtree(folder, ignore_errors=True)
    return result, path


def due(slug: str) -> int | None:
    """Return the number of the block that must run next, None if there is none.

    A second block is due if the margin of the verdict is narrow.
    """
    if slug not in stored_slugs() or (stored := load(slug)).stale:
        return 1
    can = len(stored.blocks) == 1 and all("seed" in row for row in stored.rows)
    return 2 if can and margin(stored.experiment, stored.rows, stored.seeds).narrow else None


def complete_all(processes: int) -> Iterator[str]:
    """Run all blocks that are due, the longest first.

    Parameters
    ----------
    processes : int
        How many experiments run at a time. They yield to everything else on the machine.

    Yields
    ------
    str
        The experiment and the block, and "stored" or the last line of the error.
    """
    slugs = sorted(filter(due, experiments()), key=_seconds, reverse=True)
    with ThreadPoolExecutor(processes) as pool:
        for future in as_completed([pool.submit(_complete_apart, slug) for slug in slugs]):
            yield future.result()


def _complete_apart(slug: str) -> str:
    """Run the block of an experiment that is due, in a separate process."""
    block = due(slug)
    polite = ["nice", "-n", "19"] if shutil.which("nice") else []
    command = [*polite, sys.executable, "-m", __package__, "run", slug, "--block", str(block)]
    # Its output has letters that not every system's own encoding has.
    utf_8 = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=utf_8)
    said = "stored" if done.returncode == 0 else (done.stderr.strip() or "failed").splitlines()[-1]
    return f"{slug}, block {block}: {said}"


def _seconds(slug: str) -> float:
    """Estimate how long an experiment runs by its last run; new ones come first."""
    return load(slug).blocks[0].seconds if slug in stored_slugs() else float("inf")
