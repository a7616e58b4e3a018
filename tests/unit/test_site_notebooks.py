"""The notebooks that pages offer, once a repository is named."""

import zipfile
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from press import downloads, notebooks

REPOSITORY = {"url": "https://github.com/OWNER/NAME", "branch": "classroom"}


@pytest.fixture(autouse=True)
def light(monkeypatch):
    """A wheel that takes no time to build."""

    def build_wheel(folder):
        (folder / "rnn_helpers-0-py3-none-any.whl").write_bytes(b"a wheel")
        return folder / "rnn_helpers-0-py3-none-any.whl"

    monkeypatch.setattr(notebooks, "build_wheel", build_wheel)


def written(root, config):
    """Write a book of one chapter with these settings; return the chapter's copy in the site."""
    (root / "book").mkdir()
    chapter = new_notebook(cells=[new_markdown_cell("# One", id="title"), new_code_cell("x = 1")])
    nbformat.write(chapter, root / "book/01_one.ipynb")
    (root / "_config.yml").write_text(yaml.safe_dump(config), "utf-8")
    app = SimpleNamespace(srcdir=root, outdir=root / "html", builder=SimpleNamespace(format="html"))
    notebooks._write(app, None)
    return (root / "html/book/notebooks/01_one.ipynb").read_text("utf-8")


@pytest.mark.slow  # for the tools it imports
def test_a_notebook_installs_the_package_from_the_repository(tmp_path):
    copy = written(tmp_path, {"title": "Book", "repository": REPOSITORY})
    assert "install --quiet https://github.com/OWNER/NAME/raw/classroom/book/rnn_helpers-" in copy


@pytest.mark.slow
def test_without_a_repository_the_package_lies_beside_the_notebook(tmp_path):
    copy = written(tmp_path, {"title": "Book"})
    assert "install --quiet ./rnn_helpers-" in copy
    assert "https:" not in copy


@pytest.mark.parametrize("more", [{}, {"repository": REPOSITORY}])
def test_the_archive_has_the_package_beside_the_notebooks_that_install_it(tmp_path, more):
    written(tmp_path, {"title": "Book"} | more)
    with zipfile.ZipFile(tmp_path / "html/book/notebooks" / downloads.ARCHIVE) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    copy = files["unfolded-notebooks/01_one.ipynb"].decode()
    assert "install --quiet ./rnn_helpers-" in copy
    assert "https:" not in copy
    assert files["unfolded-notebooks/rnn_helpers-0-py3-none-any.whl"] == b"a wheel"


def test_the_line_offers_the_chapter_and_the_archive():
    line = notebooks.line("book/01_one")
    assert 'href="notebooks/01_one.ipynb"' in line
    assert f'href="notebooks/{downloads.ARCHIVE}"' in line


def test_the_line_has_a_link_for_each_launch_button():
    buttons = [{"text": "Colab", "url": "https://example.org/?a=1&b=2"}]
    context = {
        "header_buttons": [{"label": "launch-buttons", "buttons": buttons}],
        "body": f"<h1>One</h1>{notebooks.line('book/01_one')}<p>More.</p>",
    }
    notebooks._offer(None, "book/01_one", "page.html", context, None)
    assert ' · <a href="https://example.org/?a=1&amp;b=2">Colab</a></p><p>More.' in context["body"]
