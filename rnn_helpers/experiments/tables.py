"""Tables as text."""

import csv
import io
from collections.abc import Sequence
from typing import Any


def cells(lines: list[dict], columns: Sequence[str] = (), digits: int = 3) -> list[list[str]]:
    """Write the lines of a table, below a line of headings.

    Parameters
    ----------
    lines : list of dict
        From a column's heading to its value; a missing value is written as a dash.
    columns : sequence of str
        Which columns, in which order; all if empty.
    digits : int
        Significant digits of numbers.

    Returns
    -------
    list of list of str
    """

    def cell(value: Any) -> str:
        if value is None:
            return "–"
        return f"{value:.{digits}g}" if isinstance(value, float) else str(value)

    columns = list(columns) or list(dict.fromkeys(key for line in lines for key in line))
    return [columns, *([cell(line.get(key)) for key in columns] for line in lines)]


def separated(lines: list[list[str]]) -> str:
    """Separate cells by commas, as spreadsheets read them."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def aligned(lines: list[list[str]]) -> str:
    """Lay out lines of cells in columns."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        for line in lines
    )
