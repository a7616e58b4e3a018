"""Exercises, their named wrong answers, and the check that distinguishes them.

An answer is a *value* (a number, an array, a string, ...), a *function* that is tried on cases, or,
for a proof, the list of the points it makes::

    @exercise(
        "03-one-step",
        cases=lambda: [(W, h, x) for W, h, x in ...],
        hint="Write down the shape of each factor first.",
        success="One step needs only the last state, so a state sums up everything before it.",
        wrong={
            "W transposed": Wrong(lambda W, h, x: ..., "Which index of W is summed over?"),
            "input forgotten": Wrong(lambda W, h, x: ..., "What reaches the state besides itself?"),
        },
    )
    def one_step(W, h, x):          # the solution
        return ...

Without ``cases`` the answer is a value, and the decorated function, which takes no argument,
returns it. If a student's answer gives the same results as a named wrong answer, `check` prints the
hint of that wrong answer. Otherwise it prints a hint about the form if the form is wrong, asks for
more digits if a number has too few, and in all other cases prints the exercise's hint.

The package that students install has no solutions. There, a chapter's exercises are in
``exercises/chapter_NN.pickle``, and `Recorded` results stand for the solution and for the wrong
answers.
"""

import contextlib
import copy
import functools
import importlib
import inspect
import pickle
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rnn_helpers.checks.compare import (
    FormFault,
    Misfit,
    changed,
    cut,
    difference,
    holds_dots,
    in_a_line,
    inexact,
    is_coarse,
    kind,
    plain,
)
from rnn_helpers.checks.guard import EXERCISES, Aid, Helpers, OutOfTime, pieces, supervised
from rnn_helpers.validate import as_function, as_kind, as_known, as_number

_REGISTRY: dict[str, "Exercise | Checklist"] = {}
_ORIGIN: dict[str, tuple[str, str]] = {}  # the module and the function that declare each
_LENT = "Until your answer passes, the cells below use the book's own function."
UNANSWERED = "Not answered yet."  # the start of every message about an empty stub
_DOTS = f"{UNANSWERED} Put your answer in place of the dots."
_SPOILS = (
    "Your result is right, but your function changes {}. Which lines work in place? `-=` changes "
    "an array, and a copy of a dictionary still contains the same arrays."
)
_ALSO_SPOILS = "Your function also changes {}, so a caller can't go on with the old numbers."
_SINGLE = 1e-5  # how far a right answer in float32 may be off
_ROUNDED = (
    "Your numbers are nearly right, but the check needs more digits than they have. Do you round "
    "them, or compute in float32? Use float64, which is NumPy's default."
)
_NAME = re.compile(r"\d\d-[A-Za-z0-9]+(-[A-Za-z0-9]+)*")


@dataclass(frozen=True)
class Wrong:
    """A typical wrong answer and its hint.

    Parameters
    ----------
    answer : callable or object
        Like the student's answer: a function for exercises with cases, a value otherwise.
    hint : str
        A question or a pointer; it must not contain the answer.
    likely : bool
        Whether an answer also matches this one if all its errors are in parts and cases where this
        one is wrong, too.
    """

    answer: Any
    hint: str
    likely: bool = False


# For instances of networks: arrays whose numbers are the same everywhere, and without a pattern.
WAVE = """
def wave(k, *shape):
    return np.sin(k + 2.3 * np.arange(np.prod(shape))).reshape(shape)
"""


def lines(*parts: str) -> str:
    """Join the parts of an instance, each without its indentation."""
    return "\n\n".join(map(inspect.cleandoc, parts))


@dataclass(frozen=True)
class Outcome:
    """The result of a check: true when the answer passes, and shows nothing at the end of a cell.

    Attributes
    ----------
    passed : bool
        Whether the answer is right.
    message : str
        The printed text.
    recognised : str or None
        The name of the wrong answer that was recognized, or the point of a proof that is missing.
    use : object
        The answer to continue with: the student's if it passed. If not, the book's solution if the
        exercise lends it, so that the cells below can run; else None.
    """

    passed: bool
    message: str
    recognised: str | None = None
    use: Any = None

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return ""

    def _ipython_display_(self) -> None:
        """Show nothing: the message is printed already."""


