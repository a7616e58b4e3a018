"""Every figure on its page of the gallery, moved by mouse and by keyboard."""

import pytest
from reader import (
    ALONE,
    CHOICES,
    FIRST_LOAD,
    FRAMES,
    HANDLES,
    RANGES,
    dragged,
    files,
    packed,
    pressed,
    reading,
    reset,
    resize,
    rest,
    sight,
    violations,
    wake,
)

from rnn_helpers import explore

# The text of a figure, without its status lines for screen readers.
WORDS = """figure => {
  const stage = figure.querySelector(".unfolded-stage").cloneNode(true);
  stage.querySelectorAll("[role=status]").forEach((line) => line.remove());
  return stage.textContent;
}"""

# Whether the figure has reported that it isn't in its default state. A late report of the default
# state belongs to an earlier change, so it doesn't count.
STATES = """(figure) => {
  let told = false;
  figure.addEventListener("unfolded:state", ({ detail }) => (told ||= detail.changes().length > 0));
  return { left: () => told };
}"""


@pytest.fixture
def page(figure_page):
    """A figure's page, which the tests use one after another."""
    return figure_page


@pytest.fixture
def figure(page):
    """The figure, in the state in which the previous test left it."""
    return page.locator("figure.unfolded-figure")


def seen(figure, kind):
    """Return the visible controls of a kind."""
    return [control for control in figure.locator(kind).all() if control.is_visible()]


def markup(control):
    return control.evaluate("e => e.outerHTML")


def test_its_page_loads_little(page):
    sizes = packed(files(page.first))
    assert sum(sizes.values()) <= FIRST_LOAD, sizes


def move(figure):
    """Change the first visible control with a key.

    The figure has to report the change, because its drawing may also change by itself.
    """
    sliders = f"{HANDLES}, {RANGES}"
    moved = seen(figure, f"{sliders}, input[type=radio]:not(:checked)") or seen(figure, CHOICES)
    control = moved[0]
    slides = control.evaluate("(e, sliders) => e.matches(sliders)", sliders)
    keys = ["ArrowRight", "ArrowLeft"] if slides else ["Space"]
    states = figure.evaluate_handle(STATES)
    for key in keys:
        control.press(key)
        rest(figure.page)
        if states.evaluate("(states) => states.left()"):
            return
    raise AssertionError(markup(control))


@pytest.mark.nightly("unfold", "result", "eigen")
def test_reset_goes_back_to_the_start(page, figure):
    button = reset(figure).locator(".unfolded-reset")
    rest(page)  # some figures draw roughly first
    assert not button.is_visible()
    start = figure.evaluate(WORDS)
    move(figure)
    button.click()
    page.wait_for_function(
        f"([figure, start]) => ({WORDS})(figure) === start",
        arg=[figure.element_handle(), start],
    )


@pytest.mark.nightly("unfold", "result", "eigen")
def test_reset_by_a_key_leaves_the_focus_in_the_figure(page, figure):
    reset(figure)
    button = figure.locator(".unfolded-reset")
    for share in (0, 0.5, 1):
        controls = seen(figure, f"{HANDLES}, {RANGES}") or seen(figure, CHOICES)
        control = controls[round(share * (len(controls) - 1))]
        slides = control.evaluate("(e, sliders) => e.matches(sliders)", f"{HANDLES}, {RANGES}")
        control.press("End" if slides else "Space")
        rest(page)  # Reset appears a moment after a change
        if not button.is_visible():
            continue  # it was at its end
        button.press("Enter")
        button.wait_for(state="hidden")
        inside = figure.evaluate("(figure) => figure.contains(document.activeElement)")
        assert inside, markup(control)


def test_every_slider_and_handle_answers_the_keyboard(figure):
    for control in seen(figure, f"{HANDLES}, {RANGES}"):
        assert pressed(control, "ArrowRight", "ArrowLeft"), markup(control)


