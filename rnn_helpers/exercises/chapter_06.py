"""The exercises of chapter 06, Teacher forcing."""

import numpy as np

from rnn_helpers.checks.core import WAVE, Wrong, exercise, lines


def _floors(first):
    """Return the floors after up, up, down, up, ground, up if the first output is `first`."""
    floors = [first]
    for change in (1, -1, 1, None, 1):
        floors.append(0 if change is None else floors[-1] + change)
    return floors


@exercise(
    "06-lift",
    hint="Write the six true floors below each other. Which floor does the network start from at "
    "step 2 in each case?",
    success="Fed the truth, a mistake stays alone. Running free, it is passed on until an input "
    "makes the past irrelevant.",
    wrong={
        "all after it": Wrong(
            (1, 6), "Does the move to the ground floor depend on the floor before?"
        ),
        "the slip not counted": Wrong((0, 3), "Is the output of step 1 itself right?"),
        "up to the ground floor": Wrong((1, 5), "Which floor does the network output at step 5?"),
        "passed on in training": Wrong((4, 4), "Which floor is step 2 fed if it is fed the truth?"),
        "one step": Wrong((1, 2), "Step 2 outputs 3, which is wrong. What is step 3 fed?"),
    },
)
def lift():
    """Count the wrong outputs after a mistake at step 1: fed the truth, and running free."""
    return 1, sum(true != free for true, free in zip(_floors(1), _floors(2), strict=True))


@exercise(
    "06-error",
    tolerance=2e-4,
    hint="The error after one step is 0.01. What does the next step do with it, and what does it "
    "add?",
    success="With r below 1 the errors of earlier steps die out, so the error stays bounded. "
    "Teacher forcing shows 0.01 for every r.",
    wrong={
        "fed the truth": Wrong((0.01, 0.01), "Is the network fed the truth after the first step?"),
        "simply added": Wrong(
            (0.03, 0.02),
            "By which number is an error multiplied before the next step adds 0.01?",
        ),
        "only the first error": Wrong(
            (0.0025, 0.0), "Is the network 0.01 off only at the first step, or at each?"
        ),
        "one step short": Wrong(
            (0.015, 0.02), "That is the error after two steps. What comes next?"
        ),
    },
)
def error():
    """Return the error after three free steps and in the long run, with r = 0.5."""
    return 0.01 * (1 + 0.5 + 0.25), 0.01 / (1 - 0.5)


def _inputs() -> list[tuple]:
    rng = np.random.default_rng(60)
    return [(rng.integers(1, 10, n).astype(float), k) for n, k in ((5, 2), (6, 0), (7, 3), (3, 4))]


def _shifted(x, j):
    return np.append(np.zeros(j), x)[: len(x)]


def _columns(delays):
    return lambda x, k: np.stack([_shifted(np.asarray(x), j) for j in delays(k)], axis=1)


@exercise(
    "06-targets",
    cases=_inputs,
    hint="Say k is 2. At step 7 the network must output the input of step 5. Which "
    "earlier outputs must have contained it?",
    success="Without a loop between hidden units, the outputs must carry the whole memory, so "
    "the targets have to contain everything needed later.",
    wrong={
        "the delayed input alone": Wrong(
            _columns(lambda k: [k]),
            "That is the output needed now. Where is the input that the next step needs?",
        ),
        "the current input left out": Wrong(
            _columns(lambda k: range(1, k + 1)),
            "A later step will need the newest input. Which of your outputs passes it on?",
        ),
        "one too few": Wrong(
            _columns(range), "Which of your columns is the output that the task asks for?"
        ),
        "oldest first": Wrong(
            _columns(lambda k: range(k, -1, -1)), "Which input does column 0 hold?"
        ),
        "around the end": Wrong(
            lambda x, k: np.stack([np.roll(x, j) for j in range(k + 1)], axis=1),
            "Which inputs come before the first step? Look at your first row.",
        ),
    },
)
def targets(x, k):
    """Return a column for each of the inputs of 0 to k steps ago."""
    return np.stack([np.append(np.zeros(j), x)[: len(x)] for j in range(k + 1)], axis=1)


