"""Write figures' data again: ``python -m rnn_helpers.figures NAME ...``."""

import argparse
import json
import sys
from importlib import import_module

import numpy as np

from rnn_helpers.commands import run_program
from rnn_helpers.figures import FIGURES


def main(arguments: list[str] | None = None) -> int:
    """Compute the data of figures, and write it to their files.

    Returns
    -------
    int
        0, or 2 where a name is unknown.
    """
    parser = argparse.ArgumentParser(
        prog="python -m rnn_helpers.figures", description=main.__doc__.splitlines()[0]
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="a folder with trained.py")
    names = parser.parse_args(arguments).names
    known = sorted(path.parent.name for path in FIGURES.glob("*/trained.py"))
    if unknown := [name for name in names if name not in known]:
        expected = f"expected one of {', '.join(known)}"
        print(f"no trained.py for {', '.join(unknown)}; {expected}", file=sys.stderr)
        return 2
    for name in names:
        made = import_module(f"rnn_helpers.figures.{name}.trained").make()
        text = json.dumps(made, separators=(",", ":"), default=np.ndarray.tolist)
        (FIGURES / name / "trained.json").write_text(text + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    run_program(main)
