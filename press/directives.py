"""The directives of the book, except the equation index.

``{source}`` unfolds a function of the package in place, ``{explorable}`` sets a living figure in a
Markdown page, ``{misprints}`` lists the entries of ``misprints.yml``.
"""

from __future__ import annotations

import importlib
import inspect
import json
from functools import cache
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from press.edition import settings
from press.equations import REWRITE
from press.fresh import CODE, note_mark
from press.renderers import figure_node

ROOT = Path(__file__).parents[1]


class details(nodes.General, nodes.Element):
    """A part of the page that unfolds; ``summary`` is its title, as HTML."""


def visit_details(translator, node: details) -> None:
    """Open the part."""
    translator.body.append(translator.starttag(node, "details", CLASS="unf-source"))
    translator.body.append(f"<summary>{node['summary']}</summary>")


def depart_details(translator, node: details) -> None:
    """Close the part."""
    translator.body.append("</details>\n")


def find_object(name: str):
    """Import the object of a dotted name inside the package.

    Parameters
    ----------
    name : str
        Such as ``"rnn_helpers.reference.rnn.rnn_forward"``.

    Raises
    ------
    ValueError
        If there is no such thing.
    """
    module, _, attribute = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        raise ValueError(f"name is {name!r}; expected a function or class of rnn_helpers") from None


class Source(SphinxDirective):
    """``{source}`` and dotted names, as argument or one per line: the source, folded, highlighted.

    JupyterLab shows names on lines unchanged; there ``name??`` shows the same source.
    """

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Give one folded part per name."""
        names = " ".join([*self.arguments, *self.content]).split()
        if not names:
            raise self.error("no name is given; expected a function or class of rnn_helpers")
        return [self._unfolded(name) for name in names]

    def _unfolded(self, name: str) -> details:
        try:
            function = find_object(name)
        except ValueError as error:
            raise self.error(str(error)) from None
        path = Path(inspect.getsourcefile(function))
        self.env.note_dependency(str(path))
        text = inspect.getsource(function).rstrip()
        part = details(
            summary=f"Read <code>{function.__name__}</code>"
            f" <span>{path.relative_to(ROOT).as_posix()}</span>"
        )
        part += nodes.literal_block(text, text, language="python")
        return part


class Explorable(SphinxDirective):
    """``{explorable} unfold`` with the state as YAML: a living figure in a Markdown page."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Give the same markup that ``explore.show`` gives in a notebook."""
        from rnn_helpers.explore import show

        note_mark(self.env, CODE)
        state = yaml.safe_load("\n".join(self.content)) or {}
        try:
            figure = show(self.arguments[0], **state)
        except (TypeError, ValueError) as error:
            raise self.error(str(error)) from None
        return [figure_node(self.env, figure.payload)]


class Misprints(SphinxDirective):
    """``{misprints} misprints`` or ``notes``: one section for each entry of ``misprints.yml``.

    Entries whose severity is ``note`` are notes; all others are misprints.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the sections, grouped by source in the order of the file."""
        wanted = self.arguments[0]
        if wanted not in ("misprints", "notes"):
            raise self.error(f"argument is {wanted!r}; expected misprints or notes")
        path = Path(self.env.doc2path(self.env.docname)).with_name("misprints.yml")
        self.env.note_dependency(str(path))
        self.env.metadata[self.env.docname][REWRITE] = True
        sections: dict[str, nodes.section] = {}
        for entry in _read(path, path.stat().st_mtime_ns):
            if (entry["severity"] == "note") != (wanted == "notes"):
                continue
            source = entry["source"]
            if source not in sections:
                sections[source] = self._section(source, nodes.make_id(f"{wanted} {source}"))
            sections[source] += self._entry(entry)
        return list(sections.values())

    def _section(self, title: str, name: str) -> nodes.section:
        section = nodes.section("", *self._title(title), ids=[name], names=[name])
        self.state.document.note_explicit_target(section, section)
        return section

    def _title(self, text: str) -> list[nodes.Node]:
        inline, messages = self.parse_inline(text)
        return [nodes.title(text, "", *inline), *messages]

    def _entry(self, entry: dict) -> nodes.section:
        section = self._section(entry["title"], entry["slug"])
        section["classes"] += ["misprint-entry", f"severity-{entry['severity']}"]
        note = entry["severity"] == "note"
        place, _ = self.parse_inline(
            entry["place"] if note else f"{entry['place']} · {entry['severity']}"
        )
        section += nodes.paragraph("", "", *place, classes=["misprint-place"])
        pair = nodes.container(classes=["misprint-pair"])
        for field, label in (
            ("printed", "In the text we worked from"),
            ("correct", "What can be added today" if note else "Read instead"),
        ):
            pair += nodes.container(
                "",
                nodes.paragraph(text=label, classes=["misprint-label"]),
                *self.parse_text_to_nodes(entry[field]),
                classes=[f"misprint-{field}"],
            )
        section += pair
        section += self.parse_text_to_nodes(entry["why"])
        section += link_to_cell(self.env, "Shown in", entry["chapter"], {entry["cell"]})
        return section


