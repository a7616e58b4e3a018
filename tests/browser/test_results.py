"""Results on a small separate page: how they are read, and guessed before they are shown."""

import pytest
from reader import FRAMES, drag, links

from press import renderers
from press.renderers import figure_markup, told
from rnn_helpers.experiments import load
from rnn_helpers.experiments.data import claim_panels
from rnn_helpers.experiments.show import figure

SHEET = renderers.__file__.replace("renderers.py", "static/unfolded.css")
ROW, LINE = "leaky, α = 0.99", "default, value may come late"
FINDING, DISCUSSED = "Leaky units learn it.", "Nearly all of them learn."


def shown(slug, *asked, which=None, **words):
    data = load(slug).data(which)
    ask = data.asking(*asked, **words) if asked else None
    return figure_markup(told(figure(data, ask)))


def uneven():
    """Return two panels, of which one has a title of several lines."""
    points = [{"x": x, "y": x, "low": x, "high": x} for x in range(3)]
    panels = {title: {"": points} for title in ("short", "as long as no other " * 4)}
    words = {"question": "How many?", "xlabel": "steps", "ylabel": "errors", "unit": "errors"}
    return claim_panels(panels, "x", "y", **words)


def claim(markup):
    return f"""<div class="cell"><div class="claim-shown asks docutils container">
{markup}<p class="finding">{FINDING} <a class="how">How we know</a></p></div></div>
<div class="unf-discussed docutils container"><p>{DISCUSSED}</p></div>"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    styles, scripts = links("result")
    styles += f'<link rel="stylesheet" href="file://{SHEET}">'
    figures = (
        claim(
            shown(
                "time-scales",
                ROW,
                which="all",
                question="How many of 24?",
                why="It forgets slowly.",
            )
        ),
        shown("length-success", LINE, [10, 20], question="How many of 40?"),
        shown("time-scales", which="all"),
        shown("reservoir-memory"),
        shown("copy-longer", which="heads"),
        shown("training-stages"),
        figure_markup(told(figure(uneven()))),
    )
    page = tmp_path_factory.mktemp("page") / "index.html"
    page.write_text(
        f"""<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>t</title>{styles}
