"""The exercises of chapter 08, Given a context."""

import numpy as np

from rnn_helpers.checks.core import WAVE, Wrong, checklist, exercise, lines


@exercise(
    "08-even",
    tolerance=5e-3,
    hint="How many symbols does the network have to predict, and what does each cost?",
    success="A sentence costs the sum of −log P over its symbols, so a trained network pays only "
    "where the picture leaves doubt.",
    wrong={
        "without the end": Wrong(
            (3 * np.log(14), -np.log(0.855)), "Is the end of the sentence predicted too?"
        ),
        "the probability": Wrong(
            (4 * np.log(14), 0.855), "You give a probability. What is its negative logarithm?"
        ),
    },
)
def sentence_losses():
    """Return the losses of four symbols, all words equally likely, and with a trained network."""
    return 4 * np.log(14), -np.log(0.9 * 0.95)


@exercise(
    "08-lookup",
    tolerance=1e-6,
    hint="Is a held-out sentence among the stored ones? How close does the nearest stored one "
    "come?",
    success="A memorizer fails every held-out sentence and still gets four of five symbols right, "
    "so count whole sentences.",
    wrong={
        "all right": Wrong((1.0, 5.0), "Were these sentences stored?"),
        "both digits wrong": Wrong(
            (0.0, 3.0), "Is there a stored sentence with the same first digit?"
        ),
    },
)
def retrieved():
    """Return the share of sentences and the symbols that a look-up of stored sentences gets."""
    return 0.0, 4.0


def _biases() -> list[tuple]:
    rng = np.random.default_rng(80)
    sizes = ((4, 3, 2), (3, 3, 3), (5, 2, 1), (2, 4, 6))
    return [
        (rng.normal(size=n), rng.normal(size=(n, m)), rng.normal(size=(B, m))) for n, m, B in sizes
    ]


@exercise(
    "08-bias",
    cases=_biases,
    hint="For a single picture, what is the shape of R x, and what is it added to? What "
    "changes when pictures are rows?",
    success="A constant input at every step only shifts the biases, so each picture selects "
    "its own network from a family that shares all other weights.",
    wrong={
        "a bias of its own": Wrong(
            lambda b, R, x: x @ R.T, "That is the term from the picture. What is it added to?"
        ),
        "of the first picture": Wrong(
            lambda b, R, x: np.tile(b + R @ x[0], (len(x), 1)),
            "All your rows are equal. Which picture does each row belong to?",
        ),
        "all pictures at once": Wrong(
            lambda b, R, x: np.tile(b + R @ x.sum(axis=0), (len(x), 1)),
            "You sum over the pictures. Should one picture's bias depend on another picture?",
        ),
    },
)
def biases(b, R, x):
    """Return the biases of a network that receives each picture at every step."""
    return b + x @ R.T


def _tables() -> list[tuple]:
    rng = np.random.default_rng(81)
    made = [rng.dirichlet(np.full(8, 0.4)).reshape(2, 2, 2) for _ in range(3)]
    same = np.zeros((2,) * 3)
    same[0, 0, 0] = same[1, 1, 1] = 0.5
    return [(table,) for table in (same, *made)]


def _ones(table):
    every = range(table.ndim)
    return [table.sum(axis=tuple(a for a in every if a != t)) for t in every]


def _product(factors):
    made = np.ones(())
    for factor in factors:
        made = made[..., None] * factor
    return made


@exercise(
    "08-apart",
    cases=_tables,
    hint="How often is the first word *seven*, whatever the other two are? How does each entry "
    "follow from three such numbers?",
    success="If words don't depend on one another, each can do no better than its own "
    "frequencies. The extra loss is the price of independence.",
    instance="""
    print(apart(np.array([[[0.05, 0.2], [0.1, 0.05]], [[0.3, 0.05], [0.15, 0.1]]])))
    """,
    wrong={
        "the table itself": Wrong(
            lambda table: np.array(table),
            "In your table, one word gives information about another. What does independence "
            "require of the entries?",
        ),
        "coins": Wrong(
            lambda table: np.full(table.shape, 1 / table.size),
            "Your words are independent. Does each word still have its own frequency?",
        ),
        "most likely bits": Wrong(
            lambda table: _product([np.eye(2)[one.argmax()] for one in _ones(table)]),
            "You give all the probability to one sentence. What is the loss for the others?",
        ),
        "backwards": Wrong(
            lambda table: _product(_ones(table)[::-1]),
            "Which axis of the table belongs to the first word?",
        ),
    },
)
def apart(table):
    """Return the best table of independent words."""
    return _product(_ones(table))