@pytest.mark.nightly("unfold", "result", "eigen")
def test_every_handle_answers_the_mouse(figure):
    # Start with the last: a handle that was dragged to the next one in its row would block it.
    for control in reversed(figure.locator(HANDLES).all()):
        if control.is_visible():
            ways = [(70, 0), (-70, 0), (0, 50), (0, -50)]
            assert any(dragged(control, *by) for by in ways), markup(control)


@pytest.mark.nightly("unfold", "result", "eigen")
def test_every_slider_answers_the_mouse(figure):
    for control in seen(figure, RANGES):
        sights = {sight(figure)}
        box = control.bounding_box()
        for share in (0.9, 0.1):
            control.click(position={"x": box["width"] * share, "y": box["height"] / 2})
            sights.add(sight(figure))
        assert len(sights) > 1, markup(control)


def test_every_choice_and_button_answers(figure):
    for control in figure.locator("input[type=radio], input[type=checkbox]").all():
        is_set = control.get_attribute("type") == "radio" and control.is_checked()
        if is_set or not control.is_enabled() or not control.is_visible():
            continue
        before = sight(figure)
        control.press("Space")
        assert sight(figure) != before, markup(control)
    for control in figure.locator("select").all():
        before = sight(figure)
        control.select_option(index=control.evaluate("e => (e.selectedIndex + 1) % e.length"))
        assert sight(figure) != before
    for control in figure.locator("button:not(.unfolded-reset)").all():
        if control.is_visible() and control.is_enabled():
            control.press("Enter")


def play(film):
    """Play a film from its start until it has moved."""
    film.get_by_label("to the start").press("Enter")
    film.page.evaluate(FRAMES)  # the bar and the buttons change in the next one
    bar = film.locator("input")
    start = bar.input_value()
    film.get_by_label("play").press("Enter")
    film.page.wait_for_function(
        "([bar, start]) => bar.value !== start", arg=[bar.element_handle(), start]
    )


@pytest.mark.nightly("unfold", "result", "eigen")
def test_a_film_plays_until_a_hand_moves_it_or_resets_it(page):
    for film in page.locator(".uf-transport:visible").all():
        play(film)
        film.locator("input").press("ArrowLeft")
        page.evaluate(FRAMES)
        assert not film.get_by_label("pause").count(), film.get_attribute("aria-label")
        play(film)
        film.evaluate("film => film.closest('figure').querySelector('.unfolded-reset').click()")
        page.evaluate(FRAMES)
        assert not film.get_by_label("pause").count(), film.get_attribute("aria-label")


@pytest.mark.nightly("unfold", "result", "eigen")
@pytest.mark.parametrize("width", [1280, 360])
def test_a_stepper_stays_under_the_mouse_for_forty_clicks(page, figure, width):
    resize(page, width, 800)
    reset(figure)
    for step in page.locator(".uf-transport:visible button[aria-label=step]").all():
        step.evaluate("step => step.closest('.uf-transport').querySelector('button').click()")
        page.evaluate(FRAMES)
        step.evaluate("step => step.scrollIntoView({ block: 'center', behavior: 'instant' })")
        step.evaluate("step => { globalThis.hits = 0; step.onclick = () => hits++; }")
        box = step.bounding_box()
        for click in range(1, 41):
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.evaluate(FRAMES)
            assert page.evaluate("hits") == click
            if step.get_attribute("aria-disabled") == "true":
                break
    resize(page, 1280, 800)


MARKS = """(figure) => [...figure.querySelectorAll(".uf-choices button")].map((choice) => [
  getComputedStyle(choice, "::after").content.replace(/^none$|"/g, ""),
  choice.ariaPressed,
  getComputedStyle(choice).borderTopStyle,
])"""


