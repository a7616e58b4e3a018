"""How far a verdict is from another one: margins, computed from the rows and the conditions.

The conditions of a verdict are functions of a claim's numbers. To find the thresholds on which the
verdict rests, they are evaluated with numbers that note each comparison, and once more for each of
these with its outcome reversed. A threshold counts if that changes the verdict.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any

from rnn_helpers.experiments.schema import Experiment
from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.experiments.success import SUCCESS
from rnn_helpers.experiments.words import Estimate, Numbers

NARROW = 2.0
"""Half-widths of an interval within which a threshold is close to the estimate."""


@dataclass(frozen=True)
class Margin:
    """How far a verdict is from another one.

    Attributes
    ----------
    deciding : list of int
        Seeds without any one of which the verdict would be another.
    distance : float, optional
        The smallest distance between an estimate and a threshold on which the verdict rests, in
        half-widths of the estimate's interval. At 1 the threshold is an end of the interval. It is
        None if the verdict rests on no interval.
    """

    deciding: list[int]
    distance: float | None

    @property
    def narrow(self) -> bool:
        """Whether a second block of seeds is needed."""
        return bool(self.deciding) or (self.distance is not None and self.distance <= NARROW)


def margin(entry: Experiment, rows: Sequence[dict], seeds: Sequence[int]) -> Margin:
    """Compute the margin of an experiment's verdict.

    Parameters
    ----------
    entry : Experiment
    rows : sequence of dict
        One for each seed, or with lists that hold a value for each seed.
    seeds : sequence of int

    Returns
    -------
    Margin
    """
    numbers = entry.numbers(rows)
    branch, notes = _branch(entry, numbers)
    distances = [
        distance
        for k, note in enumerate(notes)
        if (distance := _distance(*note)) is not None
        and _branch(entry, numbers, reverse=k)[0] != branch
    ]
    deciding = [
        seed for seed, others in _leaving_out(rows, seeds)
        if _branch(entry, entry.numbers(others))[0] != branch
    ]  # fmt: skip
    return Margin(deciding, min(distances, default=None))


class _Noted(float):
    """A part of an estimate that records the values it is compared with."""

    def __new__(cls, value, estimate, notes, reverse):
        self = super().__new__(cls, value)
        self.estimate, self.notes, self.reverse = estimate, notes, reverse
        return self

    def _compared(self, other, outcome):
        self.notes.append((self.estimate, getattr(other, "estimate", float(other))))
        return (not outcome) if len(self.notes) - 1 == self.reverse else outcome

    def __lt__(self, other):
        return self._compared(other, float(self) < float(other))

    def __le__(self, other):
        return self._compared(other, float(self) <= float(other))

    def __gt__(self, other):
        return self._compared(other, float(self) > float(other))

    def __ge__(self, other):
        return self._compared(other, float(self) >= float(other))


def _branch(entry: Experiment, numbers: dict, reverse: int | None = None) -> tuple:
    """Return the part of the verdict that is reached, and the comparisons on the way."""
    notes: list[tuple] = []

    def noted(value: Any) -> Any:
        if isinstance(value, Estimate):
            return Estimate(*(_Noted(part, value, notes, reverse) for part in value))
        if isinstance(value, dict):
            return {key: noted(inner) for key, inner in value.items()}
        return [noted(inner) for inner in value] if isinstance(value, list) else value

    given = Numbers(**noted(numbers))
    return entry.verdict.part(given), notes


def _distance(estimate: Estimate, threshold: Estimate | float) -> float | None:
    """Return how many half-widths a threshold is from an estimate, None without a width."""
    if isinstance(threshold, Estimate):
        up = threshold.value > estimate.value
        half = hypot(_half(estimate, up), _half(threshold, not up))
        threshold = threshold.value
    else:
        half = _half(estimate, threshold > estimate.value)
    return abs(threshold - estimate.value) / half if half > 0 else None


def _half(estimate: Estimate, upper: bool) -> float:
    return estimate.high - estimate.value if upper else estimate.value - estimate.low


def _leaving_out(rows: Sequence[dict], seeds: Sequence[int]) -> Iterator[tuple[int, list[dict]]]:
    """Give each seed with the rows of all the others."""
    if all("seed" in row for row in rows):
        for seed in seeds:
            yield seed, [row for row in rows if row["seed"] != seed]
    elif all(len(row.get("accuracy", ())) == len(seeds) for row in rows):
        for k, seed in enumerate(seeds):
            yield seed, [_without(row, k) for row in rows]


def _without(row: dict, k: int) -> dict:
    """Leave one network out of a row that counts those that learned."""
    accuracy = [*row["accuracy"][:k], *row["accuracy"][k + 1 :]]
    successes = sum(one > SUCCESS for one in accuracy)
    rate, low, high = rate_interval(successes, len(accuracy))
    counts = {"successes": successes, "of": len(accuracy), "rate": rate, "low": low, "high": high}
    return row | counts | {"accuracy": accuracy}