def itself(value: Any) -> Any:
    """Return the value unchanged: the default `measure` of an exercise."""
    return value


@dataclass(frozen=True)
class Recorded:
    """A function's results on the cases of its exercise, in place of its code.

    Attributes
    ----------
    values : list
        The result on each case, or the exception that the function raises.
    parameters : tuple of str
        The names of the function's parameters.
    helpers : frozenset of str
        The functions of the book that it calls, each named by `guard.place`.
    """

    values: list
    parameters: tuple[str, ...] = ()
    helpers: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Exercise:
    """An exercise whose answer can be computed; made by :func:`exercise`.

    Attributes
    ----------
    name : str
        ``"NN-slug"``, NN being the chapter.
    solution : callable or Recorded
        The right function, or a function without arguments that returns the right value.
    wrong : dict of str to Wrong
        The named wrong answers.
    hint : str
        The hint if no named wrong answer is recognized.
    success : str
        One or two sentences about what a right answer shows.
    cases : callable or None
        Returns the list of argument tuples a function is tried on; None for a value.
    tolerance : float
        Largest difference, relative to ``max(1, |expected|)``, at which two numbers are equal.
    measure : callable
        Applied to both results before they are compared.
    lends : bool
        Whether a program may go on with the solution until an answer passes.
    keeps : bool
        Whether an answer is refused that changes one of its arguments.
    seconds : float
        The CPU time after which an answer is stopped.
    instance : str or sequence of int or None
        The lines that a reader of the page runs, or the numbers of the cases that they show; None
        if they are derived. See :mod:`rnn_helpers.checks.instance`.
    off_page : str
        Why the page can't judge a printed result; empty if it can.
    """

    name: str
    solution: "Callable | Recorded"
    wrong: Mapping[str, Wrong]
    hint: str
    success: str
    cases: Callable[[], Sequence[tuple]] | None = None
    tolerance: float = 1e-8
    measure: Callable[[Any], Any] = itself
    lends: bool = False
    keeps: bool = False
    seconds: float = 60
    instance: str | Sequence[int] | None = None
    off_page: str = ""

    @property
    def answer(self) -> Any:
        """The right answer, in the form in which a student gives it."""
        return self.solution if self.cases else self.solution()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the solution's parameters."""
        if isinstance(self.solution, Recorded):
            return self.solution.parameters
        return tuple(inspect.signature(self.solution).parameters)

    def helpers(self) -> frozenset[str]:
        """Return the functions of the book that the solution calls, as `guard.place` names them."""
        if isinstance(self.solution, Recorded):
            return self.solution.helpers
        found = Helpers()
        supervised(lambda: self.run(self.solution), self.seconds, found.note)
        return frozenset(found)

    def run(self, answer: Any) -> list:
        """Return the result of an answer on each case, or the exception that it raises."""
        with _usual_reports():
            return _values(answer, list(self.cases()) if self.cases else [None])

    def grade(self, answer: Any, own: bool = False) -> Outcome:
        """Compare an answer with the solution, then with each named wrong answer.

        Parameters
        ----------
        answer : object
            The student's answer.
        own : bool
            Whether to refuse an answer that leaves the work to the book's functions.

        Returns
        -------
        Outcome
        """
        with _usual_reports():
            return self._grade(answer, own)

    def _grade(self, answer: Any, own: bool) -> Outcome:
        if answer is None or holds_dots(answer):
            return Outcome(False, _DOTS)
        if self.cases and not callable(answer):
            got = kind(answer)
            return Outcome(False, f"Give the function itself, without calling it; this is {got}.")
        if not self.cases and inspect.isroutine(answer) and not callable(self.answer):
            return Outcome(False, "Give the value, not the function that computes it.")
        cases = list(self.cases()) if self.cases else [None]
        if self.cases and not _takes(answer, cases[0]):
            wanted = ", ".join(self.parameters)
            return Outcome(False, f"Your function is called with ({wanted}), which it can't take.")

        right = [self._measured(value) for value in _values(self.answer, cases)]
        spoiled: set[int] = set()

        own = own and self.cases
        try:
            aid = Aid(
                getattr(self.solution, "__code__", None),
                self.helpers() if own else frozenset(),
                lambda value, case: self._is_result(value, right[case]),
            )
            values = supervised(
                lambda: _values(answer, cases, aid, spoiled),
                self.seconds,
                aid.note if own else None,
            )
            given = supervised(lambda: [self._measured(value) for value in values], self.seconds)
        except OutOfTime:
            limit = "a minute" if self.seconds == 60 else f"{self.seconds:g} seconds"
            return Outcome(
                False,
                f"Your answer was still running after {limit}, so it was stopped. Does it contain "
                "a loop that never ends?",
            )
        if name := aid.does_the_work(len(cases)):
            return Outcome(False, _borrowed(name))
        single = any(map(is_coarse, values)) and self.tolerance >= 1e-8
        spoiled_names = [self.parameters[i] for i in sorted(spoiled)]
        return self._compare(given, right, cases, single, spoiled_names)

    def _compare(
        self, given: list, right: list, cases: list, single: bool, spoiled: list[str]
    ) -> Outcome:
        """Judge the results of an answer, some of which may be in single precision."""

        def first_fault(tolerance: float, rounded: bool = False) -> tuple[int, str] | None:
            pairs = zip(given, right, strict=True)
            faults = (difference(a, b, tolerance, rounded) for a, b in pairs)
            return next(((n, fault) for n, fault in enumerate(faults) if fault), None)

        arguments = " and ".join(f"`{name}`" for name in spoiled)
        failure = first_fault(self.tolerance)
        if failure is None:
            return self._praised(arguments)
        number, fault = failure
        if holds_dots(given[number]):
            return Outcome(False, _DOTS)
        if isinstance(given[number], NotImplementedError):
            line = "replace `raise NotImplementedError` with your own lines."
            return Outcome(False, f"{UNANSWERED} To answer, {line}")
        name, hint = self._recognise(given, right, cases, max(self.tolerance, single * _SINGLE))
        right_in_single = first_fault(max(self.tolerance, _SINGLE)) is None
        if single and name is None and right_in_single:
            return self._praised(arguments)
        if isinstance(given[number], BaseException) and name is None:
            hint = "Run your function by itself on such arguments. Which line stops?"
        elif single and (right_in_single or (name is None and first_fault(1e-2) is None)):
            name, hint = None, _ROUNDED
        elif name is None and (right_in_single or not first_fault(self.tolerance, rounded=True)):
            hint = _ROUNDED
        elif name is None and isinstance(fault, FormFault):
            hint = self._about_form(given[number], arguments)
        if self.cases:
            fault = f"Case {number + 1} of {len(cases)}, {_describe(cases[number])}: {fault}"
            fault += _right_parts(given, right, self.tolerance)
        return Outcome(False, f"Hint: {hint}\n{fault[0].upper()}{fault[1:]}", name)

    def _praised(self, spoiled: str) -> Outcome:
        """Return the outcome of an answer with the right results, which may spoil its arguments."""
        if not spoiled:
            return Outcome(True, f"Correct. {self.success}")
        if self.keeps:
            return Outcome(False, f"Hint: {_SPOILS.format(spoiled)}")
        return Outcome(True, f"Correct. {self.success}\n{_ALSO_SPOILS.format(spoiled)}")

    def _about_form(self, given: Any, spoiled: str) -> str:
        """Return the hint for an answer whose form is wrong, so that its numbers can't be."""
        if not self.cases:
            return "Is your answer in the form that the exercise asks for?"
        if given is not None:
            return "Does your function return its result in the form that the exercise asks for?"
        if spoiled:
            return f"Your function changes {spoiled} but returns nothing. Return the result."
        return "Your function returns nothing. Does it end with `return` and the result?"

    def _measured(self, value: Any) -> Any:
        """Return the part of a result that is compared."""
        if isinstance(value, Misfit | BaseException):
            return value
        try:
            with warnings.catch_warnings(action="ignore"):
                return value if self.measure is itself else self.measure(inexact(value))
        except Exception:
            return Misfit(value)

    def _is_result(self, value: Any, right: Any) -> bool:
        """Whether a value is, or contains, the right result."""
        if isinstance(right, Misfit | BaseException):
            return False
        parts = list(pieces(value))
        if any(_same(self._measured(part), right) for part in parts):
            return True
        wanted = right.values() if isinstance(right, Mapping) else right
        return (
            isinstance(right, Mapping | list | tuple)
            and len(wanted) > 0
            and all(any(_same(part, each) for part in parts) for each in wanted)
        )

    def _recognise(
        self, given: list, right: list, cases: list, tolerance: float
    ) -> tuple[str | None, str]:
        """Return the named wrong answer that gives the same on every case, and its hint.

        If there is none, one that is likely and wrong wherever the given one is.
        """
        faults, likely = _faults(given, right, tolerance), (None, self.hint)
        for name, wrong in self.wrong.items():
            values = list(map(self._measured, _values(wrong.answer, cases)))
            if not _faults(given, values, tolerance):
                return name, wrong.hint
            if wrong.likely and faults and faults <= _faults(values, right, tolerance):
                likely = name, wrong.hint
        return likely


