"""Exercises, their named wrong answers, and the check that tells them apart.

An answer is a *value* (a number, an array, a string, ...), a *function* that is tried on cases, or,
for a proof, the list of the points it makes::

    @exercise(
        "03-one-step",
        cases=lambda: [(W, h, x) for W, h, x in ...],
        hint="Write down the shape of each factor first.",
        wrong={
            "W transposed": Wrong(lambda W, h, x: ..., "Which index of W is summed over?"),
            "input forgotten": Wrong(lambda W, h, x: ..., "What reaches the state besides itself?"),
        },
    )
    def one_step(W, h, x):          # the solution
        return ...

Without ``cases`` the answer is a value, and the decorated function, which takes no argument,
returns it. A student's answer that gives what a named wrong answer gives is told that one's hint.
"""

import copy
import difflib
import importlib
import inspect
import pkgutil
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rnn_helpers.checks.compare import Misfit, difference, kind
from rnn_helpers.validate import as_function, as_kind, as_number

_REGISTRY: dict[str, "Exercise | Checklist"] = {}
_NOT_YOURS = "This function is the book's own. Hand in one that you have written."
_NAME = re.compile(r"\d\d-[A-Za-z0-9]+(-[A-Za-z0-9]+)*")


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that students give, and the hint that helps them on.

    Parameters
    ----------
    answer : callable or object
        Like the student's answer: a function for exercises with cases, a value otherwise.
    hint : str
        A question or a pointer; it must not contain the answer.
    """

    answer: Any
    hint: str


@dataclass(frozen=True)
class Outcome:
    """What a check found: true when the answer passes, and silent at the end of a cell.

    Attributes
    ----------
    passed : bool
        Whether the answer is right.
    message : str
        What was printed.
    recognised : str or None
        The name of the wrong answer that was recognised, or the point of a proof that is missing.
    use : object
        What a program goes on with: the answer where it passed. Where it did not, the book's own,
        if the exercise lends it, so that nothing below has to wait; else None.
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


@dataclass(frozen=True)
class Exercise:
    """An exercise whose answer can be computed; made by :func:`exercise`.

    Attributes
    ----------
    name : str
        ``"NN-slug"``, NN being the chapter.
    solution : callable
        The right function, or a function without arguments that returns the right value.
    wrong : dict of str to Wrong
        The named wrong answers.
    hint : str
        What is said when no named wrong answer is recognised.
    cases : callable or None
        Returns the list of argument tuples a function is tried on; None for a value.
    tolerance : float
        Largest difference, relative to ``max(1, |expected|)``, at which two numbers are equal.
    measure : callable
        Applied to what is compared, before it is compared.
    lends : bool
        Whether a program may go on with the solution until an answer passes.
    success : str
        One sentence about what a student whose answer passes has shown.
    """

    name: str
    solution: Callable
    wrong: Mapping[str, Wrong]
    hint: str
    cases: Callable[[], Sequence[tuple]] | None = None
    tolerance: float = 1e-8
    measure: Callable[[Any], Any] = field(default=lambda value: value)
    lends: bool = False
    success: str = ""

    @property
    def answer(self) -> Any:
        """The right answer, in the form in which a student gives it."""
        return self.solution if self.cases else self.solution()

    def grade(self, answer: Any) -> Outcome:
        """Compare an answer with the solution, then with each named wrong answer.

        Parameters
        ----------
        answer : object
            What the student hands in.

        Returns
        -------
        Outcome
        """
        if answer is None or answer is ...:
            return Outcome(False, "No answer yet: put yours in the place of the dots.")
        if self.cases and not callable(answer):
            got = kind(answer)
            return Outcome(
                False, f"Hand in the function itself, without calling it; this is {got}."
            )
        if not self.cases and inspect.isroutine(answer) and not callable(self.answer):
            return Outcome(False, "Hand in the value, not the function that computes it.")

        cases = list(self.cases()) if self.cases else [None]
        if self.cases and not _takes(answer, cases[0]):
            wanted = ", ".join(inspect.signature(self.solution).parameters)
            return Outcome(False, f"Your function is called with ({wanted}), which it cannot take.")
        given = [self._outcome_of(answer, case) for case in cases]
        right = (self._outcome_of(self.answer, case) for case in cases)
        failures = (
            (number, fault)
            for number, (a, b) in enumerate(zip(given, right, strict=True))
            if (fault := difference(a, b, self.tolerance))
        )
        number, fault = next(failures, (None, None))
        if fault is None:
            return Outcome(True, _praise(self.success))
        if isinstance(given[number], NotImplementedError):
            return Outcome(
                False, "Not written yet: replace `raise NotImplementedError` by your own lines."
            )
        name, hint = self._recognise(given, cases)
        place = (
            f"Case {number + 1} of {len(cases)}, {_describe(cases[number])}: " if self.cases else ""
        )
        return Outcome(False, f"{place}{fault}\nHint: {hint}", name)

    def _outcome_of(self, answer: Any, case: tuple | None) -> Any:
        """What an answer gives on one case: what is compared, or the exception it raised."""
        try:
            # a copy, so that no answer can spoil the case for the next one
            value = answer if case is None else answer(*copy.deepcopy(case))
        except (Exception, SystemExit) as error:  # in whatever way it fails
            return error
        try:
            return self.measure(value)
        except Exception:
            return Misfit(value)

    def _recognise(self, given: list, cases: list) -> tuple[str | None, str]:
        """Return the named wrong answer that gives the same on every case, and the hint to tell."""
        for name, wrong in self.wrong.items():
            same = (
                difference(a, self._outcome_of(wrong.answer, case), self.tolerance) is None
                for a, case in zip(given, cases, strict=True)
            )
            if all(same):
                return name, wrong.hint
        return None, self.hint


