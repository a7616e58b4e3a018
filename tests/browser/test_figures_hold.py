"""Figures survive any input: no wrong number, no overflow, no lost control."""

import random
from pathlib import Path

import pytest
from reader import (
    CHAPTER,
    HANDLES,
    RANGES,
    pressed,
    reading,
    reset,
    resize,
    rest,
    together,
)

pytestmark = pytest.mark.nightly("unfold", "result", "eigen")

# Return a figure's visible faults: invalid numbers, words smaller than `least` px (indices and
# formulas are words too), anything outside the card. It has a second to draw.
FAULTS = r"""async (figure, least) => {
  const stage = figure.querySelector(".unfolded-stage");
  if (!stage) return ["it is not alive"];
  const apart = (node) => {
    for (; node !== stage; node = node.parentElement) {
      if (node.classList.contains("uf-hidden")) return true;
      const within = node.parentElement;
      if (within !== stage && getComputedStyle(within).overflowX !== "visible") return true;
    }
    return false;
  };
  const rubbish = /NaN|Infinity|undefined|\[object/;
  function look() {
    const faults = [];
    const said = rubbish.test(stage.outerHTML); // at once: to ask each node takes much longer
    const card = stage.getBoundingClientRect();
    const scale = card.width / stage.offsetWidth || 1; // that of the slide
    const slack = (scale * parseFloat(getComputedStyle(stage).fontSize)) / 8;
    for (const node of stage.querySelectorAll("*")) {
      let words = "";
      for (let child = node.firstChild; child; child = child.nextSibling)
        if (child.data) words += `${child.data} `;
      words = words.trim();
      if (said)
        for (const text of [words, ...[...node.attributes].map(({ value }) => value)])
          if (rubbish.test(text)) faults.push(`it says ${text}`);
      const { left, right, width } = node.getBoundingClientRect();
      if (!width) continue;
      if ((left < card.left - slack || right > card.right + slack) && !apart(node))
        faults.push(`beside the card: ${node.outerHTML.slice(0, 80)}`);
      if (!words || node.closest(".uf-hidden")) continue;
      const matrix = node.getScreenCTM?.();
      const drawn = matrix ? Math.hypot(matrix.a, matrix.b) : scale;
      const size = drawn * parseFloat(getComputedStyle(node).fontSize);
      if (size < least - 0.01) faults.push(`small: ${words} at ${size} px`);
    }
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) faults.push("the page scrolls sideways");
    return faults;
  }
  let found;
  for (let frame = 0; frame < 60 && (found?.length ?? 1); frame++) {
    await new Promise(requestAnimationFrame);
    found = look();
  }
  return found;
}"""
# Return the points that the mouse can grab. First scroll the figure into view, because a key may
# have scrolled the page.
HOLDS = """(figure) => {
  figure.scrollIntoView({ block: "nearest", behavior: "instant" });
  return [...figure.querySelectorAll("button, input, [role=slider], [data-node]")]
    .map((node) => node.getBoundingClientRect())
    .filter(({ width }) => width)
    .map(({ x, y, width, height }) => [x + width / 2, y + height / 2])
    .filter((point) => figure.contains(document.elementFromPoint(...point)));
}"""
# When a figure above starts, this one moves away from the mouse. Ignore a click that then hits
# something else, for example a picture with a link.
STAY = """() => {
  for (const event of ["click", "dragstart"])
    addEventListener(event, (e) => e.target.closest?.(".unfolded-figure") || e.preventDefault());
}"""
MEASURE = Path(__file__).with_name("measure_slide.js").read_text("utf-8")
# Choose every option, type any text, move every slider and press every button by the events of a
# control, because keys and mouse have separate tests. Return the faults in each state and, on a
# slide, those of `MEASURE`.
EVERY_STATE = (
    """async (figure, { least, typed, numbers, stops, slide }) => {
  const faults = """
    + FAULTS
    + """;
  const measure = """
    + MEASURE
    + """;
  const found = {};
  async function look(state) {
    const wrong = await faults(figure, least);
    if (slide) for (const all of Object.values(measure())) wrong.push(...all);
    if (wrong.length) found[state] = wrong;
  }
  const seen = (selector) =>
    [...figure.querySelectorAll(selector)].filter((node) => node.getClientRects().length);
  const name = (node) =>
    node.closest("label")?.textContent || node.ariaLabel || node.labels?.[0]?.textContent;
  async function write(node, value, ...events) {
    node.value = value;
    for (const event of events) node.dispatchEvent(new Event(event, { bubbles: true }));
    await look(`${name(node)}: ${value}`);
  }
  async function choose(selector) {
    for (const node of seen(selector)) {
      node.click();
      await look(`${name(node) || node.textContent}: pressed`);
    }
  }
  await choose("input[type=radio], .unfolded-stage button:not(.uf-transport *)");
  for (const field of seen("input[type=text]"))
    for (const value of typed) await write(field, value, "input");
  for (const field of seen("input[type=number]"))
    for (const value of numbers) await write(field, value, "change");
  await choose("input[type=checkbox]"); // on
  await choose("input[type=checkbox]"); // off
  for (const bar of seen("input[type=range]")) {
    const [low, high, step] = [bar.min, bar.max, bar.step].map(Number);
    const many = Math.min(stops, Math.round((high - low) / step));
    for (let k = 0; k <= many; k++) await write(bar, low + ((high - low) * k) / many, "input");
  }
  await choose("input[type=radio]");
  return found;
}"""
)

