"""The handouts: ``python -m press.classroom`` (after the book and the decks).

Writes ``dist/unfolded-classroom.zip`` for the students: START-HERE.html, the site with its decks,
notebooks and the package's wheel, all without solutions and notes. (With ``--solutions``, the site
and its decks keep them. The wheel never has solutions: see `press.wheel`.)
``dist/unfolded-instructor.zip`` has the same with everything, and notebooks with solutions and
speaker notes to print. ``dist/unfolded-notebooks.zip`` has only the files that students run; the
site offers it, too. The same files of the same commit give the same archive, byte for byte.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from press import edition, render, secrets
from press.citation import SOURCE, Citation
from press.deck import Deck
from press.downloads import ARCHIVE, FOLDER
from press.edition import chapters, decks, page_title
from press.pins import NOTEBOOKS, pinned
from press.slides import BOOK, DECKS, PICTURES, ROOT, SITE
from press.students import instructor, student, trains
from press.whole import replacing
from rnn_helpers.commands import run_program

DIST = ROOT / "dist"
LICENSE = ROOT / "LICENSE"
TERMS = {path.name: path for path in (LICENSE, SOURCE)}  # on top of each archive
NOT_HANDED_OUT = {".map", ".buildinfo", ".part"}
TEXTS = {".html", ".css", ".js", ".json"}
PICTURE = re.compile(r"[\w-]+\.(?:png|svg|jpe?g|gif|webp)")
Files = Mapping[str, Path | bytes]
README = """The notebooks of Unfolded for students, and the package that they use.

You need Python 3.11 or newer. Extract the zip first. Then write these lines in a terminal in this
folder:

    python3 -m venv .venv
    .venv/bin/pip install --no-deps -r requirements.txt ./{wheel}
    .venv/bin/jupyter labextension disable @jupyterlab/apputils-extension:announcements
    .venv/bin/jupyter lab

On Windows, write "py" for "python3" and ".venv\\Scripts\\" for ".venv/bin/". The second line
installs the book's package and those that requirements.txt lists, and no others. The third keeps
JupyterLab from asking the network for news.

Cells that train networks need PyTorch, and say so where it is missing. To install it, choose the
build for your machine on PyTorch's page "Get started".

You may copy and share these files. The file LICENSE has the terms; keep it with them. The file
CITATION.cff says how to cite the book.
"""


@cache
def commit_time() -> tuple[int, ...]:
    """Give the date of the files in an archive: that of the last commit, so that it is repeatable.

    ``SOURCE_DATE_EPOCH``, the usual variable for this, goes first. Where neither is known, the date
    is the oldest that a zip can hold.
    """
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if not seconds:
        try:
            command = ["git", "log", "-1", "--format=%ct"]
            seconds = subprocess.run(command, cwd=ROOT, capture_output=True).stdout.decode()
        except OSError:
            seconds = ""
    oldest = (1980, 1, 1, 0, 0, 0)
    return max(tuple(time.gmtime(int(seconds))[:6]), oldest) if seconds.strip() else oldest


def write_zip(target: Path, files: Files, compress: bool = True) -> Path:
    """Write an archive that depends only on its files.

    Parameters
    ----------
    target
        The archive; it is replaced only when the new one is complete.
    files
        The contents by name in the archive: a file to read, or bytes.
    compress
        Whether to compress (wheels are compressed already).

    Returns
    -------
    Path
        The archive.
    """
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with (
        replacing(target) as part,
        zipfile.ZipFile(part, "w", method) as archive,
    ):
        for name in sorted(files):
            content = files[name]
            info = zipfile.ZipInfo(name, commit_time())
            info.external_attr = 0o644 << 16
            info.create_system = 3  # the same on every system
            info.compress_type = method
            content = content if isinstance(content, bytes) else content.read_bytes()
            archive.writestr(info, content, compresslevel=9)  # the archive's own isn't used here
    return target


def build_wheel(folder: Path) -> Path:
    """Build the students' wheel, in which exercises have no solutions, without a network.

    Parameters
    ----------
    folder
        Where it goes.

    Returns
    -------
    Path
        The wheel.
    """
    with tempfile.TemporaryDirectory() as fresh:
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", fresh]
        # the order of a set in a pickle depends on the seed of its strings' hashes
        settings = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true", "PYTHONHASHSEED": "0"}
        subprocess.run(
            command, cwd=ROOT, env=os.environ | settings, check=True, capture_output=True
        )
        built = next(Path(fresh).glob("*.whl"))
        with zipfile.ZipFile(built) as wheel:
            # hatchling compresses less
            return write_zip(
                folder / built.name, {each: wheel.read(each) for each in wheel.namelist()}
            )


def write_notebooks(folder: Path, notebooks: Mapping[str, NotebookNode]) -> dict[str, Path]:
    """Write notebooks to a folder, and remove those it no longer has.

    Parameters
    ----------
    folder
        Made where it is missing.
    notebooks
        By file name.

    Returns
    -------
    dict of str to Path
        The files by name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in set(folder.glob("*.ipynb")) - {folder / name for name in notebooks}:
        old.unlink()
    for name, notebook in notebooks.items():
        with replacing(folder / name) as part:
            # nbformat always indents, which makes the file 10 % larger.
            plain = json.loads(nbformat.writes(notebook))
            text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
            part.write_text(text + "\n", "utf-8")
    return {name: folder / name for name in notebooks}


