"""The site for a static host: ``python -m press.publish``, after the book and the decks.

Writes ``dist/site``: the built site with everything that depends on its address. Each page gets
its canonical address, a description and tags for previews of links. The addresses of the files that
it loads change with their contents, so that browsers may keep these files.
"""

import argparse
import hashlib
import html
import posixpath
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urljoin, urlsplit

from bs4 import BeautifulSoup
from PIL import Image

from press import browser, edition, secrets
from press.classroom import DIST, named, site_files
from press.downloads import FOLDER
from press.edition import chapters, settings
from press.gallery import EMBED, figure_of, figures, included
from press.places import places
from press.policy import MISSING
from press.root import addresses
from press.slides import BOOK, DECKS, PICTURES, ROOT, SITE
from press.whole import replacing
from rnn_helpers.commands import run_program
from rnn_helpers.explore.states import picture_file
from rnn_helpers.palette import colour

CONFIG = ROOT / "_config.yml"
OWN = "extra"
PREVIEWS = ROOT / "_build/previews"
COVER = "unfold"  # the figure in the previews of pages that show none
SIZE = (1200, 630)  # pixels of a preview, as most services expect
INKS = 256  # colors of a preview
SHEET = 20  # previews in one screenshot, because Chromium limits its height
PAPER = f"""<!doctype html>
<style>
body {{ margin: 0; background: {colour("paper")}; }}
img {{ display: block; box-sizing: border-box; width: 1200px; height: 630px; padding: 32px; }}
img {{ object-fit: contain; }}
</style>
"""
ADDRESS = re.compile(r"""https?://[^\s/@?#"'`<>\\]+(/[^\s?#"'`<>\\]*)?""")
LOADED = {".css", ".gif", ".js", ".png", ".svg", ".webp"}
NAMED_BY_CONTENT = re.compile(r"/[0-9a-f]{16}\.\w+$")
LENGTH = 300  # characters of a description
TITLE = re.compile(r"<title>(.*?)</title>", re.S)
DESCRIPTION = re.compile(r'<meta content="([^"]*)" name="description" ?/?>')
CANONICAL = re.compile(r'<link rel="canonical"[^>]*>\s*')  # which Sphinx writes
QUESTION = re.compile(
    r'<dt><a [^>]*href="(\d\d_\w+)\.html"[^>]*>.*?</dt>\s*<dd>\s*<p>(.*?)</p>', re.S
)
PARAGRAPH = re.compile(r'bd-article.*?</h1>.*?<p(?: class="finding")?>(.*?)</p>', re.S)
ROBOTS = "User-agent: *\nAllow: /\n\nSitemap: {}\n"
SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{}
</urlset>
"""


def site_address(given: str = "", config: Path = CONFIG) -> str:
    """Return the address of the site, with a slash at its end.

    Parameters
    ----------
    given
        The address, if not the one in the settings.
    config
        The settings, whose ``html.baseurl`` is the address.

    Raises
    ------
    ValueError
        If there is no address, or it's not one of a site.
    """
    base = given or settings(config).get("html", {}).get("baseurl") or ""
    if not ADDRESS.fullmatch(base):
        raise ValueError(
            f"the site's address is {base!r}; expected https://…, as BASEURL=… or as html.baseurl "
            "in _config.yml, without a name and password, blanks, quotes, “?” and “#”"
        )
    return base.rstrip("/") + "/"


def text(fragment: str) -> str:
    """Return the beginning of the words of some HTML, as long as a description may be."""
    soup = BeautifulSoup(fragment, "html.parser")
    for repeated in soup.select(".katex-html, annotation"):  # each formula occurs three times
        repeated.decompose()
    return shortened(soup.get_text())


def shortened(words: str) -> str:
    """Return the beginning of a text, as long as a description may be."""
    return textwrap.shorten(words, LENGTH, placeholder=" …")


def previews(names: Iterable[str], folder: Path = PREVIEWS) -> dict[str, Path]:
    """Draw the pictures for previews of links to figures, unless they exist already.

    Parameters
    ----------
    names
        Figures.
    folder
        The pictures' folder; the name of each depends on its content.

    Returns
    -------
    dict of str to Path
        The files by figure; empty if there is no browser to draw them.
    """
    if not browser.find():
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name in names:
        look = PAPER.encode() + picture_file(name).read_bytes()
        found[name] = folder / f"{hashlib.sha256(look).hexdigest()[:16]}.png"
    wanted = [name for name, path in found.items() if not path.exists()]
    for first in range(0, len(wanted), SHEET):
        several = wanted[first : first + SHEET]
        for name, image in zip(several, _drawn(map(picture_file, several)), strict=True):
            image.quantize(INKS).save(found[name], "PNG", optimize=True)
    return found


def _drawn(pictures: Iterable[Path]) -> list[Image.Image]:
    """Draw pictures below one another in one screenshot, because a browser starts slowly."""
    images = [f'<img src="{path.as_uri()}">' for path in pictures]
    width, height = SIZE
    with TemporaryDirectory() as made:
        page, shot = Path(made, "page.html"), Path(made, "shot.png")
        page.write_text("\n".join([PAPER, *images]), "utf-8")
        size = f"--window-size={width},{height * len(images)}"
        browser.browse(page, f"--screenshot={shot}", size)
        sheet = Image.open(shot).convert("RGB")
    return [sheet.crop((0, k * height, width, (k + 1) * height)) for k in range(len(images))]


def is_listed(address: str) -> bool:
    """Return whether search engines should list a page. They needn't list tools and embeds."""
    return address not in ("search.html", MISSING) and not address.startswith(f"{EMBED}/")


