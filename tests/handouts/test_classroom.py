"""The hand-outs, used as a student would: elsewhere, with nothing but the two folders."""

import os
import re
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest

from rnn_helpers.site.classroom import DIST
from rnn_helpers.site.slides import BOOK
from rnn_helpers.site.students import chapters, trains

CHAPTERS = [
    pytest.param(path, id=path.stem, marks=pytest.mark.chapter(path.name[:2]))
    for path in chapters(BOOK)
]
pytestmark = pytest.mark.xdist_group("handouts")  # one worker, for it installs everything once

LIMIT = 25e6  # bytes, so that it can be mailed
RUN = """import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=120).execute()
nbformat.write(notebook, sys.argv[2])
"""


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
    """What a student's machine knows: no index, no settings, nothing of ours.

    Threads are ours, for this machine does other work beside it.
    """
    names = ("PATH", "HOME", "SYSTEMROOT", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
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
    (install,) = re.findall(r"^\.venv/bin/pip (install --no-index .+)$", start, re.M)
    folder = venv / ("Scripts" if os.name == "nt" else "bin")
    command = [folder / "pip", *install.split(), "--quiet", "--no-compile"]
    subprocess.run(command, cwd=unpacked, env=environment, check=True)
    return folder / "python"


def test_the_archive_can_be_mailed():
    assert (DIST / "unfolded-classroom.zip").stat().st_size <= LIMIT


def test_every_link_of_start_here_leads_somewhere(unpacked):
    start = (unpacked / "START-HERE.html").read_text("utf-8")
    links = re.findall(r'href="([^"#]+)"', start)
    assert links
    assert all((unpacked / link).is_file() for link in links)


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_student_notebook_runs(path, unpacked, python, environment, tmp_path):
    absent = subprocess.run([python, "-c", "import torch"], env=environment, capture_output=True)
    assert absent.returncode, "torch is in the wheelhouse: this test needs one without"
    notebook = unpacked / "student" / path.name
    # A chapter that trains networks says so, and gets torch from where this test runs; all others
    # must do without.
    if trains(nbformat.read(notebook, as_version=4)):
        environment = environment | {"PYTHONPATH": str(Path(find_spec("torch").origin).parents[1])}
    done = tmp_path / path.name
    run = subprocess.run(
        [python, "-c", RUN, notebook, done],
        cwd=unpacked / "student",
        env=environment,
        capture_output=True,
        text=True,
    )
    assert not run.returncode, run.stderr[-3000:]
    assert any(cell.get("outputs") for cell in nbformat.read(done, as_version=4).cells)


@pytest.mark.parametrize("path", CHAPTERS)
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
