"""The files of the built site: links that lead somewhere, pages within their budget."""

import gzip
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from books import cells, contains_nan, every_chapter
from fontTools.ttLib import TTFont
from reader import ALONE, CLAIM_PAGES, OWN_PAGE, PAGES

from press import PLAIN, downloads, icons
from press.classroom import NOT_HANDED_OUT
from rnn_helpers.experiments import load

WHOLE = [*PAGES, *OWN_PAGE.values(), *CLAIM_PAGES]
every_page = pytest.mark.parametrize("name", WHOLE)
every_file = pytest.mark.parametrize("name", [*WHOLE, *ALONE.values()])
THEMES = "light", "dark"
PAGE_BYTES = 150_000  # gzipped, without its pictures
PICTURE_BYTES = 1_500_000
SITE_BYTES = 25_000_000


class Page(HTMLParser):
    """The addresses a page names, the anchors it has, and its pictures."""

    def __init__(self, path):
        super().__init__()
        self.path = path
        self.links, self.loads, self.anchors, self.images = [], [], set(), []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.anchors.add(attrs["id"])
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if tag == "img":
            self.images.append((attrs.get("src", ""), attrs.get("alt")))
        source = attrs.get("src") or (tag == "link" and attrs.get("href"))
        if source:
            self.loads.append(source)

    handle_startendtag = handle_starttag


read = cache(Page)


@cache
def sheet(site):
    return (site / "_static" / icons.SHEET).read_text("utf-8")


@cache
def drawn(site):
    """The letters that the fonts of icons hold."""
    fonts = (site / "_static" / icons.FONTS).glob("*.woff")
    return {letter for font in fonts for letter in TTFont(font).getBestCmap()}


def local(page, address):
    return (page.path.parent / unquote(urlsplit(address).path)).resolve()


def test_code_is_marked_where_it_has_a_colour_of_its_own_and_nowhere_else(site):
    sheet = (site / "_static" / "pygments.css").read_text("utf-8")
    for theme in THEMES:
        base = re.search(rf'theme="{theme}"\] \.highlight \{{.* color: (#\w+)', sheet)[1]
        for plain in "npw":
            assert f'theme="{theme}"] .highlight .{plain} {{ color: {base} }}' in sheet
    text = (site / "book/03_rnn.html").read_text("utf-8")
    assert not PLAIN.search(text)
    assert '<span class="k">' in text


@every_file
def test_links_within_the_site_lead_somewhere(site, name):
    page = read(site / f"{name}.html")
    dead = []
    for address in page.links:
        parts = urlsplit(address)
        if parts.scheme or parts.netloc or "slides/" in parts.path:
            continue
        target = local(page, address) if parts.path else page.path
        if not target.exists():
            dead.append(address)
        elif parts.fragment and target.suffix == ".html":
            anchors = page.anchors if target == page.path else read(target).anchors
            if unquote(parts.fragment).partition("?")[0] not in anchors:
                dead.append(address)
    assert dead == []


@every_page
def test_a_page_links_to_decks_where_decks_are_put(name, site):
    page = read(site / f"{name}.html")
    decks = [link for link in page.links if "slides/" in link]
    assert all(local(page, link).parent == site / "book" / "slides" for link in decks)


@every_file
def test_everything_a_page_loads_is_in_the_site(site, name):
    page = read(site / f"{name}.html")
    assert [a for a in page.loads if urlsplit(a).scheme not in ("", "data")] == []
    files = [local(page, a) for a in page.loads if not a.startswith("data:")]
    assert [path for path in files if not path.exists() or not path.is_relative_to(site)] == []


@every_page
def test_every_icon_of_a_page_is_drawn(site, name):
    named = re.findall(
        r'<(?:i|span) [^>]*class="(fa\w* fa-[^"]*)"', (site / f"{name}.html").read_text("utf-8")
    )
    assert named
    for classes in set(named):
        shown = [
            icon
            for icon in classes.split()
            if (rule := re.search(rf'\.{icon}:before[^{{}}]*\{{content:"([^"]*)"', sheet(site)))
            and icons.letters(rule[1]) <= drawn(site)
        ]
        assert shown, classes


@pytest.mark.parametrize("path", ["styles/pydata-sphinx-theme.css", "styles/sphinx-book-theme.css"])
def test_every_icon_of_the_theme_is_drawn(site, path):
    wanted = icons.letters((site / "_static" / path).read_text("utf-8"))
    assert wanted
    assert wanted <= drawn(site)


@every_file
def test_every_picture_has_a_description(site, name):
    images = read(site / f"{name}.html").images
    logos = re.compile(r"_static/logo")  # next to the book's name
    assert [src for src, alt in images if not alt and not logos.search(src)] == []
    assert [alt for _, alt in images if contains_nan(alt)] == []


@every_page
def test_a_page_keeps_its_budget(site, name):
    path = site / f"{name}.html"
    assert len(gzip.compress(path.read_bytes())) <= PAGE_BYTES
    page = read(path)
    pictures = {local(page, src) for src, _ in page.images if not src.startswith("data:")}
    assert sum(picture.stat().st_size for picture in pictures) <= PICTURE_BYTES


@pytest.mark.parametrize("name", CLAIM_PAGES)
def test_every_picture_of_a_claim_has_both_themes(site, name):
    text = (site / f"{name}.html").read_text("utf-8")
    light, dark = (re.findall(rf'<img class="only-{one}" src="([^"]+)"', text) for one in THEMES)
    assert len(light) == len(dark) == len(load(Path(name).name).experiment.pictures)
    assert not set(light) & set(dark)  # a picture is named after its content


@every_file
def test_the_policy_comes_first(site, name):
    head = (site / f"{name}.html").read_text("utf-8").split("<head>")[1].lstrip()
    assert head.startswith('<meta http-equiv="Content-Security-Policy"')


@every_file
def test_dark_reader_leaves_a_page_as_it_is(site, name):
    assert '<meta name="darkreader-lock">' in (site / f"{name}.html").read_text("utf-8")


@every_file
def test_no_page_names_a_place_on_this_machine(site, name):
    text = (site / f"{name}.html").read_text("utf-8")
    assert str(Path(__file__).parents[2]) not in text


def test_the_site_has_no_source_maps_and_asks_for_none(site):
    assert list(site.rglob("*.map")) == []
    texts = [path for kind in ("js", "css") for path in site.rglob(f"*.{kind}")]
    assert [path for path in texts if "sourceMappingURL=" in path.read_text("utf-8")] == []


def test_the_site_fits_into_a_hand_out(site):
    files = (path for path in site.rglob("*") if path.is_file())
    # The archive of the notebooks has a separate limit.
    handed_out = (
        path
        for path in files
        if path.suffix not in NOT_HANDED_OUT and path.name != downloads.ARCHIVE
    )
    assert sum(path.stat().st_size for path in handed_out) <= SITE_BYTES


@every_chapter
def test_the_build_prints_the_outputs_that_a_chapter_keeps(site, path):
    ran = nbformat.read(site.parent / "jupyter_execute" / "book" / path.name, as_version=4)
    built = {cell.id: cell for cell in ran.cells}
    kept = [cell for cell in cells(path) if "nbval-check-output" in cell.metadata.get("tags", [])]
    assert kept
    for cell in kept:
        told, now = (
            "".join(output.text for output in one.outputs) for one in (cell, built[cell.id])
        )
        assert told == now, cell.id
