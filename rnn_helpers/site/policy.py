"""What every page of the site must hold: nothing from elsewhere, nothing doubled, landmarks named.

The theme and its extensions write inline scripts and handlers that a strict
Content-Security-Policy would block. After a build each page is read once, its inline code is
hashed, and a policy that allows that code and no other becomes the first element of its head.
"""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

from .internals import page_file, script_attributes

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-hashes' {hashes}; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'"
)
# Besides the policy: Dark Reader would put the dark labels of a plot on a dark page. Every page has
# a dark theme of its own.
META = '<meta http-equiv="Content-Security-Policy" content="{policy}"><meta name="darkreader-lock">'
# The theme stops where a browser refuses storage. What it keeps then lasts as long as the page.
STORAGE = """for (const name of ["localStorage", "sessionStorage"])
  try {
    window[name].setItem("probe", "");
    window[name].removeItem("probe");
  } catch {
    const kept = new Map();
    Object.defineProperty(window, name, { value: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => kept.set(key, String(value)),
      removeItem: (key) => kept.delete(key),
    } });
  }
"""
MISSING = "404.html"  # the page that a host shows at an address that does not exist
# Where the markup of theme and docutils is at fault: a region without a name, roles that are gone,
# icons that a screen reader would read as letters, a light page before a script makes it dark.
MENDED = {
    '<div id="pst-primary-sidebar"': '<div id="pst-primary-sidebar" role="navigation"'
    ' aria-label="Site"',
    '<div role="list" class="citation-list">': '<div class="citation-list">',
    ' role="doc-biblioentry"': "",
    # Filled by search.js, which announces how many results there are.
    '<div id="search-results">': '<p id="search-status" class="search-summary" role="status"></p>'
    '<div id="search-results">',
    # Said before, in other spellings; and what a search service would read, which the book hasn't.
    '<meta name="viewport" content="width=device-width, initial-scale=1" />': "",
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n': "",
    '<meta name="docsearch:language" content="en"/>\n': "",
    '<meta name="docsearch:version" content="" />\n': "",
    '<i class="fa': '<i aria-hidden="true" class="fa',
    '<span class="fa': '<span aria-hidden="true" class="fa',
    "document.documentElement.dataset.mode =": f"{STORAGE}document.documentElement.dataset.mode =",
    'localStorage.getItem("theme") || "auto"': 'localStorage.getItem("theme") || '
    '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")',
}
# Scripts that the theme loads on every page: all icons there are (`icons` keeps the few), the index
# of the whole book, which only the page of results uses, one for tabs, and one for folded notes,
# which has a sheet and settings too.
_ICONS = r"scripts/fontawesome\.js"
_SEARCH = r"searchtools\.js|language_data\.js|searchindex\.js|sphinx_highlight\.js"
_TABS = r"design-tabs\.js"
RESULTS, TABS = 'id="search-results"', "sd-tab-set"
_FOLDS = re.compile(
    r"\s*<(script|link)\b[^>]*(?:togglebutton\.|>(?:let|var) toggle)[^>]*>(?:</\1>)?"
)
FOLDED = re.compile(
    r'class="(?:[^"]*\bdropdown\b[^"]*\badmonition|[^"]*\badmonition\b[^"]*\bdropdown|toggle)\b'
)
# Where white space says something; everywhere else a line may begin where it likes. And what nobody
# sees or hears: comments, a place for advertisements, what names the namespace of a formula or a
# drawing, which in HTML it has by itself, the kind of a TeX, and a class for what `left_to_right`
# gives.
# Text between tags, but not where a tag may not stand; and numbers below zero in it.
_TEXT = re.compile(r"<(head|script|style|svg|math|pre|code|textarea|option)\b.*?</\1>|>[^<]+", re.S)
_NEGATIVE = re.compile(r"(?<![\w.,)\u2212-])[\u2212-]\d+(?:[.,]\d+)*")
_CODE = re.compile(r"<(pre|code)(?=[ >])(?! dir=)")
_AS_IT_IS = re.compile(
    r"(<(?:pre|script|style|textarea)\b.*?</(?:pre|script|style|textarea)>)", re.S
)
_UNSEEN = re.compile(
    r'<!--.*?-->|<div id="ethical-ad-placement"[^>]*>\s*</div>'
    r'|(?<=[\w-]) notranslate(?=")'
    r'| xmlns="http://www.w3.org/(?:1998/Math/MathML|2000/svg)"| encoding="application/x-tex"',
    re.S,
)


