"""Check every page in a browser that can reach only the site."""

import re
from urllib.parse import unquote, urlencode

import pytest
from reader import (
    CHOICES,
    CLAIM_PAGES,
    EACH_PAGE,
    FIRST_LOAD,
    FOLDED,
    FRAMES,
    HANDLES,
    OWN_PAGE,
    PAGES,
    RANGES,
    READ,
    every_page,
    files,
    loaded,
    packed,
    pressed,
    reading,
    resize,
    rest,
    violations,
    wake,
)

protocols = pytest.mark.parametrize("protocol", ["http", "file"])
# A page is ready once its scrolling boxes, and no other boxes, are in the tab order.
STOPS = """() => [...document.querySelectorAll(
  "#main-content :is(pre, .cell_output > .output, .pst-scrollable-table-container)"
)].every((box) => {
  const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  return box.tabIndex === (scrolls ? 0 : -1);
})"""

# Press every sentence's button by script. Return the sentences whose button is hidden, offers undo
# at the wrong time, or stays pressed after undo. A separate test clicks one of them with the mouse.
SENTENCES = """async () => {
  const drawn = () => new Promise(requestAnimationFrame);
  const wrong = [];
  for (const span of document.querySelectorAll("span[data-set]")) {
    const link = span.querySelector(".unfolded-link");
    const undo = span.querySelector(".unfolded-undo");
    const visible = (button) => Boolean(button?.checkVisibility({ visibilityProperty: true }));
    const fault = (what) => wrong.push(`${what}: ${span.outerHTML}`);
    if (!visible(link)) {
      fault("out of sight");
      continue;
    }
    link.click();
    await drawn();
    if ((link.ariaPressed === "true") !== visible(undo)) fault("holds, or can be taken back");
    if (visible(undo)) undo.click();
    await drawn();
    if (link.ariaPressed !== "false") fault("not taken back");
  }
  return wrong;
}"""


@pytest.fixture
def url(site, request):
    """Return a function that returns the address of a page for either protocol."""

    def of(name, protocol="file"):
        if protocol == "file":
            return (site / f"{name}.html").as_uri()
        return f"{request.getfixturevalue('address')}/{name}.html"

    return of


@pytest.fixture(scope="module", params=EACH_PAGE)
def opened(request, browser, site):
    """Open a page over file:// once for all tests that read it."""
    with reading(browser, (site / f"{request.param}.html").as_uri(), scroll=False) as page:
        loaded(page)
        page.first, page.alive = files(page.asked), False
        yield page
        assert page.complaints == []


@pytest.fixture
def page(opened):
    """Return the page on a wide screen with the light theme."""
    opened.emulate_media(color_scheme="light", media="screen")
    resize(opened, 1280, 800)
    return opened


@pytest.fixture
def alive(page):
    """Return the page after all its figures have started."""
    if not page.alive:
        wake(page)
        page.alive = True
    return page


def is_whole(page):
    """Assert that the page has no errors and that all its figures and pictures have loaded."""
    assert page.complaints == []
    assert page.title()
    states = page.evaluate(
        "() => [...document.querySelectorAll('.unfolded-figure')].map((f) => f.dataset.live)"
    )
    assert set(states) <= {"true"}
    broken = page.evaluate(
        """() => [...document.images]
          .filter((image) => image.complete && !image.naturalWidth).map((image) => image.src)"""
    )
    assert broken == []


@pytest.mark.nightly("index", "02_unfolding", "glossary")
def test_a_page_opens_without_errors_or_outside_requests(alive):
    is_whole(alive)


def test_a_page_that_was_saved_has_each_button_once(browser, site):
    buttons = "[...document.querySelectorAll('button')].map((button) => button.className).sort()"
    page_of_chapter = site / "book/04_bptt.html"
    saved = page_of_chapter.with_name("saved.html")
    with reading(browser, page_of_chapter.as_uri()) as page:
        before = page.evaluate(buttons)
        assert "copybtn" in str(before)
        assert "toggle-button" in str(before)
        content = page.evaluate("document.documentElement.outerHTML")
    try:
        saved.write_text(f"<!doctype html>{content}", "utf-8")
        with reading(browser, saved.as_uri()) as page:
            assert page.evaluate(buttons) == before
            assert page.locator(".toggle-hidden").count() > 0
    finally:
        saved.unlink()


