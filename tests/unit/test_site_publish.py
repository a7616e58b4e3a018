"""The published site: its address, its pages and their previews."""

import errno
import os

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from press import publish
from press.publish import SIZE, Site, previews, site_address, text
from press.root import addresses, moved_up

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
    """Return a page's metadata by name."""
    found = BeautifulSoup(page, "html.parser").find_all("meta")
    return {tag.get("property") or tag["name"]: tag["content"] for tag in found}


@pytest.mark.parametrize("given", ["https://a.org", "https://a.org/rnn", "http://localhost:1/b/"])
def test_an_address_ends_in_a_slash(given):
    assert site_address(given) == given.rstrip("/") + "/"


@pytest.mark.parametrize(
    "given",
    [
        "",
        "a.org",
        "/rnn",
        "ftp://a.org",
        "https://a.org/?b",
        "https://a.org/#b",
        "https://a.org/a b/",
        "https://a.org/\n",
        "https://name:word@a.org/",
        'https://a.org/"b"',
        "https://a.org/'b'",
        "https://a.org/<b>",
        "https:///b",
    ],
)
def test_invalid_addresses_are_refused(given, tmp_path):
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


def test_an_address_from_the_settings_is_not_repeated(site):
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


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A function that publishes a small site, with the given changes to its folders."""
    monkeypatch.setattr(publish.browser, "find", lambda: None)
    book, folder = tmp_path / "book", tmp_path / "html"
    (book / "extra/.well-known").mkdir(parents=True)
    (folder / "book").mkdir(parents=True)
    for name in ("index.html", "book/index.html", "logo.txt"):
        (folder / name).write_text(INDEX, "utf-8")

    def build(target=tmp_path / "dist/site", base=BASE):
        return publish.publish(base, folder, book, target)

    return build


def listed(folder):
    """List the files of a folder."""
    return sorted(
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    )


def test_the_publishers_own_files_are_at_the_root_of_the_site(built, tmp_path):
    for name in ("CNAME", ".well-known/key.txt", "robots.txt"):
        (tmp_path / "book/extra" / name).write_text(name, "utf-8")
    for _ in range(2):  # also in a folder that is there already
        folder = built()
        assert (folder / "CNAME").read_text("utf-8") == "CNAME"
        assert (folder / "robots.txt").read_text("utf-8") == "robots.txt"
        assert ".well-known/key.txt" in listed(folder)
        assert listed(folder.parent) == [f"site/{name}" for name in listed(folder)]


def test_an_own_file_cannot_replace_one_of_the_site(built, tmp_path):
    (tmp_path / "book/extra/index.html").write_text("mine", "utf-8")
    with pytest.raises(ValueError, match=r"extra/index.html would replace a file of the site"):
        built()


def test_a_checkout_or_a_link_in_the_place_of_the_site_is_not_deleted(built, tmp_path):
    checkout, link = tmp_path / "checkout", tmp_path / "link"
    checkout.mkdir()
    (checkout / ".git").write_text("gitdir: elsewhere", "utf-8")
    link.symlink_to(checkout)
    for target in (checkout, link):
        with pytest.raises(ValueError, match="is a link or a checkout"):
            built(target)
    assert listed(checkout) == [".git"]


def test_a_full_disk_leaves_only_the_old_site(built, tmp_path, monkeypatch):
    folder = built()
    before = listed(tmp_path)

    def fail(self, content):
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(publish.Path, "write_bytes", fail)
    with pytest.raises(OSError, match="No space left"):
        built()
    assert listed(tmp_path) == before
    assert [path.name for path in folder.parent.iterdir()] == ["site"]


def test_of_two_publications_at_once_the_last_one_is_complete(built, monkeypatch):
    """The other one ends while this one writes its files."""
    copied = publish.shutil.copyfile
    pid = os.getpid()

    def meanwhile(*paths):
        monkeypatch.setattr(publish.shutil, "copyfile", copied)
        with monkeypatch.context() as other:
            other.setattr("os.getpid", lambda: pid + 1)
            built(base="https://other.org/")
        return copied(*paths)

    monkeypatch.setattr(publish.shutil, "copyfile", meanwhile)
    folder = built()
    assert BASE in (folder / "index.html").read_text("utf-8")
    assert {"index.html", "book/index.html", "sitemap.xml"} <= set(listed(folder))
    assert [path.name for path in folder.parent.iterdir()] == ["site"]
