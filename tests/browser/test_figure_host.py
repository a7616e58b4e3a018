"""The host of the interactive figures, on a small separate page, over file:// and offline."""

from urllib.parse import unquote

import pytest
from reader import links

from press.renderers import figure_markup
from rnn_helpers.explore import show
from rnn_helpers.palette import colour

BROKEN = """<figure class="unfolded-figure" data-module="broken" data-state="{}">
<div class="unfolded-still" role="img" aria-label="a picture"><p>At rest</p></div>
<figcaption>A caption.</figcaption></figure>
<script>(globalThis.unfoldedHost ??= { figures: {} }).figures.broken =
  { meta: { controls: {} }, render() { throw new Error("on purpose"); } };</script>"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    figures = "\n".join(
        [
            figure_markup(show("unfold").payload),
            '<div style="height: 3000px"></div>',
            figure_markup(show("predict").payload),
            figure_markup(show("unfold", T=2).payload),
            figure_markup(show("gates", sequence="11r1").payload),
        ]
    )
    styles, scripts = links("unfold", "predict", "gates")
    page = tmp_path_factory.mktemp("page") / "index.html"
    page.write_text(
        f"""<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>t</title>
{styles}
<main><h1 id="unfolded">Unfolded</h1><h2 id="sec">A section</h2>
<p>See <span data-set="unfold?T=8&amp;pattern=10.4">eight steps</span>
or <span data-set="absent?T=8">nothing</span>
or <span data-set="gates?sequence=111">a run of ones</span>.</p>
{figures}{BROKEN}</main>{scripts}""",
        "utf-8",
    )
    return page.as_uri()


@pytest.fixture
def page(browser):
    context = browser.new_context(offline=True, viewport={"width": 900, "height": 700})
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(error))
    yield page
    context.close()
    assert not page.errors


def figure(page, key):
    """The figure, scrolled to and alive."""
    found = page.locator(f'figure[data-key="{key}"]')
    found.scroll_into_view_if_needed()
    page.locator(f'figure[data-key="{key}"][data-live="true"]').wait_for()
    return found


def steps(found):
    return found.get_by_role("spinbutton").input_value()


@pytest.mark.parametrize(
    ("element", "attribute", "value"),
    [
        ("documentElement", "data-theme", "dark"),
        ("body", "data-jp-theme-light", "false"),
        ("body", "data-vscode-theme-kind", "vscode-dark"),
        ("body", "data-vscode-theme-kind", "vscode-high-contrast"),
    ],
)
def test_a_figure_is_dark_where_the_book_or_the_notebook_is(
    page, address, element, attribute, value
):
    page.goto(address)
    found = figure(page, "unfold")
    page.evaluate(f"document.{element}.setAttribute('{attribute}', '{value}')")
    ink = found.evaluate("figure => getComputedStyle(figure).getPropertyValue('--uf-ink')")
    assert ink == colour("ink", "dark")


def test_a_figure_starts_only_in_view(page, address):
    page.goto(address)
    first = figure(page, "unfold")
    assert first.locator(".unfolded-still").count() == 0
    far = page.locator('figure[data-key="unfold-2"]')
    assert far.get_attribute("data-live") is None
    assert far.locator(".unfolded-still, .unfolded-fallback").count() == 1
    assert steps(figure(page, "unfold-2")) == "2"


def test_a_sentence_sets_the_figure_and_takes_it_back(page, address):
    page.goto(address)
    first = figure(page, "unfold")
    link = page.get_by_role("button", name="eight steps")
    undo = page.locator('[data-set^="unfold"] .unfolded-undo')
    assert not undo.is_visible()
    link.click()
    assert steps(first) == "8"
    assert link.get_attribute("aria-pressed") == "true"
    undo.click()
    assert steps(first) == "4"
    assert not undo.is_visible()
    assert page.locator('[data-set^="absent"]').inner_html() == "nothing"


def test_a_full_stop_stays_with_the_sentence_that_sets_a_figure(page, address):
    page.goto(address)
    paragraph = page.locator("p", has=page.get_by_role("button", name="a run of ones"))
    alone = """(paragraph) => {
      const range = document.createRange();
      range.selectNodeContents(paragraph.lastChild);
      const { left } = range.getBoundingClientRect();
      return left < paragraph.getBoundingClientRect().left + 1;
    }"""
    for width in range(70, 400, 7):
        paragraph.evaluate("(paragraph, width) => { paragraph.style.width = `${width}px`; }", width)
        assert not paragraph.evaluate(alone), width


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_sentence_sets_its_figure_by_key(page, address, key):
    page.goto(address)
    page.get_by_role("button", name="eight steps").press(key)
    assert steps(figure(page, "unfold")) == "8"


def in_view(locator):
    locator.page.wait_for_function(
        "e => { const { top, bottom } = e.getBoundingClientRect();"
        " return top >= 0 && bottom <= innerHeight; }",
        arg=locator.element_handle(),
    )


@pytest.mark.parametrize("way", ["click", "Enter", "Back"])
def test_a_sentence_that_sets_a_figure_far_away_can_be_come_back_to(page, address, way):
    page.goto(f"{address}#sec")
    link = page.get_by_role("button", name="a run of ones")
    back = page.get_by_role("button", name="Back to the sentence")
    link.press("Enter") if way == "Enter" else link.click()
    in_view(back)
    if way == "Back":
        page.go_back()
    elif way == "Enter":
        assert back.evaluate("e => e === document.activeElement")
        back.press("Enter")
    else:
        back.click()
    page.wait_for_function("e => e === document.activeElement", arg=link.element_handle())
    in_view(link)
    back.wait_for(state="hidden")
    assert page.url.startswith(address)
    assert link.get_attribute("aria-pressed") == "true", "what it set stays set"


def test_a_sentence_beside_its_figure_needs_no_way_back(page, address):
    page.goto(address)
    before = page.evaluate("history.length")
    page.get_by_role("button", name="eight steps").click()
    assert page.locator(".unfolded-back:visible").count() == 0
    assert page.evaluate("history.length") == before


def test_the_address_keeps_the_state_and_the_section(page, address):
    page.goto(f"{address}#sec")
    figure(page, "unfold").get_by_role("slider", name="steps T", exact=True).press("End")
    page.wait_for_url("**fig.unfold=T:12**")
    assert page.url.endswith("?fig.unfold=T:12#sec")
    page.reload()
    assert steps(figure(page, "unfold")) == "12"
    figure(page, "unfold").get_by_role("button", name="Reset").click()
    page.wait_for_url(f"{address}#sec")


def test_a_reset_that_goes_away_leaves_the_keys_in_the_figure(page, address):
    page.goto(address)
    found = figure(page, "unfold")
    found.get_by_role("slider", name="steps T", exact=True).press("End")
    reset = found.get_by_role("button", name="Reset")
    reset.focus()
    found.get_by_role("spinbutton").evaluate(
        "(number) => { number.value = 4; number.dispatchEvent(new Event('change')); }"
    )
    reset.wait_for(state="hidden")
    assert steps(found) == "4"
    assert found.evaluate("(figure) => figure.contains(document.activeElement)")


def test_the_hash_keeps_the_state_where_the_query_may_not_change(page, address):
    page.add_init_script("history.replaceState = () => { throw new Error('forbidden'); }")
    page.goto(f"{address}#sec")
    figure(page, "unfold").get_by_role("slider", name="steps T", exact=True).press("End")
    page.wait_for_url("**#sec?fig.unfold=T:12")
    page.reload()
    assert steps(figure(page, "unfold")) == "12"


@pytest.mark.parametrize("anchor", ["", "#sec"])
def test_reset_leaves_the_page_where_it_is_although_the_query_may_not_change(page, address, anchor):
    page.add_init_script("history.replaceState = () => { throw new Error('forbidden'); }")
    page.goto(f"{address}{anchor}")
    found = figure(page, "unfold-2")
    found.get_by_role("slider", name="steps T", exact=True).press("End")
    page.wait_for_url("**fig.unfold-2=T:12")
    reset = found.get_by_role("button", name="Reset")
    reset.scroll_into_view_if_needed()
    top = page.evaluate("scrollY")
    assert top > 1000
    reset.click()
    page.wait_for_url(lambda url: "fig." not in url)
    assert page.evaluate("scrollY") == top
    assert steps(found) == "2"


@pytest.mark.parametrize(
    "state", ["T:NaN", "T:;x", "pattern:10.9", "circuit:1;words:<b>", "%E0%A4"]
)
def test_an_address_that_makes_no_sense_leaves_the_figure_as_it_was(page, address, state):
    page.goto(f"{address}?fig.unfold={state}")
    found = figure(page, "unfold")
    assert steps(found) == "4"
    assert "NaN" not in found.locator(".unfolded-stage").inner_html()


@pytest.mark.parametrize("hash_only", [False, True], ids=["query", "hash"])
@pytest.mark.parametrize(
    "state",
    [
        "T%3A8%3Bpattern%3A10.4",
        "T%3a8%3bpattern%3a10.4",
        "T:8%3Bpattern:10.4",
        "T%3A8;pattern%3A10.4",
    ],
)
def test_a_link_that_was_encoded_again_keeps_its_state(page, address, state, hash_only):
    page.goto(f"{address}{'#sec' * hash_only}?fig.unfold={state}")
    assert steps(figure(page, "unfold")) == "8"
    sentence = page.get_by_role("button", name="eight steps")
    assert sentence.get_attribute("aria-pressed") == "true"


def test_a_link_with_another_parameter_keeps_its_state(page, address):
    page.goto(f"{address}?fig.gates=sequence:0r1")
    before = figure(page, "gates").locator(".unfolded-stage").inner_html()
    page.goto(
        page.evaluate(
            """() => {
              const link = new URL(location.href);
              link.searchParams.set("utm_source", "a b");
              return link.href;
            }"""
        )
    )
    assert "%3A" in page.url
    assert figure(page, "gates").locator(".unfolded-stage").inner_html() == before
    page.goto(address)
    assert figure(page, "gates").locator(".unfolded-stage").inner_html() != before


def test_a_saved_page_starts_again(page, address, tmp_path):
    page.goto(address)
    first = figure(page, "unfold")
    parts = "figure => [...figure.children].map((part) => part.className)"
    before = first.evaluate(parts)
    page.get_by_role("button", name="eight steps").click()
    saved = tmp_path / "saved.html"
    saved.write_text(
        f"<!doctype html>{page.evaluate('document.documentElement.outerHTML')}", "utf-8"
    )
    page.goto(saved.as_uri())
    first = figure(page, "unfold")
    assert steps(first) == "4"
    assert first.evaluate(parts) == before
    page.get_by_role("button", name="eight steps", exact=True).click()
    assert steps(first) == "8"
    first.get_by_role("button", name="Reset").click()
    assert steps(first) == "4"


def test_the_edge_follows_the_mouse_and_the_keys(page, address):
    page.goto(address)
    found = figure(page, "unfold")
    edge = found.get_by_role("slider", name="right edge")
    grip = found.locator(".grip").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 900, y, steps=8)
    page.mouse.up()
    assert steps(found) == "1"
    for key, value in [("ArrowRight", "2"), ("PageUp", "7"), ("End", "12"), ("Home", "1")]:
        edge.press(key)
        assert steps(found) == value
    assert edge.get_attribute("aria-valuetext") == "1 step"


@pytest.mark.parametrize("held", ["altKey", "ctrlKey", "metaKey"])
def test_a_shortcut_of_the_browser_stays_its_own(page, address, held):
    """Alt and an arrow return to the previous page."""
    page.goto(address)
    edge = figure(page, "unfold").get_by_role("slider", name="right edge")
    cell = figure(page, "gates").locator("[data-node]").first
    pressed = """(node, held) => node.dispatchEvent(new KeyboardEvent("keydown",
      { key: "ArrowLeft", bubbles: true, cancelable: true, ...(held && { [held]: true }) }))"""
    for node in (edge, cell):
        assert node.evaluate(pressed, held), "the figure took it"
        assert not node.evaluate(pressed, None)
    assert steps(figure(page, "unfold")) == "3"


def test_a_focused_parameter_lights_all_its_copies(page, address):
    page.goto(address)
    found = figure(page, "unfold")
    found.get_by_role("img", name="W, from h to h").focus()
    assert found.locator("svg .uf-lit").count() == 1 + 4
    page.keyboard.press("Escape")
    assert found.locator("svg .uf-lit").count() == 0


def test_tab_reaches_the_controls_of_a_figure_that_is_out_of_view(page, address):
    page.goto(address)
    figure(page, "unfold").get_by_role("button", name="show me").focus()
    page.keyboard.press("Tab")
    page.wait_for_function("document.activeElement.type === 'radio'")
    assert page.evaluate("document.activeElement.closest('figure').dataset.key") == "predict"


def test_a_guess_is_answered_and_can_be_made_again(page, address):
    page.goto(address)
    found = figure(page, "predict")
    found.get_by_role("radio", name="twice as many").check()
    found.get_by_role("button", name="Reveal").click()
    assert "The answer: as many as before." in found.inner_text()
    found.get_by_role("button", name="Guess again").click()
    assert "The answer" not in found.locator(".unfolded-stage").inner_text()


@pytest.mark.parametrize(
    ("typed", "read"), [("1101R01", "1101r01"), ("abc", "11r1"), ("", "11r1"), ("x0", "0")]
)
def test_a_text_box_keeps_typed_text_and_then_shows_the_parsed_value(page, address, typed, read):
    page.goto(address)
    found = figure(page, "gates")
    box = found.get_by_role("textbox", name="sequence")
    box.fill("")
    box.press_sequentially(typed)
    assert box.input_value() == typed
    assert "".join(found.locator(".cell text").all_text_contents()) == read
    box.press("Tab")
    assert box.input_value() == read


def test_a_text_box_lists_ignored_text_until_its_next_value(page, address):
    page.goto(address)
    found = figure(page, "gates")
    box = found.get_by_role("textbox", name="sequence")
    said = found.locator(".uf-text [role=status]")
    assert said.inner_text() == ""
    box.fill("01" * 12 + "111x")
    assert "24 characters is the most that fits here: “111” is left out." in said.inner_text()
    assert "“x”" in said.inner_text()
    box.press("Tab")
    assert box.input_value() == "01" * 12
    assert "24 characters" in said.inner_text()
    box.fill("01")
    assert said.inner_text() == ""


def test_a_failing_figure_keeps_its_picture_and_reports_the_error(page, address):
    page.goto(address)
    broken = page.locator('figure[data-module="broken"]')
    broken.scroll_into_view_if_needed()
    broken.get_by_text("This figure failed: on purpose").wait_for()
    assert broken.locator(".unfolded-still").is_visible()


def test_print_shows_the_figure_without_its_controls(page, address):
    page.goto(address)
    found = figure(page, "unfold")
    page.emulate_media(media="print")
    assert found.locator(".unfolded-stage svg").first.is_visible()
    assert not found.locator(".uf-controls").first.is_visible()
    assert "fig." not in unquote(page.url)


# By the page's clock, a point of the curve takes 0.4 milliseconds and a frame 200.
BUSY = """(() => {
  let now = 0;
  globalThis.frames = 0;
  performance.now = () => (now += 0.4);
  const next = requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (act) => next(() => {
    now += 200;
    globalThis.frames += 1;
    act(now);
  });
})()"""


def test_a_busy_machine_computes_more_of_a_curve_in_each_long_frame(browser, tmp_path):
    styles, scripts = links("compose")
    (tmp_path / "index.html").write_text(
        f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>
{styles}<main>{figure_markup(show("compose").payload)}</main>{scripts}""",
        "utf-8",
    )
    context = browser.new_context(offline=True)
    context.add_init_script(BUSY)
    page = context.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    page.locator("figure[data-live=true]").wait_for()
    page.locator("g[aria-label*='turns']:not([aria-label*='at least'])").wait_for()
    assert page.evaluate("frames") < 100  # 6,553 points
    context.close()