@pytest.mark.nightly("index", "02_unfolding", "glossary")
@every_page
def test_a_page_fits_a_small_phone_over_http(browser, url, name):
    with reading(browser, url(name, "http"), viewport={"width": 320, "height": 640}) as page:
        is_whole(page)
        wide = page.evaluate(
            """() => document.documentElement.scrollWidth <= innerWidth ? [] :
              [...document.querySelectorAll("main *")]
                .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
                .map((e) => e.tagName + "." + e.className).slice(0, 9)"""
        )
        assert wide == []


def test_a_page_loads_little_before_scrolling(opened):
    sizes = packed(opened.first)
    assert sum(sizes.values()) <= FIRST_LOAD, sizes


@pytest.mark.parametrize(("theme", "other"), [("light", "dark"), ("dark", "light")])
def test_no_picture_is_fetched_for_the_other_theme(browser, url, site, theme, other):
    name = "book/17_optimization"
    markup = (site / f"{name}.html").read_text("utf-8")
    images = re.findall(
        r'<img[^>]*(?:only|unfolded)-(light|dark)"[^>]* src="[^"]*/(\w+\.webp)"', markup
    )
    theirs = {image for shown, image in images if shown == other}
    ours = {image for shown, image in images if shown == theme}
    # Chromium loads lazy pictures only when they come near, so scroll to the end of the page.
    with reading(browser, url(name), color_scheme=theme) as page:
        asked = {path.name for path in files(page.asked)}
    assert asked & ours
    assert not asked & theirs


@pytest.mark.parametrize("name", ["book/17_optimization", "book/gallery"])
def test_printing_loads_all_pictures_without_scrolling(browser, url, name):
    with reading(browser, url(name), scroll=False) as page:
        shown = "[...document.querySelectorAll('main img:not(.only-dark)')]"
        loaded = f"{shown}.filter((image) => image.complete && image.naturalWidth).length"
        count = page.evaluate(f"{shown}.length")
        assert page.evaluate(loaded) < count
        page.pdf()
        page.wait_for_function(f"{loaded} === {count}")


def test_a_value_in_an_address_is_rounded_to_the_step_of_its_control(browser, url):
    address = url(OWN_PAGE["scales"]) + "?fig.scales=alpha:0.6472289518657526;p:7.6"
    with reading(browser, address, viewport={"width": 320, "height": 640}) as page:
        figure = page.locator("[data-module=scales]")
        shown = [field.input_value() for field in figure.locator("input[type=number]").all()]
        assert "0.647" in shown
        assert max(map(len, shown)) <= 6
        assert "0.647228" not in figure.inner_text()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_typed_value_is_rounded_to_the_step_of_its_control(browser, url):
    with reading(browser, url(OWN_PAGE["scales"])) as page:
        field = page.locator("[data-module=scales] input[type=number]").first
        field.fill("0.98765432")
        field.press("Enter")
        assert field.input_value() == "0.988"


def test_the_answer_sets_the_whole_cell_and_the_button_frees_its_gates(browser, url):
    with reading(browser, url(OWN_PAGE["lstm"]) + "?fig.lstm=t:3;value:-0.5") as page:
        figure = page.locator("[data-module=lstm]")
        readout, free = figure.locator(".readout"), figure.get_by_text("free the gates")
        figure.get_by_text("next to nothing", exact=True).click()
        page.wait_for_url(lambda address: unquote(address).endswith("?fig.lstm=held:f5:0"))
        assert "< 0.01 arrives" in readout.inner_text()
        free.click()
        page.wait_for_url(lambda address: "held" not in address)
        assert "< 0.01 arrives" not in readout.inner_text()
        assert free.get_attribute("aria-disabled") == "true"


def test_side_by_side_panels_scroll_on_a_phone(browser, url):
    with reading(
        browser, url("book/17_optimization"), viewport={"width": 360, "height": 640}
    ) as page:
        page.evaluate(FRAMES)
        marked = page.locator(".unf-plot[data-more=after]")
        assert marked.count() > 0
        assert marked.first.get_attribute("tabindex") == "0"


@pytest.mark.nightly("index", "02_unfolding", "glossary")
def test_every_figure_responds_to_a_key(alive):
    for figure in alive.locator("figure.unfolded-figure").all():
        found = (
            figure.locator(kind).locator("visible=true")
            for kind in (HANDLES, RANGES, CHOICES, READ, FOLDED)
        )
        control = next(kind.first for kind in found if kind.count())
        assert pressed(control, "ArrowRight", "ArrowLeft", "ArrowDown", "Space"), (
            figure.inner_text()
        )


