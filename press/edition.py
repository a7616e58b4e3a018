"""The edition that is built: which chapters it has, and the course that it is for.

An edition has the chapters that ``_toc.yml`` lists. The variable CHAPTERS leaves out some of them,
and the variable OVERLAY names a folder with a course's own files. Chapters keep their numbers.
Everything that lists chapters or decks asks this module, so that pages, decks and handouts agree.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

import nbformat
import yaml

RANGE = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")
CHAPTER = re.compile(r"(\d\d)_\w+")
BOOK = "Unfolded"
COURSE = "course"  # the folder below that of the chapters with the pages of a course
SCHEDULE = "schedule"  # the page that is made from the course's dates
FORM = "course.yml"


class Course(NamedTuple):
    """What ``course.yml`` in an overlay says.

    Parameters
    ----------
    folder : Path
        The overlay.
    title : str
        The name of the course.
    chapters : str
        The chapters of the edition, in the form of CHAPTERS; all of them if it is empty.
    complete_book : str
        The address of the complete book.
    schedule : mapping
        A date or other words to chapters, in the same form, or to Markdown.
    """

    folder: Path
    title: str
    chapters: str = ""
    complete_book: str = ""
    schedule: Mapping = {}

    @property
    def pages(self) -> list[Path]:
        """The course's own pages, in the order of their names."""
        return sorted(
            path for path in self.folder.glob("[!.]*") if path.suffix in (".md", ".ipynb")
        )


def course(root: Path) -> Course | None:
    """Read the overlay that the variable OVERLAY names, relative to `root`.

    Raises
    ------
    ValueError
        If it is no overlay.
    """
    value = os.environ.get("OVERLAY", "").strip()
    if not value:
        return None
    path = root / value / FORM
    if not path.is_file():
        raise ValueError(f"OVERLAY is {value!r}; expected a folder with a file {FORM}")
    given = settings(path)
    keys = [key for key in Course._fields if key != "folder"]
    if not isinstance(given, dict) or not given.get("title") or not {*keys}.issuperset(given):
        raise ValueError(
            f"{path} has {given!r}; expected title and, if needed, {', '.join(keys[1:])}"
        )
    if not isinstance(given.get("schedule", {}), dict):
        raise ValueError(
            f"schedule in {path} is {given['schedule']!r}; expected lines DATE: CHAPTERS"
        )
    words = {key: str(given[key]) for key in keys[:-1] if given.get(key) is not None}
    return Course(path.parent, schedule=given.get("schedule", {}), **words)


def settings(path: Path) -> dict:
    """Read a YAML file; errors name the file."""
    with path.open(encoding="utf-8") as file:
        return yaml.safe_load(file)


def parse(value: str, known: Collection[int], name: str = "CHAPTERS") -> set[int]:
    """Read the numbers of chapters.

    Parameters
    ----------
    value : str
        Numbers and ranges, such as ``"1-4,10,16"``.
    known : collection of int
        The numbers of the chapters that there are.
    name : str
        What errors call the value.

    Raises
    ------
    ValueError
        If it has another form, or names a chapter that doesn't exist.
    """
    chosen: set[int] = set()
    for part in re.split(r"[,\s]+", value.strip()):
        found = RANGE.fullmatch(part)
        wanted = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
        if not wanted or not set(known).issuperset(wanted):
            raise ValueError(
                f"{name} is {value!r}; expected numbers and ranges of chapters, such as "
                f"1-4,10,16; there are {enumerate_numbers(known)}"
            )
        chosen.update(wanted)
    return chosen


