"""Encoder and decoder, for sequences of different lengths (10.4, figure 10.12).

The encoder, here called the reader, is a network of `init_rnn`. Its outputs ``c + V h`` are the
*annotations*, with any number of entries. The last annotation is the context C of the whole
sequence, a simple function of the last state. The decoder, here called the writer, receives only C
(`init_context`), or it has attention to all annotations (`init_attention`). Both are trained as one
network.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rnn_helpers.reference.attention import AttentionRun, attention_backward, attention_forward
from rnn_helpers.reference.bptt import through_time
from rnn_helpers.reference.context import context_backward, context_forward
from rnn_helpers.reference.rnn import Run, rnn_forward
from rnn_helpers.validate import as_kind, as_params_of


class Translation(NamedTuple):
    """The result of `translate_forward`.

    Attributes
    ----------
    reader : Run
        The encoder's run, whose outputs are the annotations.
    writer : Run or AttentionRun
        The decoder's run, whose loss is `rnn_loss`.
    """

    reader: Run
    writer: Run | AttentionRun


def translate_forward(reader: Mapping, writer: Mapping, x, y) -> Translation:
    """Run the encoder on one sequence, then the decoder on the true symbols of another.

    Parameters
    ----------
    reader : mapping
        As `init_rnn` returns it, with as many outputs as the decoder's context has entries.
    writer : mapping
        As `init_context` returns it, for a decoder that receives the last annotation; or as
        `init_attention` does, for one with attention to all annotations.
    x : array_like
        The encoder's input, as for `rnn_forward`: tokens (n,) or (n, B), or vectors.
    y : array_like of int, shape (T,) or (T, B)
        The decoder's target; T need not be n.
    """
    read = rnn_forward(reader, x)
    as_kind("writer", writer, Mapping, "a mapping of names to arrays")
    if "Q" in writer:
        return Translation(read, attention_forward(writer, read.o, y))
    return Translation(read, context_forward(writer, read.o[-1], y))


def translate_backward(
    reader: Mapping, writer: Mapping, run: Translation, y, mask=None
) -> tuple[dict, dict]:
    """Return the gradients of the decoder's loss on both networks.

    Parameters
    ----------
    reader, writer : mapping
        The parameters that made the run.
    run : Translation
        Result of `translate_forward`.
    y, mask : array_like
        Targets and the steps that count, as for `rnn_loss`.

    Returns
    -------
    reader, writer : dict of ndarray
        Each of its parameter's shape.
    """
    as_kind("run", run, Translation, "what translate_forward returns")
    weights = as_params_of(run.reader, reader)
    as_kind("writer", writer, Mapping, "a mapping of names to arrays")
    if "Q" in writer:
        grads = attention_backward(writer, run.writer, run.reader.o, y, mask)
        grad_o = grads.pop("annotations")
    else:
        grads = context_backward(writer, run.writer, run.reader.o[-1], y, mask)
        grad_o = np.zeros_like(run.reader.o)
        grad_o[-1] = grads.pop("x")  # the gradient reaches the encoder only through C
    grad_reader = through_time(weights, run.reader, grad_o)
    del grad_reader["h0"]
    return grad_reader, grads
