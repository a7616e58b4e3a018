"""Run notebooks side by side, in kernels that are spoken to in secret.

Kernels talk over sockets of this machine, and warn where anybody on it could listen.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

ENCRYPTED = Config(KernelManager={"transport_encryption": "auto"})


def run(path: Path, timeout: float) -> tuple[NotebookNode, str]:
    """Run a notebook in its folder.

    Parameters
    ----------
    path : Path
        The notebook, which stays as it is.
    timeout : float
        Seconds that a cell may take.

    Returns
    -------
    tuple
        The notebook with its outputs, and the traceback if a cell failed.
    """
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=timeout,
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        # A cell's printed text comes in pieces, wherever the kernel happened to send it.
        coalesce_streams=True,
        config=ENCRYPTED,
    )
    try:
        client.execute()
    except Exception:  # of the cell, or of the kernel, which may die or not start
        return notebook, traceback.format_exc()
    return notebook, ""


def run_all(paths: Collection[Path], timeout: float) -> Iterator[tuple[Path, NotebookNode, str]]:
    """Run notebooks, one on each core; yield each path with its result when it is done."""
    with ProcessPoolExecutor() as pool:
        running = {pool.submit(run, path, timeout): path for path in paths}
        for done in as_completed(running):
            yield running[done], *done.result()