class Site:
    """The files of a site, and the descriptions of its pages.

    Parameters
    ----------
    files : mapping
        The files by their addresses in the site: a file to read, or bytes.
    base : str
        Its address.
    title : str
        Its title.
    pictures : mapping
        The preview of each figure; there may be none.
    book : Path
        The folder of the chapters.
    """

    def __init__(
        self, files: Mapping, base: str, title: str, pictures: Mapping[str, Path], book: Path = BOOK
    ):
        self.files, self.base, self.title, self.pictures = dict(files), base, title, pictures
        self.questions = {
            name: text(words) for name, words in QUESTION.findall(self.read("book/index.html"))
        }
        shown = places({path.stem: path for path in chapters(book)})
        # For each chapter, the first of its figures; a dict keeps the last of equal keys.
        self.figures = {
            place.docname: figure
            for figure in reversed(shown)
            if figure in figures()
            for place in shown[figure]
        }
        self.versions: dict[str, str] = {}

    def read(self, address: str) -> str:
        """Return the text of a file."""
        return self.content(address).decode()

    def content(self, address: str) -> bytes:
        """Return the content of a file."""
        file = self.files[address]
        return file if isinstance(file, bytes) else file.read_bytes()

    def canonical(self, address: str) -> str:
        """Return the one address that search engines should list for a page."""
        first = address in ("index.html", "book/index.html")
        return self.base if first else urljoin(self.base, address)

    def tags(self, address: str, page: str) -> str:
        """Write the tags of a page for search engines and for previews of links to it."""
        if not is_listed(address):
            return "" if 'name="robots"' in page else '<meta name="robots" content="noindex">\n'
        docname = address.removesuffix(".html")
        description = self.described(address, page)
        figure = figure_of(docname) or self.figures.get(posixpath.basename(docname), COVER)
        properties = {
            "og:type": "website",
            "og:site_name": self.title,
            "og:title": self.titled(page),
            "og:description": description,
            "og:url": self.canonical(address),
        }
        if figure in self.pictures:
            properties |= {
                "og:image": urljoin(self.base, f"{PICTURES}/{self.pictures[figure].name}"),
                "og:image:width": SIZE[0],
                "og:image:height": SIZE[1],
                "og:image:alt": figures()[figure]["alt"],
            }
        names = {"twitter:card": "summary_large_image" if self.pictures else "summary"}
        if not DESCRIPTION.search(page):
            names["description"] = description
        pairs = [("property", *item) for item in properties.items()]
        pairs += [("name", *item) for item in names.items()]
        tags = [f'<link rel="canonical" href="{html.escape(self.canonical(address))}">']
        for kind, name, value in pairs:
            tags.append(f'<meta {kind}="{name}" content="{html.escape(str(value))}">')
        return "\n".join([*tags, ""])

    def titled(self, page: str) -> str:
        """Return the title of a page, without the title of the site."""
        title = html.unescape(TITLE.search(page)[1]).strip()
        return re.sub(rf" [—·] {re.escape(self.title)}$", "", title)

    def described(self, address: str, page: str) -> str:
        """Describe a page: by its own tag, a figure's story, a question or its first paragraph."""
        docname = address.removesuffix(".html")
        folder, name = posixpath.split(docname)
        if own := DESCRIPTION.search(page):
            return html.unescape(own[1])
        if figure := figure_of(docname):
            return shortened(figures()[figure]["story"])
        if name in self.questions:
            return ("Slides: " if folder == DECKS else "") + self.questions[name]
        first = PARAGRAPH.search(page)
        return text(first[1]) if first else self.titled(page)

    def version(self, page: str, address: str) -> str:
        """Return an address on a page with a version that changes with the content of the file.

        Sphinx's versions don't, because the build shortens style sheets after Sphinx named them.
        """
        parts = urlsplit(address)
        file = posixpath.normpath(posixpath.join(posixpath.dirname(page), parts.path))
        if (
            posixpath.splitext(file)[1] not in LOADED
            or NAMED_BY_CONTENT.search(file)
            or file not in self.files
        ):
            return address
        if file not in self.versions:
            self.versions[file] = hashlib.sha256(self.content(file)).hexdigest()[:8]
        return parts._replace(query=f"v={self.versions[file]}").geturl()

    def page(self, address: str) -> str:
        """Return a page as it is published."""
        page = CANONICAL.sub("", self.read(address))
        page = TITLE.sub(lambda title: self.tags(address, page) + title[0], page, count=1)
        page = addresses(page, lambda link: self.version(address, link))
        if address == MISSING:  # a host shows it at any address
            page = addresses(page, lambda link: urljoin(urlsplit(self.base).path, link))
        return page

    def published(self) -> dict[str, bytes | Path]:
        """Return all files, by their addresses in the site."""
        pages = [address for address in self.files if address.endswith(".html")]
        listed = sorted({self.canonical(address) for address in pages if is_listed(address)})
        urls = "\n".join(f"<url><loc>{html.escape(url)}</loc></url>" for url in listed)
        return {
            **self.files,
            **{f"{PICTURES}/{path.name}": path for path in self.pictures.values()},
            **{address: self.page(address).encode() for address in pages},
            ".nojekyll": b"",  # GitHub would leave out the folders that begin with _
            "robots.txt": ROBOTS.format(urljoin(self.base, "sitemap.xml")).encode(),
            "sitemap.xml": SITEMAP.format(urls).encode(),
        }


