"""The table of contents lists what exists, and all of it."""

import re

from books import BOOK, NOTEBOOKS, PAGES, ROOT, cells, table_of_contents

from rnn_helpers.experiments.store import stored_slugs
from rnn_helpers.site.gallery import figures


def source(name):
    return next((p for p in (ROOT / f"{name}.ipynb", ROOT / f"{name}.md") if p.exists()), None)


def test_everything_listed_exists():
    assert [name for name in table_of_contents() if source(name) is None] == []


def test_every_page_and_chapter_is_listed():
    listed = {source(name) for name in table_of_contents()}
    assert [path.name for path in (*NOTEBOOKS, *PAGES) if path not in listed] == []


def test_the_first_page_introduces_every_chapter():
    first = (BOOK / "index.md").read_text("utf-8")
    missing = [path.name for path in NOTEBOOKS if f"]({path.name})\n: *" not in first]
    assert missing == [], "index.md asks each chapter's question beneath its link"


def test_chapters_stand_in_order():
    chapters = [name for name in table_of_contents() if (BOOK.parent / f"{name}.ipynb").exists()]
    assert chapters == sorted(chapters)


def test_the_changelog_counts_what_the_newest_release_has():
    newest = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1]
    boxes = [cell.source.count("{exercise}") for path in NOTEBOOKS for cell in cells(path)]
    counts = {
        "chapters": len(NOTEBOOKS),
        "interactive figures": len(figures()),
        "exercises": sum(boxes),
        "experiments": len([*stored_slugs()]),
    }
    stated = {
        what: int(number) for what in counts for number in re.findall(rf"(\d+) {what}", newest)
    }
    assert stated == {what: counts[what] for what in stated}
    assert stated
