"""A course laid over the book: its name, its dates and its files, and no trace without it."""

import os

import nbformat
import pytest
import yaml

from press import edition, overlay

TITLE = "Networks in autumn"
OLD = 1_000_000_000  # seconds: a date long ago


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A repository with two chapters, and an overlay beside the book."""
    monkeypatch.setenv("OVERLAY", "mine")
    monkeypatch.delenv("CHAPTERS", raising=False)
    (tmp_path / "book").mkdir()
    (tmp_path / "mine").mkdir()
    for name in ("03_rnn", "10_encoder"):
        cell = nbformat.v4.new_markdown_cell(f"# {int(name[:2])}. Of {name[3:]}")
        nbformat.write(nbformat.v4.new_notebook(cells=[cell]), tmp_path / f"book/{name}.ipynb")
    files = [{"file": "book/03_rnn"}, {"file": "book/10_encoder"}]
    toc = {"root": "book/index", "parts": [{"caption": "All", "chapters": files}]}
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")
    (tmp_path / "_config.yml").write_text("title: Unfolded", "utf-8")
    return tmp_path


@pytest.fixture
def form(root):
    def write(**settings):
        (root / "mine/course.yml").write_text(yaml.safe_dump(settings, sort_keys=False), "utf-8")

    write(title=TITLE)
    return write


def test_a_course_needs_only_a_title(root, form):
    assert edition.title(root) == TITLE
    assert len(edition.chapters(root / "book")) == 2
    assert len(edition.table_of_contents(root)["parts"]) == 1


def test_without_an_overlay_the_site_has_the_title_of_the_book(root, form, monkeypatch):
    monkeypatch.delenv("OVERLAY")
    assert edition.title(root) == "Unfolded"


def test_a_course_chooses_chapters_unless_the_variable_does(root, form, monkeypatch):
    form(title=TITLE, chapters=10)
    assert [path.stem for path in edition.chapters(root / "book")] == ["10_encoder"]
    monkeypatch.setenv("CHAPTERS", "3")
    assert [path.stem for path in edition.chapters(root / "book")] == ["03_rnn"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"titel": TITLE}, "course.yml has .*; expected title and, if needed, chapters, complete"),
        ({"title": ""}, "course.yml has .*; expected title"),
        ({"title": TITLE, "schedule": [3]}, r"schedule in .* is \[3\]; expected lines DATE: CHAPT"),
    ],
)
def test_a_bad_form_is_named(root, form, settings, said):
    form(**settings)
    with pytest.raises(ValueError, match=said):
        edition.course(root)


def test_a_folder_without_a_form_is_no_overlay(root):
    with pytest.raises(ValueError, match=r"OVERLAY is 'mine'; expected a folder with a file cours"):
        edition.course(root)


def test_the_schedule_links_chapters_and_decks_and_keeps_other_lines(root, form):
    dates = "{title: A, schedule: {2026-10-12: 3, 2026-10-19: '3,10', later: 'An *exam*'}}"
    (root / "mine/course.yml").write_text(dates, "utf-8")
    page = overlay.schedule(edition.course(root), root / "book").splitlines()
    link = '[3. Of rnn](../03_rnn.ipynb) · <a href="../slides/03_rnn.html">slides</a>'
    assert page[4] == f"| Monday, October 12, 2026 | {link} |"
    assert page[5].startswith(f"| Monday, October 19, 2026 | {link}<br>[10. Of encoder](")
    assert page[6] == "| later | An *exam* |"


def test_a_date_for_a_chapter_that_is_not_there_is_named(root, form):
    form(title=TITLE, chapters=10, schedule={"May": 3})
    with pytest.raises(ValueError, match=r"May in .*course\.yml is '3'; expected .*there are 10$"):
        overlay.lay(root)


def test_files_are_copied_and_listed_before_the_chapters(root, form):
    form(title=TITLE, schedule={"May": 3})
    (root / "mine/images").mkdir()
    for name in ("b.md", "a.md", "images/x.svg", "sums.py", ".draft.md"):
        (root / "mine" / name).write_text("# Hello", "utf-8")
    overlay.lay(root)
    made = root / "book/course"
    found = {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()}
    assert found == {"a.md", "b.md", "images/x.svg", "sums.py", "schedule.md"}
    first = edition.table_of_contents(root)["parts"][0]
    assert first["caption"] == TITLE
    assert [entry["file"][12:] for entry in first["chapters"]] == ["schedule", "a", "b"]


def test_a_file_keeps_its_date_until_it_changes_and_goes_with_the_overlay(root, form, monkeypatch):
    for name in ("a.md", "b.md"):
        (root / "mine" / name).write_text("# Hello", "utf-8")
    overlay.lay(root)
    made = root / "book/course"
    for path in made.iterdir():
        os.utime(path, (OLD, OLD))
    (root / "mine/b.md").write_text("# Hello again", "utf-8")
    overlay.lay(root)
    dates = {path.name: path.stat().st_mtime for path in made.iterdir()}
    assert dates["a.md"] == OLD < dates["b.md"]
    monkeypatch.delenv("OVERLAY")
    overlay.lay(root)
    assert list(made.iterdir()) == []


def test_a_page_cannot_take_the_name_of_the_schedule(root, form):
    form(title=TITLE, schedule={"May": 3})
    (root / "mine/schedule.md").write_text("# Mine", "utf-8")
    with pytest.raises(ValueError, match="both dates and a page 'schedule'"):
        overlay.lay(root)
