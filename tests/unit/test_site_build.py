"""What changed is made again, and nothing else."""

import shutil

import nbformat
import pytest

from rnn_helpers.site import build

CACHES = (".jupyter_cache", ".doctrees")


@pytest.fixture
def root(tmp_path):
    """A small repository that was built."""
    for name in ("rnn_helpers/site", "rnn_helpers/explore/static", "book"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("numpy==2\n")
    (tmp_path / "rnn_helpers/core.py").write_text("x = 1\n")
    (tmp_path / "rnn_helpers/site/page.css").write_text("a {}\n")
    (tmp_path / "rnn_helpers/explore/static/host.js").write_text("1\n")
    (tmp_path / "rnn_helpers/explore/static/manifest.json").write_text("{}\n")
    (tmp_path / "_config.yml").write_text("execute: {timeout: 60}\n")
    (tmp_path / "_toc.yml").write_text(
        "root: book/index\nparts:\n- chapters:\n  - file: book/02_one\n  - file: book/notation\n"
    )
    build.forget_what_changed(tmp_path)
    for cache in CACHES:
        (tmp_path / "_build" / cache).mkdir(parents=True)
    return tmp_path


def kept(root):
    return [cache for cache in CACHES if (root / "_build" / cache).exists()]


def test_nothing_changed_nothing_forgotten(root):
    build.forget_what_changed(root)
    assert kept(root) == list(CACHES)


@pytest.mark.parametrize(
    "path",
    ["rnn_helpers/core.py", "requirements.txt", "rnn_helpers/explore/static/manifest.json"],
)
def test_a_change_of_the_package_runs_the_notebooks_again(root, path):
    (root / path).write_text("other\n")
    build.forget_what_changed(root)
    assert kept(root) == []


@pytest.mark.parametrize(
    "path", ["rnn_helpers/site/page.css", "rnn_helpers/explore/static/host.js"]
)
def test_a_change_of_looks_makes_pages_again_and_runs_nothing(root, path):
    (root / path).write_text("other\n")
    build.forget_what_changed(root)
    assert kept(root) == [".jupyter_cache"]


def test_a_file_that_came_or_went_is_a_change(root):
    (root / "rnn_helpers/new.py").write_text("")
    build.forget_what_changed(root)
    assert kept(root) == []


def test_what_is_remembered_is_the_last_state(root):
    (root / "rnn_helpers/core.py").write_text("x = 2\n")
    build.forget_what_changed(root)
    (root / "_build" / ".jupyter_cache").mkdir()
    build.forget_what_changed(root)
    assert kept(root) == [".jupyter_cache"]


def test_a_notebook_that_fails_stops_the_build_and_shows_where(root, capsys):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0  # here")])
    nbformat.write(notebook, root / "book/02_one.ipynb")
    shutil.rmtree(root / "_build")
    assert build.build(root) == 1
    told = capsys.readouterr().err
    assert "ZeroDivisionError" in told
    assert "book/02_one.ipynb failed" in told
