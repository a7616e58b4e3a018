"""The figure *automaton*: weighted automata and their intersection."""

from functools import reduce

from rnn_helpers.explore import automata
from rnn_helpers.explore.figures import constants
from rnn_helpers.plots import automaton_graph
from rnn_helpers.reference import END, bigram_automaton, bracket_automaton, intersect

CONSTANTS = constants("automaton")
FACTORS = {"bigram": None, "round": "()", "square": "[]"}


def poster(state):
    """Draw the figure in a complete state."""
    return automaton_graph(
        chosen([name for name in FACTORS if state[name]]),
        read(state["text"])[: state["t"]],
        weighted=state["weights"],
    )


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


def chosen(names):
    """Intersect some of the figure's automata.

    Parameters
    ----------
    names : iterable of str
        Some of `FACTORS`, in their order.

    Returns
    -------
    Automaton
        Normalized. Without names it has one state, in which every symbol may come.
    """
    alphabet = [*CONSTANTS.SYMBOLS, END]
    weights = CONSTANTS.OPEN, CONSTANTS.CLOSE
    machines = [
        bracket_automaton(*FACTORS[name], alphabet, *weights)
        if FACTORS[name]
        else bigram_automaton(CONSTANTS.SYMBOLS, CONSTANTS.BIGRAM)
        for name in names
    ]
    return reduce(intersect, machines or [automata.nothing(alphabet)]).normalised()


def read(text):
    """Return the symbols of a string as the figure reads it."""
    return automata.read(text, CONSTANTS.SYMBOLS, CONSTANTS.LONGEST)
