"""The first page, with the chapters of the edition alone."""

from __future__ import annotations

import re
from pathlib import Path

from press import edition

PART = re.compile(r"^### .*?(?=^##|\Z)", re.M | re.S)
ENTRY = re.compile(r"^\[\d+\. [^\]]*\]\((\d\d_\w+)\.ipynb\)\n:.*?(?:\n\n|\Z)", re.M | re.S)
SHORT = re.compile(r"\s+\((\d+) minutes\s+in\s+chapters ([\d, and\n]+)\)")
TAGLINE = re.compile(r"^```\{div\} tagline\n.*?^```\n", re.M | re.S)
CHAPTERS = "## The chapters\n"
SENTENCE = (
    "This edition has {count} of the book's {all} chapters: {listed}. They keep the numbers that "
    "they have in {complete}.\n"
)


def adapt(text: str, book: Path) -> str:
    """Remove the chapters that the edition doesn't have from the first page, and link to a course.

    Parts without chapters go, and links to the first chapter lead to the first one that is there.

    Parameters
    ----------
    text : str
        Markdown.
    book : Path
        The folder of the chapters.
    """
    return _with_course(_with_chapters(text, book), edition.course(book.parent))


def _with_course(text: str, own: edition.Course | None) -> str:
    if own is None:
        return text
    named = {f"{edition.SCHEDULE}.md": edition.SCHEDULE.capitalize()} if own.schedule else {}
    named |= {path.name: edition.page_title(path) for path in own.pages}
    links = [f"[{title}]({edition.COURSE}/{name})" for name, title in named.items()]
    line = f"**{own.title}**{': ' if links else ''}{' · '.join(links)}\n"
    return TAGLINE.sub(lambda found: f"{found[0]}\n{line}", text, count=1)


def _with_chapters(text: str, book: Path) -> str:
    chapters = [path.stem for path in edition.chapters(book)]
    missing = [path.stem for path in edition.left_out(book)]
    if not missing:
        return text
    if not chapters:
        raise ValueError(f"{book.parent / '_toc.yml'} lists no chapter")
    numbers = [int(stem[:2]) for stem in chapters]

    def kept(part: re.Match) -> str:
        had = ENTRY.search(part[0])
        left = ENTRY.sub(lambda entry: "" if entry[1] in missing else entry[0], part[0])
        return left if not had or ENTRY.search(left) else ""

    def short(found: re.Match) -> str:
        those = sorted({*map(int, re.findall(r"\d+", found[2]))}.intersection(numbers))
        plural = "s" if those[1:] else ""
        listed = edition.enumerate_numbers(those)
        return f" ({found[1]} minutes in chapter{plural} {listed})" if those else ""

    text = SHORT.sub(short, PART.sub(kept, text))
    first = min([*chapters, *missing])
    if first in missing:
        to = chapters[0]
        text = text.replace(first, to).replace(f"#sec-{first[:2]}-", f"#sec-{to[:2]}-")
        text = text.replace(f"chapter {int(first[:2])}]", f"chapter {int(to[:2])}]")
    address = edition.complete_book(book.parent)
    sentence = SENTENCE.format(
        count=len(chapters),
        all=len(chapters) + len(missing),
        listed=edition.enumerate_numbers(numbers),
        complete=f"[the complete book]({address})" if address else "the complete book",
    )
    return text.replace(CHAPTERS, f"{CHAPTERS}\n{sentence}", 1)


def _adapt(app, docname, source) -> None:
    if docname != app.config.root_doc:
        return
    root = Path(app.srcdir)
    source[0] = adapt(source[0], root / "book")
    if own := edition.course(root):
        for path in (own.folder / edition.FORM, *own.pages):
            app.env.note_dependency(str(path))


def setup(app) -> None:
    """Have the first page adapted before it is read."""
    app.connect("source-read", _adapt)
