"""The book on paper: ``python -m press.pdf``, after the book and the decks.

Writes ``dist/pdf``: the whole book in one file, a handout without answers for each chapter, and the
slides of each deck. Chromium prints the book from one page that has no scripts, so its figures are
stills. That page is in ``_build/print``.

The book is printed twice: Chromium can't count the pages to a heading, so the second print has the
numbers of pages that were found in the first.
"""

import argparse
import json
import os
import posixpath
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pypdfium2
from bs4 import BeautifulSoup, Tag
from markupsafe import Markup
from pypdfium2 import raw

from press import EARLY, browser, render
from press.citation import Citation
from press.classroom import DIST, site_files
from press.edition import settings, table_of_contents
from press.publish import CONFIG
from press.slides import BOOK, DECKS, ROOT, SITE
from press.whole import replacing
from rnn_helpers.commands import run_program

PAPER = ROOT / "_build/print"
ON_SCREEN = {"about", "gallery", "instructors"}  # pages that would say little on paper
# Parts of pages that work only on a screen. The style sheets hide most of them on paper, but links
# in them would remain.
UNPRINTED = (
    ".headerlink, .unf-run, .unf-write, .unf-progress, .unf-map, .unf-lab-note, .claim-filters, "
    "details.hide.above-input, script, .fig-answer.is-printed"
)
ANSWER_BOX = 'figure[data-module="answer"]'
GUESSED = ".unfolded-fallback details"  # the answer to a prediction, which stands on its head
CLAIMS = "claims"
WHOLE = "unfolded.pdf"
NUMBER = re.compile(r'(<span data-page="([^"]+)">)\w*')
PRINTS = 4  # in which the numbers of pages must become stable
PATIENCE = 10_000  # milliseconds of a deck's own clock for its scripts


@dataclass
class Page:
    """A page of the site that is to be printed.

    Parameters
    ----------
    name : str
        Its file's, without a suffix.
    article : Tag
        Its text.
    styles : list of str
        The addresses of its style sheets, relative to `PAPER`.
    """

    name: str
    article: Tag
    styles: list[str]

    @property
    def heading(self) -> Tag:
        """Its title."""
        return self.article.h1

    @property
    def anchor(self) -> str:
        """The id of its first section."""
        return self.article.section["id"]


def read(path: Path, folder: Path = PAPER) -> Page:
    """Read a page of the site, without what works only on a screen.

    Parameters
    ----------
    path
        The page.
    folder
        Where it will be printed from.
    """
    soup = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    place = Path(os.path.relpath(path.parent, folder)).as_posix()

    def moved(address: str) -> str:
        parts = urlsplit(address)
        inside = parts.path and not parts.scheme
        return posixpath.normpath(posixpath.join(place, parts.path)) if inside else address

    article = soup.select_one("article.bd-article")
    for part in article.select(UNPRINTED):
        part.decompose()
    for tag in article.select("[src]"):
        tag["src"] = moved(tag["src"])
    for folded in article.select(".claims-ledger > details"):
        folded["open"] = ""  # links lead to its lines
    for image in article.select("[loading]"):
        del image["loading"]  # or those on later sheets would be missing
    styles = [moved(link["href"]) for link in soup.select('link[rel="stylesheet"]')]
    return Page(path.stem, article, styles)


def anchors(page: Page) -> dict[tuple[str, str], str]:
    """Make the ids of a page its own, so that pages can be joined.

    An empty element has no place on paper, so its id names the element around it.

    Returns
    -------
    dict
        The new ids by the page's name and the old id. The id "" is the page itself.
    """
    around = {}
    for mark in page.article.select("span[id]:empty"):
        parent = mark.parent
        around[mark["id"]] = parent.attrs.setdefault("id", mark["id"])
        mark.decompose()
    new = {}
    for tag in page.article.select("[id]"):
        new[tag["id"]] = tag["id"] = f"{page.name}-{tag['id']}"
    for label in page.article.select("[for]"):
        label["for"] = new.get(label["for"], label["for"])
    new |= {old: new[parent] for old, parent in around.items()}
    new[""] = page.anchor
    return {(page.name, old): anchor for old, anchor in new.items()}


def connect(page: Page, known: Mapping[tuple[str, str], str], base: str = "") -> None:
    """Let the links of a page lead to places in print, or else to the site.

    A link that leads to neither becomes text.

    Parameters
    ----------
    page
        A page whose ids are its own.
    known
        The results of `anchors` of all printed pages.
    base
        The address of the site; there may be none.
    """
    for link in page.article.select("a[href]"):
        address = urljoin(f"book/{page.name}.html", link["href"])
        parts = urlsplit(address)
        if parts.scheme:
            continue
        folder, file = posixpath.split(parts.path)
        name = file.removesuffix(".html")
        # A claim's own page isn't printed; its line in the ledger is.
        place = (CLAIMS, name) if folder == "book/claims" else (name, parts.fragment)
        if place in known:
            link["href"] = f"#{known[place]}"
        elif base:
            link["href"] = urljoin(base, address)
        else:
            link.unwrap()