def to_run(notebooks: Files, wheel: Path, modules: Iterable[Path] = ()) -> dict[str, Path | bytes]:
    """List the files that students run and install.

    Parameters
    ----------
    notebooks
        Students' notebooks.
    wheel
        The package's wheel.
    modules
        The course's own modules.

    Returns
    -------
    dict of str to Path or bytes
        These, and the pins of the other packages to install.
    """
    pins = "".join(f"{line}\n" for line in pinned(NOTEBOOKS))
    own = {path.name: path for path in modules}
    return {**notebooks, **own, wheel.name: wheel, "requirements.txt": pins.encode()}


def write_notebooks_zip(folder: Path, files: Files, wheel: Path) -> Path:
    """Write the archive of the files that students run, with instructions.

    Parameters
    ----------
    folder
        Where it goes.
    files
        The files that `to_run` lists.
    wheel
        The package's wheel.

    Returns
    -------
    Path
        The archive.
    """
    told = {"README.txt": README.format(wheel=wheel.name).encode(), **TERMS}
    return write_zip(folder / ARCHIVE, below(Path(ARCHIVE).stem, {**files, **told}))


def site_files(site: Path, book: Path) -> dict[str, Path]:
    """List the built site.

    Parameters
    ----------
    site
        Where the book's build and the decks' wrote it.
    book
        The chapters and decks it must hold.

    Returns
    -------
    dict of str to Path
        Its files by their address in the site.

    Raises
    ------
    FileNotFoundError
        If a page or a deck was not built, naming the command that builds it.
    """
    if not (site / "index.html").is_file():
        raise FileNotFoundError(f"{site} holds no site: run `make book` first")
    for path in chapters(book):
        if not (site / "book" / f"{path.stem}.html").is_file():
            raise FileNotFoundError(f"the site has no page for {path.name}: run `make book` first")
    for path in decks(book):
        if not (site / DECKS / f"{path.stem}.html").is_file():
            raise FileNotFoundError(f"{path.name} has no deck: run `make slides` first")
    return {
        path.relative_to(site).as_posix(): path
        for path in site.rglob("*")
        if path.is_file() and path.suffix not in NOT_HANDED_OUT and path.name not in NOT_HANDED_OUT
    }


def named(pages: Mapping[str, Path]) -> dict[str, Path]:
    """Omit pictures that no page shows now. A build doesn't remove those of earlier builds."""
    texts = [path.read_text("utf-8") for path in pages.values() if path.suffix in TEXTS]
    shown = {name for text in texts for name in PICTURE.findall(text)}
    return {
        address: path
        for address, path in pages.items()
        if not address.startswith(f"{PICTURES}/") or path.name in shown
    }


