"""The results of an experiment as data: estimates by category or over a quantity.

A claim's ``data(rows)`` returns `Data`, made by one of the functions below from the summaries that
the claim has. The figure *result* draws it on pages, slides and in notebooks, and `Data.tables` and
`Data.description` give the same in words.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from decimal import ROUND_HALF_UP, Context, Decimal
from math import isclose
from numbers import Integral

from rnn_helpers.experiments.words import Estimate, power_of_ten
from rnn_helpers.validate import (
    as_choice,
    as_count,
    as_kind,
    as_list,
    as_number,
    as_switch,
    brief,
)

INTERVAL = "95 % interval"
"""The spread of an `Estimate`."""
MEDIAN_INTERVAL = "95 % interval of the median"
"""The spread of `Estimate.median`."""
ALL = "smallest to largest"
"""The spread of bounds that contain all values."""

_MOST_LINES = 6  # distinguishable styles
_MOST_GUESSES = 5
_OWN = {
    "measure",
    "unit",
    "share",
    "log",
    "limits",
    "marks",
}  # fields that may differ between panels


class Counted(Estimate):
    """The share of trials that succeeded, with its 95 % interval and its count.

    Attributes
    ----------
    counts : (int, int)
        How many succeeded, and of how many.
    """

    counts: tuple[int, int]

    def _asdict(self):
        return super()._asdict() | {"count": self.counts}


def counted(outcomes: Iterable[bool]) -> Counted:
    """Estimate the share of outcomes that are true, and remember how many they are."""
    outcomes = [bool(one) for one in outcomes]
    made = Counted(*Estimate.rate(outcomes))
    made.counts = sum(outcomes), len(outcomes)
    return made


@dataclass(frozen=True, kw_only=True)
class Data:
    """Estimates, and the words that they need.

    Attributes
    ----------
    question : str
        The question that the estimates answer.
    measure : str
        The quantity measured: the words at the axis.
    unit : str
        The words after a number: ``"bits"``, or ``"networks learn"`` after "22 of 24". It is empty
        only for a number without a unit.
    spread : str
        The meaning of an estimate's bounds: `INTERVAL`, `MEDIAN_INTERVAL`, `ALL`, or ``"80 % of the
        networks"``. It is empty only if no estimate has bounds.
    share : bool
        Whether the numbers are shares, which are written as percentages; counts are.
    rows : list of dict
        ``label``, ``value``, ``low``, ``high``, and optionally ``count`` (how many, of how many),
        ``under`` (a heading above several rows) and ``group`` (rows that look alike).
    panels : list of dict
        Drawings side by side: ``title`` and ``lines``. A line has a ``label`` and ``points``, which
        are like rows with an ``x`` instead of a label. A panel may have its own ``measure``,
        ``unit``, ``share``, ``log``, ``limits`` and ``marks``.
    x : str
        The quantity on the horizontal axis of the panels.
    dots : str
        The unit that a dot represents, such as ``"network"``, if the points are dots without a
        line.
    log : {"", "x", "y", "xy"}
        Axes with a logarithmic scale.
    limits : (float, float), optional
        Ends of the axis of the estimates, if it leaves some out; by default, all are inside.
    marks : list of (float, str)
        Values to compare with, and their names.

    Raises
    ------
    TypeError, ValueError
        If a part is missing or doesn't fit the others.
    """

    question: str
    measure: str
    unit: str
    spread: str = ""
    share: bool = False
    rows: list = field(default_factory=list)
    panels: list = field(default_factory=list)
    x: str = ""
    dots: str = ""
    log: str = ""
    limits: Sequence | None = None
    marks: Sequence = ()

    def __post_init__(self):
        for name in ("question", "measure", "unit", "spread", "x", "dots"):
            as_kind(name, getattr(self, name), str, "a string")
        if not self.question.endswith("?"):
            raise ValueError(f"question is {self.question!r}; expected a question that ends in '?'")
        if bool(self.rows) == bool(self.panels):
            raise ValueError(
                f"there are {len(self.rows)} rows and {len(self.panels)} panels; expected either"
            )
        if self.panels and not self.x:
            raise ValueError("x is ''; expected the quantity on the horizontal axis")
        for panel in self.panels:
            _check_panel(panel)
        for part in self.parts:
            _check_axis(part)
            _check_points(part)

    @property
    def parts(self) -> list[dict]:
        """The panels, or the rows as one panel, each with all the words that hold for it."""
        words = {key: value for key, value in vars(self).items() if key not in ("rows", "panels")}
        if self.rows:
            return [words | {"across": "x", "points": named(self.rows)}]
        return [
            words | {"across": "y"} | panel | {"points": _points_of(panel)} for panel in self.panels
        ]

    @property
    def state(self) -> dict:
        """The state of the figure *result*."""
        return asdict(self)

    @property
    def labels(self) -> dict[str, list[float]]:
        """The names that a question can ask about: of rows, or of lines with their values of x."""
        if self.rows:
            return {name: [] for name, _ in named(self.rows)}
        return {
            _joined(panel["title"], line["label"]): [point["x"] for point in line["points"]]
            for panel in self.panels
            for line in panel["lines"]
        }

    def asking(
        self,
        labels: str | Sequence[str],
        x: Sequence[float] = (),
        question: str = "",
        why: str = "",
        hidden: Sequence[str] = (),
    ) -> dict:
        """Return the data with which the figure lets the reader guess before it shows the result.

        Parameters
        ----------
        labels : str or sequence of str
            Names of rows, or the name of a line; see `labels`.
        x : sequence of float, optional
            Where to guess a line; by default, at all its points.
        question : str, optional
            The question to the reader; by default, the question of the data.
        why : str, optional
            The reason for the result, which follows it.
        hidden : sequence of str, optional
            Names of further lines that would give the result away, and are shown with it.

        Raises
        ------
        ValueError
            If the data has no such row, line or point, or there are too many to guess.
        """
        known = self.labels
        labels = [labels] if isinstance(labels, str) else as_list("ask", labels)
        if not labels or not set(labels) <= set(known):
            raise ValueError(f"ask is {brief(labels)}; expected some of {', '.join(known)}")
        if self.dots or (self.panels and len(labels) > 1):
            raise ValueError(f"ask is {brief(labels)}; expected rows or one line")
        x = as_list("x", x)
        if self.panels:
            x = x or known[labels[0]]
            if not set(x) <= set(known[labels[0]]):
                raise ValueError(f"x is {brief(x)}; expected some of {known[labels[0]]}")
        elif x:
            raise ValueError(f"x is {brief(x)}; expected none, as the estimates are rows")
        if max(len(labels), len(x)) > _MOST_GUESSES:
            raise ValueError(f"ask and x ask for more than {_MOST_GUESSES} guesses")
        further = [name for name in as_list("hidden", hidden) if name not in labels]
        if further and (self.rows or not set(further) <= set(known)):
            raise ValueError(f"hidden is {brief(hidden)}; expected names of lines")
        asked = {"question": question or self.question, "labels": labels, "x": x, "why": why}
        return asked | {"hidden": [*labels, *further]}

    def answer(self, ask: Mapping) -> str:
        """Return the estimates that a question asks about (see `asking`) as sentences."""
        said = [
            sentence(name, point, part)
            for part in self.parts
            for name, point in part["points"]
            if name in ask["labels"] and (self.rows or point["x"] in ask["x"])
        ]
        return " ".join(said)

    @property
    def description(self) -> str:
        """The estimates in words; ``math.js`` has the same."""
        told = [
            f"{part['title'] + ', ' if part.get('title') else ''}{part['measure']}: "
            f"{'; '.join(self._told(part))}."
            for part in self.parts
        ]
        return f"{self.question} {' '.join(told)}"

    def _told(self, part):
        if self.rows:
            return [f"{name}, {short(point, part)}" for name, point in part["points"]]
        return [_course(line, part) for line in part["lines"]]

    @property
    def tables(self) -> dict[str, list[dict]]:
        """The estimates by caption, each as lines from a column's heading to a text.

        Of dots there are only the numbers and the ranges.
        """
        bounds = f" ({self.spread})" if self.spread else ""
        return {
            f"{_joined(part.get('title', ''), part['measure'])}{bounds}": self._lines(part)
            for part in self.parts
        }

    def _lines(self, part):
        if self.rows:
            return [{"": name, "estimate": cell(point, part)} for name, point in part["points"]]
        if self.dots:
            return [
                {"": line["label"], "dots": str(len(line["points"])), "range": _extent(line, part)}
                for line in part["lines"]
            ]
        lines = {point["x"]: {self.x: spelled(point["x"])} for _, point in part["points"]}
        for line in part["lines"]:
            for point in line["points"]:
                lines[point["x"]][line["label"] or part["measure"]] = cell(point, part)
        return [lines[x] for x in sorted(lines)]


def named(rows: Sequence[dict]) -> list[tuple[str, dict]]:
    """Pair each row with its name, which begins with its heading if it has one."""
    return [(_joined(row.get("under", ""), row["label"]), row) for row in rows]


def _joined(heading, label):
    return f"{heading}: {label}" if heading else label


def _points_of(panel):
    return [
        (_joined(panel["title"], line["label"]), point)
        for line in panel["lines"]
        for point in line["points"]
    ]


def spelled(value: float, share: bool = False) -> str:
    """Write a number with three significant digits, and a share as a percentage."""
    if share:
        return f"{spelled(100 * value)} %"
    if value and not 1e-3 <= abs(value) < 1e6:
        mantissa, exponent = f"{_rounded(value, 2):.1e}".split("e")
        power = power_of_ten(int(exponent))
        mantissa = mantissa.removesuffix(".0")
        return (power if mantissa == "1" else f"{mantissa} × {power}").replace("-", "−")
    return f"{_rounded(value, 3):,.7g}".replace("-", "−")


def _rounded(value, digits):
    """Round to significant digits, and a tie away from 0 as JavaScript does."""
    context = Context(prec=digits, rounding=ROUND_HALF_UP)
    return float(context.create_decimal_from_float(float(value)))


def short(point: Mapping, part: Mapping) -> str:
    """Write an estimate: "22 of 24", or its number."""
    if "count" in point:
        return "{} of {}".format(*point["count"])
    return spelled(point["value"], part["share"])


def sentence(name: str, point: Mapping, part: Mapping) -> str:
    """Write an estimate with its unit and its bounds as a sentence; ``math.js`` has the same."""
    at = f", {part['x']} {spelled(point['x'])}" if "x" in point else ""
    value = short(point, part)
    said = f"{value} {part['unit']}" if part["unit"] else f"{part['measure']} {value}"
    bounds = ""
    if point["low"] < point["high"]:
        bounds = f"; {part['spread']}: {_range(point, part)}"
    return f"{name or part['measure']}{at}: {said}{bounds}."


def cell(point: Mapping, part: Mapping) -> str:
    """Write an estimate and its bounds for a table."""
    bounds = f" ({_range(point, part)})" if point["low"] < point["high"] else ""
    return short(point, part) + bounds


def _range(point, part):
    low, high = point["low"], point["high"]
    if "count" in point:
        low, high = (Decimal(100 * end).quantize(1, ROUND_HALF_UP) for end in (low, high))
        return f"{low} % to {high} %"
    return f"{spelled(low, part['share'])} to {spelled(high, part['share'])}"


def _course(line, part):
    name, points = line["label"] or part["measure"], line["points"]
    if part["dots"]:
        return f"{name}, {len(points)} dots from {_extent(line, part)}"
    first, last = points[0], points[-1]
    said = f"{name}, {short(first, part)} at {part['x']} {spelled(first['x'])}"
    if first is last:
        return said
    return f"{said} and {short(last, part)} at {spelled(last['x'])}"


def _extent(line, part):
    values = [point["value"] for point in line["points"]]
    return " to ".join(spelled(end(values), part["share"]) for end in (min, max))


# ---- checks


def _check_panel(panel):
    as_kind("panels", panel, Mapping, "dicts with title and lines")
    if strange := set(panel) - _OWN - {"title", "lines"}:
        raise ValueError(f"a panel has {sorted(strange)}; expected only some of {sorted(_OWN)}")
    if not 1 <= len(panel["lines"]) <= _MOST_LINES:
        raise ValueError(
            f"a panel has {len(panel['lines'])} lines; expected from 1 to {_MOST_LINES}"
        )
    for line in panel["lines"]:
        if not line["points"]:
            raise ValueError(f"the line {line['label']!r} has no points")


def _check_axis(part):
    as_choice("log", part["log"], ("", "x", "y", "xy"))
    as_switch("share", part["share"])
    if not part["measure"]:
        raise ValueError("measure is ''; expected words at the axis")
    for mark in part["marks"]:
        if not isinstance(mark, tuple | list) or len(mark) != 2:
            raise ValueError(f"marks holds {brief(mark)}; expected a number and its name")
        as_number("marks", mark[0])


def _check_points(part):
    points = part["points"]
    names = [(name, point.get("x")) for name, point in points]
    if not part["dots"] and (twice := {repr(one) for one in names if names.count(one) > 1}):
        raise ValueError(f"{', '.join(sorted(twice))} occurs twice; expected different names")
    for name, point in points:
        _check_estimate(name, point, part)
    counts = ["count" in point for _, point in points]
    if any(counts) and not all(counts):
        raise ValueError("some estimates have a count; expected all or none")
    if (any(counts) or part["share"]) and not part["unit"]:
        raise ValueError("unit is ''; expected words after a count or a percentage")
    if any(counts) and not part["share"]:
        raise ValueError("share is False; expected True, as the estimates have counts")
    if not part["spread"] and any(point["low"] < point["high"] for _, point in points):
        raise ValueError(
            f"spread is ''; expected what the bounds are, such as {INTERVAL!r} or {ALL!r}"
        )


def _check_estimate(name, point, part):
    low, value, high = (as_number(f"{name}: {key}", point[key]) for key in ("low", "value", "high"))
    if not low <= value <= high:
        raise ValueError(f"{name}: value is {value}; expected it from low, {low}, to high, {high}")
    if part["share"] and not 0 <= low <= high <= 1:
        raise ValueError(f"{name}: the share is from {low} to {high}; expected it from 0 to 1")
    if part["across"] in part["log"] and low <= 0:
        raise ValueError(f"{name}: low is {low}; expected a number > 0, as the axis is logarithmic")
    if "x" in point and "x" in part["log"] and as_number(f"{name}: x", point["x"]) <= 0:
        raise ValueError(f"{name}: x is {point['x']}; expected a number > 0, as log is 'x'")
    if "count" in point:
        some, every = point["count"]
        as_count(f"{name}: count", every)
        as_count(f"{name}: count", some, 0, every)
        if not isclose(value, some / every, abs_tol=1e-3):
            raise ValueError(f"{name}: value is {value}; expected the share of {some} in {every}")


# ---- from summaries


def ranged(values: Iterable[float]) -> Estimate:
    """Return the mean of values between the smallest and the largest; their spread is `ALL`."""
    values = list(values)
    return Estimate(sum(values) / len(values), min(values), max(values))


def estimate(values: Sequence[float], **more) -> dict:
    """Return an estimate (value, low, high) as a point, with six digits and its count, if any."""
    value, low, high = (_brief(part) for part in values)
    counts = {"count": values.counts} if isinstance(values, Counted) else {}
    return more | {"value": value, "low": low, "high": high} | counts


def _brief(number):
    return int(number) if isinstance(number, Integral) else float(f"{float(number):.6g}")


def stored(row: Mapping, y: str, **more) -> dict:
    """Return the estimate that a row holds in column y, ``low``, ``high`` and perhaps ``count``."""
    made = estimate((row[y], row["low"], row["high"]), **more)
    return made | ({"count": tuple(row["count"])} if row.get("count") else {})


def claim_intervals(rows, *, xlabel, reference=None, log=False, **words) -> Data:
    """Gather estimates by category.

    Parameters
    ----------
    rows : sequence of dict, or dict of str to (value, low, high)
        Each with ``label``, ``value``, ``low`` and ``high``, and optionally ``kind``: rows of one
        kind look alike. Or estimates by their labels.
    xlabel : str
        What was measured.
    reference : (float, str), optional
        A value to compare with, and its name.
    log : bool
        Whether the axis is logarithmic.
    **words
        ``question``, ``unit``, ``spread`` and ``share``; see `Data`.
    """
    if isinstance(rows, Mapping):
        made = [estimate(each, label=label) for label, each in rows.items()]
    else:
        made = [
            stored(row, "value", label=row["label"], group=row.get("kind") or "") for row in rows
        ]
    marks = [reference] if reference else []
    return Data(measure=xlabel, rows=made, log="x" if log else "", marks=marks, **words)


def claim_groups(groups, *, xlabel, **words) -> Data:
    """Gather estimates in groups.

    Parameters
    ----------
    groups : dict of str to dict of str to (value, low, high)
        The estimates of each group, by its name, and by the name that the groups share.
    xlabel : str
        What was measured.
    **words
        As for `claim_intervals`.
    """
    rows = [
        estimate(each, under=heading, label=name, group=name)
        for heading, some in groups.items()
        for name, each in some.items()
    ]
    return Data(measure=xlabel, rows=rows, **words)


def claim_curves(series, x, y, **words) -> Data:
    """Gather estimates that rows hold over one of their columns.

    Parameters
    ----------
    series : dict of str to sequence of dict
        The rows of each line, by its name.
    x, y : str
        Columns; the bounds of `y` are in ``low`` and ``high``, its count in ``count``.
    **words
        ``xlabel`` and ``ylabel``, the quantities on the horizontal axis and the vertical one;
        ``log`` and ``marks``, as in `Data`; and the rest as for `claim_intervals`.
    """
    return claim_panels({"": series}, x, y, **words)


def claim_panels(panels, x, y, *, xlabel, ylabel, **words) -> Data:
    """Gather estimates that rows hold over one of their columns, in panels side by side.

    Parameters
    ----------
    panels : dict of str to dict of str to sequence of dict
        For each panel, by its title, the rows of each line by its name.
    x, y, xlabel, ylabel, **words
        As for `claim_curves`.
    """
    made = [
        {"title": title, "lines": [_line(name, rows, x, y) for name, rows in series.items()]}
        for title, series in panels.items()
    ]
    return Data(measure=ylabel, x=xlabel, panels=made, **words)


def _line(name, rows, x, y):
    rows = sorted(rows, key=lambda row: row[x])
    marks = [{"mark": row["mark"]} if "mark" in row else {} for row in rows]
    points = [
        stored(row, y, x=_brief(row[x])) | mark for row, mark in zip(rows, marks, strict=True)
    ]
    return {"label": name or "", "points": points}


def claim_dots(series, x, y, *, dots, mark="", **words) -> Data:
    """Gather a dot for each row, where two of its columns place it.

    Parameters
    ----------
    series : dict of str to sequence of dict
        The rows of each kind, by its name.
    x, y : str
        Columns.
    dots : str
        The unit that a dot represents, such as ``"network"``.
    mark : str, optional
        A column whose value is written beside the dots that share it.
    **words
        As for `claim_curves`.
    """
    named = {
        name: [
            {"x": row[x], "y": row[y], "low": row[y], "high": row[y]}
            | ({"mark": f"{mark} = {row[mark]:g}"} if mark else {})
            for row in rows
        ]
        for name, rows in series.items()
    }
    return claim_curves(named, "x", "y", dots=dots, **words)


def lines(x, ys, labels, *, low=None, high=None, **words) -> Data:
    """Gather lines over the same values of x.

    Parameters
    ----------
    x : sequence of float, shape (n,)
    ys : sequence of sequence of float, shape (k, n)
    labels : sequence of str
        Names of the k lines.
    low, high : sequences of the shape of ys, optional
        Bounds; both or neither.
    **words
        As for `claim_curves`.
    """
    if (low is None) != (high is None):
        raise ValueError(f"{'low' if low is None else 'high'} is None; expected both low and high")
    low, high = (ys, ys) if low is None else (low, high)
    labels = as_list("labels", labels)
    if len(labels) != len(ys):
        raise ValueError(f"labels has {len(labels)} names; expected {len(ys)}, one for each line")
    series = {
        label: [
            {"x": at, "y": value, "low": least, "high": most}
            for at, value, least, most in zip(x, *each, strict=True)
        ]
        for label, *each in zip(labels, ys, low, high, strict=True)
    }
    return claim_curves(series, "x", "y", **words)