def _networks() -> list[tuple]:
    rng = np.random.default_rng(61)
    cases = []
    for n_x, n_h, n_y, T in ((2, 3, 4, 6), (3, 4, 3, 5), (1, 2, 2, 1)):
        shapes = {"U": (n_h, n_x), "R": (n_h, n_y), "V": (n_y, n_h), "b": (n_h,), "c": (n_y,)}
        params = {name: rng.normal(size=shape) for name, shape in shapes.items()}
        cases.append((params, rng.normal(size=(T, n_x)), rng.integers(n_y, size=T)))
    return cases


def _fed(feed):
    def outputs(params, x, y):
        a = params["b"] + feed(np.eye(len(params["c"]))[y]) @ params["R"].T + x @ params["U"].T
        return params["c"] + np.tanh(a) @ params["V"].T

    return outputs


def _before(vectors):
    return np.concatenate([np.zeros_like(vectors[:1]), vectors[:-1]])


def _free(params, x, y):
    fed, outputs = np.zeros(len(params["c"])), []
    for x_t in x:
        h = np.tanh(params["b"] + params["R"] @ fed + params["U"] @ x_t)
        outputs.append(params["c"] + params["V"] @ h)
        fed = np.eye(len(fed))[outputs[-1].argmax()]
    return np.array(outputs)


@exercise(
    "06-forced",
    cases=_networks,
    hint="First make the matrix of the vectors that are fed, one row per step. What is "
    "in its first row, and in its second?",
    success="With teacher forcing, no step waits for another. So you don't need a loop: one matrix "
    "product can compute all steps, and such training runs in parallel.",
    instance=lines(
        WAVE,
        """
        params = {
            "U": wave(1, 2, 2),
            "R": wave(2, 2, 3),
            "V": wave(3, 3, 2),
            "b": wave(4, 2),
            "c": wave(5, 3),
        }

        print(forced(params, wave(6, 4, 2), np.array([2, 0, 2, 1])))
        """,
    ),
    wrong={
        "fed its own target": Wrong(
            _fed(lambda vectors: vectors),
            "Your step t receives its own target. What is left to learn?",
        ),
        "around the end": Wrong(
            _fed(lambda vectors: np.roll(vectors, 1, axis=0)),
            "Is the last target fed to the first step?",
        ),
        "tokens as numbers": Wrong(
            lambda params, x, y: _fed(lambda vectors: _before(vectors * y[:, None]))(params, x, y),
            "Is symbol 3 three times as much as symbol 1? How does a one-hot vector differ "
            "from a number?",
        ),
        "its own outputs": Wrong(
            _free, "That is free running. Which of the arguments haven't you used?"
        ),
        "states": Wrong(
            lambda params, x, y: np.tanh(
                params["b"]
                + _before(np.eye(len(params["c"]))[y]) @ params["R"].T
                + x @ params["U"].T
            ),
            "Those are the hidden states. How do you compute the outputs from them?",
        ),
    },
)
def forced(params, x, y):
    """Return the logits of all steps, each fed the true output of the step before."""
    fed = np.zeros((len(y), len(params["c"])))
    fed[np.arange(1, len(y)), y[:-1]] = 1
    h = np.tanh(params["b"] + fed @ params["R"].T + x @ params["U"].T)
    return params["c"] + h @ params["V"].T


def _switches() -> list[tuple]:
    rows = ["00000000", "01111111", "00110100", "0", "01011101", "00000001", "01101110111"]
    return [
        ([mark == "1" for mark in row], keeps_state)
        for row in rows
        for keeps_state in (False, True)
    ]


def _longest(own):
    return max(len(run) for run in "".join("01"[bool(o)] for o in own).split("0"))


