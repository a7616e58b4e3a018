"""Claims of the sources as functions that can be run again.

A claim is a package ``rnn_helpers/claims/chapter_NN/SLUG``::

    def numbers(rows):
        '''Estimates, counts and lists of them, each under its name; no prose.'''
        return {"seeds": len(rows), "error": Estimate.mean(row["error"] for row in rows)}

    def data(rows):
        '''Return the estimates to show, made by the functions of `rnn_helpers.experiments.data`.'''

    @experiment(claim="...", short="...", source="...",
                quick={"seeds": 3, "steps": 10}, full={"seeds": 20, "steps": 1000},
                numbers=numbers, headline=("error", "error in nats"),
                finding="The two ways to compute the loss agree.",
                verdict=Verdict(
                    holds=(lambda n: n.error.high < 1e-6, "Holds. The error is {error:.1g}."),
                    fails=(lambda n: n.error.low > 1e-6, "Does not hold. It is {error:.1g}."),
                ),
                taught=lambda n: n.error.high < 1e-6,
                saw=["We compared {seeds} networks."],
                data=data, table={"Error by length": table})
    def run(config, seeds):
        '''What we did, in one sentence, which the ledger shows.'''
        return each_seed(one_run, config, seeds)     # rows: dicts of numbers, strings, lists

The package's name is the experiment's, with hyphens for its underscores, and the folder around it
names the chapter. The package also holds the stored result and the claim's tests.
The finding and the verdict are each the first sentence whose condition holds. The text consists of
all sentences that have no condition or one that holds. All are templates for the numbers; see
`rnn_helpers.experiments.words`, which also has functions for common numbers. If no condition of a
finding holds, the result still has its numbers, headline and data, and asking for its summary
raises `Unforeseen`. So does a chapter's sentence if `taught` doesn't hold.
`rnn_helpers.experiments.store` runs experiments and stores their results.
"""

import importlib
import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import joblib

from rnn_helpers.experiments.archived import archived_slugs, read
from rnn_helpers.experiments.fingerprint import PACKAGE, conditions, fingerprint
from rnn_helpers.experiments.selection import selection
from rnn_helpers.experiments.verdicts import Headline, Summary, Verdict
from rnn_helpers.experiments.words import (
    Condition,
    Numbers,
    Unforeseen,
    all_that_hold,
    fill,
    first_that_holds,
    written,
)
from rnn_helpers.validate import as_count, as_function, as_kind, as_known, as_list

CLAIMS = PACKAGE / "claims"
"""The folder of the claims, ``chapter_NN/SLUG``."""

_PLACE = re.compile(r"(.*\.)?chapter_(?P<chapter>\d\d)\.(?P<slug>[a-z0-9]+(_[a-z0-9]+)*)")
_REGISTRY: dict[str, "Experiment"] = {}


