"""The exercises of chapter 09, Bidirectional networks."""

from itertools import combinations, pairwise

import numpy as np

from rnn_helpers.checks.core import Wrong, exercise

LEXICA = (
    ("boy", "bow"),
    ("boy", "bow", "boolean", "bottle", "border"),
    ("yes", "no"),
    ("bottle", "bottom", "cat", "dog"),
    ("sunny", "moon", "monday", "sundry", "son"),
    ("zebra", "aardvark", "zebu"),
)


def _shared(one, other):
    return next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)


@exercise(
    "09-wait",
    cases=lambda: [(list(words),) for words in LEXICA],
    hint="Take two words alone: 'bottle' and 'bottom'. Who waits d letters has heard d + 1 of a "
    "word when it answers for the first. How many are needed to tell these two apart? Which "
    "two words of the list decide?",
    wrong={
        "one too many": Wrong(
            lambda words: 1 + max(_shared(a, b) for a, b in combinations(words, 2)),
            "You count the letters that must be heard. The first of them is heard without waiting.",
        ),
        "the least": Wrong(
            lambda words: min(_shared(a, b) for a, b in combinations(words, 2)),
            "That suffices for the two words that differ soonest. Every word is to be known.",
        ),
        "neighbours": Wrong(
            lambda words: max(_shared(a, b) for a, b in pairwise(words)),
            "You compare each word with the next one. The two most alike may stand anywhere.",
        ),
        "the longest word": Wrong(
            lambda words: max(map(len, words)) - 1,
            "That suffices. Is a word not known before its last letter?",
        ),
        "letters in common": Wrong(
            lambda words: max(
                sum(x == y for x, y in zip(a, b, strict=False)) for a, b in combinations(words, 2)
            ),
            "Letters that agree after the first difference make nobody wait.",
        ),
    },
)
def wait(words):
    """Give the least delay with which each of the words is known at its first letter."""
    return max(_shared(one, other) for one, other in combinations(words, 2))


class _Sweep:
    """A network that reads one way: from what it reads to its states, and gradients back."""

    def __init__(self, seed, n_x=2, n_h=2):
        rng = np.random.default_rng(seed)
        self.U, self.W = rng.normal(size=(n_h, n_x)), 0.6 * rng.normal(size=(n_h, n_h))

    def __repr__(self):
        return "<one-way network>"

    def __call__(self, x):
        h, states = np.zeros(len(self.W)), []
        for x_t in x:
            h = np.tanh(self.W @ h + self.U @ x_t)
            states.append(h)
        return np.array(states)


def _turn(x):
    return x[::-1]


def _sequences() -> list[tuple]:
    rng = np.random.default_rng(90)
    return [
        (_Sweep(2 * k, n_x, n_h), _Sweep(2 * k + 1, n_x, n_h), rng.normal(size=(n, n_x)))
        for k, (n, n_x, n_h) in enumerate(((1, 3, 2), (2, 2, 4), (5, 4, 3), (8, 2, 2)))
    ]


@exercise(
    "09-both",
    cases=_sequences,
    hint="Print the states of `back` on a sequence of two. Row t of your answer belongs to step t: "
    "which row of what `back` gave belongs there?",
    wrong={
        "not turned back": Wrong(
            lambda ahead, back, x: np.hstack([ahead(x), back(_turn(x))]),
            "Row 0 of your second half is what `back` said first: it belongs to the last step.",
        ),
        "read as it stands": Wrong(
            lambda ahead, back, x: np.hstack([ahead(x), back(x)]),
            "Your second half has heard what came before, like the first. What should `back` read?",
        ),
        "turned afterwards alone": Wrong(
            lambda ahead, back, x: np.hstack([ahead(x), _turn(back(x))]),
            "You turn what `back` gives. What it reads has to be turned as well.",
        ),
        "exchanged": Wrong(
            lambda ahead, back, x: np.hstack([_turn(back(_turn(x))), ahead(x)]),
            "The numbers are right. Whose states come first?",
        ),
        "in time": Wrong(
            lambda ahead, back, x: np.vstack([ahead(x), _turn(back(_turn(x)))]),
            "One sequence of states follows the other. At each step there should be both.",
        ),
        "turned in the wrong axis": Wrong(
            lambda ahead, back, x: np.hstack([ahead(x), back(x[:, ::-1])[:, ::-1]]),
            "Which axis is time?",
        ),
        "added": Wrong(
            lambda ahead, back, x: ahead(x) + _turn(back(_turn(x))),
            "A sum mixes the states for good. An output is to read each with weights of its own.",
        ),
    },
)
def both_ways(ahead, back, x):
    """Give the states of both networks, side by side at the steps they belong to."""
    return np.hstack([ahead(x), _turn(back(_turn(x)))])