@dataclass(frozen=True)
class Checklist:
    """What a full answer to a proof contains; made by :func:`checklist`.

    Attributes
    ----------
    name : str
        ``"NN-slug"``.
    points : dict of str to str
        Each point a full answer makes, and the hint for a reader whose answer does not make it.
    success : str
        One sentence about what a student whose proof is complete has shown.
    """

    name: str
    points: Mapping[str, str]
    success: str = ""

    @property
    def answer(self) -> list[bool]:
        """Every point ticked."""
        return [True] * len(self.points)

    @property
    def wrong(self) -> dict[str, Wrong]:
        """Each point left out in turn, with its hint."""
        return {
            point: Wrong([other != point for other in self.points], hint)
            for point, hint in self.points.items()
        }

    def grade(self, answer: Any) -> Outcome:
        """Read the ticks a student gave; without any, print the list to tick.

        Parameters
        ----------
        answer : sequence of bool or None
            One tick for each point, in order.

        Returns
        -------
        Outcome
        """
        if answer is None or answer is ...:
            lines = [f"  {n}. {point}" for n, point in enumerate(self.points, 1)]
            return Outcome(False, "\n".join(["A full answer contains:", *lines]))
        ticks = list(answer) if isinstance(answer, Sequence | np.ndarray) else answer
        wanted = len(self.points)
        if (
            not isinstance(ticks, list)
            or len(ticks) != wanted
            or not all(isinstance(tick, bool | np.bool_) for tick in ticks)
        ):
            return Outcome(
                False, f"Hand in {wanted} ticks, True or False, one for each point of the list."
            )
        for tick, (point, hint) in zip(ticks, self.points.items(), strict=True):
            if not tick:
                return Outcome(False, f"Still missing: {point}\nHint: {hint}", point)
        return Outcome(True, _praise(self.success))