def _weights(seed, doors, n, n_h, n_x):
    rng = np.random.default_rng(seed)
    shapes = {
        "U": (n_h, n),
        "W": (n_h, n_h),
        "V": (n, n_h),
        "b": (n_h,),
        "c": (n,),
        "R": (n_h, n_x),
        "S": (n_h, n_x),
    }
    return {
        name: rng.normal(0, 1.5, shape) for name, shape in shapes.items() if name in "UWVbc" + doors
    }


WORDS = ["<END>", "one", "two", "left", "above", "of"]
COLORS = ["<END>", "red", "green", "blue"]


def _pictures() -> list[tuple]:
    def case(doors, seed, words=WORDS, n_h=5, n_x=3):
        x = np.random.default_rng(seed + 1000).normal(0, 2, n_x)
        return _weights(seed, doors, len(words), n_h, n_x), x, words

    chosen = (("R", 48), ("S", 29), ("RS", 162), ("R", 109), ("S", 98), ("RS", 240))
    short = [case(doors, seed) for doors, seed in chosen]
    return [*short, case("R", 36, COLORS, 7, 2), case("RS", 1520, COLORS, 4, 4)]


def _captioner(
    feeds_back=True,
    at_step=True,
    at_first=True,
    keeps=True,
    keeps_end=False,
    skips=0,
    most=20,
    bent=False,
    ended=False,
    hard=True,
    once=False,
):
    def caption(params, x, words):
        entered = params["R"] @ x if "R" in params and at_step else 0
        h = params["S"] @ x if "S" in params and at_first else np.zeros(len(params["b"]))
        first = h = np.tanh(h) if bent else h
        before, written = np.eye(len(words))[0] * ended, []
        while len(written) < most:
            h = np.tanh(params["b"] + params["W"] @ h + params["U"] @ before + entered)
            o = params["c"] + params["V"] @ h
            best = int(np.argmax(o))
            if best == 0 and len(written) >= skips:
                return written + [words[0]] * keeps_end
            written.append(words[best])
            if feeds_back:
                likely = np.exp(o - o.max())
                before = np.eye(len(words))[best] if hard else likely / likely.sum()
            entered = 0 if once else entered
            h = h if keeps else first
        return written

    return caption


