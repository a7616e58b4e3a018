"""How the outputs of a notebook become parts of a page.

Registered under the entry point group ``myst_nb.mime_renderers``. A figure becomes its markup with
its state, a plot two images (one per theme), a lab the picture at its defaults: the static page has
no kernel, and a slider that does nothing would be a defect.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
from pathlib import Path
from typing import ClassVar

from docutils import nodes

FIGURE = "application/vnd.unfolded.figure+json"
PLOT = "application/vnd.unfolded.plot+json"
LAB = "application/vnd.unfolded.lab+json"
THEMES = ("light", "dark")

# In CSS pixels. A curve can shrink to a phone's width; a plot that is wider than the column, or has
# panels beside each other, scrolls there before its words become too small to read.
COLUMN = 540
LEGIBLE = 11


class living_figure(nodes.General, nodes.Element):
    """An interactive figure; ``payload`` is what ``explore.show`` gives under `FIGURE`."""


class plot(nodes.General, nodes.Element):
    """A plot's images; ``least`` is the width in CSS pixels below which it scrolls."""


class UnfoldedRenderers:
    """The plugin that myst-nb asks first."""

    mime_priority_overrides: ClassVar = [("html", FIGURE, 1), ("html", LAB, 2), ("html", PLOT, 3)]

    @staticmethod
    def handle_mime(renderer, data, inline: bool) -> list[nodes.Node] | None:
        """Give the nodes for one of our MIME types, None for any other.

        Parameters
        ----------
        renderer : myst_nb.core.render.NbElementRenderer
            Where files are written and the document is known.
        data : myst_nb.core.render.MimeData
            The output; ``content`` is our JSON.
        inline : bool
            Whether it stands inside a sentence, where none of ours can.
        """
        if inline or data.mime_type not in (FIGURE, PLOT, LAB):
            return None
        content = data.content
        bundle = json.loads(content) if isinstance(content, str | bytes) else content
        if data.mime_type == FIGURE:
            return [figure_node(renderer.renderer.sphinx_env, bundle)]
        images = [_image(renderer, bundle, theme) for theme in THEMES]
        drawn = plot("", *images, least=_least(bundle))
        return [drawn] if data.mime_type == PLOT else [drawn, _how_to_run(bundle)]


def figure_node(env, payload: dict) -> living_figure:
    """Give the node of an interactive figure, and note that its page needs its scripts.

    Parameters
    ----------
    env : sphinx.environment.BuildEnvironment
        Knows the page being read.
    payload : dict
        What ``explore.show`` gives under the MIME type `FIGURE`.
    """
    env.metadata[env.docname].setdefault("figures", []).append(payload["module"])
    return living_figure(payload=payload)


def visit_living_figure(translator, node: living_figure) -> None:
    """Write the figure's markup; its poster becomes a file of its own, kept by its content."""
    from rnn_helpers.explore import markup

    builder, payload = translator.builder, node["payload"]
    urls = written(builder, payload["poster"] or {}, builder.imgpath)
    translator.body.append(markup(payload, urls or None))
    raise nodes.SkipNode


def written(builder, pictures: dict, folder: str) -> dict[str, str]:
    """Write the pictures of both themes; give their addresses, `folder` being that of pictures."""
    return {
        theme: posixpath.join(folder, write_picture(builder, pictures[theme]))
        for theme in THEMES
        if theme in pictures
    }


def write_picture(builder, encoded: str) -> str:
    """Write a picture (base64) beside the others of the site; give the name of its file."""
    content = base64.b64decode(encoded)
    path = Path(builder.outdir) / builder.imagedir / picture_name(content)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return path.name


def visit_plot(translator, node: plot) -> None:
    """Open the box in which a wide plot scrolls."""
    style = f"--least: {node['least']}px"
    translator.body.append(translator.starttag(node, "div", CLASS="unf-plot", style=style))


def depart_plot(translator, node: plot) -> None:
    """Close the box."""
    translator.body.append("</div>\n")


def _least(bundle: dict) -> int:
    """Width at which the smallest words of a wide plot are still legible."""
    width, words = bundle["width"], bundle["smallest"]
    wide = width > COLUMN or bundle["panels"] > 1
    return round(width * min(LEGIBLE / words, 1)) if wide and words else 0


def picture_name(content: bytes) -> str:
    """Name the file of a picture by its content, so that pages and decks share it."""
    return f"{hashlib.sha256(content).hexdigest()[:16]}.png"


def _image(renderer, bundle: dict, theme: str) -> nodes.image:
    content = base64.b64decode(bundle[theme])
    return nodes.image(
        uri=renderer.write_file([picture_name(content)], content, exists_ok=True),
        alt=bundle["alt"],
        width=f"{bundle['width']}px",
        height=f"{bundle['height']}px",
        loading="lazy",
        classes=[f"only-{theme}"],
    )


def _how_to_run(bundle: dict) -> nodes.paragraph:
    settings = [f"{name} = {value}" for name, value in bundle["controls"].items()]
    return nodes.paragraph(
        text=f"Drawn by Python with {', '.join(settings)}. Open this chapter in JupyterLab "
        "(make lab) to set the values yourself and have it drawn again.",
        classes=["unf-lab-note"],
    )


def setup(app) -> None:
    """Register the nodes of figures and plots."""
    app.add_node(living_figure, html=(visit_living_figure, None))
    app.add_node(plot, html=(visit_plot, depart_plot))
