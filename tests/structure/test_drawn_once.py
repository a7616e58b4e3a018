"""Figures are drawn by their scripts alone; plots draw what pages, labs and claims compute."""

import ast
from pathlib import Path

from books import NOTEBOOKS, ROOT, cells

from rnn_helpers import plots
from rnn_helpers.explore import figures, manifest

# These two are questions: they draw nothing, so they need no size of a drawing and no controls.
QUESTIONS = {"predict", "answer"}


def names_in(code):
    """Return the names of `plots` that code imports or calls."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Attribute(value=ast.Name("plots"), attr=name):
                yield name
            case ast.ImportFrom(module=str(module)) if module.startswith("rnn_helpers.plots"):
                yield from (alias.name for alias in node.names)


def test_no_figure_is_drawn_a_second_time():
    modules = {name: figures.module(name) for name in manifest()}
    assert [name for name, module in modules.items() if hasattr(module, "poster")] == []


def test_each_figure_is_made_by_the_shared_function():
    views = {name: ROOT / "explorables" / "figures" / name / "view.js" for name in manifest()}
    made = {
        name for name, view in views.items() if f'= figure("{name}",' in view.read_text("utf-8")
    }
    assert set(views) - made == QUESTIONS


def test_each_plot_has_a_caller_outside_the_tests():
    package = [*(ROOT / "rnn_helpers").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]
    code = [path.read_text("utf-8") for path in package if path != Path(plots.__file__)]
    code += [cell.source for path in NOTEBOOKS for cell in cells(path) if cell.cell_type == "code"]
    assert set(plots.__all__) - {name for text in code for name in names_in(text)} == set()
