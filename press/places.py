"""Where the book shows its figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

IN_CODE = re.compile(r"""(?<!experiments\.)\bshow\(\s*["'](\w+)["']""")
IN_MARKDOWN = re.compile(r"^`{3,}\{explorable\} (\w+)", re.M)
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.M)


class Place(NamedTuple):
    """Where the book shows a figure: the document, its title, the section, the cell's id.

    On a page that is no notebook the last two are empty.
    """

    docname: str
    title: str
    section: str
    cell: str


def places(documents: Mapping[str, Path]) -> dict[str, list[Place]]:
    """Find where the book shows its figures.

    Parameters
    ----------
    documents : mapping of str to Path
        The book's notebooks and Markdown pages by the names of their documents.

    Returns
    -------
    dict of str to list of Place
        Figures in the order of the chapters; figures on other pages come last.
    """
    found: dict[str, list[Place]] = {}
    for docname, path in sorted(documents.items(), key=lambda item: (item[1].suffix, item[0])):
        for figure, place in _places_in(docname, path, path.stat().st_mtime_ns):
            found.setdefault(figure, []).append(place)
    return found


@cache
def _places_in(docname: str, path: Path, changed: int) -> list[tuple[str, Place]]:
    text = path.read_text("utf-8")
    if path.suffix == ".ipynb":
        return list(_in_notebook(docname, json.loads(text)["cells"]))
    place = Place(docname, "".join(HEADING.findall(text)[:1]), "", "")
    return [(figure, place) for figure in IN_MARKDOWN.findall(text)]


def _in_notebook(docname: str, cells: list[dict]) -> Iterator[tuple[str, Place]]:
    title = section = ""
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            for figure in IN_CODE.findall(source):
                yield figure, Place(docname, title, section, cell["id"])
        else:
            for heading in HEADING.findall(source):
                title, section = (title, heading) if title else (heading, "")
