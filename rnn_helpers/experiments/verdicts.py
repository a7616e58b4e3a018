"""An experiment's headline, its verdict and its summary in words."""

import re
from dataclasses import dataclass

from rnn_helpers.experiments.words import Condition, Estimate, Numbers
from rnn_helpers.validate import as_function, as_kind, as_number

_KINDS = "holds in part", "holds", "does not hold", "undecided"
_PARTS = {
    "holds": "holds",
    "in_part": "holds in part",
    "restricted": "does not hold",
    "fails": "does not hold",
}
_VERDICT = re.compile(
    r"Holds in part[,:] \S.*\.|(Holds|Does not hold|Undecided)\.( \S.*\.)?", re.DOTALL
)


def kind_of(verdict: str) -> str:
    """Return the first words of a verdict, in lower case."""
    return next(kind for kind in _KINDS if verdict.lower().startswith(kind))


@dataclass(frozen=True)
class Headline:
    """An experiment's main number, with its interval.

    Attributes
    ----------
    value, low, high : float
        The estimate and its 95 % confidence interval over the seeds.
    unit : str
        Unit of the three numbers.

    Raises
    ------
    TypeError
        If one of the three is not a number.
    ValueError
        If a number is not finite, or the interval does not contain the value.
    """

    value: float
    low: float
    high: float
    unit: str

    def __post_init__(self):
        for name in ("value", "low", "high"):
            as_number(name, getattr(self, name))
        if not self.low <= self.value <= self.high:
            raise ValueError(
                f"value is {self.value}, which the interval from low {self.low} to high "
                f"{self.high} does not contain"
            )

    def __str__(self) -> str:
        """Write the number with its interval, as in ``bits lost: 0.81 (0.78 to 0.84)``."""
        return f"{self.unit}: {Estimate(self.value, self.low, self.high)}"

    def overlaps(self, other: "Headline") -> bool:
        """Whether the two intervals have a point in common."""
        return self.low <= other.high and other.low <= self.high


@dataclass(frozen=True)
class Summary(Headline):
    """An experiment's result, in one number and in words.

    Attributes
    ----------
    value, low, high, unit
        As of `Headline`.
    verdict : str
        A sentence or two that start with ``"Holds."``, ``"Holds in part: ..."``,
        ``"Does not hold."`` or ``"Undecided."``
    text : str
        The observations, in a sentence or two, with their numbers.
    caveats : str
        The limits of the result. The text ends with them.
    finding : str
        Our own result in one sentence.

    Raises
    ------
    TypeError, ValueError
        As `Headline`, or if the verdict starts differently.
    """

    verdict: str
    text: str
    caveats: str = ""
    finding: str = ""

    def __post_init__(self):
        super().__post_init__()
        if not _VERDICT.fullmatch(str(self.verdict)):
            raise ValueError(
                f"verdict is {self.verdict!r}, expected a sentence that begins with 'Holds.', "
                "'Holds in part: ...', 'Does not hold.' or 'Undecided.'"
            )

    @property
    def kind(self) -> str:
        """The first words of the verdict, in lower case: one of four."""
        return kind_of(self.verdict)


@dataclass(frozen=True)
class Verdict:
    """Conditions on which a verdict depends, stated before the seeds that decide are run.

    Each attribute is a pair of a condition on the claim's numbers and a sentence. They are tried in
    this order. If none of the conditions is met, or that of `fails` together with another one, the
    rows don't decide. A kind of verdict that the rows cannot show is left out.

    Attributes
    ----------
    holds : (condition, sentence), optional
        The source's sentence holds, as a reader understands it, in the source's main case. The
        sentence begins with ``"Holds."``.
    in_part : (condition, sentence), optional
        A part holds, which is a case that the source means. The sentence names this part:
        ``"Holds in part, if ..."``.
    restricted : (condition, sentence), optional
        The claim holds only if it is negated, corrected or restricted to a case that the source
        doesn't mean. The sentence begins with ``"Does not hold."``.
    fails : (condition, sentence), optional
        No part of the claim holds. The sentence begins with ``"Does not hold."``.
    otherwise : str, optional
        Another sentence for numbers that meet none of the conditions. It begins with
        ``"Undecided."``

    Raises
    ------
    TypeError
        If an attribute is no pair of a function and a sentence.
    ValueError
        If a sentence is of another kind.
    """

    holds: tuple[Condition, str] | None = None
    in_part: tuple[Condition, str] | None = None
    restricted: tuple[Condition, str] | None = None
    fails: tuple[Condition, str] | None = None
    otherwise: str = "Undecided. The numbers don't decide."

    def __post_init__(self):
        if not str(self.otherwise).startswith("Undecided."):
            raise ValueError(
                f"otherwise is {self.otherwise!r}, expected it to begin with 'Undecided.'"
            )
        for name, kind in _PARTS.items():
            if (pair := getattr(self, name)) is None:
                continue
            as_kind(name, pair, tuple, "a pair of a condition and a sentence")
            as_function(f"the condition of {name}", pair[0])
            if not (_VERDICT.fullmatch(str(pair[1])) and kind_of(pair[1]) == kind):
                raise ValueError(f"{name} says {pair[1]!r}, expected a sentence that says {kind!r}")

    def part(self, numbers: Numbers) -> str:
        """Return the name of the attribute that numbers lead to."""
        pairs = {name: getattr(self, name) for name in _PARTS}
        met = [name for name, pair in pairs.items() if pair and pair[0](numbers)]
        return "otherwise" if not met or met[0] != "fails" == met[-1] else met[0]

    def sentence(self, numbers: Numbers) -> str:
        """Return the sentence that numbers lead to, a template for them."""
        part = self.part(numbers)
        return self.otherwise if part == "otherwise" else getattr(self, part)[1]

    def kind(self, numbers: Numbers) -> str:
        """Return the kind of the verdict that numbers lead to."""
        return _PARTS.get(self.part(numbers), "undecided")
