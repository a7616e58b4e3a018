"""Wherever the book trains, a matrix product has one thread."""

import json
import os
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from press.edition import chapters
from press.slides import BOOK
from press.students import student
from rnn_helpers.threads import VARIABLES

COUNT = """
import json
from threadpoolctl import threadpool_info
print(json.dumps({pool["filepath"]: pool["num_threads"] for pool in threadpool_info()}))
"""


@pytest.fixture(autouse=True)
def _unset(monkeypatch):
    """Start processes without limits on the libraries' threads."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def counted(code, **variables):
    """Return the threads that each library has after some code, in a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", code + COUNT],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def counted_in_a_kernel(notebook):
    """Return the threads that each library has after the first cells of a notebook."""
    first = next(i for i, cell in enumerate(notebook.cells) if "from rnn_helpers" in cell.source)
    notebook.cells = [cell for cell in notebook.cells[: first + 1] if cell.cell_type == "code"]
    notebook.cells.append(nbformat.v4.new_code_cell("import scipy.linalg" + COUNT))
    NotebookClient(notebook, timeout=600).execute()
    return json.loads(notebook.cells[-1].outputs[0].text)


def assert_single(threads):
    assert threads
    assert set(threads.values()) == {1}, threads


def test_every_chapter_imports_the_package_in_its_first_cell():
    """Importing the package limits the threads."""
    for path in chapters(BOOK):
        cells = nbformat.read(path, as_version=4).cells
        first = next(cell for cell in cells if cell.cell_type == "code")
        assert "from rnn_helpers" in first.source, path.name


@pytest.mark.nightly(files=["rnn_helpers/threads.py", "rnn_helpers/__init__.py"])
@pytest.mark.slow
@pytest.mark.chapter("04")
def test_a_kernel_of_the_book_has_one_thread():
    assert_single(counted_in_a_kernel(nbformat.read(BOOK / "04_bptt.ipynb", as_version=4)))


@pytest.mark.nightly(files=["rnn_helpers/threads.py", "rnn_helpers/__init__.py"])
@pytest.mark.slow
@pytest.mark.chapter("04")
def test_a_students_copy_has_one_thread():
    assert_single(counted_in_a_kernel(student(BOOK / "04_bptt.ipynb")))


@pytest.mark.slow
@pytest.mark.chapter("04")
def test_the_program_of_chapter_4_has_one_thread():
    program = BOOK / "files" / "rnn.py"
    assert_single(counted(f"import runpy\nrunpy.run_path({str(program)!r})"))


@pytest.mark.slow
@pytest.mark.parametrize("loaded", ["", "import numpy", "import numpy, scipy.linalg, sklearn"])
def test_libraries_have_one_thread_whether_loaded_before_or_after(loaded):
    assert_single(counted(f"{loaded}\nimport rnn_helpers\nimport numpy, scipy.linalg"))


@pytest.mark.slow
@pytest.mark.parametrize("order", ["torch, rnn_helpers", "rnn_helpers, torch"])
def test_torch_has_one_thread(order):
    pytest.importorskip("torch")
    assert_single(counted(f"import {order}\nassert torch.get_num_threads() == 1"))


@pytest.mark.slow
def test_a_number_of_threads_that_is_set_stays():
    threads = counted("import rnn_helpers, numpy", OPENBLAS_NUM_THREADS="2")
    assert set(threads.values()) == {min(2, os.cpu_count())}
