"""The gallery: a page for each figure, made from its ``meta``, and one that shows them all.

The folder ``embed/`` has a smaller page with each figure alone, which other pages can embed.
"""

from __future__ import annotations

import os
import posixpath
import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from press import edition
from press.fresh import CODE, note_mark
from press.generated import add_pages, full_stop
from press.places import Place, places
from press.policy import finish_page
from press.render import template
from press.renderers import figure_node
from rnn_helpers.explore import manifest, markup, scripts_for, show, styles_for
from rnn_helpers.explore.states import picture_file, picture_size

GALLERY = "book/gallery"  # the page that shows all figures; each figure's page is below it
EMBED = "embed"
SCRIPT = "gallery.js"
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>$#|])")
# Fields to copy from. The script shows them and fills in the figure's present state.
SHARE = """<section class="unf-share" data-figure="{name}" data-embed="{embed}" hidden>
<h2>Share this figure</h2>
{fields}
<p role="status"></p>
</section>
"""
FIELD = """<div><label for="share-{kind}">{label}</label>
{box}
<button type="button" data-copy="share-{kind}" aria-label="Copy: {label}">Copy</button></div>"""
LINE = '<input id="share-{kind}" type="text" readonly>'
LINES = '<textarea id="share-{kind}" rows="6" spellcheck="false" readonly></textarea>'
FIELDS = {
    "link": ("A link to the figure in its present state", LINE),
    "frame": ("HTML that embeds it in another page", LINES),
    "call": ("A call that shows it in a notebook", LINE),
}


class card(nodes.General, nodes.Element):
    """A picture that links to its figure's page: ``name``, ``uri``, ``chapter``."""


def figures() -> dict[str, dict]:
    """Return the ``meta`` of each figure that has its own page, by the figure's name.

    The others are the answer box and the box that asks a chapter's question.
    """
    return {name: meta for name, meta in manifest().items() if "prediction" in meta}


def included(book: Path) -> dict[str, dict]:
    """Return the same as `figures`, without those that only chapters outside the edition show."""
    missing = edition.left_out(book)
    present = {*edition.chapters(book), *book.glob("*.md")}
    elsewhere, here = (places({path.stem: path for path in each}) for each in (missing, present))
    return {name: meta for name, meta in figures().items() if name in here or name not in elsewhere}


def shown(env) -> dict[str, list[Place]]:
    """Return the places of each figure, in the order of the book; a new figure may have none."""
    documents = {name: Path(env.doc2path(name)) for name in env.found_docs}
    found = places(documents)
    names = included(Path(env.srcdir, "book"))
    return {name: found.get(name, []) for name in sorted(names, key=[*found, *names].index)}


def figure_of(pagename: str) -> str | None:
    """Return the name of the figure whose page this is; None if it is another page."""
    folder, _, name = pagename.rpartition("/")
    return name if folder == GALLERY else None


class FigurePage(SphinxDirective):
    """``{figure-page} NAME``: the figure, its story, its places in the book, and fields to copy."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return everything below the page's title, which is the figure's question."""
        note_mark(self.env, CODE)
        name = self.arguments[0]
        meta = figures()[name]
        figure = figure_node(self.env, show(name).payload | {"question": "", "caption": ""})
        figure["still"] = _picture(figure["payload"], GALLERY)
        story = nodes.paragraph(text=meta["story"], classes=["unf-story"])
        embed = self._relative(f"{EMBED}/{name}")
        fields = "\n".join(
            FIELD.format(kind=kind, label=label, box=box.format(kind=kind))
            for kind, (label, box) in FIELDS.items()
        )
        share = SHARE.format(name=name, embed=embed, fields=fields)
        return [figure, story, self._places(name), nodes.raw("", share, format="html")]

    def _places(self, name: str) -> nodes.paragraph:
        """Link to the places where the book shows the figure, and to the other figures."""
        found = shown(self.env)
        words, last = [], None
        # A chapter is named once, with all its sections that show the figure.
        for docname, section in dict.fromkeys((it.docname, it.section) for it in found[name]):
            place = next(it for it in found[name] if (it.docname, it.section) == (docname, section))
            self.env.note_dependency(self.env.doc2path(docname))
            if docname == last:
                words += [" and ", self._link(place, section)]
            else:
                words += ["; " if words else "In the book: ", self._link(place, place.title)]
                words += [": ", *self.parse_inline(section)[0]] if section else []
            last = docname
        texts = [nodes.Text(word) if isinstance(word, str) else word for word in words]
        texts += [nodes.Text(f"{full_stop(texts[-1].astext())} ")] if words else []
        others = nodes.reference("", f"All {len(found)} figures", refuri=self._relative(GALLERY))
        return nodes.paragraph("", "", *texts, others, nodes.Text("."))

    def _link(self, place: Place, words: str) -> nodes.reference:
        anchor = f"#{place.cell}" if place.cell else ""
        uri = self._relative(place.docname) + anchor
        return nodes.reference("", "", *self.parse_inline(words)[0], refuri=uri)

    def _relative(self, docname: str) -> str:
        return self.env.app.builder.get_relative_uri(self.env.docname, docname)


