"""Problems, their typical mistakes, and the judgment of an answer by its results.

A *template* is a function that draws sizes, conventions and data, and returns a problem::

    def masked_sum(public, hidden):
        first = public.integers(0, 2)                       # a convention, told in the text
        return Problem("masked_sum", ..., cases=[... hidden ...])

`public` and `hidden` are NumPy generators. Only `public` may affect what students see. Only the
judgment uses `hidden`, which depends on the course's secret.
"""

import builtins
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from rnn_helpers.checks.compare import difference
from rnn_helpers.checks.core import Exercise, Wrong, itself

NAME = re.compile(r"[a-z][a-z0-9_]*")
NO_REPORT = "The tests of this problem didn't run, because your notebook stopped before them."
Template = Callable[[np.random.Generator, np.random.Generator], "Problem | Proof"]


@dataclass(frozen=True)
class Mistake:
    """A change of the solution's code that many students make.

    Parameters
    ----------
    old, new : str
        The solution with `new` in place of each `old` is the mistake.
    hint : str
        A question or a pointer; it must not contain the answer.
    credit : float
        The share of the points that it gets.
    """

    old: str
    new: str
    hint: str
    credit: float = 0.0


@dataclass(frozen=True)
class Problem:
    """A problem whose answer is a function that is tried on hidden cases.

    Parameters
    ----------
    name : str
        The name of the function, unique in the course.
    title, text : str
        The heading, and the task in Markdown.
    minutes, points : int
        The time that it should take, and what it is worth.
    code : str
        The solution. Students don't get the lines between ``### BEGIN SOLUTION`` and
        ``### END SOLUTION``.
    mistakes : dict of str to Mistake
        At least two.
    hint, success : str
        What feedback says about a wrong answer without a name, and about a right answer.
    cases : sequence of tuple
        The arguments of each hidden call, made of numbers, strings, tuples, lists and arrays. A
        function without arguments has the only case ``()``.
    example : str
        Code that shows the function at work, on a case that isn't hidden.
    measure : callable
        Applied to both results before they are compared, where many answers are right.
    tolerance : float
        Largest difference, relative to ``max(1, |expected|)``, at which two numbers are equal.
    parts : dict of str to float
        For a function without arguments that returns a dictionary: the share of the points that
        each right entry gets at least.
    """

    name: str
    title: str
    text: str
    minutes: int
    points: int
    code: str
    mistakes: Mapping[str, Mistake]
    hint: str
    success: str
    cases: Sequence[tuple] = field(default_factory=lambda: [()])
    example: str = ""
    measure: Callable[[Any], Any] = itself
    tolerance: float = 1e-8
    parts: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self):
        check_form(self)
        for name, mistake in self.mistakes.items():
            if mistake.old not in self.code:
                raise ValueError(
                    f"mistakes[{name!r}].old is {mistake.old!r}; expected a part of the code"
                )
            if not 0 <= mistake.credit < 1:
                raise ValueError(
                    f"mistakes[{name!r}].credit is {mistake.credit}; expected at least 0, below 1"
                )

    @cached_property
    def exercise(self) -> Exercise:
        """The exercise of the book's checks that judges the results."""
        wrong = {
            name: Wrong(self._run(self.code.replace(mistake.old, mistake.new)), mistake.hint)
            for name, mistake in self.mistakes.items()
        }
        return Exercise(
            name=self.name,
            solution=self._run(self.code),
            wrong=wrong,
            hint=self.hint,
            success=self.success,
            cases=lambda: self.cases,
            measure=self.measure,
            tolerance=self.tolerance,
        )

    def _run(self, code: str) -> Callable:
        """Return the function that some code defines."""
        space = {"np": np}
        exec(code, space)
        return space[self.name]


@dataclass(frozen=True)
class Proof:
    """A problem that a person grades.

    Parameters
    ----------
    name, title, text, minutes
        As those of a `Problem`.
    solution : str
        A model answer in Markdown.
    rubric : dict of str to int
        The points of a full answer, and what each is worth.
    """

    name: str
    title: str
    text: str
    minutes: int
    solution: str
    rubric: Mapping[str, int]

    def __post_init__(self):
        check_form(self)

    @property
    def points(self) -> int:
        """The sum of the rubric."""
        return sum(self.rubric.values())


def check_form(problem: Problem | Proof) -> None:
    """Refuse a name that can't be a function's, and a problem worth nothing."""
    if not NAME.fullmatch(problem.name):
        raise ValueError(f"name is {problem.name!r}; expected small letters, digits and _")
    if problem.points <= 0:
        raise ValueError(f"{problem.name} is worth {problem.points} points; expected at least 1")


def generator(*words: Any) -> np.random.Generator:
    """Return the random generator that belongs to some words, such as a seed and a name."""
    digest = hashlib.sha256("\n".join(map(str, words)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))


def draw(template: Template, seed: str, secret: str, student: str = "") -> Problem | Proof:
    """Return the problem that a template makes for a class or for one student.

    Parameters
    ----------
    template : callable
        The template.
    seed : str
        The class's seed, from which everything follows that students see.
    secret : str
        The seed of the hidden cases.
    student : str
        The student's id; empty for the version of the class.
    """
    words = seed, student, template.__name__
    problem = template(generator("public", *words), generator("hidden", secret, *words))
    if problem.name != template.__name__:
        raise ValueError(f"name is {problem.name!r}; expected that of its template")
    return problem


class Stop(NamedTuple):
    """An exception that stopped an answer."""

    kind: str
    text: str


class Judgment(NamedTuple):
    """The points that an answer gets, what the student is told, and the mistake's name."""

    points: float
    message: str
    mistake: str | None = None


def judge(problem: Problem, results: Sequence[Any] | None, reason: str = NO_REPORT) -> Judgment:
    """Judge an answer by its results.

    Parameters
    ----------
    problem : Problem
        The problem.
    results : sequence or None
        The result of each case, or a `Stop`; None if the answer wasn't tried.
    reason : str
        What the student is told in that case.
    """
    if results is None or len(results) != len(problem.cases):
        return Judgment(0.0, reason)
    outcome = problem.exercise.grade(_replay(results))
    if outcome.passed:
        return Judgment(float(problem.points), outcome.message)
    name = outcome.recognised
    share = max(problem.mistakes[name].credit if name else 0.0, _right_share(problem, results[0]))
    return Judgment(round(share * problem.points, 2), outcome.message, name)


def _right_share(problem: Problem, result: Any) -> float:
    """Return the share of the points for the entries of a dictionary that are right."""
    if not isinstance(result, dict):
        return 0.0
    right = problem.exercise.solution() if problem.parts else {}
    return sum(
        share
        for part, share in problem.parts.items()
        if part in result and difference(result[part], right[part], problem.tolerance) is None
    )


def _replay(results: Sequence[Any]) -> Callable:
    """Return a function that gives the results one after the other."""
    left = iter(results)

    def answer(*case):
        result = next(left)
        if isinstance(result, Stop):
            kind = getattr(builtins, result.kind, None)
            known = isinstance(kind, type) and issubclass(kind, Exception)
            raise kind(result.text) if known else RuntimeError(f"{result.kind}: {result.text}")
        return result

    return answer