@pytest.mark.nightly("unfold", "result", "eigen")
def test_a_prediction_marks_the_guess_and_the_answer_by_words_and_shape(page, figure):
    prediction = explore.manifest()[page.name].get("prediction")
    if not prediction or page.name == "predict":  # a separate box, see test_figure_host
        return
    reset(figure)
    answer = prediction["choices"].index(prediction["answer"])
    buttons = figure.locator(".uf-choices button").all()
    assert len(buttons) == len(prediction["choices"]) + 1, "the last one shows the answer"
    for k, taken in enumerate(buttons):
        before = taken.bounding_box()["width"]
        taken.click()
        assert taken.bounding_box()["width"] == before
        marks = [["", "false", "solid"] for _ in buttons]
        wrong = ["✗ your guess", "true", "dashed"]
        marks[k] = ["", "true", "solid"] if taken is buttons[-1] else wrong
        marks[answer] = ["✓ the answer", str(k == answer).lower(), "solid"]
        assert figure.evaluate(MARKS) == marks
    reset(figure)


# The boxes of a figure, by their place among all its parts: whether a background or a border makes
# them visible.
BARS = """(figure) => {
  const clear = (color) => /, 0\\)$|^transparent$/.test(color);
  const ground = (node) => {
    const color = getComputedStyle(node).backgroundColor;
    return clear(color) && node.parentElement ? ground(node.parentElement) : color;
  };
  return Object.fromEntries([...figure.querySelectorAll(".unfolded-stage *")].map((node, i) => {
    const style = getComputedStyle(node);
    const { backgroundColor, backgroundImage, outlineStyle } = style;
    const fill = !clear(backgroundColor) && backgroundColor !== ground(node.parentElement);
    const drawn = outlineStyle !== "none" || ["Top", "Right", "Bottom", "Left"].some((side) =>
      parseFloat(style[`border${side}Width`]));
    const words = node.matches("button, input, select, textarea, .uf-radios span");
    const seen = node.getClientRects().length && !node.closest("svg, .uf-hidden") && !words;
    return [i, seen && { name: node.outerHTML.slice(0, 80), drawn,
      ink: fill || backgroundImage !== "none" }];
  }).filter(([, found]) => found));
}"""
# Pressed buttons and chosen options that look like others in their group.
ALIKE = """(figure) => {
  const look = (node) => JSON.stringify([node, ...node.querySelectorAll("*")].map((part) => {
    const s = getComputedStyle(part);
    return [s.backgroundColor, s.borderTopColor, s.fill, s.stroke, s.strokeWidth,
      s.strokeDasharray, s.fontWeight, s.textDecorationLine, s.outlineStyle];
  }));
  const seen = (selector) =>
    [...figure.querySelectorAll(selector)].filter((node) => node.getClientRects().length);
  const pairs = [
    ["[aria-pressed=true]", "[aria-pressed=false]", (node) => node.parentElement],
    [".uf-radios input:checked + span", ".uf-radios input:not(:checked) + span",
      (node) => node.closest(".uf-radios")],
  ];
  return pairs.flatMap(([on, off, group]) => seen(on).flatMap((node) => {
    const others = seen(off).filter((other) => group(other) === group(node));
    return others.filter((other) => look(other) === look(node)).map(() => node.outerHTML);
  }));
}"""


@pytest.mark.nightly("unfold", "result", "eigen")
def test_with_forced_colors_bars_stay_visible_and_pressed_buttons_differ(page, figure):
    """Bars have an outline, and a pressed button has another color than the others."""
    reset(figure)
    for choice in figure.locator("button:not(.uf-choices *)").all()[:3]:
        if choice.is_visible() and choice.get_attribute("aria-pressed"):
            choice.click()
    page.mouse.move(0, 0)
    page.evaluate(FRAMES)
    before = figure.evaluate(BARS)
    page.emulate_media(forced_colors="active")
    page.evaluate(FRAMES)
    after = figure.evaluate(BARS)
    alike = figure.evaluate(ALIKE)
    page.emulate_media(forced_colors="none")
    lost = [
        bar["name"]
        for place, bar in before.items()
        if bar["ink"] and not (after[place]["ink"] or after[place]["drawn"])
    ]
    assert (lost, alike) == ([], [])