LEAST = 12  # px
# The words in drawings that touch the edge of the card, which may cut them.
CUT_OFF = """(figure) => {
  const card = figure.querySelector(".unfolded-stage").getBoundingClientRect();
  return [...figure.querySelectorAll("svg.uf-drawing text")].filter((words) => {
    const { left, right, width } = words.getBoundingClientRect();
    if (!width || words.closest(".uf-scroll")) return false;
    return left < card.left + 3 || right > card.right - 3;
  }).map((words) => words.textContent);
}"""
# The fields that are too narrow for their value, or for a number near an end of its range.
CUT = """(figure) => [...figure.querySelectorAll("input[type=number], input[type=text]")]
  .filter((field) => field.getClientRects().length)
  .flatMap((field) => {
    const { value, min, max } = field;
    const [low, high, step] = [min, max, field.step].map(Number);
    const near = [low + step, high - step].filter(Number.isFinite).map((x) => x.toPrecision(6));
    const shown = field.type === "number" ? [value, min, max, ...near.map(Number)] : [value];
    const cut = shown.filter((each) => {
      field.value = each;
      return field.scrollWidth > field.clientWidth;
    });
    field.value = value;
    return cut.map((each) => `${field.ariaLabel ?? field.labels[0]?.textContent}: ${each}`);
  })"""
# Return the elements under a figure's button.
COVERED = """(button) => {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const parts = button.parentElement.querySelectorAll(
    ".unfolded-stage :is(input, button, select, label, output, p, text)");
  return [...parts].filter((part) => {
    const box = part.getBoundingClientRect();
    return box.width && box.left < right - 1 && box.right > left + 1 &&
      box.top < bottom - 1 && box.bottom > top + 1;
  }).map((part) => part.outerHTML.slice(0, 80));
}"""
TERMS = """(figure) =>
  [...new Set([...figure.querySelectorAll("[data-term]")].map((node) => node.dataset.term))]"""
LIGHT = """async (figure, term) => {
  const node = [...figure.querySelectorAll("[data-term]")].find((e) => e.dataset.term === term);
  node?.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
  await new Promise(requestAnimationFrame);
}"""
# Each figure with the deck that it is played with in, a deck's figures after one another.
ON_SLIDES = [
    together((chapter, name), f"{chapter}-{name}", group=chapter)
    for name, chapter in CHAPTER.items()
]
RUBBISH = [
    "T:NaN;t:Infinity;at:NaN;node:undefined;text:%00",
    "T:-1e309;t:1e309;pattern:99;squash:null;loss:;recursion:[object]",
    "__proto__:1;constructor:2;circuit:%7B%7D;T:%E0%A4%A;:;;x",
    "text:%3Cimg src=x onerror=alert(1)%3E" + "ab" * 50 + ";t:99;node:y9;at:dh77",
]
SENTENCES = ["", "*", "*?", "no?T=3", "*?T=x", "*?T=1e99&at=q&node=%", '"]', "*?__proto__=1"]
TYPED = ["", "   ", "W" * 20, "00", "ж<b>&", "</s>", "a</s>b", "👩\u200d🔬", "__proto__", "ab" * 40]
NUMBERS = ["", "1e308", "-999999999", "0", "3.7", "1e-320"]
STOPS = 12  # of a slider, and its end
KEYS = ["Home", "End", "PageUp", "PageDown", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]


