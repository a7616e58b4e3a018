"""Exercises answered on the page: boxes on a small separate page, over file:// and offline."""

import re

import pytest
from books import BOOK, answered_on
from reader import FRAMES, links, rest

from press.answers import JUDGE, script
from rnn_helpers.checks import exercises
from rnn_helpers.checks.instance import asked, instance
from rnn_helpers.explore import markup, show

SHOWN = [
    "07_graphical_models",
    "11_deep",
    "12_recursive",
    "14_echo_state",
    "01_state",
]  # each form of an answer
PRINTED = ["18-recall", "01-quotes", "04-net-train"]
STUB = "def recall(M, key, strength):\n    raise NotImplementedError"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    states = {
        name: state
        for chapter in SHOWN
        for name, (_, state) in answered_on(BOOK / f"{chapter}.ipynb").items()
    }
    payloads = {name: show("answer", **state).payload for name, state in states.items()}
    folder = tmp_path_factory.mktemp("page")
    (folder / "judge.js").write_bytes(JUDGE.read_bytes())
    (folder / "answers.js").write_text(script({name: asked(name) for name in PRINTED}), "utf-8")
    sources = {"version": "new", "judge": "judge.js", "answers": "answers.js"}
    for name in PRINTED:
        payloads[name] = show("answer", exercise=name).payload
        payloads[name]["state"] = {"exercise": name} | sources
    stub = f'<div class="cell_input"><pre>{STUB}</pre></div>'
    figures = "\n".join(
        f'<div class="cell" id="in-{name}">{stub if name in PRINTED else ""}{markup(payload)}</div>'
        for name, payload in payloads.items()
    )
    styles, scripts = links("answer")
    page = folder / "index.html"
    page.write_text(
        f"""<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>t</title>{styles}
<main>{figures}</main>{scripts}""",
        "utf-8",
    )
    return page.as_uri()


@pytest.fixture
def page(browser, address):
    context = browser.new_context(offline=True, viewport={"width": 360, "height": 700})
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    page.goto(address)
    yield page
    context.close()
    assert not errors


def box(page, name):
    found = page.locator(f"#in-{name} figure")
    found.scroll_into_view_if_needed()
    page.locator(f'#in-{name} figure[data-live="true"]').wait_for()
    return found


def said(found):
    return found.get_by_role("status").inner_text()


def hint(name, slip):
    return exercises()[name].wrong[slip].hint


def test_the_keyboard_gets_a_hint_and_then_the_right_answer(page):
    found = box(page, "11-ways")
    field = found.get_by_label("number of paths")
    field.press_sequentially("90")
    field.press("Enter")
    assert said(found) == f"Hint: {hint('11-ways', 'ordered')}"
    assert field.evaluate("field => field === document.activeElement")
    field.fill("45")
    field.press("Enter")
    assert said(found) == f"Correct. {exercises()['11-ways'].success}"
    again = found.get_by_role("button", name="Try again")
    assert again.evaluate("button => button === document.activeElement")
    assert field.is_disabled()
    again.press("Enter")
    assert field.evaluate("field => field === document.activeElement")
    assert (field.input_value(), said(found)) == ("", "")


def test_the_page_stays_where_it_is_when_a_button_hides_itself(page):
    found = box(page, "11-ways")
    found.get_by_label("number of paths").fill("45")
    check = found.get_by_role("button", name="Check")
    check.hover()
    top = page.evaluate("scrollY")
    assert top > 100
    check.click()
    page.evaluate(FRAMES)
    assert not check.is_visible()
    assert page.evaluate("scrollY") == pytest.approx(top, abs=2)


def test_the_answer_is_offered_after_two_different_wrong_ones_and_marked_beside_them(page):
    found = box(page, "07-gauss")
    first, second = found.get_by_role("textbox").all()
    check = found.get_by_role("button", name="Check")
    show = found.get_by_text("Show the answer")
    check.click()
    assert said(found) == "Give a number in every field."
    first.fill("1")
    check.click()
    assert said(found) == "Give a number for: smallest average cost per value, in nats."
    cost_alone = "smallest average cost per value, in nats"
    both = f"prediction; {cost_alone}"
    for prediction, cost, slip, places in [
        ("1", "1.919", "one of the two values", both),
        ("1", "1.919", "one of the two values", both),
        ("0", "0.5", "without the constant", cost_alone),
    ]:
        assert not show.is_visible()
        first.fill(prediction)
        second.fill(cost)
        check.click()
        assert said(found) == f"Hint: {hint('07-gauss', slip)} Look again at: {places}."
    show.click()
    assert said(found).startswith("The answer: prediction: 0; ")
    assert [field.get_attribute("aria-invalid") for field in (first, second)] == [None, "true"]
    marks = found.locator(".given").evaluate_all(
        "all => all.map(one => getComputedStyle(one, '::after').content)"
    )
    assert marks == ['"✓ the answer"', '"✗ your answer"']
    assert found.locator(".correct").all_inner_texts() == ["", "✓ the answer: 1.41894"]


