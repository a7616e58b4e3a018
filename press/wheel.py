"""The exercises in the students' wheel: results in place of solutions.

`press.classroom.build_wheel` builds the wheel with this hook. Each module of exercises is replaced
by two files: a pickle of the exercises, whose functions are replaced by their results on each case,
and a module of the definitions that those exercises still need, such as the class of an argument.
Only the exercises in `KEPT` keep their code.
"""

import ast
import io
import pickle
import symtable
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

from rnn_helpers.checks.core import Checklist, Exercise, Recorded, declared_in, exercises, itself
from rnn_helpers.checks.guard import EXERCISES

_LENT = "later cells run it until the reader's own function passes"
KEPT = {  # the exercises whose code stays in the wheel, and why
    "04-net-forward": _LENT,
    "04-net-backward": _LENT,
    "04-net-quotients": _LENT,
    "04-net-clip": _LENT,
    "04-net-train": _LENT,
    "04-net-sample": _LENT,
}


class WheelHook(BuildHookInterface):
    """Put the recorded exercises into the wheel, in the place of their modules."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files and add them to the build."""
        self._made = tempfile.TemporaryDirectory()
        for path in write(Path(self._made.name)):
            build_data["force_include"][str(path)] = f"rnn_helpers/exercises/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the files, which the wheel contains now."""
        self._made.cleanup()


def write(folder: Path) -> list[Path]:
    """Write the files that replace the modules of exercises.

    Parameters
    ----------
    folder
        Where they go.

    Returns
    -------
    list of Path
        For each module of exercises, one of the same name and a pickle.
    """
    entries = exercises()
    written = []
    for path in sorted(EXERCISES.glob("chapter_*.py")):
        name = f"{EXERCISES.parent.name}.{EXERCISES.name}.{path.stem}"
        own = [entry for each, entry in entries.items() if declared_in(each) == name]
        content, needed = pickled([recorded(each) for each in own if each.name not in KEPT], name)
        needed |= {each.solution.__name__ for each in own if each.name in KEPT}
        module, data = folder / path.name, folder / f"{path.stem}.pickle"
        module.write_text(reduced(path.read_text("utf-8"), needed), "utf-8")
        data.write_bytes(content)
        written += [module, data]
    return written


def recorded(entry: Exercise | Checklist) -> Exercise | Checklist:
    """Return an exercise with results in place of the code of its solution and wrong answers.

    Its cases are recorded, too, because another version of NumPy may draw other random numbers.
    """
    if isinstance(entry, Checklist):
        return entry
    if not entry.cases:
        return replace(entry, solution=partial(itself, entry.answer))
    return replace(
        entry,
        solution=Recorded(entry.run(entry.solution), entry.parameters, entry.helpers()),
        wrong={
            name: replace(wrong, answer=Recorded(entry.run(wrong.answer)))
            for name, wrong in entry.wrong.items()
        },
        cases=partial(list, list(entry.cases())),
        instance=None,
    )


class _Pickler(pickle.Pickler):
    """A pickler that collects the names of a module's functions and classes that it refers to.

    It uses protocol 4, because older versions of NumPy can't read the arrays that newer ones write
    with protocol 5.
    """

    def __init__(self, file: io.BytesIO, module: str):
        super().__init__(file, protocol=4)
        self.module, self.needed = module, set()

    def reducer_override(self, value):
        """Note a function or a class; the usual reduction follows."""
        if isinstance(value, FunctionType | type) and value.__module__ == self.module:
            self.needed.add(value.__name__)
        return NotImplemented


def pickled(entries: Iterable[Exercise | Checklist], module: str) -> tuple[bytes, set[str]]:
    """Pickle the exercises of a module.

    Returns
    -------
    bytes
        The pickle of a list.
    set of str
        The names in the module that it refers to.

    Raises
    ------
    ValueError
        If an exercise can't be pickled.
    """
    entries = list(entries)
    for entry in entries:
        try:
            pickle.dumps(entry)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ValueError(
                f"{entry.name} can't be recorded ({error}): use functions and classes of its "
                "module's top level, or give a reason in KEPT"
            ) from error
    file = io.BytesIO()
    pickler = _Pickler(file, module)
    pickler.dump(entries)
    return file.getvalue(), pickler.needed


def reduced(source: str, needed: set[str]) -> str:
    """Return the source of a module with the definitions of some names and all that these use.

    Parameters
    ----------
    source
        A module with a docstring.
    needed
        The names.
    """
    docstring, *body = ast.parse(source).body
    kept: set[ast.stmt] = set()
    names, left = set(), set(needed)
    while left:
        names |= left
        found = {node for node in body if left & _defined(node)} - kept
        kept |= found
        left = {name for node in found for name in _used(node)} - names
    body = [node for node in body if node in kept]
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [each for each in node.names if (each.asname or each.name) in names]
    return f"{ast.unparse(ast.Module([docstring, *body], []))}\n"


def _used(node: ast.stmt) -> set[str]:
    """Return the names of its module that a statement uses."""
    tables = [symtable.symtable(ast.unparse(node), "<module>", "exec")]
    for table in tables:
        tables += table.get_children()
    return {
        symbol.get_name()
        for table in tables
        for symbol in table.get_symbols()
        if symbol.is_global() and symbol.is_referenced()
    }


def _defined(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module defines."""
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {each.asname or each.name for each in node.names}
        case ast.Assign():
            return {
                each.id
                for target in node.targets
                for each in ast.walk(target)
                if isinstance(each, ast.Name)
            }
    return set()