def _shifted(h, by):
    moved = np.zeros_like(h)
    if by > 0:
        moved[by:] = h[:-by]
    else:
        moved[:by] = h[-by:]
    return moved


def _surroundings(first, second):
    def around(ahead, back, x):
        n = len(ahead(x)[0])
        states = both_ways(ahead, back, x)
        h, g = states[:, :n], states[:, n:]
        h = _shifted(h, first) if first else h
        return np.hstack([h, _shifted(g, second) if second else g])

    return around


@exercise(
    "09-around",
    cases=_sequences,
    hint="Which is the last state of `ahead` that has not heard step t? And which one of `back`? "
    "At either end there is one that does not exist: nothing has been heard, the state is 0.",
    wrong={
        "both have heard it": Wrong(
            _surroundings(0, 0), "Change one input: the row of the same step changes too."
        ),
        "the second has heard it": Wrong(
            _surroundings(1, 0), "One half is right. Has `back` not read x[t] at step t?"
        ),
        "the first has heard it": Wrong(
            _surroundings(0, -1), "One half is right. Has `ahead` not read x[t] at step t?"
        ),
        "moved the wrong way": Wrong(
            _surroundings(-1, 1),
            "The state of `ahead` at the next step has heard this one, and more.",
        ),
        "moved both alike": Wrong(
            _surroundings(1, 1), "`back` comes from the other side. Which of its states is older?"
        ),
    },
)
def around(ahead, back, x):
    """Give at each step the states of both that have heard everything else."""
    h, g = ahead(x), _turn(back(_turn(x)))
    nothing = np.zeros_like(h[:1])
    return np.hstack([np.vstack([nothing, h[:-1]]), np.vstack([g[1:], nothing])])


def _padded() -> list[tuple]:
    rng = np.random.default_rng(91)
    first = np.array([[1, 4], [2, 5], [3, 0], [0, 0]])
    return [
        (first, np.array([3, 2])),
        (rng.integers(9, size=(5, 3)), np.array([5, 1, 4])),
        (rng.integers(9, size=(6, 4)), np.array([6, 6, 6, 6])),
    ]


def _each(turn):
    def turned(x, lengths):
        return np.stack([turn(column, n) for column, n in zip(x.T, lengths, strict=True)], axis=1)

    return turned


def _within(column, n):
    return np.concatenate([column[:n][::-1], column[n:]])


@exercise(
    "09-turned",
    cases=_padded,
    hint="Take one column. Its first n entries are to be reversed, and what follows is to stay. "
    "A loop over the columns will do.",
    wrong={
        "padding first": Wrong(
            lambda x, lengths: x[::-1],
            "Your first steps are padding, which the network would read before the sequence.",
        ),
        "the shortest": Wrong(
            lambda x, lengths: np.concatenate([x[: min(lengths)][::-1], x[min(lengths) :]]),
            "All columns are turned at one length. Each has its own.",
        ),
        "sequences turned": Wrong(
            lambda x, lengths: x[:, ::-1], "Which axis is time, and which the minibatch?"
        ),
        "padding lost": Wrong(
            _each(lambda column, n: np.concatenate([column[:n][::-1], np.zeros_like(column[n:])])),
            "What follows a sequence has been replaced. It is to stay as it was.",
        ),
        "one short": Wrong(
            _each(lambda column, n: _within(column, max(n - 1, 1))),
            "Is the last step of each sequence turned as well?",
        ),
    },
)
def turned(x, lengths):
    """Reverse each column within its own length."""
    return _each(_within)(x, lengths)


class _Back:
    """From a gradient on a network's states to that on what it read: a linear map, causal."""

    def __init__(self, seed, n_h=2, n_x=3):
        rng = np.random.default_rng(seed)
        self.U, self.W = rng.normal(size=(n_x, n_h)), 0.6 * rng.normal(size=(n_h, n_h))

    def __repr__(self):
        return "<gradient of a one-way network>"

    def __call__(self, grad_states):
        carried, grads = np.zeros(len(self.W)), []
        for grad in _turn(grad_states):
            carried = grad + self.W @ carried
            grads.append(self.U @ carried)
        return np.array(grads[::-1])


