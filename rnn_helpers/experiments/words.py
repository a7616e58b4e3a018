"""Numbers in words: estimates with their intervals, and sentences with conditions on them.

A sentence is a template that ``str.format`` fills from the numbers of a claim. Where ``cost`` is an
`Estimate`, ``"it costs {cost:.2f} bits"`` becomes "it costs 0.81 (0.78 to 0.84) bits",
``{cost.value:.2f}`` writes its value alone, and ``{by_unit[tanh]:.2f}`` one of several in a dict.
A sentence may be the second item of a pair whose first is the condition for using it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from math import exp, log
from types import SimpleNamespace
from typing import NamedTuple

from rnn_helpers.experiments.stats import (
    mean_interval,
    median_interval,
    paired_interval,
    rate_interval,
)

Numbers = SimpleNamespace
"""What a claim's ``numbers(rows)`` returns, each under its name."""
Condition = Callable[[Numbers], bool]


class Unforeseen(ValueError):
    """Numbers of an outcome that no words are written for."""


class Estimate(NamedTuple):
    """A value with its 95 % interval, written as ``0.81 (0.78 to 0.84)``."""

    value: float
    low: float
    high: float

    @classmethod
    def mean(cls, values: Iterable[float], *bounds) -> "Estimate":
        """Mean of independent values; bounds as for `mean_interval`."""
        return cls(*mean_interval(list(values), *bounds))

    @classmethod
    def geometric(cls, values: Iterable[float]) -> "Estimate":
        """Geometric mean of independent values above 0, such as errors that differ by factors."""
        return cls(*map(exp, mean_interval([log(value) for value in values])))

    @classmethod
    def median(cls, values: Iterable[float], tests: int = 1) -> "Estimate":
        """Median of independent values, such as scores of networks that sometimes fail.

        If only the best of several medians counts, ``tests`` is their number.
        """
        return cls(*median_interval(list(values), tests))

    @classmethod
    def rate(cls, outcomes: Iterable[bool]) -> "Estimate":
        """Share of outcomes that are true."""
        outcomes = [bool(one) for one in outcomes]
        return cls(*rate_interval(sum(outcomes), len(outcomes)))

    @classmethod
    def paired(cls, first: Sequence[bool], second: Sequence[bool], tests: int = 1) -> "Estimate":
        """Share of trials in which the first is true, less that in which the second is.

        If only the best of several differences counts, ``tests`` is their number.
        """
        return cls(*paired_interval(first, second, tests))

    def __format__(self, form: str) -> str:
        value, low, high = (format(one, form or ".3g") for one in self)
        return f"{value} ({low} to {high})"

    def __str__(self) -> str:
        return format(self, "")


class AtLeast(float):
    """A lower bound, which is rounded down so that it still holds as it is written."""

    _rounding = ROUND_FLOOR

    def __format__(self, form: str) -> str:
        with localcontext(rounding=self._rounding):
            return format(Decimal(repr(float(self))), form)


class AtMost(AtLeast):
    """An upper bound, which is rounded up so that it still holds as it is written."""

    _rounding = ROUND_CEILING


def grouped(rows: Iterable[dict], *columns: str) -> dict:
    """Group the rows by their values in some columns.

    Returns
    -------
    dict
        From the columns' values, a tuple if there are several columns, to rows, in their order.
    """
    groups: dict = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        groups.setdefault(key if len(columns) > 1 else key[0], []).append(row)
    return groups


def where(rows: Iterable[dict], **columns) -> list[dict]:
    """Choose the rows that have these values in these columns."""
    return [row for row in rows if columns.items() <= row.items()]


def listed(template: str, records: Iterable, separator: str = ", ") -> str:
    """Fill a template from each of several records, dicts or tuples, and join the results."""
    return separator.join(
        template.format(**record) if isinstance(record, Mapping) else template.format(*record)
        for record in records
    )


def either(alternatives: Iterable, form: str = "") -> str:
    """Join alternatives by commas and an "or", each in a format such as ``",.0f"``."""
    return " or ".join(", ".join(format(one, form) for one in alternatives).rsplit(", ", 1))


def crossed(
    rows: Iterable[dict],
    down: str,
    across: str,
    cell: Callable[[list[dict]], object],
    *,
    heading: str = "",
    each: str = "{}",
) -> list[dict]:
    """Summarize rows in a table of two of their columns.

    Parameters
    ----------
    rows : iterable of dict
    down, across : str
        The columns whose values name the lines and the columns of the table.
    cell : callable
        Takes the rows that agree in both and returns the table's entry.
    heading : str
        Heading of the first column; `down` if left out.
    each : str
        Template of the other headings, such as ``"{} steps"``.

    Returns
    -------
    list of dict
        The lines of the table.
    """
    return [
        {heading or down: name}
        | {each.format(at): cell(some) for at, some in grouped(mine, across).items()}
        for name, mine in grouped(rows, down).items()
    ]


def power_of_ten(exponent: float) -> str:
    """Write a number by its rounded logarithm, as in ``10⁻⁷⁸``."""
    return "10" + f"{exponent:.0f}".translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def at_edges(rows: Iterable[dict], *columns: str, each: str = "", setting: str = "eta") -> str:
    """Name the cells whose chosen rate is the first or last of those tried: ``GRU (0.3)``.

    ``columns`` name a cell. Their values fill the template ``each``, or are joined by commas. The
    column ``setting`` has the choice.
    """
    first = (mine[0] for mine in grouped(rows, *columns).values())
    template = (each or ", ".join(["{}"] * len(columns))) + " ({:g})"
    edges = where(first, at_edge=True)
    return listed(template, ([row[name] for name in (*columns, setting)] for row in edges))


AT_EDGES = (
    lambda n: n.edges,
    "The chosen learning rate is the lowest or highest that we tried for {edges}, so another rate "
    "might be better there.",
)
"""A sentence for ``saw`` with the ``edges`` that `at_edges` names, if there are any."""

VALUES_AT_EDGES = (
    lambda n: n.edges,
    "A chosen value is the lowest or highest that we tried for {edges}, so another might be better "
    "there.",
)
"""The same where settings have several values, or one that isn't a learning rate."""

STUCK = (
    lambda n: n.stuck,
    "Where no network learns, the chosen learning rate means little. It is the lowest or highest "
    "that we tried for {stuck}.",
)
"""The sentence for the ``stuck``, which are cells in which no network learns."""


def fill(template: str, numbers: Numbers) -> str:
    """Put a claim's numbers into a sentence."""
    return template.format(**vars(numbers))


def written(template: str, numbers: Numbers) -> str:
    """Put a claim's numbers into a sentence, and a space before each percent sign, as in texts."""
    return re.sub(r"(?<=\d)%", " %", fill(template, numbers))


def first_that_holds(pairs: Iterable[tuple[Condition, str]], numbers: Numbers) -> str:
    """Fill the first of several sentences whose condition holds.

    Raises
    ------
    Unforeseen
        If no condition holds.
    """
    for condition, template in pairs:
        if condition(numbers):
            return fill(template, numbers)
    told = listed("{} {}", vars(numbers).items(), "; ")
    raise Unforeseen(f"these numbers are an outcome that no words are written for: {told}")


def all_that_hold(sentences: Iterable[str | tuple[Condition, str]], numbers: Numbers) -> str:
    """Fill and join the sentences that have no condition, or one that holds."""
    pairs = ((None, one) if isinstance(one, str) else one for one in sentences)
    return " ".join(fill(one, numbers) for holds, one in pairs if not holds or holds(numbers))