def _parts(value: Any) -> dict:
    """Return the parts of a result that can be right or wrong by themselves, by key or place."""
    if isinstance(value, Mapping):
        return dict(value)
    return dict(enumerate(value)) if isinstance(value, tuple) else {"": value}


def _faults(given: list, right: list, tolerance: float) -> set:
    """Return each pair of a case's number and a part of its result that differs.

    Two answers that both stop agree, because the order of their lines decides what stops them.
    """
    faults = set()
    for number, (a, b) in enumerate(zip(given, right, strict=True)):
        if isinstance(a, BaseException) and isinstance(b, BaseException):
            continue
        wanted = _parts(b)
        got = _parts(tuple(a) if isinstance(a, list) and isinstance(b, tuple) else a)
        if got.keys() != wanted.keys():
            got, wanted = {"": a}, {"": b}
        faults |= {
            (number, part)
            for part, each in wanted.items()
            if difference(got[part], each, tolerance) is not None
        }
    return faults


def _right_parts(given: list, right: list, tolerance: float) -> str:
    """Name the parts of the results that are right in all cases, if there are any."""
    wrong = {part for _, part in _faults(given, right, tolerance)}
    fine = [part for part in _parts(right[0]) if part not in wrong]
    if not fine or "" in wrong:
        return ""
    names = [repr(part) if isinstance(part, str) else f"item {part}" for part in fine]
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f" Right in all cases: {listed}."


