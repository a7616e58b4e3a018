"""Shares that rows hold, drawn."""

from collections.abc import Sequence

from rnn_helpers.experiments.words import Estimate, grouped


def share_right(rows: Sequence[dict]) -> Estimate:
    """Estimate the share of answers that are right."""
    return Estimate.mean((row["right"] for row in rows), (0, 1))


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


def shares_over(rows: Sequence[dict], name: str, x: str, **axes):
    """Draw the mean share that is ``right``, with its interval, over a column of the rows.

    Parameters
    ----------
    rows : sequence of dict
        For each seed a row.
    name, x : str
        The columns that name a curve, and that it goes over.
    **axes
        As for `claim_curves`.

    Returns
    -------
    rnn_helpers.plots.Plot
    """
    from rnn_helpers.plots.curves import claim_curves

    curves = {}
    for (curve, at), mine in grouped(rows, name, x).items():
        share = share_right(mine)
        curves.setdefault(curve, []).append({x: at, "right": share.value} | share._asdict())
    return claim_curves(curves, x, "right", **axes)
