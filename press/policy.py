"""Finish each page of the site: correct its markup, remove unused scripts and add a policy.

The theme and its extensions write inline scripts and handlers that a strict
Content-Security-Policy would block. After a build, we read each page once and hash its inline
code. A policy that allows only this code becomes the first element of the page's head.
"""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

from press.internals import page_file, script_attributes

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-hashes' {hashes}; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'"
)
# The second tag turns off Dark Reader, which would put the dark labels of a plot on a dark page.
# Every page already has a dark theme.
META = '<meta http-equiv="Content-Security-Policy" content="{policy}"><meta name="darkreader-lock">'
# The theme's scripts fail if the browser blocks storage. These replacements last until the page
# is closed.
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
MISSING = "404.html"  # a host shows this page for an address that does not exist
# Corrections to the markup of the theme and of docutils: an unnamed region, deprecated roles, icons
# that a screen reader would read as letters, and a page that is light until a script makes it dark.
MENDED = {
    '<div id="pst-primary-sidebar"': '<div id="pst-primary-sidebar" role="navigation"'
    ' aria-label="Site"',
    '<div role="list" class="citation-list">': '<div class="citation-list">',
    ' role="doc-biblioentry"': "",
    # search.js fills this element and announces the number of results.
    '<div id="search-results">': '<p id="search-status" class="search-summary" role="status"></p>'
    '<div id="search-results">',
    # Duplicates of other tags, and settings for a search service that the book doesn't use.
    '<meta name="viewport" content="width=device-width, initial-scale=1" />': "",
    '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n': "",
    '<meta name="docsearch:language" content="en"/>\n': "",
    '<meta name="docsearch:version" content="" />\n': "",
    # Names that hide the words on the control.
    'search-button-field search-button__button pst-js-only" title="Search" aria-label="Search"': (
        'search-button-field search-button__button pst-js-only"'
    ),
    '<summary aria-label="Toggle hidden content">': "<summary>",
    '<i class="fa': '<i aria-hidden="true" class="fa',
    '<span class="fa': '<span aria-hidden="true" class="fa',
    "document.documentElement.dataset.mode =": f"{STORAGE}document.documentElement.dataset.mode =",
    'localStorage.getItem("theme") || "auto"': 'localStorage.getItem("theme") || '
    '(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")',
}
# Scripts that the theme loads on every page: the full set of icons (`icons` keeps the few that the
# book uses), the search index, which only the page of results needs, a script for tabs, and one for
# folded notes, which comes with a style sheet and settings.
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
# Text between tags, except in elements that can't contain a tag, and the negative numbers in it.
_TEXT = re.compile(r"<(head|script|style|svg|math|pre|code|textarea|option)\b.*?</\1>|>[^<]+", re.S)
_NEGATIVE = re.compile(r"(?<![\w.,)\u2212-])[\u2212-]\d+(?:[.,]\d+)*")
_CODE = re.compile(r"<(pre|code)(?=[ >])(?! dir=)")
# White space matters in these elements. Elsewhere it can be shortened.
_AS_IT_IS = re.compile(
    r"(<(?:pre|script|style|textarea)\b.*?</(?:pre|script|style|textarea)>)", re.S
)
# Markup without any effect on readers: comments, a place for advertisements, namespaces that HTML
# implies, the encoding of TeX annotations, and a class that `left_to_right` makes redundant.
_UNSEEN = re.compile(
    r'<!--.*?-->|<div id="ethical-ad-placement"[^>]*>\s*</div>'
    r'|(?<=[\w-]) notranslate(?=")'
    r'| xmlns="http://www.w3.org/(?:1998/Math/MathML|2000/svg)"| encoding="application/x-tex"',
    re.S,
)


class InlineCode(HTMLParser):
    """Collect the inline scripts and event handlers of a page in ``found``."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list) -> None:
        """Store event handlers, and remember whether an inline script starts."""
        self.found += [value for name, value in attrs if name.startswith("on") and value]
        names = dict(attrs)
        kind = names.get("type") or "text/javascript"
        self._inside = tag == "script" and "src" not in names and "javascript" in kind

    def handle_data(self, data: str) -> None:
        """Store the body of an inline script."""
        if self._inside:
            self.found.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Remember that the script has ended."""
        self._inside = False


def content_security_policy(page: str) -> str:
    """Return the policy that allows exactly the inline code of a page.

    Parameters
    ----------
    page : str
        The page's HTML.

    Returns
    -------
    str
        The value of a ``Content-Security-Policy``. The page can load scripts, images and fonts
        only from the site itself.
    """
    collector = InlineCode()
    collector.feed(page)
    digests = {hashlib.sha256(code.encode()).digest() for code in collector.found}
    hashes = sorted(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return POLICY.format(hashes=" ".join(hashes))


def finish_page(page: str) -> str:
    """Correct a page's markup, remove unused scripts, and add its policy.

    A finished page is returned unchanged.
    """
    if 'http-equiv="Content-Security-Policy"' in page:
        return page
    for old, new in MENDED.items():
        page = page.replace(old, new)
    # The title of the first page contains the name of the book twice.
    page = re.sub(r"<title>(.+) &#8212; \1</title>", r"<title>\1</title>", page)
    wanted = {_ICONS: False, _SEARCH: RESULTS in page, _TABS: TABS in page}
    unused = "|".join(script for script, needed in wanted.items() if not needed)
    page = re.sub(rf'\s*<script[^>]* src="[^"]*(?:{unused})[^"]*"></script>', "", page)
    if not FOLDED.search(page):
        page = _FOLDS.sub("", page)
    page = unbroken(left_to_right(_shortened(page)))
    meta = META.format(policy=content_security_policy(page))
    return re.sub(r"<head>", lambda head: f"{head[0]}\n    {meta}", page, count=1)


def left_to_right(page: str) -> str:
    """Protect code and negative numbers from translation and from right-to-left layout.

    In right-to-left text, a browser would put a minus sign after its number.
    """

    def keep_signs(found: re.Match) -> str:
        if found[1]:
            return found[0]
        return _NEGATIVE.sub(r'<span dir="ltr" translate="no">\g<0></span>', found[0])

    return _CODE.sub(r'<\1 dir="ltr" translate="no"', _TEXT.sub(keep_signs, page))


def unbroken(page: str) -> str:
    """Keep a number and its percent sign on one line, and the parts of "5-gram".

    A separate sign may follow a formula, which is a number too.
    """

    def bind(found: re.Match) -> str:
        if found[1]:
            return found[0]
        text = re.sub(r"(?<=[\d>]) %", "\u00a0%", found[0])
        return re.sub(r"\b(?:\d|n)-grams?\b", r'<span class="unf-bound">\g<0></span>', text)

    return _TEXT.sub(bind, page)


def _shortened(page: str) -> str:
    """Remove white space and markup that have no effect on readers."""
    parts = _AS_IT_IS.split(page)  # the parts at even indices can be shortened
    parts[::2] = [re.sub(r"\s*\n\s*", "\n", _UNSEEN.sub("", part)) for part in parts[::2]]
    return "".join(parts)


def _keep_scripts_once(app, pagename, templatename, context, doctree) -> None:
    """Drop repeated inline scripts, and widget state, since a static page has no live widgets."""
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
    """List the files of all pages, including search and the page for missing addresses."""
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
    """Register the functions that filter scripts and finish pages."""
    app.connect("html-page-context", _keep_scripts_once, priority=900)
    app.connect("build-finished", _finish, priority=900)
