"""The pages that only the archives for a class have: the first one, and notes to print."""

from pathlib import Path

import pytest
from reader import reading, violations

from press.classroom import printed_notes, start_here
from press.slides import BOOK

NOTES = "04_bptt.html"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write START-HERE.html for students and for instructors, and the notes of a deck."""
    folder = tmp_path_factory.mktemp("handed-out")
    wheel = Path("rnn_helpers-1.0.0-py3-none-any.whl")
    for name, more in (("students", {}), ("instructors", {"notes": True})):
        page = start_here(BOOK, wheel, solutions=bool(more), **more)
        (folder / f"{name}.html").write_bytes(page)
    (folder / NOTES).write_bytes(printed_notes(BOOK)[NOTES])
    return folder


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 360)])
@pytest.mark.parametrize("name", ["students.html", "instructors.html", NOTES])
def test_axe_finds_no_violations_and_everything_is_in_a_landmark(
    browser, folder, name, theme, width
):
    size = {"width": width, "height": 800}
    url = (folder / name).as_uri()
    with reading(browser, url, scroll=False, color_scheme=theme, viewport=size) as page:
        assert page.get_by_role("main").count() == 1
        assert violations(page) == "[]"
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
