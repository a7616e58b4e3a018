"""Each chapter's notebook, offered on the chapter's page.

The site holds the students' copies in a folder beside the chapters. A line below a chapter's
opening links to its copy. So do the notes under labs and exercises, which only the notebook can
run. The theme's download button offers the copy instead of the authors' source. The line also
links to an archive of all copies with the package that they use.
"""

from __future__ import annotations

import html
from pathlib import Path
from tempfile import TemporaryDirectory

from docutils import nodes

from press import edition, launch, students
from press.answers import launched
from press.classroom import build_wheel, to_run, write_notebooks, write_notebooks_zip
from press.downloads import ARCHIVE, FOLDER, folder, link
from press.edition import settings
from press.internals import is_cell


def line(docname: str, more: str = "") -> str:
    """Return the line with a chapter's notebook and how to run it.

    Parameters
    ----------
    docname : str
        The chapter.
    more : str
        Further links.
    """
    notebook = link(docname, "download the notebook")
    archive = f"{folder(docname)}/{ARCHIVE}"
    every = f'<a href="{archive}" download>all notebooks and their package</a> (zip)'
    said = f"Run this chapter: {notebook} (with hints and checks) · {every}"
    return f'<p class="unf-run">{said}{more}</p>'


def is_chapter(env, docname: str) -> bool:
    """Whether a page is made from a chapter's notebook."""
    return Path(env.doc2path(docname)).suffix == ".ipynb"


def _add_line(app, doctree) -> None:
    """Add the line on how to run a chapter, below its opening and before the first code cell."""
    docname = app.env.docname
    title = doctree.next_node(nodes.section)
    if title is None or not is_chapter(app.env, docname):
        return
    first = next((k for k, node in enumerate(title) if is_cell(node)), len(title))
    title.insert(first, nodes.raw("", line(docname), format="html"))


def _offer(app, pagename, templatename, context, doctree) -> None:
    """Put the launch buttons' links into the line, and the notebook under the download button."""
    groups = {group.get("label"): group for group in context.get("header_buttons", ())}
    if download := groups.get("download-buttons"):
        kept = [button for button in download["buttons"] if "source" not in button["label"]]
        if doctree is not None and is_chapter(app.env, pagename):
            kept.insert(0, _button(pagename))
        download["buttons"] = kept
    if launch := groups.get("launch-buttons"):
        more = "".join(
            f' · <a href="{html.escape(button["url"])}">{button["text"]}</a>'
            for button in launch["buttons"]
        )
        body = context["body"].replace(line(pagename), line(pagename, more))
        context["body"] = launched(body, launch["buttons"])


def _button(pagename: str) -> dict:
    return {
        "type": "link",
        "url": f"{folder(pagename)}/{pagename.rpartition('/')[2]}.ipynb",
        "text": ".ipynb",
        "tooltip": "Download the notebook",
        "icon": "fas fa-code",
        "label": "download-notebook-button",
    }


def _write(app, exception) -> None:
    """Write the students' copies into the site, and the archive of all files that students need."""
    if exception or app.builder.format != "html":
        return
    root = Path(app.srcdir)
    repository = settings(root / "_config.yml").get("repository")
    address = launch.address(repository, students.wheel_name()) if repository else ""
    paths = edition.notebooks(root / "book")

    def copies(to: Path, wheel: str = "") -> dict[str, Path]:
        return write_notebooks(to, {path.name: students.student(path, wheel) for path in paths})

    offered = Path(app.outdir, "book", FOLDER)
    written = copies(offered, address)
    with TemporaryDirectory() as made:
        plain = copies(Path(made)) if address else written  # the archive has the package in it
        wheel = build_wheel(Path(made))
        write_notebooks_zip(offered, to_run(plain, wheel, edition.modules(root / "book")), wheel)


def setup(app) -> None:
    """Register the functions that offer the notebooks."""
    app.connect("doctree-read", _add_line)
    app.connect("html-page-context", _offer, priority=600)  # after the theme made its buttons
    app.connect("build-finished", _write)