@exercise(
    "06-rounds",
    cases=_switches,
    hint="Number each step by the round in which all its inputs are known. Where does "
    "that number start again at 1?",
    success="A step that is fed the truth waits for nothing, and a step that is fed the network's "
    "output waits for one. A tanh state makes every step wait.",
    wrong={
        "all own steps": Wrong(
            lambda own, keeps_state: len(own) if keeps_state else 1 + sum(own),
            "If two steps far apart are each fed their own output, does the second wait for "
            "the first?",
        ),
        "the state forgotten": Wrong(
            lambda own, keeps_state: 1 + _longest(own),
            "With a state, which other quantity must be known before a step can start?",
        ),
        "one round forgotten": Wrong(
            lambda own, keeps_state: len(own) if keeps_state else max(1, _longest(own)),
            "Three steps in a row are fed their own outputs. Which step does the first of "
            "them wait for?",
        ),
        "one or all": Wrong(
            lambda own, keeps_state: len(own) if keeps_state or any(own) else 1,
            "If only a single step is fed its own output, which steps have to wait for "
            "which others?",
        ),
    },
)
def rounds(own, keeps_state):
    """Count the rounds if each step is computed as soon as its inputs are known."""
    if keeps_state:
        return len(own)
    most = waiting = 0
    for hears_itself in own:
        waiting = waiting + 1 if hears_itself else 0
        most = max(most, waiting)
    return 1 + most


def _coins() -> list[tuple]:
    rng = np.random.default_rng(62)
    steps = ((0, 10), (15, 10), (23, 10), (40, 10), (180, 50), (500, 50), (40000, 50))
    return [
        (rng.integers(4, size=40), rng.integers(4, 8, size=40), rng.random(40), s, k)
        for s, k in steps
    ]


def _share(step, k):
    odds = k * np.exp(-step / k)  # exp(step / k) would overflow
    return odds / (1 + odds)


@exercise(
    "06-schedule",
    cases=_coins,
    hint="Compute the share for step 0 and k = 10: is the truth fed often or rarely? "
    "Then try your function with the coins 0.01 and 0.99.",
    success="The share of true symbols starts near 1 and falls like a reversed sigmoid, "
    "reaching one half after k ln k training steps.",
    instance="""
    x, u = np.arange(7), np.array([0.9, 0.3, 0.6, 0.1, 0.7, 0.4, 0.8])

    print([feed(x, x + 20, u, 15, 10), feed(x, x + 20, u, 3, 3)])
    """,
    wrong={
        "the other way round": Wrong(
            lambda truth, said, u, step, k: np.where(u < _share(step, k), said, truth),
            "At the first step of training, which symbols should be fed most of the time?",
        ),
        "one coin for all": Wrong(
            lambda truth, said, u, step, k: np.where(u[0] < _share(step, k), truth, said),
            "How many coins are there for one sequence?",
        ),
        "no schedule": Wrong(
            lambda truth, said, u, step, k: np.where(u < 0.5, truth, said),
            "Where do `step` and `k` enter?",
        ),
        "a plain exponential": Wrong(
            lambda truth, said, u, step, k: np.where(u < np.exp(-step / k), truth, said),
            "That is another schedule, one that falls right from the start. Where does k "
            "appear in the formula of the exercise?",
        ),
    },
)
def feed(truth, said, u, step, k):
    """Choose the true symbol or the network's own at each step, by an inverse sigmoid schedule."""
    odds = k * np.exp(-step / k)
    share = odds / (1 + odds)
    return np.where(u < share, truth, said)


@exercise(
    "06-future",
    tolerance=5e-3,
    hint="Which inputs has the network read when it gives its first output? And its second?",
    success="No network that reads step by step can do better, because the first output depends on "
    "a coin that it hasn't seen yet.",
    wrong={
        "no loss": Wrong(
            0.0,
            "You assume that the first output can be certain. Has the network read the "
            "second input by then?",
        ),
        "both guessed": Wrong(
            2 * np.log(2), "Which of the two inputs has been read by the second step?"
        ),
        "in bits": Wrong(1.0, "That is in bits. Which unit does the exercise ask for?"),
        "a probability": Wrong(0.5, "Is a loss a probability or minus its logarithm?"),
    },
)
def future():
    """Return the smallest expected loss of a network that reads one input per step."""
    return np.log(2)


def _tables() -> list[tuple]:
    rng = np.random.default_rng(63)
    even = np.array([[0.45, 0.05], [0.05, 0.45]])
    drawn = rng.dirichlet(np.ones(6)).reshape(2, 3)
    return [(even, 0.5), (even, 1.0), (even, 0.0), (drawn, 0.25), (drawn.T, 0.8)]


