"""What turns chapters into pages: the book's Sphinx extension, and the tools that publish it."""

import json
from pathlib import Path

from docutils import nodes

STATIC = Path(__file__).parent / "static"


def setup(app) -> dict:
    """Register everything the pages need (Sphinx calls this).

    The assets live in the package, not in a folder ``_static`` beside the book: Jupyter Book would
    add every script it finds there to every page.
    """
    from rnn_helpers.site import directives, equations, katex, policy, renderers

    for part in (equations, katex, renderers, directives, policy):
        part.setup(app)
    app.connect("builder-inited", _add_assets)
    app.connect("html-page-context", _add_figures)
    app.connect("doctree-read", _anchor_cells)
    app.add_css_file("palette.css", priority=600)
    app.add_css_file("unfolded.css", priority=600)
    app.add_js_file("unfolded.js", loading_method="defer")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _add_assets(app) -> None:
    from rnn_helpers.explore import static_path
    from rnn_helpers.palette import css

    made = Path(app.doctreedir) / "assets"
    made.mkdir(parents=True, exist_ok=True)
    (made / "palette.css").write_text(css(), "utf-8")
    app.config.html_static_path += [str(STATIC), str(static_path()), str(made)]


def _add_figures(app, pagename, templatename, context, doctree) -> None:
    """Load the host and the bundles on the pages that have figures, and on no other."""
    from rnn_helpers.explore import scripts_for

    scripts = scripts_for(app.env.metadata.get(pagename, {}).get("figures", ()))
    if scripts:
        app.add_css_file("figures.css", priority=550)
    for script in scripts:
        app.add_js_file(script, loading_method="defer")


def _anchor_cells(app, doctree) -> None:
    """Let a code cell be linked to by its id."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    cells = json.loads(path.read_text("utf-8"))["cells"]
    for node in doctree.findall(nodes.container):
        if node.get("nb_element") != "cell_code":
            continue
        name = cells[node["cell_index"]].get("id")
        if name and name not in doctree.ids:
            node["ids"].append(name)
            doctree.ids[name] = node