# Drawings and formulas that a translation may change, and those that run from right to left.
MIRRORED = """(figure) => [...figure.querySelectorAll(".unfolded-stage :is(svg, math)")]
  .filter((node) => getComputedStyle(node).direction !== "ltr" ||
    (!node.closest("[translate=no]") && !node.ariaHidden && node.textContent.trim()))
  .map((node) => node.outerHTML.slice(0, 100))"""


@pytest.mark.nightly("unfold", "result", "eigen")
def test_a_translation_from_right_to_left_leaves_drawings_and_formulas_alone(page, figure):
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    assert figure.evaluate(MIRRORED) == []
    assert figure.locator(".unfolded-stage").evaluate("e => getComputedStyle(e).direction") == "ltr"
    page.evaluate("() => { document.documentElement.removeAttribute('dir'); }")


# Targets for a finger that are smaller than 24 pixels. The label counts as part of its box. In the
# figure batching, a slider also chooses a row, so the rows may be smaller.
SMALL = """(figure) => {
  const pressed = "button, input, select, summary, textarea, [role=slider], [role=button], " +
    "[role=switch], [data-node]";
  return [...figure.querySelectorAll(pressed)]
    .filter((node) => node.getClientRects().length && !node.matches(".strip, .uf-hidden *"))
    .map((node) => (node.type === "checkbox" && node.closest("label")) || node)
    .filter((node) => {
      const { width, height } = node.getBoundingClientRect();
      return Math.min(width, height) < 23.99;
    })
    .map((node) => node.outerHTML.slice(0, 120));
}"""


@pytest.mark.nightly("unfold", "result", "eigen")
def test_a_drawing_with_parts_that_have_names_is_no_single_picture(figure):
    """Some screen readers treat a drawing without a role as one picture, and skip its handles."""
    drawings = figure.locator(".unfolded-stage svg:not([aria-hidden]):has([role], [tabindex])")
    roles = drawings.evaluate_all("all => all.map((e) => [e.getAttribute('role'), e.ariaLabel])")
    inside = {role for role, name in roles if name}
    assert inside <= {"group", "img"}
    assert all(role and name for role, name in roles), roles


@pytest.mark.nightly("unfold", "result", "eigen")
@pytest.mark.parametrize("width", [320, 1280])
def test_every_target_is_24_pixels_wide_and_high(page, figure, width):
    resize(page, width, 800)
    reset(figure)
    assert figure.evaluate(SMALL) == []
    resize(page, 1280, 800)


@pytest.mark.nightly("unfold", "result", "eigen")
def test_targets_are_large_enough_for_a_finger(page):
    only = {"type": "rule", "values": ["target-size"]}
    assert violations(page, runOnly=only, rules={"target-size": {"enabled": True}}) == "[]"


def controls(figure):
    """Return the values of a figure's controls."""
    return figure.locator("input, select").evaluate_all(
        "all => all.map((e) => [e.value, e.checked])"
    )


@pytest.mark.nightly("unfold", "result", "eigen")
def test_the_address_the_embedded_figure_and_the_call_keep_its_state(browser, page, figure, site):
    reset(figure)
    page.wait_for_url(lambda url: "?" not in url)
    start = page.url
    move(figure)
    page.wait_for_url(lambda url: url != start)
    assert page.locator("#share-link").input_value() == page.url
    held = controls(figure)
    page.reload()
    wake(page)
    assert controls(figure) == held

    page.wait_for_function(
        "() => document.querySelector('#share-frame').value.includes(location.search)"
    )
    address = page.evaluate(
        """() => new DOMParser().parseFromString(document.querySelector("#share-frame").value,
          "text/html").querySelector("iframe").src"""
    )
    assert address.startswith((site / f"{ALONE[page.name]}.html").as_uri() + "?")
    with reading(browser, address, viewport={"width": 360, "height": 640}) as alone:
        assert controls(alone.locator("figure.unfolded-figure")) == held
        assert alone.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert alone.complaints == []

    shown = eval(page.locator("#share-call").input_value(), {"explore": explore})
    state = page.url.partition(f"?fig.{page.name}=")[2]
    assert sorted(shown.state) == sorted(pair.split(":")[0] for pair in state.split(";"))