def _given(joint):
    return joint / joint.sum(axis=1, keepdims=True)


@exercise(
    "06-mixture",
    cases=_tables,
    hint="Suppose a symbol a was fed. With what probability was it the true one? If it "
    "wasn't, does it say anything about the second symbol?",
    success="Random feeding changes the best answer: it mixes the true conditional with plain "
    "frequencies, so scheduled sampling aims at a different distribution.",
    instance="""
    print(best_answer(np.array([[0.1, 0.25, 0.15], [0.2, 0.05, 0.25]]), 0.2))
    """,
    wrong={
        "the truth alone": Wrong(
            lambda joint, share: _given(joint),
            "This is right if the truth is always fed. What changes if the network's own "
            "symbol is fed?",
        ),
        "joint instead of conditional": Wrong(
            lambda joint, share: share * joint + (1 - share) * joint.sum(axis=0),
            "What is the sum of each of your rows, and what should it be?",
        ),
        "shares swapped": Wrong(
            lambda joint, share: (1 - share) * _given(joint) + share * joint.sum(axis=0),
            "A share of 1 is pure teacher forcing. Does your answer reduce to it?",
        ),
        "the first symbol's frequencies": Wrong(
            lambda joint, share: (
                share * _given(joint) + (1 - share) * np.resize(joint.sum(axis=1), joint.shape[1])
            ),
            "The question asks for the second symbol. Which symbol should you sum over?",
        ),
    },
)
def best_answer(joint, share):
    """Return the probabilities of the second symbol, with a row for each symbol that is fed."""
    return share * joint / joint.sum(axis=1, keepdims=True) + (1 - share) * joint.sum(axis=0)


def _ways_back() -> list[tuple]:
    rng = np.random.default_rng(64)
    cases = []
    for n_h, n_y, T in ((3, 2, 5), (2, 4, 3), (4, 3, 1)):
        V, R = rng.normal(size=(n_y, n_h)), rng.normal(size=(n_h, n_y))
        cases.append((V, R, rng.uniform(0.1, 1, (T, n_h)), rng.normal(size=(T, n_y))))
    return cases


def _back(step):
    def backward(V, R, slope, grad_o):
        whole = np.array(grad_o, float)
        for t in range(len(whole) - 2, -1, -1):
            whole[t] += step(V, R, slope, whole, t)
        return whole

    return backward


@exercise(
    "06-through",
    cases=_ways_back,
    hint="Draw the arrows from one output to the next: R, the slope, V. Which factors do "
    "you get when you follow them backward?",
    success="Feeding outputs back connects the steps again, so gradients flow through time, "
    "as in (G 10.21). Teacher forcing cuts exactly this term.",
    wrong={
        "each step by itself": Wrong(
            lambda V, R, slope, grad_o: np.array(grad_o, float),
            "This is right under teacher forcing. What else does an output affect when it "
            "is fed back?",
        ),
        "one step back, no further": Wrong(
            lambda V, R, slope, grad_o: np.array(
                [
                    g + R.T @ (slope[t + 1] * (V.T @ grad_o[t + 1])) if t + 1 < len(grad_o) else g
                    for t, g in enumerate(grad_o)
                ]
            ),
            "The gradient on the next output must be complete before you take it back. At "
            "which step do you start?",
        ),
        "slope of this step": Wrong(
            _back(lambda V, R, slope, g, t: R.T @ (slope[t] * (V.T @ g[t + 1]))),
            "An output reaches the next output through hidden units. At which step are they?",
        ),
        "slope forgotten": Wrong(
            _back(lambda V, R, slope, g, t: R.T @ (V.T @ g[t + 1])),
            "Which operation lies between R and V?",
        ),
    },
)
def through(V, R, slope, grad_o):
    """Return the gradient of the sum of the losses with respect to each output."""
    whole = np.array(grad_o, float)
    for t in range(len(whole) - 2, -1, -1):
        whole[t] += R.T @ (slope[t + 1] * (V.T @ whole[t + 1]))
    return whole