class Proof(NamedTuple):
    """A student's answer to a conceptual exercise, and the points that the student ticked."""

    text: Any
    ticks: Any = None


@dataclass(frozen=True)
class Checklist:
    """The points of a full proof; made by :func:`checklist`.

    Attributes
    ----------
    name : str
        ``"NN-slug"``.
    points : dict of str to str
        Each point a full answer makes, and the hint for a reader whose answer does not make it.
    success : str
        One or two sentences about what a complete proof shows.
    """

    name: str
    points: Mapping[str, str]
    success: str

    @property
    def answer(self) -> "Proof":
        """A proof with every point ticked."""
        return Proof("A proof in a few sentences of one's own.", [True] * len(self.points))

    @property
    def wrong(self) -> dict[str, Wrong]:
        """Each point left out in turn, with its hint."""
        return {
            point: Wrong(
                self.answer._replace(ticks=[other != point for other in self.points]), hint
            )
            for point, hint in self.points.items()
        }

    def grade(self, answer: Any, own: bool = False) -> Outcome:
        """Show the points once a proof is written, then read the ticks.

        Parameters
        ----------
        answer : Proof or str
            The student's text, with one tick for each point once the points have been seen.
        own : bool
            Ignored for a proof.

        Returns
        -------
        Outcome
        """
        text, ticks = answer if isinstance(answer, Proof) else (answer, None)
        if not isinstance(text, str) or len(text.split()) < 5:
            return Outcome(
                False,
                f"{UNANSWERED} Write your answer in a few sentences, as a string. "
                "Then you'll see the points that a full answer makes.",
            )
        wanted = len(self.points)
        if ticks is None:
            lines = [f"  {n}. {point}" for n, point in enumerate(self.points, 1)]
            return Outcome(
                False,
                "\n".join(
                    [
                        "Compare your answer with these points:",
                        *lines,
                        f"Then tick the points it makes: check({self.name!r}, ..., ticks=[True, "
                        f"False, ...]), with {wanted} ticks.",
                    ]
                ),
            )
        ticks = list(ticks) if isinstance(ticks, list | tuple | np.ndarray) else []
        if len(ticks) != wanted or not all(isinstance(tick, bool | np.bool_) for tick in ticks):
            return Outcome(
                False, f"Give {wanted} ticks, True or False, one for each point of the list."
            )
        for tick, (point, hint) in zip(ticks, self.points.items(), strict=True):
            if not tick:
                return Outcome(
                    False, f"Hint: {hint}\nYour answer doesn't make this point: {point}", point
                )
        return Outcome(True, f"By your own assessment, your answer is complete. {self.success}")


