"""Search that knows the book's own names: equations, figures, exercises and claims.

Sphinx looks a query up in two lists: the words of all pages, and the names of objects. `Names` adds
the book's objects to the second list. `Words` changes how text and queries are split into words, so
that a query finds a number, a Greek letter, a name or a compound in any spelling. The index also
gets the excerpts for the page of results: how each section begins, and where the book introduces
each term of the glossary.
"""

from __future__ import annotations

import json
import re
import textwrap
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from sphinx.domains import Domain, ObjType
from sphinx.search import SearchEnglish
from sphinx_exercise.nodes import exercise_subtitle

from press.claims import CLAIMS
from press.equations import numbered
from press.gallery import GALLERY, shown
from press.glossary import read, sections
from press.internals import exercises, read_index, write_index

SCRIPT = "search.js"
PAGE = "search"
GREEK = dict(
    re.findall(
        "(.)([a-z]+)",
        "αalpha βbeta γgamma δdelta εepsilon ζzeta ηeta θtheta ιiota κkappa λlambda μmu "
        "νnu ξxi οomicron πpi ρrho ςsigma σsigma τtau υupsilon φphi χchi ψpsi ωomega "
        "ϵepsilon ϑtheta ϕphi ϱrho ϖpi",
    )
)
_TEX = re.compile(rf"\\(?:var)?({'|'.join(sorted(set(GREEK.values())))})(?![a-z])", re.I)
_SIGN = re.compile(f"[{''.join(GREEK)}]", re.I)
NUMBER = r"(?<![\d.])[1-9]\d?\.[1-9]\d?(?!\.?\d)"
"""A number such as an equation's. All decimals together would swell the index by a quarter."""
_WORD = re.compile(rf"{NUMBER}|\w+")
_COMPOUND = re.compile(r"\b[^\W\d_]{2,}(?:[-\u2010\u2011\u2013][^\W\d_]{2,})+\b")
# Letters that Unicode doesn't take apart into a letter and an accent.
_PLAIN = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ß": "ss"})
_ACCENT = re.compile("[\u0300-\u036f]")
EXCERPT = 170  # characters
# Split a query as `Words.split` splits the text.
SPLITTER = """
var GREEK = %s;
var PLAIN = %s;
var splitQuery = (query) =>
  (query
    .normalize("NFD")
    .replace(/[\\u0300-\\u036f]/g, "")
    .replace(/[łŁøØđĐß]/g, (letter) => PLAIN[letter])
    .replace(/\\\\/g, " ")
    .replace(/[\\u0370-\\u03ff]/g, (sign) => ` ${GREEK[sign.toLowerCase()] ?? sign} `)
    .match(/%s|[\\p{Letter}\\p{Number}_]+/gu) ?? []
  ).map((word) => word.replace(/^eq(n|ns|s|uations)?$/i, "equation"));
"""


def plain(text: str) -> str:
    """Return a text without accents: the letters of Huszár are found as those of Huszar."""
    return _ACCENT.sub("", unicodedata.normalize("NFD", text)).translate(_PLAIN)


class Words(SearchEnglish):
    """English, with numbers such as 10.8 kept whole, Greek letters named, and compounds marked.

    A compound is indexed as its parts and as a whole with its hyphen. The script on the search page
    finds the other spellings with it.
    """

    js_splitter_code = SPLITTER % (
        json.dumps(GREEK, ensure_ascii=False),
        json.dumps({chr(letter): other for letter, other in _PLAIN.items()}, ensure_ascii=False),
        NUMBER,
    )

    def split(self, input: str) -> list[str]:
        """Split text into the words that go into the index."""
        text = _TEX.sub(r" \1 ", plain(input))
        text = _SIGN.sub(lambda sign: f" {GREEK[sign[0].lower()]} ", text)
        whole = [re.sub(r"[^\w]", "-", found) for found in _COMPOUND.findall(text)]
        return _WORD.findall(text) + whole


