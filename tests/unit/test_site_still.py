"""Figures that are drawn without a browser."""

import re
from itertools import accumulate
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup

from press.still import COLUMNS, PLACES, draw, still
from rnn_helpers.explore import manifest
from rnn_helpers.palette import THEMES

FIGURES = sorted(set(manifest()) - {"answer"})  # which needs no drawing
MOST = 40_000  # characters of a relief; its shapes would take a million
ID = re.compile(r' id="([^"]+)"')


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", FIGURES)
def test_each_figure_is_drawn_without_a_browser(name, place):
    markup = draw(name, {}, place).markup
    stage = markup.partition(">")[0]
    assert stage.startswith("<div ")
    assert re.search(rf'class="unfolded-stage[^"]* fig-{name}\b', stage)
    assert not re.search(r"\bNaN\b|\bundefined\b|\[object ", markup)


@pytest.mark.nightly("unfold", "result", "eigen", files=["press/still/"])
@pytest.mark.parametrize("name", FIGURES)
def test_a_still_is_html_that_is_also_xml(name):
    stage = ElementTree.fromstring(draw(name, {}).markup)
    spaces = {node.tag.partition("}")[0] for node in stage.iter() if node.tag.endswith("}svg")}
    assert spaces <= {"{http://www.w3.org/2000/svg"}


@pytest.mark.nightly("unfold", "result", "eigen", files=["press/still/"])
@pytest.mark.parametrize("name", FIGURES)
def test_a_bare_still_has_neither_controls_nor_a_prediction(name):
    markup = draw(name, {}, bare=True).markup
    assert not re.search(r'class="(uf-control|uf-guess|presets)[ "]', markup)
    assert len(markup) < 100_000


def test_a_bare_still_keeps_the_text_in_a_row_of_controls():
    rows = BeautifulSoup(draw("perturb", {}, bare=True).markup, "html.parser").select(
        ".uf-controls"
    )
    assert [row.get_text(" ", strip=True) for row in rows] == ["J = 0.9 5 0 0.5"]


def test_a_canvas_becomes_an_image_and_a_line_starts_at_its_given_point():
    picture = unquote(re.search(r"--uf-still-light:url\('([^']+)'", draw("cliff", {}).markup)[1])
    assert "<image " in picture
    paths = re.findall(r' d="(.)', picture)
    assert paths
    assert set(paths) == {"M"}


@pytest.mark.parametrize("name", ["bptt", "cliff", "sampler"])
def test_a_figure_drawn_again_is_the_same(name):
    assert draw(name, {}) == draw(name, {})


def test_a_still_shows_the_state_that_is_asked_for():
    few, many = draw("unfold", {"T": 2}).markup, draw("unfold", {"T": 8}).markup
    assert few.count("<circle") < many.count("<circle")
    assert 'value="8"' in many


def test_work_that_is_spread_over_frames_is_finished():
    assert "the curve turns 394 times" in draw("compose", {}).status  # and not "at least"


def test_a_still_has_the_words_of_the_status_line_apart():
    made = draw("gates", {})
    assert "the count is 5" in made.status
    assert made.status not in made.markup


def test_the_controls_show_their_values():
    markup = draw("latch", {"unit": "linear", "w": 1}).markup
    assert len(re.findall(r"<input[^>]* checked", markup)) == 1
    assert re.search(r'<input[^>]*type="number"[^>]*value="1"|value="1"[^>]*type="number"', markup)


def test_a_still_has_no_buttons_and_no_focusable_parts():
    markup = still(draw("step", {}).markup, 'a "step"')
    assert " tabindex" not in markup
    assert "uf-ring" not in markup
    assert markup.startswith(
        '<div class="unfolded-still" role="img" aria-label="a &quot;step&quot;"><div inert>'
    )


def test_no_id_comes_twice_among_the_stills_of_a_page():
    states = [{}, {"T": 5}, {"T": 6}]
    found = [set(ID.findall(draw("unfold", state).markup)) for state in states]
    assert all(found)
    assert not found[0] & found[1] | found[1] & found[2] | found[0] & found[2]


@pytest.mark.parametrize("name", ["cliff", "curvature", "units"])
def test_a_canvas_shows_a_picture_for_each_theme(name):
    markup = draw(name, {}).markup
    pictures = re.findall(r"--uf-still-(light|dark):url\((.+?)\);(?=--|\")", markup)
    assert [theme for theme, _ in pictures] == ["light", "dark"]
    assert pictures[0][1] != pictures[1][1]


def test_a_painted_relief_costs_a_page_little():
    markup = draw("cliff", {"view": "relief"}).markup
    assert markup.count("data:image/webp") == len(THEMES)
    assert len(markup) < MOST


def test_numbers_are_no_longer_than_a_screen_can_show():
    attributes = re.findall(r' d="([^"]*)"', draw("products", {}).markup)
    assert not any(re.search(r"\d\.\d{4}", value.replace("0.", "")) for value in attributes)


def test_lines_are_written_as_steps_that_stay_in_the_drawing():
    markup = draw("latch", {}, bare=True).markup
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', markup).groups())
    lines = re.findall(r"M([\d.]+) ([\d.]+)l([^\"A-Za-z]+)", markup)
    assert sum(len(steps) for *_, steps in lines) > 0.6 * len(markup)
    for x, y, steps in lines:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", steps)]
        for at, first, end in ((0, x, width), (1, y, height)):
            places = list(accumulate(numbers[at::2], initial=float(first)))
            assert min(places) >= 0
            assert max(places) <= end


def test_columns_are_narrower_than_the_stage():
    for columns in COLUMNS.values():
        for place, widths in columns.items():
            assert all(0 < width < PLACES[place]["width"] for width in widths.values())


def test_a_figure_on_a_slide_has_larger_type_and_fits_in_its_room():
    on = {place: draw("highway", {}, place).markup for place in PLACES}
    boxes = {place: re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', on[place]) for place in on}
    assert float(boxes["slide"][1]) > float(boxes["page"][1])
    assert float(boxes["slide"][2]) < 20.8 * 26.7


def test_an_unknown_figure_is_named():
    with pytest.raises(ValueError, match="nosuch"):
        draw("nosuch", {})


@pytest.mark.nightly("unfold", "result", "eigen", files=["press/still/"])
@pytest.mark.parametrize("name", FIGURES)
def test_each_figure_describes_its_first_drawing_in_sentences(name):
    status = draw(name, {}).status
    assert re.fullmatch(r"\w.*[.?…]", status)
    # Neither the parts of a readout nor an exponent overlap the text before them.
    assert not re.search(r"[.?][A-Z]|[.:;,] ?[.:;,]|\s[.:;,]|10−", status)


def test_the_words_of_a_still_follow_its_state():
    words = {draw("cell", {"stage": "forget", "gate": gate}).status for gate in (0, 0.5, 1)}
    assert len(words) == 3
