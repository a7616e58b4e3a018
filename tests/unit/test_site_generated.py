"""Pages that are made: where their leading page is, and only then."""

import os
from types import SimpleNamespace

import pytest

from press.generated import add_pages, write

OLD = 1_000_000_000  # seconds: a date long ago


@pytest.fixture
def made(tmp_path):
    """Make the pages of a book; give the patterns that Sphinx then leaves out."""
    (tmp_path / "book").mkdir()

    def make(titles):
        hooks = []
        app = SimpleNamespace(srcdir=tmp_path, connect=lambda *hook, **options: hooks.append(hook))
        shut_out = ["_build", "book/figures/one.md", "book/draft.md"]
        config = SimpleNamespace(exclude_patterns=shut_out)
        add_pages(app, "book/figures", "figure-page", lambda book: titles)
        for _, hook in hooks:
            hook(app, config)
        return config.exclude_patterns

    return make


def test_pages_are_made_beside_the_page_that_leads_to_them(made, tmp_path):
    (tmp_path / "book/figures.md").touch()
    assert made({"one": "What is $x$?"}) == ["_build", "book/draft.md"]
    text = (tmp_path / "book/figures/one.md").read_text("utf-8")
    assert "# What is $x$?\n" in text
    assert "```{figure-page} one\n" in text


def test_without_the_leading_page_there_are_none(made, tmp_path):
    assert "book/figures/one.md" in made({"one": "What?"})
    assert not (tmp_path / "book/figures").exists()


def test_a_page_keeps_its_date_until_it_changes_or_is_removed(tmp_path):
    write(tmp_path, "made", {"made/a.md": "a", "made/b.md": "b", "made/c.md": "c"})
    for path in (tmp_path / "made").iterdir():
        os.utime(path, (OLD, OLD))
    write(tmp_path, "made", {"made/a.md": "a", "made/b.md": "other"})
    dates = {path.name: path.stat().st_mtime for path in (tmp_path / "made").iterdir()}
    assert dates["a.md"] == OLD < dates["b.md"]
    assert len(dates) == 2
