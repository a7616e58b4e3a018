"""What says how to cite the book: its version, its date, and an entry for BibTeX."""

import datetime
from dataclasses import dataclass
from pathlib import Path

from press.build import settings
from press.slides import ROOT

SOURCE = ROOT / "CITATION.cff"


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
    """

    title: str
    version: str
    authors: list[str]
    date: datetime.date

    @classmethod
    def read(cls, path: Path = SOURCE) -> "Citation":
        """Read a file of the Citation File Format."""
        told = settings(path)
        authors = [_name(author) for author in told["authors"]]
        return cls(told["title"], str(told["version"]), authors, told["date-released"])

    @property
    def day(self) -> str:
        """The date in words."""
        return f"{self.date:%B} {self.date.day}, {self.date.year}"

    @property
    def sentence(self) -> str:
        """The book as a list of references names it."""
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
