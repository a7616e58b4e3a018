"""The text face: small, free, complete, and there before the text is shown."""

import re
from html.parser import HTMLParser

import pytest
from reader import CHAPTER, CLAIM_PAGES, OWN_PAGE, PAGES, reading, rest

from rnn_helpers.site import STATIC

SHEET = (STATIC / "unfolded.css").read_text("utf-8")
FACES = [rule for rule in re.findall(r"@font-face \{(.*?)\}", SHEET, re.S) if "url(" in rule]
FONTS = [STATIC / re.search(r'url\("([^"]+)"\)', face)[1] for face in FACES]
MOST_BYTES = 70_000
# Letters that the reader's own faces show: Greek, and signs that are rare in text.
FALLS_BACK = re.compile(r"[\u0370-\u03ff\u1d2c-\u1d6a⁰-ₜ←-⇿∀-⋿①-⓿─-◿☀-➿]")
EMPTY = {"br", "img", "input", "meta", "link", "hr", "wbr", "col", "source"}
# What the page sets in another face, or a screen reader alone reads.
ELSEWHERE = {"pre", "code", "svg", "math", "script", "style", "button", "summary"}
OTHER_CLASSES = {"katex", "unfolded-figure"}
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
    """The characters of a page that its text face sets."""

    def __init__(self, page):
        super().__init__()
        self.found, self.inside = set(), [False]
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        classes = set((dict(attrs).get("class") or "").split())
        if tag in EMPTY:
            return
        other = tag in ELSEWHERE or classes & OTHER_CLASSES
        self.inside.append((self.inside[-1] or "bd-article" in classes) and not other)

    def handle_endtag(self, tag):
        if tag not in EMPTY and len(self.inside) > 1:
            self.inside.pop()

    def handle_data(self, data):
        if self.inside[-1]:
            self.found.update(data)


def test_the_fonts_are_small():
    assert len(set(FONTS)) == len(FACES)
    assert sorted(FONTS) == sorted((STATIC / "text").glob("*.woff*"))
    assert sum(font.stat().st_size for font in FONTS) <= MOST_BYTES


def test_the_license_lies_beside_the_fonts_and_its_reserved_name_is_not_used(site):
    for folder in (STATIC, site / "_static"):
        text = (folder / "text/LICENSE").read_text("utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in text
        assert "Reserved Font Name 'Source'" in text
    assert not re.search(r"font-family: \"?Source", "".join(FACES))


@pytest.mark.parametrize("name", [*PAGES, *OWN_PAGE.values(), *CLAIM_PAGES])
def test_the_face_has_the_letters_of_a_page(site, name):
    text = Text((site / f"{name}.html").read_text("utf-8")).found
    assert text
    drawn = set().union(*map(letters, FACES)) | {"\n"}
    assert sorted(c for c in text - drawn if not FALLS_BACK.match(c)) == []


@pytest.mark.parametrize("face", FACES, ids=[font.stem for font in FONTS])
def test_a_font_has_every_letter_that_its_style_sheet_promises(browser, site, face):
    with reading(browser, (site / "book/bibliography.html").as_uri(), scroll=False) as page:
        page.evaluate(FAMILY, "".join(sorted(letters(face) - {" ", "\u00a0", "\u00ad"})))
        if "italic" in face:
            page.add_style_tag(content="#specimen { font-style: italic; }")
        page.evaluate("() => document.fonts.ready")
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
def test_nothing_moves_while_a_page_loads(request, browser, site, name, width, protocol):
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


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", sorted(set(CHAPTER.values())))
def test_nothing_moves_while_a_chapter_is_scrolled_quickly(browser, address, name, width):
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