@pytest.mark.nightly("index", "02_unfolding", "glossary")
def test_a_mouse_click_on_a_sentence_sets_its_figure_and_can_be_undone(alive):
    for span in alive.locator("span[data-set]").all()[:1]:
        link, undo = span.locator(".unfolded-link"), span.locator(".unfolded-undo")
        link.click()
        # If a sentence describes the figure's first state, there is nothing to undo.
        assert (link.get_attribute("aria-pressed") == "true") == undo.is_visible()
        if undo.is_visible():
            undo.click()
        assert link.get_attribute("aria-pressed") == "false"


@pytest.mark.nightly("index", "02_unfolding", "glossary")
def test_every_sentence_sets_its_figure_and_can_be_undone(alive):
    assert alive.evaluate(SENTENCES) == []


def test_every_formula_is_typeset(page):
    unset = page.evaluate(
        "() => [...document.querySelectorAll('.math')].filter((m) => !m.querySelector('math'))"
        ".map((m) => m.textContent)"
    )
    assert unset == []
    assert page.locator(".katex-error").count() == 0


# Scroll each equation, table and line of code that is wider than its box. Return those that show no
# shadow (a table fades) on the side where more follows, or that the keyboard can't scroll.
CUT = """() => {
  const wide = ".katex-display, .uf-equation, .bd-article pre, .pst-scrollable-table-container";
  const lines = [...document.querySelectorAll(wide)].filter(
    (box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1,
  );
  const shows = ({ boxShadow, maskImage }) =>
    boxShadow.includes("inset") || maskImage.includes("gradient");
  const silent = (side) => (box) =>
    !box.dataset.more?.includes(side) || box.tabIndex !== 0 || !shows(getComputedStyle(box));
  const name = (box) => box.textContent.slice(0, 60);
  const bad = lines.filter(silent("after")).map(name);
  for (const box of lines) box.scrollLeft = box.scrollWidth;
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
    bad.push(...lines.filter(silent("before")).map(name));
    for (const box of lines) box.scrollLeft = 0;
    resolve({ lines: lines.length, bad });
  })));
}"""


@pytest.mark.nightly("index", "02_unfolding", "glossary")
@pytest.mark.parametrize("width", [360, 1280])
def test_overflowing_lines_show_that_they_scroll(alive, width):
    resize(alive, width, 800)
    alive.wait_for_function(STOPS)
    alive.evaluate("() => document.fonts.ready")
    alive.evaluate(FRAMES)
    assert alive.evaluate(CUT)["bad"] == []


def test_some_equations_are_wider_than_a_phone(browser, url):
    with reading(browser, url("book/04_bptt"), viewport={"width": 360, "height": 640}) as page:
        page.evaluate(FRAMES)
        assert page.evaluate(CUT)["lines"] > 5


@pytest.mark.parametrize(
    ("name", "state"),
    [("bptt", "at:dh2"), ("bptt", "at:dh2;loss:every"), ("gru", "t:5")],
)
def test_a_figures_equations_fit_on_a_wide_page(browser, url, name, state):
    with reading(browser, url(OWN_PAGE[name]) + f"?fig.{name}={state}") as page:
        page.evaluate(FRAMES)
        cut = page.evaluate(
            """() => [...document.querySelectorAll(".uf-equation")]
              .filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.textContent)"""
        )
        assert cut == []


def test_no_id_is_used_twice(page):
    twice = page.evaluate(
        """() => {
          const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
          return ids.filter((id, k) => ids.indexOf(id) !== k);
        }"""
    )
    assert twice == []


@pytest.mark.nightly("index", "02_unfolding", "glossary")
@pytest.mark.parametrize("width", [360, 1280])
def test_the_button_of_a_folded_box_is_inside_its_title(alive, width):
    resize(alive, width, 800)
    outside = alive.evaluate(
        """() => [...document.querySelectorAll(".admonition.toggle > .admonition-title")]
          .filter((title) => {
            const [box, button] = [title, title.querySelector("button")]
              .map((element) => element.getBoundingClientRect());
            return !button.height || button.top < box.top || button.bottom > box.bottom ||
              button.left < box.left || button.right > box.right;
          }).map((title) => title.textContent)"""
    )
    assert outside == []


def test_a_box_does_not_repeat_the_heading_of_its_exercise(page):
    boxes = page.locator("div.exercise, div.solution").evaluate_all(
        """boxes => boxes.map((box) => [
          box.closest("section").querySelector("h2, h3, h4").firstChild.textContent,
          box.querySelector(".admonition-title").firstChild.parentElement.innerText,
        ])"""
    )
    assert [(heading, title) for heading, title in boxes if heading in title] == []


