"""Results of experiments: how they are run, stored and read.

A result is a file ``result.json`` beside a claim's code, with the rows of one or more blocks of
seeds. Headline, verdict, text, tables, data and plots are made from the rows when they are needed.
"""

import datetime
import json
import os
import platform
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from rnn_helpers.experiments import schema
from rnn_helpers.experiments.archived import Archived, archived_slugs, read
from rnn_helpers.experiments.data import Data
from rnn_helpers.experiments.kept import kept
from rnn_helpers.experiments.plain import digest, plain
from rnn_helpers.experiments.schema import Experiment, find
from rnn_helpers.experiments.tables import aligned, cells
from rnn_helpers.experiments.verdicts import Headline, Summary
from rnn_helpers.experiments.words import Numbers, Unforeseen, fill, written
from rnn_helpers.validate import as_choice, as_count, as_kind, as_list

_STORED = {"config", "fingerprint", "digest", "blocks", "rows"}
_BLOCK = {"seeds", "seconds", "versions", "date"}


@dataclass(frozen=True)
class Block:
    """A run of an experiment's full settings with its own seeds.

    Attributes
    ----------
    seeds : list of int
        One for each repetition.
    seconds : float
        How long the run took. If its trainings were kept, it is their CPU time.
    versions : dict of str to str
        Python, packages and machine.
    date : str
        The day of the run, ISO 8601.
    conditions : str
        Hash of the conditions of the verdict when the run began; see
        :attr:`Experiment.conditions`. Results of older runs don't have it.
    """

    seeds: list[int]
    seconds: float
    versions: dict[str, str]
    date: str
    conditions: str = ""


