"""What changed is made again, and nothing else."""

import re
import shutil
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from jupyter_cache import get_cache

from rnn_helpers.site import build, launch
from rnn_helpers.site.executor import run

CACHES = (".jupyter_cache", ".doctrees")


@pytest.fixture
def root(tmp_path):
    """A small repository that was built."""
    for name in ("rnn_helpers/site", "rnn_helpers/explore/static", "book"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "requirements.txt").write_text("numpy==2\n", "utf-8")
    (tmp_path / "rnn_helpers/core.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "rnn_helpers/site/page.css").write_text("a {}\n", "utf-8")
    (tmp_path / "rnn_helpers/explore/static/host.js").write_text("1\n", "utf-8")
    (tmp_path / "rnn_helpers/explore/static/manifest.json").write_text("{}\n", "utf-8")
    (tmp_path / "_config.yml").write_text("execute: {timeout: 60}\n", "utf-8")
    (tmp_path / "_toc.yml").write_text(
        "root: book/index\nparts:\n- chapters:\n  - file: book/02_one\n  - file: book/notation\n",
        "utf-8",
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
    (root / path).write_text("other\n", "utf-8")
    build.forget_what_changed(root)
    assert kept(root) == []


@pytest.mark.parametrize(
    "path", ["rnn_helpers/site/page.css", "rnn_helpers/explore/static/host.js"]
)
def test_a_change_of_looks_makes_pages_again_and_runs_nothing(root, path):
    (root / path).write_text("other\n", "utf-8")
    build.forget_what_changed(root)
    assert kept(root) == [".jupyter_cache"]


def test_a_file_that_came_or_went_is_a_change(root):
    (root / "rnn_helpers/new.py").write_text("", "utf-8")
    build.forget_what_changed(root)
    assert kept(root) == []


def test_what_is_remembered_is_the_last_state(root):
    (root / "rnn_helpers/core.py").write_text("x = 2\n", "utf-8")
    build.forget_what_changed(root)
    (root / "_build" / ".jupyter_cache").mkdir()
    build.forget_what_changed(root)
    assert kept(root) == [".jupyter_cache"]


@pytest.mark.slow
def test_a_notebook_that_fails_stops_the_build_and_shows_where(root, capsys):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0  # here")])
    nbformat.write(notebook, root / "book/02_one.ipynb")
    shutil.rmtree(root / "_build")
    assert build.build(root) == 1
    told = capsys.readouterr().err
    assert "ZeroDivisionError" in told
    assert "book/02_one.ipynb failed" in told


def write(root, source):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    nbformat.write(notebook, root / "book/02_one.ipynb")


def heard(capfd):
    """What was told, of kernels that have nothing to warn of.

    One that is told to end may still write to a socket that is closed, and complain (ipykernel).
    """
    told, complaint = capfd.readouterr()
    assert "warning" not in complaint.lower()
    return told


@pytest.mark.slow
def test_a_notebook_runs_once_and_again_when_its_output_is_gone(root, capfd):
    shutil.rmtree(root / "_build")
    write(root, "print(1 + 1)")
    for told in ("ran book/02_one.ipynb\n", ""):
        assert build.execute(root) == {}
        assert heard(capfd) == told
    next((root / "_build").rglob("base.ipynb")).unlink()
    assert build.execute(root) == {}
    told = heard(capfd)
    assert "damaged" in told
    assert told.endswith("ran book/02_one.ipynb\n")


@pytest.fixture
def cache(root):
    """What is kept of a notebook that ran."""
    write(root, "1 + 1")
    folder = root / "_build" / ".jupyter_cache"
    kept = get_cache(folder)
    path = str(root / "book/02_one.ipynb")
    kept.add_nb_to_project(path)
    kept.cache_notebook_file(path, check_validity=False)
    return folder


@pytest.mark.slow
def test_a_sound_cache_is_kept(cache, capsys):
    build.heal(cache)
    assert next(cache.rglob("base.ipynb")).exists()
    assert capsys.readouterr().out == ""


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGES = {
    "cut": lambda cache: cut(cache / "global.db"),
    "empty": lambda cache: (cache / "global.db").write_bytes(b""),
    "not-a-database": lambda cache: (cache / "global.db").write_text("x" * 5000, "utf-8"),
    "output-gone": lambda cache: next(cache.rglob("base.ipynb")).unlink(),
    "outputs-gone": lambda cache: shutil.rmtree(cache / "executed"),
    "output-cut": lambda cache: cut(next(cache.rglob("base.ipynb"))),
    "output-empty": lambda cache: next(cache.rglob("base.ipynb")).write_text("{}", "utf-8"),
}


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_cache_is_forgotten(cache, capsys, damage):
    damage(cache)
    build.heal(cache)
    assert not list(cache.rglob("base.ipynb"))
    assert "damaged" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("content", ["", "{", "<<<<<<< HEAD", "[]", "null", "{}", '{"cells": 3}'])
def test_a_file_that_is_no_notebook_is_named(root, capsys, content):
    (root / "book/02_one.ipynb").write_text(content, "utf-8")
    assert build.build(root) == 1
    assert re.search(
        r"not a notebook: .+\s+book/02_one.ipynb failed", capsys.readouterr().err, re.DOTALL
    )


def test_a_setting_that_is_no_yaml_is_named(root):
    (root / "_toc.yml").write_text("parts: [", "utf-8")
    with pytest.raises(yaml.YAMLError, match=r"_toc\.yml"):
        build.notebooks(root)


def test_where_the_pages_fail_the_way_out_is_told(root, capsys, monkeypatch):
    monkeypatch.setattr(build, "execute", lambda root: {})
    monkeypatch.setattr(build.subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=1))
    assert build.build(root) == 1
    assert "make clean" in capsys.readouterr().err


@pytest.mark.parametrize("main", [build.main, launch.main])
def test_what_a_command_does_not_know_is_refused_by_name(main, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["foo"])
    assert "unrecognized arguments: foo" in capsys.readouterr().err


@pytest.mark.slow
def test_printed_text_is_one_output_in_however_many_pieces_it_comes(root):
    """A slide once had two outputs, and no room for the second."""
    write(root, "import time\nfor k in range(3):\n    print(k, flush=True)\n    time.sleep(0.3)")
    book, traceback = run(root / "book/02_one.ipynb", timeout=60)
    assert traceback == ""
    assert [output.text for output in book.cells[0].outputs] == ["0\n1\n2\n"]