def test_the_wheel_does_not_change_a_typed_answer(page):
    found = box(page, "11-ways")
    field = found.get_by_label("number of paths")
    field.fill("45")
    field.hover()
    page.mouse.wheel(0, 300)
    rest(page)
    assert field.input_value() == "45"


def test_a_number_may_be_typed_as_a_fraction_and_one_that_cannot_be_read_is_named(page):
    found = box(page, "11-ways")
    field = found.get_by_label("number of paths")
    field.fill("many")
    field.press("Enter")
    assert "“many” can’t be read" in said(found)
    field.fill("90/2")
    field.press("Enter")
    assert said(found).startswith("Correct.")


def test_several_texts_are_chosen_and_marked(page):
    found = box(page, "14-signs")
    entry = exercises()["14-signs"]
    for wrong in ("x(t)^2", "x(t - 3)"):
        found.get_by_role("checkbox").nth(["x(t - 3)", "", "x(t)^2"].index(wrong)).check()
        found.get_by_text("Check", exact=True).click()
        assert said(found).startswith("Hint: ")
    found.get_by_text("Show the answer").click()
    marks = found.locator(".choice").evaluate_all("all => all.map(one => one.dataset.mark)")
    assert marks == ["right", "none", "wrong", "right", "right"]
    found.get_by_text("Try again").click()
    for place in (0, 3, 4):
        found.get_by_role("checkbox").nth(place).check()
    found.get_by_text("Check", exact=True).press("Enter")
    assert said(found) == f"Correct. {entry.success}"


def test_each_row_of_a_table_has_a_menu(page):
    found = box(page, "01-ways")
    for problem, way in exercises()["01-ways"].answer.items():
        found.get_by_label(problem).select_option(way)
    found.get_by_text("Check", exact=True).click()
    assert said(found).startswith("Correct.")


def test_a_translation_from_right_to_left_leaves_the_numbers_alone(page):
    page.evaluate("document.documentElement.dir = 'rtl'")
    found = box(page, "12-not-bad")
    field = found.get_by_role("textbox")
    for wrong in ("1", "-2"):
        field.fill(wrong)
        field.press("Enter")
    found.get_by_text("Show the answer").click()
    values = found.get_by_text("−5", exact=True)
    assert values.count() == 2
    for value in [field, *values.all()]:
        assert value.evaluate("node => getComputedStyle(node).direction") == "ltr"
    assert all(value.get_attribute("translate") == "no" for value in values.all())


