"""The table of contents lists every page and only existing ones."""

from books import BOOK, NOTEBOOKS, PAGES, ROOT, table_of_contents


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


def test_chapters_are_in_order():
    chapters = [name for name in table_of_contents() if (BOOK.parent / f"{name}.ipynb").exists()]
    assert chapters == sorted(chapters)
