"""Every lab responds at its defaults, at the ends of its controls, and to any text."""

import ast
from itertools import islice

import ipywidgets as widgets
import numpy as np
import pytest
from books import NOTEBOOKS, code, contains_nan

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


def drawn(lab, values):
    """The last plot of a setting; of a choice, a text and more steps the second, where a reader may
    stop it."""
    if lab.button is None or whole(lab, values):
        return lab.at(**values)
    *_, plot = islice(lab.fn(**values), 2)
    return plot


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_labs_answer_everywhere(path, monkeypatch, capsys):
    monkeypatch.chdir(path.parent)
    found = labs(path)
    assert found, "a chapter has a lab"
    for name, lab in found.items():
        assert isinstance(lab, Lab)
        for values in settings(lab):
            plot = drawn(lab, values)
            assert plot.png().startswith(b"\x89PNG"), (name, values)
            assert not contains_nan(plot.alt), (name, values)
            for axes in plot.figure.axes:
                assert np.isfinite([axes.get_xlim(), axes.get_ylim()]).all(), (name, values)