@pytest.fixture
def figure(figure_page):
    """The figure as it starts, all of it in the window."""
    resize(figure_page, 1280, 1500)
    figure = figure_page.locator("figure.unfolded-figure").first
    figure.scroll_into_view_if_needed()
    return reset(figure)


@pytest.fixture(scope="module")
def deck(request, browser, site):
    """The slides of a chapter; one after another, its figures are played with."""
    file = site / "book" / "slides" / f"{request.param}.html"
    assert file.is_file(), "run `make slides` first"
    with reading(browser, file.as_uri(), scroll=False) as page:
        page.wait_for_function("() => globalThis.Reveal?.isReady()")
        yield page
        assert page.complaints == []


@pytest.fixture
def slide(deck, name):
    """The figure on its first slide."""
    resize(deck, 1280, 720)
    deck.evaluate(
        """(name) => Reveal.slide(Reveal.getSlides().findIndex((slide) =>
          slide.querySelector(`figure[data-module=${name}]`)), 0, 99)""",
        name,
    )
    deck.wait_for_selector(f"section.present figure[data-module={name}][data-live]")
    return reset(deck.locator(f"section.present figure[data-module={name}]").first)


on_each_slide = pytest.mark.parametrize(
    ("deck", "name"), ON_SLIDES, indirect=["deck"], scope="module"
)


def in_every_state(figure, slide=False):
    """Return the figure's faults by state."""
    told = {"least": LEAST, "typed": TYPED, "numbers": NUMBERS, "stops": STOPS, "slide": slide}
    return figure.evaluate(EVERY_STATE, told)


@pytest.mark.parametrize("width", [320, 1200])
def test_in_every_state(figure, width):
    resize(figure.page, width, 900)
    assert in_every_state(figure) == {}


@on_each_slide
def test_in_every_state_on_a_slide(slide):
    assert in_every_state(slide, slide=True) == {}


def play(figure, rounds, keys):
    """Let hands click, drag and press keys; they let go anywhere, even over a deck's progress."""
    chance = random.Random(0)
    page = figure.page
    page.evaluate(STAY)
    bottom = page.viewport_size["height"] - 2
    for _ in range(rounds):
        page.mouse.move(*chance.choice(figure.evaluate(HOLDS)))
        page.mouse.down()
        if chance.random() < 0.5:
            for _ in range(3):
                page.mouse.move(
                    chance.choice([-50, 400, 1700]), chance.choice([-50, 300, bottom, 1600])
                )
        page.mouse.up()
        if figure.evaluate("(figure) => figure.contains(document.activeElement)"):
            for key in chance.choices(keys, k=4):
                page.keyboard.press(key)
        assert figure.evaluate(FAULTS, LEAST) == []


def test_under_many_hands(figure):
    play(figure, 10, KEYS)


@on_each_slide
def test_under_many_hands_on_slides_of_other_sizes(slide):
    here = slide.page.evaluate("Reveal.getIndices().h")
    for width, height in [(1024, 600), (1920, 1080)]:
        resize(slide.page, width, height)
        play(slide, 5, [key for key in KEYS if "Page" not in key])  # those keys are the deck's
    assert slide.page.evaluate("Reveal.getIndices().h") == here


@on_each_slide
def test_on_a_slide_reset_covers_nothing(slide):
    button = slide.locator(".unfolded-reset")
    controls = slide.locator(f"{HANDLES}, {RANGES}, input[type=radio]").locator("visible=true")
    for control in controls.all():
        if pressed(control, "ArrowLeft", "ArrowRight"):
            rest(slide.page)
            if button.is_visible():  # else only a picture that was being computed has changed
                break
    assert button.evaluate(COVERED) == []
    for term in slide.evaluate(TERMS):  # highlighting one may show more text
        slide.evaluate(LIGHT, term)
        assert button.evaluate(COVERED) == [], term


