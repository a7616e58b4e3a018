"""The figure *automaton*: weighted automata and their intersection."""

from rnn_helpers.explore import automata
from rnn_helpers.figures import constants
from rnn_helpers.reference import END

CONSTANTS = constants("automaton")


def check(state, given):
    """Raise ValueError if the text is too long, has unknown symbols or ends before symbol t."""
    text = state["text"]
    symbols = read(text)
    if len(text.strip()) != len("".join(symbols)):
        raise ValueError(
            f"text is {text!r}; expected at most {CONSTANTS.LONGEST} of {CONSTANTS.SYMBOLS}, "
            f"and {END} at the end if any"
        )
    if "t" in given and state["t"] > len(symbols):
        raise ValueError(f"t is {state['t']}; {text!r} has {len(symbols)} symbols")


def read(text):
    """Return the symbols of a string as the figure reads it."""
    return automata.read(text, CONSTANTS.SYMBOLS, CONSTANTS.LONGEST)