def gather(page: Page) -> Tag | None:
    """Take the solutions out of a chapter, and link each exercise with its own.

    Returns
    -------
    Tag or None
        A section of the chapter's solutions, if it has any.
    """
    new = BeautifulSoup("", "html.parser").new_tag
    section = new("section")
    section.append(title := new("h2"))
    title.extend(_copied(page.heading))
    for exercise in _with_solutions(page):
        solutions = exercise.find_all(class_="solution")
        heading = exercise.find(["h2", "h3", "h4"])
        anchor = f"{exercise['id']}-solution"
        pointer = _linked(new, "Solution", anchor)
        pointer["class"] = "unf-see"
        solutions[0].insert_before(pointer)
        solved = new("section", id=anchor)
        solved.append(named := new("h3"))
        named.extend(_copied(heading))
        solved.append(back := _linked(new, "Exercise", exercise["id"]))
        back["class"] = "unf-see"
        for solution in solutions:
            solution.find(class_="admonition-title").decompose()
            solution["class"] = "unf-solved"
            solved.append(solution.extract())
        section.append(solved)
    return section if section.section else None


def _with_solutions(page: Page) -> list[Tag]:
    """List the sections of a page that have a solution, in order."""
    sections = [solution.find_parent("section") for solution in page.article.select(".solution")]
    return list({id(section): section for section in sections}.values())


def _linked(new, word: str, anchor: str) -> Tag:
    """Write a line that leads to a place, with the number of its page."""
    line = new("p")
    line.append(link := new("a", href=f"#{anchor}"))
    line.append(", page ")
    line.append(new("span", attrs={"data-page": anchor}))
    link.string = word
    return line


def _copied(heading: Tag) -> list:
    """Copy the content of a heading."""
    return [*BeautifulSoup(heading.decode_contents(), "html.parser").contents]


def without_answers(page: Page) -> None:
    """Remove the answers from a page: solutions, and those of predictions."""
    for answer in page.article.select(f".solution, {GUESSED}"):
        answer.decompose()


def contents(parts: Mapping[str, list[Page]]) -> list[dict]:
    """List the titles of pages and of their sections.

    Sections with a title that several pages share, such as “Exercises”, are left out.

    Parameters
    ----------
    parts
        Pages by the title of their part.
    """
    headings = {
        id(page): page.article.select("section > h2") for pages in parts.values() for page in pages
    }
    count = Counter(heading.get_text() for each in headings.values() for heading in each)

    def entry(heading: Tag) -> dict:
        return {"title": Markup(heading.decode_contents()), "anchor": heading.parent["id"]}

    return [
        {
            "title": caption,
            "pages": [
                entry(page.heading)
                | {
                    "sections": [
                        entry(heading)
                        for heading in headings[id(page)]
                        if count[heading.get_text()] == 1 and page.name[:2].isdigit()
                    ]
                }
                for page in pages
            ],
        }
        for caption, pages in parts.items()
    ]


def join(pages: list[Page], title: str, **told) -> str:
    """Write pages as one page to print.

    Parameters
    ----------
    pages
        In order; their ids are their own.
    title
        The title of the PDF.
    **told
        For the template: ``contents``, ``solutions``, ``citation``.
    """
    styles = {style: None for page in pages for style in page.styles}  # ordered, each once
    shown = [
        {
            "name": page.name,
            "running": Markup(json.dumps(page.heading.get_text(), ensure_ascii=False)),
            "html": Markup(page.article.decode_contents()),
        }
        for page in pages
    ]
    early = Markup(EARLY)
    told = {"contents": [], "solutions": [], "citation": None} | told
    template = render.template("paper.html.j2")
    return template.render(title=title, pages=shown, styles=[*styles], early=early, **told)


def numbered(html: str, numbers: Mapping[str, int]) -> str:
    """Write the numbers of pages where a page names their places."""
    return NUMBER.sub(lambda found: f"{found[1]}{numbers.get(found[2], '000')}", html)


def places(pdf: Path, anchors: Iterable[str]) -> dict[str, int]:
    """Return the numbers of the pages on which places are.

    Parameters
    ----------
    pdf
        Made by Chromium, which names the targets of its links.
    anchors
        Their names.

    Raises
    ------
    ValueError
        If a place isn't in the PDF.
    """
    found = {}
    with pypdfium2.PdfDocument(pdf) as document:
        for anchor in anchors:
            place = raw.FPDF_GetNamedDestByName(document, anchor.encode())
            if not place:
                raise ValueError(f"nothing on {pdf.name} has the id {anchor!r}")
            found[anchor] = 1 + raw.FPDFDest_GetDestPageIndex(document, place)
    return found


