"""The exercises of chapter 09, Bidirectional networks."""

from itertools import combinations, pairwise

import numpy as np

from rnn_helpers.checks.core import Wrong, exercise, lines

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
    "09-prefix",
    tolerance=2e-3,
    hint="Which words are left after ro, and how often is one guess among them right?",
    success="The letters read so far limit the best guess, no matter who makes it.",
    wrong={
        "certain words alone": Wrong(
            (0.2, 0.4),
            "Did you count only the words that are certain? After ro you may still guess.",
        ),
        "the words that begin with ro": Wrong(
            (0.2, 1 / 3), "That is the share after ro. What happens after re and after ra?"
        ),
        "a mean over beginnings": Wrong((0.2, 7 / 9), "Are the three beginnings equally likely?"),
        "all after one letter": Wrong((1.0, 0.6), "How many words begin with r?"),
    },
)
def prefix():
    """Return the best share of right guesses after one letter and after two."""
    words = "red", "rose", "rope", "robot", "rabbit"
    return tuple(len({word[:n] for word in words}) / len(words) for n in (1, 2))


@exercise(
    "09-wait",
    cases=lambda: [(list(words),) for words in LEXICA],
    hint="Take only 'bottle' and 'bottom'. After which letter can you tell them apart? "
    "Which two words of a list decide?",
    success="The two words that share the longest beginning decide the delay. A bidirectional "
    "network needs no such choice, because it reads the whole word.",
    wrong={
        "one too many": Wrong(
            lambda words: 1 + max(_shared(a, b) for a, b in combinations(words, 2)),
            "You count the letters that must be read. Does the first of them require any waiting?",
        ),
        "the least": Wrong(
            lambda words: min(_shared(a, b) for a, b in combinations(words, 2)),
            "That is enough for the two words that differ soonest. Is it enough for every word?",
        ),
        "neighbours": Wrong(
            lambda words: max(_shared(a, b) for a, b in pairwise(words)),
            "You compare each word only with the next one. Can the two most similar words "
            "be further apart?",
        ),
        "the longest word": Wrong(
            lambda words: max(map(len, words)) - 1,
            "That is enough. Can a word be recognized before its last letter?",
        ),
        "letters in common": Wrong(
            lambda words: max(
                sum(x == y for x, y in zip(a, b, strict=False)) for a, b in combinations(words, 2)
            ),
            "Do letters that agree after the first difference matter?",
        ),
    },
)
def wait(words):
    """Return the smallest delay with which every word is known at its first letter."""
    return max(_shared(one, other) for one, other in combinations(words, 2))


class _Sweep:
    """A small one-way network: a function from a sequence to its states."""

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


TWO = """
def ahead(x):
    return np.cumsum(x, axis=0)

def back(x):
    return 10 * np.cumsum(x * [1, -2], axis=0)

x = np.array([[1.0, 2.0], [-3.0, 0.5], [0.2, 1.5]])
"""


