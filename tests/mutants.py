"""Mutants: solutions with one thing wrong, each of which a check must refuse.

``python tests/mutants.py [NN]`` makes every mutant of the exercises (of chapter NN), grades it, and
prints those that pass. A mutant that passes shows a mistake that the exercise's cases hide, unless
it is a right answer too. Then the tests of its chapter list it as ``EQUIVALENT``, and say why.

There are two kinds. A mutant of the *code* changes one place in the solution or in a helper that it
calls. A mutant of the *input* runs the solution, but ignores one argument or transposes it.
"""

import ast
import collections
import copy
import inspect
import os
import sys
import textwrap
import types
import warnings
from collections.abc import Callable, Container, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
from declared import declared

from rnn_helpers.checks import Exercise, exercises
from rnn_helpers.checks.guard import OutOfTime, supervised
from rnn_helpers.checks.instance import apart, instance, result

SECONDS = 0.5  # of computing time for one mutant, plus five times the solution's time
UNCHANGED = "(unchanged)"
PAIRS = [
    (ast.Add, ast.Sub),
    (ast.And, ast.Or),
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
]
OTHER = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
BOUNDS = {"max", "min", "maximum", "minimum", "clip"}
SYMMETRIC = {"max", "min", "maximum", "minimum", "swapaxes"}  # the first two arguments commute
# A check accepts a list for an array, so leaving these out is no mistake.
CONVERSIONS = {"array", "asarray", "list", "tuple", "copy", "astype", "int", "float"}
# These read an array's shape, so its numbers don't matter.
SHAPES = {"len", "isinstance", "range", "zeros_like", "ones_like", "ndim", "shape", "size", "dtype"}
# These keywords change no answer that a check looks at.
HARMLESS = {"strict", "dtype", "over", "invalid", "divide", "all"}


# code ---------------------------------------------------------------------------------------------


def code_mutants(solution: Callable) -> Iterator[tuple[str, Callable]]:
    """Change the solution, or a helper that it calls, in one place at a time.

    Yield the statement around the change, before and after, with a helper's name in front, and a
    function that returns the changed solution. The first is unchanged: if it doesn't pass, neither
    can its mutants, and they'd prove nothing.
    """
    functions = with_helpers(solution)
    trees = settled([tree_of(function) for function in functions])
    module = ast.Module([*trees], type_ignores=[])
    original = ast.unparse(module)
    yield UNCHANGED, partial(compiled, original, solution)
    names, seen = collections.Counter(), {original}
    for function, tree in zip(functions, trees, strict=True):
        where = "" if function is solution else f"{function.__name__}: "
        for before, statement in changes(tree):
            text = ast.unparse(module)
            if text in seen:
                continue
            seen.add(text)
            name = where + (
                shortened(before, header(statement)) if statement else f"without {before[:60]}"
            )
            names[name] += 1
            if names[name] > 1:
                name = f"{name} ({names[name]})"
            yield name, partial(compiled, text, solution)


def with_helpers(solution: Callable) -> list[Callable]:
    """Return the solution and the functions of its module that it calls, but no other solution."""
    space = vars(inspect.getmodule(solution))
    solutions = {entry.solution for entry in exercises().values() if isinstance(entry, Exercise)}
    found = [solution]
    for function in found:  # grows during the loop
        for name in sorted(names_used(function.__code__)):
            helper = space.get(name)
            if (
                isinstance(helper, types.FunctionType)
                and helper.__module__ == solution.__module__
                and helper not in solutions
                and helper not in found
            ):
                found.append(helper)
    return found


def names_used(code: types.CodeType) -> set[str]:
    """Return the names that a function's code refers to, with those of the functions inside it."""
    inner = (const for const in code.co_consts if isinstance(const, types.CodeType))
    return set(code.co_names).union(*map(names_used, inner))


def tree_of(function: Callable) -> ast.FunctionDef:
    """Parse a function's source, without its decorators and its docstring."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    tree.decorator_list = []
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:]
    return tree


def shortened(before: str, after: str, around: int = 16) -> str:
    """Write a statement before and after a change; of a long one, only the part that changes."""
    if max(len(before), len(after)) <= 60:
        return f"{before} -> {after}"
    start = common(before, after)
    end = common(before[start:][::-1], after[start:][::-1])
    pieces = []
    for text in (before, after):
        first, last = max(0, start - around), min(len(text), len(text) - end + around)
        pieces.append("…" * (first > 0) + text[first:last] + "…" * (last < len(text)))
    return " -> ".join(pieces)


def common(one: str, other: str) -> int:
    """Return the length of two strings' common prefix."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def settled(trees: list[ast.FunctionDef]) -> list[ast.FunctionDef]:
    """Fix the options of helpers that the solution leaves at their defaults.

    Named wrong answers set them; in the solution, the branches behind them are dead code.
    """
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for i, tree in enumerate(trees[1:], 1):
        args, own = tree.args, [call for call in calls if name_of(call.func) == tree.name]
        given = {keyword.arg for call in own for keyword in call.keywords}
        starred = any(isinstance(arg, ast.Starred) for call in own for arg in call.args)
        if starred or None in given:
            continue
        in_order = max((len(call.args) for call in own), default=0)
        given |= {arg.arg for arg in args.args[:in_order]}
        named = args.args[len(args.args) - len(args.defaults) :] + args.kwonlyargs
        options = zip(named, args.defaults + args.kw_defaults, strict=True)
        given |= assigned(tree)
        trees[i] = Settle({a.arg: d for a, d in options if d and a.arg not in given}).visit(tree)
    return trees