def enumerate_numbers(numbers: Collection[int]) -> str:
    """Write numbers in a sentence, three or more successive ones as a range: 1 to 4, 10 and 16."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = []
    for run in runs:
        parts += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def table_of_contents(root: Path) -> dict:
    """Return the table of contents of the edition.

    Parameters
    ----------
    root : Path
        The repository. Its ``_toc.yml`` lists the chapters that there may be.

    Raises
    ------
    ValueError
        If CHAPTERS names no chapters.
    """
    toc = settings(root / "_toc.yml")
    own = course(root)
    if value := os.environ.get("CHAPTERS", "").strip() or (own.chapters if own else ""):
        known = [number for part in toc["parts"] for number in map(_number, part["chapters"])]
        chosen = parse(value, {number for number in known if number})
        for part in toc["parts"]:
            part["chapters"] = [
                entry for entry in part["chapters"] if _number(entry) in {None, *chosen}
            ]
        toc["parts"] = [part for part in toc["parts"] if part["chapters"]]
    if own and (pages := course_pages(own)):
        files = [{"file": f"book/{COURSE}/{name}"} for name in pages]
        toc["parts"].insert(0, {"caption": own.title, "chapters": files})
    return toc


def course_pages(own: Course) -> list[str]:
    """Return the names of a course's pages, in order: its schedule, and its own pages."""
    return [*([SCHEDULE] if own.schedule else []), *(path.stem for path in own.pages)]


def _number(entry: dict) -> int | None:
    """Return the number of an entry that is a chapter."""
    found = CHAPTER.fullmatch(entry["file"].rpartition("/")[2])
    return int(found[1]) if found else None


def write_table_of_contents(root: Path) -> Path:
    """Write the table of contents of the edition for Sphinx, and return its file."""
    path = root / "_build" / "toc.yml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(table_of_contents(root), sort_keys=False), "utf-8")
    return path


def chapters(book: Path) -> list[Path]:
    """List the notebooks of the chapters in the edition, in order.

    Parameters
    ----------
    book : Path
        Their folder. If there is no table of contents beside it, the edition has all of them.
    """
    found = _notebooks(book)
    if not (book.parent / "_toc.yml").is_file():
        return found
    toc = table_of_contents(book.parent)
    listed = {
        entry["file"].rpartition("/")[2] for part in toc["parts"] for entry in part["chapters"]
    }
    return [path for path in found if path.stem in listed]


def left_out(book: Path) -> list[Path]:
    """List the notebooks of the chapters that the edition doesn't have, in order."""
    included = chapters(book)
    return [path for path in _notebooks(book) if path not in included]


def _notebooks(book: Path) -> list[Path]:
    return sorted(book.glob("[0-9][0-9]_*.ipynb"))


def page_title(path: Path) -> str:
    """Return the title of a notebook or a page: its first heading, without a chapter's number."""
    if path.suffix == ".ipynb":
        cells = nbformat.read(path, as_version=4).cells
        texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    else:
        texts = [path.read_text("utf-8")]
    for text in texts:
        for line in text.splitlines():
            if line.startswith("# "):
                return re.sub(r"^# (\d+\. )?", "", line).strip()
    raise ValueError(f"{path.name} has no title (# …)")


def decks(book: Path) -> list[Path]:
    """List the decks of the edition, in order."""
    without = {path.stem[:2] for path in left_out(book)}
    found = sorted((book / "slides").glob("[0-9][0-9]_*.md"))
    return [path for path in found if path.stem[:2] not in without]


def complete_book(root: Path) -> str:
    """Return the address of the site of the complete book, with a slash; empty if nobody named it.

    Parameters
    ----------
    root : Path
        The repository. The overlay or ``_config.yml`` may name the address.
    """
    own = course(root)
    path = root / "_config.yml"
    config = settings(path).get("sphinx", {}).get("config", {}) if path.is_file() else {}
    address = (own and own.complete_book) or config.get("complete_book") or ""
    return address.rstrip("/") + "/" if address else ""


def title(root: Path) -> str:
    """Return the title of the site: the name of the course, or that of the book."""
    own, path = course(root), root / "_config.yml"
    if own:
        return own.title
    return settings(path).get("title", BOOK) if path.is_file() else BOOK


def notebooks(book: Path) -> list[Path]:
    """List all notebooks of the edition: those of its chapters and of its course."""
    own = course(book.parent)
    pages = [book / COURSE / path.name for path in own.pages] if own else []
    return [*chapters(book), *(path for path in pages if path.suffix == ".ipynb")]


def modules(book: Path) -> list[Path]:
    """List the course's own Python modules, which its notebooks import."""
    own = course(book.parent)
    return sorted(own.folder.glob("*.py")) if own else []
