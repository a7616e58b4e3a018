"""Examples in docstrings."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "rnn_helpers"
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in sorted(PACKAGE.rglob("*.py"))
    if "    >>> " in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_give_the_results_they_show(name):
    if name.startswith("rnn_helpers.nets."):
        pytest.importorskip("torch")
    failed, tried = doctest.testmod(import_module(name))
    assert tried > 0
    assert failed == 0
