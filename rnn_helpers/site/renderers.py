"""How the outputs of a notebook become parts of a page.

Registered under the entry point group ``myst_nb.mime_renderers``. A figure becomes its markup with
its state, a plot two images (one per theme), a lab the picture at its defaults: the static page has
no kernel, and a slider that does nothing would be a defect.
"""

from __future__ import annotations

import base64
import hashlib
import json

from docutils import nodes

FIGURE = "application/vnd.unfolded.figure+json"
PLOT = "application/vnd.unfolded.plot+json"
LAB = "application/vnd.unfolded.lab+json"


class UnfoldedRenderers:
    """The plugin that myst-nb asks first."""

    mime_priority_overrides = [("html", FIGURE, 1), ("html", LAB, 2), ("html", PLOT, 3)]  # noqa: RUF012

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
            return figure_nodes(renderer.renderer.sphinx_env, bundle)
        images = [_image(renderer, bundle, theme) for theme in ("light", "dark")]
        plot = nodes.container("", *images, classes=["unf-plot"])
        return [plot] if data.mime_type == PLOT else [plot, _how_to_run(bundle)]


def figure_nodes(env, bundle: dict) -> list[nodes.Node]:
    """Give the markup of an interactive figure, and note that its page needs its scripts.

    Parameters
    ----------
    env : sphinx.environment.BuildEnvironment
        Knows the page being read.
    bundle : dict
        What ``explore.show`` gives under the MIME type `FIGURE`.
    """
    from rnn_helpers.explore import markup

    modules = env.metadata[env.docname].setdefault("figures", [])
    if bundle["module"] not in modules:
        modules.append(bundle["module"])
    return [nodes.raw("", markup(bundle), format="html")]


def _image(renderer, bundle: dict, theme: str) -> nodes.image:
    content = base64.b64decode(bundle[theme])
    name = f"{hashlib.sha256(content).hexdigest()[:16]}.png"
    return nodes.image(
        uri=renderer.write_file([name], content, exists_ok=True),
        alt=bundle["alt"],
        width=f"{bundle['width']}px",
        height=f"{bundle['height']}px",
        loading="lazy",
        classes=[f"only-{theme}"],
    )


def _how_to_run(bundle: dict) -> nodes.paragraph:
    controls = ", ".join(bundle["controls"])
    return nodes.paragraph(
        text=f"This picture is drawn by Python. Open the chapter in JupyterLab (make lab) and it "
        f"answers to {controls}.",
        classes=["unf-lab-note"],
    )
