"""When a figure is drawn, where the focus goes, and which keys move a control."""

import pytest
from reader import links, rest

STATES = {"joint": "{}", "depth": '{"view": "all"}', "eigen": "{}", "bptt": "{}"}
NAMES = list(STATES)
AREAS = ["joint", "depth"]  # those with a measured drawing
# Note each reading of an area's width and each part that is redrawn.
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
    styles, scripts = links(*NAMES)
    figures = [
        f"<figure class='unfolded-figure' data-module='{name}' data-state='{state}'></figure>"
        for name, state in STATES.items()
    ]
    file = tmp_path / "page.html"
    head = '<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">'
    file.write_text("\n".join([head, styles, *figures, scripts]), "utf-8")
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
    assert seen[:first] == ["measured"] * len(AREAS)
    assert seen[first:].count("drawn") == 2 * len(AREAS)  # the drawing and its nodes


def test_a_redrawn_node_keeps_the_focus(page):
    focused = "() => document.activeElement.dataset.node"
    page.locator('.fig-depth [data-node="4"]').focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"() => ({focused})() === '5'")
    # Another control redraws the node, too.
    page.evaluate("() => (globalThis.old = document.activeElement)")
    page.locator(".fig-depth input[type=checkbox]").evaluate("box => box.click()")
    page.wait_for_function("() => !old.isConnected")
    assert page.evaluate(focused) == "5"


def test_values_set_together_are_drawn_once(page):
    page.evaluate(WATCH)
    page.locator(".fig-depth").get_by_role("button", name="between, with a skip").click()
    page.wait_for_function("() => seen.includes('drawn')")
    rest(page)
    assert page.evaluate("() => seen").count("drawn") == 2


def test_the_wheel_scrolls_the_page_over_a_focused_number(page):
    page.set_viewport_size({"width": 900, "height": 500})
    field = page.locator(".fig-joint input[type=number]").first
    field.scroll_into_view_if_needed()
    field.click()
    before = field.input_value()
    page.mouse.wheel(0, -120)
    rest(page)
    assert field.input_value() == before


def test_a_typed_number_is_rounded_to_the_step_of_its_slider(page):
    field = page.locator(".fig-eigen .uf-control:has-text('non-normality') input[type=number]")
    field.fill("3.333")
    field.press("Enter")
    assert field.input_value() == "3.3"


def test_a_second_finger_on_a_handle_doesnt_move_it(page):
    handle = page.locator(".fig-joint svg [role=slider]").first
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    first = {"x": x, "y": y, "id": 1}
    before = handle.get_attribute("aria-valuenow")
    touch = page.context.new_cdp_session(page)

    def send(kind, *fingers):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(fingers)})
        rest(page)

    send("touchStart", first)
    send("touchStart", first, {"x": x + 3, "y": y, "id": 2})
    send("touchMove", first, {"x": x + 300, "y": y, "id": 2})
    assert handle.get_attribute("aria-valuenow") == before
    send("touchMove", {**first, "x": x + 300}, {"x": x + 300, "y": y, "id": 2})
    assert handle.get_attribute("aria-valuenow") != before
    send("touchEnd")


def test_a_status_line_changes_with_a_state_whose_words_stay_the_same(page):
    status = page.locator(".fig-bptt > .uf-hidden[role=status]")
    assert "only the last word has a loss" in status.inner_text()
    page.locator(".fig-bptt").get_by_label("every word", exact=True).check(force=True)
    rest(page)
    assert "every word has a loss" in status.inner_text()
