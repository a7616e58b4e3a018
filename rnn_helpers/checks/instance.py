"""The lines that a reader runs to answer a code exercise on its page, and the results they print.

A page can't run Python. But readers can run their function anywhere and paste the result. An
*instance* is the lines that they run: a setup if one is needed, and a ``print`` of one to three
calls. The calls come from the exercise's cases and are chosen so that the solution and all named
mistakes print different results. An author can write the lines instead.
"""

import ast
import inspect
import itertools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from rnn_helpers.checks.compare import Misfit
from rnn_helpers.checks.core import (
    Exercise,
    Recorded,
    _usual_reports,
    _value,
    itself,
    require_exercise,
)

CALLS = 3  # the most calls in one print
SHORT = 160  # a further call is added only if the lines have at most so many characters
LONGEST = 300  # the most characters of a call
NUMBERS = 15  # the most numbers in a result
FEW = 12  # a further call is added only if the result has at most so many numbers
CASES = 60  # the most cases that are tried
WIDTH = 66  # the most characters of a line
NEAR = 5e-4  # the rounding error of four digits, relative to the largest entry
IMPORTS = {"np.": "import numpy as np", "Fraction(": "from fractions import Fraction"}


class Unfit(ValueError):
    """Raised if a value can't be written in a call, or can't be read from its printed form."""


class Stop(str):
    """The name of the exception that stops an answer."""


class Instance(NamedTuple):
    """The lines to run, and the printed value of the solution and of each wrong answer.

    A value is made of lists, dictionaries and leaves, as :func:`printed` returns it; if an answer
    stops, it is a `Stop`.
    """

    lines: str
    setup: str
    calls: list[str]
    right: Any
    wrong: dict[str, Any]

    def distinct(self, tolerance: float) -> set[str]:
        """Return the wrong answers whose value differs from the right one and all others."""
        values = [self.right, *self.wrong.values()]
        return {
            name
            for place, (name, value) in enumerate(self.wrong.items(), 1)
            if all(
                apart(value, other, tolerance, len(self.calls) > 1)
                for k, other in enumerate(values)
                if k != place
            )
        }


def instance(name: str) -> Instance:
    """Return the instance of a code exercise.

    Parameters
    ----------
    name : str
        The exercise's name.

    Returns
    -------
    Instance

    Raises
    ------
    ValueError
        If the exercise has no cases, or no instance can be derived, or it declares why it has none,
        or if its solution is only recorded.
    """
    entry = require_exercise("exercise", name)
    if not isinstance(entry, Exercise) or not entry.cases:
        raise ValueError(f"exercise is {name!r}; expected one whose answer is a function")
    if isinstance(entry.solution, Recorded):
        raise ValueError(f"exercise is {name!r}; students' package can't run its solution")
    if entry.off_page:
        raise ValueError(f"{name} can't be judged by what is printed: {entry.off_page}")
    if isinstance(entry.instance, str):
        code = inspect.cleandoc(entry.instance)
        setup, calls = _parsed(code)
    else:
        setup, calls = "", [call.text for call in _chosen(entry, list(_candidates(entry)))]
        shown = calls[0] if len(calls) == 1 else f"[{', '.join(calls)}]"
        code = broken(f"print({shown})")
    right, *wrong = (result(entry, each, setup, calls) for each in _answers(entry))
    if isinstance(right, Stop):
        raise Unfit(f"the solution of {name} stops with {right}")
    imports = [line for sign, line in IMPORTS.items() if sign in code]
    lines = "\n".join([*imports, "", code] if imports else [code])
    return Instance(lines, setup, calls, right, dict(zip(entry.wrong, wrong, strict=True)))


def asked(name: str) -> dict:
    """Return the data with which a page asks for a printed result and judges it.

    Parameters
    ----------
    name : str
        The exercise's name.

    Returns
    -------
    dict
        ``kind`` (``"printed"``), ``lines`` (to run), ``calls`` (their number), ``right``, ``wrong``
        (a list of ``value`` or ``stops``, and ``hint``), ``tolerance``, ``hint`` and ``success``.
    """
    entry, found = require_exercise("exercise", name), instance(name)
    return {
        "kind": "printed",
        "lines": found.lines,
        "calls": len(found.calls),
        "right": found.right,
        "wrong": [
            {"stops" if isinstance(value, Stop) else "value": value, "hint": entry.wrong[slip].hint}
            for slip, value in found.wrong.items()
        ],
        "tolerance": entry.tolerance,
        "hint": entry.hint,
        "success": entry.success,
    }


# ---- literals ------------------------------------------------------------------------------------


def literal(value: Any) -> str:
    """Write a value of a case as code.

    Raises
    ------
    Unfit
        If there is no short way to write it.
    """
    if value is None or isinstance(value, bool | str):
        return repr(value)
    if isinstance(value, Fraction):
        return f"Fraction({value.numerator}, {value.denominator})"
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biuf":
        text = _names(repr(value.tolist()))
        return f"np.array({text})" if value.ndim else text
    if isinstance(value, int | float):
        return _names(repr(value))
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{literal(k)}: {literal(v)}' for k, v in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    if isinstance(value, Set) and value:
        return f"{{{', '.join(sorted(map(literal, value)))}}}"
    raise Unfit(f"an argument of type {type(value).__name__} can't be written in a line")


