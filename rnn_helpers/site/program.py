"""Put chapter 04's network together: ``python -m rnn_helpers.site.program``.

Its functions are the chapter's: the cells tagged `program` and the solutions to the exercises named
``ex-04-net-...``, in the order of the page. What stands around them in the program stays.
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

CHAPTER = Path("book/04_bptt.ipynb")
PROGRAM = Path("book/files/rnn.py")
SOLUTION = re.compile(r"\{solution\} ex-04-net-.*?```python\n(.*?)```", re.DOTALL)

FROM, TO = "# From the chapter:\n", "# To here.\n"


def parts(chapter: Path) -> Iterator[str]:
    """Give the program's functions, in the order of the page."""
    for cell in nbformat.read(chapter, as_version=4).cells:
        if "program" in cell.metadata.get("tags", ()):
            yield cell.source
        elif cell.cell_type == "markdown":
            yield from SOLUTION.findall(cell.source)


def assemble(root: Path) -> str:
    """Give the program with the functions as the chapter has them now.

    Parameters
    ----------
    root : Path
        The repository.
    """
    head, _, rest = (root / PROGRAM).read_text("utf-8").partition(FROM)
    tail = rest.partition(TO)[2]
    functions = "\n\n\n".join(part.strip() for part in parts(root / CHAPTER))
    return f"{head}{FROM}{functions}\n\n\n{TO}{tail}"


def main(arguments: list[str] | None = None) -> None:
    """Write the program with the functions as the chapter has them now."""
    argparse.ArgumentParser(
        prog="python -m rnn_helpers.site.program", description=main.__doc__
    ).parse_args(arguments)
    PROGRAM.write_text(assemble(Path()), "utf-8")


if __name__ == "__main__":
    main()