def _on_states() -> list[tuple]:
    rng = np.random.default_rng(92)
    return [
        (_Back(2 * k, n_h), _Back(2 * k + 1, n_h), rng.normal(size=(n, 2 * n_h)))
        for k, (n, n_h) in enumerate(((1, 2), (2, 3), (5, 4), (7, 2)))
    ]


@exercise(
    "09-gradient",
    cases=_on_states,
    hint="Write what you did forwards as a list: x is read by both, by one of them turned; "
    "its states are turned again; both are put side by side. Now go through that list from its "
    "end. An input that two have read gets a gradient from each.",
    wrong={
        "no turns": Wrong(
            lambda ahead, back, grad: ahead(grad[:, :2]) + back(grad[:, 2:]),
            "The states of `back` were turned before anybody read them. What does that do to their "
            "gradient?",
        ),
        "turned once": Wrong(
            lambda ahead, back, grad: ahead(grad[:, :2]) + back(_turn(grad[:, 2:])),
            "That is the gradient on what `back` read. In which order did it read?",
        ),
        "one alone": Wrong(
            lambda ahead, back, grad: ahead(grad[:, :2]), "Two networks have read the input."
        ),
        "halves exchanged": Wrong(
            lambda ahead, back, grad: ahead(grad[:, 2:]) + _turn(back(_turn(grad[:, :2]))),
            "Which columns belong to the states of `ahead`?",
        ),
        "side by side": Wrong(
            lambda ahead, back, grad: np.hstack(
                [ahead(grad[:, :2]), _turn(back(_turn(grad[:, 2:])))]
            ),
            "Both have read the same x. How do two gradients on one thing come together?",
        ),
    },
)
def grad_x(ahead_grad, back_grad, grad):
    """Give the gradient on the input from that on the states of both networks."""
    n = grad.shape[1] // 2
    return ahead_grad(grad[:, :n]) + _turn(back_grad(_turn(grad[:, n:])))


def _pictures() -> list[tuple]:
    rng = np.random.default_rng(93)
    shapes = (1, 1), (2, 3), (4, 3), (5, 5)
    return [
        ([_Sweep(10 * k + way) for way in range(4)], rng.normal(size=(*shape, 2)))
        for k, shape in enumerate(shapes)
    ]


def _rows(net, x):
    return np.stack([net(row) for row in x])


def _sweeps(down, up, right, left):
    def four(nets, x):
        sweeps = zip((down, up, right, left), nets, strict=True)
        return np.concatenate([sweep(net, x) for sweep, net in sweeps], axis=-1)

    return four


def _down(net, x):
    return _rows(net, x.swapaxes(0, 1)).swapaxes(0, 1)


def _up(net, x):
    return _down(net, x[::-1])[::-1]


def _left(net, x):
    return _rows(net, x[:, ::-1])[:, ::-1]


@exercise(
    "09-four",
    cases=_pictures,
    hint="Begin with `right`: the network reads each row as it stands, and the states are stacked. "
    "The other three are the same sweep over a picture that you have turned or whose axes you have "
    "exchanged, and back again afterwards.",
    wrong={
        "columns for rows": Wrong(
            _sweeps(_rows, _left, _down, _up),
            "All four sweeps are there. Which two go along the columns?",
        ),
        "directions exchanged": Wrong(
            _sweeps(_up, _down, _left, _rows),
            "Which way does `down` go? The top row has heard nothing but itself.",
        ),
        "not turned back": Wrong(
            _sweeps(
                _down,
                lambda net, x: _down(net, x[::-1]),
                _rows,
                lambda net, x: _rows(net, x[:, ::-1]),
            ),
            "The states of `up` and `left` stand at the wrong end of the picture.",
        ),
        "axes not exchanged back": Wrong(
            _sweeps(
                lambda net, x: _rows(net, x.swapaxes(0, 1)).reshape(*x.shape[:2], -1),
                _up,
                _rows,
                _left,
            ),
            "What `down` gave has columns first. Exchange the axes once more.",
        ),
    },
)
def four(nets, x):
    """Give the states of four sweeps over a picture, side by side at every place."""
    return _sweeps(_down, _up, _rows, _left)(nets, x)