def assigned(tree: ast.AST) -> set[str]:
    """Return the names that get a value somewhere in a tree."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Store)}


class Settle(ast.NodeTransformer):
    """Replace options by their values and fold constants."""

    def __init__(self, fixed):
        self.fixed = fixed

    def visit_Name(self, node):
        return copy.deepcopy(self.fixed.get(node.id, node))

    def visit_arguments(self, node):
        kept = [arg for arg in node.args if arg.arg not in self.fixed]
        gone = len(node.args) - len(kept)
        node.args, node.defaults = kept, node.defaults[: len(node.defaults) - gone]
        pairs = zip(node.kwonlyargs, node.kw_defaults, strict=True)
        pairs = [pair for pair in pairs if pair[0].arg not in self.fixed]
        node.kwonlyargs, node.kw_defaults = [a for a, _ in pairs], [d for _, d in pairs]
        return node

    def generic_visit(self, node):
        node = super().generic_visit(node)
        match node:
            case ast.IfExp(ast.Constant(test), body, orelse):
                return body if test else orelse
            case ast.If(ast.Constant(test), body, orelse):
                return (body if test else orelse) or ast.Pass()
            case ast.UnaryOp(ast.Not(), ast.Constant(value)):
                return ast.Constant(not value)
            case ast.Compare(ast.Constant(), [_], [ast.Constant()]):
                return ast.Constant(eval(ast.unparse(node)))
            case ast.BoolOp(ast.Or(), [ast.Constant(first), second]):
                return node.values[0] if first else second
            case ast.BoolOp(ast.And(), [ast.Constant(first), second]):
                return second if first else node.values[0]
            case ast.BoolOp(ast.And(), [first, ast.Constant(second)]):
                return first if second else node.values[1]
            case ast.BinOp(ast.Constant(1), ast.Mult(), other):
                return other
            case ast.BinOp(other, ast.Mult(), ast.Constant(1)):
                return other
            case ast.BinOp(ast.Constant(0), ast.Add(), other):
                return other
            case ast.Slice(ast.Constant(0), upper, step):
                return ast.Slice(None, upper, step)
        return node


def compiled(text: str, solution: Callable) -> Callable:
    """Run the functions' definitions in a copy of the solution's module."""
    space = dict(vars(inspect.getmodule(solution)))
    exec(text, space)
    return space[solution.__name__]


def header(statement: ast.stmt) -> str:
    """Write the first line of a statement; it names the mutant wherever the statement moves."""
    return ast.unparse(statement).partition("\n")[0]


def changes(tree: ast.FunctionDef) -> Iterator[tuple[str, ast.stmt | None]]:
    """Make each change in place, yield the statement's old header and the new statement, undo."""
    local = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)} | assigned(tree)

    def visit(parent, statement):
        for field, value in ast.iter_fields(parent):
            if field in ("args", "annotation", "returns") and not isinstance(parent, ast.Call):
                continue
            if getattr(parent, "arg", None) in HARMLESS:
                continue
            holder, keys = (value, range(len(value))) if isinstance(value, list) else (None, [None])
            for key in keys:
                node = value if holder is None else holder[key]
                if not isinstance(node, ast.AST):
                    continue
                inside = node if isinstance(node, ast.stmt) else statement
                before = header(inside)

                def put(new, holder=holder, key=key, field=field):
                    if holder is None:
                        setattr(parent, field, new)
                    else:
                        holder[key] = new

                for new in variants(node, parent, field, local):
                    put(new)
                    yield before, None if isinstance(new, ast.Pass) else inside
                put(node)
                yield from visit(node, inside)

    yield from visit(tree, tree)


