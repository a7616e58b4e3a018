"""The faces of the book: small, free, complete, and there before the text is shown."""

import base64
import io
import re
from html.parser import HTMLParser

import pytest
from fontTools.ttLib import TTFont
from reader import ALONE, CHAPTER, CLAIM_PAGES, EACH_FIGURE, OWN_PAGE, PAGES, reading, rest

from press import STATIC
from press.still.defaults import drawable
from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import picture_file, static_file

SHEET = (STATIC / "unfolded.css").read_text("utf-8")
FACES = [rule for rule in re.findall(r"@font-face \{(.*?)\}", SHEET, re.S) if "url(" in rule]
FONTS = [STATIC / re.search(r'url\("([^"]+)"\)', face)[1] for face in FACES]
MOST_BYTES = 70_000
INSIDE = re.compile(r"@font-face\{[^}]*url\(data:font/woff2;base64,([^)]+)\)[^}]*\}")
SANS, MATH = (
    [base64.b64decode(font) for font in INSIDE.findall(static_file(name).read_text("utf-8"))]
    for name in ("sans.css", "figures.css")
)
MOST_SANS_BYTES = 60_000
CHAPTERS = sorted(set(CHAPTER.values()))
DECKS = [f"book/slides/{name}" for name in CHAPTERS]
UNSEEN = {"\n", "\t", "\u200b"}  # the last is a place where a line may end
EMPTY = {"br", "img", "input", "meta", "link", "hr", "wbr", "col", "source"}
# Code has a monospace face of the reader's, and the other elements are never seen.
ELSEWHERE = {"pre", "code", "kbd", "script", "style", "template", "title", "textarea", "option"}
# KaTeX brings its fonts, and the part of a formula for screen readers isn't shown.
OTHER_CLASSES = {"katex", "uf-hidden", "visually-hidden"}
MOST_SHIFT = 0.02
SHIFTS = """window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
SCROLL = """async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += 400) {
    scrollTo({ top: y, behavior: "instant" });
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  }
}"""
FAMILY = """(text) => {
  const line = document.createElement("p");
  line.id = "specimen";
  line.textContent = text;
  document.querySelector(".bd-article section").append(line);
}"""


def letters(face):
    """The characters of a face's ``unicode-range``."""
    found = re.search(r"unicode-range: ([^;]+);", face)[1]
    ends = [[int(end, 16) for end in part.split("-")] for part in re.findall(r"U\+([\w-]+)", found)]
    return {chr(code) for first, *last in ends for code in range(first, (last or [first])[0] + 1)}


class Text(HTMLParser):
    """The characters of a page that the book's faces show."""

    def __init__(self, page):
        super().__init__()
        self.found, self.inside = set(), [False]
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag in EMPTY:
            return
        classes = set((dict(attrs).get("class") or "").split())
        other = tag in {*ELSEWHERE, "math"} or classes & OTHER_CLASSES
        self.inside.append((self.inside[-1] or tag == "body") and not other)

    def handle_endtag(self, tag):
        if tag not in EMPTY and len(self.inside) > 1:
            self.inside.pop()

    def handle_data(self, data):
        if self.inside[-1]:
            self.found.update(data)


def in_fonts(fonts):
    """Return the characters that fonts have in every style."""
    return {chr(code) for font in fonts for code in TTFont(io.BytesIO(font)).getBestCmap()}


def sets_code(tools, node):
    """Return whether an element's text is in a monospace face."""
    styles = tools.send("CSS.getComputedStyleForNode", {"nodeId": node})["computedStyle"]
    family = next(style["value"] for style in styles if style["name"] == "font-family")
    return "monospace" in family


def elsewhere(page):
    """Return the visible words of a page for which the browser uses a face of the reader's."""
    rest(page)  # a figure that draws itself again has other nodes
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    found = []

    def look(node):
        attributes = node.get("attributes", [])
        given = dict(zip(attributes[::2], attributes[1::2], strict=True))
        if node["localName"] in ELSEWHERE or OTHER_CLASSES & {*given.get("class", "").split()}:
            return
        children = node.get("children", [])
        words = "".join(child["nodeValue"] for child in children if child["nodeType"] == 3).strip()
        if words:
            id = {"nodeId": node["nodeId"]}
            fonts = tools.send("CSS.getPlatformFontsForNode", id)["fonts"]
            strange = [font["familyName"] for font in fonts if not font["isCustomFont"]]
            inside = [node, *(child for child in children if child["nodeType"] == 1)]
            if strange and not any(sets_code(tools, one["nodeId"]) for one in inside):
                found.append((node["localName"], words, strange))
        for child in children:
            if child["nodeType"] == 1:
                look(child)

    root = tools.send("DOM.getDocument", {"depth": -1})["root"]
    html = next(child for child in root["children"] if child["nodeType"] == 1)
    look(html["children"][-1])
    return found


def test_the_fonts_are_small():
    assert len(set(FONTS)) == len(FACES)
    assert sorted(FONTS) == sorted((STATIC / "text").glob("*.woff*"))
    assert sum(font.stat().st_size for font in FONTS) <= MOST_BYTES
    assert sum(map(len, SANS)) <= MOST_SANS_BYTES


