"""The figure *automaton*: weighted automata, one by one and intersected."""

from functools import reduce

from rnn_helpers.explore.automata import nothing, read
from rnn_helpers.explore.states import manifest
from rnn_helpers.plots import automaton_graph
from rnn_helpers.reference import bigram_automaton, bracket_automaton, intersect

FACTORS = {"bigram": None, "round": "()", "square": "[]"}


def poster(state):
    """Draw the figure in a complete state."""
    return automaton_graph(
        chosen(manifest()["automaton"]["example"], [name for name in FACTORS if state[name]]),
        read(state["text"])[: state["t"]],
    )


def check(state, given):
    """Raise ValueError if the text is too long or has other symbols, or has no such symbol."""
    text = state["text"]
    symbols = read(text)
    if len(text.strip()) != len("".join(symbols)):
        raise ValueError(
            f"text is {text!r}; expected at most 16 of ab()[], and </s> at the end if any"
        )
    if "t" in given and state["t"] > len(symbols):
        raise ValueError(f"t is {state['t']}; {text!r} has {len(symbols)} symbols")


def chosen(example, names):
    """Intersect those of the figure's automata that are named.

    Parameters
    ----------
    example : dict
        The figure's: ``alphabet``, probabilities ``bigram``, weights ``open`` and ``close``.
    names : iterable of str
        Some of `FACTORS`, in their order.

    Returns
    -------
    Automaton
        Normalised; of one state, where every symbol may come, if there is no name.
    """
    alphabet = example["alphabet"]
    weights = example["open"], example["close"]
    machines = [
        bracket_automaton(*FACTORS[name], alphabet, *weights)
        if FACTORS[name]
        else bigram_automaton(alphabet[:-1], example["bigram"])
        for name in names
    ]
    return reduce(intersect, machines or [nothing(alphabet)]).normalised()
