"""Networks whose answer at a step is several bits, trained for many seeds at once."""

from collections.abc import Mapping

import numpy as np
import torch

from rnn_helpers.nets.gated import Gated
from rnn_helpers.validate import as_tokens


class Bits(Gated):
    """Recurrent layers and an output for each of ``n_y`` bits: the logit of its probability.

    As `Gated`, except that the targets are bits, (T, B, n_y) or (T, S, B, n_y). The loss is the
    cross-entropy of a bit, in nats.
    """

    def right(self, params: Mapping[str, np.ndarray], batch) -> np.ndarray:
        """Share of bits, at the steps that count, whose more likely value is right, shape (S,).

        Parameters
        ----------
        params : mapping
            Arrays named as `params` names them.
        batch : tuple of ndarray
            Inputs, bits and, optionally, a mask, as for `loss_and_grads`.
        """
        *inputs, y, mask = self._parts(batch)
        right = ((self._outputs(params, *inputs) > 0) == (y.numpy() > 0)).mean(axis=-1)
        mask = mask.numpy()
        return (right * mask).sum(axis=(0, 2)) / mask.sum(axis=(0, 2))

    def _each(self, o, y):
        each = torch.nn.functional.binary_cross_entropy_with_logits(o, y, reduction="none")
        return each.mean(dim=-1)

    def _targets(self, y, shape):
        """Bits (T, S, B, n_y) as a tensor."""
        y = as_tokens("y of batch", y, 2)
        y = y[:, None] if y.ndim == 3 else y
        expected = (*shape, self.n_y)
        if y.ndim != 4 or y.shape[1] not in (1, shape[1]) or y.shape[::2] != expected[::2]:
            raise ValueError(
                f"y of batch has shape {y.shape}; expected {expected}, or without the axis of seeds"
            )
        if y.shape[3] != self.n_y:
            raise ValueError(
                f"y of batch has shape {y.shape}; expected {self.n_y} bits on its last axis"
            )
        return torch.tensor(np.broadcast_to(y, expected), dtype=self.V.dtype)
