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


def browse(page, *options, query=""):
    """Open a page and return Chromium's output.

    Parameters
    ----------
    page : Path
        A file.
    *options : str
        ``--dump-dom``, ``--screenshot=…``, ``--window-size=…``.
    query : str
        What follows the page's address.
    """
    command = [find(), *FLAGS, *options, page.absolute().as_uri() + query]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout


def print_pdf(page, target, *options, query=""):
    """Print a page as a PDF whose bookmarks are the page's headings.

    Parameters
    ----------
    page, target : Path
        Files.
    *options : str
        Further options of Chromium.
    query : str
        What follows the page's address.
    """
    options = ("--no-pdf-header-footer", "--generate-pdf-document-outline", *options)
    browse(page, *options, f"--print-to-pdf={target}", query=query)
