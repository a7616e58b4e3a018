"""One network reads, another writes: sequences of different lengths (10.4, figure 10.12).

The reader is a network of `init_rnn`. Its outputs ``c + V h`` are *annotations* of what it has read
until then, as many numbers as wanted; the last of them is the context C of the whole sequence, a
simple function of the last state. The writer hears C alone (`init_context`), or looks back at all
annotations (`init_attention`), and is trained with the reader, as one network.
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
    """What `translate_forward` computed.

    Attributes
    ----------
    reader : Run
        Its outputs are the annotations.
    writer : Run or AttentionRun
        Whose loss is `rnn_loss`.
    """

    reader: Run
    writer: Run | AttentionRun


def translate_forward(reader: Mapping, writer: Mapping, x, y) -> Translation:
    """Read a sequence, then write another, whose true symbols are known.

    Parameters
    ----------
    reader : mapping
        As `init_rnn` gives them, with as many outputs as the writer takes in.
    writer : mapping
        As `init_context` gives them, and the writer hears the last annotation; or as
        `init_attention` does, and it looks back at all.
    x : array_like
        What is read, as for `rnn_forward`: tokens (n,) or (n, B), or vectors.
    y : array_like of int, shape (T,) or (T, B)
        What is written; T need not be n.
    """
    read = rnn_forward(reader, x)
    as_kind("writer", writer, Mapping, "a mapping of names to arrays")
    if "Q" in writer:
        return Translation(read, attention_forward(writer, read.o, y))
    return Translation(read, context_forward(writer, read.o[-1], y))


def translate_backward(
    reader: Mapping, writer: Mapping, run: Translation, y, mask=None
) -> tuple[dict, dict]:
    """Gradients of the writer's loss on both networks.

    Parameters
    ----------
    reader, writer : mapping
        The parameters that made the run.
    run : Translation
        What `translate_forward` returned.
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
        grad_o[-1] = grads.pop("x")  # all that the reader learns, it learns through C
    grad_reader = through_time(weights, run.reader, grad_o)
    del grad_reader["h0"]
    return grad_reader, grads