def test_the_source_of_the_page_does_not_show_the_answer(page):
    figure = page.locator("#in-07-gauss figure").evaluate("figure => figure.outerHTML")
    assert "1.4189" not in figure
    assert exercises()["07-gauss"].success not in figure


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_is_wider_than_the_page_and_every_target_is_large_enough(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    for name in ("07-gauss", "11-ways", "14-signs", "01-ways"):
        found = box(page, name)
        for target in found.locator("input, select, button").all():
            if target.is_visible():
                size = target.bounding_box()
                assert min(size["width"], size["height"]) >= 24
                assert size["x"] + size["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_paper_asks_the_question_and_names_the_notebook(page):
    found = box(page, "07-gauss")
    page.emulate_media(media="print")
    assert not found.locator(".folded, summary").locator("visible=true").count()
    paper = found.locator(".unfolded-fallback").inner_text()
    assert re.search(r"Your answer\s+prediction\s+smallest average cost.*notebook", paper, re.S)


def test_with_forced_colors_the_marks_are_words_and_shapes(page):
    page.emulate_media(forced_colors="active")
    found = box(page, "14-signs")
    for place in (2, 1):
        found.get_by_role("checkbox").nth(place).check()
        found.get_by_text("Check", exact=True).click()
    found.get_by_text("Show the answer").click()
    looks = found.locator(".choice").evaluate_all(
        "all => all.map(one => [getComputedStyle(one, '::after').content,"
        " getComputedStyle(one).borderTopStyle])"
    )
    right, wrong = ['"✓ the answer"', "solid"], ['"✗ your answer"', "dashed"]
    assert looks == [right, wrong, wrong, right, right]


# printed results ----------------------------------------------------------------------------------


def closed(page, name):
    found = box(page, name)
    found.locator("textarea").wait_for(state="attached")  # its script loads when it comes near
    return found


def opened(page, name):
    found = closed(page, name)
    found.locator("summary").press("Enter")
    return found


def results(name):
    """Return what the solution prints, and each named mistake."""
    known = instance(name)
    return str(known.right), {slip: str(value) for slip, value in known.wrong.items()}


@pytest.mark.parametrize("name", PRINTED)
def test_a_pasted_result_gets_its_hint_or_its_meaning(page, name):
    found, entry = opened(page, name), exercises()[name]
    right, wrong = results(name)
    field = found.get_by_label("What does it print?")
    for slip, text in wrong.items():
        field.fill(text)
        field.press("Enter")
        assert said(found) == f"Hint: {hint(name, slip)}"
    field.fill(right)
    found.get_by_role("button", name="Check").click()
    assert said(found).startswith(f"This value is right. {entry.success}")
    assert "The notebook tries more cases." in said(found)
    assert found.locator("summary").inner_text().endswith("✓ right")


def test_the_lines_are_copied_with_or_without_the_stub(page):
    page.evaluate("""() => {
        Object.defineProperty(navigator, 'clipboard', { value: {
            writeText: (text) => Promise.resolve(void (globalThis.copied = text)) } });
    }""")
    found = opened(page, "18-recall")
    lines = found.locator("pre.lines").first.inner_text()
    found.get_by_role("button", name="Copy", exact=True).click()
    assert page.evaluate("copied") == lines
    found.get_by_role("button", name="Copy with the stub").click()
    assert page.evaluate("copied") == f"{STUB}\n\n\n{lines}\n"
    assert lines.startswith("import numpy as np\n\nprint(recall(")


def test_answers_are_kept_until_they_are_forgotten(page):
    right, _ = results("18-recall")
    field = opened(page, "18-recall").get_by_label("What does it print?")
    field.fill(right)
    field.press("Enter")
    box(page, "11-ways").get_by_label("number of paths").fill("45")
    box(page, "11-ways").get_by_text("Check", exact=True).click()
    page.reload()
    found, value = closed(page, "18-recall"), box(page, "11-ways")
    assert found.locator("summary").inner_text().endswith("✓ right")
    assert not found.get_by_label("What does it print?").is_visible()
    assert (value.get_by_label("number of paths").input_value(), said(value)[:8]) == (
        "45",
        "Correct.",
    )
    page.evaluate("document.dispatchEvent(new CustomEvent('unfolded:forgotten'))")
    assert not found.locator("summary").inner_text().endswith("right")
    assert (value.get_by_label("number of paths").input_value(), said(value)) == ("", "")


def test_a_changed_exercise_takes_a_kept_answer_for_a_new_one(page):
    kept = '{"18-recall": {"typed": "7", "right": true, "version": "old"}}'
    page.evaluate("kept => localStorage.setItem('unfolded:answers', kept)", kept)
    page.reload()
    found = closed(page, "18-recall")
    assert found.locator("summary").inner_text().endswith("not right yet")


def test_a_box_whose_answers_do_not_arrive_says_so(page):
    page.route("**/answers.js", lambda route: route.abort())
    page.reload()
    found = box(page, "18-recall")
    found.locator("summary").press("Enter")
    assert "haven’t arrived" in found.locator("details p").inner_text()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_box_has_its_place_before_its_script_comes(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    found = box(page, "18-recall")
    found.locator("summary").wait_for()
    height = found.bounding_box()["height"]
    found.evaluate("""(figure) => {
        figure.querySelector(".unfolded-stage").remove();
        delete figure.dataset.live;
    }""")
    found = page.locator("#in-18-recall figure")
    assert found.bounding_box()["height"] == height
    assert found.locator(".folded").inner_text().endswith("paste what it prints")


@pytest.mark.parametrize("width", [320, 1280])
def test_an_open_box_fits_the_page(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    for name in PRINTED:
        found = opened(page, name)
        for target in found.locator("summary, textarea, button").all():
            if target.is_visible():
                size = target.bounding_box()
                assert min(size["width"], size["height"]) >= 24
                assert size["x"] + size["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_paper_has_the_lines_and_a_line_to_write_on(page):
    found = box(page, "18-recall")
    page.emulate_media(media="print")
    assert not found.locator(".folded, summary").locator("visible=true").count()
    paper = found.locator(".unfolded-fallback").inner_text()
    assert re.search(r"^What do these lines print.*print\(recall\(.*It prints:", paper, re.S)
