"""A page is read or written again when its sources have changed."""

import sys
from types import SimpleNamespace

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from press import fresh

PAGES = ("index", "chapter", "claim", "plain")


class Book:
    """A small book: its chapter has the figure unfold, and its claim depends on the code."""

    def __init__(self, root):
        self.root = root
        for name in PAGES:
            (root / f"{name}.md").write_text(f"# {name}\n", "utf-8")
        (root / "index.md").write_text(
            "# All\n\n```{toctree}\nchapter\nclaim\nplain\n```\n", "utf-8"
        )
        for name in (fresh.LOOK, fresh.CODE, "unfold", "step"):
            fresh.mark(root, name, "before")

    def setup(self, app):
        """Record the pages' events; Sphinx calls this as an extension's setup."""
        fresh.setup(app)
        app.connect("source-read", self.read)
        app.connect("doctree-resolved", lambda app, tree, name: self.written.add(name))

    def read(self, app, docname, source):
        """Note a page's figures and marks, as directives do."""
        self.was_read.add(docname)
        if docname == "chapter":
            app.env.metadata[docname]["figures"] = ["unfold"]
        if docname == "claim":
            fresh.note_mark(app.env, fresh.CODE)

    def build(self):
        """Return which pages are read and which are written."""
        self.was_read, self.written = set(), set()
        folders = self.root, None, self.root / "html", self.root / "doctrees"
        settings = {"extensions": ["myst_nb", "fresh_book"]}
        with docutils_namespace(), pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "fresh_book", SimpleNamespace(setup=self.setup))
            Sphinx(*folders, "html", settings, status=None).build()
        return self.was_read, self.written


@pytest.mark.slow
def test_a_change_makes_only_the_pages_again_that_it_affects(tmp_path):
    book = Book(tmp_path)
    assert book.build() == (set(PAGES), set(PAGES))
    assert book.build() == (set(), set())
    for name, read, written in (  # Sphinx writes the page that lists a page, too
        ("unfold", set(), {"chapter", "index"}),
        ("step", set(), set()),
        (fresh.LOOK, set(), set(PAGES)),
        (fresh.CODE, {"claim"}, {"claim", "index"}),
    ):
        fresh.mark(tmp_path, name, "before")
        assert book.build() == (set(), set())
        fresh.mark(tmp_path, name, "after")
        assert book.build() == (read, written), name
