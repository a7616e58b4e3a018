"""The figure *sharing*: networks that name the year in a sentence, with the year moved around."""

from rnn_helpers.explore.states import require_place
from rnn_helpers.figures import constants

CONSTANTS = constants("sharing")
WORDS, YEARS, YEAR = CONSTANTS.WORDS, CONSTANTS.YEARS, CONSTANTS.YEAR
LONGEST = CONSTANTS.LONGEST  # positions for which the MLP has weights
# training -> positions of the year (from 0), words of the shortest and of the longest sentence
TRAINING = {
    name: ([place - 1 for place in training["places"]], *training["words"])
    for name, training in CONSTANTS.TRAINING.items()
}


def check(state, given):
    """Raise ValueError if the sentence has no such position."""
    require_place("place", state, given, state["words"], "the sentence has the positions")
