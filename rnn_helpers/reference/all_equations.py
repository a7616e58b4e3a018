"""The record of equations once all functions are in it."""

from importlib import import_module
from pathlib import Path

from rnn_helpers.reference.equations import EQUATIONS

# A function enters the record when its module is imported.
for _path in sorted(Path(__file__).parent.glob("*.py")):
    import_module(f"{__package__}.{_path.stem}")

__all__ = ["EQUATIONS"]
