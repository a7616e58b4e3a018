"""Contests whose settings have several values, such as a learning rate and a clipping threshold."""

from collections.abc import Sequence
from typing import ClassVar

from rnn_helpers.experiments.choose import choose_on_grid
from rnn_helpers.experiments.contest import Cell, Contest


class GridContest(Contest):
    """A contest whose settings have several values.

    Attributes
    ----------
    values : tuple of str
        The columns of these values. A method may use only the first ones.
    """

    values: ClassVar[tuple[str, ...]]

    def grid(self, config: dict, cell: Cell) -> tuple[Sequence[Sequence], Sequence[int]]:
        """Return the ladders of a cell, and how many values of each it tries at first.

        Here they are the ``grids`` and ``first`` of the first part of the cell.
        """
        return config["grids"][cell[0]], config["first"][cell[0]]

    def _choose(self, config, cells, score):
        grids = {cell: self.grid(config, cell) for cell in cells}
        return choose_on_grid(
            {cell: ladders for cell, (ladders, _) in grids.items()},
            score,
            first={cell: first for cell, (_, first) in grids.items()},
            seeds=config["choosing"],
        )

    def chosen(self, choice):
        """Return the values that were chosen for a cell; a value that it doesn't have is None."""
        values = choice.setting + (None,) * (len(self.values) - len(choice.setting))
        return dict(zip(self.values, values, strict=True)) | {"at_edge": choice.at_edge}
