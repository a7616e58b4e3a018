"""A figure drawn without a browser matches the live figure."""

from io import BytesIO

import pytest
from PIL import Image
from reader import links, rest

from press.still import PLACES, draw, still
from press.still.defaults import drawable, height
from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import picture_file

FIGURES = sorted(set(manifest()) - {"answer"})
NEAR = 2  # CSS pixels, because a living figure may round its size
WIDTH = PLACES["page"]["width"]
STAGES = """() => [...document.querySelectorAll(".unfolded-stage")].map((stage) => {
  const { width, height } = stage.getBoundingClientRect();
  const drawings = [...stage.querySelectorAll("svg.uf-drawing")].map((svg) => svg.clientWidth);
  return { width, height, drawings };
})"""

# The height of the smallest letters, in CSS pixels of the window.
SMALLEST = """(stage) => {
  const words = [...stage.querySelectorAll("*")].filter(
    (node) => [...node.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim()),
  );
  const seen = words.filter((node) => node.checkVisibility() && !node.closest("math, option"));
  return Math.min(...seen.map((node) => {
    const scale = node.ownerSVGElement?.getScreenCTM().a ?? node.currentCSSZoom;
    return scale * parseFloat(getComputedStyle(node).fontSize);
  }));
}"""


@pytest.fixture(scope="module")
def page(browser):
    context = browser.new_context(offline=True, viewport={"width": 900, "height": 700})
    yield context.new_page()
    context.close()


@pytest.fixture(scope="module")
def phone(browser):
    """A page in a narrow window that runs no script."""
    window = {"width": 360, "height": 700}
    context = browser.new_context(offline=True, viewport=window, java_script_enabled=False)
    yield context.new_page()
    context.close()


def both(name):
    """Return a page with the still, which stays one, and the living figure."""
    styles, scripts = links(name)
    made = still(draw(name, {}).markup, "")
    # The stage has its padding and its border around the width that the still was drawn for.
    return f"""<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">{styles}
<style>figure {{ width: {WIDTH + 2 + 35.2}px }}</style>
<figure class="unfolded-figure">{made}</figure>
<figure class="unfolded-figure" data-module="{name}" data-state="{{}}" data-address></figure>
{scripts}"""


@pytest.mark.nightly("unfold", "result", "eigen", files=["press/still/"])
@pytest.mark.parametrize("name", FIGURES)
def test_a_still_takes_the_room_of_the_living_figure(page, tmp_path, name):
    file = tmp_path / "page.html"
    file.write_text(both(name), "utf-8")
    page.goto(file.as_uri())
    page.locator("figure[data-module]").scroll_into_view_if_needed()
    page.locator('figure[data-live="true"]').wait_for()
    rest(page)  # a figure whose computation takes long draws one part after another
    at_rest, alive = page.evaluate(STAGES)
    assert at_rest["width"] == alive["width"]
    assert at_rest["height"] == pytest.approx(alive["height"], abs=NEAR)
    assert at_rest["drawings"] == pytest.approx(alive["drawings"], abs=NEAR)


@pytest.mark.nightly("unfold", "result", "eigen", files=["press/still/"])
@pytest.mark.parametrize("name", drawable())
def test_without_scripts_a_still_keeps_its_arrangement_on_a_phone(phone, tmp_path, name):
    file = tmp_path / "page.html"
    file.write_text(both(name).replace("figure { width:", "figure { max-width:"), "utf-8")
    phone.goto(file.as_uri())
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    stage = phone.locator(".unfolded-still .unfolded-stage")
    assert stage.evaluate("(node) => node.offsetWidth") == pytest.approx(WIDTH + 2 + 35.2, abs=1)
    assert stage.evaluate(SMALLEST) > 8.9


def test_on_paper_a_row_of_controls_keeps_its_text(page, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(both("perturb"), "utf-8")
    page.goto(file.as_uri())
    page.locator("figure[data-module]").scroll_into_view_if_needed()
    page.locator('figure[data-live="true"]').wait_for()
    page.emulate_media(media="print")
    assert page.locator(".matrix:visible").count() == 2
    assert page.locator(".uf-control:visible").count() == 0
    page.emulate_media(media="screen")


def test_the_living_figure_takes_the_place_of_its_still(page, tmp_path):
    file = tmp_path / "page.html"
    made = still(draw("step", {}).markup, "a step")
    file.write_text(
        both("step").replace("data-address></figure>", f"data-address>{made}</figure>"), "utf-8"
    )
    page.goto(file.as_uri())
    figure = page.locator("figure[data-module]")
    figure.scroll_into_view_if_needed()
    page.locator('figure[data-live="true"]').wait_for()
    assert figure.locator(".unfolded-stage").count() == 1
    assert figure.locator(".unfolded-still").count() == 0
    assert figure.locator("input").first.is_enabled()


def test_a_status_line_speaks_of_changes_only(page, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(both("cell"), "utf-8")
    page.goto(file.as_uri())
    figure = page.locator("figure[data-live]")
    figure.scroll_into_view_if_needed()
    status = figure.locator(".uf-hidden[role=status]")
    first = status.text_content()
    assert first == draw("cell", {}).status
    status.evaluate("""(node) => {
      window.spoken = 0;
      new MutationObserver(() => window.spoken++).observe(node, { childList: true });
    }""")
    figure.evaluate("(node) => (node.style.width = '480px')")
    rest(page)
    assert page.evaluate("window.spoken") == 0
    figure.get_by_role("slider").press("ArrowRight")
    page.wait_for_function("window.spoken === 1")
    assert first.startswith("The share kept")
    assert status.text_content().startswith("After three 1s the state is")


@pytest.mark.nightly("unfold", "result", "eigen", files=["press/still/"])
@pytest.mark.parametrize("name", drawable())
def test_the_picture_of_the_default_state_is_as_high_as_its_file_says(page, name):
    page.goto(picture_file(name).as_uri())
    box = page.evaluate("""async () => {
      await document.fonts.ready;
      const { top, left, height } = document.querySelector("figure").getBoundingClientRect();
      return { top, left, height };
    }""")
    assert box == {"top": 0, "left": 0, "height": pytest.approx(height(name), abs=NEAR)}


def test_a_picture_is_dark_where_its_address_asks_for_it(page, tmp_path):
    file = tmp_path / "page.html"
    address = picture_file("cliff").as_uri()
    file.write_text(f'<img src="{address}"><img src="{address}#dark">', "utf-8")
    page.goto(file.as_uri())
    page.wait_for_function("() => [...document.images].every((image) => image.naturalWidth)")
    light, dark = (Image.open(BytesIO(image.screenshot())) for image in page.locator("img").all())
    assert light.size == dark.size
    assert [image.convert("L").getpixel((60, 60)) for image in (light, dark)] == [255, 18]
