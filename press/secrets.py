"""Remove solutions from the site's pages, and notes from the decks.

The rest of a page stays the same byte for byte. The search index forgets the words that occur only
in the removed parts, and pages offer the student's copies of their sources for download.
"""

import html
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

from press.internals import read_index, write_index
from press.search import Words

SECRET = {"solution", "notes", "for-speaker"}  # classes of the elements that are removed
SCRIPT = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
IDS = re.compile(r"\sid=\"([^\"]+)\"")


class _Finder(HTMLParser):
    """Record the start and the end of each secret element."""

    def __init__(self, page: str):
        super().__init__(convert_charrefs=False)
        self.page, self.spans, self.tag = page, [], ""
        self.lines = [0, *(found.end() for found in re.finditer("\n", page))]
        self.feed(page)
        self.close()

    def here(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag, attrs):
        if self.tag:
            self.depth += tag == self.tag
        elif SECRET & set((dict(attrs).get("class") or "").split()):
            self.tag, self.depth, self.begin = tag, 1, self.here()

    def handle_endtag(self, tag):
        if self.tag != tag:
            return
        self.depth -= 1
        if not self.depth:
            self.spans.append((self.begin, self.page.index(">", self.here()) + 1))
            self.tag = ""


def take_out(page: str) -> tuple[str, str]:
    """Take a page's secrets out of it.

    Parameters
    ----------
    page
        HTML.

    Returns
    -------
    tuple of str
        The page without them, and they.

    Raises
    ------
    ValueError
        If a secret element is never closed.
    """
    found = _Finder(page)
    if found.tag:
        raise ValueError(f"a <{found.tag}> is never closed: {page[found.begin :][:60]!r}")
    kept, taken, end = [], [], 0
    for begin, after in found.spans:
        kept.append(page[end:begin])
        taken.append(page[begin:after])
        end = after
    return "".join([*kept, page[end:]]), "".join(taken)


def words(page: str) -> set[str]:
    """Give the words of a page as the search index writes them."""
    language = Words({})
    # A word may go through several elements (code), and two elements may touch (a table).
    page = SCRIPT.sub("", page)
    text = html.unescape(" ".join(re.sub(r"<[^>]*>", gap, page) for gap in ("", " ")))
    plain = {word.lower() for word in language.split(text)}
    return plain | {language.stem(word) for word in plain}


def forget(index: str, kept: Mapping[str, str], taken: Mapping[str, str]) -> str:
    """Remove the words from the search index that occur only in the secrets.

    Parameters
    ----------
    index
        The script ``searchindex.js`` of a site.
    kept, taken
        Results of `take_out`, by the name of the document.

    Returns
    -------
    str
        The script.

    Raises
    ------
    ValueError
        If this is not the script that Sphinx writes.
    """
    known = read_index(index)
    gone = {name: words(taken[name]) - words(kept[name]) for name in taken}
    names = known["docnames"]

    def remains(word: str, document: int) -> bool:
        return word not in gone.get(names[document], ())

    for table in ("terms", "titleterms"):
        known[table] = {
            word: left[0] if len(left) == 1 else left
            for word, places in known[table].items()
            if (left := [n for n in _listed(places) if remains(word, n)])
        }
    ids = {name: set(IDS.findall(taken[name])) - set(IDS.findall(kept[name])) for name in taken}
    known["alltitles"] = {
        title: left
        for title, places in known["alltitles"].items()
        if (left := [[n, at] for n, at in places if at not in ids.get(names[n], ())])
    }
    return write_index(known)


def _listed(places: int | list[int]) -> list[int]:
    return places if isinstance(places, list) else [places]


def for_students(pages: Mapping[str, Path], notebooks: Mapping[str, Path]) -> dict:
    """Give a site without its secrets.

    Parameters
    ----------
    pages
        The files of the site, by their address in it.
    notebooks
        The student's copies, by file name.

    Returns
    -------
    dict of str to Path or bytes
        The students' files by address; notebooks without a student's copy are left out.
    """
    files: dict[str, Path | bytes] = {}
    kept, taken = {}, {}
    for address, path in pages.items():
        if path.suffix == ".ipynb":
            if path.name in notebooks:
                files[address] = notebooks[path.name]
        elif path.suffix == ".html":
            name = address.removesuffix(".html")
            kept[name], taken[name] = take_out(path.read_text("utf-8"))
            files[address] = kept[name].encode()
        else:
            files[address] = path
    # Downloads that only a solution offers are removed with it.
    offered = "".join(kept.values())
    files = {
        address: file
        for address, file in files.items()
        if not address.startswith("_downloads/") or address in offered
    }
    if "searchindex.js" in pages:
        index = pages["searchindex.js"].read_text("utf-8")
        files["searchindex.js"] = forget(index, kept, taken).encode()
    return files
