"""Sampling of the next token from a model of a text."""

import numpy as np


def drawn(scores: np.ndarray, temperature: float, rng: np.random.Generator) -> int:
    """Place drawn from the softmax of scores (n,) over a temperature above 0."""
    # the largest of the scores plus Gumbel noise is a draw from their softmax
    noise = rng.gumbel(size=len(scores))
    return int(np.argmax((scores - scores.max()) / temperature + noise))