def _names(text: str) -> str:
    return text.replace("nan", "np.nan").replace("inf", "np.inf")


def rounded(value: Any, digits: int) -> Any:
    """Round the numbers of an argument.

    Raises
    ------
    Unfit
        If rounding would break what an array is: probabilities, their logarithms, or a rotation.
    """
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        short = np.round(value, digits) + 0.0
        if not np.array_equal(short, value, equal_nan=True) and _is_special(value):
            raise Unfit("rounding would change its meaning")
        return short
    if isinstance(value, float | np.floating):
        return float(f"{value:.{max(digits, 2)}g}")
    if isinstance(value, Mapping):
        return {key: rounded(part, digits) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(rounded(part, digits) for part in value)
    return value


def _is_special(array: np.ndarray) -> bool:
    with np.errstate(all="ignore"):
        sums = [
            part.sum(axis) for part in (array, np.exp(array)) for axis in (None, *range(array.ndim))
        ]
    if array.size > 1 and any(np.allclose(each, 1, atol=1e-9) for each in sums):
        return True
    square = array.ndim == 2 and array.shape[0] == array.shape[1]
    return square and np.allclose(array @ array.T, np.eye(len(array)), atol=1e-9)


def broken(text: str, indent: int = 0) -> str:
    """Break a long line of code at the commas of its brackets."""
    if indent + len(text) <= WIDTH:
        return text
    start = min((text.index(sign) for sign in "([{" if sign in text), default=None)
    if start is None or text[-1] not in ")]}":
        return text
    depth, parts, last = 0, [], start + 1
    quoted = ""
    for place, sign in enumerate(text):
        if quoted:
            quoted = "" if sign == quoted else quoted
        elif sign in "'\"":
            quoted = sign
        elif sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if not depth and place < len(text) - 1:
                return text  # more follows the bracket
        elif sign == "," and depth == 1:
            parts.append(text[last:place].strip())
            last = place + 1
    parts.append(text[last:-1].strip())
    if len(parts) == 1:  # hug a single argument: f([ ... ])
        return text[: start + 1] + broken(parts[0], indent) + text[-1]
    inner = " " * (indent + 4)
    body = [broken(part, indent + 4) for part in parts if part]
    rows = [body[0]]
    for part in body[1:]:
        last_row = rows[-1].rpartition("\n")[2]
        plain = not set("([{\n") & set(part + last_row)
        if plain and len(inner) + len(last_row) + len(part) + 3 <= WIDTH:
            rows[-1] += f", {part}"
        else:
            rows.append(part)
    listed = "".join(f"{inner}{row},\n" for row in rows)
    return f"{text[: start + 1]}\n{listed}{' ' * indent}{text[-1]}"


# ---- values --------------------------------------------------------------------------------------


def printed(value: Any) -> Any:
    """Return a result as it can be read back from its print: lists, dictionaries and leaves.

    Numbers keep ten digits, so that the last bits, which differ between machines, don't count.

    Raises
    ------
    Unfit
        If the printed form doesn't tell the value.
    """
    if isinstance(value, BaseException):
        return Stop(type(value).__name__)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(printed(key)): printed(part) for key, part in value.items()}
    if isinstance(value, Set):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple):
        return [printed(part) for part in value]
    if value is None:
        return "None"
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, str):
        return value
    if isinstance(value, Fraction):
        value = float(value) if value.denominator > 1 else int(value)
    if isinstance(value, int | np.integer):
        return int(value) if abs(value) < 2**53 else float(value)
    if isinstance(value, complex | np.complexfloating):
        return str(value)
    if isinstance(value, float | np.floating):
        number = float(f"{value:.10g}") + 0.0
        return number if math.isfinite(number) else str(number)
    raise Unfit(f"a result of type {type(value).__name__} has no plain form")


def leaves(value: Any) -> list:
    """Return the leaves of a printed value in order."""
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value)]
    return [leaf for part in value for leaf in leaves(part)] if isinstance(value, list) else [value]


def _form(value: Any) -> Any:
    """Return a printed value without its leaves."""
    if isinstance(value, dict):
        return {key: _form(part) for key, part in value.items()}
    return [_form(part) for part in value] if isinstance(value, list) else 0


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def apart(a: Any, b: Any, tolerance: float, several: bool = True) -> bool:
    """Whether two printed values differ even if each is written with four digits.

    Parameters
    ----------
    a, b : object
        As `printed` returns them.
    tolerance : float
        As that of an exercise.
    several : bool
        Whether they are lists of the results of several calls. Each result then has its own largest
        number, which sets how exactly its other numbers are known.
    """
    if isinstance(a, Stop) or isinstance(b, Stop):
        return type(a) is not type(b) or a != b
    if _form(a) != _form(b):
        return True
    parts = zip(a, b, strict=True) if several else [(a, b)]
    return any(_leaves_apart(leaves(x), leaves(y), tolerance) for x, y in parts)


