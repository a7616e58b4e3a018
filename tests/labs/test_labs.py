"""Every lab responds at its defaults, at the ends of its controls, and to any text."""

import ast
from itertools import islice

import ipywidgets as widgets
import numpy as np
import pytest
from books import code, contains_nan, every_chapter

from press.dependencies import needed
from rnn_helpers.explore import Lab

NASTY = [
    "",
    " ",
    "\n\t\r\0",
    "a" * 500,
    r"$\frac{1}{0}$ \mathrm{ ^_{ $",
    "<script>alert(1)</script>&amp;",
    "%s {0} {",
    "𝔘 e\u0301 \u202eabc 👩\u200d🔬 ⊳□",
    "((((]]]]",
]


def labs(path):
    """Return a chapter's labs by cell id, running only the other cells that they need."""
    statements, found = [], {}
    for cell in code(path):
        statements += map(ast.unparse, ast.parse(cell.source).body)
        if "explore.lab(" not in cell.source:
            continue
        *before, last = needed(statements, {len(statements) - 1})
        names = {"__name__": "__main__"}
        exec("\n".join(statements[place] for place in before), names)
        found[cell["id"]] = eval(statements[last], names)
    return found


def settings(lab):
    """The defaults, the ends of every control, and unexpected texts."""
    yield lab.defaults
    yield from (ends for ends in lab.extremes() if ends != lab.defaults)
    for name, control in lab.controls.items():
        if isinstance(control, widgets.Text):
            yield from ({**lab.defaults, name: text} for text in NASTY)


def whole(lab, values):
    """Return whether to train to the end: at the defaults and where it may diverge."""
    changed = {name for name, value in values.items() if value != lab.defaults[name]}
    numbers = {name for name, control in lab.controls.items() if hasattr(control, "min")}
    return changed <= numbers - {"steps"}


def answers(name, values, plot):
    """Hold that a plot is a picture with finite axes and numbers in words."""
    assert plot.png().startswith(b"\x89PNG"), (name, values)
    assert not contains_nan(plot.alt), (name, values)
    for axes in plot.figure.axes:
        assert np.isfinite([axes.get_xlim(), axes.get_ylim()]).all(), (name, values)


@pytest.fixture
def found(path, monkeypatch, capsys):
    """The labs of a chapter by cell id."""
    monkeypatch.chdir(path.parent)
    found = labs(path)
    assert found, "a chapter has a lab"
    assert {type(lab) for lab in found.values()} == {Lab}
    return found


@pytest.mark.nightly("02_unfolding", "03_rnn", "13_long_term")
@pytest.mark.filterwarnings("error")
@every_chapter
def test_labs_answer_everywhere(found):
    """A lab that trains shows its second plot, where a reader may stop it."""
    for name, lab in found.items():
        for values in settings(lab):
            plots = [lab.at(**values)] if lab.button is None else islice(lab.fn(**values), 2)
            *_, plot = plots
            answers(name, values, plot)


@pytest.mark.filterwarnings("error")
@pytest.mark.nightly("03_rnn")
@every_chapter
def test_labs_train_to_the_end(found):
    for name, lab in found.items():
        for values in settings(lab):
            if lab.button is not None and whole(lab, values):
                answers(name, values, lab.at(**values))
