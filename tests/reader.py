"""Open pages of the built site without a network, and collect errors and warnings."""

import gzip
import json
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from books import NOTEBOOKS, table_of_contents

from press.claims import CLAIMS
from press.gallery import EMBED, GALLERY, figures
from press.places import places
from rnn_helpers.experiments.archived import archived_slugs
from rnn_helpers.experiments.store import stored_slugs
from rnn_helpers.explore import scripts_for, styles_for
from rnn_helpers.explore.states import static_file

PAGES = table_of_contents()


def links(*names):
    """Return the tags that load figures as the package has them: style sheets, and scripts."""
    sheets, scripts = (
        [static_file(path).as_uri() for path in files_for(names)]
        for files_for in (styles_for, scripts_for)
    )
    return (
        "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets),
        "".join(f'<script src="{script}"></script>' for script in scripts),
    )


def together(value, name, *marks, group=None):
    """Return a parameter whose tests run in one worker, so that they open their page only once.

    A tuple is several parameters. All parameters of a group go to the same worker.
    """
    several = value if isinstance(value, tuple) else (value,)
    return pytest.param(*several, id=name, marks=[pytest.mark.xdist_group(group or name), *marks])


EACH_PAGE = [together(name, Path(name).name) for name in PAGES]
every_page = pytest.mark.parametrize("name", EACH_PAGE)
# A figure's page in the gallery, and the figure alone.
OWN_PAGE = {name: f"{GALLERY}/{name}" for name in figures()}
ALONE = {name: f"{EMBED}/{name}" for name in figures()}
SHOWN = places({path.stem: path for path in NOTEBOOKS})
CHAPTER = {name: found[0].docname for name, found in SHOWN.items() if name in OWN_PAGE}
CLAIM_PAGES = [f"{CLAIMS}/{slug}" for slug in sorted(stored_slugs() | archived_slugs())]
EACH_FIGURE = [
    together(name, name, pytest.mark.chapter(CHAPTER.get(name, "")[:2])) for name in figures()
]

FIRST_LOAD = 500_000  # bytes, gzipped, before anybody scrolls
PACKED = {".png", ".webp", ".woff", ".woff2"}  # gzip can't make them smaller

AXE = Axe().axe_script
# Axe reads the same few colors tens of thousands of times, so their parsed values are kept.
PARSE_ONCE = """() => {
  const { prototype } = axe.commons.color.Color;
  const { parseString } = prototype;
  const parsed = new Map();
  prototype.parseString = function (text) {
    if (parsed.has(text)) return Object.assign(this, parsed.get(text));
    parseString.call(this, text);
    const { r, g, b, alpha } = this;
    parsed.set(text, { r, g, b, alpha });
    return this;
  };
}"""
# A rule that axe leaves out unless asked: people call a control by voice with the words on it, so
# its name needs these words.
ALSO = {"label-content-name-mismatch": {"enabled": True}}
# Formulas and code have thousands of letters, and axe spent most of its time on their contrast. So
# only one letter of each color, size and background stays visible. Hidden letters keep their space.
SPECIMENS = """() => {
  const seen = new Set();
  const ground = (node) => {
    const colour = node ? getComputedStyle(node).backgroundColor : "";
    return node && /, 0\\)$|^transparent$/.test(colour) ? ground(node.parentElement) : colour;
  };
  return [...document.querySelectorAll(".katex-html span, pre span")].filter((node) => {
    if (node.childElementCount || !node.textContent.trim()) return false;
    const { color, fontSize, fontWeight, opacity, visibility } = getComputedStyle(node);
    if (visibility === "hidden" || !node.getClientRects().length) return false;
    const look = [color, fontSize, fontWeight, opacity, ground(node)].join();
    return seen.has(look) || !seen.add(look);
  });
}"""
# The parts of a figure's stage and the values of its controls. The status line for screen readers
# is missing, because it changes later and when the focus moves.
SIGHT = """figure => JSON.stringify([
  [...figure.querySelector(".unfolded-stage").children]
    .map((part) => part.outerHTML.replace(/(<[^>]* role="status"[^>]*>)[^<]*/g, "$1")),
  ...[...figure.querySelectorAll("input, select")].map((e) => [e.value, e.checked]),
])"""

