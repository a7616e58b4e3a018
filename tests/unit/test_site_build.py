"""A build repeats only the work that a change affects."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from jupyter_cache import get_cache

from press import build, fresh, launch
from press.executor import run

ROOT = Path(__file__).parents[2]
CACHES = (".jupyter_cache", ".doctrees")
FILES = {
    "requirements.txt": "numpy==2\n",
    "rnn_helpers/core.py": "x = 1\n",
    "rnn_helpers/exercises/chapter_02.py": "y = 1\n",
    "rnn_helpers/claims/chapter_02/one/__init__.py": "z = 1\n",
    "rnn_helpers/claims/chapter_02/one/result.json": "{}\n",
    "press/directives.py": "w = 1\n",
    "press/static/unfolded.css": "a {}\n",
    "rnn_helpers/figures/unfold/figure.py": "t = 1\n",
    "rnn_helpers/explore/static/host.js": "1\n",
    "rnn_helpers/explore/static/manifest.json": '{"unfold": 1, "step": 1}',
    "rnn_helpers/figures/unfold/built/unfold.js": "2\n",
    "rnn_helpers/figures/step/built/step.js": "3\n",
    "book/files/rnn.py": "u = 1\n",
    "_config.yml": "execute: {timeout: 60}\n",
    "_toc.yml": "root: book/index\n"
    "parts:\n- chapters:\n  - file: book/02_one\n  - file: book/notation\n",
}


@pytest.fixture
def root(tmp_path):
    """A small repository that was built."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    for name in build.BEHIND_PAGES:
        (tmp_path / "rnn_helpers" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "rnn_helpers" / name).touch()
    build.forget_what_changed(tmp_path)
    for cache in CACHES:
        (tmp_path / "_build" / cache).mkdir(parents=True)
    return tmp_path


def kept(root):
    return [cache for cache in CACHES if (root / "_build" / cache).exists()]


def test_without_changes_every_page_is_kept(root):
    build.forget_what_changed(root)
    assert kept(root) == list(CACHES)


def test_other_packages_make_everything_again(root):
    (root / "requirements.txt").write_text("other\n", "utf-8")
    build.forget_what_changed(root)
    assert kept(root) == []


@pytest.mark.parametrize(
    "name", ["press/directives.py", "press/new.py", "rnn_helpers/palette.json"]
)
def test_a_new_page_format_renders_again_without_a_run(root, name):
    (root / name).write_text("other\n", "utf-8")
    build.forget_what_changed(root)
    assert kept(root) == [".jupyter_cache"]


@pytest.mark.parametrize(
    "path",
    [
        "rnn_helpers/core.py",
        "rnn_helpers/exercises/chapter_02.py",
        "rnn_helpers/claims/chapter_02/one/__init__.py",
        "rnn_helpers/claims/chapter_02/one/result.json",
        "press/static/unfolded.css",
        "rnn_helpers/figures/unfold/built/unfold.js",
        "rnn_helpers/explore/static/manifest.json",
    ],
)
def test_no_other_change_forgets_anything(root, path):
    (root / path).write_text("other\n", "utf-8")
    build.forget_what_changed(root)
    assert kept(root) == list(CACHES)


def test_another_edition_makes_the_site_again_from_what_was_read(root):
    (root / "_build/html").mkdir()
    build.forget_what_changed(root)
    assert (root / "_build/html").exists()
    (root / "_toc.yml").write_text("{root: book/index, parts: []}", "utf-8")
    build.forget_what_changed(root)
    assert not (root / "_build/html").exists()
    assert kept(root) == list(CACHES)


def test_the_last_state_is_remembered(root):
    (root / "requirements.txt").write_text("other\n", "utf-8")
    build.forget_what_changed(root)
    (root / "_build" / ".jupyter_cache").mkdir()
    build.forget_what_changed(root)
    assert kept(root) == [".jupyter_cache"]


def test_each_module_that_makes_pages_is_watched():
    """Pages of claims and figures depend on all code; none on decks, `make new` or the wheel."""
    others = {"claims.py", "directives.py", "gallery.py", "new.py", "slides.py", "wheel.py"}
    imports = re.compile(r"from rnn_helpers\.([\w.]+) import")
    found = {
        name.replace(".", "/")
        for path in (ROOT / build.PRESS).glob("*.py")
        if path.name not in others
        for name in imports.findall(path.read_text("utf-8"))
    }
    # The frame of command lines, which makes no page; the facade of html and states; the equations,
    # whose index is made at each build.
    assert found - {"commands", "explore", "reference"} <= {
        name.partition(".")[0] for name in build.BEHIND_PAGES
    }


