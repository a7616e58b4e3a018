"""Every text file is read and written as UTF-8 in any locale."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = "rnn_helpers", "press", "course", "tests", "bench"


def unnamed(source):
    """Lines of the calls that read or write text in an encoding that the locale decides."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call) or any(
            keyword.arg in ("encoding", None) for keyword in call.keywords
        ):
            continue
        match call.func:
            case ast.Attribute(attr="read_text"):
                named = len(call.args) > 0
            case ast.Attribute(attr="write_text"):
                named = len(call.args) > 1
            case ast.Name(id="open"):
                named = is_binary(call, 1)
            case ast.Attribute(attr="open"):  # of a path; other objects that open take an address
                of_path = not call.args or isinstance(call.args[0], ast.Constant)
                named = not of_path or is_binary(call, 0)
            case _:
                named = True
        if not named:
            yield call.lineno


def is_binary(call, place):
    """Return whether a file is opened as bytes; ``place`` is the mode's position."""
    modes = [*call.args[place : place + 1], *(k.value for k in call.keywords if k.arg == "mode")]
    return any(isinstance(mode, ast.Constant) and "b" in mode.value for mode in modes)


@pytest.mark.parametrize(
    "source",
    ["p.read_text()", "p.write_text(t)", "open(p)", "p.open('w')", "p.open()", "open(p, mode='r')"],
)
def test_a_call_without_an_encoding_is_found(source):
    assert list(unnamed(source)) == [1]


@pytest.mark.parametrize(
    "source",
    ["p.read_text('utf-8')", "p.write_text(t, encoding='utf-8')", "p.open('rb')", "open(p, 'wb')"],
)
def test_a_call_with_an_encoding_or_for_bytes_is_not(source):
    assert list(unnamed(source)) == []


def test_every_text_file_is_opened_with_its_encoding():
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    assert [
        f"{path.relative_to(ROOT)}:{line}"
        for path in [*paths, ROOT / "conftest.py"]
        for line in unnamed(path.read_text("utf-8"))
    ] == []
