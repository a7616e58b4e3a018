"""Imports within the package and the press have one direction."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[2]
# From the lowest to the highest: no part imports one above it.
FLOORS = [
    {"threads", "lazy", "validate", "palette", "commands"},
    {"reference", "circuits"},
    {"tasks", "nets", "optimizers"},
    {"plots", "checks"},
    {"exercises"},
    {"training"},
    {"claims", "experiments", "explore", "figures"},
    {"press"},
]


def parse(path):
    """Return a module's name and its imports as pairs of a module and a name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts).removesuffix(".__init__")
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    found = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    return name, {(node.module, alias.name) for node in found for alias in node.names}


IMPORTS = dict(
    parse(path)
    for folder in ("rnn_helpers", "press")
    for path in (ROOT / folder).rglob("*.py")
    if "archive" not in path.parts and not path.name.startswith(("test_", "conftest"))
)


def origin(module, name):
    """Return the module that a name comes from, where a package only passes it on."""
    if f"{module}.{name}" in IMPORTS:
        return f"{module}.{name}"
    return {shown: source for source, shown in IMPORTS.get(module, ())}.get(name, module)


NEEDED = {
    module: {found for pair in pairs if (found := origin(*pair)) in IMPORTS}
    for module, pairs in IMPORTS.items()
}


def test_no_modules_import_each_other_in_a_circle():
    TopologicalSorter(NEEDED).prepare()  # raises CycleError, which names a circle


def test_no_module_imports_one_of_a_higher_floor():
    floors = {part: floor for floor, parts in enumerate(FLOORS) for part in parts}

    def floor(module):
        return floors[module.removeprefix("rnn_helpers.").split(".")[0]]

    assert [
        (module, needed)
        for module in NEEDED.keys() - {"rnn_helpers"}
        for needed in NEEDED[module] - {"rnn_helpers"}
        if floor(needed) > floor(module)
    ] == []