def exercise(
    name: str,
    *,
    wrong: Mapping[str, Wrong],
    hint: str,
    success: str,
    cases: Callable[[], Sequence[tuple]] | None = None,
    tolerance: float = 1e-8,
    measure: Callable[[Any], Any] | None = None,
    lends: bool = False,
    keeps: bool = False,
    seconds: float = 60,
    instance: str | Sequence[int] | None = None,
    off_page: str = "",
) -> Callable[[Callable], Callable]:
    """Declare an exercise by decorating its solution.

    Parameters
    ----------
    name : str
        ``"NN-slug"``, NN being the chapter; the name the notebook passes to :func:`check`.
    wrong : dict of str to Wrong
        At least two wrong answers, each under a name that describes the mistake.
    hint : str
        The hint if no named wrong answer is recognized.
    success : str
        One or two sentences about what a right answer shows; printed after "Correct."
    cases : callable, optional
        Returns the argument tuples to try a function on (called when an answer is checked, so that
        importing a chapter's exercises costs nothing). Leave out where the answer is a value.
        The students' wheel has the results in place of the functions (see `press.wheel`). So the
        results have to be the same on each machine, and the functions and classes in an argument
        have to be defined at the top level of their module.
    tolerance : float
        Largest difference, relative to ``max(1, |expected|)``, at which two numbers are equal.
    measure : callable, optional
        Applied to the value, or to the function's result, before comparing. It lets many
        answers be right: ``measure=is_contraction`` accepts every matrix that is one.
    lends : bool
        Whether `Outcome.use` is the solution until an answer passes, for a function that later
        cells call. Its source stays hidden, but it can be run.
    keeps : bool
        Whether to refuse a function that changes its arguments, because the exercise forbids it.
        Any other exercise only says so after "Correct."
    seconds : float
        The CPU time after which an answer is stopped. Training may need more than the default.
    instance : str or sequence of int, optional
        What a reader of the page runs if the derived calls won't do: lines of code that end with
        ``print``, or the numbers of up to three cases.
    off_page : str, optional
        Why the page can't judge what a function prints.

    Returns
    -------
    callable
        The decorator; it returns the solution unchanged.
    """
    as_kind("wrong", wrong, Mapping, "a dict of names to Wrong(answer, hint)")
    for case, answer in wrong.items():
        as_kind(f"wrong[{case!r}]", answer, Wrong, "Wrong(answer, hint)")
    as_kind("hint", hint, str, "a string")
    as_kind("success", success, str, "a string")
    as_number("seconds", seconds, "a number above 0", lambda value: value > 0)
    as_number("tolerance", tolerance, "a number of at least 0", lambda value: value >= 0)
    for role, function in (("cases", cases), ("measure", measure)):
        if function is not None:
            as_function(role, function)

    def register(solution: Callable) -> Callable:
        _enter(
            Exercise(
                name=name,
                solution=solution,
                wrong=dict(wrong),
                hint=hint,
                cases=cases,
                tolerance=tolerance,
                measure=measure or itself,
                lends=lends,
                keeps=keeps,
                success=success,
                seconds=seconds,
                instance=instance,
                off_page=off_page,
            ),
            (solution.__module__, solution.__qualname__),
        )
        return solution

    return register


