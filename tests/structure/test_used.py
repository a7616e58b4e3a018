"""Public names are used by pages, experiments or figures, not by tests alone."""

import ast
import re

from books import NOTEBOOKS, ROOT, cells

from rnn_helpers import plots, reference, tasks

# Tests compare figures with the package, and `computed.py` the numbers of pages.
USERS = ["rnn_helpers", "press", "bench"]
# Unit tests compare claims and networks, which compute many seeds at once, with these.
COMPARED = {"log_joint", "read_all_forward"}


def used(code):
    """Return the names that code reads or imports."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.alias(name):
                yield name


def test_public_names_are_used_outside_the_unit_tests():
    paths = [path for user in USERS for path in (ROOT / user).rglob("*.py")]
    paths = [
        path
        for path in paths
        if (path.name != "__init__.py" or "claims" in path.parts)
        and ("figures" in path.parts or not path.name.startswith("test_"))
        and "archive" not in path.parts
    ]
    code = [path.read_text("utf-8") for path in [*paths, ROOT / "tests/computed.py"]]
    book = [cell for path in NOTEBOOKS for cell in cells(path)]
    code += [cell.source for cell in book if cell.cell_type == "code"]
    names = {name for text in code for name in used(text)}
    for cell in book:
        names.update(re.findall(r"(?:`|\btasks\.)(\w+)", cell.source))  # in text and comments
    public = {name for package in (plots, reference, tasks) for name in package.__all__}
    assert public - names == COMPARED
