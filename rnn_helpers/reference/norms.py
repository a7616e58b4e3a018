"""The length of a vector, exact where squares of its entries would overflow or vanish."""

import numpy as np


def length(*rows):
    """Return the Euclidean length along the last axis of one or several arrays."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        norm = np.sqrt(sum(np.einsum("...i,...i->...", row, row) for row in rows))
        kind = np.finfo(norm.dtype)
        # Below this length, a square that vanishes would show in the last digit.
        exact = np.isfinite(norm) & (norm >= np.sqrt(kind.tiny) / kind.eps)
        if exact.all():
            return norm
        size = np.max([np.abs(row).max(axis=-1) for row in rows], axis=0)
        scale = np.where(np.isfinite(size) & (size > 0), size, 1)
        squares = [((row / scale[..., None]) ** 2).sum(axis=-1) for row in rows]
        return np.where(exact, norm, scale * np.sqrt(sum(squares)))
