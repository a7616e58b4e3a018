"""Each deck, rehearsed from ``file://`` with the network off."""

import io
import json
import re
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from reader import pressed, rest, together, violations

from press.deck import LESSON, Deck
from press.slides import BOOK, DECKS, SITE

PATHS = sorted((BOOK / "slides").glob("[0-9][0-9]_*.md"))


def on(paths):
    """Have a test's decks opened once each, and played with by one worker."""
    decks = [together(path, path.stem, pytest.mark.chapter(path.name[:2])) for path in paths]
    return pytest.mark.parametrize("path", decks, scope="module")


def most_notes(path):
    return max(len(slide.notes) for slide in Deck.read(path).slides)


# Test a deck's own content in each deck, and deck.js, which all share, in the first
# deck and in the one whose presenter has most to read on a slide.
every_deck = on(PATHS)
any_deck = on(dict.fromkeys([PATHS[0], max(PATHS, key=most_notes)]))

MEASURE = Path(__file__).with_name("measure_slide.js").read_text("utf-8")


# What of a slide comes near the progress bar, which takes the lowest 5 px. The picture of a plot
# has a separate margin.
NEAR_THE_BAR = """() => [...Reveal.getCurrentSlide().querySelectorAll("*")].filter((el) => {
  if (el.closest("aside, .katex-mathml, .uf-hidden, .chain")) return false;
  const box = el.getBoundingClientRect();
  if (!box.width || !box.height || getComputedStyle(el).visibility === "hidden") return false;
  const written = [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const seen = "button, input:not([type=radio]), select, img, pre, .highlight";
  return (written || el.matches(seen)) && box.bottom > (el.localName === "img" ? 715.5 : 709);
}).map((el) => `${el.localName} ${el.textContent.trim().slice(0, 40)}`)"""


# The lines that the room can read on a slide: its title, its text, the words in figures, and the
# description of each plot. The choices of a prediction have to contain the right one, and the
# status line of a figure that asks follows the figure only after a moment.
LINES = """() => {
  const slide = Reveal.getCurrentSlide();
  const apart = [...slide.querySelectorAll(".fig-predict .choices, .uf-asking > [role=status]")];
  for (const node of apart) node.style.visibility = "hidden";
  const lines = slide.innerText.split("\\n");
  for (const node of apart) node.style.visibility = "";
  for (const el of slide.querySelectorAll("svg text, .plot img"))
    if (el.checkVisibility({ visibilityProperty: true }))
      lines.push(...(el.alt?.split(/[.;:] /) ?? [el.textContent]));
  return lines;
}"""
STOP = set(
    re.findall(r"\w+", "a an and are as at be by for from in is it its of on or the they to")
)


def words(text):
    plain = text.lower().replace("\u2212", "-").replace("\u2019", "'")
    return set(re.findall(r"\d+(?:\.\d+)?|[^\W\d_]+", plain)) - STOP


def given_away(answers, lines):
    """Return the answers all of whose words are in one of the lines."""
    return [answer for answer in answers if any(words(answer) <= words(line) for line in lines)]


# What is wrong with the printed slides: a figure without its drawing or its question, a control, an
# answer given away, something that reaches past its page, a formula under its number.
PRINTED = """() => [...document.querySelectorAll(".slides section")].flatMap((slide) => {
  const wrong = [];
  const page = slide.getBoundingClientRect();
  const seen = (el) => el.getBoundingClientRect().height > 0;
  for (const figure of slide.querySelectorAll(".unfolded-figure")) {
    const drawn = figure.querySelectorAll(".unfolded-stage, .unfolded-fallback .unfolded-question");
    if ([...drawn].filter(seen).length !== 1) wrong.push("no drawing, or two");
    const idle =
      ".uf-controls > button, .uf-control, .presets, .unfolded-reset, .unfolded-fallback details";
    if ([...figure.querySelectorAll(idle)].some(seen)) wrong.push("a control or an answer");
  }
  for (const el of slide.querySelectorAll(".column > *, header, .title *")) {
    const box = el.getBoundingClientRect();
    const [left, right] = [box.left - page.left, page.right - box.right];
    if (seen(el) && !el.closest("aside, .chain") &&
        Math.min(left, right - 20, box.top - page.top - 20, page.bottom - box.bottom) < 0)
      wrong.push(`over the edge: ${el.localName}.${el.className}`);
  }
  for (const el of slide.querySelectorAll(".katex-display, pre"))
    if (el.scrollWidth > el.clientWidth + 1) wrong.push(`too wide: ${el.textContent}`);
  // A text that a network wrote may be broken; a table must keep its columns.
  for (const el of slide.querySelectorAll(".result.broken"))
    if (el.textContent.split("\\n").every((line) => line.length < 75))
      wrong.push(`broken: ${el.textContent}`);
  return wrong.map((what) => [slide.querySelector("h1, h2").textContent, what]);
})"""

