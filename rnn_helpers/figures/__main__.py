"""Write figures' data again: ``python -m rnn_helpers.explore.trained NAME ...``."""

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

from rnn_helpers.commands import run_program
from rnn_helpers.explore.trained import path


def main(arguments: list[str] | None = None) -> int:
    """Compute the data of figures, and write it to their files.

    Returns
    -------
    int
        0, or 2 where a name is unknown.
    """
    parser = argparse.ArgumentParser(
        prog="python -m rnn_helpers.explore.trained", description=main.__doc__.splitlines()[0]
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help="a module of this package")
    names = parser.parse_args(arguments).names
    modules = sorted(file.stem for file in Path(__file__).parent.glob("[!_]*.py"))
    if unknown := [name for name in names if name not in modules]:
        known = ", ".join(modules)
        print(f"nothing is made for {', '.join(unknown)}; expected one of {known}", file=sys.stderr)
        return 2
    for name in names:
        made = import_module(f"rnn_helpers.explore.trained.{name}").make()
        text = json.dumps(made, separators=(",", ":"), default=np.ndarray.tolist)
        path(name).write_text(text + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    run_program(main)