@dataclass(frozen=True)
class Result:
    """The rows of an experiment, with everything that is made from them.

    Attributes
    ----------
    experiment : Experiment or Archived
        The experiment; the result has its ``slug``, ``claim``, ``source``, ``chapter`` and
        ``method``.
    config : dict
        The settings of the run.
    blocks : list of Block
        Runs with different seeds, whose rows are pooled.
    rows : list of dict
        The rows of all seeds, block by block.
    fingerprint : str
        The experiment's fingerprint at the time of the run; see :attr:`Experiment.fingerprint`.
    """

    experiment: Experiment | Archived
    config: dict
    blocks: list[Block]
    rows: list
    fingerprint: str

    @property
    def seeds(self) -> list[int]:
        """The seeds of all blocks."""
        return [seed for block in self.blocks for seed in block.seeds]

    def of(self, block: Block) -> Headline:
        """Return the headline of one block's rows alone."""
        if len(self.blocks) == 1:
            return self.headline
        return self.experiment.measure([row for row in self.rows if row["seed"] in block.seeds])

    @property
    def slug(self) -> str:
        """Name of the experiment."""
        return self.experiment.slug

    @property
    def claim(self) -> str:
        """The claim, in our words."""
        return self.experiment.claim

    @property
    def source(self) -> str:
        """The claim's place in the source."""
        return self.experiment.source

    @property
    def chapter(self) -> str:
        """The chapter that shows it."""
        return self.experiment.chapter

    @property
    def method(self) -> str:
        """The method, in a sentence."""
        return self.experiment.method

    @cached_property
    def headline(self) -> Headline:
        """The rows in one number with its interval."""
        return self.experiment.measure(self.rows)

    def fill(self, template: str) -> str:
        """Fill a template from the rows' numbers, the way the claim's own sentences are filled.

        Parameters
        ----------
        template : str
            Such as ``"{far[successes]} of {of} networks"``.

        Returns
        -------
        str
        """
        return fill(template, Numbers(**self.experiment.numbers(self.rows)))

    def write(self, template: str) -> str:
        """Fill a template as `fill` does, and write it as texts are written: ``64 %``."""
        return written(template, Numbers(**self.experiment.numbers(self.rows)))

    def say(self, template: str) -> str:
        """Fill a chapter's sentence from the rows, if they still support it.

        Raises
        ------
        Unforeseen
            If the rows don't meet the claim's condition `taught`, or it has none.
        """
        return self.experiment.say(template, self.rows)

    @cached_property
    def summary(self) -> Summary:
        """The rows in one number, its interval, a verdict and a text.

        Raises
        ------
        Unforeseen
            If no condition of a finding holds.
        """
        return self.experiment.sum_up(self.rows)

    def data(self, which: str | None = None) -> Data:
        """Return the estimates that a page shows.

        Parameters
        ----------
        which : str, optional
            Their name if the claim has several; by default, the first.

        Returns
        -------
        Data

        Raises
        ------
        ValueError
            If the claim has no such data, or none.
        """
        return self._made(self.experiment.data, which, "data")

    def plot(self, which: str | None = None):
        """Draw the rows, if `Data` can't hold the result.

        Parameters
        ----------
        which : str, optional
            The name of a picture if the claim has several; by default, the first.

        Returns
        -------
        rnn_helpers.plots.Plot

        Raises
        ------
        ValueError
            If the claim has no such picture, or none.
        """
        return self._made(self.experiment.pictures, which, "picture")

    def _made(self, functions, which, kind):
        if not functions:
            raise ValueError(f"{self.slug} has no {kind}; its rows are in `table()`")
        name = next(iter(functions)) if which is None else as_choice("which", which, functions)
        return functions[name](self.rows)

    @cached_property
    def tables(self) -> dict[str, list[dict]]:
        """The tables that summarize the rows, by caption.

        A table is a list of lines, each a dict from a column's heading to its value. A line may
        lack a column.
        """
        return self.experiment.tabulate(self.rows)

    @property
    def stale(self) -> bool:
        """Whether the code that made the rows, or its settings, have changed since."""
        return self.fingerprint != self.experiment.fingerprint

    @property
    def verdict(self) -> str:
        """The judgment on the claim; see `Summary`."""
        return self.summary.verdict

    def table(
        self,
        columns: Sequence[str] | None = None,
        digits: int = 3,
        *,
        layout: Callable[[list[list[str]]], str] = aligned,
    ) -> str:
        """Lay the rows out as text.

        Parameters
        ----------
        columns : sequence of str, optional
            Which columns, in which order; by default, all that contain single values.
        digits : int
            Significant digits of numbers.
        layout : callable
            Turns lines of cells into text: `aligned` or `separated`.

        Returns
        -------
        str
            A line of headings and one line for each row.

        Raises
        ------
        ValueError
            If a column does not exist.
        """
        have = [key for key, value in self.rows[0].items() if not isinstance(value, list | dict)]
        columns = have if columns is None else as_list("columns", columns)
        digits = as_count("digits", digits)
        if unknown := set(columns) - set(self.rows[0]):
            raise ValueError(f"columns {sorted(unknown)} do not exist, expected some of {have}")

        return layout(cells(self.rows, columns, digits))

    def __str__(self) -> str:
        effort = f"{len(self.seeds)} seeds, {sum(block.seconds for block in self.blocks):.1f} s"
        try:
            verdict = self.summary.verdict
            text = [self.summary.finding, self.summary.text]
        except Unforeseen:
            verdict = "an outcome that no words are written for"
            text = []
        parts = (f"{self.slug}: {verdict}", str(self.headline), effort, *filter(None, text))
        said = "\n".join(
            textwrap.fill(part, 76, initial_indent="  " if i else "", subsequent_indent="  ")
            for i, part in enumerate(parts)
        )
        tables = (f"{title}\n{aligned(cells(of))}" for title, of in self.tables.items())
        return "\n\n".join([said, *tables])


def run(entry: Experiment, quick: bool = False, folder: Path | None = None) -> Result:
    """Run an experiment without storing its result.

    Parameters
    ----------
    entry : Experiment
    quick : bool
        Whether to use the settings that take seconds.
    folder : pathlib.Path, optional
        Keeps finished trainings, so that the same run can resume after an interruption.

    Returns
    -------
    Result
        Of one block, whose seeds are 0, 1, and so on.
    """
    config = dict(entry.quick if quick else entry.full)
    first = Result(entry, config, [], [], entry.fingerprint)
    return _with_block(first, range(config.pop("seeds")), folder)


def run_again(result: Result, folder: Path | None = None) -> Result:
    """Run an experiment with the settings of a result and as many new seeds as its first block.

    Parameters
    ----------
    result : Result
    folder : pathlib.Path, optional
        As for `run`.

    Returns
    -------
    Result
        With the new block after those of `result`.

    Raises
    ------
    ValueError
        If the result is stale, or its rows don't name their seeds.
    """
    if result.stale:
        raise ValueError(f"the result of {result.slug!r} is stale; run its first block again")
    if not all("seed" in row for row in result.rows):
        raise ValueError(f"the rows of {result.slug!r} have no seed, so blocks can't be compared")
    start = result.seeds[-1] + 1
    return _with_block(result, range(start, start + len(result.blocks[0].seeds)), folder)


