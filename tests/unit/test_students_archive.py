"""The archives: complete, the same for the same files, clear about missing files."""

import ast
import re
import zipfile

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from press import classroom
from press.classroom import BOOK, ROOT, site_files, write_zip
from press.edition import chapters
from press.secrets import take_out
from press.students import student, wheel_name

DECK = """---
chapter: {chapter}
title: A loop
question: How long is it?
---
# Part

## First

{from: one, show: code}

::: notes
minutes: 4

Ask: why?
:::
"""


NAMES = ("02_loop", "03_net")
SEARCH = 'Search.setIndex({"docnames": [], "terms": {}, "titleterms": {}, "alltitles": {}})'


@pytest.fixture
def book(tmp_path):
    folder = tmp_path / "book"
    (folder / "slides").mkdir(parents=True)
    for name in NAMES:
        deck = DECK.replace("{chapter}", name).replace("why", f"why {name}")
        (folder / f"slides/{name}.md").write_text(deck, "utf-8")
        cells = [
            new_markdown_cell(f"# On {name}", id="title"),
            new_code_cell("x = 1", id="one"),
            new_markdown_cell("```{solution} ex\n:label: sol\nTHREE\n```", id="solution"),
        ]
        nbformat.write(new_notebook(cells=cells), folder / f"{name}.ipynb")
    return folder


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    files = {
        "index.html": '<img src="_images/shown.png">',
        "searchindex.js": SEARCH,
        "x.js": "",
        "x.js.map": "",
        "_images/shown.png": "",
        "_images/forgotten.png": "",
    }
    for name in NAMES:
        files[f"book/{name}.html"] = f'{name}<div class="solution">THREE</div>'
        files[f"book/slides/{name}.html"] = f'{name}<aside class="notes">Ask: why?</aside>'
        files[f"book/notebooks/{name}.ipynb"] = "THREE"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def light(monkeypatch):
    """A wheel that takes no time to build."""

    def build_wheel(folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "rnn_helpers-0-py3-none-any.whl").write_bytes(b"a wheel")
        return folder / "rnn_helpers-0-py3-none-any.whl"

    monkeypatch.setattr(classroom, "build_wheel", build_wheel)


def read(archive):
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_the_same_files_give_the_same_archive(tmp_path):
    (tmp_path / "a").write_text("a" * 1000, "utf-8")
    files = {"z/a.txt": tmp_path / "a", "b.txt": b"b"}
    first = write_zip(tmp_path / "first.zip", files).read_bytes()
    (tmp_path / "a").touch()
    second = write_zip(tmp_path / "second.zip", dict(reversed(files.items()))).read_bytes()
    assert first == second
    assert zipfile.ZipFile(tmp_path / "first.zip").namelist() == ["b.txt", "z/a.txt"]


def test_an_archive_that_cannot_be_completed_leaves_the_old_one(tmp_path):
    target = write_zip(tmp_path / "x.zip", {"a": b"a"})
    before = target.read_bytes()
    with pytest.raises(FileNotFoundError):
        write_zip(target, {"a": tmp_path / "missing"})
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["x.zip"]


@pytest.mark.slow
def test_the_wheel_has_the_students_modules_and_no_authors_tools(tmp_path):
    files = read(classroom.build_wheel(tmp_path))
    assert {name.partition("/")[0].partition("-")[0] for name in files} == {"rnn_helpers"}
    package = "rnn_helpers"
    assert f"{package}/experiments/archive/greedy-loops.json" in files
    assert not any(name.startswith(f"{package}/experiments/archive/code/") for name in files)
    figure = f"{package}/figures/stop/"
    assert {name.removeprefix(figure) for name in files if name.startswith(figure)} == {
        "constants.json",
        "figure.py",
        "trained.json",
        *(f"built/stop.{kind}" for kind in ("css", "js", "svg")),
    }


@pytest.mark.slow
def test_no_module_of_the_wheel_imports_what_the_wheel_leaves_out(tmp_path):
    files = read(classroom.build_wheel(tmp_path))
    code = {name.removesuffix(".py"): files[name] for name in files if name.endswith(".py")}
    modules = {name.removesuffix("/__init__").replace("/", ".") for name in code}
    nodes = [node for text in code.values() for node in ast.walk(ast.parse(text))]
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    ours = {name for name in imported if name.partition(".")[0] in ("rnn_helpers", "press")}
    assert ours - modules == set()