CONTROLS = ":is([tabindex='0'], input, button, select):visible"

HEIGHTS = """() => [...Reveal.getCurrentSlide().querySelectorAll(
  ".unfolded-figure:not(:has(> .unfolded-fallback)) .unfolded-stage",
)].map((stage) => stage.offsetHeight)"""
# A still, printed-looking slide without its controls.
AS_ON_PAPER = """
* { animation: none !important; transition: none !important; }
.reveal :is(.uf-control, .uf-controls > button, .presets, .unfolded-reset),
.reveal .uf-controls:not(:has(> :not(.uf-control, .uf-controls, .presets, button))) {
  display: none !important;
}
.reveal .unfolded-figure:has(> .unfolded-fallback) .unfolded-stage { display: none !important; }
.reveal .unfolded-figure > .unfolded-fallback { display: block !important; }
.reveal .unfolded-fallback details { display: none !important; }
.controls, .progress, .leave, .title .keys { display: none !important; }
"""
# The presenter's notes: where they were scrolled to, how much of them is seen at once, and whether
# their last words come into the window. Scrolls to their end.
READ = """() => {
  const pane = document.querySelector(".speaker-controls-notes");
  const from = pane.scrollTop;
  pane.scrollTop = pane.scrollHeight;
  const inside = (box) => box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  return {
    from,
    share: pane.clientHeight / pane.scrollHeight,
    reaches: inside(pane.querySelector(".value").lastElementChild.getBoundingClientRect()),
    time: inside(document.querySelector(".pacing").getBoundingClientRect()),
  };
}"""
LOST = 0.02  # of a tile's pixels: a letter or two


@contextmanager
def screen(browser, width=1280, height=720, **options):
    """Yield a screen on which any log message or network request is an error."""
    size = {"width": width, "height": height}
    context = browser.new_context(offline=True, viewport=size, **options)
    page = context.new_page()
    complaints = []
    page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "request",
        lambda r: r.url.startswith(("file:", "data:", "blob:")) or complaints.append(r.url),
    )
    yield page
    assert complaints == []
    context.close()


@pytest.fixture(scope="module")
def opened(path, browser):
    """A deck; one after another, the tests leaf through it."""
    with screen(browser) as page:
        open_deck(page, path)
        yield page


@pytest.fixture
def deck(opened):
    """The deck at its title, in light."""
    opened.emulate_media(color_scheme="light", media="screen")
    opened.evaluate("() => (document.activeElement.blur(), Reveal.slide(0, 0, -1))")
    opened.mouse.move(0, 0)
    return opened


@pytest.fixture
def own(path, browser):
    """A deck that a test has for itself, for it remembers or opens another window."""
    with screen(browser) as page:
        open_deck(page, path)
        yield page


def open_deck(page, path, query=""):
    file = SITE / DECKS / f"{path.stem}.html"
    assert file.is_file(), "run `make slides` first"
    page.goto(file.as_uri() + query)
    page.wait_for_function("() => globalThis.Reveal?.isReady()")


def slides(page, start=0, step=1):
    """Go through the slides, with all steps shown and the figures living."""
    for k in range(start, page.evaluate("Reveal.getTotalSlides()"), step):
        page.evaluate("k => Reveal.slide(k, 0, 99)", k)
        settle(page)
        yield k


def settle(page):
    page.wait_for_function(
        """() => [...Reveal.getCurrentSlide().querySelectorAll(".unfolded-figure")]
          .every((figure) => figure.dataset.live)"""
    )
    page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")


def first_figure(page):
    """Go to the first slide with a figure that can be focused, at its last step; return it."""
    index = page.evaluate(
        """() => Reveal.getSlides().findIndex((slide) => slide.querySelector(".unfolded-figure"))"""
    )
    if index < 0:
        pytest.skip("this deck has no interactive figure")
    page.evaluate("k => Reveal.slide(k, 0, 99)", index)
    settle(page)
    return page.locator("section.present .unfolded-figure").first


