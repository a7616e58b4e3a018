"""The figure *units*: what single units of a network follow in a text."""

from rnn_helpers import plots
from rnn_helpers.explore.characters import UNITS, measured, run, shown
from rnn_helpers.explore.states import require_place
from rnn_helpers.tasks import text_features

_FOLLOWED = {
    "brackets": "inside brackets",
    "quotes": "inside quotes",
    "indent": "in the indent",
    "line": "place in the line",
    "space": "a space just read",
}


def poster(state):
    """Draw the figure in a complete state."""
    net, text, follow = state["net"], state["text"], state["follow"]
    return plots.following_units(
        shown(run(net, text)),
        text_features(text)[follow],
        text,
        unit=min(state["unit"], UNITS[net]),
        elsewhere=measured(net)[follow],
        name=_FOLLOWED[follow],
    )


def check(state, given):
    """Raise ValueError if the text is empty, or there is no such character or unit."""
    T, n_h = len(state["text"]), UNITS[state["net"]]
    if not T:
        raise ValueError("text is empty; expected at least one character")
    require_place("t", state, given, T, "the text has the characters")
    require_place("unit", state, given, n_h, "the network has the units")
