"""The automata that one builds in the laboratory of states."""

from functools import reduce

import numpy as np

from rnn_helpers.plots import Plot, automaton_graph, style
from rnn_helpers.plots.words import number
from rnn_helpers.reference import (
    END,
    Automaton,
    automaton,
    bigram_automaton,
    bigram_counts,
    bracket_automaton,
    intersect,
)
from rnn_helpers.validate import as_choice, as_kind

KINDS = {"none": "", "( )": "()", "( ) and [ ]": "()[]", "( ), [ ] and { }": "()[]{}"}
REFUSED = "-"  # marks a symbol that has no transition
LONGEST, MOST_SYMBOLS, MOST_STATES = 40, 10, 4  # as many as a picture has room for


def read(text, symbols, longest):
    """The first `longest` known symbols of a string, and `END` where it is typed."""
    text = text.strip()
    known = [letter for letter in text.removesuffix(END) if letter in symbols][:longest]
    return known + [END] * text.endswith(END)


def remembered(sentences, before=True, brackets="( )", own=""):
    """Build an automaton that remembers the chosen features, and count its bigrams in sentences.

    Parameters
    ----------
    sentences : str
        Sentences, with blanks between them; their symbols are the alphabet, at most 10, and
        Latin letters or marks.
    before : bool
        Whether it remembers the previous symbol.
    brackets : str
        A key of `KINDS`: the brackets whose state (open or closed) it remembers. Their symbols
        belong to the alphabet.
    own : str
        A custom feature: steps like ``even a odd`` (a state, a symbol and the next state),
        separated by commas; ``-`` instead of the next state if the symbol can't occur. The first
        state is the start; symbols without a step leave the state unchanged. At most 4 states;
        malformed steps are ignored.

    Returns
    -------
    Automaton
        The intersection, normalized. Each bigram is counted once more than it is seen.
    """
    for name, value in (("sentences", sentences), ("own", own)):
        as_kind(name, value, str, "a string")
    pairs = KINDS[as_choice("brackets", brackets, KINDS)]
    words = sentences.split()
    letters = [s for s in dict.fromkeys("".join(words)) if _known(s) and s not in pairs]
    symbols = (letters[: MOST_SYMBOLS - len(pairs)] or ["a"]) + list(pairs)
    alphabet = [*symbols, END]
    machines = []
    if before:
        known = [[symbol for symbol in word if symbol in symbols] for word in words]
        machines.append(bigram_automaton(symbols, bigram_counts(known, symbols) + 1))
    machines += [bracket_automaton(*pairs[at : at + 2], alphabet) for at in range(0, len(pairs), 2)]
    machines += _own(own, alphabet)
    return reduce(intersect, machines or [nothing(alphabet)]).normalised()


def laboratory(sentences, before, brackets, own, string):
    """Draw the automaton that `remembered` builds, the walk of a string, and its numbers.

    Parameters
    ----------
    sentences, before, brackets, own
        As for `remembered`.
    string : str
        Its input; ``</s>`` at its end ends the sentence. Symbols outside the alphabet are left out,
        and so are those after the first 40.

    Returns
    -------
    Plot
    """
    machine = remembered(sentences, before, brackets, own)
    symbols = read(as_kind("string", string, str, "a string"), machine.alphabet[:-1], LONGEST)
    plot = automaton_graph(machine, symbols)
    try:
        line = f"{number(machine.entropy_rate / np.log(2))} bits per symbol"
    except ValueError:
        line = "It can reach a state that no arrow leaves"
    p = machine.weight(symbols)
    line += (
        f"; one sentence in {number(1 / p)} begins this way"
        if p
        else "; no sentence begins this way"
    )
    with style():
        plot.figure.supxlabel(line, size=11)
    return Plot(plot.figure, f"{plot.alt} {line}.")


def _known(text):
    """Whether every letter is one that a plot can write."""
    return text.isprintable() and max(text) < "\u0250"


def nothing(alphabet):
    """One state, which knows nothing: every symbol may come."""
    return automaton(alphabet, {("q", symbol): ("q", 1.0) for symbol in alphabet}, "q", ["q"])


def _own(own, alphabet) -> list[Automaton]:
    """The automaton of a reader's own steps, if there are any."""
    steps = [step.split() for step in own.split(",")]
    steps = [
        step for step in steps if len(step) == 3 and step[1] in alphabet and _known("".join(step))
    ]
    named = dict.fromkeys(name for a, _, b in steps for name in (a, b) if name != REFUSED)
    states = list(named)[:MOST_STATES]
    steps = [step for step in steps if step[0] in states and step[2] in (*states, REFUSED)]
    if not states:
        return []
    table = {(state, symbol): (state, 1.0) for state in states for symbol in alphabet}
    table |= {(a, symbol): (b, 1.0) for a, symbol, b in steps}
    table = {step: (after, weight) for step, (after, weight) in table.items() if after != REFUSED}
    return [automaton(alphabet, table, states[0], states)]