FRAMES = """async () => {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}"""
# Records which timers and frames are due, for `rest`. It runs before the scripts of a page.
TIMERS = """(() => {
  const due = (globalThis.timersDue = new Set());
  const watch = (ask, cancel) => {
    const [asked, cancelled] = [globalThis[ask], globalThis[cancel]];
    globalThis[ask] = (run, delay, ...given) => {
      const key = `${ask} ${asked((...time) => {
        due.delete(key);
        run(...time, ...given);
      }, delay)}`;
      due.add(key);
      return Number(key.split(" ")[1]);
    };
    globalThis[cancel] = (id) => {
      due.delete(`${ask} ${id}`);
      cancelled(id);
    };
    return asked;
  };
  watch("setTimeout", "clearTimeout");
  globalThis.nextFrame = watch("requestAnimationFrame", "cancelAnimationFrame");
})()"""
# A timer may ask for a frame, and a frame may set a timer.
REST = """async () => {
  for (let frames = 0; frames < 3; frames += 1) {
    await new Promise(nextFrame);
    if (timersDue.size) frames = -1;
  }
  return true;
}"""
HANDLES = "svg [role=slider]"
RANGES = "input[type=range]"
READ = "[data-node][tabindex='0']"  # a row or a point of a result without a guess
FOLDED = "details > summary"  # the box of a code exercise
CHOICES = "input[type=radio]:not(:checked), .unfolded-stage button:not([aria-pressed=true])"


@contextmanager
def reading(browser, url, scroll=True, **options):
    """Open a page in its own context and yield it. `page.complaints` lists errors and warnings.

    Requests to addresses outside the site are refused and count as complaints.
    """
    home = url.split("/_build/")[0] if url.startswith("file:") else "/".join(url.split("/")[:3])
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
    complaints = []

    def gate(route):
        asked = route.request.url
        if asked.startswith((home, "data:", "blob:")):
            route.continue_()
        else:
            complaints.append(f"asked for {asked}")
            route.abort()

    context.route("**/*", gate)
    page = context.new_page()
    page.asked = set()
    page.on("request", lambda request: page.asked.add(request.url))
    page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("response", lambda r: r.status >= 400 and complaints.append(f"{r.status} {r.url}"))
    # The browser may cancel a request, such as a second one for an icon. That isn't a failure.
    gave_up = "net::ERR_ABORTED"
    page.on(
        "requestfailed",
        lambda r: r.failure == gave_up or complaints.append(f"failed {r.url}: {r.failure}"),
    )
    page.complaints = complaints
    page.goto(url)
    if scroll:
        wake(page)
    yield page
    context.close()


def wake(page):
    """Scroll past every figure, so that all come alive, and return to the top."""
    for figure in page.locator("figure.unfolded-figure").all():
        figure.scroll_into_view_if_needed()
        page.wait_for_function("figure => figure.dataset.live", arg=figure.element_handle())
    page.evaluate("() => scrollTo(0, 0)")
    page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")


def resize(page, width, height):
    """Give the page a window of this size, and wait until its layout is complete.

    A deck keeps the layout for the old window until its resize handlers have run, and a place
    measured before then is wrong. The handlers run before the next frame is drawn, and observers
    of sizes run after it.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        "(size) => String([innerWidth, innerHeight]) === String(size)", arg=[width, height]
    )
    page.evaluate(FRAMES)


def sight(figure):
    """Wait two frames, in which the figure draws its last change, and return its contents."""
    figure.page.evaluate(FRAMES)
    return figure.evaluate(SIGHT)


def changed(figure, before):
    """Return whether the figure shows something else, at the latest when it is complete."""
    if sight(figure) == before:
        rest(figure.page)
    return sight(figure) != before


def rest(page):
    """Wait until the page has drawn everything and no timer is due."""
    page.wait_for_function(REST)  # has a time limit, unlike `evaluate`


def loaded(page):
    """Wait until the page is loaded and has drawn everything that isn't waiting for a scroll."""
    page.wait_for_load_state("load")
    rest(page)