def where(page):
    return page.evaluate("Reveal.getIndices().h")


def wear(deck, theme):
    """Show the deck in a theme."""
    deck.emulate_media(color_scheme=theme)
    deck.wait_for_function("t => document.documentElement.dataset.theme === t", arg=theme)


@pytest.mark.nightly("02_unfolding", "13_long_term")
@every_deck
def test_every_figure_lives_and_every_slide_fits_and_is_legible(deck):
    wrong = {}
    for theme in ("light", "dark"):
        wear(deck, theme)
        for k in slides(deck):
            lives = deck.evaluate(
                """() => [...Reveal.getCurrentSlide().querySelectorAll(".unfolded-figure")]
                  .every((figure) => figure.dataset.live === "true")"""
            )
            assert lives, k + 1
            found = deck.evaluate(MEASURE)
            found["bar"] = deck.evaluate(NEAR_THE_BAR)
            if any(found.values()):
                wrong[k, theme] = found
    assert not wrong, "\n".join(f"{where}: {found}" for where, found in wrong.items())


@pytest.mark.nightly("02_unfolding", "13_long_term")
@every_deck
def test_no_slide_shows_the_answer_to_the_question_in_its_notes(path, own):
    wrong, shown = {}, []
    for slide in Deck.read(path).slides:
        own.evaluate("k => Reveal.slide(k, 0, -1)", slide.number - 1)
        settle(own)
        wrong[slide.number] = given_away(slide.answers(before=False), own.evaluate(LINES))
        # What is asked before a slide is asked while all of the slide before it is shown.
        wrong[slide.number] += given_away(slide.answers(before=True), shown)
        own.evaluate("k => Reveal.slide(k, 0, 99)", slide.number - 1)
        shown = own.evaluate(LINES)
    assert {number: found for number, found in wrong.items() if found} == {}


@pytest.mark.parametrize("line", ["It takes four letters", "Letters: FOUR", "four  letters."])
def test_an_answer_is_given_away_by_a_line_with_all_its_words(line):
    assert given_away(["**four** of the letters", "five letters"], ["letters", line]) == [
        "**four** of the letters"
    ]


@pytest.mark.nightly("02_unfolding", "13_long_term")
@every_deck
def test_axe_finds_no_violations(deck):
    """Every other slide in light, the others in dark."""
    found = {}
    for first, theme in enumerate(["light", "dark"]):
        wear(deck, theme)
        for k in slides(deck, first, 2):
            # The frame around the slides is the same in every deck.
            wrong = violations(deck, None if k == first else ".slides > .present")
            if wrong != "[]":
                found[k] = wrong
    assert not found


@pytest.mark.nightly("02_unfolding", "13_long_term")
@every_deck
def test_an_answer_fits_below_its_question(deck):
    wrong = {}
    for k in slides(deck):
        for button in deck.locator("section.present .fig-predict .uf-button:visible").all():
            if "answer" in button.inner_text():
                button.click()
                settle(deck)
                wrong[k] = deck.evaluate(MEASURE)["over"]
    assert not any(wrong.values()), json.dumps(wrong, indent=1)


def asked_slides(deck):
    """Number the slides with a figure whose result is guessed."""
    return deck.evaluate(
        """() => Reveal.getSlides().flatMap((slide, k) =>
          slide.querySelector(".tells") ? [k] : [])"""
    )


# The number of estimates in a drawing: the points of its curves, which share a path, or its rows.
ESTIMATES = """const estimates = (stage) => {
  const curves = [...stage.querySelectorAll(".curve .shapes")];
  const points = curves.map((curve) => curve.getAttribute("d")?.match(/M/g)?.length ?? 0);
  if (curves.length) return points.reduce((all, some) => all + some);
  return stage.querySelectorAll("[data-node]").length;
}"""
# For each slide with a figure that asks: how many of its drawings are printed, and their estimates.
ON_PAPER = f"""() => {{
  {ESTIMATES};
  return [...document.querySelectorAll("section:has(.tells)")].map((slide) => {{
    const stages = [...slide.querySelectorAll(".unfolded-stage")];
    const seen = stages.filter((stage) => stage.checkVisibility({{ visibilityProperty: true }}));
    return [seen.length, ...seen.map(estimates)];
  }});
}}"""
# Whether the result of the figure is shown, and how many estimates are.
TOLD = f"""() => {{
  {ESTIMATES};
  const figure = Reveal.getCurrentSlide().querySelector(".fig-result.uf-asking");
  return [figure.matches(".is-told"), estimates(figure)];
}}"""


