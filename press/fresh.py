"""Reasons to make a page again, in addition to the files that Sphinx watches.

Before Sphinx runs, `press.build` writes marks: small files that change when the contents
behind them change. A page that depends on a mark is read again; a page that is older than the mark
of its figure's bundle, or of the files that all pages load, is only written again. Dates of files
themselves wouldn't do, because a file may change while a page is being made from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from press.internals import page_file

MARKS = "_build/.marks"
LOOK = "_look"  # the mark of the files that all pages load
CODE = "_code"  # the mark of the package, for pages that are made by its code


def mark(root: Path, name: str, content: str) -> None:
    """Write a mark, unless its content is the same as before."""
    path = root / MARKS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != content:
        path.write_text(content, "utf-8")


def note_mark(env, name: str) -> None:
    """Have the page that is being read depend on a mark.

    If Sphinx runs without `press.build`, there is no mark, and the page is read each time.
    """
    env.note_dependency(str(Path(env.srcdir, MARKS, name)))


def _note_outputs(app, doctree) -> None:
    """Have a chapter depend on the outputs of its notebook."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix == ".ipynb":
        note_mark(app.env, path.stem)


def to_write(app, env) -> Iterator[str]:
    """Yield the pages that are older than the files they load."""
    for docname in env.found_docs:
        page = page_file(app.builder, docname)
        written = page.stat().st_mtime_ns if page.exists() else 0
        figures = env.metadata[docname].get("figures", ())
        marks = (Path(app.srcdir, MARKS, name) for name in (LOOK, *figures))
        if any(each.exists() and each.stat().st_mtime_ns > written for each in marks):
            yield docname


def setup(app) -> None:
    """Register the marks with Sphinx."""
    app.connect("doctree-read", _note_outputs)
    app.connect("env-updated", to_write)