@exercise(
    "09-both",
    cases=_sequences,
    hint="Print the states of `back` on a sequence of two. Which of its rows belongs to step t?",
    success="This construction works for any one-way network, including gated ones: reverse "
    "its input, then reverse its states again.",
    instance=lines(
        TWO,
        """
        print(both_ways(ahead, back, x))
        """,
    ),
    wrong={
        "not turned back": Wrong(
            lambda ahead, back, x: np.hstack([ahead(x), back(_turn(x))]),
            "Row 0 of your second half is the first output of `back`. Which step has `back` "
            "read by then?",
        ),
        "never reversed": Wrong(
            lambda ahead, back, x: np.hstack([ahead(x), back(x)]),
            "Your second half depends on earlier steps, like the first half. In which order "
            "should `back` read?",
        ),
        "turned afterwards alone": Wrong(
            lambda ahead, back, x: np.hstack([ahead(x), _turn(back(x))]),
            "You reverse the output of `back`. In which order does it read its input?",
        ),
        "exchanged": Wrong(
            lambda ahead, back, x: np.hstack([_turn(back(_turn(x))), ahead(x)]),
            "The numbers are right. Whose states should come first?",
        ),
        "in time": Wrong(
            lambda ahead, back, x: np.vstack([ahead(x), _turn(back(_turn(x)))]),
            "You put one sequence of states after the other. What should each row contain?",
        ),
        "turned in the wrong axis": Wrong(
            lambda ahead, back, x: np.hstack([ahead(x), back(x[:, ::-1])[:, ::-1]]),
            "Which axis is time?",
        ),
        "added": Wrong(
            lambda ahead, back, x: ahead(x) + _turn(back(_turn(x))),
            "After adding, can an output still use different weights for the two states?",
        ),
    },
)
def both_ways(ahead, back, x):
    """Return the forward and backward states of each step, side by side."""
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
    hint="Which is the last state of `ahead` that doesn't depend on step t? And of "
    "`back`? What if there is none?",
    success="Shifting both states by one step hides the current symbol, so a network can "
    "learn to fill a gap without seeing the answer.",
    instance=lines(
        TWO,
        """
        print(around(ahead, back, x))
        """,
    ),
    wrong={
        "both states have read it": Wrong(
            _surroundings(0, 0), "If you change x[t], does row t of your answer change?"
        ),
        "the backward state has read it": Wrong(
            _surroundings(1, 0),
            "One half is right. Does the state of `back` at step t depend on x[t]?",
        ),
        "the forward state has read it": Wrong(
            _surroundings(0, -1),
            "One half is right. Does the state of `ahead` at step t depend on x[t]?",
        ),
        "moved the wrong way": Wrong(
            _surroundings(-1, 1),
            "The state of `ahead` at the next step depends on x[t] too. Which of its states "
            "doesn't?",
        ),
        "moved both alike": Wrong(
            _surroundings(1, 1),
            "`back` reads from the other end. Which of its states hasn't read x[t] yet?",
        ),
    },
)
def around(ahead, back, x):
    """Return for each step the two states that have read every input except its own."""
    h, g = ahead(x), _turn(back(_turn(x)))
    nothing = np.zeros_like(h[:1])
    return np.hstack([np.vstack([nothing, h[:-1]]), np.vstack([g[1:], nothing])])


@exercise(
    "09-pieces",
    hint="At which tick is a piece complete, and when did each of its inputs arrive?",
    success="Pieces limit the wait, but an output depends on nothing after its own piece.",
    wrong={
        "its own tick counted": Wrong(
            (20.0, 10.5), "Does the tick of the first input itself count as waiting?"
        ),
        "half of the piece": Wrong(
            (20.0, 10.0), "Does the tick of the first input count as waiting?"
        ),
        "at once": Wrong((0.0, 0.0), "Where does the backward network of a piece start?"),
        "late for the mean alone": Wrong(
            (0.0, 9.5), "If the first output came at once, how could the mean be 9.5?"
        ),
        "all equally late": Wrong((19.0, 19.0), "How long does the last output of a piece wait?"),
        "a rounded mean": Wrong((19.0, 10.0), "What is the mean of 19, 18, …, 0?"),
    },
)
def pieces():
    """Return the ticks by which the first output of a piece is late, and the mean over a piece."""
    late = [20 - tick for tick in range(1, 21)]
    return float(late[0]), sum(late) / len(late)


@exercise(
    "09-ticks",
    hint="Set 12 inputs and choose output 5. What is the smallest setting with which its arrows "
    "start at input 8, too?",
    success="A delay and a window reach the same later input at the same tick. They differ in the "
    "past: the window forgets it.",
    wrong={
        "half of the window": Wrong(
            (3, 8, 4, 8), "Does the window reach to both sides of its step, or to one?"
        ),
        "both sides without the middle": Wrong(
            (3, 8, 6, 8), "Does the window contain its own step, too?"
        ),
        "the delay as a tick": Wrong(
            (3, 3, 7, 3), "Look at the number above output 5. At which tick does input 8 arrive?"
        ),
        "the reach as a delay": Wrong(
            (8, 8, 7, 8), "How many steps after input 5 does input 8 arrive?"
        ),
        "the last tick": Wrong(
            (3, 8, 7, 12), "Which network has to wait for input 12, a convolution or another?"
        ),
    },
)
def ticks():
    """Return a delay and its tick, and a width and its tick, for output 5 to reach input 8."""
    at, far = 5, 8
    return far - at, far, 2 * (far - at) + 1, far