def exercise(
    name: str,
    *,
    wrong: Mapping[str, Wrong],
    hint: str,
    cases: Callable[[], Sequence[tuple]] | None = None,
    tolerance: float = 1e-8,
    measure: Callable[[Any], Any] | None = None,
    lends: bool = False,
    success: str = "",
) -> Callable[[Callable], Callable]:
    """Declare an exercise by decorating its solution.

    Parameters
    ----------
    name : str
        ``"NN-slug"``, NN being the chapter; the name the notebook passes to :func:`check`.
    wrong : dict of str to Wrong
        At least two wrong answers, under a name that says what went wrong.
    hint : str
        What is said when no named wrong answer is recognised.
    cases : callable, optional
        Returns the argument tuples to try a function on (called when an answer is checked, so that
        importing a chapter's exercises costs nothing). Leave out where the answer is a value.
    tolerance : float
        Largest difference, relative to ``max(1, |expected|)``, at which two numbers are equal.
    measure : callable, optional
        Applied to the value, or to what the function returns, before comparing. It lets many
        answers be right: ``measure=is_contraction`` accepts every matrix that is one.
    lends : bool
        Whether `Outcome.use` is the solution until an answer passes, for a function that what
        follows on the page calls. Nobody sees it, but it can be run.
    success : str
        One sentence about what the student has just shown; printed when an answer passes.

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
                measure=measure or (lambda value: value),
                lends=lends,
                success=success,
            )
        )
        return solution

    return register


def checklist(name: str, points: Mapping[str, str], *, success: str = "") -> None:
    """Declare what a full answer to a proof contains.

    ``check(name)`` prints the points; ``check(name, [True, False, ...])`` gives the hint of the
    first one that is not ticked.

    Parameters
    ----------
    name : str
        ``"NN-slug"``.
    points : dict of str to str
        At least two points, each with the hint for a reader who has not made it.
    success : str
        One sentence about what the student has just shown; printed when every point is ticked.
    """
    as_kind("points", points, Mapping, "a dict of points to hints")
    as_kind("success", success, str, "a string")
    _enter(Checklist(name, dict(points), success))


def _enter(entry: Exercise | Checklist) -> None:
    if not isinstance(entry.name, str) or not _NAME.fullmatch(entry.name):
        raise ValueError(f"name is {entry.name!r}, expected the form 'NN-slug', as in '02-count'")
    if len(entry.wrong) < 2:
        raise ValueError(
            f"{entry.name} knows {len(entry.wrong)} wrong answers, expected at least 2"
        )
    if entry.name in _REGISTRY:
        raise ValueError(f"an exercise named {entry.name!r} is declared already")
    _REGISTRY[entry.name] = entry


def exercises() -> dict[str, Exercise | Checklist]:
    """Return every exercise of every chapter, by name.

    Returns
    -------
    dict of str to Exercise or Checklist
    """
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        if module.name.startswith("chapter_"):
            importlib.import_module(f"{__package__}.{module.name}")
    return dict(sorted(_REGISTRY.items()))


def check(name: str, answer: Any = None) -> Outcome:
    """Print what a right answer shows, or a hint for a wrong one; never the answer.

    Parameters
    ----------
    name : str
        The exercise's name, such as ``"02-count-parameters"``.
    answer : object
        The student's value, function, or ticks. Left out, a proof's checklist is printed.

    Returns
    -------
    Outcome
        True or false in a condition; shows nothing at the end of a cell.
    """
    known = exercises()
    if not isinstance(name, str) or name not in known:
        near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.4) or list(known)
        raise ValueError(f"name is {name!r}, which is no exercise; expected one like {near}")
    entry = known[name]
    outcome = Outcome(False, _NOT_YOURS) if _is_ours(answer) else entry.grade(answer)
    print(outcome.message)
    ours = entry.solution if getattr(entry, "lends", False) else None
    return replace(outcome, use=answer if outcome else ours)


def _praise(success: str) -> str:
    """Return the message for an answer that passes."""
    return f"Correct. {success}".rstrip()


def _is_ours(answer: Any) -> bool:
    """Whether an answer is a function of this package, such as a solution."""
    return isinstance(answer, types.FunctionType) and str(answer.__module__).startswith(__package__)


def _takes(function: Callable, case: tuple) -> bool:
    """Whether a function can be called with the arguments of a case, as far as one can tell."""
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
        if isinstance(value, Mapping):
            text = "{" + ", ".join(f"{k}: {brief(v)}" for k, v in value.items()) + "}"
            return (
                text if len(text) <= 60 else _cut(f"a dictionary of {', '.join(map(str, value))}")
            )
        if callable(value):
            return getattr(value, "__name__", "a function")
        return _cut(" ".join(repr(value).split()))

    return f"with ({', '.join(map(brief, case))})"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."
