"""The gallery: where figures stand, what is kept of them, what previews of links are told."""

import nbformat
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from rnn_helpers.site import gallery
from rnn_helpers.site.gallery import PREVIEW, figures, preview, preview_tags
from rnn_helpers.site.places import Place, places
from rnn_helpers.site.still.defaults import drawable

META = {"question": 'Is "a" < b?', "story": "A & b.", "alt": "Two letters."}


@pytest.fixture
def documents(tmp_path):
    """Two chapters and a page, by their names."""
    md, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    first = [
        md("# First\n\nText.", id="title"),
        code('explore.show("one")', id="fig-one"),
        md("## 10.1 A section\n\n### Part", id="section"),
        code("explore.show('two', T=3)\nexplore.show('one')", id="fig-two"),
        md('`explore.show("three")` is not run.', id="words"),
    ]
    second = [md("# Second", id="title"), code('x = 1\nexplore.show(\n    "zero")', id="fig-zero")]
    found = {}
    for name, cells in {"01_first": first, "02_second": second}.items():
        found[name] = tmp_path / f"{name}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), found[name])
    found["about"] = tmp_path / "about.md"
    found["about"].write_text("# About\n\n## More\n\n```{explorable} two\nT: 2\n```\n", "utf-8")
    return found


def test_figures_are_found_in_the_order_of_the_chapters_with_their_sections(documents):
    assert list(places(documents).items()) == [
        (
            "one",
            [
                Place("01_first", "First", "", "fig-one"),
                Place("01_first", "First", "Part", "fig-two"),
            ],
        ),
        ("two", [Place("01_first", "First", "Part", "fig-two"), Place("about", "About", "", "")]),
        ("zero", [Place("02_second", "Second", "", "fig-zero")]),
    ]


def test_a_figure_with_a_question_of_its_own_has_a_page():
    assert "predict" not in figures()
    assert "unfold" in figures()


def test_every_figure_with_a_page_has_a_picture():
    assert list(figures()) == drawable()


def test_a_preview_is_drawn_once_and_fills_its_shape_with_paper(tmp_path, missing):
    if not gallery.browser.find():
        missing("no browser")
    name = preview("unfold", tmp_path)
    image = Image.open(tmp_path / name)
    assert image.size == PREVIEW
    assert image.convert("RGB").getpixel((5, 5)) == (255, 255, 255)
    assert len(image.convert("RGB").getcolors()) > 10
    before = (tmp_path / name).stat().st_mtime_ns
    assert preview("unfold", tmp_path) == name
    assert (tmp_path / name).stat().st_mtime_ns == before


def test_without_a_browser_there_is_no_preview(tmp_path, monkeypatch):
    monkeypatch.setattr(gallery.browser, "find", lambda: None)
    assert preview("unfold", tmp_path) == ""
    tags = said(preview_tags(META, "book/gallery/one.html", "", "Unfolded", ""))
    assert "og:image" not in tags
    assert tags["twitter:card"] == "summary"


def said(tags):
    """What the tags say, by name."""
    found = BeautifulSoup(tags, "html.parser").find_all("meta")
    return {tag.get("property") or tag["name"]: tag["content"] for tag in found}


def test_a_preview_has_the_question_the_story_and_the_picture():
    tags = said(preview_tags(META, "book/gallery/one.html", "_images/p.png", "Unfolded", ""))
    assert tags["og:title"] == 'Is "a" < b?'
    assert tags["og:description"] == tags["description"] == "A & b."
    assert tags["twitter:card"] == "summary_large_image"
    assert "og:url" not in tags


def test_a_site_that_knows_its_address_tells_it():
    base = "https://example.org/rnn/"
    tags = said(preview_tags(META, "book/gallery/one.html", "_images/p.png", "Unfolded", base))
    assert tags["og:image"] == "https://example.org/rnn/_images/p.png"
    assert tags["og:url"] == "https://example.org/rnn/book/gallery/one.html"
