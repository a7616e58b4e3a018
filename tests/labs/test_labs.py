"""Every lab answers, at its defaults and at the ends of its controls."""

import ast

import pytest
from books import NOTEBOOKS, code, tags

from rnn_helpers.explore import Lab


def labs(path):
    """Run a chapter and give its labs, by the ids of their cells."""
    names, found = {"__name__": "__main__"}, {}
    for cell in code(path):
        if "raises-exception" in tags(cell):
            continue
        tree = ast.parse(cell.source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, cell["id"], "exec"), names)
        value = last and eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)
        if isinstance(value, Lab):
            found[cell["id"]] = value
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_labs_answer_everywhere(path, monkeypatch, capsys):
    monkeypatch.chdir(path.parent)
    found = labs(path)
    assert found, "a chapter has a lab"
    for name, lab in found.items():
        for values in [lab.defaults, *lab.extremes()]:
            plot = lab.at(**values)
            assert plot.alt, (name, values)
            assert "nan" not in plot.alt.lower().split(), (name, values, plot.alt)
