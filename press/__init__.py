"""The Sphinx extension that turns chapters into pages, and the tools that publish the book."""

import json
import re
from pathlib import Path

from docutils import nodes

STATIC = Path(__file__).parent / "static"
# A browser loads a face when it lays out text. That would be too late for the first frame.
EARLY = """for (const style of ["", "italic "])
  document.fonts.load(`${style}1em "Unfolded Serif", "Unfolded Sans", "Unfolded Math"`);"""
PLAIN = re.compile(r'<span class="(?:[npw]|pre)">([^<]*)</span>')
"""Parts of code that look like the text around them: names, punctuation, blanks, whole words."""


def setup(app) -> dict:
    """Register everything the pages need (Sphinx calls this).

    The assets are here, not in a folder ``_static`` next to the book, because Jupyter Book would
    add every script in such a folder to every page.
    """
    from press import (
        answers,
        citation,
        claims,
        directives,
        equations,
        exercises,
        first_page,
        fresh,
        gallery,
        glossary,
        icons,
        internals,
        katex,
        left_out,
        notebooks,
        overlay,
        plan,
        policy,
        renderers,
        root,
        search,
        sources,
        times,
    )

    for part in (
        equations,
        answers,
        exercises,
        katex,
        renderers,
        directives,
        citation,
        claims,
        first_page,
        fresh,
        gallery,
        glossary,
        icons,
        left_out,
        notebooks,
        overlay,
        plan,
        policy,
        root,
        search,
        sources,
        times,
    ):
        part.setup(app)
    internals.read_in_parallel(app)
    app.connect("config-inited", _offer_reports)
    app.connect("builder-inited", _add_assets)
    app.connect("html-page-context", _add_figures)
    app.connect("html-page-context", _unmark_plain_code)
    app.connect("html-page-context", _show_numbers_alone)
    app.connect("doctree-read", _anchor_cells)
    app.add_css_file("palette.css", priority=600)
    app.add_css_file("unfolded.css", priority=600)
    app.add_js_file(None, body=EARLY)
    app.add_js_file("unfolded.js", loading_method="defer")
    app.add_js_file("copy.js", loading_method="defer")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _offer_reports(app, config) -> None:
    """End each page with a link to report a mistake, if there is a place to report it.

    The settings may name a repository; else ``CITATION.cff`` may have an address for mail.
    """
    from press.citation import Citation
    from press.edition import settings

    # The theme's option "repository_url" is never empty: for a book without a repository, it names
    # Jupyter Book's.
    repository = settings(Path(app.srcdir, "_config.yml")).get("repository")
    if repository:
        address = f"{repository['url'].rstrip('/')}/issues/new/choose"
    else:
        email = Citation.read().email
        address = email and f"mailto:{email}"
    if address:
        report = f'<p><a href="{address}">Report a mistake</a></p>'
        options = config.html_theme_options
        options["extra_footer"] = options.get("extra_footer", "") + report


def _add_assets(app) -> None:
    from press.renderers import copy_figures
    from rnn_helpers.palette import css

    made = Path(app.doctreedir) / "assets"
    copy_figures(made)
    (made / "palette.css").write_text(css(), "utf-8")
    app.config.html_static_path += [str(STATIC), str(made)]


def _add_figures(app, pagename, templatename, context, doctree) -> None:
    """Load the host, and each figure's script and sheet, only on the pages that show figures."""
    from rnn_helpers.explore import scripts_for, styles_for

    figures = app.env.metadata.get(pagename, {}).get("figures", ())
    for sheet in styles_for(figures) or ["sans.css"]:
        app.add_css_file(sheet, priority=550)
    # On a phone, a figure is taller than its still. A single script is small enough to wait for, so
    # that nothing below has to move; those of a chapter's figures would delay its text.
    wait = {"blocking": "render"} if len(figures) == 1 else {}
    for script in scripts_for(figures):
        app.add_js_file(script, loading_method="defer", **wait)


def _unmark_plain_code(app, pagename, templatename, context, doctree) -> None:
    """Remove marks that don't change a color. They would be half of a page of code."""
    if "body" in context:
        context["body"] = PLAIN.sub(r"\1", context["body"])


def _show_numbers_alone(app, pagename, templatename, context, doctree) -> None:
    """Remove the names of the numbers' sources, because only a test reads them."""
    from press.flatten import BOUND

    if "body" in context:
        context["body"] = BOUND.sub(r"\1", context["body"])


def _anchor_cells(app, doctree) -> None:
    """Let every cell of a notebook be linked to by its id."""
    from press.internals import cell_number

    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    cells = json.loads(path.read_text("utf-8"))["cells"]
    anchored = set()
    for node in doctree.findall(nodes.Element):
        cell = cell_number(node)
        # an anchor needs a block; headings and equations already have anchors
        own = isinstance(node, nodes.title | nodes.Inline | nodes.math_block)
        if cell is None or cell in anchored or own:
            continue
        anchored.add(cell)
        name = cells[cell].get("id")
        if name and name not in doctree.ids:
            node["ids"].append(name)
            doctree.ids[name] = node
