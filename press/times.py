"""The minutes that a chapter takes, for reading and for exercises, counted from its cells.

A chapter's page shows them after the line "You need", and a handout in its welcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import NamedTuple

import nbformat
from docutils import nodes

from press.flatten import Block, blocks

WORDS_A_MINUTE = 110  # with pauses to think
FIGURE = 2  # minutes
SHOWN = re.compile(r"\bexplore\.(?:show|lab)\(")
EXERCISE = re.compile(
    r"^\*(?P<core>core, )?(?:conceptual|code|extended), (?P<minutes>\d+) minutes\.\*", re.M
)
HEADING = re.compile(r"^## +(.+?) *$", re.M)
FURTHER = "Going further"  # an optional section, which is counted separately
NO_WORDS = re.compile(
    r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\]\([^)]*\)|<[^>]*>|^\([\w-]+\)=$"
    r"|^#+ Exercise \d+\.\d+:|\[?\((?:G|C) (?=\d+\.\d+\))"  # numbers of exercises and equations
    r"|(?<!\S)\|[-:|]*(?!\S)|(?<!\S)–(?!\S)",  # a table's bars and empty cells
    re.S | re.M,
)


class Section(NamedTuple):
    """A section's visible words and figures, and the minutes of its exercises."""

    title: str
    words: int = 0
    figures: int = 0
    doing: int = 0

    def __add__(self, other: Section) -> Section:
        return Section(self.title, *(a + b for a, b in zip(self[1:], other[1:], strict=True)))

    @property
    def reading(self) -> float:
        """Minutes for reading the section."""
        return self.words / WORDS_A_MINUTE + FIGURE * self.figures


class Times(NamedTuple):
    """Minutes, rounded up to multiples of five."""

    reading: int
    doing: int
    further: int = 0

    def __str__(self) -> str:
        more = f"; going further, {self.further} more" if self.further else ""
        return f"about {self.reading} minutes to read, and {self.doing} for the exercises{more}"


def count(chapter: Path) -> Times:
    """Count the minutes that a chapter takes, with those of *Going further* on their own.

    Parameters
    ----------
    chapter : Path
        A notebook. Exercises count with the minutes that they state; solutions don't count.
    """
    whole = sections(chapter)
    end = next((k for k, part in enumerate(whole) if part.title == FURTHER), len(whole))
    reading, further = (sum(part.reading for part in parts) for parts in (whole[:end], whole[end:]))
    doing, more = (sum(part.doing for part in parts) for parts in (whole[:end], whole[end:]))
    return Times(_next_five(reading), _next_five(doing), _next_five(further + more))


def sections(chapter: Path) -> list[Section]:
    """Count a chapter's words, figures and minutes of exercises, section by section.

    Parameters
    ----------
    chapter : Path
        A notebook. The first section has no title; it is the text before the first heading.
    """
    counted = [Section("")]
    for part in _parts(nbformat.read(chapter, as_version=4).cells):
        if part.title:
            counted.append(part)
        else:
            counted[-1] += part
    return counted


def _parts(cells: list) -> Iterator[Section]:
    """Count each cell, and each part of it that has a heading, without solutions."""
    solution = False
    for cell in cells:
        if cell.cell_type != "markdown":
            yield Section("", figures=0 if solution else len(SHOWN.findall(cell.source)))
            continue
        for piece in blocks(cell.source):
            name = piece.name if isinstance(piece, Block) else ""
            if name.startswith("exercise"):
                yield Section(
                    "",
                    doing=sum(
                        int(found["minutes"]) for found in EXERCISE.finditer("\n".join(piece.body))
                    ),
                )
            solution = name == "solution-start" or (solution and name != "solution-end")
            solved = solution or (isinstance(piece, Block) and piece.is_solution)
            if solved or name.startswith("exercise") or name == "source":
                continue
            before, *headed = HEADING.split("\n".join(piece.body) if name else piece)
            yield Section("", words=_words(before))
            for title, text in zip(headed[::2], headed[1::2], strict=True):
                yield Section(title, words=_words(title) + _words(text))


def _words(text: str) -> int:
    return len(NO_WORDS.sub(" ", text).split())


def _next_five(minutes: float) -> int:
    return 5 * ceil(minutes / 5)


def _show(app, doctree) -> None:
    """Add the times to a chapter's page, after the line "You need"."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    for words in doctree.findall(nodes.emphasis):
        if words.astext() == "You need:":
            label = nodes.emphasis(text="Time:")
            words.parent += [nodes.Text(" "), label, nodes.Text(f" {count(path)}.")]


def setup(app) -> None:
    """Show the times on the pages."""
    app.connect("doctree-read", _show)
