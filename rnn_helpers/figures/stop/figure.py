"""The networks of the figure *stop*."""

from rnn_helpers.explore.weights import scaled
from rnn_helpers.figures import constants, stored

CONSTANTS = constants("stop")
ARRAYS = CONSTANTS.ARRAYS  # only networks that draw a length have the last one, d


def networks():
    """Return the figure's networks by their way to stop."""
    return {way: scaled(kept, ARRAYS) for way, kept in stored("stop")["networks"].items()}