def variants(node: ast.AST, parent: ast.AST, field: str, local: set[str]) -> Iterator[ast.AST]:
    """Yield plausible wrong replacements for a node."""
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, right):
            yield from (left, right, ast.BinOp(left, OTHER[type(op)](), right))
        case ast.BinOp(left, ast.Mult() | ast.MatMult() | ast.Div() | ast.FloorDiv(), right):
            yield from (left, right)
        case ast.BinOp(left, ast.Pow() | ast.Mod(), _):
            yield left
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield operand
        case ast.BoolOp(op, values):
            yield ast.BoolOp(OTHER[type(op)](), values)
            for value in values:
                rest = [other for other in values if other is not value]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.Compare(left, [op], [right]):
            yield ast.Compare(left, [OTHER[type(op)]()], [right])
            yield ast.UnaryOp(ast.Not(), node)
        case ast.Constant(value):
            if isinstance(value, bool):
                yield ast.Constant(not value)
            elif isinstance(value, int | float):
                yield from (ast.Constant(value + 1), ast.Constant(value - 1))
            elif isinstance(value, str) and field != "slice":
                yield ast.Constant(value[1:])
        case ast.Slice(lower, upper, step):
            yield from (
                ast.Slice(*(None if part is bound else part for part in (lower, upper, step)))
                for bound in (lower, upper, step)
                if bound
            )
        case ast.Tuple([first, second, *rest], ast.Load()) if field == "slice":
            yield ast.Tuple([second, first, *rest], ast.Load())
        case ast.Call(func, args, keywords):
            plain = [arg for arg in args if not isinstance(arg, ast.Starred)]
            if name_of(func) not in CONVERSIONS:
                yield from plain[:1]
                if isinstance(func, ast.Attribute) and root(func) in local:
                    yield func.value
            if len(args) > 1:
                for i in range(len(args)):
                    yield ast.Call(func, args[:i] + args[i + 1 :], keywords)
                if name_of(func) in BOUNDS:
                    yield from plain[1:]
                if name_of(func) not in SYMMETRIC:
                    yield ast.Call(func, [args[1], args[0], *args[2:]], keywords)
            for keyword in keywords:
                if keyword.arg not in HARMLESS:
                    rest = [other for other in keywords if other is not keyword]
                    yield ast.Call(func, args, rest)
        case ast.IfExp(_, body, orelse):
            yield from (body, orelse)
        case ast.Attribute(value, "T"):
            yield value
        case ast.If() | ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Break() | ast.Continue():
            yield ast.Pass()
    if field == "test" and isinstance(parent, ast.If):
        yield ast.Constant(True)
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.MatMult) and field == "left":
        yield ast.Attribute(node, "T", ast.Load())
    if is_value(node, parent, field) and root(node) in local:
        yield ast.BinOp(ast.Constant(0), ast.Mult(), node)
        yield ast.Constant(1)


def is_value(node: ast.AST, parent: ast.AST, field: str) -> bool:
    """Return whether a name, with its indices and attributes, is read here as a whole."""
    named = isinstance(node, ast.Name | ast.Subscript | ast.Attribute)
    inner = isinstance(parent, ast.Subscript | ast.Attribute) and field == "value"
    called = isinstance(parent, ast.Call) and (field == "func" or name_of(parent.func) in SHAPES)
    shape = isinstance(node, ast.Attribute) and node.attr in SHAPES
    return named and isinstance(node.ctx, ast.Load) and not (inner or called or shape)


def root(node: ast.AST) -> str | None:
    """Return the base name of an expression with indices and attributes."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def name_of(func: ast.expr) -> str:
    """Return the last part of a called function's name."""
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


# input --------------------------------------------------------------------------------------------


def input_mutants(solution: Callable, cases: list[tuple]) -> Iterator[tuple[str, Callable]]:
    """Ignore or transpose one argument at a time, or ignore all of them."""
    if not cases:
        return
    first = solution(*copy.deepcopy(cases[0]))
    yield "(always the first case's answer)", lambda: lambda *case: first
    for place, name in enumerate(inspect.signature(solution).parameters):
        example, others = cases[0][place], [case[place] for case in cases[1:]]
        parts = [((), example, bool(others))]
        if isinstance(example, Mapping):
            parts += [
                ((key,), part, any(key in other for other in others))
                for key, part in example.items()
            ]
        for path, part, occurs_again in parts:
            label = name + "".join(f"[{key!r}]" for key in path)
            yield f"({label} is zero)", partial(ignoring, solution, (place, *path), zero)
            if np.ndim(part) > 1:
                yield (
                    f"({label} is transposed)",
                    partial(ignoring, solution, (place, *path), turned),
                )
            if occurs_again:
                first_one = partial(always, part)
                named = f"({label} is always the first case's)"
                yield named, partial(ignoring, solution, (place, *path), first_one)


def ignoring(solution: Callable, path: tuple, change: Callable) -> Callable:
    """Return the solution with one part of its arguments changed."""
    return lambda *case: solution(*changed(case, path, change))


