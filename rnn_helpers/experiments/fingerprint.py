"""A hash that changes if and only if the code that computes an experiment's rows changes.

Starting at the function that makes the rows, every name is followed to its definition, through the
modules of the package, and so on recursively; a definition counts whole, a class with all its
methods. No module is imported: the source files are read from disk. A module's path doesn't count,
nor do docstrings, comments, layout, annotations of functions, and functions that draw.
"""

import ast
import hashlib
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rnn_helpers.experiments.plain import digest

PACKAGE = Path(__file__).parents[1]
_DRAWS = f"{PACKAGE.name}.plots"  # a history can plot itself; no row comes from there


class Definition(NamedTuple):
    """A top-level name of a module, or the whole module where `name` is empty."""

    path: Path
    name: str


def fingerprint(function: Callable, settings: dict) -> str:
    """Return a hash of the code that a function reaches in the package, and of settings.

    Parameters
    ----------
    function : callable
        Defined at the top level of a module.
    settings : dict
        Must be serializable as JSON.

    Returns
    -------
    str
        Sixteen hexadecimal digits.

    Raises
    ------
    ValueError
        If the function is not found at the top level of its module.
    """
    return digest([list(_walk(function).values()), settings])


def reached(function: Callable) -> list[Definition]:
    """Return the definitions that :func:`fingerprint` covers, nearest first.

    Parameters
    ----------
    function : callable
        Defined at the top level of a module.

    Returns
    -------
    list of Definition

    Raises
    ------
    ValueError
        If the function is not found at the top level of its module.
    """
    return list(_walk(function))


def conditions(function: Callable) -> str:
    """Return a hash of the conditions in ``@experiment(verdict=Verdict(...))`` above a function.

    Functions of the module that the conditions name count too; sentences do not.

    Returns
    -------
    str
        Sixteen hexadecimal digits; empty if no `Verdict` is declared there.
    """
    module = _module(Path(inspect.getsourcefile(function)))
    declared = [
        pair.value.elts[0]
        for statement in module.bindings.get(function.__qualname__, ())
        for decorator in filter(_declares, getattr(statement, "decorator_list", ()))
        for keyword in decorator.keywords
        if keyword.arg == "verdict" and isinstance(keyword.value, ast.Call)
        for pair in keyword.value.keywords
        if pair.arg != "otherwise"
    ]
    names = sorted({chain[0] for chain in _frees(declared)} & module.bindings.keys())
    code = canonical([declared, *(module.bindings[name] for name in names)])
    return digest(code) if declared else ""


@cache
def _walk(function: Callable) -> dict[Definition, tuple]:
    """Find the content of each reached definition, and the numbers of those that its names mean.

    They are numbered in the order of discovery, so that paths and names of modules don't count.
    """
    start = Definition(Path(inspect.getsourcefile(function)), function.__qualname__)
    if start.name not in _module(start.path).bindings:
        raise ValueError(
            f"function is {start.name!r}, expected one at the top level of {start.path.name}"
        )
    queue = [start]
    numbers = {start: 0}
    found = {}
    for definition in queue:
        content, targets = _read(definition)
        for target in targets.values():
            if isinstance(target, Definition) and target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
        found[definition] = content, {name: numbers.get(t, t) for name, t in targets.items()}
    return found


@cache
def _read(definition: Definition) -> tuple[str, dict[str, Definition | str]]:
    """Return a hash of a definition's content, and the targets of its names, in order."""
    module = _module(definition.path)
    if not definition.name:
        return digest([]), module.targets((name,) for name in sorted(module.bindings))
    statements = module.bindings[definition.name]
    targets = module.targets(_frees(statements))
    for inner in _inner_imports(statements):
        targets |= {name: module.imported(*found) for name, found in _imports(inner, module.path)}
    content = [canonical(statements), module.files(statements)]
    return digest(content), dict(sorted(targets.items()))


@cache
def _module(path: Path) -> "_Module":
    return _Module(path)


