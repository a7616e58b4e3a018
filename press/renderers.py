"""Renderers that turn the outputs of a notebook into parts of a page.

A figure becomes its markup with its state, a plot two images (one per theme), an experiment its
figure and the chapter's sentence about it, a lab the picture at its defaults: the static page has
no kernel, and a slider without effect would be a defect.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import posixpath
import re
import shutil
from itertools import takewhile
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from PIL import Image

from press.downloads import link
from press.internals import add_plugin, cells, environment, picture_address, picture_folder
from press.whole import replacing

FIGURE = "application/vnd.unfolded.figure+json"
PLOT = "application/vnd.unfolded.plot+json"
LAB = "application/vnd.unfolded.lab+json"
CLAIM = "application/vnd.unfolded.claim+json"
THEMES = ("light", "dark")
# A call with only texts, which may have parentheses, and numbers.
SHOW = re.compile(r"""experiments\.show\((?:"[^"\n]*"|'[^'\n]*'|[^()"'])*\)""")
ASKS = "asks"  # the class of an experiment whose result the reader guesses first

# In CSS pixels. A curve can shrink to a phone's width; a plot that is wider than the column, or has
# panels beside each other, scrolls there before its words become too small to read.
COLUMN = 540
LEGIBLE = 11


class living_figure(nodes.General, nodes.Element):
    """An interactive figure; ``payload`` is the data of ``explore.show`` under `FIGURE`."""


class plot(nodes.General, nodes.Element):
    """A plot in both themes; ``bundle`` is the data of a `Plot` under `PLOT`."""


class UnfoldedRenderers:
    """The plugin that turns our MIME types into nodes."""

    mime_priority_overrides: ClassVar = [
        ("html", kind, place) for place, kind in enumerate((FIGURE, LAB, PLOT, CLAIM), 1)
    ]

    @staticmethod
    def handle_mime(renderer, data, inline: bool) -> list[nodes.Node] | None:
        """Return the nodes for one of our MIME types, None for any other.

        Parameters
        ----------
        renderer : myst_nb.core.render.NbElementRenderer
            Where files are written and the document is known.
        data : myst_nb.core.render.MimeData
            The output; ``content`` is our JSON.
        inline : bool
            Whether it is inside a sentence, where our types can't be.
        """
        if inline or data.mime_type not in (FIGURE, PLOT, LAB, CLAIM):
            return None
        content = data.content
        bundle = json.loads(content) if isinstance(content, str | bytes) else content
        if data.mime_type == FIGURE:
            return [figure_node(environment(renderer), bundle)]
        if data.mime_type == CLAIM:
            return claim_nodes(environment(renderer), bundle)
        if data.mime_type == PLOT:
            return [plot(bundle=bundle)]
        return lab_nodes(environment(renderer), bundle)


def figure_node(env, payload: dict, asked: dict | None = None) -> living_figure:
    """Give the node of an interactive figure, and note that its page needs its scripts.

    Parameters
    ----------
    env : sphinx.environment.BuildEnvironment
        Knows the page being read.
    payload : dict
        What ``explore.show`` gives under the MIME type `FIGURE`.
    asked : dict, optional
        What the script of the chapter's answers knows about the figure.
    """
    env.metadata[env.docname].setdefault("figures", []).append(payload["module"])
    return living_figure(payload=payload, asked=asked)


def visit_living_figure(translator, node: living_figure) -> None:
    """Write the figure's markup; a page may choose its initial appearance."""
    from rnn_helpers.explore import markup

    chosen = node.get("still")
    payload = node["payload"]
    translator.body.append(markup(payload, still=chosen) if chosen else figure_markup(payload))
    raise nodes.SkipNode


def figure_markup(payload: dict, place: str = "page") -> str:
    """Return a figure as its script draws it; in a browser, the script takes over in its place.

    Parameters
    ----------
    payload : dict
        What ``explore.show`` gives under the MIME type `FIGURE`.
    place : {"page", "slide"}
        Where it is shown. On a page, it keeps its state in the address.
    """
    from press.still import draw, still
    from rnn_helpers.explore import markup
    from rnn_helpers.explore.states import complete

    made = ""
    if not payload.get("fallback"):
        name, state = payload["module"], payload["state"]
        drawn = draw(name, state, place)
        alt = payload["alt"] if complete(name, state) == complete(name, {}) else drawn.status
        made = still(drawn.markup, alt or payload["alt"])
    return markup(payload, still=made, address=place == "page")


def copy_figures(folder: Path) -> None:
    """Copy the bundles and the pictures of all figures, and what they share, into a folder."""
    from rnn_helpers.explore.states import FIGURES, SHARED

    own = folder / "figures"
    own.mkdir(parents=True, exist_ok=True)
    for path in (*SHARED.glob("*.js"), *SHARED.glob("*.css")):
        shutil.copyfile(path, folder / path.name)
    for path in FIGURES.glob("*/built/*"):
        shutil.copyfile(path, own / path.name)


def written(builder, pictures: dict, folder: str) -> dict[str, str]:
    """Write the pictures of both themes; give their addresses, `folder` being that of pictures."""
    return {
        theme: posixpath.join(folder, write_picture(picture_folder(builder), pictures[theme]))
        for theme in THEMES
        if theme in pictures
    }


def write_picture(folder: Path, encoded: str) -> str:
    """Write a picture (PNG, base64) to the site's pictures; return the name of its file.

    It is named by its content, so that pages and decks share it. WebP makes it a quarter smaller,
    and `coarse_edges` makes that smaller still.
    """
    content = base64.b64decode(encoded)
    path = folder / f"{hashlib.sha256(content).hexdigest()[:16]}.webp"
    if not path.exists():
        small, image = io.BytesIO(), Image.open(io.BytesIO(content)).convert("RGBA")
        coarse_edges(image).save(small, "WEBP", lossless=True, quality=100)
        with replacing(path) as part:  # pages are written side by side
            part.write_bytes(small.getvalue())
    return path.name


def coarse_edges(image: Image.Image) -> Image.Image:
    """Give the edges of letters and lines eight levels of opacity, which look like 256.

    An opacity that at least 2 % of the pixels have belongs to a filled area and stays exact.

    Parameters
    ----------
    image : Image.Image
        A picture with an alpha channel.

    Returns
    -------
    Image.Image
        A new picture. Its opaque and its transparent pixels are unchanged.
    """
    opacity = image.getchannel("A")
    counts, area = opacity.histogram(), image.width * image.height
    level = [round(round(alpha * 7 / 255) * 255 / 7) for alpha in range(256)]
    kept = [a if count >= 0.02 * area else level[a] for a, count in enumerate(counts)]
    coarse = image.copy()
    coarse.putalpha(opacity.point(kept))
    return coarse


def visit_plot(translator, node: plot) -> None:
    """Write a plot's images, in a box in which a wide one scrolls."""
    bundle, builder = node["bundle"], translator.builder
    urls = written(builder, bundle, picture_address(builder))
    looks = f'loading="lazy" width="{bundle["width"]}" height="{bundle["height"]}"'
    images = (
        f'<a class="only-{theme} reference internal image-reference" href="{url}">'
        f'<img class="only-{theme}" src="{url}" alt="{html.escape(bundle["alt"])}" {looks}></a>'
        for theme, url in urls.items()
    )
    style = f"--least: {_least(bundle)}px"
    box = translator.starttag(node, "div", "", CLASS="unf-plot", style=style)
    translator.body.append(f"{box}{''.join(images)}</div>\n")
    raise nodes.SkipNode


def told(payload: dict, place: str = "page") -> dict:
    """Return the payload of a result's figure for pages and slides.

    On paper and without scripts, the still shows the whole result, so the table for notebooks is
    left out. The still of a figure that asks would hide the result, so its fallback is one that
    doesn't ask.
    """
    state = payload["state"]
    if not state["ask"]:
        return {key: value for key, value in payload.items() if key != "fallback"}
    from press.still import draw, still

    drawn = draw("result", state | {"ask": None}, place)
    question = f'<p class="unfolded-question">{html.escape(state["ask"]["question"])}</p>'
    return payload | {"fallback": question + still(drawn.markup, drawn.status)}


def result_node(env, payload: dict) -> living_figure:
    """Return the node of a result's figure, as `Shown.figure` returns it."""
    return figure_node(env, told(payload))


def claim_nodes(env, bundle: dict) -> list[nodes.Node]:
    """Return the nodes of an experiment: its figure, the chapter's sentence about it, and a link.

    Parameters
    ----------
    env : sphinx.environment.BuildEnvironment
        Knows the page being read, and whether the claim has one.
    bundle : dict
        The experiment's data under the MIME type `CLAIM`.
    """
    figure = bundle["figure"]
    drawn = [result_node(env, figure)] if figure else []
    drawn += [plot(bundle=bundle["plot"])] if bundle["plot"] else []
    said = [nodes.inline(text=bundle["says"])] if bundle["says"] else []
    page = f"book/claims/{bundle['slug']}"
    if page in env.found_docs:
        uri = env.app.builder.get_relative_uri(env.docname, page)
        how = nodes.reference("", "How we know", refuri=uri, internal=True, classes=["how"])
        said += [nodes.Text(" "), how] if said else [how]
    drawn += [nodes.paragraph("", "", *said, classes=["finding"])] if said else []
    asks = [ASKS] if figure and figure["state"]["ask"] else []
    return [nodes.container("", *drawn, classes=["claim-shown", *asks])]


def fold_answers(app, doctree) -> None:
    """Mark the text from a figure with a question to the next heading: it contains the answer."""
    for cell in cells(doctree):
        if not any(ASKS in node["classes"] for node in cell.node.findall(nodes.container)):
            continue
        parent, place = cell.node.parent, cell.node.parent.index(cell.node) + 1
        after = list(takewhile(lambda node: not isinstance(node, nodes.section), parent[place:]))
        if after:
            parent[place : place + len(after)] = [
                nodes.container("", *after, classes=["unf-discussed"])
            ]


def hide_calls(app, doctree) -> None:
    """Remove the code of cells that only show an experiment: a reader of a page can't run it."""
    for cell in cells(doctree):
        shown = cell.code is not None and cell.output is not None
        if shown and SHOW.fullmatch(cell.code.astext().strip()):
            cell.node.remove(cell.code)


def _least(bundle: dict) -> int:
    """Width at which the smallest words of a wide plot are still legible."""
    width, words = bundle["width"], bundle["smallest"]
    wide = width > COLUMN or bundle["panels"] > 1
    return round(width * min(LEGIBLE / words, 1)) if wide and words else 0


def lab_nodes(env, bundle: dict) -> list[nodes.Node]:
    """Return the nodes of a lab: its plot at the defaults, what this shows, and how to change it.

    Parameters
    ----------
    env : sphinx.environment.BuildEnvironment
        Knows the page being read.
    bundle : dict
        The lab's data under the MIME type `LAB`.
    """
    shown, _, sample = bundle["alt"].partition(" A sample: ")
    picture = plot(bundle=bundle | {"alt": sample or "The lab at its default settings."})
    settings = ", ".join(f"{name} = {value}" for name, value in bundle["controls"].items())
    notebook = nodes.raw("", link(env.docname, "download the notebook"), format="html")
    words = f"Python drew this with the default settings: {settings}. To change them, "
    how = nodes.paragraph(
        "", words, notebook, nodes.Text(" and run this cell."), classes=["unf-lab-note"]
    )
    return [picture, nodes.paragraph("", shown, classes=["unf-lab-shown"]), how]


def setup(app) -> None:
    """Register the plugin, the nodes of figures and plots, and what changes experiments' cells."""
    add_plugin(UnfoldedRenderers)
    app.connect("doctree-read", hide_calls)
    app.connect("doctree-read", fold_answers)
    app.add_node(living_figure, html=(visit_living_figure, None))
    app.add_node(plot, html=(visit_plot, None))