@exercise(
    "08-caption",
    cases=_pictures,
    hint="Is the first word of your caption right? If it is, find the first wrong word, and print "
    "the three things that its step receives: the state, the previous word and the picture.",
    success="The decoder is the loop of chapter 07 with greedy choices. The picture enters "
    "only through the added term, the first state, or both.",
    instance=lines(
        WAVE,
        """
        params = {
            "U": 3 * wave(6, 3, 4),
            "W": 2 * wave(7, 3, 3),
            "V": 3 * wave(8, 4, 3),
            "b": wave(9, 3),
            "c": np.array([-2.0, 0.0, 0.5, 0.2]),
        }
        R, S = {"R": 3 * wave(10, 3, 2)}, {"S": 3 * wave(11, 3, 2)}
        x, words = np.array([1.0, -0.6]), ["<END>", "a", "b", "c"]

        def start(params):
            caption_of_x = caption(params, x, words)
            return caption_of_x[:4], len(caption_of_x)

        print([start(params | R), start(params | S), start(params | R | S)])
        """,
    ),
    wrong={
        "ignores its own word": Wrong(
            _captioner(feeds_back=False), "Which word does your second step receive?"
        ),
        "a tanh on the first state": Wrong(
            _captioner(bent=True),
            "The networks without S are right. Does S x pass through a tanh before the first step?",
        ),
        "the end as the first input": Wrong(
            _captioner(ended=True),
            "Your first step receives the end symbol as the previous word. What does it receive if "
            "no word has been written?",
        ),
        "probabilities fed back": Wrong(
            _captioner(hard=False),
            "Your first word is right. Does the next step receive all probabilities, or the one "
            "word that you chose?",
        ),
        "the picture at the first step alone": Wrong(
            _captioner(once=True),
            "Your first word is right. If the network has R, does its second step receive the "
            "picture too?",
        ),
        "no picture at the steps": Wrong(
            _captioner(at_step=False), "Some of the networks have R. At which steps does it enter?"
        ),
        "an empty first state": Wrong(
            _captioner(at_first=False),
            "If the network has S, what is the state before the first step?",
        ),
        "drops the state": Wrong(
            _captioner(keeps=False), "Which state does your second step start from?"
        ),
        "includes the end": Wrong(
            _captioner(keeps_end=True),
            "Should the end symbol be part of the list that you return?",
        ),
        "ignores the end": Wrong(
            _captioner(skips=99), "What should happen when the most likely word is the end symbol?"
        ),
        "no limit": Wrong(
            _captioner(most=1000), "One of your captions is very long. How many words may it have?"
        ),
    },
)
def caption(params, x, words):
    """Return the most likely words about a picture, up to the end."""
    U, W, V, b, c = (params[name] for name in "UWVbc")
    entered = params["R"] @ x if "R" in params else 0
    h = params["S"] @ x if "S" in params else np.zeros(len(b))
    before, written = np.zeros(len(words)), []
    while len(written) < 20:
        h = np.tanh(b + W @ h + U @ before + entered)
        best = np.argmax(c + V @ h)
        if words[best] == "<END>":
            break
        written.append(words[best])
        before = np.eye(len(words))[best]
    return written


def _padded() -> list[tuple]:
    rng, cases = np.random.default_rng(83), []
    for lengths, T, end in (([2, 4, 0], 5, 0), ([1], 2, 3), ([3, 3], 6, 4), ([0, 1, 2, 3], 4, 0)):
        y = np.full((T, len(lengths)), end)
        for column, length in enumerate(lengths):
            y[:length, column] = rng.permutation([k for k in range(5) if k != end])[:length]
        log_yhat = np.log(rng.dirichlet(np.ones(5), size=y.shape))
        cases.append((log_yhat, y, end))
    return cases


def _charged(log_yhat, y, counts):
    return -np.take_along_axis(log_yhat, y[..., None], -1)[..., 0][counts].sum()


def _until(y, end, ends):
    """Mark the steps that count: all words, and each sentence's first `ends` end symbols."""
    return np.cumsum(y == end, axis=0) - (y == end) < ends


@exercise(
    "08-loss",
    cases=_padded,
    hint="Which steps of a column count? Try counting the end symbols before each step.",
    success="The first end symbol counts because the network has to learn to stop. Later ones "
    "are padding, and their small losses would make the network look better than it is.",
    instance="""
    log_yhat = -1.5 - np.sin(np.arange(24.0)).reshape(4, 2, 3)

    print([
        caption_loss(log_yhat, np.array([[1, 0], [0, 2], [2, 2], [2, 2]]), 2),
        caption_loss(log_yhat, np.array([[1, 0], [2, 0], [0, 0], [0, 0]]), 0),
    ])
    """,
    wrong={
        "the padding too": Wrong(
            lambda log_yhat, y, end: _charged(log_yhat, y, np.ones(y.shape, bool)),
            "After its first end symbol a sentence is over. Should the other end symbols count?",
        ),
        "without the end": Wrong(
            lambda log_yhat, y, end: _charged(log_yhat, y, y != end),
            "If no end symbol counts, how does the network learn to stop?",
        ),
        "0 as the end": Wrong(
            lambda log_yhat, y, end: caption_loss(log_yhat, y, 0),
            "Which symbol marks the end? Look at your arguments.",
        ),
        "the mean": Wrong(
            lambda log_yhat, y, end: (
                _charged(log_yhat, y, _until(y, end, 1)) / _until(y, end, 1).sum()
            ),
            "You return a mean. Which quantity does the exercise ask for?",
        ),
        "the most likely word": Wrong(
            lambda log_yhat, y, end: -log_yhat.max(axis=-1)[_until(y, end, 1)].sum(),
            "Which word's probability should enter the loss: the most likely one or the true one?",
        ),
    },
)
def caption_loss(log_yhat, y, end):
    """Return the sum of the losses of sentences that are padded with ends."""
    over = np.cumsum(y == end, axis=0) - (y == end) > 0
    losses = -np.take_along_axis(log_yhat, y[..., None], axis=-1)[..., 0]
    return losses[~over].sum()


