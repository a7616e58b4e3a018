"""The pieces of a notebook's code that other pieces need."""

import ast
import symtable
from collections.abc import Collection, Sequence

COMPOUND = ast.For | ast.While | ast.If | ast.With | ast.Try | ast.FunctionDef | ast.ClassDef


def reads(code: str) -> set[str]:
    """Return the global names that a piece of code reads before it binds them itself.

    Names that a function of the piece reads count too. A loop's own variables don't.
    """
    names, bound = set(), set()
    for statement in ast.parse(code).body:
        table = _table(ast.unparse(statement))
        own = _binds(table)
        names |= _reads(table) - bound - (own if isinstance(statement, COMPOUND) else set())
        bound |= own
    return names


def binds(code: str) -> set[str]:
    """Return the global names that a piece of code gives a value."""
    return _binds(_table(code))


def needed(pieces: Sequence[str], wanted: Collection[int]) -> list[int]:
    """Return the places of the wanted pieces and of all earlier pieces whose names they need.

    Parameters
    ----------
    pieces
        Code, cells or statements.
    wanted
        Places in the list.

    Returns
    -------
    list of int
        Places, in order.
    """
    places, names = [], set()
    for place in reversed(range(len(pieces))):
        bound = binds(pieces[place])
        if place in wanted or names & bound:
            places.append(place)
            names = names - bound | reads(pieces[place])
    return places[::-1]


class _AsGenerators(ast.NodeTransformer):
    """Turn comprehensions into generators, which have their own scope for variables.

    Since Python 3.12, symbol tables list a comprehension's variables with the names around it.
    """

    def visit_ListComp(self, node):
        self.generic_visit(node)
        return ast.GeneratorExp(node.elt, node.generators)

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node):
        self.generic_visit(node)
        return ast.GeneratorExp(ast.Tuple([node.key, node.value], ast.Load()), node.generators)


def _table(code: str) -> symtable.SymbolTable:
    return symtable.symtable(ast.unparse(_AsGenerators().visit(ast.parse(code))), "piece", "exec")


def _reads(table: symtable.SymbolTable) -> set[str]:
    names = {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")
    }
    return names.union(*map(_reads, table.get_children()))


def _binds(table: symtable.SymbolTable) -> set[str]:
    return {
        symbol.get_name()
        for symbol in table.get_symbols()
        if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
    }