def checklist(name: str, points: Mapping[str, str], *, success: str) -> None:
    """Declare the points of a full proof.

    ``check(name, text)`` prints the points; ``check(name, text, ticks=[True, False, ...])`` gives
    the hint of the first one that is not ticked. The check doesn't read the text: the assessment is
    the student's own.

    Parameters
    ----------
    name : str
        ``"NN-slug"``.
    points : dict of str to str
        At least two points, each with the hint for a reader who has not made it.
    success : str
        One or two sentences about what a complete proof shows; printed when every point is ticked.
    """
    as_kind("points", points, Mapping, "a dict of points to hints")
    as_kind("success", success, str, "a string")
    caller = sys._getframe(1).f_globals["__name__"]
    _enter(Checklist(name, dict(points), success), (caller, "checklist"))


def _enter(entry: Exercise | Checklist, origin: tuple[str, str]) -> None:
    """Register an exercise; a module that is loaded again replaces its own."""
    if not isinstance(entry.name, str) or not _NAME.fullmatch(entry.name):
        raise ValueError(f"name is {entry.name!r}, expected the form 'NN-slug', as in '02-count'")
    if len(entry.wrong) < 2:
        raise ValueError(
            f"{entry.name} knows {len(entry.wrong)} wrong answers, expected at least 2"
        )
    if entry.name in _REGISTRY and _ORIGIN.get(entry.name) != origin:
        raise ValueError(f"an exercise named {entry.name!r} is declared already")
    _REGISTRY[entry.name] = entry
    _ORIGIN[entry.name] = origin


def exercises() -> dict[str, Exercise | Checklist]:
    """Return every exercise of every chapter, by name.

    Returns
    -------
    dict of str to Exercise or Checklist
    """
    _import("*")
    return dict(sorted(_REGISTRY.items()))


def declared_in(name: str) -> str:
    """Return the name of the module that declares an exercise."""
    return _ORIGIN[name][0]


def _import(chapter: str) -> None:
    for path in EXERCISES.glob(f"chapter_{chapter}.py"):
        importlib.import_module(f"rnn_helpers.exercises.{path.stem}")
    for path in EXERCISES.glob(f"chapter_{chapter}.pickle"):
        _load(path)


@functools.cache
def _load(path: Path) -> None:
    """Register the exercises that the students' package has without their code."""
    for entry in pickle.loads(path.read_bytes()):
        _enter(entry, (f"rnn_helpers.exercises.{path.stem}", "recorded"))


def require_exercise(argument: str, name: Any) -> Exercise | Checklist:
    """Return the exercise of a name, which was passed as `argument`.

    Only its chapter's modules are imported, so a build can tell which notebooks depend on them.
    """
    if isinstance(name, str) and _NAME.fullmatch(name):
        _import(f"{name[:2]}*")
        if name in _REGISTRY:
            return _REGISTRY[name]
    return as_known(argument, name, exercises(), "exercise")


def check(name: str, answer: Any = None, ticks: Any = None) -> Outcome:
    """Print what a right answer shows, or a hint for a wrong one; never the answer.

    Parameters
    ----------
    name : str
        The exercise's name, such as ``"02-count-parameters"``.
    answer : object
        The student's value or function, or a proof as a string.
    ticks : sequence of bool, optional
        For a proof, one tick for each point that a full answer makes.

    Returns
    -------
    Outcome
        True or false in a condition; shows nothing at the end of a cell.
    """
    entry = require_exercise("name", name)
    if isinstance(entry, Checklist):
        answer = Proof(answer, ticks)
    outcome = _outcome(entry, answer)
    ours = entry.solution if getattr(entry, "lends", False) else None
    lent = f"\n{_LENT}" if ours and not outcome else ""
    # a lone surrogate, for example in a student's error message, can't be printed
    message = _encodable(outcome.message + lent, "utf-8")
    print(_encodable(message, getattr(sys.stdout, "encoding", None) or "utf-8"))
    return replace(outcome, message=message, use=answer if outcome else ours)