<main>{"".join(figures)}</main>{scripts}""",
        "utf-8",
    )
    return page.as_uri()


def opened(browser, address, **settings):
    """Return a page whose figures are all alive."""
    page = browser.new_context(offline=True, **settings).new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(error))
    page.goto(address)
    for found in page.locator("figure").all():
        found.scroll_into_view_if_needed()
        found.and_(page.locator("[data-live=true]")).wait_for()
    return page


@pytest.fixture
def page(browser, address):
    page = opened(browser, address, viewport={"width": 900, "height": 900})
    yield page
    page.context.close()
    assert not page.errors


def figures(page):
    return page.locator("figure > .unfolded-stage")


def middle(node):
    node.evaluate("node => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = node.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_result_is_hidden_before_the_guess(page):
    seen = page.locator("main").inner_text()
    for words in (FINDING, DISCUSSED, "How we know", "It forgets slowly."):
        assert words not in seen
    asked = figures(page).nth(0)
    assert "23 of 24" not in asked.inner_text()
    assert asked.locator(".dot").count() == 9
    assert figures(page).nth(1).locator(".curve").count() == 3
    names = asked.locator("[aria-label]").evaluate_all("all => all.map(n => n.ariaLabel).join()")
    assert "23" not in names


@pytest.mark.parametrize("n", [0, 1])
def test_the_page_stays_in_place_when_the_result_is_shown(page, n):
    button = figures(page).nth(n).locator(".uf-controls > button:visible")
    for name in ("Guess again", "Show the result without guessing"):
        middle(button)
        start = button.bounding_box()["y"]
        button.click()
        page.evaluate(FRAMES)
        assert button.inner_text() == name
        assert button.bounding_box()["y"] == pytest.approx(start, abs=2)


def test_a_row_is_guessed_with_the_mouse_and_compared(page):
    asked = figures(page).nth(0)
    page.mouse.click(*middle(asked.get_by_role("slider")))  # where the marker already is
    assert asked.get_by_role("spinbutton").input_value() == "12"
    asked.get_by_role("button", name="Show the result", exact=True).click()
    text = asked.inner_text()
    for words in ("23 of 24", "you: 12 of 24", "You expected 12 of 24; it is 23 of 24."):
        assert words in text
    assert "It forgets slowly." in text
    assert FINDING in page.locator("main").inner_text()
    assert DISCUSSED in page.locator("main").inner_text()
    asked.get_by_role("button", name="Guess again").click()
    assert "23 of 24" not in asked.inner_text()
    assert DISCUSSED not in page.locator("main").inner_text()


def test_a_row_is_guessed_with_the_keyboard_and_by_typing(page):
    asked = figures(page).nth(0)
    slider, field = asked.get_by_role("slider"), asked.get_by_role("spinbutton")
    slider.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "13 of 24"
    field.fill("23")
    assert slider.input_value() == "23"
    asked.get_by_role("button", name="Show the result", exact=True).press("Enter")
    assert "Yes. You expected 23 of 24; it is 23 of 24." in asked.inner_text()


def test_a_line_is_guessed_at_each_asked_x(page):
    asked = figures(page).nth(1)
    near, far = asked.get_by_role("slider").all()
    names = [f"your guess for {LINE}, length of the sequence {x}, of 40" for x in (10, 20)]
    assert [asked.get_by_role("spinbutton", name=name).count() for name in names] == [1, 1]
    near.press("End")
    assert near.get_attribute("aria-valuetext") == "40 of 40"
    x, y = middle(far)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 40, steps=4)
    page.mouse.up()
    page.wait_for_function("document.querySelectorAll('.guesses input')[1].value !== ''")
    values = [int(field.input_value()) for field in asked.get_by_role("spinbutton").all()]
    assert values[0] == 40
    assert 5 < values[1] < 20
    asked.get_by_role("button", name="Show the result", exact=True).click()
    assert asked.locator(".curve").count() == 4
    assert asked.locator("path.guess").count() == 2


def test_a_result_can_be_seen_without_a_guess(page):
    asked = figures(page).nth(0)
    asked.get_by_role("button", name="Show the result without guessing").click()
    assert "Here is the result." in asked.inner_text()


def test_rows_are_read_as_sentences_with_mouse_and_keyboard(page):
    found = figures(page).nth(2)
    found.get_by_text("skips of 10", exact=True).hover()
    sentence = "skips of 10: 24 of 24 networks learn; 95 % interval: 86 % to 100 %."
    assert found.locator(".said").inner_text() == sentence
    found.locator("[data-node]").first.focus()
    page.keyboard.press("ArrowDown")
    said = found.locator(".said").inner_text()
    assert said.startswith("simple RNN, orthogonal start: 14 of 24 networks learn;")


def test_points_are_read_as_sentences_with_the_keyboard(page):
    found = figures(page).nth(3)
    found.locator("[data-node][tabindex='0']").first.focus()
    page.keyboard.press("ArrowRight")
    said = found.locator(".said").inner_text()
    assert said.startswith("input scale")
    assert "95 % interval" in said


def test_a_print_shows_every_result(page):
    page.emulate_media(media="print")
    seen = page.locator("main").inner_text()
    for words in (FINDING, DISCUSSED, "How we know", "23 of 24", "How many of 24?"):
        assert words in seen


def test_every_result_is_shown_without_scripts(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    seen = page.locator("main").inner_text()
    for words in (FINDING, DISCUSSED, "23 of 24"):
        assert words in seen
    context.close()


def test_on_a_phone_the_sentence_is_below_the_row_that_is_touched(browser, address):
    page = opened(browser, address, viewport={"width": 360, "height": 700}, has_touch=True)
    row = figures(page).nth(2).locator("[data-node]").nth(3)
    row.tap()
    assert row.locator(".said").inner_text().startswith("skips of 10: 24 of 24 networks learn;")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert not page.errors
    page.context.close()


# Words of a chart that reach over its edge.
OVER = """stage => [...stage.querySelectorAll("text, .measure")].filter((words) => {
  const [box, frame] = [words, stage].map((node) => node.getBoundingClientRect());
  return box.left < frame.left || box.right > frame.right;
}).map((words) => words.textContent)"""
# Points of lines below the name of a value to compare with.
COVERED = """stage => [...stage.querySelectorAll(".mark-name")].flatMap((name) => {
  const box = name.getBoundingClientRect();
  return [...name.closest("svg").querySelectorAll("[data-node]")].filter((point) => {
    const { x, y, width } = point.getBoundingClientRect();
    const [across, down] = [x + width / 2, y + width / 2];
    return box.left < across && across < box.right && box.top < down && down < box.bottom;
  }).map(() => name.textContent);
})"""


@pytest.mark.parametrize("width", [360, 900])
def test_words_stay_inside_and_off_the_points(browser, address, width):
    page = opened(browser, address, viewport={"width": width, "height": 700})
    for stage in figures(page).all():
        assert stage.evaluate(OVER) == []
        assert stage.evaluate(COVERED) == []
    page.context.close()


def test_panels_are_level_if_the_title_of_one_takes_more_lines(page):
    one, other = [area.bounding_box() for area in figures(page).nth(6).locator(".area").all()]
    assert one["x"] + one["width"] < other["x"]
    assert one["y"] == pytest.approx(other["y"], abs=1)


@pytest.fixture
def phone(browser, address):
    size = {"width": 360, "height": 700}
    page = opened(browser, address, viewport=size, has_touch=True, is_mobile=True)
    yield page
    page.context.close()


@pytest.mark.parametrize(
    ("nth", "selector"),
    [(2, "[data-node] .track"), (3, ".area svg"), (0, "input[type=range]"), (1, ".area svg")],
    ids=["a row", "lines", "a row that is asked", "lines beside a marker"],
)
def test_a_finger_that_goes_up_over_a_result_scrolls(phone, nth, selector):
    x, y = middle(figures(phone).nth(nth).locator(selector).nth(0))
    top = phone.evaluate("scrollY")
    drag(phone, *((x, y - 25 * k) for k in range(7)))
    phone.wait_for_function("top => scrollY > top + 50", arg=top)
    if nth < 2:
        assert figures(phone).nth(nth).get_by_role("spinbutton").first.input_value() == ""


def test_a_guess_follows_a_finger_and_the_page_stays(phone):
    row, line = figures(phone).nth(0), figures(phone).nth(1)
    for asked, (right, down) in ((row, (12, 1)), (line, (0, -8))):
        x, y = middle(asked.get_by_role("slider").first)
        top = phone.evaluate("scrollY")
        drag(phone, *((x + right * k, y + down * k) for k in range(6)))
        field = asked.get_by_role("spinbutton").first
        phone.wait_for_function("field => field.value !== ''", arg=field.element_handle())
        assert phone.evaluate("scrollY") == top
