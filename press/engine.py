"""V8, the JavaScript engine of the package ``mini-racer``, for scripts that run during a build."""

from __future__ import annotations

import atexit
import os
from functools import cache
from pathlib import Path


def engine(*scripts: Path):
    """Return the engine of this process that has run these scripts.

    Sphinx forks to write pages, and an engine's threads don't survive that.
    """
    return _started(os.getpid(), *scripts)


@cache
def _started(process: int, *scripts: Path):
    from py_mini_racer import MiniRacer

    started = MiniRacer()
    atexit.register(started.close)  # left to the interpreter's end, its threads may never stop
    for script in scripts:
        started.eval(script.read_text("utf-8") + ";0")
    return started