def _encodable(text: str, encoding: str) -> str:
    """Replace the characters that an encoding lacks, as that of a Windows console may."""
    return text.encode(encoding, "replace").decode(encoding)


def _outcome(entry: Exercise | Checklist, answer: Any) -> Outcome:
    try:
        if name := _ours(answer):
            return Outcome(False, _borrowed(name))
        return entry.grade(answer, own=True)
    except Exception:  # an object that raises on any operation
        return Outcome(False, "This answer can't be examined: Python stops when it is looked at.")


def _ours(answer: Any) -> str | None:
    """Return the name of an answer that is a function of this package, such as a solution."""
    if isinstance(answer, types.FunctionType) and str(answer.__module__).startswith("rnn_helpers."):
        return answer.__name__
    return None


def _borrowed(name: str) -> str:
    """Return the message for an answer that leaves the work to a function of the book."""
    return (
        f"This answer leaves the work to the book's own `{name}`. Write the computation yourself."
    )


@contextlib.contextmanager
def _usual_reports() -> Iterator[None]:
    """Restore the floating-point errors and warnings of a new session.

    Otherwise ``np.seterr(all="raise")`` would make a solution stop where it underflows.
    """
    usual = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
    with np.errstate(**usual), warnings.catch_warnings():
        warnings.filters[:] = [one for one in warnings.filters if one[0] != "error"]
        yield


def _values(
    answer: Any, cases: list, aid: Aid | None = None, spoiled: set[int] | None = None
) -> list:
    """Return an answer's result on each case, or the exception that it raises.

    The places of arguments that it changes are added to `spoiled`.
    """
    if isinstance(answer, Recorded):
        return answer.values
    values = []
    for number, case in enumerate(cases):
        if aid:
            aid.case = number
        # a copy, so that no answer can spoil the case for the next one
        own = copy.deepcopy(case)
        values.append(_value(answer, own))
        if spoiled is not None and case:
            spoiled.update(i for i, before in enumerate(case) if changed(before, own[i]))
    return values


def _value(answer: Any, case: tuple | None) -> Any:
    try:
        value = answer if case is None else answer(*case)
    except (KeyboardInterrupt, OutOfTime):
        raise
    except BaseException as error:  # whatever the error is
        return error
    try:
        value = plain(value)
    except Exception:  # an object that can't be looked at
        return Misfit(value)
    return Misfit(value) if isinstance(value, BaseException) else value


def _same(given: Any, expected: Any) -> bool:
    return difference(given, expected) is None


def _takes(function: Callable, case: tuple) -> bool:
    """Whether a function can be called with the arguments of a case; True if unknown."""
    try:
        inspect.signature(function).bind(*case)
    except TypeError:
        return False
    except ValueError:  # it has no signature to look at
        return True
    return True


def _describe(case: tuple) -> str:
    """Write a case's arguments in a few words."""

    def brief(value: Any) -> str:
        if isinstance(value, np.ndarray) and value.size > 6:
            return f"an array of shape {value.shape}"
        if isinstance(value, np.ndarray):
            text = np.array2string(value, precision=3, separator=", ", suppress_small=True)
            return " ".join(text.split())
        if isinstance(value, Mapping):
            text = "{" + ", ".join(f"{k}: {brief(v)}" for k, v in value.items()) + "}"
            return text if len(text) <= 60 else cut(f"a dictionary of {', '.join(map(str, value))}")
        if callable(value):
            return getattr(value, "__name__", "a function")
        return cut(in_a_line(repr(value)))

    return cut(f"with ({', '.join(map(brief, case))})", 100)
