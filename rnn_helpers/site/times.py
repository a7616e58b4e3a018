"""How long a chapter takes, counted from its cells: reading, and doing its exercises.

On a page the count stands where the reader is told what to know beforehand, in a hand-out in its
welcome. Nobody has to write it, so nobody can forget to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import NamedTuple

import nbformat
from docutils import nodes

from rnn_helpers.site.flatten import Block, blocks

WORDS_A_MINUTE = 110  # of prose that one stops to think about
FIGURE = 2
EXERCISE = {"conceptual": 10, "code": 10, "extended": 20}  # where it says no minutes of its own
SHOWN = re.compile(r"\bexplore\.(?:show|lab)\(")
KIND = re.compile(r"^\*(?P<kind>conceptual|code|extended)(?:, (?P<minutes>\d+) minutes)?", re.M)
NO_WORDS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\]\([^)]*\)|<[^>]*>", re.S)


class Times(NamedTuple):
    """Minutes, to the next five."""

    reading: int
    doing: int

    def __str__(self) -> str:
        return f"about {self.reading} minutes to read, and {self.doing} for the exercises"


def count(chapter: Path) -> Times:
    """Count what a chapter takes.

    Parameters
    ----------
    chapter : Path
        A notebook. What an exercise asks counts as doing, and its solution not at all.
    """
    words = figures = doing = 0
    solution = False
    for cell in nbformat.read(chapter, as_version=4).cells:
        if cell.cell_type != "markdown":
            figures += 0 if solution else len(SHOWN.findall(cell.source))
            continue
        for piece in blocks(cell.source):
            name = piece.name if isinstance(piece, Block) else ""
            if name.startswith("exercise"):
                doing += sum(_minutes("\n".join(piece.body)))
            solution = name == "solution-start" or (solution and name != "solution-end")
            if solution or name.startswith(("exercise", "solution")) or name == "source":
                continue
            text = "\n".join(piece.body) if isinstance(piece, Block) else piece
            words += len(NO_WORDS.sub(" ", text).split())
    return Times(_next_five(words / WORDS_A_MINUTE + FIGURE * figures), _next_five(doing))


def _minutes(exercise: str) -> Iterator[int]:
    for kind in KIND.finditer(exercise):
        yield int(kind["minutes"] or EXERCISE[kind["kind"]])


def _next_five(minutes: float) -> int:
    return 5 * ceil(minutes / 5)


def _tell(app, doctree) -> None:
    """Say it on a chapter's page, after what the reader needs to know."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    for words in doctree.findall(nodes.emphasis):
        if words.astext() == "You need:":
            label = nodes.emphasis(text="Time:")
            words.parent += [nodes.Text(" "), label, nodes.Text(f" {count(path)}.")]


def setup(app) -> None:
    """Have pages tell the time that they take."""
    app.connect("doctree-read", _tell)