@pytest.mark.nightly("13_long_term", "16_gated")
@on(
    path
    for path in PATHS
    if path.name[:2]
    in ("01", "04", "05", "07", "09", "10", "11", "12", "13", "15", "16", "17", "18")
)
def test_a_figure_that_asks_shows_its_result_at_the_next_step(deck):
    results = dict.fromkeys(asked_slides(deck))
    assert results
    for k in results:
        deck.evaluate("k => Reveal.slide(k, 0, -1)", k)
        settle(deck)
        assert deck.locator("section.present h2").inner_text().endswith("?")
        told, hidden = deck.evaluate(TOLD)
        assert not told
        assert deck.evaluate(MEASURE) == {"over": [], "small": []}
        assert deck.evaluate(NEAR_THE_BAR) == []
        deck.keyboard.press("ArrowRight")
        told, shown = deck.evaluate(TOLD)
        assert told
        assert shown > hidden
        results[k] = shown
        assert deck.evaluate(MEASURE) == {"over": [], "small": []}
        assert where(deck) == k
        deck.keyboard.press("ArrowLeft")
        assert deck.evaluate(TOLD) == [False, hidden]
        # The button of the figure takes the step, too.
        button = deck.locator("section.present").get_by_role("button", name="Show the result")
        button.click()
        assert deck.evaluate("Reveal.getIndices().f") == 0
        deck.keyboard.press("Escape")
        deck.keyboard.press("ArrowRight")
        assert where(deck) == k + 1
        deck.keyboard.press("ArrowLeft")
        assert deck.evaluate(TOLD)[0]
        deck.evaluate("k => (Reveal.slide(0), Reveal.slide(k))", k)
        assert not deck.evaluate(TOLD)[0], "the class that comes next guesses, too"
        notes = deck.locator("section").nth(k).locator("aside.notes")
        assert re.search(r"To predict:.*Answer: .*\d", notes.text_content(), re.S)
    deck.emulate_media(media="print")
    assert deck.evaluate(ON_PAPER) == [[1, shown] for shown in results.values()]


@on(path for path in PATHS if path.name[:2] in ("13", "15"))
def test_a_step_that_is_older_than_its_figure_shows_the_result(path, browser):
    with screen(browser) as page:
        open_deck(page, path)
        k = asked_slides(page)[0]
        open_deck(page, path, f"?again#/{k}/0/0")
        settle(page)
        assert page.evaluate(TOLD)[0]


@any_deck
def test_arrow_keys_move_slides_until_a_figure_has_the_focus(deck):
    figure = first_figure(deck)
    start = where(deck)
    figure.locator(CONTROLS).first.focus()
    assert deck.locator(".leave").is_visible()
    for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "Home", "End", "d", "f"):
        deck.keyboard.press(key)
    assert where(deck) == start
    deck.keyboard.press("Escape")
    assert not deck.evaluate("Reveal.isOverview()")
    assert deck.evaluate("document.activeElement === Reveal.getCurrentSlide()")
    assert not deck.locator(".leave").is_visible()
    deck.keyboard.press("ArrowRight")
    deck.keyboard.press("ArrowRight")
    deck.keyboard.press("ArrowRight")
    assert where(deck) > start


@any_deck
def test_a_control_that_goes_away_leaves_the_keys_to_its_figure(deck):
    figure = first_figure(deck)
    start = where(deck)
    controls = figure.locator(CONTROLS)
    if controls.count() < 2:
        pytest.skip("this figure has one control, which never goes away")
    gone = controls.first.element_handle()
    gone.focus()
    gone.evaluate("(node) => { node.style.visibility = 'hidden'; }")
    deck.wait_for_function(
        "(gone) => document.activeElement !== gone && document.activeElement !== document.body",
        arg=gone,
    )
    deck.keyboard.press("ArrowLeft")
    deck.keyboard.press("ArrowRight")
    gone.evaluate("(node) => { node.style.visibility = ''; }")
    assert where(deck) == start
    assert deck.evaluate("!!document.activeElement.closest('.unfolded-figure')")


