"""Claims whose results stay readable and whose code isn't run any more.

``archive/SLUG.json`` holds the rows of such a claim and everything that was made from them: method,
summary, numbers, tables, data and pictures. The code that made them is in ``archive/code``. No test
runs it, and it isn't part of the installed package.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rnn_helpers.experiments.data import Data
from rnn_helpers.experiments.plain import digest
from rnn_helpers.experiments.verdicts import Headline, Summary
from rnn_helpers.experiments.words import AtMost, Estimate, Numbers, written

ARCHIVE = Path(__file__).parent / "archive"
"""The folder of the archived claims, part of the package."""
CODE = "rnn_helpers/experiments/archive/code"
"""The folder of their code, part of the repository alone."""

_RUN = {"config", "fingerprint", "blocks", "rows"}  # as in the results of other claims


def archived_slugs() -> set[str]:
    """Return the slugs of the archived claims."""
    return {path.stem for path in ARCHIVE.glob("*.json")}


@dataclass(frozen=True)
class Archived:
    """The parts of an experiment that its result needs, if the experiment isn't run any more.

    It takes the place of an `Experiment`, and its functions return the stored values for any rows.

    Attributes
    ----------
    slug, claim, source, chapter, method, selection, fingerprint
        As of `Experiment` when the claim was archived.
    date : str
        The day on which it was archived, ISO 8601.
    summary : Summary
        The summary of the rows.
    headlines : dict of frozenset to Headline
        The headline for the seeds of each block, if there are several blocks.
    told, tables : dict
        The rows' numbers and tables.
    data, pictures : dict of str to callable
        Functions that return `Data` and a `Plot`, by name.
    """

    slug: str
    claim: str
    source: str
    chapter: str
    method: str
    selection: str
    fingerprint: str
    date: str
    summary: Summary
    headlines: dict
    told: dict
    tables: dict
    data: dict
    pictures: dict

    @property
    def shown(self) -> list[str]:
        """The names of its data and its pictures."""
        return [*self.data, *self.pictures]

    @property
    def code(self) -> str:
        """Where its code is, from the root of the repository."""
        return f"{CODE}/chapter_{self.chapter}/{self.slug.replace('-', '_')}.py"

    @property
    def refusal(self) -> ValueError:
        """The error for attempts to run it."""
        return ValueError(
            f"{self.slug!r} can't be run: it was archived on {self.date}. "
            f'`experiments.load("{self.slug}")` reads its result, and its code is in {self.code}'
        )

    @property
    def function(self):
        """Raise the error, because nothing makes new rows."""
        raise self.refusal

    def measure(self, rows: list[dict]) -> Headline:
        """Return the headline of all rows or of those of one block."""
        return self.headlines.get(frozenset(row.get("seed") for row in rows), self.summary)

    def sum_up(self, rows: list[dict]) -> Summary:
        """Return the summary of all rows."""
        return self.summary

    def numbers(self, rows: list[dict]) -> dict:
        """Return the numbers of all rows."""
        return self.told

    def say(self, template: str, rows: list[dict]) -> str:
        """Fill a chapter's sentence; no check is needed, because the rows don't change."""
        return written(template, Numbers(**self.told))

    def tabulate(self, rows: list[dict]) -> dict[str, list[dict]]:
        """Return the tables of all rows."""
        return self.tables


def read(slug: str) -> tuple[Archived, dict]:
    """Read an archived claim.

    Returns
    -------
    claim : Archived
    run : dict
        ``config``, ``fingerprint``, ``blocks`` and ``rows``.

    Raises
    ------
    ValueError
        If its file is cut off, lacks a part, or was edited.
    """
    path = ARCHIVE / f"{slug}.json"
    try:
        parts = json.loads(path.read_text(encoding="utf-8"))
        if parts.pop("digest") != digest(parts):
            raise ValueError("its digest is that of other parts")
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"the archived result of {slug!r} is damaged: {error}; get {path.name} back as it was"
        ) from None
    run = {name: parts.pop(name) for name in _RUN}
    summary = Summary(**parts.pop("summary"))
    seeds = [frozenset(block["seeds"]) for block in run["blocks"]]
    values = [Headline(*each, summary.unit) for each in parts.pop("headlines")]
    claim = Archived(
        slug,
        fingerprint=run["fingerprint"],
        summary=summary,
        headlines=dict(zip(seeds, values, strict=False)),
        told=_numbers(parts.pop("numbers")),
        data={name: _given(Data, **state) for name, state in parts.pop("data").items()},
        pictures={name: _given(_drawn, plot) for name, plot in parts.pop("pictures").items()},
        **parts,
    )
    return claim, run


def _drawn(payload: dict):
    from rnn_helpers.plots.drawn import Drawn  # only two claims have pictures

    return Drawn(payload)


def _given(make, *values, **words):
    """Return a function of the rows that doesn't need them."""
    return lambda rows: make(*values, **words)


def _numbers(stored: Any) -> Any:
    """Turn JSON into a claim's numbers, so that templates write them as before."""
    if isinstance(stored, list):
        return [_numbers(one) for one in stored]
    if not isinstance(stored, dict):
        return stored
    if stored.keys() == {"value", "low", "high"}:
        return Estimate(**stored)
    if stored.keys() == {"at most"}:
        return AtMost(stored["at most"])
    return {int(key) if key.isdecimal() else key: _numbers(one) for key, one in stored.items()}