def start_here(book: Path, wheel: Path, solutions: bool, notes: bool = False) -> bytes:
    """Write START-HERE.html.

    Parameters
    ----------
    book
        The chapters and decks that it lists.
    wheel
        The package's wheel, in the folder ``student`` next to it.
    solutions
        Whether the site has its solutions, and its decks their notes.
    notes
        Whether notes to print and notebooks with solutions are in the archive.

    Returns
    -------
    bytes
        The page.
    """
    lessons = {path.stem for path in decks(book)}
    listed = [
        {
            "number": path.stem[:2],
            "name": path.stem,
            "title": page_title(path),
            "deck": path.stem in lessons,
            "trains": trains(nbformat.read(path, as_version=4)),
        }
        for path in chapters(book)
    ]
    template = render.template("start-here.html.j2")
    told = {
        "wheel": wheel.name,
        "solutions": solutions,
        "notes": notes,
        "citation": Citation.read(),
        "book": edition.title(book.parent),
    }
    return template.render(chapters=listed, **told).encode()


def printed_notes(book: Path) -> dict[str, bytes]:
    """Write each deck's notes as a page to print, by its name."""
    template = render.template("notes.html.j2")
    return {
        f"{path.stem}.html": template.render(deck=Deck.read(path)).encode() for path in decks(book)
    }


def below(folder: str, files: Files) -> dict[str, Path | bytes]:
    """Put files into a folder of an archive."""
    return {f"{folder}/{name}": content for name, content in files.items()}


def classroom(
    site: Path = SITE, book: Path = BOOK, dist: Path = DIST, solutions: bool = False
) -> tuple[Path, Path, Path]:
    """Write the archives.

    Parameters
    ----------
    site
        The built site, with its decks.
    book
        The chapters and decks.
    dist
        Where the archives, ``student/`` and ``instructor/`` go.
    solutions
        Whether the students' site keeps its solutions and its decks their notes.

    Returns
    -------
    tuple of Path
        The classroom's archive, the instructor's, and the one with only students' files.

    Raises
    ------
    FileNotFoundError
        If the site or a deck is not built.
    ValueError
        If a chapter holds something that has no plain form.
    """
    pages = named(site_files(site, book))
    lessons = {path.stem: Deck.read(path) for path in decks(book)}
    for_student = write_notebooks(
        dist / "student", {path.name: student(path) for path in edition.notebooks(book)}
    )
    for_instructor = write_notebooks(
        dist / "instructor",
        {path.name: instructor(path, lessons.get(path.stem)) for path in edition.notebooks(book)},
    )
    wheel = build_wheel(dist)
    files = to_run(for_student, wheel, edition.modules(book))
    run = below("student", files)
    alone = write_notebooks_zip(dist, files, wheel)
    pages[f"book/{FOLDER}/{ARCHIVE}"] = alone
    told = {
        "START-HERE.html": start_here(book, wheel, solutions=True),
        **TERMS,
        **below("site", pages),
    }
    hidden = {
        "START-HERE.html": start_here(book, wheel, solutions=False),
        **TERMS,
        **below("site", secrets.for_students(pages, for_student)),
    }
    first = below("unfolded", run | (told if solutions else hidden))
    second = (
        run
        | told
        | {"START-HERE.html": start_here(book, wheel, solutions=True, notes=True)}
        | below("instructor", for_instructor)
        | below("notes", printed_notes(book))
    )
    return (
        write_zip(dist / "unfolded-classroom.zip", first),
        write_zip(dist / "unfolded-instructor.zip", below("unfolded-instructor", second)),
        alone,
    )


def main(arguments: list[str] | None = None) -> None:
    """Write the hand-outs and print their sizes."""
    parser = argparse.ArgumentParser(prog="python -m press.classroom", description=main.__doc__)
    parser.add_argument(
        "--solutions", action="store_true", help="students get solutions and speaker notes, too"
    )
    try:
        archives = classroom(solutions=parser.parse_args(arguments).solutions)
    except (FileNotFoundError, ValueError) as error:
        sys.exit(f"error: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: the wheel could not be built:\n{error.stderr.decode()}")
    for path in archives:
        print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    run_program(main)
