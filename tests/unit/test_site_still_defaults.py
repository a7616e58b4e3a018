"""The pictures of the figures' default states, and the record of these states."""

import io
import json
import re
from base64 import b64decode
from xml.etree import ElementTree

import pytest
from fontTools.ttLib import TTFont

from press.still import defaults as module
from press.still.defaults import (
    APPROVED,
    UNREAD,
    default_state,
    drawable,
    height,
    is_unread,
    picture,
)
from press.still.faces import faces
from rnn_helpers.explore.states import FIGURES, picture_file

REDRAW = "run `python -m press.still`, which `make figures` does too, and commit"


@pytest.mark.nightly("unfold", "result", "eigen", files=["press/still/"])
@pytest.mark.parametrize("name", drawable())
def test_the_picture_of_the_default_state_is_up_to_date(name):
    made = picture(name, height(name))
    assert picture_file(name).read_text("utf-8") == made, REDRAW


def test_each_picture_belongs_to_a_figure():
    assert {path.stem for path in FIGURES.glob("*/built/*.svg")} == {*drawable()}


@pytest.mark.parametrize("name", drawable())
def test_a_changed_default_state_has_a_new_alt_and_story_or_is_approved(name):
    known = json.loads(APPROVED.read_text("utf-8"))[name]
    now = default_state(name)
    assert known == now, UNREAD.format(name=name) if is_unread(known, now) else REDRAW


def test_a_picture_has_the_colors_and_the_rules_it_needs_and_no_other():
    made = picture("unfold", 300)
    tree = ElementTree.fromstring(made)
    assert (tree.get("width"), tree.get("height")) == ("688.2", "300")
    style = tree[0].text
    assert ".fig-unfold" in style
    assert ".uf-drawing text" in style
    assert ".uf-transport" not in style
    assert ":hover" not in style
    assert len(re.findall("--uf-ink:", style)) == 2
    assert "--uf-signed-0:" not in style


def fonts_of(style):
    """Return the letters of each font of a style sheet."""
    return {
        descriptors: {chr(code) for code in TTFont(io.BytesIO(b64decode(data))).getBestCmap()}
        for descriptors, data in re.findall(r"@font-face\{(.*?);src:url\(data:.*?,(.*?)\)", style)
    }


def test_a_picture_carries_its_own_letters_in_each_style():
    fonts = fonts_of(ElementTree.fromstring(picture("lstm", 300))[0].text)
    sans, math = "font-family:Unfolded Sans;", "font-family:Unfolded Math"
    assert fonts[f"{sans}font-weight:400 500"] >= {*"inputgate0.98"}
    assert fonts[f"{sans}font-weight:600 700"] >= {*"keepask"}
    assert fonts[f"{sans}font-style:italic"] >= {*"xhfgqs"}
    assert fonts[math] >= {*"tanh𝑠ℎ"}
    assert all("Z" not in letters for letters in fonts.values())


def test_a_rule_for_pressed_buttons_brings_no_letters_of_the_others():
    buttons = '<p><b-n aria-pressed="true">Yes</b-n><b-n aria-pressed="false">No</b-n></p>'
    fonts = fonts_of(faces(buttons, [("[aria-pressed=true]", "font-weight:600")]))
    assert fonts["font-family:Unfolded Sans;font-weight:600 700"] == {*"Yes"}


@pytest.fixture
def one_figure(tmp_path, monkeypatch):
    """The figure ``unfold`` alone, with its files in a separate folder, and no browser."""
    monkeypatch.setattr(module, "drawable", lambda: ["unfold"])
    monkeypatch.setattr(module, "picture_file", lambda name: tmp_path / f"{name}.svg")
    monkeypatch.setattr(module, "APPROVED", tmp_path / "defaults.json")
    monkeypatch.setattr(module.browser, "find", lambda: None)
    return tmp_path


def test_a_changed_default_state_is_recorded_only_once_its_words_were_read(one_figure, capsys):
    file = one_figure / "defaults.json"
    module.main([])
    approved = file.read_text("utf-8")
    old = approved.replace('"T": 4', '"T": 5')
    file.write_text(old, "utf-8")
    module.main([])
    assert file.read_text("utf-8") == old
    assert "default state of unfold changed" in capsys.readouterr().out
    module.main(["--approve", "unfold"])
    assert file.read_text("utf-8") == approved
    file.write_text(old.replace('"written": "', '"written": "0'), "utf-8")
    module.main([])
    assert file.read_text("utf-8") == approved


def test_without_a_browser_a_picture_keeps_its_height(one_figure):
    (one_figure / "unfold.svg").write_text(picture("unfold", 333), "utf-8")
    module.main([])
    assert module.height("unfold") == 333
