"""The branch for launch buttons: ``python -m press.launch``, once ``_config.yml`` names it.

Writes ``dist/launch``, to be pushed as the branch that ``repository.branch`` names: the students'
notebooks where the buttons look for them, the package's wheel, and the files that Binder reads.
Without ``repository.url`` there are no buttons, and it writes nothing.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

from press import edition
from press.classroom import DIST, build_wheel, write_notebooks
from press.edition import settings
from press.pins import pinned
from press.slides import BOOK, ROOT
from press.students import student
from rnn_helpers.commands import run_program

CONFIG = ROOT / "_config.yml"
PYTHON = "python-3.11"  # Binder's own choice may be older than the package allows
GITHUB = re.compile(r"https://github\.com/[\w.-]+/[\w.-]+")  # Colab opens no other


def launch(repository: dict, folder: Path, book: Path = BOOK) -> Path:
    """Write the branch that launch buttons lead to.

    Parameters
    ----------
    repository
        The settings of that name in ``_config.yml``: ``url``, ``branch``, ``path_to_book``.
    folder
        The target. Other files in it, such as ``.git``, stay.
    book
        The chapters.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ValueError
        If the settings name no repository on GitHub or no branch, or a chapter has no plain form.
    """
    url, branch = str(repository.get("url")).rstrip("/"), repository.get("branch")
    if not GITHUB.fullmatch(url):
        raise ValueError(
            f"repository.url in _config.yml is {url!r}; expected https://github.com/OWNER/NAME"
        )
    if not branch:
        raise ValueError(
            f"repository.branch in _config.yml is {branch!r}; expected the branch to push to"
        )
    inside = _inside(repository, book)
    for old in (folder / inside).glob("*.whl"):
        old.unlink()
    wheel = build_wheel(folder / inside)
    there = address(repository, wheel.name, book)
    write_notebooks(
        folder / inside, {path.name: student(path, there) for path in edition.notebooks(book)}
    )
    for path in edition.modules(book):
        shutil.copyfile(path, folder / inside / path.name)
    needed = "\n".join([f"./{(inside / wheel.name).as_posix()}", *pinned()])
    (folder / "requirements.txt").write_text(f"{needed}\n", "utf-8")
    (folder / "runtime.txt").write_text(f"{PYTHON}\n", "utf-8")
    return folder


def address(repository: dict, wheel: str, book: Path = BOOK) -> str:
    """Return the address of the package's wheel on the branch that launch buttons lead to.

    Parameters
    ----------
    repository
        The settings of that name in ``_config.yml``.
    wheel
        The name of the wheel's file.
    book
        The chapters.
    """
    url, branch = str(repository.get("url")).rstrip("/"), repository.get("branch")
    return f"{url}/raw/{branch}/{(_inside(repository, book) / wheel).as_posix()}"


def _inside(repository: dict, book: Path) -> Path:
    return Path((repository.get("path_to_book") or "").strip("/"), book.name)


def main(arguments: list[str] | None = None) -> None:
    """Write the branch, if there are buttons, and print how to push it."""
    argparse.ArgumentParser(prog="python -m press.launch", description=main.__doc__).parse_args(
        arguments
    )
    repository = settings(CONFIG).get("repository")
    if not repository:
        return
    try:
        folder = launch(repository, DIST / "launch")
    except ValueError as error:
        sys.exit(f"error: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: the wheel could not be built:\n{error.stderr.decode()}")
    print(f"{folder}: push it as the branch {repository['branch']} of {repository['url']}")


if __name__ == "__main__":
    run_program(main)