def test_the_license_lies_beside_the_fonts_and_its_reserved_name_is_not_used(site):
    for folder in (STATIC, site / "_static"):
        text = (folder / "text/LICENSE").read_text("utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
        assert "Reserved Font Name 'Source'" in text
        assert "GUST Font License" in (folder / "text/LICENSE-math").read_text("utf-8")
    assert not re.search(r"font-family: \"?Source", "".join(FACES))
    for font in SANS:
        names = TTFont(io.BytesIO(font))["name"].names
        assert not any("Source" in str(name) for name in names if name.nameID)  # 0: copyright


@pytest.mark.parametrize(
    "name", [*PAGES, *OWN_PAGE.values(), *ALONE.values(), *CLAIM_PAGES, *DECKS]
)
def test_the_faces_have_the_letters_of_a_page(site, name):
    text = Text((site / f"{name}.html").read_text("utf-8")).found
    assert text
    assert sorted(text - in_fonts(SANS) - UNSEEN) == []


@pytest.mark.parametrize("name", manifest())
def test_the_faces_have_the_letters_of_every_state_of_a_figure(name):
    files = [static_file(f"figures/{name}.{kind}") for kind in ("js", "css")]
    text = "".join(path.read_text("utf-8") for path in files)
    formulas = "".join(re.findall("<math.*?</math>", text, re.S))
    words = {letter for letter in re.sub("<math.*?</math>", "", text, flags=re.S) if letter > "~"}
    assert sorted(words - in_fonts(SANS) - UNSEEN) == []
    assert sorted({*re.sub("<[^>]*>", "", formulas)} - in_fonts(MATH) - {"\\"}) == []


@pytest.mark.nightly("02_unfolding", "index", "notation", files=["press/static/"])
@pytest.mark.parametrize(
    "name", [*(f"book/{name}" for name in CHAPTERS), "book/index", "book/notation"]
)
def test_a_page_uses_no_face_of_the_readers(browser, site, name):
    with reading(browser, (site / f"{name}.html").as_uri()) as page:
        assert elsewhere(page) == []


@pytest.mark.nightly("unfold", "result", "eigen")
@pytest.mark.parametrize("name", EACH_FIGURE)
def test_a_figure_uses_no_face_of_the_readers(browser, site, name):
    with reading(browser, (site / f"{ALONE[name]}.html").as_uri()) as page:
        assert elsewhere(page) == []


@pytest.mark.nightly("unfold", "result", "eigen", files=["press/still/"])
@pytest.mark.parametrize("name", drawable())
def test_a_picture_uses_no_face_of_the_readers(browser, name):
    with reading(browser, picture_file(name).as_uri(), scroll=False) as page:
        assert elsewhere(page) == []


@pytest.mark.nightly("02_unfolding", "13_long_term", files=["press/static/"])
@pytest.mark.parametrize("name", DECKS)
def test_a_deck_uses_no_face_of_the_readers(browser, site, name):
    url = (site / f"{name}.html").as_uri() + "?print-pdf"
    with reading(browser, url, scroll=False) as page:
        page.wait_for_selector(".pdf-page")
        assert elsewhere(page) == []


@pytest.mark.parametrize("face", FACES, ids=[font.stem for font in FONTS])
def test_a_font_has_every_letter_that_its_style_sheet_promises(browser, site, face):
    with reading(browser, (site / "book/bibliography.html").as_uri(), scroll=False) as page:
        page.evaluate(FAMILY, "".join(sorted(letters(face) - {" ", "\u00a0", "\u00ad"})))
        if "italic" in face:
            page.add_style_tag(content="#specimen { font-style: italic; }")
        # Only a layout asks for the files of the letters that are there.
        page.evaluate("() => document.body.offsetHeight && document.fonts.ready")
        tools = page.context.new_cdp_session(page)
        tools.send("DOM.enable")
        tools.send("CSS.enable")
        root = tools.send("DOM.getDocument")["root"]["nodeId"]
        node = tools.send("DOM.querySelector", {"nodeId": root, "selector": "#specimen"})
        used = tools.send("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})["fonts"]
        assert {font["isCustomFont"] for font in used} == {True}
        assert not any("Source" in font["familyName"] for font in used)
        assert page.complaints == []


@pytest.mark.parametrize("protocol", ["http", "file"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["book/index", "book/04_bptt", OWN_PAGE["unfold"]])
def test_the_layout_is_stable_while_a_page_loads(request, browser, site, name, width, protocol):
    url = (site / f"{name}.html").as_uri()
    if protocol == "http":
        url = f"{request.getfixturevalue('address')}/{name}.html"
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.add_init_script(SHIFTS)
    page.goto(url)
    rest(page)
    assert page.evaluate("() => document.fonts.check('1em \"Unfolded Serif\"')")
    assert page.evaluate("() => shift") <= MOST_SHIFT
    context.close()


@pytest.mark.nightly("02_unfolding", "13_long_term-390")
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", CHAPTERS)
def test_the_layout_is_stable_while_a_chapter_is_scrolled_quickly(browser, address, name, width):
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    page.add_init_script(SHIFTS)
    page.goto(f"{address}/book/{name}.html")
    rest(page)
    page.evaluate(SCROLL)
    rest(page)
    assert page.locator("figure[data-live]").count() > 0
    assert page.evaluate("() => shift") <= MOST_SHIFT
    context.close()
