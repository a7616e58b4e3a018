"""Contests in which each method has the initialization that suits it best."""

from rnn_helpers.experiments.contest import Contest

SMALL, ORTHOGONAL = "small start", "orthogonal start"
"""Matrices as PyTorch draws them, or orthogonal where a state passes them."""


class BestStart(Contest):
    """A contest whose cells end with an initialization, which is chosen together with the rate."""

    def choices(self, config):
        """Choose a setting for each cell, and keep the best cell of each method."""
        tried = super().choices(config)
        best = {}
        for cell, choice in tried.items():
            rival = best.get(cell[:-1])
            if rival is None or max(choice.tried.values()) > max(tried[rival].tried.values()):
                best[cell[:-1]] = cell
        return {cell: tried[cell] for cell in best.values()}
