"""The internal parts of Sphinx, myst-nb and jupyter-cache that the site uses still work."""

import sys
from pathlib import Path

import nbformat
import pytest
from docutils import nodes
from jupyter_cache import get_cache
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from press import internals
from press.renderers import FIGURE, UnfoldedRenderers, living_figure

OUTPUTS = [
    new_output("stream", name="stdout", text="4\n"),
    new_output("display_data", data={FIGURE: {"module": "unfold"}}),
]
CHAPTER = new_notebook(
    cells=[
        new_markdown_cell("# One\n\n$$x = 1$$\n\n```{exercise} Try\n:label: ex-try\nDo it.\n```"),
        new_code_cell("2 + 2", metadata={"tags": ["mine"]}, outputs=OUTPUTS, execution_count=1),
    ]
)


class Seen(dict):
    """Build a small book with one chapter; return the functions' results during the build."""

    def setup(self, app):
        """Register the inspection; Sphinx calls this as an extension's setup."""
        internals.add_plugin(UnfoldedRenderers)
        app.add_html_math_renderer("own", (skip, None), (self.block, None))
        app.add_node(living_figure, html=(skip, None))
        app.add_js_file(None, body="1 + 1")
        app.connect("doctree-read", self.read)
        app.connect("env-check-consistency", lambda app, env: internals.number_exercises(env))
        app.connect("html-page-context", self.page)

    def read(self, app, tree):
        """Look at the chapter when it has been read."""
        if app.env.docname != "book/04_one":
            return
        (block,) = tree.findall(nodes.math_block)
        internals.note_equation(app.env, "eq-10.9", "G 10.9", block)
        self["cells"] = internals.cells(tree)
        self["numbers"] = {internals.cell_number(node) for node in tree.findall(nodes.Element)}

    def page(self, app, pagename, templatename, context, tree):
        """Look at a page when it is written."""
        self[pagename] = internals.picture_address(app.builder)
        self["scripts"] = [internals.script_attributes(each) for each in context["script_files"]]

    def block(self, translator, node):
        """Write a displayed formula."""
        node["ids"] = ["equation-eq-10-9"]
        internals.add_permalink(translator, node, "Here")
        raise nodes.SkipNode


def skip(translator, node):
    raise nodes.SkipNode


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    root = tmp_path_factory.mktemp("book")
    (root / "book").mkdir()
    (root / "index.md").write_text("# All\n\n```{toctree}\nbook/04_one\n```\n", "utf-8")
    nbformat.write(CHAPTER, root / "book/04_one.ipynb")
    settings = {
        "extensions": ["myst_nb", "sphinx_exercise", "looks"],
        "nb_execution_mode": "off",
        "myst_enable_extensions": ["dollarmath"],
        "html_math_renderer": "own",
        "numfig": True,
    }
    seen = Seen()
    with docutils_namespace(), pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "looks", seen)
        folders = root, None, root / "html", root / "doctrees"
        app = Sphinx(*folders, "html", settings, status=None)
        app.build()
    seen["app"] = app
    return seen


@pytest.mark.slow
def test_an_equation_has_our_number(seen):
    assert internals.equations(seen["app"].env) == {"eq-10.9": ("book/04_one", "G 10.9")}


@pytest.mark.slow
def test_a_page_can_be_quoted_after_it_was_read(seen):
    tree = internals.doctree(seen["app"].env, "book/04_one")
    assert [block.astext() for block in tree.findall(nodes.math_block)] == ["x = 1"]


@pytest.mark.slow
def test_an_exercise_is_numbered_by_its_chapter(seen):
    ((docname, label, number, node),) = internals.exercises(seen["app"].env)
    assert (docname, label, number) == ("book/04_one", "ex-try", "4.1")
    assert "Do it." in node.astext()