@dataclass(frozen=True)
class Experiment:
    """A claim and the function that tests it; made by :func:`experiment`.

    Attributes
    ----------
    slug, claim, source, chapter : str
        Its name, the claim, its place in the sources, and the chapter that shows it.
    quick, full : dict
        Settings; ``"seeds"`` is their number.
    function : callable
        ``function(config, seeds) -> rows``.
    numbers, headline, finding, verdict, taught, saw, caveats
        How rows are summed up; see :func:`experiment`.
    short : str
        The claim in a few words.
    tables : dict of str to callable
        Functions that summarize the rows in a table, by caption.
    data : dict of str to callable
        Functions that return the `Data` that a page shows, by name.
    pictures : dict of str to callable
        Functions that draw what `Data` can't hold, by name.
    timed : dict of str to dict
        Columns of times, which differ from run to run, and the rows in which they are times.
    in_seconds : str
        The result of a quick run, unless it is the headline.
    """

    slug: str
    claim: str
    source: str
    chapter: str
    quick: dict
    full: dict
    function: Callable[[dict, Sequence[int]], Iterable[dict]]
    numbers: Callable[[list[dict]], dict]
    headline: tuple[str, str]
    finding: str | dict[str, str] | Sequence[tuple[Condition, str]]
    verdict: Verdict
    saw: Sequence[str | tuple[Condition, str]] = ()
    caveats: Sequence[str] = ()
    data: dict[str, Callable] = field(default_factory=dict)
    pictures: dict[str, Callable] = field(default_factory=dict)
    timed: dict[str, dict] = field(default_factory=dict)
    in_seconds: str = ""
    tables: dict[str, Callable] = field(default_factory=dict)
    taught: Condition | None = None
    short: str = ""

    @property
    def shown(self) -> list[str]:
        """The names of its data and its pictures."""
        return [*self.data, *self.pictures]

    @property
    def path(self) -> Path:
        """The file of its stored result, beside its code."""
        return CLAIMS / f"chapter_{self.chapter}" / self.slug.replace("-", "_") / "result.json"

    @property
    def method(self) -> str:
        """The method, in one sentence: the first paragraph of the function's docstring."""
        return " ".join(inspect.getdoc(self.function).split("\n\n")[0].split())

    @property
    def fingerprint(self) -> str:
        """Hash of the code on disk that makes the rows, and of the full settings.

        It covers everything that the function reaches in the package, but not claim, summary, data
        and plots.
        """
        return fingerprint(self.function, self.full)

    @property
    def selection(self) -> str:
        """How its settings were chosen; see `rnn_helpers.experiments.selection`."""
        return selection(self.function)

    @property
    def conditions(self) -> str:
        """Hash of the verdict's conditions on disk."""
        return conditions(self.function)

    def measure(self, rows: list[dict]) -> Headline:
        """Estimate the headline from rows.

        Returns
        -------
        Headline
        """
        return self._headline(Numbers(**self.numbers(rows)))

    def _headline(self, numbers: Numbers) -> Headline:
        name, unit = self.headline
        return Headline(*getattr(numbers, name), fill(unit, numbers))

    def sum_up(self, rows: list[dict]) -> Summary:
        """Return the headline, the verdict and the text for rows.

        Returns
        -------
        Summary

        Raises
        ------
        Unforeseen
            If no condition of a finding holds.
        """
        numbers = Numbers(**self.numbers(rows))
        try:
            finding = first_that_holds(self._findings(numbers), numbers)
        except Unforeseen as error:
            raise Unforeseen(f"{self.slug}: {error}") from None
        text, caveats = (
            all_that_hold(some, numbers) for some in ([*self.saw, *self.caveats], self.caveats)
        )
        return Summary(
            **vars(self._headline(numbers)),
            verdict=fill(self.verdict.sentence(numbers), numbers),
            text=text,
            caveats=caveats,
            finding=finding,
        )

    def _findings(self, numbers: Numbers) -> Sequence[tuple[Condition, str]]:
        """Return findings of any form as pairs of a condition and a sentence."""
        findings = self.finding
        if isinstance(findings, dict):
            undecided = {"undecided": "These runs don't decide the question."}
            part = self.verdict.part(numbers)
            key = part if part in findings else self.verdict.kind(numbers)
            findings = (undecided | findings).get(key, [])
        return [(lambda n: True, findings)] if isinstance(findings, str) else findings

    def say(self, template: str, rows: list[dict]) -> str:
        """Fill a chapter's sentence from the rows, if they still support it.

        Raises
        ------
        Unforeseen
            If the rows don't meet `taught`, or the claim has no such condition.
        """
        if self.taught is None:
            raise Unforeseen(f"{self.slug} has no condition `taught` to check says: {template}")
        numbers = Numbers(**self.numbers(rows))
        if not self.taught(numbers):
            raise Unforeseen(
                f"{self.slug}: the rows no longer show what the chapter says: {template}"
            )
        return written(template, numbers)

    def tabulate(self, rows: list[dict]) -> dict[str, list[dict]]:
        """Summarize rows in tables; see :attr:`Result.tables`."""
        return {caption: table(rows) for caption, table in self.tables.items()}


