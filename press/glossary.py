"""The glossary: a page made from one file of terms, and links to it from the chapters.

``{glossary-entries}`` sets the entries of ``glossary.yml`` as Sphinx's own glossary. At build time,
each chapter's first use of a term becomes a link to its entry, so notebooks need no markup for it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import nbformat
import yaml
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from press.equations import REWRITE
from press.generated import full_stop
from press.left_out import places
from press.sources import SECTION

PAGE = "book/glossary"
CHAPTER = re.compile(r"book/(\d\d)_\w+")
ASIDE = nodes.Admonition, nodes.container, nodes.figure, nodes.table, nodes.footnote
"""Parts outside the running text; an exercise is an admonition, and a cell is a container."""
_WORDS = r"[\s\u2010\u2011-]+"


def names(entry: Mapping) -> list[str]:
    """Return every name of an entry, the term first."""
    return [entry["term"], *entry.get("also", ()), *entry.get("elsewhere", ())]


def linked_names(entry: Mapping) -> list[str]:
    """Return the names whose first use in a chapter becomes a link."""
    return [entry["term"], *entry.get("also", ())] if entry.get("link", True) else []


def read(book: Path) -> list[dict]:
    """Read the edition's entries of ``glossary.yml``; a book without that file has none."""
    path = book / "glossary.yml"
    entries = yaml.safe_load(path.read_text("utf-8")) if path.is_file() else []
    missing = places(book)
    return [entry for entry in entries if entry["section"] not in missing]


