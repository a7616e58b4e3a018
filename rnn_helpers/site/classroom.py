"""What is handed out: ``python -m rnn_helpers.site.classroom`` (after the book and the decks).

Writes ``dist/unfolded-classroom.zip`` (START-HERE.html, the site with its decks, student notebooks
and the package's wheel) and ``dist/unfolded-instructor.zip`` (notebooks with solutions, speaker
notes to print). The same files always give the same archive, byte for byte.
"""

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import nbformat
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nbformat import NotebookNode

from . import render
from .deck import Deck
from .slides import BOOK, DECKS, ROOT, SITE, TEMPLATES
from .students import chapters, instructor, student, trains

DIST = ROOT / "dist"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest time a zip can hold
NOT_HANDED_OUT = {".map", ".buildinfo", ".part"}
Files = Mapping[str, Path | bytes]


def write_zip(target: Path, files: Files, compress: bool = True) -> Path:
    """Write an archive that depends on nothing but its files.

    Parameters
    ----------
    target
        The archive; it is replaced only when the new one is complete.
    files
        What goes in, by its name in the archive: a file to read, or bytes.
    compress
        Whether to compress (wheels are compressed already).

    Returns
    -------
    Path
        The archive.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(part, "w", method, compresslevel=9) as archive:
        for name in sorted(files):
            content = files[name]
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = 0o644 << 16
            info.create_system = 3  # the same on every system
            info.compress_type = method
            archive.writestr(info, content if isinstance(content, bytes) else content.read_bytes())
    part.replace(target)
    return target


def build_wheel(folder: Path) -> Path:
    """Build the package's wheel, without a network.

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
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        built = next(Path(fresh).glob("*.whl"))
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{built.name}.part"
        part.write_bytes(built.read_bytes())
        return part.replace(folder / built.name)


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
        part = folder / f"{name}.part"
        nbformat.write(notebook, part)
        part.replace(folder / name)
    return {name: folder / name for name in notebooks}


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


def decks(book: Path) -> list[Path]:
    """List the decks of a book, in order."""
    return sorted((book / "slides").glob("[0-9][0-9]_*.md"))


def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"notes": render.notes, "mathml": render.mathml}
    return environment


def title(path: Path) -> str:
    """Give the title of a chapter: its notebook's first heading."""
    for cell in nbformat.read(path, as_version=4).cells:
        for line in cell.source.splitlines() if cell.cell_type == "markdown" else ():
            if line.startswith("# "):
                return line[2:].strip()
    raise ValueError(f"{path.name} has no title (# …)")


def classroom(site: Path = SITE, book: Path = BOOK, dist: Path = DIST) -> tuple[Path, Path]:
    """Write both archives.

    Parameters
    ----------
    site
        The built site, with its decks.
    book
        The chapters and decks.
    dist
        Where the archives, ``student/`` and ``instructor/`` go.

    Returns
    -------
    tuple of Path
        The classroom's archive and the instructor's.

    Raises
    ------
    FileNotFoundError
        If the site or a deck is not built.
    ValueError
        If a chapter holds something that has no plain form.
    """
    pages = site_files(site, book)
    lessons = {path.stem: Deck.read(path) for path in decks(book)}
    for_students = {path.name: student(path) for path in chapters(book)}
    for_instructors = {
        path.name: instructor(path, lessons.get(path.stem)) for path in chapters(book)
    }
    wheel = build_wheel(dist)
    start = _templates().get_template("start-here.html.j2")
    listed = [
        {
            "number": path.stem[:2],
            "name": path.stem,
            "title": title(path),
            "deck": path.stem in lessons,
            "trains": trains(nbformat.read(path, as_version=4)),
        }
        for path in chapters(book)
    ]
    out = write_notebooks(dist / "student", for_students)
    files: dict[str, Path | bytes] = {
        "unfolded/START-HERE.html": start.render(chapters=listed, wheel=wheel.name).encode(),
        f"unfolded/student/{wheel.name}": wheel,
        **{f"unfolded/site/{name}": path for name, path in pages.items()},
        **{f"unfolded/student/{name}": path for name, path in out.items()},
    }
    first = write_zip(dist / "unfolded-classroom.zip", files)

    notes = _templates().get_template("notes.html.j2")
    out = write_notebooks(dist / "instructor", for_instructors)
    files = {
        **{f"unfolded-instructor/{name}": path for name, path in out.items()},
        **{
            f"unfolded-instructor/notes/{name}.html": notes.render(deck=deck).encode()
            for name, deck in lessons.items()
        },
    }
    return first, write_zip(dist / "unfolded-instructor.zip", files)


def main() -> None:
    """Write the hand-outs and say how large they are."""
    try:
        archives = classroom()
    except (FileNotFoundError, ValueError) as error:
        sys.exit(f"error: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: the wheel could not be built:\n{error.stderr.decode()}")
    for path in archives:
        print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