@any_deck
def test_a_slide_that_one_turns_to_before_the_fonts_have_come_stays(path, browser):
    with screen(browser) as page:
        page.add_init_script(
            """Object.defineProperty(document.fonts, "ready", {
              value: new Promise((come) => (globalThis.come = come)),
            })"""
        )
        open_deck(page, path)
        number = page.evaluate(
            """() => Reveal.getSlides().findIndex((slide) =>
              slide.querySelector(".math-display, pre"))"""
        )
        page.evaluate("(k) => (Reveal.slide(k), come())", number)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert page.locator("section.present h2").is_visible()


# The title of the slide that has the focus, if it isn't the slide that is shown.
HIDDEN_STOP = """() => {
  const slide = document.activeElement.closest(".slides section");
  if (!slide || slide === Reveal.getCurrentSlide()) return null;
  return slide.querySelector("h1, h2").textContent;
}"""


@pytest.mark.nightly("01_state", files=["press/static/"])
@any_deck
def test_tab_reaches_only_what_the_slide_shows(deck):
    for k in slides(deck):
        deck.evaluate("() => Reveal.getCurrentSlide().focus()")
        for key in ["Shift+Tab"] * 4 + ["Tab"] * 30:
            deck.keyboard.press(key)
            assert deck.evaluate(HIDDEN_STOP) is None, k + 1


@any_deck
def test_every_slide_answers_where_all_are_in_sight(path, own):
    inert = "() => Reveal.getSlides().filter((slide) => slide.inert).length"
    assert own.evaluate(inert) == own.evaluate("Reveal.getTotalSlides()") - 1
    own.evaluate("() => Reveal.toggleOverview(true)")
    assert own.evaluate(inert) == 0
    own.evaluate("() => Reveal.toggleOverview(false)")
    assert own.evaluate(inert) > 0
    own.set_viewport_size({"width": 360, "height": 700})
    own.wait_for_function("() => Reveal.isScrollView()")
    own.wait_for_function(f"() => ({inert})() === 0")
    open_deck(own, path, "?print-pdf")
    own.wait_for_selector(".pdf-page")
    assert own.evaluate(inert) == 0


@any_deck
@pytest.mark.parametrize(
    "sizes",
    [
        [(390, 844), (844, 390), (390, 844), (844, 390)],
        [(844, 390), (390, 844)],
        [(1280, 720), (400, 800), (1280, 720)],
    ],
    ids=["phone", "phone on its side", "window"],
)
def test_a_turned_phone_keeps_the_place_and_its_figures_alive(path, browser, sizes):
    slider = ".unfolded-stage input[type=range]:visible"
    with screen(browser, *sizes[0], has_touch=True) as page:
        open_deck(page, path)
        number = next(k for k in slides(page) if page.locator(f"section.present {slider}").count())
        page.evaluate("k => Reveal.slide(k)", number)
        page.wait_for_function("k => Reveal.getIndices().h === k", arg=number)
        slide = page.evaluate_handle("Reveal.getCurrentSlide()").as_element()
        for width, height in sizes[1:]:
            page.set_viewport_size({"width": width, "height": height})
            column = "([column]) => Reveal.isScrollView() === column"
            page.wait_for_function(column, arg=[width < 435])
            rest(page)  # a late change of place would come now
            assert where(page) == number
            assert slide.evaluate("(slide) => slide === Reveal.getCurrentSlide() && !slide.inert")
            others = page.evaluate("Reveal.getSlides().filter((slide) => !slide.inert).length")
            assert others == (page.evaluate("Reveal.getTotalSlides()") if width < 435 else 1)
            box = slide.bounding_box()
            assert box["y"] >= -1
            assert box["y"] + box["height"] <= height + 1
            assert pressed(page.locator(f"section.present {slider}").first, "End", "Home")
            page.evaluate("document.activeElement.blur()")


@any_deck
def test_the_number_on_a_slide_leads_to_it(path, deck):
    slide = Deck.read(path).slides[3]
    for key in ["g", *str(slide.number), "Enter"]:
        deck.keyboard.press(key)
    assert deck.locator("section.present .count").inner_text().startswith(f"{slide.number} / ")
    assert deck.evaluate("Reveal.getTotalSlides()") == Deck.read(path).slides[-1].number