RESULT = "rnn_helpers/claims/chapter_02/one/result.json"
READ = ["rnn_helpers/core.py", RESULT, "rnn_helpers/exercises/"]


def changes(root, read, path, text="other\n"):
    """Return whether outputs with recorded files are stale after another file changes."""

    def record():
        now = build.contents(root)
        return SimpleNamespace(data={"read": {name: now.get(name) for name in read}})

    before = record()
    assert build.is_fresh(before, build.contents(root))
    (root / path).write_text(text, "utf-8")
    return not build.is_fresh(before, build.contents(root))


@pytest.mark.parametrize("path", READ[:2])
def test_a_change_of_a_file_that_a_notebook_read_runs_it_again(root, path):
    assert changes(root, READ, path)


@pytest.mark.parametrize(
    "path",
    [
        "rnn_helpers/other.py",
        "rnn_helpers/exercises/chapter_02.py",
        "rnn_helpers/claims/chapter_02/one/__init__.py",
        "press/directives.py",
    ],
)
def test_a_change_of_another_file_runs_no_notebook(root, path):
    assert not changes(root, READ, path)


def test_a_file_that_comes_or_goes_in_a_listed_folder_runs_the_notebook_again(root):
    assert changes(root, READ, "rnn_helpers/exercises/chapter_03.py")
    assert changes(root, ["rnn_helpers/new.py"], "rnn_helpers/new.py")


SHOWN = ["rnn_helpers/figures/unfold/built/unfold.js", "rnn_helpers/explore/static/host.js"]
MANIFEST = "rnn_helpers/explore/static/manifest.json"


@pytest.mark.parametrize("path", SHOWN)
def test_a_figures_bundle_runs_no_notebook(root, path):
    assert not changes(root, [*SHOWN, MANIFEST], path)


def test_only_a_figures_own_module_reads_its_entry_in_the_manifest():
    for path in (ROOT / build.PACKAGE).rglob("*.py"):
        for name in re.findall(r"manifest\(\)\[\"(\w+)\"\]", path.read_text("utf-8")):
            assert path.match(f"figures/{name}/*.py") or path.match("exercises/test_*.py")


@pytest.mark.parametrize("read", [SHOWN, ["rnn_helpers/figures/unfold/figure.py"]])
@pytest.mark.parametrize(
    ("words", "stale"),
    [({"unfold": 1, "step": 2}, False), ({"unfold": 2}, True), ({}, True)],
)
def test_the_words_of_a_figure_run_the_notebooks_that_use_it(root, read, words, stale):
    assert changes(root, [*read, MANIFEST], MANIFEST, json.dumps(words)) == stale


def test_where_anything_may_have_been_read_any_change_runs_the_notebook_again(root):
    assert changes(root, ["*"], "rnn_helpers/exercises/chapter_02.py")


