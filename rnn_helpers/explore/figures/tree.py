"""The figure *tree*: who is far from whom along a chain, a balanced tree, one's own."""

import re
from functools import reduce

from rnn_helpers.explore.figures import constants
from rnn_helpers.explore.states import require_place

CONSTANTS = constants("tree")


def check(state, given):
    """Refuse a word that the sentence has not."""
    words, _ = read(state["text"])
    for key in ("from", "to"):
        require_place(key, state, given, max(len(words), 1), "the sentence has the words")


def read(text):
    """Words, and the tree that brackets make of them; None without words.

    Where a bracket holds more than two they are joined one after the other; one that nobody closes
    is closed at the end.
    """
    words, groups = [], [[]]

    def close():
        group = groups.pop()
        if group:
            groups[-1].append(_joined(group))

    for token in re.findall(r"[()]|[^()\s]+", text):
        if token == "(":
            groups.append([])
        elif token == ")":
            if len(groups) > 1:
                close()
        elif len(words) < CONSTANTS.MOST:
            groups[-1].append(len(words))
            words.append(token)
    while len(groups) > 1:
        close()
    return words, _joined(groups[0]) if words else None


def _joined(group):
    return reduce(lambda left, right: (left, right), group)
