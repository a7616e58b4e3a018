"""Every figure on its own page of the gallery, moved by mouse and by keyboard."""

import pytest
from reader import (
    ALONE,
    FIRST_LOAD,
    HANDLES,
    RANGES,
    dragged,
    files,
    packed,
    pressed,
    reading,
    reset,
    sight,
    violations,
    wake,
)

from rnn_helpers import explore

# What a figure says, but for what it has told a screen reader on the way.
WORDS = """figure => {
  const stage = figure.querySelector(".unfolded-stage").cloneNode(true);
  stage.querySelectorAll("[role=status]").forEach((line) => line.remove());
  return stage.textContent;
}"""

# The same, once the figure has not changed it for a while: some draw roughly first.
DRAWN = f"""async (figure) => {{
  let words;
  for (let same = 0; same < 30; same++) {{
    await new Promise(requestAnimationFrame);
    const now = ({WORDS})(figure);
    if (now !== words) same = 0;
    words = now;
  }}
  return words;
}}"""
# Whether the figure tells its page of a state that is not its start; if none comes for a while, no.
# That it stands at its start it may tell late, of what was done before.
STATES = """(figure) => {
  let told = false;
  figure.addEventListener("unfolded:state", ({ detail }) => (told ||= detail.length > 0));
  return {
    async left() {
      const end = performance.now() + 2000;
      while (!told && performance.now() < end) await new Promise(requestAnimationFrame);
      return told;
    },
  };
}"""


@pytest.fixture
def page(figure_page):
    """A figure's page; one after another, the tests play with it."""
    return figure_page


@pytest.fixture
def figure(page):
    """The figure, in whatever state the test before has left it."""
    return page.locator("figure.unfolded-figure")


def seen(figure, kind):
    """The controls of a kind that are in sight."""
    return [control for control in figure.locator(kind).all() if control.is_visible()]


def markup(control):
    return control.evaluate("e => e.outerHTML")


def test_its_page_loads_little(page):
    sizes = packed(files(page.first))
    assert sum(sizes.values()) <= FIRST_LOAD, sizes


def move(figure):
    """Set the first control in sight elsewhere, by a key; a drawing may still change by itself."""
    control = seen(figure, f"{HANDLES}, {RANGES}, input[type=radio]:not(:checked)")[0]
    keys = ["Space"] if control.get_attribute("type") == "radio" else ["ArrowRight", "ArrowLeft"]
    states = figure.evaluate_handle(STATES)
    for key in keys:
        control.press(key)
        if states.evaluate("(states) => states.left()"):
            return
    raise AssertionError(markup(control))


def test_reset_goes_back_to_the_start(page, figure):
    """The first that moves the figure: until then, there is nothing to reset."""
    button = figure.locator(".unfolded-reset")
    assert not button.is_visible()
    start = figure.evaluate(DRAWN)
    move(figure)
    button.click()
    page.wait_for_function(
        f"([figure, start]) => ({WORDS})(figure) === start",
        arg=[figure.element_handle(), start],
    )


def test_every_slider_and_handle_answers_the_keyboard(figure):
    for control in seen(figure, f"{HANDLES}, {RANGES}"):
        assert pressed(control, "ArrowRight", "ArrowLeft"), markup(control)


def test_every_handle_answers_the_mouse(figure):
    # The last first: of handles in a row, each is dragged to where the next leaves it no room.
    for control in reversed(figure.locator(HANDLES).all()):
        if control.is_visible():
            ways = [(70, 0), (-70, 0), (0, 50), (0, -50)]
            assert any(dragged(control, *by) for by in ways), markup(control)


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
    bar = film.locator("input")
    start = bar.input_value()
    film.get_by_label("play").press("Enter")
    film.page.wait_for_function(
        "([bar, start]) => bar.value !== start", arg=[bar.element_handle(), start]
    )


def test_a_film_plays_until_a_hand_moves_it_or_resets_it(page):
    for film in page.locator(".uf-transport:visible").all():
        play(film)
        film.locator("input").press("ArrowLeft")
        assert not film.get_by_label("pause").count(), film.get_attribute("aria-label")
        play(film)
        film.evaluate("film => film.closest('figure').querySelector('.unfolded-reset').click()")
        assert not film.get_by_label("pause").count(), film.get_attribute("aria-label")


def test_targets_are_large_enough_for_a_finger(page):
    only = {"type": "rule", "values": ["target-size"]}
    assert violations(page, runOnly=only, rules={"target-size": {"enabled": True}}) == "[]"


def controls(figure):
    """What the controls of a figure hold."""
    return figure.locator("input, select").evaluate_all(
        "all => all.map((e) => [e.value, e.checked])"
    )


def test_its_state_is_in_the_address_and_can_be_taken_along(browser, page, figure, site):
    """As a link, into another page, into a notebook."""
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