def _right_networks() -> dict[str, str]:
    return {
        "live subtitles, half a second late at most": "delay",
        "which parts of a known protein fold into helices": "bidirectional",
        "the next word, suggested while you type": "one-way",
        "misspelled words in a letter, found before you send it": "bidirectional",
    }


def _networks(**changed) -> dict[str, str]:
    """Return the right networks, some of them changed, each named by a word of its task."""
    return {
        task: next((changed[word] for word in changed if word in task), network)
        for task, network in _right_networks().items()
    }


@exercise(
    "09-decide",
    hint="For each task, is the whole input there when the answer is due? If it isn't, may the "
    "answer come a little late?",
    success="You asked whether the input ends before the answer is due, and whether the target "
    "is part of the input.",
    wrong={
        "bidirectional subtitles": Wrong(
            _networks(subtitles="bidirectional"),
            "When does the backward network start to read a live broadcast?",
        ),
        "subtitles at once": Wrong(
            _networks(subtitles="one-way"),
            "Half a second is allowed. What could the network gain from it?",
        ),
        "a bidirectional keyboard": Wrong(
            _networks(suggested="bidirectional"),
            "What does the backward network read while you are typing?",
        ),
        "a late keyboard": Wrong(
            _networks(suggested="delay"), "What is the suggestion worth after the next word?"
        ),
        "a protein with a delay": Wrong(
            _networks(protein="delay"), "Which later part of the protein is still missing?"
        ),
        "a speller with a delay": Wrong(
            _networks(misspelled="delay"),
            "The letter is finished. Why choose a distance in advance?",
        ),
        "all that is written with a delay": Wrong(
            _networks(protein="delay", misspelled="delay"),
            "Does anything arrive later in a text that is already complete?",
        ),
    },
)
def decide():
    """Return the network that suits each task."""
    return _right_networks()


@exercise(
    "09-layers",
    hint="How far does one layer reach, and how many steps does one sweep take?",
    success="Convolutions pay for their reach with layers, and sweeps pay with steps.",
    wrong={
        "half as far": Wrong(
            (14, 56), "At which pixel does the count start? How far is the opposite corner?"
        ),
        "one layer for each pixel": Wrong(
            (28, 56), "How many steps lead from pixel 1 to pixel 28?"
        ),
        "one layer of sweeps": Wrong((27, 28), "How many layers of sweeps are there?"),
        "one sweep after another": Wrong((27, 224), "Which sweeps can run at the same time?"),
    },
)
def layers():
    """Return the layers of convolutions, and the sequential steps of two layers of sweeps."""
    n = 28
    return n - 1, 2 * n


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
    hint="Take one column of length n. Which of its entries should be reversed, and "
    "which should stay?",
    success="Turning is its own inverse, so the same function brings the states of the backward "
    "network back to their time steps.",
    wrong={
        "padding first": Wrong(
            lambda x, lengths: x[::-1],
            "Your first steps are padding. Should the network read it before the sequence?",
        ),
        "the shortest": Wrong(
            lambda x, lengths: np.concatenate([x[: min(lengths)][::-1], x[min(lengths) :]]),
            "You reverse all columns at one length. Which length does each column have?",
        ),
        "sequences turned": Wrong(
            lambda x, lengths: x[:, ::-1], "Which axis is time, and which the minibatch?"
        ),
        "padding lost": Wrong(
            _each(lambda column, n: np.concatenate([column[:n][::-1], np.zeros_like(column[n:])])),
            "You replaced the padding after a sequence. What should it be?",
        ),
        "one short": Wrong(
            _each(lambda column, n: _within(column, max(n - 1, 1))),
            "Is the last step of each sequence reversed too?",
        ),
    },
)
def turned(x, lengths):
    """Reverse each column within its own length."""
    return _each(_within)(x, lengths)