class _Module:
    """A module's source, read and not run."""

    def __init__(self, path: Path):
        self.path = path

    @cached_property
    def bindings(self) -> dict[str, list]:
        """The statements that give each top-level name its meaning."""
        found: dict[str, list] = {}
        for statement in ast.parse(self.path.read_text("utf-8")).body:
            for part in _parts(statement):
                for name in _binds(part):
                    found.setdefault(name, []).append(part)
        return found

    def targets(self, chains: Iterator[tuple]) -> dict[str, Definition | str]:
        """Resolve each chain of names in this module; builtins have no target."""
        found = {chain: self.find(chain) for chain in chains if chain[0] in self.bindings}
        return {".".join(chain): target for chain, target in found.items()}

    def find(self, chain: tuple) -> Definition | str:
        """Resolve a name with its attributes; the name is bound in this module."""
        head, *attributes = chain
        if origin := self.origin(head):
            return self.imported(*origin, *attributes)
        return Definition(self.path, head)

    def origin(self, name: str) -> tuple | None:
        """Name the module, and perhaps the attribute, that a name of this module is imported as."""
        statements = self.bindings[name]
        if all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in statements):
            return dict(_imports(statements[-1], self.path))[name]
        return None

    @staticmethod
    def imported(module: str, *attributes: str) -> Definition | str:
        """Resolve an import to a definition of the package, or to an external name."""
        if module == _DRAWS:
            return "plots"
        path = _path(module)
        if path is None:
            return ".".join((module, *attributes))
        for place, attribute in enumerate(attributes):
            here = _module(path)
            # a package may import its own module of that name
            if attribute in here.bindings and here.origin(attribute) != (module, attribute):
                return here.find(attributes[place:])
            inner = _path(f"{module}.{attribute}")
            if inner is None:
                break
            module = f"{module}.{attribute}"
            path = inner
        return Definition(path, "")

    def files(self, statements: list) -> list[str]:
        """Hash the files beside the module that the statements name."""
        nodes = (node for statement in statements for node in ast.walk(statement))
        names = {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        paths = [self.path.with_name(n) for n in sorted(names) if re.fullmatch(r"[\w-]+\.\w+", n)]
        return [hashlib.sha256(p.read_bytes()).hexdigest() for p in paths if p.is_file()]


def _path(module: str) -> Path | None:
    """Find the file of a module of the package."""
    package, *inner = module.split(".")
    base = PACKAGE.joinpath(*inner)
    if package == PACKAGE.name:
        for path in (base / "__init__.py", base.with_suffix(".py")):
            if path.is_file():
                return path
    return None


def _imports(statement: ast.AST, path: Path) -> Iterator[tuple[str, tuple]]:
    """Give each name that an import binds, with the module and perhaps the attribute it means."""
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            module = alias.name if alias.asname else alias.name.partition(".")[0]
            yield alias.asname or module, (module,)
        else:
            yield alias.asname or alias.name, (_origin(statement, path), alias.name)


def _origin(statement: ast.ImportFrom, path: Path) -> str:
    """Name the module that is imported from, relative imports resolved."""
    if not statement.level:
        return statement.module
    folder = path.parents[statement.level - 1].relative_to(PACKAGE.parent)
    return ".".join([*folder.parts, *([statement.module] if statement.module else [])])


def _inner_imports(statements: list) -> list[ast.AST]:
    """Find the imports within definitions."""
    nodes = (node for statement in statements for node in ast.walk(statement))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def _parts(statement: ast.stmt) -> list[ast.stmt]:
    """Return the statements within a ``try`` or ``if TYPE_CHECKING``, whose imports count too."""
    if isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
        return statement.body
    if not isinstance(statement, ast.Try):
        return [statement]
    otherwise = (part for handler in statement.handlers for part in handler.body)
    return [*statement.body, *otherwise, *statement.orelse, *statement.finalbody]


def _binds(statement: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds or changes."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    names = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            names |= {inner.id for inner in ast.walk(node.value) if isinstance(inner, ast.Name)}
        elif isinstance(node, ast.stmt) and node is not statement:
            names |= _binds(node)
    if isinstance(statement, ast.Expr):  # a call may change its arguments
        names |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return names


def _free(node: ast.AST) -> set[tuple]:
    """Find the names, with their attributes, that mean something outside of a piece of code."""
    if isinstance(node, ast.Name):
        return {(node.id,)}
    if isinstance(node, ast.Attribute):
        chain = _chain(node)
        return {chain} if chain else _free(node.value)
    children = list(_children(node))
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        body = node.body if isinstance(node.body, list) else [node.body]
        outside = [child for child in children if child not in body and child is not node.args]
        outside += [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]
        arguments = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
        return _frees(outside) | _without(_frees(body), arguments | _stored(body))
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        first = node.generators[0].iter
        return _free(first) | _without(_frees(children), _stored(node.generators))
    return _frees(children)


def _frees(nodes: list) -> set[tuple]:
    return set().union(*map(_free, nodes))


def _without(chains: set[tuple], local: set[str]) -> set[tuple]:
    return {chain for chain in chains if chain[0] not in local}


def _chain(node: ast.AST) -> tuple | None:
    """Read ``a.b.c`` as a tuple; None if it doesn't start with a name."""
    if isinstance(node, ast.Name):
        return (node.id,)
    inner = _chain(node.value) if isinstance(node, ast.Attribute) else None
    return inner and (*inner, node.attr)


def _stored(nodes: list) -> set[str]:
    """Return the names that a function binds, without those of nested functions."""
    names, declared = set(), set()
    queue = list(nodes)
    for node in queue:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            continue
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= _binds(node)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            names.add(node.name)
        elif isinstance(node, ast.Global):
            declared |= set(node.names)
        elif isinstance(
            node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
        ):
            continue
        queue += ast.iter_child_nodes(node)
    return names - declared


def canonical(node: Any) -> Any:
    """Write a syntax tree as lists, without the parts that don't affect its results.

    Imports are left out, since what their names mean is followed. So are empty fields: a new
    version of Python, whose nodes have more of them, gives the same.
    """
    if isinstance(node, list):
        return [canonical(item) for item in node if not _says_nothing(item)]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = {
        name: canonical(value)
        for name, value in _fields(node)
        if name not in ("ctx", "kind", "type_comment") and value not in (None, [])
    }
    return [type(node).__name__, fields]


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Give a node's fields without annotations of functions and without an experiment's claim."""
    for name, value in ast.iter_fields(node):
        if name == "decorator_list":
            value = [decorator for decorator in value if not _declares(decorator)]
        if name != "returns" and not (name == "annotation" and isinstance(node, ast.arg)):
            yield name, value


def _children(node: ast.AST) -> Iterator[ast.AST]:
    for _, value in _fields(node):
        yield from (v for v in (value if isinstance(value, list) else [value]) if _is_node(v))


def _is_node(value: Any) -> bool:
    return isinstance(value, ast.AST)


def _declares(decorator: ast.AST) -> bool:
    """Whether a decorator is ``@experiment(...)``."""
    chain = _chain(decorator.func) if isinstance(decorator, ast.Call) else None
    return chain is not None and chain[-1] == "experiment"


def _says_nothing(node: Any) -> bool:
    """Whether a statement is a docstring or an import."""
    return isinstance(node, ast.Import | ast.ImportFrom) or (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