@any_deck
def test_a_link_to_a_slide_leads_there_on_a_phone(path, browser):
    with screen(browser, 390, 844) as page:
        open_deck(page, path, "#/9")
        page.wait_for_function("() => Reveal.getIndices().h === 9")


@any_deck
def test_a_remote_control_moves_on_even_from_a_figure(deck):
    figure = first_figure(deck)
    start = where(deck)
    figure.locator("[tabindex='0'], input, button, select").first.focus()
    for _ in range(5):
        deck.keyboard.press("PageDown")
    assert where(deck) > start
    assert not deck.evaluate("!!document.activeElement.closest('.unfolded-figure')")


@any_deck
def test_the_dark_theme_is_one_key_away_and_stays(path, own):
    assert own.evaluate("document.documentElement.dataset.theme") == "light"
    own.keyboard.press("d")
    assert own.evaluate("document.documentElement.dataset.theme") == "dark"
    assert own.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 18, 18)"
    own.reload()
    own.wait_for_function("() => globalThis.Reveal?.isReady()")
    assert own.evaluate("document.documentElement.dataset.theme") == "dark"


@any_deck
def test_the_theme_follows_the_system(deck):
    deck.emulate_media(color_scheme="dark")
    deck.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")


@any_deck
def test_the_presenters_window_shows_notes_and_keeps_the_time(path, own):
    own.keyboard.press("ArrowRight")
    with own.expect_popup() as opened:
        own.keyboard.press("s")
    window = opened.value
    window.wait_for_selector(".speaker-controls-notes:not(.hidden)")
    shown = window.locator(".speaker-controls-notes .value")
    first = Deck.read(path).slides[0]
    assert f"{first.minutes:g} min" in shown.inner_text()
    words = re.sub(r"\s+", " ", re.sub(r"[*`]", "", first.during))
    assert words[:40] in re.sub(r"\s+", " ", shown.inner_text())
    assert window.locator("iframe").count() == 2
    window.wait_for_function("() => document.querySelector('.pacing').style.display !== 'none'")


@any_deck
def test_a_blocked_pop_up_gives_instructions(path, own):
    own.evaluate("() => { globalThis.reallyOpen = open; globalThis.open = () => null; }")
    message = own.get_by_role("alert")
    assert not message.is_visible()
    own.keyboard.press("s")
    own.keyboard.press("s")
    assert "Allow pop-ups for this page, then press S again" in message.inner_text()
    assert message.locator("p").count() == 1
    assert violations(own, ".blocked") == "[]"
    start = where(own)
    message.get_by_role("button", name="Close").focus()
    own.keyboard.press("Space")
    assert not message.is_visible()
    assert where(own) == start
    for key in ("Escape", "ArrowRight"):
        own.keyboard.press("s")
        assert message.is_visible()
        own.keyboard.press(key)
        assert not message.is_visible()
    own.evaluate("() => { open = reallyOpen; }")
    with own.expect_popup():
        own.keyboard.press("s")
    assert not message.is_visible()


@any_deck
def test_dark_reader_leaves_the_colors_of_a_deck_alone(deck):
    assert deck.locator("meta[name='darkreader-lock']").count() == 1


@any_deck
def test_the_presenter_reads_all_notes_and_each_from_their_beginning(path, own):
    """A laptop shows nearly everything at once and scrolls to the rest."""
    with own.expect_popup() as opened:
        own.keyboard.press("s")
    window = opened.value
    window.wait_for_selector(".speaker-controls-notes:not(.hidden)")
    notes = own.evaluate(
        """() => Reveal.getSlides().map((s) => s.querySelector("aside.notes").textContent)"""
    )
    longest = sorted(range(len(notes)), key=lambda k: -len(notes[k]))[:2]
    for width, height, share in ((1366, 768, 0.8), (1100, 700, 0)):  # as reveal.js opens it
        window.set_viewport_size({"width": width, "height": height})
        for k in longest:
            own.evaluate("k => Reveal.slide(k)", k)
            window.wait_for_function(
                """(words) =>
                  document.querySelector(".speaker-controls-notes .value").textContent === words""",
                arg=notes[k],
            )
            seen = window.evaluate(READ)
            assert seen["from"] == 0, "another slide's notes begin where the last were left"
            assert seen["share"] > share, "most of the notes are out of sight"
            assert seen["reaches"], "the last words cannot be scrolled to"
            assert seen["time"], "the time is out of sight"


