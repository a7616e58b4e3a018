"""A browser without a window, for what only a browser can do: lay a page out, take its picture."""

import shutil
import subprocess

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
# The pages are ours. As root, which is usual in containers, Chromium refuses to run in its sandbox.
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")


def find():
    """Return the path of the Chromium that is installed; None without one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def browse(page, *options):
    """Open a page and return what Chromium prints.

    Parameters
    ----------
    page : Path
        A file.
    *options : str
        ``--dump-dom``, ``--screenshot=…``, ``--window-size=…``.
    """
    command = [find(), *FLAGS, *options, page.absolute().as_uri()]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