def publish(
    base: str,
    site: Path = SITE,
    book: Path = BOOK,
    target: Path = DIST / "site",
    solutions: bool = True,
) -> Path:
    """Write the folder that a static host serves.

    Parameters
    ----------
    base
        The address of the site.
    site
        The built site, with its decks.
    book
        The chapters and decks, and in the folder `OWN` the publisher's own files.
    target
        The folder. The new one takes its place when it is complete.
    solutions
        Whether pages keep their solutions, and decks their notes.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    FileNotFoundError
        If the site or a deck is not built.
    ValueError
        If the folder is a link or has a repository of its own, or if an own file has the address
        of a file of the site.
    """
    if target.is_symlink() or (target / ".git").exists():
        raise ValueError(
            f"{target} is a link or a checkout of its own, and it would be deleted. Remove it, or "
            "copy the published site elsewhere"
        )
    files = named(site_files(site, book))
    if not solutions:
        copies = {path.name: path for path in (site / "book" / FOLDER).glob("*.ipynb")}
        files = secrets.for_students(files, copies)
    whole = Site(files, base, edition.title(ROOT), previews(included(book)), book)
    published = whole.published() | own_files(book, files)
    with replacing(target) as part:
        for address, file in published.items():
            path = part / address
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file) if isinstance(file, bytes) else shutil.copyfile(file, path)
    return target


def own_files(book: Path, files: Mapping[str, Path | bytes]) -> dict[str, Path]:
    """List the publisher's own files for the root of the site, such as ``CNAME``.

    Parameters
    ----------
    book
        The folder of the chapters; the files are in its folder `OWN`.
    files
        The files of the site, by their addresses.

    Returns
    -------
    dict of str to Path
        The files by their addresses in the site.

    Raises
    ------
    ValueError
        If one of them has the address of a file of the site.
    """
    folder = book / OWN
    own = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    if taken := [address for address in own if address in files]:
        raise ValueError(f"{folder / taken[0]} would replace a file of the site")
    return own


def main(arguments: list[str] | None = None) -> None:
    """Write the folder that a static host serves, and print its size."""
    parser = argparse.ArgumentParser(prog="python -m press.publish", description=main.__doc__)
    parser.add_argument("--baseurl", default="", help="the address, if not that in _config.yml")
    parser.add_argument(
        "--no-solutions", action="store_true", help="leave out solutions and speaker notes"
    )
    parser.add_argument("--address", action="store_true", help="only check and print the address")
    options = parser.parse_args(arguments)
    try:
        base = site_address(options.baseurl)
        if options.address:
            print(f"The site's address is {base}")
            return
        folder = publish(base, solutions=not options.no_solutions)
    except (FileNotFoundError, ValueError) as error:
        sys.exit(f"error: {error}")
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    print(f"{folder}: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB, to be served as {base}")


if __name__ == "__main__":
    run_program(main)