@any_deck
def test_the_presenters_preview_shows_the_next_step(own):
    index = own.evaluate(
        """() => Reveal.getSlides().findIndex((slide) => slide.querySelector(".fragment"))"""
    )
    own.evaluate("k => Reveal.slide(k)", index)
    with own.expect_popup() as opened:
        own.keyboard.press("s")
    window = opened.value
    window.set_viewport_size({"width": 1100, "height": 700})  # as reveal.js opens it
    preview = window.wait_for_selector("#upcoming-slide iframe").content_frame()
    steps = own.evaluate("Reveal.getCurrentSlide().querySelectorAll('.fragment').length")
    then = [index, 1] if steps > 1 else [index + 1, None]
    for h, f in ([index, 0], then):
        preview.wait_for_function(
            """([h, f]) => {
              const at = globalThis.Reveal?.isReady() && Reveal.getIndices();
              return at && at.h === h && (f === null || at.f === f);
            }""",
            arg=[h, f],
        )
        own.keyboard.press("ArrowRight")


@any_deck
def test_a_late_preview_does_not_pull_the_talk_back(own):
    with own.expect_popup() as opened:
        own.keyboard.press("s")
    window = opened.value
    preview = window.wait_for_selector("#current-slide iframe").content_frame()
    at = "([h]) => globalThis.Reveal?.isReady() && Reveal.getIndices().h === h"
    preview.wait_for_function(at, arg=[0])
    own.evaluate("Reveal.slide(2)")
    preview.wait_for_function(at, arg=[2])
    late = json.dumps({"method": "setState", "args": [{"indexh": 1, "indexv": 0}]})
    preview.evaluate("late => postMessage(late, '*')", late)
    preview.wait_for_function(at, arg=[1])
    rest(window)  # it waits twice before it notifies the talk
    assert own.evaluate("Reveal.getIndices().h") == 2
    preview.evaluate("""postMessage('{"method":"triggerKey","args":[35]}', '*')""")  # End
    own.wait_for_function("() => Reveal.isLastSlide()")


def ink(picture):
    """Return the darkness from 0 to 1 of each tile of 80 by 80 pixels of a slide's picture."""
    grey = np.asarray(picture.convert("L").resize((640, 360)), float) / 255
    return 1 - grey.reshape(9, 40, 16, 40).mean((1, 3))


def printed(page):
    """The pages that the browser prints, as pictures."""
    for sheet in pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True, print_background=True)):
        # A line that is thinner than a dot would be as wide as one, and cover its neighbors.
        yield sheet.render(scale=2560 / sheet.get_width()).to_pil()


@contextmanager
def at_rest(browser, path, query=""):
    """A deck in dark mode with static figures still prints on white."""
    with screen(browser) as page:
        page.emulate_media(color_scheme="dark")
        page.add_init_script("IntersectionObserver.prototype.observe = () => {}")
        open_deck(page, path, query)
        page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
        yield page


@pytest.fixture(scope="module")
def seen(path, browser):
    """Each slide on the screen in light with all its steps: its ink without the controls
    for the mouse, and the heights of its stages."""
    inks, heights = [], []
    with at_rest(browser, path) as page:
        page.emulate_media(color_scheme="light")
        page.evaluate("() => { for (const image of document.images) image.decoding = 'sync'; }")
        bare = page.add_style_tag(content=AS_ON_PAPER)
        for k in range(page.evaluate("Reveal.getTotalSlides()")):
            page.evaluate("k => Reveal.slide(k, 0, 99)", k)
            bare.evaluate("(node) => { node.disabled = true; }")
            heights.append(page.evaluate(HEIGHTS))
            bare.evaluate("(node) => { node.disabled = false; }")
            inks.append(ink(Image.open(io.BytesIO(page.screenshot()))))
    return inks, heights


def lost(inks, sheets):
    """Return the ink of slides that is missing on their sheets, by slide number."""
    found = {k: (inks[k] - ink(sheet)).max() for k, sheet in sheets.items()}
    return {k: f"{share:.2f} of ink" for k, share in found.items() if share > LOST}


