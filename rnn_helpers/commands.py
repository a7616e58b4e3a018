"""The frame of every command line: errors in one line, and output that any terminal can take."""

import os
import shutil
import sys
from collections.abc import Callable
from typing import NoReturn


def run_program(main: Callable[[], int | str | None]) -> NoReturn:
    """Run a command line, and end the program with its status.

    A letter that the output's encoding lacks is written as an escape. An error of the system, such
    as a full disk or a folder that can't be written to, is printed in one line. A reader that stops
    early, as in ``… | head``, isn't an error.

    Parameters
    ----------
    main
        Return the status as `sys.exit` takes it.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        status = 0
        _discard_output()
    except OSError as error:
        # Of a folder that couldn't be copied, Python lists each file with its reason.
        reason = error.args[0][0][-1] if isinstance(error, shutil.Error) else error
        status = f"error: {reason}"
        _discard_output()
    sys.exit(status)


def _discard_output() -> None:
    """Send the rest of the output nowhere, or Python would complain about it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
