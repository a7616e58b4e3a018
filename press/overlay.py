"""A course's own files, laid beside the book's: a copy of the overlay, and the schedule.

The copy is in ``book/course``, which git ignores, so nothing of the book is edited.
"""

from __future__ import annotations

import importlib
import re
import sys
from datetime import date
from pathlib import Path

from press import edition
from press.edition import FORM
from press.whole import replacing

LISTED = re.compile(r"[\d,\s-]+")
LEFT_OUT = {FORM, "__pycache__", ".ipynb_checkpoints"}
TITLE = "Schedule"


def lay(root: Path) -> None:
    """Copy the overlay into the book, or remove the copy of an earlier build.

    A file that hasn't changed keeps its date, by which Sphinx knows it.

    Parameters
    ----------
    root : Path
        The repository.

    Raises
    ------
    ValueError
        If a page has the name of the schedule, or a date names a chapter that isn't there.
    """
    own, folder = edition.course(root), root / "book" / edition.COURSE
    files = _files(own, root / "book") if own else {}
    for old in folder.rglob("*"):
        if old.is_file() and old.relative_to(folder) not in files:
            old.unlink()
    for name, content in files.items():
        target = folder / name
        if not target.is_file() or target.read_bytes() != content:
            with replacing(target) as part:
                part.write_bytes(content)


def _files(own: edition.Course, book: Path) -> dict[Path, bytes]:
    """Return the contents of a course's files by their paths in the overlay."""
    paths = {path.relative_to(own.folder): path for path in own.folder.rglob("*") if path.is_file()}
    files = {
        name: path.read_bytes()
        for name, path in paths.items()
        if not LEFT_OUT.intersection(name.parts) and not name.name.startswith(".")
    }
    if own.schedule:
        if any(page.stem == edition.SCHEDULE for page in own.pages):
            raise ValueError(f"{own.folder} has both dates and a page {edition.SCHEDULE!r}")
        files[Path(f"{edition.SCHEDULE}.md")] = schedule(own, book).encode()
    return files


def schedule(own: edition.Course, book: Path) -> str:
    """Write the page with the dates of a course.

    A line with chapters links to each of them and to its deck; any other line is Markdown.
    """
    chapters = {int(path.stem[:2]): path.stem for path in edition.chapters(book)}
    lines = [f"# {TITLE}", "", "| date | subject |", "| :-- | :-- |"]
    for when, what in own.schedule.items():
        day = f"{when:%A}, {when:%B} {when.day}, {when.year}" if isinstance(when, date) else when
        subject = str(what)
        if LISTED.fullmatch(subject):
            numbers = sorted(edition.parse(subject, chapters, f"{when} in {own.folder / FORM}"))
            subject = "<br>".join(_lesson(book / f"{chapters[number]}.ipynb") for number in numbers)
        lines.append(f"| {day} | {subject} |")
    return "\n".join([*lines, ""])


def _lesson(chapter: Path) -> str:
    title = f"{int(chapter.stem[:2])}. {edition.page_title(chapter)}"
    slides = f'<a href="../slides/{chapter.stem}.html">slides</a>'
    return f"[{title}](../{chapter.name}) · {slides}"


def import_exercises(root: Path) -> None:
    """Import the course's modules, which declare its exercises, as its notebooks do."""
    for path in edition.modules(root / "book"):
        if str(path.parent) not in sys.path:
            sys.path.insert(0, str(path.parent))
        importlib.import_module(path.stem)


def _name(app, config) -> None:
    """Put the name of the course into the titles and above the contents."""
    root = Path(app.srcdir)
    if edition.course(root):
        config.html_title = title = edition.title(root)
        options = config.html_theme_options
        options["logo"] = options.get("logo", {}) | {"text": title}


def setup(app) -> None:
    """Give the site the course's name and exercises."""
    app.connect("config-inited", _name)
    app.connect("builder-inited", lambda app: import_exercises(Path(app.srcdir)))