def experiment(
    *,
    claim: str,
    source: str,
    quick: dict,
    full: dict,
    numbers: Callable[[list[dict]], dict],
    headline: tuple[str, str],
    finding: str | dict[str, str] | Sequence[tuple[Condition, str]],
    verdict: Verdict,
    taught: Condition | None = None,
    saw: Sequence[str | tuple[Condition, str]] = (),
    caveats: Sequence[str] = (),
    data: Callable | dict[str, Callable] | None = None,
    plot: Callable | dict[str, Callable] | None = None,
    timed: dict[str, dict] | None = None,
    in_seconds: str = "",
    table: dict[str, Callable] | None = None,
    short: str = "",
) -> Callable[[Callable], Callable]:
    """Declare an experiment by decorating ``run(config, seeds) -> rows``.

    The module's name, ``claims.chapter_NN.SLUG``, gives its chapter and its slug, which is the name
    of the experiment.

    Parameters
    ----------
    claim : str
        The source's claim, in our words.
    source : str
        The claim's place in the source.
    quick, full : dict
        Settings the function is called with, plus ``"seeds"``, their number: at least 2 in
        `quick`, at least 10 in `full`.
    numbers : callable
        ``numbers(rows) -> dict``: the estimates, by name.
    headline : (str, str)
        The name of the most important of them, an `Estimate`, and its unit.
    finding : str, dict of str to str, or sequence of (condition, sentence)
        Our own result in one plain sentence, which the claim's page shows first. If several
        verdicts are possible, give a dict from their kind, such as ``"does not hold"``, or from
        ``"restricted"`` to a sentence, or pairs, of which the first whose condition holds is used.
    verdict : Verdict
        When the claim holds, and when it doesn't.
    taught : callable, optional
        The condition on the numbers under which a chapter's sentences about this experiment hold;
        see `rnn_helpers.experiments.show`. As in a verdict, comparisons rest on intervals.
    saw : sequence of sentence or (condition, sentence)
        The observations. Sentences without a condition and those whose condition holds are used.
        Sentences, verdicts and the unit are templates, filled from the numbers.
    caveats : sequence of sentence
        The limits of the result. These sentences follow those of `saw`.
    data : callable or dict of str to callable, optional
        ``data(rows) -> Data``, or several such functions by name.
    plot : callable or dict of str to callable, optional
        ``plot(rows) -> Plot``, or several such functions by the names of their pictures, for
        results that `Data` can't hold.
    timed : dict of str to dict, optional
        Columns of times, which differ from run to run, and the rows in which they are times:
        ``{"value": {"measure": "speed"}}`` if ``measure`` is ``"speed"`` there, ``{}`` for all.
    in_seconds : str
        What a quick run shows if it can't come near the headline. It ends a sentence that begins
        with "takes seconds and shows", and has a check in ``test_quick_runs.py``.
    table : dict of str to callable, optional
        By caption, ``table(rows) -> lines``, which summarizes the rows: each line is a dict from a
        column's heading to its value. See `rnn_helpers.experiments.words.crossed`.
    short : str
        The claim in a few words, which the ledger shows in a line.

    Returns
    -------
    callable
        The decorator; it returns the function unchanged.

    Raises
    ------
    ValueError
        If the module has a name of another form or one that is taken, there are too few seeds, or
        the function has no docstring.
    """

    def register(function: Callable) -> Callable:
        place = _PLACE.fullmatch(str(function.__module__))
        if not place:
            raise ValueError(
                f"the module is {function.__module__!r}, expected one named chapter_NN.SLUG"
            )
        slug = place["slug"].replace("_", "-")
        known = _REGISTRY.get(slug)  # a module that is loaded again replaces its own
        if known and known.function.__module__ != function.__module__:
            raise ValueError(f"the module declares {slug!r}, which is declared already")
        for name, config, least in (("quick", quick, 2), ("full", full, 10)):
            as_kind(name, config, dict, "a dict of settings")
            as_count(f"the number of seeds in {name}", config.get("seeds", 0), least)
        as_function("numbers", numbers)
        if taught is not None:
            as_function("taught", taught)
        as_kind("timed", timed or {}, dict, "a dict from columns to what their rows have")
        if not inspect.getdoc(function):
            raise ValueError(f"{slug}: the function needs a docstring that says what is done")
        shown = {"data": data} if callable(data) else data or {}
        pictures = {"plot": plot} if callable(plot) else plot or {}
        _REGISTRY[slug] = Experiment(
            slug, claim, source, place["chapter"], quick, full, function,
            numbers, headline, finding, verdict, saw, caveats, shown, pictures, timed or {},
            in_seconds, table or {}, taught, short,
        )  # fmt: skip
        return function

    return register


def experiments() -> dict[str, Experiment]:
    """Return every experiment, by slug, in the order of the chapters.

    Returns
    -------
    dict of str to Experiment
    """
    _import("*")
    return {e.slug: e for e in sorted(_REGISTRY.values(), key=lambda e: (e.chapter, e.slug))}


def _import(name: str) -> None:
    for path in CLAIMS.glob(f"*/{name}/__init__.py"):
        importlib.import_module(".".join(path.parent.relative_to(PACKAGE.parent).parts))


def find(slug: str) -> Experiment:
    """Return one experiment.

    Only its own package is imported, so a build can tell which notebooks depend on it.

    Raises
    ------
    ValueError
        If there is none of that name, or it is archived. The message lists similar names, or says
        since when it is archived and where its code is.
    """
    if isinstance(slug, str) and re.fullmatch(r"[\w-]{1,99}", slug):
        _import(slug.replace("-", "_"))
        if slug in _REGISTRY:
            return _REGISTRY[slug]
        if slug in archived_slugs():
            raise read(slug)[0].refusal
    known = experiments() | dict.fromkeys(sorted(archived_slugs()))
    return as_known("slug", slug, known, "experiment")


def each_seed(one: Callable[[dict, int], Any], config: dict, seeds: Sequence[int]) -> list[dict]:
    """Call ``one(config, seed)`` for every seed through joblib and gather the rows.

    Serial by default; ``with joblib.parallel_config(backend="dask"):`` around the run takes it to
    a cluster.

    Parameters
    ----------
    one : callable
        Returns a row, or a list of rows.
    config : dict
        Settings.
    seeds : sequence of int
        One call each.

    Returns
    -------
    list of dict

    Raises
    ------
    TypeError
        If `one` is not a function, or `seeds` not a sequence.
    ValueError
        If there is no seed.
    """
    as_function("one", one)
    seeds = as_list("seeds", seeds)
    if not seeds:
        raise ValueError("seeds is empty, expected at least one")
    rows_of_seeds = joblib.Parallel()(joblib.delayed(one)(config, seed) for seed in seeds)
    return [row for rows in rows_of_seeds for row in (rows if isinstance(rows, list) else [rows])]
