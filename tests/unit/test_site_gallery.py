"""The gallery: where figures stand, what is kept of them, what previews of links are told."""

import json

import nbformat
import pytest
from bs4 import BeautifulSoup
from PIL import Image

from rnn_helpers.site import posters
from rnn_helpers.site.gallery import figures, preview_tags
from rnn_helpers.site.places import Place, places

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


def test_what_is_drawn_is_kept_and_drawn_anew_when_it_is_damaged(tmp_path, monkeypatch):
    drawn = []

    def draw(name):
        drawn.append(name)
        return {"payload": name}

    monkeypatch.setattr(posters, "draw", draw)
    folder = tmp_path / "kept"
    assert posters.drawn("one", folder) == posters.drawn("one", folder) == {"payload": "one"}
    assert drawn == ["one"]
    (folder / "one.json").write_text('{"payload"', "utf-8")
    assert posters.drawn("one", folder) == {"payload": "one"}
    assert json.loads((folder / "one.json").read_text("utf-8")) == {"payload": "one"}


@pytest.mark.parametrize("size", [(1440, 800), (1080, 1324), (300, 200)])
def test_a_card_is_small_and_a_preview_has_its_shape_on_paper(size):
    poster = Image.new("RGBA", size)
    small = posters.card(poster)
    assert small.width <= posters.CARD[0]
    assert small.height <= posters.CARD[1]
    preview = posters.preview(poster)
    assert preview.size == posters.PREVIEW
    assert preview.getextrema()[3] == (255, 255)  # opaque: some show it on black


def said(tags):
    """What the tags say, by name."""
    found = BeautifulSoup(tags, "html.parser").find_all("meta")
    return {tag.get("property") or tag["name"]: tag["content"] for tag in found}


def test_a_preview_has_the_question_the_story_and_the_picture():
    tags = said(preview_tags(META, "book/gallery/one.html", "_images/p.png", "Unfolded", ""))
    assert tags["og:title"] == 'Is "a" < b?'
    assert tags["og:description"] == tags["description"] == "A & b."
    assert tags["og:image"] == "../../_images/p.png"
    assert tags["twitter:card"] == "summary_large_image"
    assert "og:url" not in tags


def test_a_site_that_knows_its_address_tells_it():
    base = "https://example.org/rnn/"
    tags = said(preview_tags(META, "book/gallery/one.html", "_images/p.png", "Unfolded", base))
    assert tags["og:image"] == "https://example.org/rnn/_images/p.png"
    assert tags["og:url"] == "https://example.org/rnn/book/gallery/one.html"