@pytest.mark.slow
def test_both_archives_hold_what_start_here_promises(tmp_path, book, site):
    first, second, alone = classroom.classroom(site, book, tmp_path / "dist")
    for archive, folder in ((first, "unfolded"), (second, "unfolded-instructor")):
        files = read(archive)
        start = files[f"{folder}/START-HERE.html"].decode()
        links = re.findall(r'href="([^"#]+)"', start)
        assert {"site/index.html", "site/book/02_loop.html", "site/book/slides/03_net.html"} <= set(
            links
        )
        assert all(f"{folder}/{link}" in files for link in links)
        (wheel,) = (name for name in files if name.endswith(".whl"))
        assert f"{folder}/student/requirements.txt" in files
        assert files[f"{folder}/site/book/notebooks/{alone.name}"] == alone.read_bytes()
        assert wheel.removeprefix(f"{folder}/") in start
        assert not re.search(r'(?:src|href)="(?:https?:)?//', start)
        assert not any(name.endswith(".map") for name in files)
        pictures = [name for name in files if "_images" in name]
        assert pictures == [f"{folder}/site/_images/shown.png"]
    again, _, _ = classroom.classroom(site, book, tmp_path / "again")
    assert again.read_bytes() == first.read_bytes()


def test_the_students_archive_has_no_solution_and_no_note(tmp_path, book, site, light):
    first, _, _ = classroom.classroom(site, book, tmp_path / "dist")
    files = {name: text for name, text in read(first).items() if not name.endswith(".whl")}
    assert not [name for name, text in files.items() if b"THREE" in text or b"Ask:" in text]
    assert b"are not here" in files["unfolded/START-HERE.html"]
    for name in NAMES:
        assert files[f"unfolded/site/book/{name}.html"] == name.encode()
        assert files[f"unfolded/site/book/slides/{name}.html"] == name.encode()
        copy = files[f"unfolded/student/{name}.ipynb"]
        assert f"# On {name}".encode() in copy
        assert files[f"unfolded/site/book/notebooks/{name}.ipynb"] == copy


def test_solutions_and_notes_are_there_when_they_are_asked_for(tmp_path, book, site, light):
    first, _, _ = classroom.classroom(site, book, tmp_path / "dist", solutions=True)
    files = read(first)
    assert b"THREE" in files["unfolded/site/book/02_loop.html"]
    assert b"Ask: why?" in files["unfolded/site/book/slides/02_loop.html"]
    assert b"solution folded below it" in files["unfolded/START-HERE.html"]
    assert b"notes/" not in files["unfolded/START-HERE.html"]
    assert b"THREE" not in files["unfolded/student/02_loop.ipynb"]


def test_the_instructors_archive_has_each_chapter_with_solutions_and_each_decks_notes(
    tmp_path, book, site, light
):
    _, second, _ = classroom.classroom(site, book, tmp_path / "dist")
    files = read(second)
    for name in NAMES:
        notebook = nbformat.reads(
            files[f"unfolded-instructor/instructor/{name}.ipynb"].decode(), as_version=4
        )
        cells = {cell.id: cell.source for cell in notebook.cells}
        assert f"why {name}?" in cells["slide-2"]
        assert "THREE" in cells["solution"]
        notes = files[f"unfolded-instructor/notes/{name}.html"].decode()
        assert f"<strong>Ask:</strong> why {name}?" in notes
        assert b"THREE" in files[f"unfolded-instructor/site/book/{name}.html"]
    start = files["unfolded-instructor/START-HERE.html"].decode()
    links = set(re.findall(r'href="([^"#]+)"', start))
    for name in NAMES:
        assert {f"notes/{name}.html", f"instructor/{name}.ipynb"} <= links
    assert all(f"unfolded-instructor/{link}" in files for link in links)


def test_every_archive_has_its_license_and_its_citation_on_top(tmp_path, book, site, light):
    archives = classroom.classroom(site, book, tmp_path / "dist")
    for archive in archives:
        files = read(archive)
        folder = next(iter(files)).partition("/")[0]
        assert files[f"{folder}/LICENSE"] == (ROOT / "LICENSE").read_bytes()
        first = files.get(f"{folder}/START-HERE.html") or files[f"{folder}/README.txt"]
        assert files[f"{folder}/CITATION.cff"] == (ROOT / "CITATION.cff").read_bytes()
        assert b"LICENSE" in first
        assert b"CITATION.cff" in first


