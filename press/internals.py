"""All uses of internal parts of Sphinx, myst-nb and jupyter-cache.

These packages promise nothing about such parts, so a new version may change them. Each function
here explains why the site needs one and which public interface is missing. Each has a test in
``tests/unit/test_site_internals.py``, which shows what to repair after an upgrade.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import nbformat
from docutils import nodes
from nbformat import NotebookNode

from press.edition import write_table_of_contents

INDEX = re.compile(r"\ASearch\.setIndex\((.*)\)\s*\Z", re.DOTALL)


def note_equation(env, label: str, number: str, block: nodes.math_block) -> None:
    """Register an equation under a number of our own.

    Sphinx counts equations, and no setting or role takes a number. Its method still warns when two
    equations have the same label.
    """
    domain = env.get_domain("math")
    domain.note_equation(env.docname, label, location=block)
    domain.equations[label] = (env.docname, number)


def equations(env) -> dict[str, tuple[str, str]]:
    """Return the document and the number of each equation, by its label.

    The math domain's public list of objects is empty.
    """
    return env.get_domain("math").equations


def doctree(env, docname: str) -> nodes.document:
    """Return a page as it was read, to quote from it on another page.

    Public events give a page's tree only while that page is read or written.
    """
    return env.get_doctree(docname)


def number_exercises(env) -> None:
    """Count exercises by chapter, the third of chapter 04 being 4.3, not through the whole book.

    Sphinx numbers by sections of numbered tables of contents, or through the whole book. Call this
    after the environment is stored, or every page will look outdated.
    """
    for docname, figures in env.toc_fignumbers.items():
        chapter = docname.rpartition("/")[2][:2]
        first = (int(chapter),) if chapter.isdigit() else ()  # the page of a course has no number
        for count, name in enumerate(figures.get("exercise", {}), start=1):
            figures["exercise"][name] = (*first, count)


def exercises(env) -> Iterator[tuple[str, str, str, nodes.Element]]:
    """Yield the document, label, number and node of each numbered exercise.

    sphinx-exercise has no domain to query, and Sphinx gives numbers only to references.
    """
    for label, entry in getattr(env, "sphinx_exercise_registry", {}).items():
        numbers = env.toc_fignumbers.get(entry["docname"], {}).get("exercise", {})
        if label in numbers:
            yield entry["docname"], label, ".".join(map(str, numbers[label])), entry["node"]


def picture_folder(builder) -> Path:
    """Return the site's folder of pictures.

    Sphinx copies pictures that are files of the book. Those that are drawn have no public place.
    """
    return Path(builder.outdir) / builder.imagedir


def picture_address(builder) -> str:
    """Return the address of `picture_folder` from the page that is being written.

    A node's visitor doesn't know its page.
    """
    return builder.imgpath


def page_file(builder, docname: str) -> Path:
    """Return the file of a page.

    The public methods of a builder give addresses, not files.
    """
    return Path(builder.get_outfilename(docname))


def script_attributes(script) -> dict:
    """Return the attributes and the ``body`` of an entry of a page's ``script_files``.

    Sphinx documents how to add a script to a page, but not how to recognize one and remove it.
    """
    return getattr(script, "attributes", {})


def add_permalink(translator, node: nodes.Element, title: str) -> None:
    """Write the link to a displayed formula that Sphinx's own math renderers write."""
    translator.add_permalink_ref(node, title)


def read_index(script: str) -> dict:
    """Return the search index in ``searchindex.js``.

    Sphinx has no event or setting that changes the index, so the site changes the file.

    Raises
    ------
    ValueError
        If this is not the script that Sphinx writes.
    """
    found = INDEX.match(script)
    if not found:
        raise ValueError(f"the search index is not one that Sphinx writes: {script[:60]!r}")
    return json.loads(found[1])


def write_index(index: dict) -> str:
    """Return ``searchindex.js`` for a search index, without blanks."""
    return f"Search.setIndex({json.dumps(index, separators=(',', ':'), sort_keys=True)})"


def add_plugin(plugin) -> None:
    """Have myst-nb ask a MIME plugin, and no other.

    It finds plugins by the entry points of installed packages, and the press isn't installed.
    """
    from myst_nb.core import render

    render.load_mime_renders = lambda: [plugin]