class _Back:
    """The backward pass of a small one-way network: a linear map of the states' gradient."""

    def __init__(self, seed, n_h=2, n_x=3):
        rng = np.random.default_rng(seed)
        self.U, self.W = rng.normal(size=(n_x, n_h)), 0.6 * rng.normal(size=(n_h, n_h))

    def __repr__(self):
        return "<gradient of a one-way network>"

    def __call__(self, grad_states):
        carried, grads = np.zeros(len(self.W)), []
        for grad in grad_states[::-1]:
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
    hint="List the steps of `both_ways` in order. What happens to the gradient when you "
    "go through that list from the end?",
    success="A reversal undoes itself, so gradients go through the same reversals. They add "
    "up at the input because both networks read it.",
    instance="""
    def ahead_grad(grad):
        return np.cumsum(grad[::-1], axis=0)[::-1]

    def back_grad(grad):
        return 10 * ahead_grad(grad) + 1

    print(grad_x(ahead_grad, back_grad, np.array([
        [1.0, 2.0, -0.5, 0.3],
        [0.4, -1.0, 0.6, 2.0],
        [-2.0, 0.7, 1.1, -0.9],
    ])))
    """,
    wrong={
        "no turns": Wrong(
            lambda ahead, back, grad: ahead(grad[:, :2]) + back(grad[:, 2:]),
            "The states of `back` were reversed at the end. What does that do to their gradient?",
        ),
        "turned once": Wrong(
            lambda ahead, back, grad: ahead(grad[:, :2]) + back(_turn(grad[:, 2:])),
            "That is the gradient with respect to the input of `back`. In which order did `back` "
            "read that input?",
        ),
        "one alone": Wrong(
            lambda ahead, back, grad: ahead(grad[:, :2]), "How many networks read x?"
        ),
        "halves exchanged": Wrong(
            lambda ahead, back, grad: ahead(grad[:, 2:]) + _turn(back(_turn(grad[:, :2]))),
            "Which columns belong to the states of `ahead`?",
        ),
        "side by side": Wrong(
            lambda ahead, back, grad: np.hstack(
                [ahead(grad[:, :2]), _turn(back(_turn(grad[:, 2:])))]
            ),
            "Both networks read the same x. How do two gradients on one array combine?",
        ),
    },
)
def grad_x(ahead_grad, back_grad, grad):
    """Return the gradient with respect to the input, given the states' gradient."""
    n = grad.shape[1] // 2
    return ahead_grad(grad[:, :n]) + _turn(back_grad(_turn(grad[:, n:])))


def _images() -> list[tuple]:
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
    cases=_images,
    hint="Start with `right`, which reads each row as it is. How can you flip or "
    "transpose the image to get the other three?",
    success="All four directions are one sweep over a flipped or transposed image. Together "
    "they cover each pixel's row and column; a second layer would cover everything.",
    instance="""
    nets = [lambda x, k=k: k * np.cumsum(x, axis=0) for k in (1, 10, 100, 1000)]
    x = np.array([[[1.0], [2.0], [-3.0]], [[0.5], [4.0], [1.5]]])

    print(four(nets, x))
    """,
    wrong={
        "columns for rows": Wrong(
            _sweeps(_rows, _left, _down, _up),
            "All four sweeps are there. Which two should go along the columns?",
        ),
        "directions exchanged": Wrong(
            _sweeps(_up, _down, _left, _rows),
            "In which direction does `down` go? In the top row, its state depends only on "
            "that row.",
        ),
        "not turned back": Wrong(
            _sweeps(
                _down,
                lambda net, x: _down(net, x[::-1]),
                _rows,
                lambda net, x: _rows(net, x[:, ::-1]),
            ),
            "Are the states of `up` and `left` at the pixels that they belong to?",
        ),
        "axes not exchanged back": Wrong(
            _sweeps(
                lambda net, x: _rows(net, x.swapaxes(0, 1)).reshape(*x.shape[:2], -1),
                _up,
                _rows,
                _left,
            ),
            "The result of `down` has columns first. Which axes should you exchange again?",
        ),
    },
)
def four(nets, x):
    """Return the states of four sweeps over an image, side by side at each pixel."""
    return _sweeps(_down, _up, _rows, _left)(nets, x)