def test_an_unsolved_exercise_prints_no_output(page):
    printed = page.evaluate(
        """() => [...document.querySelectorAll("#main-content .cell")]
          .filter((cell) => /^\\s*raise NotImplementedError/m.test(cell.textContent))
          .map((cell) => cell.querySelector(".cell_output")?.textContent)
          .filter(Boolean)"""
    )
    assert printed == []


def test_formulas_and_code_are_neither_translated_nor_mirrored(page):
    loose = page.evaluate(
        """() => [...document.querySelectorAll("#main-content :is(.katex, pre, code)")]
          .filter((element) => !element.closest(".unfolded-stage"))
          .filter((element) => !(element.matches("[dir=ltr]") && element.matches("[translate=no]")))
          .map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert loose == []


@pytest.mark.nightly("index", "02_unfolding", "glossary")
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 320)])
def test_axe_finds_no_violations(alive, theme, width):
    resize(alive, width, 800)
    alive.mouse.move(0, 0)  # away from marks that appear only under the pointer
    alive.emulate_media(color_scheme=theme)
    alive.wait_for_function("t => document.documentElement.dataset.theme === t", arg=theme)
    alive.wait_for_function(STOPS)
    assert violations(alive, rules={"target-size": {"enabled": width == 1280}}) == "[]"


@pytest.mark.nightly("index", "02_unfolding", "glossary")
def test_each_figure_is_called_by_its_question(page):
    """A screen reader says "figure" and this name. An answer's box is no figure for it."""
    figures = page.locator("figure.unfolded-figure")
    found = figures.evaluate_all(
        """all => all.map((figure) => [
          figure.ariaLabel, figure.role,
          figure.querySelector(":scope > .unfolded-question")?.textContent ?? null,
          Boolean(figure.querySelector(":scope > figcaption")),
        ])"""
    )
    for name, role, question, caption in found:
        assert name == question
        assert question or caption or role == "presentation"


@pytest.mark.nightly("02_unfolding")
def test_a_folded_boxs_button_is_called_by_its_title(alive):
    """One of a chapter's many buttons says which box it shows, and whether it shows or hides it."""
    names = """() => [...document.querySelectorAll(".toggle-button")].map((button) => [
      button.ariaLabel,
      button.closest(".admonition-title").innerText.replace(/\\s+/g, " ").trim(),
    ])"""
    for name, title in alive.evaluate(names):
        verb, _, words = name.partition(" ")
        assert verb == "Show"
        assert words
        assert words in title
    button = alive.locator(".toggle-button").first
    if button.count():
        name = button.get_attribute("aria-label")
        button.press("Enter")
        alive.wait_for_function(
            "name => document.querySelector('.toggle-button').ariaLabel === name",
            arg=name.replace("Show", "Hide"),
        )
        button.press("Enter")


CONTROLS = ".uf-control, .uf-controls button, .uf-guess, .presets, .unfolded-stage summary"
SHOWN_ON_PAPER = ":scope > :is(.unfolded-stage, .unfolded-still, .unfolded-fallback):visible"


@pytest.mark.nightly("index", "02_unfolding", "glossary")
@every_page
def test_every_figure_has_a_fallback_without_scripts(browser, url, name):
    with reading(browser, url(name), scroll=False, java_script_enabled=False) as page:
        for figure in page.locator("figure.unfolded-figure").all():
            assert figure.locator(SHOWN_ON_PAPER).count() == 1
        for plot in page.locator(".unf-plot").all():
            assert plot.locator("img:visible").count() == 1


@pytest.mark.nightly("index", "02_unfolding", "glossary")
def test_a_printed_page_is_light_and_shows_figures_without_controls(alive):
    alive.emulate_media(color_scheme="dark")
    alive.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    alive.emulate_media(media="print")
    alive.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert alive.evaluate("document.documentElement.dataset.theme") == "light"
    for figure in alive.locator("figure.unfolded-figure").all():
        assert figure.locator(SHOWN_ON_PAPER).count() == 1
        assert figure.locator(f":is({CONTROLS}):visible").count() == 0
    alive.evaluate("dispatchEvent(new Event('afterprint'))")
    assert alive.evaluate("document.documentElement.dataset.theme") == "dark"


@protocols
def test_search_finds_a_word_of_the_book(browser, url, protocol):
    with reading(browser, url("search", protocol) + "?q=misprints") as page:
        page.locator("#search-results li a").first.wait_for()
        rest(page)
        page.locator("#search-results li a").first.click()
        page.wait_for_load_state()
        assert "/book/" in page.url
        assert page.complaints == []


def test_the_search_box_opens_by_key_and_shows_results(browser, url):
    with reading(browser, url(PAGES[0])) as page:
        page.keyboard.press("Control+k")
        page.locator("#pst-search-dialog input[name=q]").fill("softmax")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html*")
        page.locator("#search-results li a").first.wait_for()
        assert page.complaints == []


@pytest.fixture(scope="module")
def search(browser, site):
    """Return a function that searches for some words, always in one page, and returns the page."""
    address = (site / "search.html").as_uri()
    with reading(browser, address, scroll=False) as page:

        def search(words):
            page.goto(f"{address}?{urlencode({'q': words})}")
            page.locator("#search-status", has_text=re.compile("found", re.I)).wait_for()
            return page

        yield search
        assert page.complaints == []


def found(page):
    """Return the addresses of the results in the book's folder, best first."""
    links = page.locator("#search-results li a").all()
    return [link.get_attribute("href").removeprefix("book/") for link in links]


@pytest.mark.parametrize("words", ["10.8", "(10.8)", "eq 10.8", "equation 10.8", "(G 10.8)"])
def test_an_equation_is_found_by_its_number(search, words):
    page = search(words)
    assert found(page)[0] == "03_rnn.html#equation-eq-10-8"
    page.locator("#search-results li a").first.click()
    page.locator("#equation-eq-10-8").wait_for()


def test_a_number_does_not_find_longer_numbers(search):
    page = search("exercise 4.3")
    names = [link.inner_text() for link in page.locator("#search-results li a").all()]
    assert any(name.startswith("Exercise 4.3:") for name in names)
    assert not any(name.startswith("Exercise 14.3:") for name in names)


@pytest.mark.parametrize(
    "spellings",
    [
        ("lambda", "λ", "\\lambda"),
        ("backpropagation", "back-propagation", "back propagation", "Back–propagation"),
        ("encoder-decoder", "encoder decoder", "encoderdecoder"),
        ("nonlinear", "non-linear", "non linear"),
    ],
    ids=lambda spellings: spellings[0],
)
def test_every_spelling_finds_the_same_chapters(search, spellings):
    results = []
    for words in spellings:
        page = search(words)
        results.append({name[:2] for name in found(page) if re.match(r"\d\d_", name)})
    assert results[0]
    assert all(result == results[0] for result in results)


@pytest.mark.parametrize(
    ("words", "chapter"),
    [
        ("vanishing gradient", "13"),
        ("attention", "10"),
        ("forget gate", "16"),
        ("gradient clipping", "17"),
        ("teacher forcing", "06"),
        ("echo state", "14"),
    ],
)
def test_the_chapter_that_explains_a_term_comes_first_with_an_excerpt(search, words, chapter):
    page = search(words)
    assert found(page)[0].startswith(f"{chapter}_")
    excerpts = page.locator("#search-results li .context")
    assert excerpts.first.inner_text()
    assert excerpts.count() >= 5


@pytest.mark.parametrize(
    "words",
    [
        *("timestep", "time step", "Huszár", "Huszar", "Lukoševičius", "Lukosevicius", "Chrupala"),
        *("Jürgen Schmidhuber", "λ"),
    ],
)
def test_names_and_joined_words_are_found(search, words):
    page = search(words)
    assert found(page)


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("figure lstm", "gallery/lstm.html#main-content"),
        ("exercise the gradient of W", "04_bptt.html#ex-04-grad-W"),
        ("claim learning-rate", "claims/learning-rate.html#main-content"),
    ],
)
def test_figures_exercises_and_claims_are_found_by_name(search, words, address):
    page = search(words)
    assert address in found(page)


