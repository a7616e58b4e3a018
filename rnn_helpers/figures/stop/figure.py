"""The networks of the figure *stop*."""

from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import scaled

CONSTANTS = constants("stop")
ARRAYS = CONSTANTS.ARRAYS  # only networks that draw a length have the last one, d


def networks():
    """Return the figure's networks by their way to stop."""
    return {way: scaled(kept, ARRAYS) for way, kept in stored("stop")["networks"].items()}
