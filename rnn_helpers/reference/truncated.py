"""Back-propagation cut off at the edges of blocks, while the state is carried across them."""

from collections.abc import Mapping

import numpy as np

from rnn_helpers.reference.bptt import rnn_backward
from rnn_helpers.reference.rnn import Run, rnn_forward
from rnn_helpers.validate import as_count, as_mask, as_targets


def truncated_gradient(
    params: Mapping, x, y, block: int, mask=None, *, h0=None, nonlinearity: str = "tanh"
) -> dict:
    """Gradients of `rnn_loss` that take the state at the beginning of each block as given.

    Forwards nothing changes: each block starts from the state in which the one before it ended, so
    states, outputs and loss are those of the whole sequence. Backwards, nothing passes from a block
    to the one before it. Memory during training then need hold one block alone.

    Parameters
    ----------
    params, x, h0, nonlinearity
        As for `rnn_forward`.
    y, mask
        As for `rnn_backward`.
    block : int
        Time steps K of a block, at least 1; the last block is shorter if K does not divide T. With
        K = T or more the gradient is exact.

    Returns
    -------
    dict of ndarray
        As of `rnn_backward`. Those on ``V`` and ``c`` are exact for any K, since they pass through
        no step back; that on ``h0`` comes from the first block's losses.
    """
    block = as_count("block", block)
    run = rnn_forward(params, x, h0, nonlinearity)
    mask = as_mask(mask, run.o.shape[:-1])
    y = as_targets(y, run.o.shape, mask)
    of_blocks = []
    for start in range(0, len(run.h), block):
        steps = slice(start, start + block)
        part = Run(
            run.x[steps],
            run.states[start : start + block + 1],
            run.o[steps],
            run.log_yhat[steps],
            run.a[steps],
            run.nonlinearity,
        )
        part_mask = None if mask is None else mask[steps]
        of_blocks.append(rnn_backward(params, part, y[steps], part_mask))
    first, *_ = of_blocks
    summed = {name: np.sum([grads[name] for grads in of_blocks], axis=0) for name in first}
    return {**summed, "h0": first["h0"]}
