"""The published site: its address, its pages and their previews."""

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from rnn_helpers.site import publish
from rnn_helpers.site.publish import SIZE, Site, previews, site_address, text
from rnn_helpers.site.root import addresses, moved_up

BASE = "https://example.org/rnn/"
INDEX = """<head><title>Rain &#8212; Unfolded</title></head>
<article class="bd-article"><h1>Rain</h1><p>It <em>rains</em>.</p>
<dt><a class="x" href="01_state.html">One</a></dt><dd><p><em>Is &lt; less?</em> Look.</p></dd>"""
PAGE = """<head><title>{} &#8212; Unfolded</title><link href="../_static/a.css" rel="stylesheet">
<script src="../_static/b.js?v=1"></script></head><img src="../_images/0123456789abcdef.webp">
<a href="01_state.html#here">One</a>"""


@pytest.fixture
def site():
    """A site of four pages, with a preview of one figure."""
    files = {
        "index.html": INDEX,
        "book/index.html": INDEX,
        "book/01_state.html": PAGE.format("One &amp; two"),
        "search.html": "<title>Search</title>",
        "404.html": '<title>Lost</title><a href="book/index.html">first</a>',
        "_static/a.css": "a {}",
        "_static/b.js": "1",
        "_images/0123456789abcdef.webp": "",
    }
    files = {name: content.encode() for name, content in files.items()}
    return Site(files, BASE, "Unfolded", {})


def told(page):
    """What a page says of itself, by name."""
    found = BeautifulSoup(page, "html.parser").find_all("meta")
    return {tag.get("property") or tag["name"]: tag["content"] for tag in found}


@pytest.mark.parametrize("given", ["https://a.org", "https://a.org/rnn", "http://localhost:1/b/"])
def test_an_address_ends_in_a_slash(given):
    assert site_address(given) == given.rstrip("/") + "/"


@pytest.mark.parametrize("given", ["", "a.org", "/rnn", "ftp://a.org", "https://a.org/?b"])
def test_what_is_no_address_is_refused(given, tmp_path):
    (tmp_path / "_config.yml").write_text("html: {favicon: x}", "utf-8")
    with pytest.raises(ValueError, match="expected https://…, as BASEURL=…"):
        site_address(given, tmp_path / "_config.yml")


def test_the_address_may_be_in_the_settings(tmp_path):
    (tmp_path / "_config.yml").write_text(f"html: {{baseurl: '{BASE}'}}", "utf-8")
    assert site_address("", tmp_path / "_config.yml") == BASE


def test_only_links_within_the_site_change():
    page = """<a href="b.html#c">x</a><a href="#c"><img src="data:,"><a href="https://a.org/">
<script src="d.js">let a = '<a href="e.html">';</script><form action="f.html"></form>"""
    changed = addresses(page, lambda address: f"[{address}]")
    assert 'href="[b.html#c]"' in changed
    assert 'src="[d.js]"' in changed
    assert 'action="[f.html]"' in changed
    assert changed.count("[") == 3


def test_a_page_moves_up_with_its_links():
    page = '<html data-content_root="../"><a href="01.html?a=1#b"><img src="../_images/a.png">'
    assert moved_up(page, "book") == (
        '<html data-content_root="./"><a href="book/01.html?a=1#b"><img src="_images/a.png">'
    )


def test_a_chapter_is_described_by_its_question(site):
    tags = told(site.page("book/01_state.html"))
    assert tags["og:title"] == "One & two"
    assert tags["og:description"] == tags["description"] == "Is < less? Look."
    assert tags["og:url"] == BASE + "book/01_state.html"
    assert tags["twitter:card"] == "summary"
    assert "og:image" not in tags


def test_a_page_is_described_by_itself_or_its_first_paragraph(site):
    assert told(site.page("index.html"))["description"] == "It rains."
    own = '<meta content="Wet &amp; cold" name="description" />'
    site.files["index.html"] = (own + INDEX).encode()
    page = site.page("index.html")
    assert told(page)["og:description"] == "Wet & cold"
    assert page.count('name="description"') == 1
    site.files["index.html"] = b"<title>Snow &#8212; Unfolded</title>"
    assert told(site.page("index.html"))["description"] == "Snow"


def test_a_formula_is_read_once_in_a_description():
    formula = """<span class="katex"><span class="katex-mathml"><math><mi>h</mi>
<annotation>\\h</annotation></math></span><span class="katex-html"><i>h</i></span></span>"""
    assert text(f"The state {formula} &amp; more.") == "The state h & more."


def test_an_address_from_the_settings_is_not_told_twice(site):
    page = site.files["book/01_state.html"].decode()
    other = '<link rel="canonical" href="https://old.org/01.html" />'
    site.files["book/01_state.html"] = page.replace("<title>", f"{other}<title>").encode()
    page = site.page("book/01_state.html")
    assert page.count("canonical") == 1
    assert f'<link rel="canonical" href="{BASE}book/01_state.html">' in page


def test_search_engines_list_the_first_page_once_and_no_tool(site):
    files = site.published()
    sitemap = files["sitemap.xml"].decode()
    assert sitemap.count("<loc>") == 2
    assert f"<loc>{BASE}</loc>" in sitemap
    for name in ("search.html", "404.html"):
        assert told(files[name].decode()) == {"robots": "noindex"}


def test_an_address_changes_with_the_content_behind_it(site):
    def style():
        found = BeautifulSoup(site.page("book/01_state.html"), "html.parser")
        return found.find("link", rel="stylesheet")["href"]

    before = style()
    assert before.startswith("../_static/a.css?v=")
    site.files["_static/a.css"] = b"b {}"
    site.versions.clear()
    assert style() != before
    page = site.page("book/01_state.html")
    assert 'src="../_static/b.js?v=6b86b273"' in page  # a version that Sphinx wrote is replaced
    assert 'src="../_images/0123456789abcdef.webp"' in page
    assert 'href="01_state.html#here"' in page


def test_the_page_for_a_missing_address_works_at_any(site):
    assert 'href="/rnn/book/index.html"' in site.page("404.html")


@pytest.mark.slow
def test_previews_are_drawn_once_and_fill_their_shape_with_paper(tmp_path, missing, monkeypatch):
    if not publish.browser.find():
        missing("no browser")
    found = previews(["unfold", "bptt"], tmp_path)
    assert len({path.read_bytes() for path in found.values()}) == 2
    for path in found.values():
        image = Image.open(path).convert("RGB")
        assert image.size == SIZE
        assert image.getpixel((5, 5)) == (255, 255, 255)
        assert len(image.getcolors()) > 10
    monkeypatch.setattr(publish.browser, "browse", None)
    assert previews(["unfold", "bptt"], tmp_path) == found


def test_without_a_browser_there_is_no_preview(tmp_path, monkeypatch):
    monkeypatch.setattr(publish.browser, "find", lambda: None)
    assert previews(["unfold"], tmp_path) == {}
