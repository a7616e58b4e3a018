"""The published folder, served below a path as on a host, with solutions and without."""

import hashlib
import html
import re
from html.parser import HTMLParser
from urllib.error import HTTPError
from urllib.parse import unquote, urldefrag, urljoin, urlsplit
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest
from books import NOTEBOOKS, every_chapter
from PIL import Image
from reader import loaded, reading
from secrecy import read, secret_phrases, secrets_and_rest

from press import browser as chromium
from press.gallery import GALLERY, figures
from press.publish import LENGTH, SIZE, publish, shortened
from press.serve import serving
from press.slides import DECKS

BASE = "https://example.org/unfolded/"
PATH = urlsplit(BASE).path
MISSING = "404.html"
WORDS = ["og:type", "og:site_name", "og:title", "og:description", "og:url", "twitter:card"]
PICTURE = ["og:image", "og:image:width", "og:image:height", "og:image:alt"]

pytestmark = pytest.mark.xdist_group("published")


class Page(HTMLParser):
    """A page's links, anchors, and tags for search engines and previews."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.canonical, self.tags = set(), set(), [], []
        self.feed(text)
        self.told = dict(self.tags)
        self.is_listed = "noindex" not in self.told.get("robots", "")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.anchors.add(attrs.get("id"))
        if tag == "meta" and "content" in attrs:
            self.tags.append((attrs.get("property") or attrs.get("name"), attrs["content"]))
        if tag == "link" and attrs.get("rel") == "canonical":
            self.canonical.append(attrs["href"])
        else:
            self.links |= {attrs[name] for name in ("href", "src", "action") if attrs.get(name)}

    handle_startendtag = handle_starttag


class Published:
    """A published folder, served below a path."""

    def __init__(self, folder, address):
        self.folder, self.address = folder, address
        self.pages = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.html")}
        self.read = {name: Page(path.read_text("utf-8")) for name, path in self.pages.items()}


@pytest.fixture(scope="module", params=["with-solutions", "without-solutions"])
def published(request, site, tmp_path_factory):
    root = tmp_path_factory.mktemp("host")
    solutions = request.param == "with-solutions"
    folder = publish(BASE, site=site, target=root / PATH.strip("/"), solutions=solutions)
    with serving(root) as host:
        found = Published(folder, host + PATH)
        found.solutions = solutions
        yield found


def status(url):
    try:
        with urlopen(url) as answer:
            return answer.status
    except HTTPError as error:
        return error.code


def test_every_link_leads_somewhere(published):
    dead, seen = set(), {}
    for name, page in published.read.items():
        # A host shows this page at any address.
        place = "no/such/page" if name == MISSING else name
        for link in page.links:
            if link.startswith("#"):
                if unquote(link[1:]).partition("?")[0] not in {*page.anchors, ""}:
                    dead.add((name, link))
                continue
            url, anchor = urldefrag(urljoin(published.address + place, link))
            if not url.startswith(published.address):
                if not urlsplit(link).scheme:
                    dead.add((name, link))
                continue
            target = url.removeprefix(published.address).partition("?")[0] or "index.html"
            if url not in seen:
                seen[url] = status(url)
            anchors = published.read[target].anchors if target in published.read else {anchor}
            found = unquote(anchor).partition("?")[0] in anchors if anchor else True
            # An anchor of a deck is a slide, which its script numbers.
            if seen[url] != 200 or not (found or target.startswith(DECKS)):
                dead.add((name, link))
    assert dead == set()
    assert len(seen) > len(published.pages)


def test_the_root_is_the_first_page_without_a_redirect(published):
    text = published.pages["index.html"].read_text("utf-8")
    assert "refresh" not in text.partition("<body")[0]
    assert 'href="book/01_state.html"' in text
    assert 'data-content_root="./"' in text


def test_a_listed_page_names_its_one_address_once(published):
    for name, page in published.read.items():
        expected = BASE if name in ("index.html", "book/index.html") else BASE + name
        assert page.canonical == [expected] * page.is_listed, name
        assert not page.is_listed or page.told["og:url"] == expected


def test_every_page_describes_itself(published):
    described = {}
    for name, page in published.read.items():
        if not page.is_listed:
            continue
        wanted = [*WORDS, "description", *(PICTURE if chromium.find() else [])]
        assert sorted(key for key, _ in page.tags if key in wanted) == sorted(wanted), name
        told = page.told
        assert told["og:site_name"] == "Unfolded"
        assert told["description"] == told["og:description"]
        assert 20 < len(told["description"]) <= len("Slides: ") + LENGTH, name
        assert "<" not in told["og:title"]
        described.setdefault(told["description"], []).append(name)
    several = [set(names) for names in described.values() if len(names) > 1]
    assert several == [{"book/index.html", "index.html"}]


def test_chapters_are_described_by_their_question_and_figures_by_their_story(published):
    first = published.pages["book/index.html"].read_text("utf-8")
    for path in NOTEBOOKS:
        description = published.read[f"book/{path.stem}.html"].told["description"]
        assert "?" in description
        assert html.escape(description[:30], quote=False) in " ".join(first.split())
        slides = published.read[f"{DECKS}/{path.stem}.html"].told["description"]
        assert slides == f"Slides: {description}"
    for name, meta in figures().items():
        told = published.read[f"{GALLERY}/{name}.html"].told
        assert told["og:title"] == meta["question"].replace("'", "’")
        assert told["description"] == shortened(meta["story"])


def test_previews_are_pictures_of_the_site(published, missing):
    if not chromium.find():
        missing("no browser")
    for page in published.read.values():
        picture = page.told.get("og:image")
        if picture:
            assert picture.startswith(BASE)
            with Image.open(published.folder / picture.removeprefix(BASE)) as image:
                assert image.size == SIZE


def test_search_engines_find_each_page_once(published):
    tree = ElementTree.parse(published.folder / "sitemap.xml")
    listed = [node.text for node in tree.iter() if node.tag.endswith("loc")]
    canonical = {url for page in published.read.values() for url in page.canonical}
    assert sorted(listed) == sorted(canonical)
    robots = (published.folder / "robots.txt").read_text("utf-8")
    assert f"Sitemap: {BASE}sitemap.xml" in robots


def test_the_address_of_a_loaded_file_changes_with_its_content(published):
    kinds = (".js", ".css", ".svg", ".png", ".webp")
    named_by_content = re.compile(r"/[0-9a-f]{16}\.\w+$")
    versions = {}
    for name, page in published.read.items():
        for link in page.links:
            path, _, query = urljoin(PATH + name, link).partition("#")[0].partition("?")
            if path.startswith(PATH) and path.endswith(kinds) and not named_by_content.search(path):
                versions.setdefault(path.removeprefix(PATH), set()).add(query)
    assert len(versions) > 100
    for path, found in versions.items():
        digest = hashlib.sha256((published.folder / unquote(path)).read_bytes()).hexdigest()
        assert found == {f"v={digest[:8]}"}, path


def test_github_serves_all_folders(published):
    assert (published.folder / ".nojekyll").read_bytes() == b""


def test_the_page_for_a_missing_address_works_in_any_folder(published, browser):
    text = published.pages[MISSING].read_text("utf-8")
    folder = published.folder / "deep/er"
    folder.mkdir(parents=True)
    (folder / "page.html").write_text(text, "utf-8")
    with reading(browser, f"{published.address}deep/er/page.html") as page:
        assert page.locator("article h1").inner_text().startswith("There is no such page")
        page.get_by_role("link", name="the first page").click()
        assert page.url == f"{published.address}book/index.html"
        assert page.complaints == []


@pytest.mark.parametrize(
    "name", ["", "book/04_bptt.html", f"{GALLERY}/bptt.html", "search.html?q=gradient"]
)
def test_a_page_works_below_a_path(published, browser, name):
    with reading(browser, published.address + name) as page:
        loaded(page)
        assert page.complaints == []


@pytest.fixture(scope="module")
def without(published):
    if published.solutions:
        pytest.skip("this site keeps its solutions")
    return published


@pytest.fixture(scope="module")
def words(without):
    """The words of everything in the folder."""
    files = (path for path in without.folder.rglob("*") if path.is_file())
    return "\n".join(read(path.name, path.read_bytes()) for path in files)


@every_chapter
def test_no_solution_and_no_note_is_published(path, words):
    for secret in secrets_and_rest(path)[:2]:
        phrases = secret_phrases(secret)
        assert len(phrases) > 10
        assert {phrase for phrase in phrases if phrase in words} == set()