def _leaves_apart(a: list, b: list, tolerance: float) -> bool:
    largest = max((abs(x) for x in a + b if _is_number(x)), default=0)
    for x, y in zip(a, b, strict=True):
        if not (_is_number(x) and _is_number(y)):
            if x != y or type(x) is not type(y):
                return True
            continue
        allowed = max(tolerance * max(1, abs(x), abs(y)), 2 * NEAR * largest)
        whole = isinstance(x, int) and isinstance(y, int)
        if abs(x - y) > (0.4 if whole else allowed):
            return True
    return False


# ---- calls ---------------------------------------------------------------------------------------


class Candidate(NamedTuple):
    """A call, the number of its case, and the values of the solution and of each wrong answer."""

    text: str
    case: int
    values: list


def _candidates(entry: Exercise):
    """Yield the calls that can be written; if the author chose cases, only those."""
    if entry.measure is not itself:
        raise Unfit(f"{entry.name} has many right answers, so it needs lines of its own")
    reason = "it has no cases"
    for case, given in itertools.islice(enumerate(entry.cases()), CASES):
        if entry.instance is not None and case not in entry.instance:
            continue
        seen = set()
        for digits in (1, 2, 3, None):
            try:
                given_short = given if digits is None else rounded(given, digits)
                text = f"{entry.solution.__name__}({', '.join(map(literal, given_short))})"
                if text in seen:
                    continue
                seen.add(text)
                if len(text) > LONGEST:
                    raise Unfit("its arguments are too long")
                values = [result(entry, each, "", [text]) for each in _answers(entry)]
                if isinstance(values[0], Stop):
                    raise Unfit(f"the solution stops with {values[0]}")
                if len(leaves(values[0])) > NUMBERS:
                    raise Unfit("its results are too long")
            except Unfit as error:
                reason = error
                continue
            yield Candidate(text, case, values)
            if entry.instance is not None:
                break
    if isinstance(reason, Unfit) and entry.instance is not None and not seen:
        raise reason


def _answers(entry: Exercise) -> list[Callable]:
    return [entry.solution, *(wrong.answer for wrong in entry.wrong.values())]


def _chosen(entry: Exercise, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Choose up to three calls: first those that distinguish most answers, then short ones."""
    if not candidates:
        raise Unfit(f"no case of {entry.name} can be written in a call: give it lines of its own")
    if entry.instance is not None:
        order = {case: place for place, case in enumerate(entry.instance)}
        return sorted(candidates, key=lambda each: order[each.case])
    chosen: list[Candidate] = []
    while len(chosen) < CALLS:
        others = [each for each in candidates if each.case not in {one.case for one in chosen}]
        if not others:
            break
        best = max(others, key=lambda each: _worth([*chosen, each], entry.tolerance))
        before, after = (_worth(each, entry.tolerance) for each in (chosen, [*chosen, best]))
        if chosen and after[0] <= before[0] and not after[1]:
            break
        chosen.append(best)
    return chosen


def _worth(chosen: Sequence[Candidate], tolerance: float) -> tuple:
    """Rank calls by the number of answers they distinguish, then by length."""
    if not chosen:
        return (-1, True, 0)
    joint = [list(values) for values in zip(*(each.values for each in chosen), strict=True)]
    joint = [next((v for v in each if isinstance(v, Stop)), each) for each in joint]
    pairs = itertools.combinations(range(len(joint)), 2)
    told = sum(2 if i == 0 else 1 for i, j in pairs if apart(joint[i], joint[j], tolerance))
    stops = sum(isinstance(each, Stop) for each in joint)
    length = sum(len(each.text) for each in chosen)
    size = len(leaves(joint[0]))
    return (
        told - stops,
        length <= SHORT and size <= FEW,
        -length - 8 * size,
    )


def _parsed(code: str) -> tuple[str, list[str]]:
    """Return the setup and the calls of an author's lines."""
    *before, last = ast.parse(code).body
    match last:
        case ast.Expr(ast.Call(ast.Name("print"), [shown], [])):
            calls = shown.elts if isinstance(shown, ast.List) else [shown]
        case _:
            raise Unfit(f"an instance ends with {ast.unparse(last)!r}; expected print(...)")
    if len(calls) > CALLS:
        raise Unfit(f"an instance has {len(calls)} calls; expected at most {CALLS}")
    setup = "\n".join(code.splitlines()[: last.lineno - 1]).strip() if before else ""
    return setup, [ast.get_source_segment(code, call) for call in calls]


def result(entry: Exercise, answer: Callable, setup: str, calls: Sequence[str]) -> Any:
    """Return what an answer prints for the calls: a value, or a list of several."""
    space = {"np": np, "Fraction": Fraction}
    with _usual_reports(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(setup, space)
        space[entry.solution.__name__] = answer
        values = [_value(lambda call=call: eval(call, space), ()) for call in calls]
    stopped = next((value for value in values if isinstance(value, BaseException)), None)
    if stopped is not None:
        return printed(stopped)
    if any(isinstance(value, Misfit) for value in values):
        return printed(TypeError())
    values = [printed(value) for value in values]
    return values[0] if len(values) == 1 else values