def _with_block(result: Result, seeds: Sequence[int], folder: Path | None) -> Result:
    function, conditions = result.experiment.function, result.experiment.conditions
    start = time.perf_counter()
    with kept(folder, result.fingerprint) if folder else nullcontext() as trainings:
        rows = [plain(row) for row in function(result.config, list(seeds))]
    seconds = (trainings and trainings.seconds) or time.perf_counter() - start
    today = datetime.date.today().isoformat()
    block = Block(list(seeds), round(seconds, 2), _versions(), today, conditions)
    return replace(result, blocks=[*result.blocks, block], rows=[*result.rows, *rows])


def load(slug: str) -> Result:
    """Read the stored result of an experiment, which may be archived.

    Parameters
    ----------
    slug : str
        Name of the experiment.

    Returns
    -------
    Result

    Raises
    ------
    ValueError
        If no experiment has that name, it has no stored result, or its file is cut off, lacks a
        field, or was edited.
    """
    if isinstance(slug, str) and slug in archived_slugs():
        entry, parts = read(slug)
        return _of(entry, parts)
    entry = find(slug)
    again = f"`python -m rnn_helpers.experiments run {slug}`"
    if not entry.path.is_file():
        raise ValueError(f"no result of {slug!r} is stored; run {again}")
    try:
        parts = _undamaged(entry.path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(
            f"the stored result of {slug!r} is damaged: {error}; get its {entry.path.name} back as "
            f"it was, or run {again}"
        ) from None
    return _of(entry, parts)


def _of(entry: Experiment | Archived, parts: dict) -> Result:
    blocks = [Block(**block) for block in parts.pop("blocks")]
    return Result(entry, blocks=blocks, **parts)


def _undamaged(text: str) -> dict:
    """Read the parts of a result, and check that they are unchanged."""
    parts = json.loads(text)
    names = set(parts) if isinstance(parts, dict) else {f"a {type(parts).__name__}"}
    one_block = names & _BLOCK
    expected = _STORED - {"blocks"} | _BLOCK if one_block else _STORED
    if names != expected:
        raise ValueError(f"it holds {sorted(names)}, expected {sorted(expected)}")
    stored = parts.pop("digest")
    if digest(parts) != stored:
        raise ValueError("it has been edited: its digest is that of other rows or settings")
    if one_block:  # as results were stored before they could have several blocks
        parts["blocks"] = [{name: parts.pop(name) for name in _BLOCK}]
    return parts


def save(result: Result) -> Path:
    """Store a result where :func:`load` finds it; an interruption leaves the old one there.

    Parameters
    ----------
    result : Result
        Of a full run.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    TypeError
        If `result` is not a `Result`.
    """
    as_kind("result", result, Result, "what `run` returns")
    path = result.experiment.path
    write = partial(json.dumps, allow_nan=False, ensure_ascii=False)
    parts = {"config": result.config, "fingerprint": result.fingerprint}
    listed = {"blocks": [vars(block) for block in result.blocks], "rows": result.rows}
    parts["digest"] = digest(parts | listed)
    fields = [f'"{name}": {write(value)}' for name, value in parts.items()]
    for name, items in listed.items():  # one item to a line, so that a diff can be read
        lines = ",\n".join(map(write, items))
        fields.append(f'"{name}": [\n{lines}\n]')
    text = "{\n" + ",\n".join(fields) + "\n}\n"
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
    return path


def stored_slugs() -> set[str]:
    """Return the slugs of the experiments that have a stored result and aren't archived."""
    found = schema.CLAIMS.glob("*/*/result.json")
    return {path.parent.name.replace("_", "-") for path in found}


def _versions() -> dict[str, str]:
    """Return the versions of Python and of the imported packages that a result may depend on."""
    packages = ("numpy", "joblib", "sklearn", "torch")
    loaded = {name: sys.modules[name].__version__ for name in packages if name in sys.modules}
    return {"python": platform.python_version(), **loaded, "machine": platform.machine()}
