"""Assemble the program of chapter 04: ``python -m press.program``.

Its functions are those of the chapter: the cells tagged `program` and the solutions to the
exercises named ``ex-04-net-...``, in the order of the page. The other lines of the program stay as
they are. The chapter's cell with the id `program` shows the functions.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from rnn_helpers.commands import run_program

CHAPTER = Path("book/04_bptt.ipynb")
PROGRAM = Path("book/files/rnn.py")
SOLUTION = re.compile(r"\{solution\} ex-04-net-.*?```python\n(.*?)```", re.DOTALL)
CELL = "program"  # the id of the cell with the listing
LISTING = re.compile(r"(?<=```python\n).*?(?=```)", re.DOTALL)

FROM, TO = "# From the chapter:\n", "# To here.\n"


def parts(chapter: Path) -> Iterator[str]:
    """Yield the program's functions, in the order of the page."""
    for cell in nbformat.read(chapter, as_version=4).cells:
        if "program" in cell.metadata.get("tags", ()):
            yield cell.source
        elif cell.cell_type == "markdown":
            yield from SOLUTION.findall(cell.source)


def functions(chapter: Path) -> str:
    """Return the program's functions as one text.

    Parameters
    ----------
    chapter : Path
        A notebook.
    """
    return "\n\n\n".join(part.strip() for part in parts(chapter)) + "\n"


def assemble(root: Path) -> str:
    """Return the program with the chapter's current functions.

    Parameters
    ----------
    root : Path
        The repository.
    """
    head, _, rest = (root / PROGRAM).read_text("utf-8").partition(FROM)
    tail = rest.partition(TO)[2]
    return f"{head}{FROM}{functions(root / CHAPTER)}\n\n{TO}{tail}"


def listing(cells: Iterable[NotebookNode]) -> NotebookNode:
    """Return the cell that shows the functions; there must be exactly one."""
    (cell,) = (cell for cell in cells if cell.id == CELL)
    return cell


def show(chapter: Path, program: str) -> None:
    """Write a text into the chapter's listing.

    Parameters
    ----------
    chapter : Path
        A notebook.
    program : str
        What the listing shows.
    """
    notebook = nbformat.read(chapter, as_version=4)
    cell = listing(notebook.cells)
    cell.source = LISTING.sub(lambda _: program, cell.source, count=1)
    nbformat.write(notebook, chapter)


def main(arguments: list[str] | None = None) -> None:
    """Write the program with the chapter's current functions, and the chapter's listing of it."""
    argparse.ArgumentParser(prog="python -m press.program", description=main.__doc__).parse_args(
        arguments
    )
    PROGRAM.write_text(assemble(Path()), "utf-8")
    show(CHAPTER, functions(CHAPTER))


if __name__ == "__main__":
    run_program(main)