def sections(book: Path) -> dict[str, tuple[str, str]]:
    """Return the chapter's two digits and the heading of each section, by the section's label."""
    return {
        section["label"]: (path.name[:2], section["heading"])
        for path in sorted(book.glob("[0-9][0-9]_*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        for section in SECTION.finditer(cell.source)
        if section["label"]
    }


class Finder:
    """Finds names of terms in running text, the longest first.

    Parameters
    ----------
    entries : collection of mapping
        As `read` returns them.
    """

    def __init__(self, entries: Collection[Mapping]) -> None:
        self.term = {name: entry["term"] for entry in entries for name in linked_names(entry)}
        found = sorted(self.term, key=len, reverse=True)
        self.names = dict(enumerate(found))
        each = "|".join(f"(?P<n{k}>{self._written(name)})" for k, name in self.names.items())
        self.pattern = re.compile(rf"(?<![\w-])(?:{each})(?![\w-])") if found else None

    @staticmethod
    def _written(name: str) -> str:
        """Allow plurals, hyphens for spaces, and, except for names with capitals, any case."""
        written = _WORDS.join(map(re.escape, re.split(r"[ -]", name)))
        plural = (
            rf"(?:{written[:-1]}ies|{written})" if written.endswith("y") else f"{written}(?:e?s)?"
        )
        return plural if re.search("[A-Z]", name) else f"(?i:{plural})"

    def __call__(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Return the start, the end and the term of each use of a name, in order."""
        for use in self.pattern.finditer(text) if self.pattern else ():
            yield use.start(), use.end(), self.term[self.names[int(use.lastgroup[1:])]]


def running_text(document: nodes.document, end: str) -> Iterator[tuple[nodes.Text, set[str]]]:
    """Return the pieces of a chapter's main text, with the labels of the sections they are in.

    Emphasized and bold words, links, code, formulas and raw HTML aren't included.

    Parameters
    ----------
    document : nodes.document
    end : str
        The label of the first section after the main text.
    """
    for paragraph in list(document.findall(nodes.paragraph)):
        above, node = [], paragraph.parent
        while node is not None:
            above.append(node)
            node = node.parent
        labels = {name for part in above for name in part.get("ids", ())}
        if end in labels:
            return
        if any(isinstance(part, ASIDE) for part in above):
            continue
        inside = 0  # elements that raw HTML has opened: a button, the line that names the sources
        for child in list(paragraph.children):
            if isinstance(child, nodes.raw):
                inside += -1 if child.astext().startswith("</") else 1
            elif isinstance(child, nodes.Text) and inside == 0:
                yield child, labels


def link_first_uses(
    document: nodes.document,
    entries: Collection[Mapping],
    addresses: Mapping[str, str],
    end: str,
) -> None:
    """Turn the first use of each term into a link, unless it is where the term is introduced.

    The link's title is the term's meaning, so that pointing at it is enough to read it. A screen
    reader reads the title as the link's description.

    Parameters
    ----------
    document : nodes.document
        A chapter.
    entries : collection of mapping
        As `read` returns them.
    addresses : mapping
        The address of each term's entry.
    end : str
        The label of the first section after the main text.
    """
    find = Finder([entry for entry in entries if entry["term"] in addresses])
    introduced = {entry["term"]: entry["section"] for entry in entries}
    meanings = {entry["term"]: entry["meaning"] for entry in entries}
    met: set[str] = set()
    for text, labels in running_text(document, end):
        met |= {term for term, label in introduced.items() if label in labels}
        whole, parts, done = text.astext(), [], 0
        for start, stop, term in find(whole):
            if term in met:
                continue
            met.add(term)
            look = {"internal": True, "reftitle": meanings[term], "classes": ["term"]}
            parts += [
                nodes.Text(whole[done:start]),
                nodes.reference("", whole[start:stop], refuri=addresses[term], **look),
            ]
            done = stop
        if parts:
            text.parent.replace(text, [*parts, nodes.Text(whole[done:])])


class LinkTerms(SphinxPostTransform):
    """Link the first use of each term in a chapter to the glossary."""

    default_priority = 30  # after links are resolved, so that none is inside another

    def run(self, **kwargs) -> None:
        """Link the terms of one page, if it is a chapter."""
        chapter = CHAPTER.fullmatch(self.env.docname)
        if not chapter or PAGE not in self.env.found_docs:
            return
        anchors = {
            name: anchor
            for name, _, kind, _, anchor, _ in self.env.get_domain("std").get_objects()
            if kind == "term"
        }
        entries = read(Path(self.env.srcdir, "book"))
        page = self.app.builder.get_relative_uri(self.env.docname, PAGE)
        addresses = {entry["term"]: f"{page}#{anchors[entry['term']]}" for entry in entries}
        link_first_uses(self.document, entries, addresses, f"sec-{chapter[1]}-exercises")


class Entries(SphinxDirective):
    """``{glossary-entries}``: every entry of ``glossary.yml``, with all its names."""

    def run(self) -> list[nodes.Node]:
        """Write the entries as Markdown, and let Sphinx's own directive set them."""
        book = Path(self.env.doc2path(self.env.docname)).parent
        self.env.metadata[self.env.docname][REWRITE] = True
        for path in (book / "glossary.yml", *sorted(book.glob("[0-9][0-9]_*.ipynb"))):
            self.env.note_dependency(str(path))
        where = sections(book)
        lines = ["```{glossary}"]
        for entry in read(book):
            chapter, heading = where[entry["section"]]
            link = f"[{heading}](#{entry['section']})"
            meaning = f"{entry['meaning']} Chapter {int(chapter)}: {link}{full_stop(heading)}"
            lines += [*names(entry), f"  {meaning}", ""]
        return self.parse_text_to_nodes("\n".join([*lines, "```"]))


def _depend(app, doctree) -> None:
    """Have Sphinx write a chapter again when the glossary changes."""
    path = Path(app.srcdir, "book/glossary.yml")
    if CHAPTER.fullmatch(app.env.docname) and path.is_file():
        app.env.note_dependency(str(path))


def setup(app) -> None:
    """Register the directive and the links."""
    app.add_directive("glossary-entries", Entries)
    app.add_post_transform(LinkTerms)
    app.connect("doctree-read", _depend)