def print_page(html: str, target: Path, folder: Path = PAPER) -> Path:
    """Print a page, with the numbers of pages that it asks for.

    Parameters
    ----------
    html
        The page.
    target
        The PDF.
    folder
        Where the page is printed from.

    Raises
    ------
    ValueError
        If a place isn't in the PDF, or the numbers don't become stable.
    """
    page = folder / f"{target.stem}.html"
    asked = {anchor for _, anchor in NUMBER.findall(html)}
    numbers: dict[str, int] = {}
    with replacing(target) as part:
        for _ in range(PRINTS):
            with replacing(page) as written:
                written.write_text(numbered(html, numbers), "utf-8")
            browser.print_pdf(page, part)
            found = places(part, asked)
            if found == numbers:
                return target
            numbers = found
        raise ValueError(f"the numbers of the pages of {target.name} don't become stable")


def parts(site: Path = SITE, root: Path = ROOT) -> dict[str, list[Path]]:
    """List the edition's pages to print, by the title of their part."""
    listed = {}
    for part in table_of_contents(root)["parts"]:
        files = [site / f"{entry['file']}.html" for entry in part["chapters"]]
        listed[part["caption"]] = [path for path in files if path.stem not in ON_SCREEN]
    return listed


def whole(listed: Mapping[str, list[Path]], base: str = "", solutions: bool = True) -> str:
    """Write the whole book as one page to print.

    Parameters
    ----------
    listed
        Its pages, by the title of their part.
    base
        The address of the site; there may be none.
    solutions
        Whether the solutions are at the end. Without them, it has no answers at all.
    """
    read_in = {caption: [read(path) for path in paths] for caption, paths in listed.items()}
    pages = [page for part in read_in.values() for page in part]
    for page in pages:
        for box in page.article.select(ANSWER_BOX):
            box.decompose()  # only the site can judge what is written there
        if not solutions:
            without_answers(page)
    known = {}
    for page in pages:
        known |= anchors(page)
    for page in pages:
        connect(page, known, base)
    listing = contents(read_in)
    solved = [Markup(section) for section in map(gather, pages) if section]
    citation = Citation.read()
    return join(pages, citation.title, contents=listing, solutions=solved, citation=citation)


def handout(path: Path, base: str = "") -> str:
    """Write a chapter without answers as a page to print."""
    page = read(path)
    without_answers(page)
    connect(page, anchors(page), base)
    return join([page], page.heading.get_text())


def print_deck(deck: Path, target: Path) -> Path:
    """Print the slides of a deck, each on a page of its own."""
    with replacing(target) as part:
        wait = f"--virtual-time-budget={PATIENCE}"
        browser.print_pdf(deck, part, wait, query="?print-pdf")
    return target


def report(path: Path) -> None:
    """Print the size of a PDF."""
    with pypdfium2.PdfDocument(path) as document:
        print(f"{path}: {len(document)} pages, {path.stat().st_size / 1e6:.1f} MB", flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Print the book, a handout for each chapter, and the slides of each deck."""
    parser = argparse.ArgumentParser(prog="python -m press.pdf", description=main.__doc__)
    parser.add_argument(
        "--chapter",
        default="",
        help="print only the handout and the slides of a chapter, such as 04",
    )
    parser.add_argument(
        "--no-solutions", action="store_true", help="print the book without solutions"
    )
    options = parser.parse_args(arguments)
    if not browser.find():
        sys.exit(f"error: no Chromium to print with; looked for {', '.join(browser.NAMES)}")
    folder = DIST / "pdf"
    base = (settings(CONFIG).get("html", {}).get("baseurl") or "").rstrip("/")
    base = base and base + "/"
    try:
        site_files(SITE, BOOK)
        listed = parts()
        chapters = [
            path
            for part in listed.values()
            for path in part
            if path.name[:2].isdigit() and path.name.startswith(options.chapter)
        ]
        if not chapters:
            raise ValueError(f"--chapter is {options.chapter!r}; expected one such as 04")
        if not options.chapter:
            report(print_page(whole(listed, base, not options.no_solutions), folder / WHOLE))
        for path in chapters:
            report(print_page(handout(path, base), folder / path.with_suffix(".pdf").name))
            deck = SITE / DECKS / path.name
            if deck.exists():
                report(print_deck(deck, folder / "slides" / path.with_suffix(".pdf").name))
    except (FileNotFoundError, ValueError) as error:
        sys.exit(f"error: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: Chromium could not print:\n{error.stderr}")


if __name__ == "__main__":
    run_program(main)