@pytest.mark.slow
def test_pictures_have_a_folder_and_an_address_on_each_page(seen):
    folder = internals.picture_folder(seen["app"].builder)
    assert folder == Path(seen["app"].outdir, "_images")
    assert (seen["index"], seen["book/04_one"]) == ("_images", "../_images")


@pytest.mark.slow
def test_a_page_is_a_file(seen):
    path = internals.page_file(seen["app"].builder, "book/04_one")
    assert "<title>One" in path.read_text("utf-8")


@pytest.mark.slow
def test_an_inline_script_is_known_by_its_body(seen):
    assert "1 + 1" in [attributes.get("body") for attributes in seen["scripts"]]


@pytest.mark.slow
def test_a_formula_has_a_link_to_itself(seen):
    page = internals.page_file(seen["app"].builder, "book/04_one").read_text("utf-8")
    assert 'href="#equation-eq-10-9" title="Here"' in page


@pytest.mark.slow
def test_a_plugin_knows_its_page(seen):
    assert seen["app"].env.metadata["book/04_one"]["figures"] == ["unfold"]


@pytest.mark.slow
def test_a_cell_has_tags_code_and_output(seen):
    (cell,) = seen["cells"]
    assert internals.is_cell(cell.node)
    assert cell.tags == {"mine"}
    assert (cell.code.astext(), cell.output.astext().strip()) == ("2 + 2", "4")


@pytest.mark.slow
def test_a_node_knows_its_cell(seen):
    assert seen["numbers"] >= {0, 1}
    assert seen["numbers"] <= {0, 1, None}


def test_the_index_is_read_and_written_without_blanks():
    script = 'Search.setIndex({"b": [1, 2], "a": {}})\n'
    assert internals.read_index(script) == {"a": {}, "b": [1, 2]}
    assert internals.write_index({"b": [1, 2], "a": {}}) == 'Search.setIndex({"a":{},"b":[1,2]})'
    with pytest.raises(ValueError, match="not one that Sphinx writes"):
        internals.read_index("function () {}")


@pytest.fixture
def path(tmp_path):
    """The file of a notebook without outputs."""
    cell = new_code_cell("2 + 2", metadata={"tags": ["mine"]})
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "one.ipynb")
    return tmp_path / "one.ipynb"


def test_outputs_are_kept_with_our_data_until_the_code_changes(path, tmp_path):
    cache = get_cache(tmp_path / "kept")
    assert internals.kept_record(cache, path) is None
    internals.keep_outputs(cache, path, CHAPTER, {"our": "data"})
    assert internals.kept_record(cache, path).data == {"our": "data"}
    notebook = nbformat.read(path, as_version=4)
    merged = internals.kept_outputs(tmp_path / "kept", notebook)
    assert [output.output_type for output in merged.cells[0].outputs] == ["stream", "display_data"]
    notebook.cells[0].source = "2 + 3"
    with pytest.raises(KeyError):
        internals.kept_outputs(tmp_path / "kept", notebook)


def test_damage_is_reported(path, tmp_path):
    cache = get_cache(tmp_path / "kept")
    internals.keep_outputs(cache, path, CHAPTER, {})
    (tmp_path / "kept/global.db").write_text("x" * 5000, "utf-8")
    with pytest.raises(ValueError, match="database"):
        internals.kept_outputs(tmp_path / "kept", nbformat.read(path, as_version=4))


def test_a_full_disk_ends_the_build_with_its_reason(tmp_path, monkeypatch):
    (tmp_path / "_toc.yml").write_text("{root: book/index, parts: []}", "utf-8")
    full = OSError(28, "No space left on device")
    monkeypatch.setattr("jupyter_book.sphinx.build_sphinx", lambda *_, **__: full)
    with pytest.raises(OSError, match="No space left"):
        internals.build_pages(tmp_path, 1)
    monkeypatch.setattr("jupyter_book.sphinx.build_sphinx", lambda *_, **__: ValueError())
    assert internals.build_pages(tmp_path, 1) == 1
