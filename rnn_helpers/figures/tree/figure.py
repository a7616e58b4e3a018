"""The figure *tree*: trees over a sentence, and the distances between its words."""

import re
from functools import reduce

from rnn_helpers.explore.states import require_place
from rnn_helpers.figures import constants

CONSTANTS = constants("tree")


def check(state, given):
    """Refuse the position of a word that the sentence doesn't have."""
    words, _ = read(state["text"])
    for key in ("from", "to"):
        require_place(key, state, given, max(len(words), 1), "the sentence has the words")


def read(text):
    """Return the words of a text and the tree that its brackets describe, or None without words.

    More than two parts in a pair of brackets are combined one after the other. A bracket that is
    never closed is closed at the end.
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
