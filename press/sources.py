"""Which section of the book mirrors which section of a source, recorded under its heading.

Below the heading is a line such as ``<small>Deep Learning 10.7 · Chiang 5.4</small>``, which a
page, JupyterLab and a student's notebook all show. ``{sources}`` shows the inverse: each source's
sections, as ``sources.yml`` next to the page lists them, and where the book has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import nbformat
import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from press.equations import REWRITE

SECTION = re.compile(
    r"^(?:\((?P<label>\S+)\)=\n)?##+ (?P<heading>.+)(?:\n\n<small>(?P<line>.+)</small>$)?", re.M
)


class Mirror(NamedTuple):
    """A section of the book, and the sections of sources that it follows."""

    label: str
    heading: str
    sources: list[tuple[str, str]]


def read_line(line: str, names: Iterable[str]) -> list[tuple[str, str]]:
    """Read the line beneath a heading.

    Parameters
    ----------
    line : str
        Such as ``"Deep Learning 10.1, 10.2 · Chiang 5.3"``.
    names : iterable of str
        Names of the sources in that line.

    Returns
    -------
    list of tuple
        Pairs of a source's name and one of its sections.

    Raises
    ------
    ValueError
        If a part begins with no source's name.
    """
    found = []
    for part in line.split(" · "):
        name = next((name for name in names if re.match(rf"{re.escape(name)}:? ", part)), None)
        if name is None:
            raise ValueError(f"{part!r} begins with no source; expected one of {', '.join(names)}")
        sections = part.removeprefix(name).removeprefix(":").split(", ")
        found += [(name, section.strip()) for section in sections]
    return found


def mirrors(chapter: Path, names: Iterable[str]) -> list[Mirror]:
    """List the sections of a chapter that name a source, in order.

    Parameters
    ----------
    chapter : Path
        A notebook.
    names : iterable of str
        Names of the sources.
    """
    cells = nbformat.read(chapter, as_version=4).cells
    return [
        Mirror(section["label"], section["heading"], read_line(section["line"], names))
        for cell in cells
        if cell.cell_type == "markdown"
        for section in SECTION.finditer(cell.source)
        if section["line"]
    ]


class Sources(SphinxDirective):
    """``{sources}``: every section of every source, and its places in the book."""

    def run(self) -> list[nodes.Node]:
        """Set a table for each source."""
        page = Path(self.env.doc2path(self.env.docname))
        self.env.metadata[self.env.docname][REWRITE] = True
        listed = page.with_name("sources.yml")
        chapters = sorted(page.parent.glob("[0-9][0-9]_*.ipynb"))
        for path in (listed, *chapters):
            self.env.note_dependency(str(path))
        sources = yaml.safe_load(listed.read_text("utf-8"))
        names = [source["name"] for source in sources]
        places: dict[tuple[str, str], list[str]] = {}
        for chapter in chapters:
            for mirror in mirrors(chapter, names):
                for section in mirror.sources:
                    places.setdefault(section, []).append(f"[{mirror.heading}](#{mirror.label})")
        lines = []
        for source in sources:
            lines += ["", f"## {source['title']}", ""]
            lines += ["| section | in the book |", "| :-- | :-- |"]
            for number, section in source["sections"].items():
                where = "; ".join(places[source["name"], number])
                lines.append(f"| **{number}** {section['about']} | {where} |")
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def setup(app) -> None:
    """Register the directive."""
    app.add_directive("sources", Sources)