def _arrived() -> list[tuple]:
    rng = np.random.default_rng(84)
    sizes = ((4, 3, 2, 5), (3, 3, 3, 1), (2, 5, 4, 6))
    return [
        (
            rng.normal(size=(n, m)),
            rng.normal(size=(n, m)),
            rng.normal(size=(T, B, n)),
            rng.normal(size=(B, n)),
        )
        for n, m, B, T in sizes
    ]


@exercise(
    "08-gradient",
    cases=_arrived,
    hint="For one picture and one step, how does a small change of x change a? How many "
    "steps receive the same x?",
    success="The picture's gradient adds up over all steps and both inputs, so the network "
    "that produces the vector can be trained together with the decoder.",
    instance=lines(
        WAVE,
        """
        print(gradient_on_x(wave(1, 2, 3), wave(2, 2, 3), wave(3, 3, 2, 2), wave(4, 2, 2)))
        """,
    ),
    wrong={
        "the last step alone": Wrong(
            lambda R, S, grad_a, grad_h0: grad_a[-1] @ R + grad_h0 @ S,
            "The picture enters at every step. How many gradients come back to x?",
        ),
        "the mean": Wrong(
            lambda R, S, grad_a, grad_h0: grad_a.mean(axis=0) @ R + grad_h0 @ S,
            "If many steps use the same x, do their gradients add up or average?",
        ),
        "one way only": Wrong(
            lambda R, S, grad_a, grad_h0: grad_a.sum(axis=0) @ R,
            "The picture enters in two ways. How many gradients lead back to it?",
        ),
        "the pictures together": Wrong(
            lambda R, S, grad_a, grad_h0: np.tile(
                (grad_a.sum(axis=0) @ R + grad_h0 @ S).sum(axis=0), (len(grad_h0), 1)
            ),
            "All pictures share the weights. Do they share a vector x too?",
        ),
    },
)
def gradient_on_x(R, S, grad_a, grad_h0):
    """Return the gradient with respect to each picture's vector, which enters in both ways."""
    return grad_a.sum(axis=0) @ R + grad_h0 @ S


@exercise(
    "08-reversed",
    tolerance=5e-3,
    hint="Write down the six outputs, with the input that each repeats. When has that "
    "input been read?",
    success="Feeding outputs back can't replace inputs that haven't been read. Reading the "
    "whole sequence first removes the loss entirely.",
    wrong={
        "six coins": Wrong(
            (6 * np.log(2), 6 * np.log(2), 0.0),
            "When the fourth output is due, which inputs have been read?",
        ),
        "feedback helps": Wrong(
            (3 * np.log(2), 0.0, 0.0),
            "Do the outputs that are fed back give any information about inputs still to come?",
        ),
        "coins, not nats": Wrong(
            (3.0, 3.0, 0.0), "That is a number of coins. How many nats does one fair coin cost?"
        ),
        "one coin more": Wrong(
            (2 * np.log(2), 2 * np.log(2), 0.0),
            "Count again: for how many outputs is the input read too late?",
        ),
    },
)
def reversed_losses():
    """Return the least losses of three networks that output six bits in reverse."""
    return 3 * np.log(2), 3 * np.log(2), 0.0


