"""Figures of the book: every function here draws the reader's own arrays, and returns a `Plot`."""

from rnn_helpers.plots.addressed import addressed_cells
from rnn_helpers.plots.alone import left_alone
from rnn_helpers.plots.attention import attention_weights
from rnn_helpers.plots.automata import automaton_graph
from rnn_helpers.plots.beams import beam_tree
from rnn_helpers.plots.captioned import captions
from rnn_helpers.plots.cliffs import clipping_cliff
from rnn_helpers.plots.clipped_means import clipped_means
from rnn_helpers.plots.clocks import clock_raster
from rnn_helpers.plots.curvatures import curvatures
from rnn_helpers.plots.curves import activation, claim_intervals, lines
from rnn_helpers.plots.depths import depth_graph
from rnn_helpers.plots.eigenvalues import eigenvalue_decay
from rnn_helpers.plots.flows import gradient_flow
from rnn_helpers.plots.frames import film
from rnn_helpers.plots.gates import lstm_gates
from rnn_helpers.plots.gradient_norms import gradient_norms
from rnn_helpers.plots.graphs import unfolded_graph
from rnn_helpers.plots.histories import success_curves, training_curves
from rnn_helpers.plots.machines import memory_run
from rnn_helpers.plots.maps import probabilities, states
from rnn_helpers.plots.perturbations import change_growth, separations
from rnn_helpers.plots.plot import COLOUR_MAPS, MARKERS, Plot, style, subplots
from rnn_helpers.plots.reach import gradient_reach
from rnn_helpers.plots.repeated import composition, products
from rnn_helpers.plots.reservoirs import reservoir_memory
from rnn_helpers.plots.scales import time_scales
from rnn_helpers.plots.spelled import spelling
from rnn_helpers.plots.stopping import written_lengths
from rnn_helpers.plots.strips import gate_strips
from rnn_helpers.plots.translations import translation_graph
from rnn_helpers.plots.trees import tree_graph
from rnn_helpers.plots.units import following_units
from rnn_helpers.plots.updates import gated_updates
from rnn_helpers.plots.vanishing import gradient_through_time, latch
from rnn_helpers.plots.written import matrix_memory

__all__ = [
    "COLOUR_MAPS",
    "MARKERS",
    "Plot",
    "activation",
    "addressed_cells",
    "attention_weights",
    "automaton_graph",
    "beam_tree",
    "captions",
    "change_growth",
    "claim_intervals",
    "clipped_means",
    "clipping_cliff",
    "clock_raster",
    "composition",
    "curvatures",
    "depth_graph",
    "eigenvalue_decay",
    "film",
    "following_units",
    "gate_strips",
    "gated_updates",
    "gradient_flow",
    "gradient_norms",
    "gradient_reach",
    "gradient_through_time",
    "latch",
    "left_alone",
    "lines",
    "lstm_gates",
    "matrix_memory",
    "memory_run",
    "probabilities",
    "products",
    "reservoir_memory",
    "separations",
    "spelling",
    "states",
    "style",
    "subplots",
    "success_curves",
    "time_scales",
    "training_curves",
    "translation_graph",
    "tree_graph",
    "unfolded_graph",
    "written_lengths",
]
