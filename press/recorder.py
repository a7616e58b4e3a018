"""Record the files of the book that a kernel reads.

`executor.run` has the kernel run this file, by its path, before the first cell. So the notebook
starts without any module that it doesn't import itself. The globals ``log`` and ``folders`` are
given: a file to write to, and the recorded folders by the names to record them under.
"""

import os
import sys
from contextlib import suppress
from importlib.util import source_from_cache

READS = {"open", "os.listdir", "os.scandir"}
STARTS = {"os.exec", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"}
# PyTorch for graphics cards starts this program on import, to list the system's libraries.
HARMLESS = "/sbin/ldconfig"


def watch(log, folders):
    """Write the name of each file that is read and, with a final slash, each folder that is listed.

    A star means that another program may have read files.
    """
    places = [(name, os.path.realpath(folder) + os.sep) for name, folder in folders.items()]
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    seen = set()

    def note(name):
        if name not in seen:
            seen.add(name)
            os.write(file, f"{name}\n".encode())

    def hook(event, arguments):
        if event in STARTS and arguments[0] != HARMLESS:
            note("*")
        if event not in READS or not isinstance(arguments[0], str | bytes | os.PathLike):
            return
        path = os.path.realpath(os.fsdecode(arguments[0]))
        with suppress(ValueError):  # of any file but a compiled module
            path = source_from_cache(path)
        end = "" if event == "open" else "/"
        for name, folder in places:
            if (path + os.sep).startswith(folder):
                note(f"{name}/{path[len(folder) :].replace(os.sep, '/')}".rstrip("/") + end)

    sys.addaudithook(hook)


if "log" in globals():
    watch(log, folders)  # noqa: F821