def _joints() -> list[tuple]:
    rng = np.random.default_rng(85)
    made = [rng.dirichlet(np.full(4**T, 0.5)).reshape((2,) * 2 * T) for T in (1, 2, 3)]
    bits = np.indices((2,) * 6)
    early = (bits[3] == bits[1]) & (bits[4] == bits[2])
    same = (bits[3] == bits[4]) & (bits[4] == bits[5])
    return [(joint / joint.sum(),) for joint in (early, same, *made)]


def _entropy(joint, axes):
    p = joint.sum(axis=tuple(set(range(joint.ndim)) - set(axes)))
    p = p[p > 0]
    return -(p * np.log(p)).sum()


def _sum_of_entropies(joint, hears):
    T = joint.ndim // 2
    return sum(
        _entropy(joint, [*hears(t, T), T + t]) - _entropy(joint, hears(t, T)) for t in range(T)
    )


@exercise(
    "08-optimum",
    cases=_joints,
    hint="The entropy of A given B is that of both together minus that of B. Can you "
    "write a function that sums a table over all axes but some?",
    success="This entropy is a lower bound that no network of this graph can beat, so it "
    "shows when more training can't help.",
    instance="""
    joint = np.exp(2 * np.sin(np.arange(64.0))).reshape(2, 2, 2, 2, 2, 2)

    print([
        least_loss(joint / joint.sum()),
        least_loss(joint[0, :, 0, 0] / joint[0, :, 0, 0].sum()),
        least_loss(np.array([[0.5, 0.0], [0.2, 0.3]])),
    ])
    """,
    wrong={
        "nothing fed back": Wrong(
            lambda joint: _sum_of_entropies(joint, lambda t, T: range(t + 1)),
            "Your outputs don't depend on earlier outputs. Do they when symbols are fed back?",
        ),
        "all of x": Wrong(
            lambda joint: _sum_of_entropies(joint, lambda t, T: [*range(T), *range(T, T + t)]),
            "Your second output uses the last input. Has it been read by then?",
        ),
        "one input short": Wrong(
            lambda joint: _sum_of_entropies(joint, lambda t, T: [*range(t), *range(T, T + t)]),
            "May the output at step t use the input of the same step?",
        ),
        "only the last output": Wrong(
            lambda joint: _sum_of_entropies(
                joint, lambda t, T: [*range(t + 1), *range(T + max(t - 1, 0), T + t)]
            ),
            "Does the state depend on all earlier outputs or only on the last one?",
        ),
    },
)
def least_loss(joint):
    """Return the least loss with feedback, from the table of all pairs of sequences."""
    T = joint.ndim // 2

    def entropy(axes):
        p = joint.sum(axis=tuple(set(range(2 * T)) - set(axes)))
        p = p[p > 0]
        return -(p * np.log(p)).sum()

    total = 0
    for t in range(T):
        before = [*range(t + 1), *range(T, T + t)]
        total += entropy([*before, T + t]) - entropy(before)
    return total


checklist(
    "08-describe",
    {
        "By the chain rule, any distribution of y is a product of P(y^(t) | all x, y before t).": (
            "Which factorization holds for every distribution, whatever the network?"
        ),
        "The network gives a product of P(y^(t) | x up to t, y before t): the state depends on "
        "nothing else.": ("Which inputs and which outputs does the state at t depend on?"),
        "They can agree if and only if no output depends on later inputs, given the inputs and "
        "outputs so far.": (
            "Compare the two products. When is each factor of one equal to a factor of the other?"
        ),
        "A large enough network can give these factors: the state can store all inputs and outputs "
        "so far.": (
            "You have shown which distributions it can't represent. Why can it represent the rest?"
        ),
        "It can't give y^(t) = x^(t+1): the coin that y^(t) repeats hasn't been read yet.": (
            "In which distribution does an output depend on an input that hasn't been read yet?"
        ),
    },
    success="The limit of this graph is its reading order: no output can depend directly on an "
    "input that hasn't been read yet.",
)
