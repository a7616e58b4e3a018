"""Every figure of every page, moved by mouse and by keyboard."""

import pytest
from reader import EACH_PAGE, reading, sight, violations, wake

HANDLES = "svg [role=slider]"
RANGES = "input[type=range]"
# The address follows 250 ms after a change: when a later timer ends, it has.
SETTLED = "() => new Promise((resolve) => setTimeout(resolve, 260))"
# What a figure says, but for what it has told a screen reader on the way.
WORDS = """figure => {
  const stage = figure.querySelector(".unfolded-stage").cloneNode(true);
  stage.querySelectorAll("[role=status]").forEach((line) => line.remove());
  return stage.textContent;
}"""


@pytest.fixture(scope="module", params=EACH_PAGE)
def page(request, browser, site):
    """A page with all its figures alive; one after another, the tests play with it."""
    with reading(browser, (site / f"{request.param}.html").as_uri()) as page:
        yield page
        assert page.complaints == []


@pytest.fixture
def figures(page):
    """The figures of the page."""
    return page.locator("figure.unfolded-figure").all()


def pressed(control, *keys):
    """Whether some key, pressed on the control, changes what its figure shows."""
    figure = control.locator("xpath=ancestor::figure")
    control.focus()
    before = sight(figure)  # to have the focus may light a term, and is no change
    for key in keys:
        control.focus()
        control.press(key)
        if any(sight(figure) != before for _ in range(9)):  # on a busy machine it takes longer
            return True
    return False


def dragged(control, x, y):
    """Whether dragging the control by x and y pixels changes what its figure shows."""
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
    return any(sight(figure) != before for _ in range(9))  # on a busy machine it takes longer


def test_every_slider_and_handle_answers_the_keyboard(figures):
    for figure in figures:
        for control in figure.locator(f"{HANDLES}, {RANGES}").all():
            if control.is_visible():
                assert pressed(control, "ArrowRight", "ArrowLeft"), control.evaluate(
                    "e => e.outerHTML"
                )


def test_every_handle_answers_the_mouse(figures):
    for figure in figures:
        # The last first: of handles in a row, each is dragged to where the next leaves it no room.
        for control in reversed(figure.locator(HANDLES).all()):
            if control.is_visible():
                assert any(
                    dragged(control, *by) for by in [(70, 0), (-70, 0), (0, 50), (0, -50)]
                ), control.evaluate("e => e.outerHTML")


def test_every_slider_answers_the_mouse(figures):
    for figure in figures:
        for control in figure.locator(RANGES).all():
            if not control.is_visible():
                continue
            seen = {sight(figure)}
            box = control.bounding_box()
            for share in (0.9, 0.1):
                control.click(position={"x": box["width"] * share, "y": box["height"] / 2})
                seen.add(sight(figure))
            assert len(seen) > 1, control.evaluate("e => e.outerHTML")


def test_every_choice_and_button_answers(figures):
    for figure in figures:
        for control in figure.locator("input[type=radio], input[type=checkbox]").all():
            is_set = control.get_attribute("type") == "radio" and control.is_checked()
            if is_set or not control.is_enabled() or not control.is_visible():
                continue
            before = sight(figure)
            control.press("Space")
            assert sight(figure) != before, control.evaluate("e => e.outerHTML")
        for control in figure.locator("select").all():
            before = sight(figure)
            control.select_option(index=control.evaluate("e => (e.selectedIndex + 1) % e.length"))
            assert sight(figure) != before
        for control in figure.locator("button:not(.unfolded-reset)").all():
            if control.is_visible() and control.is_enabled():
                control.press("Enter")


def test_reset_goes_back_to_the_start(page):
    page.goto(page.url.split("?")[0])  # whatever the tests before have set
    wake(page)
    for figure in page.locator("figure.unfolded-figure").all():
        control = figure.locator(f"{HANDLES}, {RANGES}, input[type=radio]:not(:checked)").first
        reset = figure.locator(".unfolded-reset")
        if not control.count() or not control.is_visible():
            continue
        control.page.wait_for_timeout(400)  # the button follows when the hand has come to rest
        if reset.is_visible():
            reset.click()
            reset.wait_for(state="hidden")
        start = figure.evaluate(WORDS)
        if control.get_attribute("type") == "radio":
            control.press("Space")
        else:
            assert pressed(control, "ArrowRight", "ArrowLeft")
        if figure.get_attribute("data-module") == "predict":
            continue  # a guess is taken back by guessing again
        reset.wait_for(state="visible")
        reset.click()
        control.page.wait_for_function(
            f"([figure, start]) => ({WORDS})(figure) === start",
            arg=[figure.element_handle(), start],
        )


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


def test_targets_are_large_enough_for_a_finger(page, figures):
    if figures:
        only = {"type": "rule", "values": ["target-size"]}
        assert violations(page, runOnly=only, rules={"target-size": {"enabled": True}}) == "[]"


def test_sentences_set_figures_and_take_it_back(page):
    for span in page.locator("span[data-set]").all():
        link, undo = span.locator(".unfolded-link"), span.locator(".unfolded-undo")
        link.click()
        # A sentence may also name the state a figure starts in: then nothing is to be undone.
        assert (link.get_attribute("aria-pressed") == "true") == undo.is_visible()
        if undo.is_visible():
            undo.click()
        assert link.get_attribute("aria-pressed") == "false"


def test_a_figures_state_is_in_the_address(browser, page):
    control = page.locator(f"figure.unfolded-figure[data-address] {RANGES}").first
    if not control.count():
        return
    page.evaluate(SETTLED)
    before = page.url
    assert pressed(control, "ArrowRight", "ArrowLeft")
    page.wait_for_url(lambda url: url != before)
    with reading(browser, page.url) as again:
        same = again.locator(f"figure.unfolded-figure[data-address] {RANGES}").first
        assert same.input_value() == control.input_value()
