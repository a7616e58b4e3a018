"""The hand-outs, used as a student would: in another place, with only the two folders."""

import os
import re
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from books import NOTEBOOKS, every_chapter
from IPython.core.inputtransformer2 import TransformerManager
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

from press.classroom import DIST
from press.dependencies import needed
from press.students import TORCH, trains

pytestmark = pytest.mark.xdist_group("handouts")  # one worker, for it installs everything once

LIMIT = 25e6  # bytes, so that it can be mailed
DOWNLOAD = 5e6  # bytes that every reader may download


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The classroom's archive, unpacked where the repository is not."""
    archive = DIST / "unfolded-classroom.zip"
    assert archive.is_file(), "run `make classroom` first"
    folder = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    return folder / "unfolded"


@pytest.fixture(scope="module")
def environment():
    """Return a student's environment: no index, no settings, none of our variables."""
    names = ("PATH", "HOME", "SYSTEMROOT")
    kept = {key: os.environ[key] for key in names if key in os.environ}
    return kept | {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "MPLBACKEND": "agg"}


@pytest.fixture(scope="module")
def python(unpacked, environment):
    """A fresh environment, installed by the lines of START-HERE.html."""
    wheelhouse = DIST / "wheelhouse"
    assert any(wheelhouse.glob("*.whl")), "run `make wheelhouse` first"
    (unpacked / "wheelhouse").symlink_to(wheelhouse, target_is_directory=True)
    venv = unpacked / ".venv"
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    start = (unpacked / "START-HERE.html").read_text("utf-8")
    told = re.findall(
        r"^(?:<pre>)?\.venv/bin/((?:pip install --no-index|jupyter labextension) [^<\n]+)",
        start,
        re.M,
    )
    assert len(told) == 2
    told.sort(key=lambda line: not line.startswith("pip"))  # the page begins with the other option
    for line in told:
        tool, *arguments = line.split()
        quiet = ["--quiet", "--no-compile"] if tool == "pip" else []
        command = [folder(venv) / tool, *arguments, *quiet]
        subprocess.run(command, cwd=unpacked, env=environment, check=True)
    return folder(venv) / "python"


def folder(venv):
    return venv / ("Scripts" if os.name == "nt" else "bin")


def test_jupyterlab_asks_the_network_for_no_news(python, environment):
    """The extension that would offer news is off where a student runs JupyterLab."""
    code = (
        "from jupyterlab_server.config import get_page_config; import jupyter_core.paths as paths\n"
        "found = get_page_config(paths.jupyter_path('labextensions'))\n"
        "print(found['disabledExtensions'])"
    )
    run = subprocess.run(
        [python, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert "@jupyterlab/apputils-extension:announcements" in run.stdout


def test_the_archive_can_be_mailed():
    assert (DIST / "unfolded-classroom.zip").stat().st_size <= LIMIT


def test_the_students_package_is_a_small_download():
    assert (DIST / "unfolded-notebooks.zip").stat().st_size <= DOWNLOAD


def test_a_students_packages_are_complete_and_small(python, environment):
    """Pip installs them without resolving their requirements."""
    pip = [python, "-m", "pip"]
    checked = subprocess.run([*pip, "check"], env=environment, capture_output=True, text=True)
    assert not checked.returncode, checked.stdout
    listed = subprocess.run([*pip, "freeze"], env=environment, capture_output=True, text=True)
    names = {re.split("[ =]", line)[0].lower() for line in listed.stdout.splitlines()}
    assert {"rnn_helpers", "jupyterlab", "numpy"} <= names
    assert names.isdisjoint({"scikit-learn", "scipy", "torch", "sphinx", "jupyter-book"})


def test_every_link_of_start_here_leads_somewhere(unpacked):
    start = (unpacked / "START-HERE.html").read_text("utf-8")
    links = re.findall(r'href="([^"#]+)"', start)
    assert links
    assert all((unpacked / link).is_file() for link in links)


@pytest.fixture
def run(unpacked, python, environment):
    """Run a student's notebook with the installed kernel; return its cells with their outputs."""
    kernels = python.parents[1] / "share" / "jupyter" / "kernels"

    def run(notebook, **more):
        kernel = AsyncKernelManager(
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[str(kernels)])
        )
        kernel.kernel_spec.argv[0] = str(python)
        where = {"metadata": {"path": unpacked / "student"}}
        client = NotebookClient(notebook, km=kernel, resources=where, timeout=600)
        client.execute(env=environment | more, cleanup_kc=True)  # for the kernel is ours
        return notebook.cells

    return run


def needs_torch(cell):
    return TORCH in cell.metadata.get("tags", [])


def errors(cell):
    return [out for out in cell.get("outputs", []) if out.output_type == "error"]


@pytest.mark.nightly("02_unfolding", "03_rnn")
@every_chapter
def test_without_torch_only_the_cells_that_need_it_fail_with_a_hint(
    path, unpacked, run, python, environment
):
    absent = subprocess.run([python, "-c", "import torch"], env=environment, capture_output=True)
    assert absent.returncode, "torch is in the wheelhouse: this test needs one without"
    cells = run(nbformat.read(unpacked / "student" / path.name, as_version=4))
    assert any(cell.get("outputs") for cell in cells)
    need = [cell.id for cell in cells if needs_torch(cell)]
    assert [cell.id for cell in cells if errors(cell)] == need
    told = [error.evalue for cell in cells for error in errors(cell)]
    imported = "No module named 'torch'"  # by a cell that is plain PyTorch
    assert all(
        "needs PyTorch, which is not installed" in words or words == imported for words in told
    )


@pytest.mark.nightly("03_rnn")
@pytest.mark.parametrize(
    "path",
    [path for path in NOTEBOOKS if trains(nbformat.read(path, as_version=4))],
    ids=lambda path: path.stem,
)
def test_with_torch_the_cells_that_need_it_run(path, unpacked, run):
    """Run them with their requirements; all others have run without."""
    notebook = nbformat.read(unpacked / "student" / path.name, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    python = [TransformerManager().transform_cell(cell.source) for cell in cells]
    places = needed(python, {place for place, cell in enumerate(cells) if needs_torch(cell)})
    elsewhere = Path(find_spec("torch").origin).parents[1]
    notebook.cells = [cells[place] for place in places]
    ran = run(notebook, PYTHONPATH=str(elsewhere))
    assert not [cell.id for cell in ran if errors(cell)]


@every_chapter
def test_a_student_notebook_keeps_its_checks_and_hides_its_solutions(path, unpacked):
    chapter = nbformat.read(path, as_version=4)
    notebook = nbformat.read(unpacked / "student" / path.name, as_version=4)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    words = "\n".join(cell.source for cell in chapter.cells)
    checks = set(re.findall(r"\bcheck\(\s*\"([\w-]+)\"", words))
    assert checks
    assert checks == set(re.findall(r"\bcheck\(\s*\"([\w-]+)\"", code))
    assert "NotImplementedError" in code
    assert "**Solution**" not in text
    prose = re.sub(r"```.*?```|`[^`\n]+`|\$\$.*?\$\$|\$[^$\n]+\$", "", text, flags=re.DOTALL)
    for trace in (r"^\([\w-]+\)=$", r"\{[a-z:]+\}`", r"^:{3,}", r"data-set", r"\]\(#"):
        assert not re.search(trace, prose, re.M), trace