def environment(renderer):
    """Return Sphinx's environment, given the renderer that myst-nb passes to a MIME plugin.

    The plugin's interface has no way to ask which page is being read.
    """
    return renderer.renderer.sphinx_env


class Cell(NamedTuple):
    """A code cell on a page: its node, its tags, and the nodes of its code and its output."""

    node: nodes.container
    tags: set[str]
    code: nodes.container | None
    output: nodes.container | None


def is_cell(node: nodes.Node) -> bool:
    """Whether a node is a code cell of a notebook."""
    return isinstance(node, nodes.container) and "cell" in node["classes"]


def cells(tree: nodes.document) -> list[Cell]:
    """List the code cells of a page.

    myst-nb documents the classes for style sheets, but not the nodes that carry them.
    """
    found = []
    for node in filter(is_cell, tree.findall(nodes.container)):
        parts = {name: part for part in node for name in part.get("classes", ())}
        tags = {name.removeprefix("tag_") for name in node["classes"] if name.startswith("tag_")}
        found.append(Cell(node, tags, parts.get("cell_input"), parts.get("cell_output")))
    return found


def cell_number(node: nodes.Node) -> int | None:
    """Return the position in the notebook of the cell that a node comes from.

    myst-nb has no other mark: it numbers the lines of cell k from 10000 (k + 1).
    """
    return (node.line or 0) // 10000 - 1 if (node.line or 0) >= 10000 else None


def kept_record(cache, path: Path):
    """Return jupyter-cache's record of a notebook's outputs; None if it has none for its code.

    Only notebooks of a "project" can be looked up by their file, and a project also wants to run
    them.
    """
    try:
        return cache.match_cache_notebook(nbformat.read(path, as_version=4))
    except KeyError:
        return None


def keep_outputs(cache, path: Path, notebook: NotebookNode, data: dict) -> None:
    """Have jupyter-cache keep the outputs of a notebook that ran, with our own data about the run.

    Its executors neither encrypt the messages of kernels nor keep other data, and the public method
    for outputs from elsewhere reads them from a file.
    """
    from jupyter_cache.base import CacheBundleIn

    bundle = CacheBundleIn(notebook, str(path), data=data)
    cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)


def kept_outputs(folder: Path, notebook: NotebookNode) -> NotebookNode:
    """Return a notebook with the outputs that jupyter-cache keeps in a folder.

    jupyter-cache doesn't document how it reports damage; exceptions of its database are not caught.

    Raises
    ------
    KeyError
        If it has no outputs for this code.
    ValueError
        If its data is damaged.
    """
    from jupyter_cache import get_cache
    from sqlalchemy.exc import SQLAlchemyError

    try:
        return get_cache(folder).merge_match_into_notebook(notebook)[1]
    except (SQLAlchemyError, RuntimeError) as error:
        raise ValueError(str(error)) from None


def read_in_parallel(app) -> None:
    """Declare that an extension which we don't choose is safe for parallel reading.

    sphinx-external-toc loads it, and it doesn't declare this itself. It numbers sections after
    everything has been read.
    """
    if extension := app.extensions.get("sphinx_multitoc_numbering"):
        extension.parallel_read_safe = True


def build_pages(root: Path, jobs: int) -> int:
    """Have Jupyter Book make the pages, with this many processes.

    Its command has no option for processes. Its other options, given here, are those of
    ``jupyter-book build --warningiserror --nitpick --keep-going --quiet``.

    Returns
    -------
    int
        0, or another number if Sphinx warned or failed.
    """
    from jupyter_book.sphinx import build_sphinx

    result = build_sphinx(
        root,
        root / "_build" / "html",
        noconfig=True,
        path_config=root / "_config.yml",
        confoverrides={
            "external_toc_path": str(write_table_of_contents(root)),
            "latex_individualpages": False,
            "nitpicky": True,
        },
        warningiserror=True,
        keep_going=True,
        quiet=True,
        jobs=jobs,
    )
    if isinstance(result, OSError):  # such as a full disk
        raise result
    return result if isinstance(result, int) else 1
