"""Code exercises on a page: the box, the script with the answers, and the reader's progress."""

import json
import re

import pytest
from py_mini_racer import MiniRacer

from press.answers import CHECK, JUDGE, THERE, answered, launched, script
from press.slides import BOOK
from rnn_helpers.checks import exercises


@pytest.mark.parametrize(
    ("code", "stub"),
    [
        ('def f(x):\n    raise X\n\n\ncheck("13-peak", f)', "def f(x):\n    raise X"),
        ('def f():\n    pass\n\n\nf = check("04-net-clip", f).use\nf()', "def f():\n    pass"),
    ],
)
def test_a_stub_on_the_page_has_no_check(code, stub):
    assert CHECK.sub("", code).rstrip() == stub


def test_the_exercises_of_a_chapter_are_listed_in_order():
    names = answered(BOOK / "13_long_term.ipynb")
    assert names == list(dict.fromkeys(names))
    known = exercises()
    code = {name for name, each in known.items() if getattr(each, "cases", None)}
    assert {name for name in code if name.startswith("13")} <= set(names)
    assert any(name not in code for name in names), "a box for a value counts, too"


def test_each_launched_notebook_opens_at_the_exercise():
    body = f"<p>{THERE.format('ex-peak-stub')}</p>"
    buttons = [
        {
            "text": "Binder",
            "url": "https://mybinder.org/v2/gh/a/b/c?urlpath=lab/tree/book/13.ipynb",
        },
        {
            "text": "Colab",
            "url": "https://colab.research.google.com/github/a/b/blob/c/book/13.ipynb",
        },
    ]
    links = re.findall('href="([^"]+)"', launched(body, buttons))
    assert links == [
        f"{buttons[0]['url']}%23cell-id%3Dex-peak-stub",
        f"{buttons[1]['url']}#scrollTo=ex-peak-stub",
    ]
    assert launched(body, []) == "<p></p>"


def test_the_scripts_have_the_inside_of_a_box_and_the_answers():
    data = {"13-peak": {"success": "…"}}
    engine = MiniRacer()
    engine.eval(JUDGE.read_text("utf-8") + script(data))
    assert json.loads(engine.eval("JSON.stringify(unfoldedAnswers)")) == data
    assert engine.eval("typeof unfoldedPrinted.render") == "function"
    engine.close()