class Names(Domain):
    """The objects of the book that a reader may look for by name."""

    name = "unfolded"
    label = "Unfolded"
    object_types: ClassVar = {
        "equation-G": ObjType("from Goodfellow et al."),
        "equation-C": ObjType("from Chiang"),
        "exercise": ObjType("exercise"),
        "figure": ObjType("figure"),
        "claim": ObjType("claim"),
    }

    def get_type_name(self, type: ObjType, primary: bool = False) -> str:
        """Return the label of an object in the list of results."""
        return type.lname

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Give each object: name, text to show, type, document, anchor, priority."""
        for number, (docname, tag) in numbered(self.env).items():
            label, source = f"eq-{number}", f"equation-{tag[0]}"
            anchor = nodes.make_id(f"equation-{label}")
            yield label, f"Equation ({tag})", source, docname, anchor, 0
        for docname, label, number, node in exercises(self.env):
            title = node.next_node(exercise_subtitle)
            name = f"Exercise {number}: {title.astext() if title else label}"
            yield number, name, "exercise", docname, label, 0
        if GALLERY in self.env.found_docs:
            for name, found in shown(self.env).items():
                yield name, name, "figure", f"{GALLERY}/{name}", "main-content", 0
                for place in found:
                    if place.cell:
                        yield name, name, "figure", place.docname, place.cell, 0
        for docname in self.env.found_docs:
            folder, _, slug = docname.rpartition("/")
            if folder == CLAIMS:
                yield slug, slug, "claim", docname, "main-content", 0

    def merge_domaindata(self, docnames, otherdata) -> None:
        """Do nothing: the names are read from other domains."""


def beginnings(document: nodes.document) -> list[tuple[str, str]]:
    """Return the anchor of each section, and how its first paragraph of plain words begins.

    Boxes are left out: a solution is one. Some contain a section, but it has no title.
    """
    found: dict[str, str] = {}
    for paragraph in document.findall(nodes.paragraph):
        parent = paragraph.parent
        plain_text = (it.astext() for it in paragraph.findall(nodes.Text) if not _is_raw(it.parent))
        text = " ".join("".join(plain_text).split())
        if not isinstance(parent, nodes.section) or not isinstance(parent[0], nodes.title):
            continue
        if parent["ids"][0] in found:
            continue
        if _is_raw(paragraph[0]) and paragraph[0].astext().startswith("<small"):
            continue  # the line that names a section's sources
        if len(text) > 40 and not any(paragraph.findall(nodes.math)):
            found[parent["ids"][0]] = textwrap.shorten(text, EXCERPT, placeholder=" …")
    return [*found.items()]


def _is_raw(node: nodes.Node) -> bool:
    return isinstance(node, nodes.raw)


def terms(book: Path, docnames: list[str]) -> list[tuple[list[str], int, str, str, str]]:
    """Return each term's names, its place (document, anchor, heading), and its meaning.

    Parameters
    ----------
    book : Path
        The folder with the glossary and the chapters.
    docnames : list of str
        The documents of the index.
    """
    where = sections(book)
    chapters = {name.removeprefix("book/")[:2]: number for number, name in enumerate(docnames)}
    return [
        (
            [entry["term"], *entry.get("also", ())],
            chapters[where[entry["section"]][0]],
            nodes.make_id(entry["section"]),
            re.sub(r"[*`$\\]", "", where[entry["section"]][1]),
            entry["meaning"],
        )
        for entry in read(book)
    ]


def completed(index: str, metadata: dict, book: Path) -> str:
    """Add sections and terms to the search index, and remove blanks and words without a page.

    Parameters
    ----------
    index : str
        The script ``searchindex.js``.
    metadata : dict
        The environment's metadata of each document, including the `beginnings`.
    book : Path
        The folder with the glossary.
    """
    known = read_index(index)
    for table in ("terms", "titleterms"):
        known[table] = {word: pages for word, pages in known[table].items() if pages != []}
    docnames = known["docnames"]
    known["beginnings"] = [metadata.get(name, {}).get("beginnings", []) for name in docnames]
    known["glossary"] = terms(book, docnames)
    return write_index(known)


def _complete(app, exception) -> None:
    path = Path(app.outdir, "searchindex.js")
    if exception is None and path.is_file():
        book = Path(app.srcdir, "book")
        path.write_text(completed(path.read_text("utf-8"), app.env.metadata, book), "utf-8")


def _note_beginnings(app, doctree) -> None:
    app.env.metadata[app.env.docname]["beginnings"] = beginnings(doctree)


def _join_letters(app, doctree, docname) -> None:
    """Join pieces of text: each accented letter of a bibliography in TeX is a separate piece."""
    for element in list(doctree.findall(nodes.TextElement)):
        joined: list[nodes.Node] = []
        for child in element.children:
            if joined and isinstance(child, nodes.Text) and isinstance(joined[-1], nodes.Text):
                joined[-1] = nodes.Text(joined[-1] + child)
            else:
                joined.append(child)
        if len(joined) < len(element.children):
            element.clear()
            element += joined


def _add_script(app, pagename, templatename, context, doctree) -> None:
    if pagename == PAGE:
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app) -> None:
    """Register how words are split, the book's names, and the script of the search page."""
    app.add_search_language(Words)
    app.add_domain(Names)
    app.connect("html-page-context", _add_script)
    app.connect("doctree-read", _note_beginnings)
    app.connect("doctree-resolved", _join_letters)
    app.connect("build-finished", _complete)