@pytest.mark.parametrize("training", [0, 1, 2])
def test_start_here_names_once_the_chapters_that_need_torch(book, tmp_path, training):
    for name in NAMES[:training]:
        notebook = nbformat.read(book / f"{name}.ipynb", as_version=4)
        notebook.cells[1].metadata["tags"] = ["torch"]
        nbformat.write(notebook, book / f"{name}.ipynb")
    page = " ".join(classroom.start_here(book, tmp_path / "x.whl", False).decode().split())
    told = ["", "Some cells of the chapters 02 need", "Some cells of each chapter need"]
    assert page.count("Some cells of") == bool(training)
    assert told[training] in page


def test_a_site_without_notes_promises_none():
    first = (BOOK / "index.md").read_text("utf-8")
    assert "speaker notes" in first
    for promise in ("speaker notes", "minutes"):
        assert promise not in take_out(first)[0]
    teach = (BOOK / "instructors.md").read_text("utf-8")
    assert "your notes" in teach
    assert "your notes" not in take_out(teach)[0]


def test_the_notebooks_archive_has_what_its_text_installs_and_no_solution(
    tmp_path, book, site, light
):
    first, _, alone = classroom.classroom(site, book, tmp_path / "dist", solutions=True)
    files, handed_out = read(alone), read(first)
    for name in NAMES:
        copy = files[f"unfolded-notebooks/{name}.ipynb"]
        assert copy == handed_out[f"unfolded/student/{name}.ipynb"]
        assert b"THREE" not in copy
    told = files["unfolded-notebooks/README.txt"].decode()
    (line,) = re.findall(r"pip install .*", told)
    assert line.startswith("pip install --no-deps -r requirements.txt ./")
    *_, pins, wheel = line.split()
    assert {f"unfolded-notebooks/{pins}", f"unfolded-notebooks/{wheel[2:]}"} <= set(files)
    assert len(files) == len(NAMES) + 5


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("index.html", "holds no site: run `make book` first"),
        ("book/02_loop.html", "no page for 02_loop.ipynb: run `make book` first"),
        ("book/slides/02_loop.html", "02_loop.md has no deck: run `make slides` first"),
    ],
)
def test_missing_builds_are_reported(book, site, missing, message):
    (site / missing).unlink()
    with pytest.raises(FileNotFoundError, match=re.escape(message)):
        site_files(site, book)


def test_files_of_an_archive_have_the_date_of_the_commit(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    classroom.commit_time.cache_clear()
    archive = write_zip(tmp_path / "x.zip", {"a": b"a"})
    classroom.commit_time.cache_clear()
    assert zipfile.ZipFile(archive).getinfo("a").date_time == (2026, 9, 21, 14, 13, 20)


@pytest.mark.parametrize("solutions", [True, False])
def test_start_here_first_asks_to_extract_the_zip(book, tmp_path, solutions):
    page = classroom.start_here(book, tmp_path / "x.whl", solutions).decode()
    words = re.sub(r"<[^>]*>", "", page.partition("<body>")[2]).split()
    assert words[:4] == ["Extract", "the", "zip", "first."]


def test_the_package_is_installed_by_the_path_of_its_wheel(book, tmp_path):
    """A bare name would be looked up on the package index too, where anybody may claim it."""
    page = classroom.start_here(book, tmp_path / "x.whl", solutions=False).decode()
    copies = [cell.source for path in chapters(book) for cell in student(path).cells]
    installs = re.findall(r"pip install [^`<\n]*", "\n".join([page, *copies]))
    assert len(installs) == 3 + 2 * len(NAMES)
    installs = [line for line in installs if not line.endswith(" torch")]
    assert len(installs) == 2 + 2 * len(NAMES)
    for line in installs:
        assert re.search(r" \./\S+\.whl\b", line), line
        assert "--no-deps -r " in line or line.startswith("pip install --quiet ./"), line
        assert "rnn_helpers " not in f"{line} "
    with_wheelhouse = [line for line in installs if "wheelhouse" in line]
    assert all("--no-index" in line for line in with_wheelhouse)


def test_students_copies_name_no_make_target():
    for path in chapters(BOOK):
        for cell in student(path).cells:
            assert not re.search(r"`make \w+`", cell.source), (path.name, cell.id)


def test_the_readme_agrees_with_the_text_in_the_archive():
    told = classroom.README.format(wheel=wheel_name())
    (line,) = re.findall(r"\.venv/bin/pip install --no-deps .*", told)
    assert f"\n{line}\n" in (ROOT / "README.md").read_text("utf-8")
