"""What changes when an experiment computes something else, and only then."""

import ast
import hashlib
import json
from typing import Any


def fingerprint(code: str, settings: dict) -> str:
    """Return a hash of a module's code and of settings.

    Parameters
    ----------
    code : str
        Source of the module.
    settings : dict
        What JSON can hold.

    Returns
    -------
    str
        Sixteen hexadecimal digits.
    """
    text = json.dumps([canonical(ast.parse(code)), settings], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def canonical(node: Any) -> Any:
    """Write a syntax tree as lists, without what does not change what it computes.

    Empty fields are left out as well, so that a new version of Python, whose nodes have more of
    them, gives the same.
    """
    if isinstance(node, list):
        return [canonical(item) for item in node if not _is_docstring(item)]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = {
        name: canonical(value)
        for name, value in ast.iter_fields(node)
        if name not in ("decorator_list", "kind") and value not in (None, [])
    }
    return [type(node).__name__, fields]


def _is_docstring(node: Any) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
