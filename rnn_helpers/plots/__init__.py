"""Figures of the book: every function here draws the reader's own arrays, and returns a `Plot`."""

from typing import TYPE_CHECKING

from rnn_helpers.lazy import lazily

if TYPE_CHECKING:
    from rnn_helpers.plots.alone import left_alone
    from rnn_helpers.plots.attention import attention_weights
    from rnn_helpers.plots.automata import automaton_graph
    from rnn_helpers.plots.beams import beam_tree
    from rnn_helpers.plots.captioned import captions
    from rnn_helpers.plots.clipped import clipped_layers
    from rnn_helpers.plots.curves import activation, lines
    from rnn_helpers.plots.entries import vector_entries
    from rnn_helpers.plots.gradient_norms import gradient_norms
    from rnn_helpers.plots.graphs import (
        bidirectional_graph,
        clockwork_graph,
        deep_designs,
        unfolded_graph,
    )
    from rnn_helpers.plots.histories import success_curves, training_curves
    from rnn_helpers.plots.maps import probabilities, states
    from rnn_helpers.plots.plot import COLOUR_MAPS, MARKERS, Plot, style, subplots
    from rnn_helpers.plots.skips import residual_stream, skip_connections
    from rnn_helpers.plots.spelled import spelling
    from rnn_helpers.plots.stopping import written_lengths
    from rnn_helpers.plots.streams import gap_orders, probability_streams
    from rnn_helpers.plots.tokens import (
        next_tokens,
        prompted_answer,
        two_attentions,
        two_stages,
        ways_back,
    )
    from rnn_helpers.plots.translations import translation_graph
    from rnn_helpers.plots.trees import recursive_graph, tree_graph, tree_row

__getattr__, __dir__, __all__ = lazily(__name__)
