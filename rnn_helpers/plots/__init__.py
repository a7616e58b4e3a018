"""Figures of the book, each a function of the reader's own arrays that returns a `Plot`."""

from rnn_helpers.plots.graphs import unfolded_graph
from rnn_helpers.plots.plot import COLOUR_MAPS, MARKERS, Plot, style, subplots

__all__ = ["COLOUR_MAPS", "MARKERS", "Plot", "style", "subplots", "unfolded_graph"]
