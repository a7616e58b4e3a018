"""Launch buttons, once they are on, open student notebooks that find their package."""

import builtins
import re
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from books import every_chapter
from IPython.core.inputtransformer2 import TransformerManager
from jupyter_book.config import get_final_config
from packaging.requirements import Requirement
from sphinx_book_theme.header_buttons.launch import add_launch_buttons

from press.classroom import DIST
from press.edition import chapters
from press.launch import CONFIG, launch
from press.slides import BOOK
from press.students import student

pytestmark = pytest.mark.xdist_group("launch")  # one worker, for it builds the wheel once

AS_IT_STANDS = CONFIG.read_text("utf-8")
SWITCHED_ON = re.sub(r"^# (?=repository: |launch_buttons: )", "", AS_IT_STANDS, flags=re.M)
REPOSITORY = {"url": "https://github.com/OWNER/NAME", "branch": "classroom", "path_to_book": ""}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the repository that a teacher pushes."""
    return launch(yaml.safe_load(SWITCHED_ON)["repository"], tmp_path_factory.mktemp("launch"))


def buttons(config, page, metadata):
    """The launch buttons that the theme puts on a page, by their text."""
    settings, _ = get_final_config(
        user_yaml=yaml.safe_load(config), cli_config={"latex_individualpages": False}
    )
    provider, owner, name = settings["html_theme_options"]["repository_url"].rsplit("/", 2)
    source = (BOOK.parent / page).with_suffix(".ipynb" if metadata else ".md")
    context = {
        "pagename": page,
        "sourcename": f"{source.name}.txt",
        "page_source_suffix": source.suffix,
        "header_buttons": [],
        "github_url": provider,
        "github_user": owner,
        "github_repo": name,
    }
    env = SimpleNamespace(doc2path=lambda _: str(source), metadata={page: metadata})
    app = SimpleNamespace(env=env, config=settings)
    add_launch_buttons(app, page, "page.html", context, None)
    found = [button for group in context["header_buttons"] for button in group["buttons"]]
    return {button["text"]: button["url"] for button in found}


@every_chapter
def test_each_button_leads_to_a_notebook_that_is_there(path, folder):
    found = buttons(SWITCHED_ON, f"book/{path.stem}", {"kernelspec": {}})
    binder, colab = (
        "https://mybinder.org/v2/gh/OWNER/NAME/classroom?urlpath=lab/tree/",
        "https://colab.research.google.com/github/OWNER/NAME/blob/classroom/",
    )
    assert found["Binder"].startswith(binder)
    assert found["Colab"].startswith(colab)
    for opened in (found["Binder"].removeprefix(binder), found["Colab"].removeprefix(colab)):
        assert (folder / opened).is_file(), opened


def test_no_button_leads_nowhere(folder):
    """A page without a notebook has no button; currently, no chapter has one."""
    for page in BOOK.glob("*.md"):
        assert not buttons(SWITCHED_ON, f"book/{page.stem}", {})
    assert AS_IT_STANDS != SWITCHED_ON
    assert "repository" not in yaml.safe_load(AS_IT_STANDS)
    assert not buttons(AS_IT_STANDS, f"book/{chapters(BOOK)[0].stem}", {"kernelspec": {}})


def test_binder_installs_the_package_and_no_pytorch(folder):
    first, *others = (folder / "requirements.txt").read_text("utf-8").splitlines()
    assert first.startswith("./")
    assert (folder / first).is_file()
    names = {Requirement(line).name for line in others}
    assert {"numpy", "matplotlib", "ipywidgets"} <= names
    assert "torch" not in names
    assert all("==" in line for line in others)
    assert "rnn_helpers" not in "".join(others)


def test_binders_requirements_are_compatible(folder):
    """Pip resolves every requirement without conflicts from the wheelhouse alone."""
    wheelhouse = DIST / "wheelhouse"
    assert any(wheelhouse.glob("*.whl")), "run `make wheelhouse` first"
    pip = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--no-index"]
    done = subprocess.run(
        [*pip, "--find-links", wheelhouse, "-r", "requirements.txt"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    assert "rnn_helpers-" in done.stdout.replace("rnn-helpers", "rnn_helpers")
    assert "torch" not in done.stdout


@every_chapter
def test_a_launched_notebook_is_the_students_but_for_how_it_is_installed(path, folder):
    """So it has no solutions; the archive's tests check what a student's copy leaves out."""
    launched = nbformat.read(folder / "book" / path.name, as_version=4).cells
    handed_out = student(path).cells
    differ = [
        mine.id
        for mine, theirs in zip(launched, handed_out, strict=True)
        if mine.source != theirs.source
    ]
    assert differ == ["welcome", "install"]
    assert not any("**Solution**" in cell.source for cell in launched)


@pytest.mark.parametrize("missing", [True, False])
def test_the_first_code_cell_installs_the_wheel_only_where_it_is_missing(
    missing, folder, monkeypatch
):
    path = next((folder / "book").glob("*.ipynb"))
    first = next(c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code")
    asked = []
    shell = SimpleNamespace(run_line_magic=lambda *line: asked.append(line))
    monkeypatch.setattr(builtins, "get_ipython", lambda: shell, raising=False)
    if missing:
        monkeypatch.setitem(sys.modules, "rnn_helpers", None)
    exec(TransformerManager().transform_cell(first.source), {})
    if not missing:
        assert not asked
        return
    ((magic, line),) = asked
    raw = f"{REPOSITORY['url']}/raw/{REPOSITORY['branch']}/"
    install, quiet, address = line.split()
    assert (magic, install, quiet) == ("pip", "install", "--quiet")
    assert address.startswith(raw)
    assert (folder / address.removeprefix(raw)).is_file()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"url": "https://example.org/a"}, "repository.url .* is 'https://example.org/a'"),
        ({"url": None}, "expected https://github.com/OWNER/NAME"),
        ({"branch": ""}, "repository.branch .* is ''; expected the branch"),
    ],
)
def test_a_repository_that_no_button_can_open_is_reported(wrong, told, tmp_path):
    with pytest.raises(ValueError, match=told):
        launch(REPOSITORY | wrong, tmp_path)


def test_a_path_to_the_book_is_followed(tmp_path, monkeypatch):
    def build_wheel(at):
        at.mkdir(parents=True, exist_ok=True)
        (at / "rnn_helpers-2-py3-none-any.whl").touch()
        return at / "rnn_helpers-2-py3-none-any.whl"

    monkeypatch.setattr("press.launch.build_wheel", build_wheel)
    inside = tmp_path / "notes/book"
    inside.mkdir(parents=True)
    (inside / "rnn_helpers-1-py3-none-any.whl").touch()
    launch(REPOSITORY | {"path_to_book": "notes"}, tmp_path)
    assert [path.name for path in inside.glob("*.whl")] == ["rnn_helpers-2-py3-none-any.whl"]
    assert {path.name for path in inside.glob("*.ipynb")} == {p.name for p in chapters(BOOK)}
    assert (tmp_path / "requirements.txt").read_text("utf-8").startswith("./notes/book/rnn_helpers")