@cache
def _read(path: Path, changed: int) -> list:
    """Read a file that every page asks for; once, until it has changed."""
    return settings(path)


class Notation(SphinxDirective):
    """``{notation} table``, ``blocks`` or ``collisions``: the tables of `reference.notation`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the data as Markdown and let the page's own parser set it."""
        from rnn_helpers.reference import notation

        self.env.note_dependency(inspect.getsourcefile(notation))
        if self.arguments[0] == "table":
            lines = _table(("what", "this book", "Chiang", "PyTorch", "shape"), notation.NOTATION)
        elif self.arguments[0] == "blocks":
            rows = [
                (cell, *block[:2], ", ".join(f"`{M}{block.part}`" for M in "UWb"))
                for cell, blocks in notation.BLOCKS.items()
                for block in blocks
            ]
            lines = _table(("unit", "PyTorch", "this book", "parameters here"), rows)
        elif self.arguments[0] == "collisions":
            lines = [
                f"{letter}\n: {'; '.join(meanings)}.\n" for letter, meanings in notation.COLLISIONS
            ]
        else:
            raise self.error(
                f"argument is {self.arguments[0]!r}; expected table, blocks or collisions"
            )
        return self.parse_text_to_nodes("\n".join(lines))


def _table(heads, rows) -> list[str]:
    """Write rows of Markdown as the lines of a table."""
    return [f"| {' | '.join(row)} |" for row in (heads, (":--",) * len(heads), *rows)]


def link_to_cell(env, words: str, chapter: str, ids=frozenset(), code=None) -> list:
    """Link to a cell of a chapter, by its id or by its code; to nothing while it is absent.

    Parameters
    ----------
    env : sphinx.environment.BuildEnvironment
        Knows which chapters there are.
    words : str
        The words before the chapter's title.
    chapter : str
        Two digits.
    ids : set of str
        The cell's id.
    code : re.Pattern
        Code that the cell contains. A cell that the page leaves out doesn't count.

    Returns
    -------
    list of nodes.paragraph
        One, or none if the chapter or the cell does not exist.
    """
    for docname in sorted(env.found_docs):
        path = Path(env.doc2path(docname))
        if path.suffix != ".ipynb" or not path.name.startswith(chapter):
            continue
        env.note_dependency(str(path))
        cells = json.loads(path.read_text("utf-8"))["cells"]
        title = "".join(cells[0]["source"]).splitlines()[0].lstrip("# ")
        for cell in cells:
            shown = code and "remove-cell" not in cell["metadata"].get("tags", ())
            if cell["id"] in ids or (shown and code.search("".join(cell["source"]))):
                page = env.app.builder.get_relative_uri(env.docname, docname)
                uri = f"{page}#{cell['id']}"
                link = nodes.reference("", title, refuri=uri, internal=True)
                return [nodes.paragraph("", f"{words} ", link, nodes.Text("."))]
    return []


def setup(app) -> None:
    """Register the directives."""
    app.add_node(details, html=(visit_details, depart_details))
    app.add_directive("source", Source)
    app.add_directive("explorable", Explorable)
    app.add_directive("misprints", Misprints)
    app.add_directive("notation", Notation)
