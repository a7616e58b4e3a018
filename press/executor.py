"""Run notebooks side by side, in kernels that are spoken to in secret.

Kernels talk over sockets of this machine, and warn where anybody on it could listen.
"""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

ENCRYPTED = Config(KernelManager={"transport_encryption": "auto"})
RECORDER = Path(__file__).with_name("recorder.py")


class Run(NamedTuple):
    """A notebook with its outputs, the files that it read, and a traceback if a cell failed."""

    notebook: NotebookNode
    read: set[str]
    traceback: str = ""


def run(path: Path, timeout: float, folders: Mapping[str, str]) -> Run:
    """Run a notebook in its folder.

    Parameters
    ----------
    path : Path
        The notebook, which stays as it is.
    timeout : float
        Seconds that a cell may take.
    folders : mapping
        Folders whose files are recorded when they are read, by the names to record them under.
    """
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "read")
        given = {"log": str(log), "folders": dict(folders)}
        record = f"__import__('runpy').run_path({str(RECORDER)!r}, {given!r});"
        client = NotebookClient(
            notebook,
            timeout=timeout,
            resources={"metadata": {"path": str(path.parent)}},
            record_timing=False,
            # A cell's printed text comes in pieces, wherever the kernel happened to send it.
            coalesce_streams=True,
            extra_arguments=[f"--IPKernelApp.exec_lines={record}"],
            config=ENCRYPTED,
        )
        try:
            client.execute()
        except Exception:  # of the cell, or of the kernel, which may die or not start
            return Run(notebook, set(), traceback.format_exc())
        return Run(notebook, set(log.read_text("utf-8").splitlines()))


def run_all(
    paths: Collection[Path], timeout: float, folders: Mapping[str, str]
) -> Iterator[tuple[Path, Run]]:
    """Run notebooks, one on each core; yield each path with its result when it is done."""
    with ProcessPoolExecutor() as pool:
        running = {pool.submit(run, path, timeout, folders): path for path in paths}
        for done in as_completed(running):
            yield running[done], done.result()
