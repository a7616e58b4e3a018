"""Show shares that experiments have measured."""

from collections.abc import Callable, Sequence

from rnn_helpers.experiments.data import INTERVAL, MEDIAN_INTERVAL, Data, claim_panels
from rnn_helpers.experiments.words import Estimate, crossed, grouped


def share_right(rows: Sequence[dict]) -> Estimate:
    """Estimate the share of answers that are right."""
    return Estimate.mean((row["right"] for row in rows), (0, 1))


def typically_right(rows: Sequence[dict]) -> Estimate:
    """Estimate the share of answers that a typical network gets right: a median."""
    return Estimate.median(row["right"] for row in rows)


def tabulate_right(
    rows: Sequence[dict],
    down: str,
    across: str,
    *,
    digits: int = 2,
    typical: bool = False,
    **headings: str,
) -> list[dict]:
    """Tabulate the share of right answers with a number of digits, or its median; see `crossed`."""
    share = typically_right if typical else share_right
    return crossed(rows, down, across, lambda some: f"{share(some):.{digits}f}", **headings)


def by_start(rows: Sequence[dict], method: str) -> list[dict]:
    """Name the method and the initialization of each row in one more column, ``curve``.

    Parameters
    ----------
    rows : sequence of dict
        With a column ``start``.
    method : str
        The column that names the method.

    Returns
    -------
    list of dict
    """
    return [row | {"curve": f"{row[method]}, {row['start']}"} for row in rows]


def table_by_start(
    rows: Sequence[dict], method: str, cell: Callable[[list[dict]], str], heading: str
) -> list[dict]:
    """Tabulate rows by length, and by method and initialization; see `crossed`."""
    return crossed(by_start(rows, method), "length", "curve", cell, heading=heading)


def shares_over(
    rows: Sequence[dict],
    name: str,
    x: str,
    panel: str | None = None,
    *,
    typical: bool = False,
    **words,
) -> Data:
    """Return the share that is ``right``, with its interval, over a column of the rows.

    Parameters
    ----------
    rows : sequence of dict
        One for each seed.
    name, x : str
        The column that names a curve, and the column on the horizontal axis.
    panel : str, optional
        The column that names a panel; by default there is one panel.
    typical : bool
        Whether to return medians of networks instead of means, for claims that medians decide.
    **words
        As for `claim_curves`, but for ``spread`` and ``share``.
    """
    panels = grouped(rows, panel) if panel else {"": rows}
    share = typically_right if typical else share_right
    series = {title: _curves(mine, name, x, share) for title, mine in panels.items()}
    spread = MEDIAN_INTERVAL if typical else INTERVAL
    return claim_panels(series, x, "right", spread=spread, share=True, **words)


def _curves(rows, name, x, estimated):
    """Return the points of each curve by its name."""
    curves = {}
    for (curve, at), mine in grouped(rows, name, x).items():
        share = estimated(mine)
        curves.setdefault(curve, []).append({x: at, "right": share.value} | share._asdict())
    return curves