class Gallery(SphinxDirective):
    """``{gallery}``: the pictures of all figures, in the book's order."""

    def run(self) -> list[nodes.Node]:
        """Return a card for each figure."""
        note_mark(self.env, CODE)
        cards = nodes.container(classes=["unf-gallery"])
        for name, found in shown(self.env).items():
            for place in found:
                self.env.note_dependency(self.env.doc2path(place.docname))
            self.env.note_dependency(picture_file(name))
            cards += card(
                name=name,
                uri=self.env.app.builder.get_relative_uri(GALLERY, f"{GALLERY}/{name}"),
                chapter=found[0].title if found else "",
            )
        return [cards]


def _picture(payload: dict, folder: str) -> str:
    """Return a card's picture for a page in `folder`; "" if the figure has words in its place.

    Only readers without scripts see it. Their pages are always light.
    """
    if payload.get("fallback"):
        return ""
    url = posixpath.relpath(f"_static/figures/{payload['module']}.svg", folder)
    return (
        f'<div class="unfolded-still"><img style="max-width:100%;height:auto" src="{url}" '
        f'alt="{escape(payload["alt"])}" {picture_size(payload["module"])}></div>'
    )


def visit_card(translator, node: card) -> None:
    """Write the picture for both themes, and a link that covers the whole card."""
    name = node["name"]
    meta = figures()[name]
    url = posixpath.relpath(f"_static/figures/{name}.svg", posixpath.dirname(GALLERY))
    images = "".join(
        f'<img class="only-{theme}" loading="lazy" src="{url}{part}" alt="{escape(meta["alt"])}" '
        f"{picture_size(name)}>"
        for theme, part in (("light", ""), ("dark", "#dark"))
    )
    question = f'<a href="{node["uri"]}">{escape(meta["question"])}</a>'
    words = f"<p><small>{escape(node['chapter'])}</small> {question}</p>"
    translator.body.append(f'<div class="unf-card">{images}{words}</div>\n')
    raise nodes.SkipNode


def _lead_on(app, pagename, templatename, context, doctree) -> None:
    """Link a figure's page to the previous and the next figure, and load the page's script."""
    name = figure_of(pagename)
    if name is None:
        return
    builder, names = app.builder, list(shown(app.env))
    here = names.index(name)
    beside = {
        "prev": names[here - 1] if here else None,
        "next": next(iter(names[here + 1 :]), None),
    }
    for way, other in beside.items():
        if other:
            link = builder.get_relative_uri(pagename, f"{GALLERY}/{other}")
            context[way] = {"link": link, "title": escape(figures()[other]["question"])}
    app.add_js_file(SCRIPT, loading_method="defer")


def _write_alone(app, exception) -> None:
    """Write the pages that show a figure alone."""
    if exception is not None or app.builder.format != "html" or GALLERY not in app.env.found_docs:
        return
    folder, names = Path(app.outdir, EMBED), included(Path(app.srcdir, "book"))
    folder.mkdir(exist_ok=True)
    for old in {*folder.iterdir()} - {folder / f"{name}.html" for name in names}:
        old.unlink()
    for name in names:
        payload = show(name).payload
        page = template("embed.html.j2").render(
            question=payload["question"],
            figure=markup(payload | {"question": ""}, still=_picture(payload, EMBED)),
            styles=["palette.css", *styles_for([name])],
            scripts=scripts_for([name]),
            page=os.path.relpath(app.builder.get_target_uri(f"{GALLERY}/{name}"), EMBED),
            book=app.config.html_title,
        )
        (folder / f"{name}.html").write_text(finish_page(page), "utf-8")


def setup(app) -> None:
    """Register the directives and the pages."""
    app.add_node(card, html=(visit_card, None))
    app.add_directive("figure-page", FigurePage)
    app.add_directive("gallery", Gallery)
    app.connect("html-page-context", _lead_on)
    app.connect("build-finished", _write_alone)
    add_pages(
        app,
        GALLERY,
        "figure-page",
        lambda book: {
            name: MARKDOWN.sub(r"\\\1", meta["question"]) for name, meta in included(book).items()
        },
    )
