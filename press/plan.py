"""The plan of a course: ``{plan}``, a map of the chapters and a table of what each of them takes.

And ``{lecture}``, a list of parts of decks. Everything comes from the chapters: prerequisites from
the line "You need", minutes from `press.times`, core exercises from their headings, lectures from
the decks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from press.deck import Deck
from press.edition import chapters, left_out
from press.render import template
from press.students import TORCH
from press.times import EXERCISE, Times, count

SCRIPT = "plan.js"
NEEDED = re.compile(r"^\*You need:\*.*$", re.M)
CHAPTER = re.compile(r"\]\((\d\d)_\w+\.ipynb\)")
HEADED = re.compile(r"^### Exercise (\d+\.\d+): (.+)$", re.M)
LABEL = re.compile(r"^:label: (ex-\S+)$", re.M)
PRESET = re.compile(r"(?P<name>[^:]+): (?P<chapters>\d+( \d+)*)")


@dataclass(frozen=True)
class Core:
    """A core exercise: its number, title, anchor and minutes."""

    number: str
    title: str
    anchor: str
    minutes: int


@dataclass(frozen=True)
class Chapter:
    """The prerequisites of a chapter, and the minutes that it takes.

    Parameters
    ----------
    number
        Its number.
    title
        Without the number.
    page
        The stem of its notebook and page.
    needs
        The numbers of its direct prerequisites.
    times
        Minutes for reading and for all exercises.
    core
        Its core exercises.
    lecture, discussed
        Minutes of its deck, without and with answers from the audience.
    torch
        The number of cells that need PyTorch.
    """

    number: int
    title: str
    page: str
    needs: frozenset[int]
    times: Times
    core: tuple[Core, ...]
    lecture: float
    discussed: float
    torch: int

    @classmethod
    def read(cls, path: Path) -> Chapter:
        """Read a chapter's notebook and the deck of the same name in the folder ``slides``."""
        cells = nbformat.read(path, as_version=4).cells
        texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
        needed = next(found[0] for text in texts if (found := NEEDED.search(text)))
        deck = Deck.read(path.parent / "slides" / f"{path.stem}.md")
        return cls(
            number=int(path.name[:2]),
            title=texts[0].splitlines()[0].partition(". ")[2],
            page=path.stem,
            needs=frozenset(map(int, CHAPTER.findall(needed))),
            times=count(path),
            core=tuple(core for text in texts if (core := _core(text))),
            lecture=deck.minutes,
            discussed=deck.discussed,
            torch=sum(TORCH in cell.metadata.get("tags", ()) for cell in cells),
        )


def _core(text: str) -> Core | None:
    """Read a core exercise from its cell; ``None`` if the cell has none."""
    exercise, heading = EXERCISE.search(text), HEADED.search(text)
    if not (exercise and exercise["core"] and heading):
        return None
    return Core(heading[1], heading[2], LABEL.search(text)[1], int(exercise["minutes"]))


def behind(needs: Mapping[int, frozenset[int]]) -> dict[int, frozenset[int]]:
    """Find all prerequisites of each chapter, direct and indirect.

    Parameters
    ----------
    needs : mapping
        The direct prerequisites of each chapter, in an order in which chapters can be read.

    Returns
    -------
    dict
        By chapter, like `needs`.
    """
    found: dict[int, frozenset[int]] = {}
    for number, at_once in needs.items():
        found[number] = at_once.union(*(found[other] for other in at_once))
    return found


def edges(needs: Mapping[int, frozenset[int]]) -> list[tuple[int, int]]:
    """List the pairs (prerequisite, chapter), without those that follow from other pairs."""
    found = behind(needs)
    return [
        (other, number)
        for number, at_once in needs.items()
        for other in sorted(at_once)
        if not any(other in found[between] for between in at_once)
    ]


def rows(needs: Mapping[int, frozenset[int]]) -> list[list[int]]:
    """Arrange the chapters in rows, each below its prerequisites.

    The chapters at the beginning that can only be read one after the other share the first row.
    """
    depth: dict[int, int] = {}
    for number, at_once in needs.items():
        depth[number] = 1 + max((depth[other] for other in at_once), default=-1)
    levels = [list(level) for _, level in groupby(sorted(depth, key=depth.get), key=depth.get)]
    first = next((k for k, level in enumerate(levels) if len(level) > 1), len(levels))
    return [[number for level in levels[:first] for number in level], *levels[first:]]


def places(needs: Mapping[int, frozenset[int]]) -> dict[int, tuple[float, float]]:
    """Place the chapters on a map, as fractions of its width and height."""
    table = rows(needs)
    return {
        number: ((k + 0.5) / len(row), (level + 0.5) / len(table))
        for level, row in enumerate(table)
        for k, number in enumerate(row)
    }


class Plan(SphinxDirective):
    """``{plan}``: the map, the table, and a button for each line ``NAME: 2 3 4`` of the content."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return everything as HTML; a script counts what is ticked."""
        book = Path(self.env.doc2path(self.env.docname)).parent
        paths = chapters(book)
        for path in (*paths, *(book / "slides").glob("*.md")):
            self.env.note_dependency(str(path))
        listed = [Chapter.read(path) for path in paths]
        numbers = {chapter.number for chapter in listed}
        needs = {chapter.number: chapter.needs & numbers for chapter in listed}
        text = template("plan.html.j2").render(
            chapters=listed,
            needs=needs,
            rows=len(rows(needs)),
            places=places(needs),
            edges=edges(needs),
            presets=[self._preset(line) for line in self.content if line.strip()],
        )
        return [nodes.raw("", text, format="html")]

    def _preset(self, line: str) -> tuple[str, str]:
        found = PRESET.fullmatch(line.strip())
        if not found:
            raise self.error(
                f"line is {line!r}; expected a name and chapters, such as 'Short: 2 3'"
            )
        return escape(found["name"]), found["chapters"]


class Lecture(SphinxDirective):
    """``{lecture}`` and lines ``NN: PART``: these parts of the decks, with slides and minutes."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Write a table as Markdown and let the page's own parser set it."""
        folder = Path(self.env.doc2path(self.env.docname)).parent
        lines, whole = ["| chapter | part | slides | minutes |", "|:--|:--|:--|--:|"], 0.0
        others = {path.name[:2] for path in left_out(folder)}
        for line in filter(None, map(str.strip, self.content)):
            if line[:2] in others:
                continue
            path, part, slides, minutes = self._part(folder, line)
            self.env.note_dependency(str(folder / "slides" / f"{path.stem}.md"))
            link = f"[{int(path.name[:2])}]({path.name})"
            lines.append(f"| {link} | {part} | {slides} | {minutes:g} |")
            whole += minutes
        lines.append(f"| | in all | | {whole:g} |")
        return self.parse_text_to_nodes("\n".join(lines))

    def _part(self, folder: Path, line: str) -> tuple[Path, str, str, float]:
        for path in chapters(folder):
            deck = Deck.read(folder / "slides" / f"{path.stem}.md")
            for part, slides, minutes in deck.plan:
                if line == f"{path.name[:2]}: {part}":
                    return path, part, slides, minutes
        raise self.error(f"line is {line!r}; expected a chapter and a part of its deck")


def _load(app, pagename, templatename, context, doctree) -> None:
    if "unf-plan" in context.get("body", ""):
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app) -> None:
    """Register the directives and the script."""
    app.add_directive("plan", Plan)
    app.add_directive("lecture", Lecture)
    app.connect("html-page-context", _load)
