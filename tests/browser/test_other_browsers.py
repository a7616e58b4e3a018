"""Firefox and WebKit: every figure starts and responds to the mouse and the keyboard.

Neither computes the last bits of an exponential as Chromium does, so a chaotic figure ends
elsewhere. So a figure must only move, stay in its card and show valid numbers.
"""

import pytest
from drivers import Firefox, WebKit
from reader import ALONE, CHOICES, FOLDED, HANDLES, OWN_PAGE, RANGES, READ, SIGHT
from test_figures_hold import FAULTS

# Each figure alone, one on its page in the gallery, and a chapter: with its figures it asks for a
# choice and for a number.
WHERE = [*ALONE.values(), OWN_PAGE["unfold"], "book/02_unfolding"]
KINDS = (HANDLES, RANGES, CHOICES, READ, FOLDED)
PRESSED = (CHOICES, FOLDED)
FIGURE = "document.querySelectorAll('figure.unfolded-figure')[n]"
# What is wrong from now on; how many figures there are.
LISTEN = """() => {
  globalThis.errors = [];
  addEventListener("error", ({ message }) => errors.push(message));
  addEventListener("unhandledrejection", ({ reason }) => errors.push(String(reason)));
  return document.querySelectorAll("figure.unfolded-figure").length;
}"""
WAKE = f"""async (n) => {{
  const figure = {FIGURE};
  figure.scrollIntoView({{ block: "center", behavior: "instant" }});
  while (!figure.dataset.live) await new Promise(requestAnimationFrame);
  await document.fonts.ready;
  return [figure.dataset.module, figure.dataset.live];
}}"""
FAULTY = f"(n) => ({FAULTS})({FIGURE}, 0)"
# Wait until the figure's content is stable, so that any later change comes from the mouse or a key.
# `compose` redraws after at most eight frames.
SEE = f"""async (n) => {{
  globalThis.seen = null;
  for (let same = 0, frame = 0; same < 12 && frame < 300; same++, frame++) {{
    await new Promise(requestAnimationFrame);
    const sight = ({SIGHT})({FIGURE});
    if (sight !== globalThis.seen) same = 0;
    globalThis.seen = sight;
  }}
}}"""
# Return the rectangle of the figure's first control of a kind, once it has the focus and everything
# is at rest. The page may still scroll to keep the control that was pressed before in its position,
# so look at the end whether this one is in view.
HOLD = f"""async (n, kind) => {{
  // What is hidden or in a closed box has a place, too.
  const seen = (control) =>
    !control.disabled && control.checkVisibility({{ visibilityProperty: true }});
  const control = [...{FIGURE}.querySelectorAll(kind)].find(seen);
  if (!control) return null;
  control.focus({{ preventScroll: true }});
  for (;;) {{
    control.scrollIntoView({{ block: "center", behavior: "instant" }});
    await ({SEE})(n);
    const {{ x, y, width, height }} = control.getBoundingClientRect();
    const [right, down] = [x + width / 2, y + height / 2];
    if (0 < right && right < innerWidth && 0 < down && down < innerHeight)
      return [x, y, width, height];
  }}
}}"""
# While its fields are empty, a question shows the same words again. Filled, it shows others.
FILL = f"""(n) => {{
  for (const field of {FIGURE}.querySelectorAll(".fig-answer input.number")) field.value = 7;
}}"""
CHANGED = f"""async (n) => {{
  for (let frame = 0; frame < 120; frame++) {{
    await new Promise(requestAnimationFrame);
    if (({SIGHT})({FIGURE}) !== globalThis.seen) return true;
  }}
  return false;
}}"""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(browser, id=browser.__name__, marks=pytest.mark.xdist_group(browser.__name__))
        for browser in (Firefox, WebKit)
    ],
)
def other(request, missing, tmp_path_factory):
    """Another browser, with an empty page."""
    if not request.param.found:
        missing(f"no {request.param.__name__} with its driver")
    driver = request.param(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.close()


def answers_keys(other, n, kind):
    """Return whether an arrow key changes the figure (for a button, the space bar)."""
    for key in ("Space",) if kind in PRESSED else ("ArrowRight", "ArrowLeft"):
        other.run(HOLD, n, kind)
        other.press(key)
        if other.run(CHANGED, n):
            return True
    return False


def answers_mouse(other, n, kind):
    """Return whether a drag changes the figure (for a button, a click)."""
    for right, down in [(0, 0)] if kind in PRESSED else [(70, 0), (-70, 0), (0, 50), (0, -50)]:
        x, y, width, height = other.run(HOLD, n, kind)
        start, end = (x + width / 2, y + height / 2), (x + width / 2 + right, y + height / 2 + down)
        if kind == RANGES:  # along it
            start, end = ((x + width * share, y + height / 2) for share in (0.9, 0.1))
        other.take(*start)
        if kind not in PRESSED:  # to be taken is no move
            other.run(SEE, n)
        other.lead(
            *([a + (b - a) * k / 6 for a, b in zip(start, end, strict=True)] for k in range(7))
        )
        if other.run(CHANGED, n):
            return True
    return False


@pytest.mark.nightly("gallery/unfold", "embed/result", "embed/depth")
@pytest.mark.parametrize("name", WHERE)
def test_every_figure_starts_and_responds_to_mouse_and_keys(other, site, name):
    other.open((site / f"{name}.html").as_uri())
    wrong = []
    for n in range(other.run(LISTEN)):
        module, live = other.run(WAKE, n)
        if live != "true":
            wrong.append(f"{module} {n} is not alive")
            continue
        wrong += [f"{module} {n}: {fault}" for fault in other.run(FAULTY, n)]
        kind = next(kind for kind in KINDS if other.run(HOLD, n, kind))
        for answers in (answers_keys, answers_mouse):
            if not answers(other, n, kind):
                wrong.append(f"{module} {n}: {answers.__name__} not")
            other.run(FILL, n)
        wrong += [f"{module} {n}: {fault}" for fault in other.run(FAULTY, n)]
    assert "\n".join([*wrong, *other.run("() => errors")]) == ""