@pytest.mark.parametrize(("words", "said"), [("qzxv", "Nothing found."), ("softmax", "Results")])
def test_the_number_of_results_is_announced(search, words, said):
    page = search(words)
    status = page.locator("[role=status]", has_text=said)
    assert status.count() == 1
    if said == "Results":
        assert status.inner_text() == f"Results found: {len(found(page))}."


@pytest.mark.parametrize("word", ["__proto__", "constructor", "hasOwnProperty"])
def test_names_of_object_properties_are_searched_like_other_words(search, word):
    search(f"{word} gradient")


def test_the_search_text_does_not_overlap_the_lens(search):
    page = search("loss")
    overlap = page.locator(".bd-search-container form").evaluate(
        """form => {
          const [lens, field] = [form.querySelector("i"), form.querySelector("input")];
          const from = field.getBoundingClientRect().left;
          return lens.getBoundingClientRect().right -
            (from + parseFloat(getComputedStyle(field).paddingLeft));
        }"""
    )
    assert overlap < 0


def test_axe_finds_no_violations_on_the_search_page(browser, url):
    with reading(browser, url("search") + "?q=loss") as page:
        page.locator("#search-results li a").first.wait_for()
        assert violations(page) == "[]"


def test_the_theme_can_be_chosen(browser, url):
    with reading(browser, url(PAGES[0])) as page:
        seen = set()
        for _ in range(3):
            page.locator(".theme-switch-button").last.click()
            seen.add(page.evaluate("document.documentElement.dataset.theme"))
        assert seen == {"light", "dark"}
        assert page.complaints == []


