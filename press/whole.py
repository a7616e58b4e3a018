"""Files and folders that take the place of old ones when they are complete."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Yield the path to write a file or a folder to, which then replaces the one at `target`.

    If writing fails, the old one stays, and the new one is deleted. Each process writes to its own
    path, so if two write at once, one replaces the other's result.

    Parameters
    ----------
    target
        Its parents are made where they are missing.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part, old = (target.with_name(f"{target.name}.{os.getpid()}.{end}") for end in ("part", "old"))
    _delete(part)
    try:
        yield part
        if part.is_dir():
            _replace_folder(part, target, old)
        else:
            part.replace(target)
    finally:
        _delete(part)
        _delete(old)


def _replace_folder(part: Path, target: Path, old: Path) -> None:
    """Put a folder in the place of another one, which goes to `old`."""
    while True:
        with suppress(FileNotFoundError):
            target.replace(old)
        try:
            part.replace(target)
            return
        except OSError:
            if not target.exists():  # else another process has already put its own there
                raise
            _delete(old)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
