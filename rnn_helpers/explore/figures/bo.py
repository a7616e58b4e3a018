"""The figure *bo*: which word it was, for who hears the past alone and for who hears both ways."""

import numpy as np

from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import Plot, style, subplots
from rnn_helpers.plots.words import number
from rnn_helpers.reference import gru_forward, softmax
from rnn_helpers.tasks.lexicon import Lexicon

TASK = Lexicon()
KINDS = ("past", "both")
_BARS = {"past": ("hears the past", "state"), "both": ("hears both ways", "memory")}


def spoken(typed):
    """What is spoken of what is typed: capitals are small, blanks are left out."""
    return "".join(typed.lower().split())


def network(kind):
    """Weights of a network, as they were rounded: these are the network, here and in the figure."""
    return stored("bo")["networks"][kind]


def bets(kept, text):
    """Probability of each word at each letter, for a network as it is kept: shape (T, 10)."""
    params = unpacked(kept)
    x = np.eye(TASK.n_x)[TASK.read(text)]
    states = [_read(params, "ahead", x)]
    if "back U" in params:
        states.append(_read(params, "back", x[::-1])[::-1])
    return softmax(params["c"] + np.concatenate(states, axis=1) @ params["V"].T)


def _read(params, reader, x):
    """States of one reader, in the order in which it reads."""
    own = {name.split()[1]: array for name, array in params.items() if name.startswith(reader)}
    return gru_forward(without_output(own), x, reset="before").h


def check(state, given):
    """Refuse what is no words."""
    try:
        TASK.bets(TASK.read(spoken(state["text"])))
    except ValueError as error:
        raise ValueError(f"text is {state['text']!r}; {error}") from error


def poster(state):
    """Draw the figure in a complete state."""
    text = spoken(state["text"])[: state["heard"]]
    at = min(state["at"], len(text)) - 1
    words = TASK.words
    places, most = np.arange(len(words)), []
    with style():
        figure, axes = subplots()
        for down, kind in ((-0.2, "past"), (0.2, "both")):
            name, means = _BARS[kind]
            said = bets(network(kind), text)[at]
            axes.barh(places + down, said, 0.36, color=colour(means), label=name)
            likeliest = int(said.argmax())
            most.append(f"{name}, at most {number(said[likeliest])}, for {words[likeliest]}")
        axes.set_yticks(places, words)
        axes.invert_yaxis()
        axes.grid(visible=False)
        axes.set(xlim=(0, 1), xlabel=f"probability of each word, at letter {at + 1}, {text[at]}")
        axes.legend(loc="lower right")
        return Plot(figure, f"Two bars beside each of {len(words)} words: {'; '.join(most)}.")