def reset(figure):
    """Reset the figure and return it. A script clicks, since the button may not be visible yet."""
    figure.evaluate(
        """(figure) => {
          figure.querySelector(".unfolded-reset").click();
          return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        }"""
    )
    return figure


def pressed(control, *keys):
    """Return whether one of the keys, pressed on the control, changes its figure."""
    figure = control.locator("xpath=ancestor::figure")
    control.focus()
    before = sight(figure)  # after the focus, which may already highlight a term
    for key in keys:
        control.focus()
        control.press(key)
        if changed(figure, before):
            return True
    return False


def dragged(control, x, y):
    """Return whether dragging the control by x and y pixels changes its figure."""
    figure = control.locator("xpath=ancestor::figure")
    before = sight(figure)
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    mouse = control.page.mouse
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(*middle)
    mouse.down()
    mouse.move(middle[0] + x, middle[1] + y, steps=6)
    mouse.up()
    return changed(figure, before)


def drag(page, *points):
    """Put a finger down at the first point, lead it over the others, and lift it."""
    finger = page.context.new_cdp_session(page)
    touches = [[{"x": x, "y": y}] for x, y in points]
    kinds = ["touchStart", *["touchMove"] * (len(points) - 1), "touchEnd"]
    for kind, touch in zip(kinds, [*touches, []], strict=True):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touch})


def packed(paths):
    """Return the bytes that each file takes when it is sent, by name, the largest first."""
    sizes = {}
    for path in paths:
        content = path.read_bytes()
        sizes[path.name] = len(content if path.suffix in PACKED else gzip.compress(content))
    return dict(sorted(sizes.items(), key=lambda one: -one[1]))


def files(addresses):
    """Return the files that have these addresses; only addresses with ``file://`` have one."""
    parts = map(urlsplit, addresses)
    return {Path(unquote(part.path)) for part in parts if part.scheme == "file"}


def violations(page, within=None, rules=(), **options):
    """Return axe's violations in the page, or `within` a selector, after all transitions."""
    options["rules"] = {**ALSO, **dict(rules)}
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(AXE)
        page.evaluate(PARSE_ONCE)
    found = page.evaluate(
        """async ([within, options]) => {
          // Farther down, the page's header may cover half of a control, which then seems small.
          scrollTo({ top: 0, behavior: "instant" });
          for (const fade of document.getAnimations())
            if (fade instanceof CSSTransition) fade.finish();
          const alike = (SPECIMENS)();
          for (const node of alike) node.style.visibility = "hidden";
          // Axe would also read the elements beside the part, so they are taken out for a while.
          const part = within && document.querySelector(within);
          const beside = part ? [...part.parentElement.children].filter((e) => e !== part) : [];
          const places = beside.map(() => document.createComment(""));
          beside.forEach((node, k) => node.replaceWith(places[k]));
          const { violations } = await axe.run(within ?? document, options);
          places.forEach((place, k) => place.replaceWith(beside[k]));
          for (const node of alike) node.style.visibility = "";
          return violations.map(({ id, nodes }) => ({
            rule: id,
            nodes: nodes.slice(0, 4).map(({ target, html }) => [...target, html.slice(0, 90)]),
          }));
        }""".replace("SPECIMENS", SPECIMENS),
        [within, {"resultTypes": ["violations"], "preload": False, **options}],
    )
    return json.dumps(found, indent=1)
