"""The figure *mappings*: five networks with weights set by hand, one for each pattern.

The sum of each hidden unit is a multiple of 1/2. It is multiplied by `GAIN` before tanh, so that
tanh is 1, -1 or 0 to the last digit.
"""

from dataclasses import dataclass

import numpy as np

from rnn_helpers.explore.states import complete, manifest, require_place, validate
from rnn_helpers.figures import constants

CONSTANTS = constants("mappings")
GAIN, SHAPES, SCORES = CONSTANTS.GAIN, CONSTANTS.SHAPES, CONSTANTS.SCORES


@dataclass(frozen=True, eq=False)
class Task:
    """An input and the network that answers it.

    Attributes
    ----------
    params : dict of ndarray
        As `rnn_forward` takes them.
    x : ndarray, shape (T, n_x)
        Inputs; zeros at steps without input.
    reads : list of str or None, T of them
        The label of the input at each step; None for no input.
    writes : list of bool, T of them
        Whether an answer is due at each step.
    words : list of str
        The possible answers, in the order of the outputs.
    """

    params: dict
    x: np.ndarray
    reads: list
    writes: list
    words: list

    def answers(self, o):
        """Return the answer at each step for outputs `o` (T, n_y), or None where none is due."""
        best = np.argmax(o, axis=1)
        return [self.words[j] if due else None for j, due in zip(best, self.writes, strict=True)]

    @property
    def early(self):
        """Count the answers that come before the last input has been read."""
        last = max(t for t, word in enumerate(self.reads) if word is not None)
        return sum(self.writes[:last])


def check(state, given):
    """Raise ValueError if a text is too short, or the input ends before the given step."""
    shown = task(**{key: value for key, value in state.items() if key != "t"})
    require_place("t", state, given, len(shown.x), "what is read has the steps")


def task(pattern, **state):
    """Return the input and the weights of one of the figure's five networks.

    Parameters
    ----------
    pattern : {"one-one", "one-many", "many-one", "delayed", "aligned"}
        The pattern of inputs and outputs.
    **state
        The figure's controls: ``image``, nine pixels ``"0"`` or ``"1"``, row by row; ``n``, the
        number from which to count down; ``review``, of which seven words are read; ``letters``,
        a's and b's, with the delay ``k``; ``code``, a's, b's and brackets. The defaults are the
        figure's.

    Returns
    -------
    Task

    Examples
    --------
    >>> from rnn_helpers.reference import rnn_forward
    >>> count = task("one-many", n=2)
    >>> count.answers(rnn_forward(count.params, count.x).o)
    ['2', '1', 'stop']
    """
    state = validate("mappings", {"pattern": pattern, **state})
    _require_length(state)
    return _TASKS[pattern](complete("mappings", state))


def _require_length(state):
    """Raise ValueError if a text is too short, which `validate` doesn't check."""
    controls = manifest()["mappings"]["controls"]
    for key, value in state.items():
        least = controls[key].get("minLength", 0)
        if least and len(value) < least:
            raise ValueError(f"{key} is {value!r}; expected at least {least} characters")


def _one_one(state):
    agree = np.array([[1 if pixel == "1" else -1 for pixel in shape] for shape in SHAPES.values()])
    n = len(agree)
    # Of nine pixels at least eight agree: those that should be full, and four that should be empty.
    params = _network(agree, np.zeros((n, n)), np.full(n, -3.5), np.eye(n + 1, n), np.zeros(n + 1))
    x = np.array([[pixel == "1" for pixel in state["image"]]], float)
    return Task(params, x, [state["image"]], [True], [*SHAPES, "none"])


def _one_many(state):
    n, m = state["n"], CONSTANTS.MOST["n"]
    x = np.zeros((n + 1, m))
    x[0, n - 1] = 1  # turns on units 1 to n; at each later step, a unit copies the next one
    V = np.vstack([-np.eye(1, m), np.eye(m) - np.eye(m, k=1)])
    params = _network(
        2 * np.triu(np.ones((m, m))), np.eye(m, k=1), np.full(m, -0.5), V, np.eye(m + 1)[m]
    )
    reads = [str(n), *[None] * n]
    return Task(params, x, reads, [True] * (n + 1), ["stop", *map(str, range(1, m + 1))])


def _many_one(state):
    words = state["review"].split()[: CONSTANTS.MOST["review"]] or [""]
    scores = [SCORES.get(word, 0) for word in words]
    levels = np.array(CONSTANTS.LEVELS)
    m = len(levels)
    half = np.full(m, 0.5)  # half the sum of all units, each -1 or 1, is the count so far
    params = _network(
        np.ones((m, 1)),
        np.full((m, m), 0.5),
        0.5 - levels,
        np.array([half, -half, 0 * half]),
        np.array([-0.5, -0.5, 0]),
    )
    reads = [f"{score:+d}".replace("-", "−") if score else "0" for score in scores]
    writes = [False] * (len(words) - 1) + [True]
    return Task(params, np.array(scores, float)[:, None], reads, writes, ["good", "bad", "so-so"])


def _delayed(state):
    letters, k = state["letters"], state["k"]
    x = np.array([*({"a": 1, "b": -1}[letter] for letter in letters), *[0] * k], float)
    params = _network(
        np.eye(k + 1, 1),
        np.eye(k + 1, k=-1),
        np.zeros(k + 1),
        np.outer([1, -1], np.eye(k + 1)[k]),
        np.zeros(2),
    )
    reads, writes = [*letters, *[None] * k], [False] * k + [True] * len(letters)
    return Task(params, x[:, None], reads, writes, ["a", "b"])


def _aligned(state):
    code = state["code"]
    x = np.array([[letter == bracket for bracket in CONSTANTS.BRACKETS] for letter in code], float)
    params = _network(
        np.array([[2, -2, 0, 0], [0, 0, 2, -2]]),
        np.eye(2),
        np.full(2, -0.5),
        np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]]),
        np.zeros(4),
    )
    return Task(params, x, list(code), [True] * len(code), ["–", "(", "[", "(["])


def _network(U, W, b, V, c):
    return {"U": GAIN * U, "W": GAIN * W, "b": GAIN * b, "V": V * 1.0, "c": c * 1.0}


_TASKS = {
    "one-one": _one_one,
    "one-many": _one_many,
    "many-one": _many_one,
    "delayed": _delayed,
    "aligned": _aligned,
}
