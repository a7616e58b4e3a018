"""Read the book's sources for the tests of its structure."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
import yaml

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "book"
NOTEBOOKS = sorted(BOOK.glob("[0-9][0-9]_*.ipynb"))
PAGES = sorted(BOOK.glob("[a-z]*.md"))
ENTRIES = sorted(BOOK.glob("*.yml"))
DECKS = sorted((BOOK / "slides").glob("*.md"))
FENCE = re.compile(
    r"^(`{3,})\{(?P<name>[\w-]+)\} ?(?P<argument>.*?)\n(?P<body>.*?)^\1$", re.M | re.S
)
OPTION = re.compile(r"^:([\w-]+): *(.*)$", re.M)

every_chapter = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


class Directive(NamedTuple):
    """A fenced directive and the index of its cell."""

    name: str
    argument: str
    options: dict
    body: str
    cell: int


@cache
def cells(path):
    return nbformat.v4.reads(path.read_text("utf-8")).cells


class Number(NamedTuple):
    """A number in the prose, with its source and its template."""

    source: str
    template: str
    text: str


NUMBER = re.compile(
    r'<span data-number="(?P<source>[\w-]+): (?P<template>[^"]*\{[^"]*)">(?P<text>[^<]+)</span>'
)


def numbers(text):
    """Return the numbers that a text binds to sources, in the format of ``str.format``."""
    found = [Number(**match.groupdict()) for match in NUMBER.finditer(text)]
    assert len(found) == text.count("data-number"), (
        'write <span data-number="SLUG: {NAME}">97</span>'
    )
    return [each._replace(text=_plain(each.text)) for each in found]


def _plain(text):
    """Write minus and percent signs as ``str.format`` does."""
    return re.sub(r"[ \u00a0\u202f]%", "%", text.replace("−", "-"))


def code(path):
    return [cell for cell in cells(path) if cell.cell_type == "code"]


def prose(path):
    """Return the Markdown of a notebook, of a page, or of a file of entries that pages show."""
    if path.suffix in (".md", ".yml"):
        return path.read_text("utf-8")
    return "\n\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")


def words(path):
    """Return the prose without code, formulas and link targets."""
    text = re.sub(r"^(`{3,})(?:python|bash)?\n.*?^\1$", "", prose(path), flags=re.M | re.S)
    text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\]\([^)]*\)|<[^>]*>", " ", text, flags=re.S)
    return text


def answered_on(path):
    """Return the cell index and the settings of each exercise's answer box in a chapter."""
    found = {}
    for index, cell in enumerate(cells(path)):
        if re.match(r"explore\.show\(\s*[\"']answer[\"']", cell.source):
            call = ast.parse(cell.source).body[0].value
            state = {key.arg: ast.literal_eval(key.value) for key in call.keywords}
            found[state["exercise"]] = index, state
    return found


def directives(path, *names):
    """Return the directives with these names, in order."""
    found = []
    for index, cell in enumerate(cells(path)):
        if cell.cell_type != "markdown":
            continue
        for fence in FENCE.finditer(cell.source):
            if fence["name"] in names:
                options = dict(OPTION.findall(fence["body"]))
                found.append(
                    Directive(fence["name"], fence["argument"], options, fence["body"], index)
                )
    return found


def contains_nan(alt):
    """Return whether an alt text contains NaN or infinity, apart from its sample of text."""
    return re.search(r"\b(nan|inf)\b", alt.partition(" A sample:")[0], re.I)


def tags(cell):
    return cell.metadata.get("tags", [])


def table_of_contents():
    """Return the documents in the table of contents, starting with the first page."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    listed = [entry["file"] for part in toc["parts"] for entry in part["chapters"]]
    return [toc["root"], *listed]