def test_on_another_page_and_on_paper(figure):
    page = figure.page
    for width in (320, 1700, 1280):
        resize(page, width, 800)
        assert figure.evaluate(FAULTS, LEAST) == [], width
    page.emulate_media(media="print")
    assert figure.evaluate(FAULTS, LEAST) == []
    page.emulate_media(media="screen")


# A state with every control at its end; a text has the maximal length in wide letters or zeros.
ENDS = """([name, end]) => Object.entries(unfoldedHost.figures[name].meta.controls)
  .filter(([, control]) => !control.fixed)
  .map(([key, { type, options, min, max, maxLength = 40 }]) => {
    const choices = options?.map((option) => option?.value ?? option);
    const value = {
      choice: choices?.at(end === "max" ? -1 : 0),
      bool: end === "max",
      text: (end === "max" ? "W" : "0").repeat(maxLength),
    };
    return `${key}:${encodeURIComponent(value[type] ?? { min, max }[end])}`;
  })
  .join(";")"""


@pytest.mark.parametrize("end", ["min", "max"])
def test_with_every_control_at_its_end_it_fits_on_the_narrowest_phone(browser, figure, end):
    page = figure.page
    state = page.evaluate(ENDS, [page.name, end])
    url = f"{page.url.split('?')[0].split('#')[0]}?fig.{page.name}={state}"
    with reading(browser, url, viewport={"width": 320, "height": 800}) as phone:
        assert phone.locator("figure.unfolded-figure").first.evaluate(FAULTS, LEAST) == []
        assert phone.complaints == []


@pytest.mark.parametrize("width", [1280, 640])
def test_with_letters_twice_as_large_everything_stays_in_the_card(figure, width):
    page = figure.page
    page.evaluate("() => { document.documentElement.style.fontSize = '32px'; }")
    resize(page, width, 900)
    assert figure.evaluate(FAULTS, LEAST) == []
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_no_words_touch_the_edge_of_the_card(figure, width):
    resize(figure.page, width, 900)
    assert figure.evaluate(CUT_OFF) == []


def test_fields_show_their_whole_values(figure):
    assert figure.evaluate(CUT) == []


def test_tab_leads_through(figure):
    figure.locator("input, button").first.focus()
    inside = "(figure) => figure.contains(document.activeElement)"
    for _ in range(60):
        figure.page.keyboard.press("Tab")
        if not figure.evaluate(inside):
            break
    assert not figure.evaluate(inside)


def test_invalid_sentences_have_no_effect(figure):
    page = figure.page
    page.evaluate(
        """([name, states]) => {
          for (const state of states) {
            const span = document.createElement("span");
            span.dataset.set = state.replace("*", name);
            span.textContent = "set";
            span.className = "tried";
            document.querySelector("main").prepend(span);
          }
          unfoldedHost.scan();
        }""",
        [page.name, SENTENCES],
    )
    for link in page.locator("span.tried .unfolded-link").all():
        link.press("Enter")
        assert figure.evaluate(FAULTS, LEAST) == []


def test_with_rubbish_in_the_address(figure):
    page = figure.page
    keys = figure.evaluate(
        """(figure, many) => {
          const copies = Array.from({ length: many }, () => {
            const copy = figure.cloneNode(true);
            copy.querySelectorAll(".unfolded-stage, .unfolded-reset").forEach((e) => e.remove());
            delete copy.dataset.live;
            return copy;
          });
          figure.after(...copies);
          unfoldedHost.scan();
          return copies.map((copy) => copy.dataset.key);
        }""",
        len(RUBBISH),
    )
    address = "&".join(f"fig.{key}={state}" for key, state in zip(keys, RUBBISH, strict=True))
    page.evaluate("(address) => { location.hash = `#?${address}`; }", address)
    for key, state in zip(keys, RUBBISH, strict=True):
        copy = page.locator(f"figure[data-key='{key}']")
        copy.scroll_into_view_if_needed()
        page.wait_for_selector(f"figure[data-key='{key}'][data-live]")
        assert copy.evaluate(FAULTS, LEAST) == [], state