@pytest.mark.parametrize("data", [{}, {"read": {}}])
def test_outputs_without_a_record_are_stale(data):
    assert not build.is_fresh(SimpleNamespace(data=data), {})
    assert not build.is_fresh(None, {})


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        ("rnn_helpers/figures/unfold/built/unfold.js", ["unfold"]),
        ("rnn_helpers/explore/static/host.js", [fresh.LOOK]),
        ("press/static/unfolded.css", [fresh.LOOK]),
        ("rnn_helpers/core.py", [fresh.CODE]),
        ("rnn_helpers/explore/static/manifest.json", [fresh.CODE]),
        (RESULT, []),
        ("rnn_helpers/claims/chapter_02/one/__init__.py", []),
        ("rnn_helpers/exercises/chapter_02.py", ["exercises-02"]),
    ],
)
def test_a_change_changes_the_marks_of_its_dependents(root, path, changed):
    def marks():
        build.mark_what_changed(root)
        return {path.name: path.stat().st_mtime_ns for path in (root / fresh.MARKS).iterdir()}

    before = marks()
    assert marks() == before
    (root / path).write_text("other\n", "utf-8")
    after = marks()
    assert sorted(name for name in after if after[name] != before[name]) == changed


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
    """Return the log of kernels without any warning to give.

    A kernel that is asked to end may write to a socket that is closed, and complain (ipykernel).
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


@pytest.mark.slow
def test_a_notebook_runs_again_when_a_module_that_it_imports_changes(root, capfd):
    write(root, "import sys\nsys.path.append('files')\nimport rnn\nprint(rnn.u)")
    mark = root / fresh.MARKS / "02_one"
    seen = []
    for text in ("u = 1", "u = 1  # one", "u = 2"):
        (root / "book/files/rnn.py").write_text(text, "utf-8")
        assert build.execute(root) == {}
        assert heard(capfd) == "ran book/02_one.ipynb\n"
        seen.append(mark.read_text("utf-8"))
    assert seen[0] == seen[1] != seen[2]  # the same outputs give the same page
    (root / "rnn_helpers/core.py").write_text("other", "utf-8")
    assert build.execute(root) == {}
    assert heard(capfd) == ""


def test_the_name_of_a_widget_makes_no_page_again():
    def shown(text, name):
        data = {"text/plain": text, "application/vnd.jupyter.widget-view+json": {"model_id": name}}
        cell = nbformat.v4.new_code_cell(outputs=[nbformat.v4.new_output("display_data", data)])
        return build.shown(nbformat.v4.new_notebook(cells=[cell]))

    assert shown("4", "c1f1b4d8") == shown("4", "b649b785") != shown("5", "c1f1b4d8")


@pytest.mark.slow
def test_a_kernel_reports_read_files_and_adds_no_names(root):
    write(root, "import os\nos.listdir('files')\nopen('../_toc.yml').close()")
    folders = {"book": str(root / "book")}
    read = run(root / "book/02_one.ipynb", 60, folders).read
    assert "book/files/" in read
    assert not any("_toc" in name for name in read)
    names = "print(*(k for k in globals() if k[0] != '_'))"
    write(root, f"import subprocess\nsubprocess.run(['true'])\n{names}")
    ran = run(root / "book/02_one.ipynb", 60, folders)
    assert "*" in ran.read
    named = set(ran.notebook.cells[0].outputs[0].text.split())
    assert named == {"In", "Out", "exit", "get_ipython", "open", "quit", "subprocess"}


@pytest.mark.slow
def test_listing_system_libraries_reads_no_file_of_the_book(root):
    code = "import subprocess, sys\nif sys.platform == 'linux':\n    subprocess.run({})"
    write(root, code.format("['/sbin/ldconfig', '-p'], capture_output=True"))
    folders = {"book": str(root / "book")}
    assert "*" not in run(root / "book/02_one.ipynb", 60, folders).read


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "imported"),
    [
        ("experiments.load('sharing')", "rnn_helpers.claims.chapter_01.sharing"),
        ("checks.check('03-count-parameters', ...)", "rnn_helpers.exercises.chapter_03"),
    ],
)
def test_a_notebook_depends_on_its_own_claims_and_checks_alone(call, imported):
    code = f"""import sys
from rnn_helpers import checks, experiments
{call}
print(*sys.modules, sep="\\n")"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = re.compile(r"rnn_helpers\.(claims\.chapter_\d\d\.|exercises\.chapter_)\w+")
    assert [*filter(own.fullmatch, done.stdout.splitlines())] == [imported]


@pytest.fixture
def cache(root):
    """Return the cache after a notebook ran."""
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


def test_failing_pages_come_with_a_remedy(root, capsys, monkeypatch):
    monkeypatch.setattr(build, "execute", lambda root: {})
    monkeypatch.setattr(build, "build_pages", lambda *_: 1)
    assert build.build(root) == 1
    assert "make clean" in capsys.readouterr().err


@pytest.mark.parametrize("main", [build.main, launch.main])
def test_unknown_arguments_of_a_command_are_refused_by_name(main, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["foo"])
    assert "unrecognized arguments: foo" in capsys.readouterr().err


@pytest.mark.slow
def test_printed_text_in_several_pieces_is_one_output(root):
    """A slide once had two outputs, and no room for the second."""
    write(root, "import time\nfor k in range(3):\n    print(k, flush=True)\n    time.sleep(0.3)")
    ran = run(root / "book/02_one.ipynb", 60, {})
    assert ran.traceback == ""
    assert [output.text for output in ran.notebook.cells[0].outputs] == ["0\n1\n2\n"]
