"""The figure *loop*: two units that are on or off read a text with quotation marks."""

from rnn_helpers.explore.states import require_place


def check(state, given):
    """Raise ValueError if the text is empty or shorter than the symbol's position."""
    if not state["text"]:
        raise ValueError("text is empty; expected at least one symbol")
    require_place("t", state, given, len(state["text"]), "the text has the symbols")
