"""A headless browser, to lay a page out and take its picture."""

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
    """Return the path of the installed Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def browse(page, *options):
    """Open a page and return Chromium's output.

    Parameters
    ----------
    page : Path
        A file.
    *options : str
        ``--dump-dom``, ``--screenshot=…``, ``--window-size=…``.
    """
    command = [find(), *FLAGS, *options, page.absolute().as_uri()]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