def always(fixed, value):
    """Return a copy of a fixed value of any type."""
    return copy.deepcopy(fixed)


def changed(holder: tuple | Mapping, path: tuple, change: Callable) -> tuple | dict:
    """Return a copy of the arguments in which one part is changed; missing parts stay missing."""
    key, *rest = path
    parts = dict(holder) if isinstance(holder, Mapping) else dict(enumerate(holder))
    if key in parts:
        parts[key] = changed(parts[key], rest, change) if rest else change(parts[key])
    return parts if isinstance(holder, Mapping) else tuple(parts.values())


def zero(value):
    """Return zeros in the place of numbers; anything else can't be zero, and raises."""
    return [zero(part) for part in value] if isinstance(value, list) else 0 * value


def turned(value):
    """Return an array with its first two axes exchanged."""
    return np.swapaxes(value, 0, 1)


# grading ------------------------------------------------------------------------------------------


def survivors(entry: Exercise, only: set[str] | None = None) -> tuple[set[str], list[str]]:
    """Grade an exercise's mutants, or `only` some; return all names, and those that pass."""
    cases = list(entry.cases()) if entry.cases else None
    # Recognizing a wrong answer takes most of a grade's time, and here only the verdict counts.
    plain = replace(entry, wrong={}, cases=cases and (lambda: cases))
    began = os.times().user
    assert plain.grade(entry.answer), f"{entry.name}: the solution doesn't pass"
    limit = SECONDS + 5 * (os.times().user - began)
    made, passing = set(), []
    (_, unchanged), *code = code_mutants(entry.solution)
    assert passes(plain, unchanged, limit), f"{entry.name}: the recompiled solution doesn't pass"
    for name, make in [*code, *input_mutants(entry.solution, cases or [])]:
        made.add(name)
        if (only is None or name in only) and passes(plain, make, limit):
            passing.append(name)
    return made, passing


def accepted_by_page(entry: Exercise, equivalent: Container[str]) -> tuple[int, list[str]]:
    """Count an exercise's mutants that are wrong; list those that the page accepts.

    Parameters
    ----------
    entry : Exercise
        One with an instance.
    equivalent : container of str
        The names of mutants that are right answers.

    Returns
    -------
    wrong : int
    accepted : list of str
        The names of wrong mutants whose printed result can't be told from the right one.
    """
    found = instance(entry.name)
    _, *code = code_mutants(entry.solution)
    wrong, accepted = 0, []
    for name, make in [*code, *input_mutants(entry.solution, list(entry.cases()))]:
        if name in equivalent:
            continue
        wrong += 1
        try:
            value = supervised(
                lambda make=make: result(entry, make(), found.setup, found.calls), SECONDS
            )
        except (Exception, OutOfTime):
            continue
        if not apart(value, found.right, entry.tolerance, len(found.calls) > 1):
            accepted.append(name)
    return wrong, accepted


def passes(entry: Exercise, make: Callable, limit: float) -> bool:
    """Return whether an answer passes within its computing time."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            mutant = make()
            answer = mutant if entry.cases else supervised(mutant, limit)
            return bool(replace(entry, seconds=limit).grade(answer))
    except (Exception, OutOfTime):
        return False


def row(name: str) -> tuple[str, set[str], list[str]]:
    """Grade one exercise's mutants in a separate process."""
    return name, *survivors(exercises()[name])


def main(chapter: str = "") -> int:
    """Print each chapter's counts, then the survivors without a record; return how many."""
    known, new, stale = declared("EQUIVALENT"), [], []
    table = collections.defaultdict(collections.Counter)
    computed = [name for name, entry in exercises().items() if isinstance(entry, Exercise)]
    wanted = [name for name in computed if name.startswith(chapter)]
    with ProcessPoolExecutor(2) as pool:
        for name, made, passing in pool.map(row, wanted):
            records = known.get(name, [])
            unknown = [mutant for mutant in passing if mutant not in records]
            new += [(name, mutant) for mutant in unknown]
            stale += [(name, mutant) for mutant in records if mutant not in passing]
            table[name[:2]] += collections.Counter(
                made=len(made),
                refused=len(made) - len(passing),
                equivalent=len(passing) - len(unknown),
                unexplained=len(unknown),
            )
    table["all"] = sum(table.values(), collections.Counter())
    columns = ("made", "refused", "equivalent", "unexplained")
    print("chapter", *(f"{column:>12}" for column in columns))
    for label, counts in table.items():
        print(f"{label:<7}", *(f"{counts[column]:>12}" for column in columns))
    for title, found in (("passes", new), ("recorded, but gone or refused", stale)):
        for name, mutant in found:
            print(f"{title}: {name}: {mutant}")
    return len(new) + len(stale)


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))