@pytest.mark.nightly("02_unfolding", "13_long_term")
@every_deck
@pytest.mark.parametrize("query", ["", "?print-pdf"])
def test_a_printed_deck_shows_every_figure_in_full(path, seen, browser, query):
    with at_rest(browser, path, query) as page:
        if query:
            page.wait_for_selector("html.reveal-print .pdf-page")
        sheets = dict(enumerate(printed(page)))
        assert len(sheets) == len(seen[0]) == len(Deck.read(path).slides) + 1
        assert lost(seen[0], sheets) == {}
        page.emulate_media(media="print")
        assert page.evaluate(PRINTED) == []


@pytest.mark.nightly("17_optimization")
@on(path for path in PATHS if path.stem in ("05_language_models", "17_optimization"))
def test_a_figure_painted_in_dark_mode_prints_in_light_mode(path, seen, browser):
    with screen(browser) as page:
        page.emulate_media(color_scheme="dark")
        open_deck(page, path)
        painted = [k for k in slides(page) if page.locator("section.present canvas").count()]
        rest(page)  # a fine picture follows a coarse one
        sheets = dict(enumerate(printed(page)))
        assert painted
        assert lost(seen[0], {k: sheets[k] for k in painted}) == {}
        page.emulate_media(media="print")
        assert page.evaluate(PRINTED) == []


@pytest.mark.nightly("02_unfolding", "13_long_term")
@every_deck
def test_a_figure_on_a_slide_is_as_high_alive_as_at_rest(seen, deck):
    near = f"(heights) => ({HEIGHTS})().every((height, i) => Math.abs(height - heights[i]) <= 3)"
    wrong = {}
    for k in slides(deck):
        rest(deck)  # some words come later
        if not deck.evaluate(near, seen[1][k]):
            wrong[k] = seen[1][k], deck.evaluate(HEIGHTS)
    assert wrong == {}


@every_deck
def test_the_plan_fits_a_lesson_and_the_notes_ask_and_expect(path):
    deck = Deck.read(path)
    assert 0 < deck.minutes <= deck.length
    least, most = (10, 20) if deck.length == LESSON else (8, 12)
    assert least <= sum(slide.minutes > 0 for slide in deck.slides) <= most  # and some to spare
    notes = [slide.notes for slide in deck.slides]
    assert sum("Ask:" in note or "Before:" in note for note in notes) >= len(notes) / 2
    assert sum("Cut:" in note for note in notes) >= 2
    for slide in deck.slides:
        asked = "Ask:" in slide.notes or slide.before
        assert not asked or "Expect:" in slide.notes, slide.title


@any_deck
def test_a_lecturer_writes_on_a_slide_and_takes_a_line_back(path, own):
    lines = own.locator("section.present > .ink polyline")
    own.mouse.click(300, 300)
    assert lines.count() == 0, "nothing is drawn before W"
    own.keyboard.press("w")
    own.mouse.move(200, 200)
    own.mouse.down()
    own.mouse.move(400, 260)
    own.mouse.up()
    own.mouse.click(700, 400)
    assert lines.count() == 2
    drawn = lines.first.bounding_box()
    assert (round(drawn["x"]), round(drawn["width"])) == pytest.approx((200, 200), abs=8)
    own.keyboard.press("u")
    assert lines.count() == 1
    start = where(own)
    own.keyboard.press("ArrowRight")
    assert where(own) == start + 1
    assert lines.count() == 0, "each slide has its own"
    own.keyboard.press("w")
    own.mouse.click(640, 300)
    assert lines.count() == 0


@on([BOOK / "slides/03_rnn.md"])
def test_a_class_sees_how_it_has_voted(path, own):
    asks = "() => !!Reveal.getCurrentSlide().querySelector('.fig-predict .choices')"
    next(k for k in slides(own) if own.evaluate(asks))
    own.keyboard.press("c")
    fields = own.locator("section.present .votes")
    for k in range(fields.count()):
        fields.nth(k).fill(str(3 * k))
    choices = own.locator("section.present .choice")
    shares = choices.evaluate_all("all => all.map((each) => each.dataset.share)")
    votes = [3 * k for k in range(len(shares))]
    assert shares == [f"{round(100 * each / sum(votes))} %" for each in votes]
    start = where(own)
    own.keyboard.press("ArrowRight")
    assert where(own) == start, "the field has the keys"
    own.keyboard.press("Escape")
    own.keyboard.press("ArrowRight")
    assert where(own) == start + 1 or own.locator("section.present .fragment.visible").count()
