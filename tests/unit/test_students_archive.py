"""The archives: complete, the same for the same files, clear about what is missing."""

import re
import zipfile

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from rnn_helpers.site import classroom
from rnn_helpers.site.classroom import site_files, write_zip

DECK = """---
chapter: 02_loop
title: A loop
question: How long is it?
---
# Part

## First

{from: one, show: code}

::: notes
minutes: 4

Ask: why?
:::
"""


@pytest.fixture
def book(tmp_path):
    folder = tmp_path / "book"
    (folder / "slides").mkdir(parents=True)
    (folder / "slides/02_loop.md").write_text(DECK, "utf-8")
    cells = [new_markdown_cell("# A loop", id="title"), new_code_cell("x = 1", id="one")]
    nbformat.write(new_notebook(cells=cells), folder / "02_loop.ipynb")
    return folder


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    for name in ("index.html", "book/02_loop.html", "book/slides/02_loop.html", "x.js", "x.js.map"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, "utf-8")
    return folder


def test_the_same_files_give_the_same_archive(tmp_path):
    (tmp_path / "a").write_text("a" * 1000, "utf-8")
    files = {"z/a.txt": tmp_path / "a", "b.txt": b"b"}
    first = write_zip(tmp_path / "first.zip", files).read_bytes()
    (tmp_path / "a").touch()
    second = write_zip(tmp_path / "second.zip", dict(reversed(files.items()))).read_bytes()
    assert first == second
    assert zipfile.ZipFile(tmp_path / "first.zip").namelist() == ["b.txt", "z/a.txt"]


def test_an_archive_that_cannot_be_completed_leaves_the_old_one(tmp_path):
    target = write_zip(tmp_path / "x.zip", {"a": b"a"})
    before = target.read_bytes()
    with pytest.raises(FileNotFoundError):
        write_zip(target, {"a": tmp_path / "missing"})
    assert target.read_bytes() == before


def test_both_archives_hold_what_start_here_promises(tmp_path, book, site):
    first, second = classroom.classroom(site, book, tmp_path / "dist")
    with zipfile.ZipFile(first) as archive:
        names = set(archive.namelist())
        start = archive.read("unfolded/START-HERE.html").decode()
    links = re.findall(r'href="([^"#]+)"', start)
    assert {"site/index.html", "site/book/02_loop.html", "site/book/slides/02_loop.html"} <= set(
        links
    )
    assert all(f"unfolded/{link}" in names for link in links)
    (wheel,) = (name for name in names if name.endswith(".whl"))
    assert wheel.removeprefix("unfolded/") in start
    assert "unfolded/student/02_loop.ipynb" in names
    assert not any(name.endswith(".map") for name in names)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', start)
    with zipfile.ZipFile(second) as archive:
        notebook = nbformat.reads(
            archive.read("unfolded-instructor/02_loop.ipynb").decode(), as_version=4
        )
        notes = archive.read("unfolded-instructor/notes/02_loop.html").decode()
    assert "slide-1" in [cell.id for cell in notebook.cells]
    assert "<strong>Ask:</strong> why?" in notes
    again, _ = classroom.classroom(site, book, tmp_path / "again")
    assert again.read_bytes() == first.read_bytes()


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("index.html", "holds no site: run `make book` first"),
        ("book/02_loop.html", "no page for 02_loop.ipynb: run `make book` first"),
        ("book/slides/02_loop.html", "02_loop.md has no deck: run `make slides` first"),
    ],
)
def test_what_was_not_built_is_told(book, site, missing, message):
    (site / missing).unlink()
    with pytest.raises(FileNotFoundError, match=re.escape(message)):
        site_files(site, book)