# Imitate a browser that blocks storage: even reading the property raises an error.
REFUSED = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, {
    configurable: true,
    get() { throw new DOMException("refused", "SecurityError"); },
  });"""


def test_a_page_works_without_storage(browser, url):
    with reading(browser, url(PAGES[1])) as page:
        page.add_init_script(REFUSED)
        page.reload()
        seen = set()
        for _ in range(3):
            page.locator(".theme-switch-button").last.click()
            seen.add(page.evaluate("document.documentElement.dataset.theme"))
        assert seen == {"light", "dark"}
        page.goto(url("search") + "?q=loss")
        page.locator("#search-results li a").first.wait_for()
        assert page.complaints == []


@pytest.mark.parametrize("width", [700, 961, 991, 1100])
def test_the_sidebar_can_be_shown_and_hidden(browser, url, width):
    """Expect a column next to the page from 992 pixels on, and a drawer on narrower screens."""
    with reading(browser, url(PAGES[1]), viewport={"width": width, "height": 700}) as page:
        link, button = page.locator("a.navbar-brand"), page.locator(".primary-toggle")
        if width >= 992:
            button.click()
            link.wait_for(state="hidden")
            button.click()
            link.wait_for(state="visible")
        else:
            assert not link.is_visible()
            button.click()
            link.wait_for(state="visible")
            page.mouse.click(width - 5, 400)
            link.wait_for(state="hidden")


@pytest.mark.parametrize("width", [320, 360])
def test_links_to_the_previous_and_next_page_are_not_cut_off(browser, url, width):
    viewport = {"width": width, "height": 700}
    for name in ("book/12_recursive", "book/claims", CLAIM_PAGES[0]):
        with reading(browser, url(name), viewport=viewport, scroll=False) as page:
            cut = page.evaluate(
                """() => [...document.querySelectorAll(".prev-next-area a")].filter((link) =>
                  link.scrollWidth > link.clientWidth ||
                  [...link.children].some((part) => {
                    const [own, box] = [part, link].map((one) => one.getBoundingClientRect());
                    return own.right > Math.min(box.right, innerWidth) || own.left < box.left;
                  })).map((link) => link.textContent)"""
            )
            assert cut == [], name


@pytest.mark.parametrize("width", [400, 700, 1280])
@pytest.mark.parametrize(
    "name", ["book/index", "book/13_long_term", "book/claims", "book/equations"]
)
def test_large_letters_fit_on_a_page(browser, url, name, width):
    """Double the size of letters, and hide the figures, which have separate tests."""
    with reading(browser, url(name), viewport={"width": width, "height": 800}) as page:
        page.add_style_tag(
            content="html { font-size: 32px !important } .unfolded-figure { display: none }"
        )
        page.evaluate(FRAMES)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        head = page.locator(".bd-header-article").bounding_box()
        buttons = page.locator(".bd-header-article button:visible").all()
        assert buttons
        for box in (button.bounding_box() for button in buttons):
            assert 0 <= box["x"] <= width - box["width"]
            assert head["y"] <= box["y"] <= head["y"] + head["height"] - box["height"] + 1
        title = page.locator(".bd-article h1").bounding_box()
        assert title["y"] >= head["y"] + head["height"] - 1


def test_the_root_shows_the_first_page(browser, url):
    with reading(browser, url("index"), scroll=False) as page:
        heading = page.locator("h1").first.inner_text()
        assert page.complaints == []
        page.goto(url(PAGES[0]))
        assert page.locator("h1").first.inner_text() == heading


def test_the_first_tab_stop_skips_to_the_content(browser, url):
    with reading(browser, url(PAGES[1])) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.getAttribute('href')") == "#main-content"
