"""The root of the site: a copy of the first page, and the page for an address that doesn't exist.

Sphinx writes the first page to the folder of its source. A host shows ``index.html`` at the root.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from press.policy import MISSING, built_pages

SCRIPT = re.compile(r"(<script\b[^>]*>|</script>)")
ADDRESS = re.compile(r'(\s(?:href|src|action|data-embed|data-content_root)=")([^"]+)(?=")')
BODY = """<section id="page-not-found">
<h1>There is no such page</h1>
<p>The address may have a typing error, or the page has moved. You can start again at
<a href="{first}">the first page</a>, or <a href="search.html">search the book</a>.</p>
</section>"""


def addresses(page: str, change: Callable[[str], str]) -> str:
    """Change the addresses on a page that name a place in the site.

    Parameters
    ----------
    page
        HTML.
    change
        Returns the new address for an old one. Both are relative to the page and escaped as HTML.
    """

    def changed(found: re.Match) -> str:
        parts = urlsplit(found[2])
        inside = parts.path and not parts.scheme and not parts.netloc
        return found[1] + (change(found[2]) if inside else found[2])

    parts = SCRIPT.split(page)  # text, tag, script, tag, text …
    return "".join(
        part if place % 4 == 2 else ADDRESS.sub(changed, part) for place, part in enumerate(parts)
    )


def moved_up(page: str, folder: str) -> str:
    """Return a page for the root of the site that was made for a folder.

    Parameters
    ----------
    page
        HTML.
    folder
        The folder, relative to the root.
    """

    def change(address: str) -> str:
        parts = urlsplit(address)
        path = posixpath.normpath(posixpath.join(folder, parts.path))
        return parts._replace(path=path + "/" * parts.path.endswith("/")).geturl()

    return addresses(page, change)


def _missing(app) -> Iterator[tuple[str, dict, str]]:
    first = app.builder.get_target_uri(app.config.root_doc)
    context = {"title": "Page not found", "body": BODY.format(first=first)}
    yield MISSING.removesuffix(".html"), context, "page.html"


def _tidy(app, exception) -> None:
    """Remove pages that the book no longer has, then write the first page to the root."""
    if exception is not None or app.builder.format != "html":
        return
    pages = built_pages(app)
    for folder in {page.parent for page in pages}:
        for path in {*folder.glob("*.html")} - {*pages}:
            path.unlink()
    first = app.builder.get_target_uri(app.config.root_doc)
    folder = posixpath.dirname(first)
    if folder:
        page = Path(app.outdir, first).read_text("utf-8")
        Path(app.outdir, "index.html").write_text(moved_up(page, folder), "utf-8")


def setup(app) -> None:
    """Register both pages."""
    app.connect("html-collect-pages", _missing)
    app.connect("build-finished", _tidy, priority=950)  # the first page is finished at 900
