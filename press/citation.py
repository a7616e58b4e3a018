"""How to cite the book: its version and date at the foot of each page, and an entry for BibTeX."""

import datetime
from dataclasses import dataclass
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from press.edition import settings
from press.slides import ROOT

SOURCE = ROOT / "CITATION.cff"
# The foot of each page links to these pages, if the book has them.
LINKED = {"book/about": "Cite and reuse", "book/accessibility": "Accessibility"}


@dataclass(frozen=True)
class Citation:
    """The facts of ``CITATION.cff``.

    Parameters
    ----------
    title, version : str
        As they are cited.
    authors : list of str
        Their names.
    date : date
        When the version was released.
    email : str
        The address for reports; there may be none.
    """

    title: str
    version: str
    authors: list[str]
    date: datetime.date
    email: str = ""

    @classmethod
    def read(cls, path: Path = SOURCE) -> "Citation":
        """Read a file of the Citation File Format."""
        told = settings(path)
        authors = [_name(author) for author in told["authors"]]
        email = next((one["email"] for one in told.get("contact", []) if "email" in one), "")
        return cls(told["title"], str(told["version"]), authors, told["date-released"], email)

    @property
    def name(self) -> str:
        """The title up to its colon."""
        return self.title.partition(":")[0]

    @property
    def day(self) -> str:
        """The date in words."""
        return f"{self.date:%B} {self.date.day}, {self.date.year}"

    @property
    def sentence(self) -> str:
        """The entry for a list of references."""
        return f"{', '.join(self.authors)}: {self.title}. Version {self.version}, {self.date.year}."

    def bibtex(self, address: str = "") -> str:
        """Return an entry for BibTeX.

        Parameters
        ----------
        address
            The site's; without one, the entry has none.
        """
        fields = {
            "author": " and ".join(f"{{{name}}}" for name in self.authors),
            "title": f"{{{self.title}}}",
            "year": str(self.date.year),
            "version": self.version,
            "url": address,
        }
        lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value]
        return f"@misc{{unfolded{self.date.year},\n{''.join(lines)}}}\n"


def _name(author: dict) -> str:
    """Return the name of a person or a group."""
    parts = (author.get("given-names"), author.get("family-names"), author.get("name"))
    return " ".join(part for part in parts if part)


class HowToCite(SphinxDirective):
    """``{how-to-cite}``: the book in a list of references, and its entry for BibTeX."""

    def run(self) -> list[nodes.Node]:
        """Return a sentence and a block to copy."""
        self.env.note_dependency(str(SOURCE))
        cited = Citation.read()
        entry = cited.bibtex(self.config.html_baseurl or "")
        return self.parse_text_to_nodes(f"> {cited.sentence}\n\n```bibtex\n{entry}```\n")


def _sign(app, pagename, templatename, context, doctree) -> None:
    """End each page with the version of the book, and the pages that say how to use it."""
    cited = Citation.read()
    links = [
        f'<a href="{context["pathto"](page)}">{words}</a>'
        for page, words in LINKED.items()
        if page in app.env.found_docs
    ]
    version = f"{escape(cited.name)} {escape(cited.version)}, {cited.day}"
    footer = context.get("theme_extra_footer") or ""
    context["theme_extra_footer"] = f"{footer}<p>{' · '.join([version, *links])}</p>"


def setup(app) -> None:
    """Register the directive and the line at the foot of each page."""
    app.add_directive("how-to-cite", HowToCite)
    app.connect("html-page-context", _sign)
