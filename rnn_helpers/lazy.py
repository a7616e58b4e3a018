"""Packages that import a module when one of its names is first used.

A notebook runs again if a file that its kernel has read changes. So the kernel should read only the
modules that the notebook uses.
"""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def lazily(package: str) -> tuple[Callable, Callable, list[str]]:
    """Return a package's functions ``__getattr__`` and ``__dir__`` and its list ``__all__``.

    Parameters
    ----------
    package : str
        Its name. The source of its ``__init__`` imports all names under ``if TYPE_CHECKING``, where
        editors and fingerprints find them.
    """
    namespace = vars(sys.modules[package])
    source = ast.parse(Path(namespace["__file__"]).read_text("utf-8"))
    origins = {
        alias.name: node.module
        for statement in source.body
        if isinstance(statement, ast.If)
        for node in statement.body
        for alias in node.names
    }

    def get(name):
        if name not in origins:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        namespace[name] = getattr(import_module(origins[name]), name)
        return namespace[name]

    def names():
        return sorted({*namespace, *origins})

    for name, module in origins.items():
        if module == f"{package}.{name}":  # Python would later give its name to the module
            get(name)

    constants_first = sorted(origins, key=lambda name: (not name.isupper(), name))
    return get, names, constants_first