class InlineCode(HTMLParser):
    """Collects the inline scripts and event handlers of a page (in ``found``)."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list) -> None:
        """Note a handler; note that a script begins."""
        self.found += [value for name, value in attrs if name.startswith("on") and value]
        names = dict(attrs)
        kind = names.get("type") or "text/javascript"
        self._inside = tag == "script" and "src" not in names and "javascript" in kind

    def handle_data(self, data: str) -> None:
        """Note the body of a script."""
        if self._inside:
            self.found.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Note that a script ends."""
        self._inside = False


def content_security_policy(page: str) -> str:
    """Give the policy that allows exactly the inline code of a page.

    Parameters
    ----------
    page : str
        The page's HTML.

    Returns
    -------
    str
        The value of a ``Content-Security-Policy``; scripts, images and fonts may come from the
        site itself, and nothing from anywhere else.
    """
    collector = InlineCode()
    collector.feed(page)
    digests = {hashlib.sha256(code.encode()).digest() for code in collector.found}
    hashes = sorted(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return POLICY.format(hashes=" ".join(hashes))


def finish_page(page: str) -> str:
    """Mend a page, leave out what it does not need, and give it its policy.

    A finished page stays as it is.
    """
    if 'http-equiv="Content-Security-Policy"' in page:
        return page
    for old, new in MENDED.items():
        page = page.replace(old, new)
    page = re.sub(r"<title>(.+) &#8212; \1</title>", r"<title>\1</title>", page)  # the first page's
    wanted = {_ICONS: False, _SEARCH: RESULTS in page, _TABS: TABS in page}
    unused = "|".join(script for script, needed in wanted.items() if not needed)
    page = re.sub(rf'\s*<script[^>]* src="[^"]*(?:{unused})[^"]*"></script>', "", page)
    if not FOLDED.search(page):
        page = _FOLDS.sub("", page)
    page = left_to_right(_shortened(page))
    meta = META.format(policy=content_security_policy(page))
    return re.sub(r"<head>", lambda head: f"{head[0]}\n    {meta}", page, count=1)


def left_to_right(page: str) -> str:
    """Keep code and numbers as they are in a translation, or in text from right to left.

    There a browser would set the sign of a number below zero after it.
    """

    def keep_signs(found: re.Match) -> str:
        if found[1]:
            return found[0]
        return _NEGATIVE.sub(r'<span dir="ltr" translate="no">\g<0></span>', found[0])

    return _CODE.sub(r'<\1 dir="ltr" translate="no"', _TEXT.sub(keep_signs, page))


def _shortened(page: str) -> str:
    """Leave out what makes a page longer and is neither seen nor heard."""
    parts = _AS_IT_IS.split(page)  # at even places, what may be shortened
    parts[::2] = [re.sub(r"\s*\n\s*", "\n", _UNSEEN.sub("", part)) for part in parts[::2]]
    return "".join(parts)


def _keep_scripts_once(app, pagename, templatename, context, doctree) -> None:
    """Drop widget state (the static page has no live widget) and inline scripts said twice."""
    seen = set()
    kept = []
    for script in context.get("script_files", []):
        attributes = script_attributes(script)
        body = attributes.get("body")
        if attributes.get("type") == WIDGET_STATE or (body and body in seen):
            continue
        seen.add(body)
        kept.append(script)
    context["script_files"] = kept


def built_pages(app) -> list[Path]:
    """List the files of the pages, of the search, and of the page for a missing address."""
    names = [*app.env.found_docs, "search", MISSING.removesuffix(".html")]
    return [page_file(app.builder, name) for name in names]


def _finish(app, exception) -> None:
    if exception is not None or app.builder.format != "html":
        return
    for path in built_pages(app):
        page = path.read_text("utf-8")
        finished = finish_page(page)
        if finished != page:
            path.write_text(finished, "utf-8")


def setup(app) -> None:
    """Register the pass over scripts and the pass over finished pages."""
    app.connect("html-page-context", _keep_scripts_once, priority=900)
    app.connect("build-finished", _finish, priority=900)
