"""When a figure is drawn, and where the focus is afterwards."""

import pytest
from reader import rest

from rnn_helpers.explore import scripts_for, static_path, styles_for

STATES = {"joint": "{}", "depth": '{"view": "all"}'}
NAMES = list(STATES)
# Note each reading of an area's width and each part that is drawn anew.
WATCH = """() => {
  globalThis.seen = [];
  const { get } = Object.getOwnPropertyDescriptor(Element.prototype, "clientWidth");
  Object.defineProperty(Element.prototype, "clientWidth", {
    get() {
      if (this.className === "area") seen.push("measured");
      return get.call(this);
    },
  });
  const { replaceChildren } = Element.prototype;
  Element.prototype.replaceChildren = function (...parts) {
    if (this.isConnected && this.closest(".area")) seen.push("drawn");
    replaceChildren.apply(this, parts);
  };
}"""


@pytest.fixture
def page(browser, tmp_path):
    static = static_path().as_uri()
    styles = [f'<link rel="stylesheet" href="{static}/{path}">' for path in styles_for(NAMES)]
    scripts = [f'<script src="{static}/{path}"></script>' for path in scripts_for(NAMES)]
    figures = [
        f"<figure class='unfolded-figure' data-module='{name}' data-state='{state}'></figure>"
        for name, state in STATES.items()
    ]
    file = tmp_path / "page.html"
    head = '<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">'
    file.write_text("\n".join([head, *styles, *figures, *scripts]), "utf-8")
    context = browser.new_context(offline=True, viewport={"width": 900, "height": 3000})
    page = context.new_page()
    page.goto(file.as_uri())
    for figure in page.locator("figure").all():
        figure.and_(page.locator('[data-live="true"]')).wait_for()
    yield page
    context.close()


def test_all_figures_are_measured_before_one_is_drawn(page):
    page.evaluate(WATCH)
    page.set_viewport_size({"width": 700, "height": 3000})
    page.wait_for_function("() => seen.includes('drawn')")
    rest(page)
    seen = page.evaluate("() => seen")
    first = seen.index("drawn")
    assert seen[:first] == ["measured"] * len(NAMES)
    assert seen[first:].count("drawn") == 2 * len(NAMES)  # the drawing and its nodes


def test_a_node_that_is_drawn_anew_keeps_the_focus(page):
    focused = "() => document.activeElement.dataset.node"
    page.locator('.fig-depth [data-node="4"]').focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"() => ({focused})() === '5'")
    # Another control draws the node anew, too.
    page.evaluate("() => (globalThis.old = document.activeElement)")
    page.locator(".fig-depth input[type=checkbox]").evaluate("box => box.click()")
    page.wait_for_function("() => !old.isConnected")
    assert page.evaluate(focused) == "5"


def test_values_set_together_are_drawn_once(page):
    page.evaluate(WATCH)
    page.locator(".fig-depth").get_by_role("button", name="(c)", exact=True).click()
    page.wait_for_function("() => seen.includes('drawn')")
    rest(page)
    assert page.evaluate("() => seen").count("drawn") == 2
