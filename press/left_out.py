"""References to chapters that the edition doesn't have: words that name the chapter, or a link.

One rule holds on pages, in notebooks and in decks. If ``complete_book`` in ``_config.yml`` is the
address of the complete book, the link leads there. Otherwise its words stay, and name the chapter.
"""

from __future__ import annotations

import posixpath
import re
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import nbformat
from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from press import edition
from press.claims import CLAIMS, chapter_of
from press.equations import find_numbers

LABEL = re.compile(r"^(?:\((\S+)\)=|:label: (\S+))$", re.M)
LINK = re.compile(r'<a\b[^>]*?\bhref="(?P<address>[^"#:]+)[^>]*>')
FILE = re.compile(r"(?:slides/|notebooks/)?(?P<chapter>\d\d_\w+)\.\w+")
CLAIM = re.compile(r"claims/(?P<slug>[\w-]+)\.html")
END = "</a>"


class Place(NamedTuple):
    """A place in a chapter: the name of the chapter, the anchor, and whether it's an equation."""

    chapter: str
    anchor: str = ""
    is_equation: bool = False

    @property
    def address(self) -> str:
        """The address in the site of the complete book."""
        return f"book/{self.chapter}.html" + (f"#{self.anchor}" if self.anchor else "")

    def words(self, words: str) -> str:
        """Return the words of a link to this place, with the number of the chapter.

        If they contain that number, they stay as they are. The number of an equation is that of its
        source.
        """
        number = int(self.chapter[:2])
        if not self.is_equation and re.search(rf"(?<![\d.]){number}(?!\d)", words):
            return words
        return f"{words} (chapter {number} of the complete book)".lstrip()


def places(book: Path) -> dict[str, Place]:
    """Return the places that only the complete book has.

    Parameters
    ----------
    book : Path
        The folder of the chapters.

    Returns
    -------
    dict of str to Place
        By their labels; a whole chapter has the name of its notebook's file.
    """
    missing, present = (
        {label: place for path in paths for label, place in _labeled(path, path.stat().st_mtime_ns)}
        for paths in (edition.left_out(book), edition.chapters(book))
    )
    return {label: place for label, place in missing.items() if label not in present}


@cache
def _labeled(path: Path, changed: int) -> list[tuple[str, Place]]:
    """List the labels of a chapter: its name, those above its parts, and its equations'."""
    cells = nbformat.read(path, as_version=4).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    found = [(path.name, Place(path.stem))]
    for text in texts:
        for label in (above or option for above, option in LABEL.findall(text)):
            found.append((label, Place(path.stem, nodes.make_id(label))))
        for number in find_numbers(text):
            anchor = nodes.make_id(f"equation-eq-{number}")
            found.append((f"eq-{number}", Place(path.stem, anchor, is_equation=True)))
    return found


class NameChapters(SphinxPostTransform):
    """Replace a page's links to places that the edition doesn't have."""

    default_priority = 8  # before links are resolved

    def run(self, **kwargs) -> None:
        """Replace the links of Markdown, then those of HTML."""
        root = Path(self.env.srcdir)
        self.missing, self.complete = places(root / "book"), edition.complete_book(root)
        if not self.missing:
            return
        for link in list(self.document.findall(addnodes.pending_xref)):
            target = link["reftarget"]
            is_file = link.get("refdomain") == "doc"
            key = f"{posixpath.basename(target)}.ipynb" if is_file else target
            if place := self.missing.get(key):
                link.replace_self(self._named(link.children, place))
        for opening in list(self.document.findall(nodes.raw)):
            found = LINK.fullmatch(opening.astext())
            if found and (place := self._place(found["address"])):
                self._name(opening, found["address"], place)

    def _named(self, words: list[nodes.Node], place: Place) -> list[nodes.Node]:
        """Return the words of a link, as a link to the complete book or with their chapter."""
        if self.complete:
            return [nodes.reference("", "", *words, refuri=self.complete + place.address)]
        text = "".join(word.astext() for word in words)
        return [*words, nodes.Text(place.words(text).removeprefix(text))]

    def _place(self, address: str) -> Place | None:
        """Return what an address in HTML leads to, if the site doesn't have it."""
        if found := FILE.fullmatch(address):
            return self.missing.get(f"{found['chapter']}.ipynb")
        if (found := CLAIM.fullmatch(address)) and f"{CLAIMS}/{found['slug']}" not in (
            self.env.found_docs
        ):
            chapter = chapter_of(found["slug"])
            return next((it for it in self.missing.values() if it.chapter[:2] == chapter), None)
        return None

    def _name(self, opening: nodes.raw, address: str, place: Place) -> None:
        """Replace a link in HTML, which is a tag, words and another tag."""
        beside = opening.parent.children
        words = list(
            takewhile(lambda node: node.astext() != END, beside[beside.index(opening) + 1 :])
        )
        closing = beside[beside.index(opening) + len(words) + 1]
        if self.complete:
            there = self.complete + posixpath.join(posixpath.dirname(self.env.docname), address)
            html = opening.astext().replace(address, there, 1)
            opening.replace_self(nodes.raw("", html, format="html"))
        else:
            text = "".join(word.astext() for word in words)
            closing.replace_self(nodes.Text(place.words(text).removeprefix(text)))
            opening.parent.remove(opening)


def setup(app) -> None:
    """Register the rule, and have all pages read again when other chapters are left out."""
    app.add_post_transform(NameChapters)
    app.add_config_value("complete_book", "", "env")
    app.add_config_value("chapters_left_out", [], "env")
    app.connect("config-inited", _note_edition)


def _note_edition(app, config) -> None:
    root = Path(app.srcdir)
    config.complete_book = edition.complete_book(root)
    config.chapters_left_out = [path.stem for path in edition.left_out(root / "book")]
