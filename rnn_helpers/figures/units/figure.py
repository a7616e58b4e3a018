"""The figure *units*: the features of a text that single units of a network follow."""

from rnn_helpers.explore.characters import UNITS
from rnn_helpers.explore.states import require_place


def check(state, given):
    """Raise ValueError if the text is empty, or there is no such character or unit."""
    T, n_h = len(state["text"]), UNITS[state["net"]]
    if not T:
        raise ValueError("text is empty; expected at least one character")
    require_place("t", state, given, T, "the text has the characters")
    require_place("unit", state, given, n_h, "the network has the units")
