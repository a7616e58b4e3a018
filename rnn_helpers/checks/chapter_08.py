"""The exercises of chapter 08, Given a context."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _biases() -> list[tuple]:
    rng = np.random.default_rng(80)
    sizes = ((4, 3, 2), (3, 3, 3), (5, 2, 1), (2, 4, 6))
    return [
        (rng.normal(size=n), rng.normal(size=(n, m)), rng.normal(size=(B, m))) for n, m, B in sizes
    ]


@exercise(
    "08-bias",
    cases=_biases,
    hint="One picture first: what is the shape of R x, and what is it added to? Then let the "
    "pictures stand in rows.",
    wrong={
        "a bias of its own": Wrong(
            lambda b, R, x: x @ R.T, "That is what the picture adds. To what?"
        ),
        "of the first picture": Wrong(
            lambda b, R, x: np.tile(b + R @ x[0], (len(x), 1)),
            "All your rows are alike. Which of them belongs to which picture?",
        ),
        "all pictures at once": Wrong(
            lambda b, R, x: np.tile(b + R @ x.sum(axis=0), (len(x), 1)),
            "You add up over the pictures. What has one sentence to do with another's picture?",
        ),
    },
)
def biases(b, R, x):
    """Give the biases of a network that is told each picture at every step."""
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
    hint="Two bits: how often is the first a one, whatever the second is? That is one number. The "
    "table has four entries, each a product of two such numbers.",
    wrong={
        "the table itself": Wrong(
            lambda table: np.array(table),
            "In your table one bit tells of another. Nothing told the network of the other.",
        ),
        "coins": Wrong(
            lambda table: np.full(table.shape, 1 / table.size),
            "Independent they are. But each bit may still come as often as it did.",
        ),
        "the likeliest of each": Wrong(
            lambda table: _product([np.eye(2)[one.argmax()] for one in _ones(table)]),
            "That says one sequence only. What does it pay for all the others?",
        ),
        "backwards": Wrong(
            lambda table: _product(_ones(table)[::-1]),
            "Which axis of the table belongs to the first bit?",
        ),
    },
)
def apart(table):
    """Give the best table of bits that do not hear each other."""
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
    hears=True, at_step=True, at_first=True, keeps=True, keeps_end=False, skips=0, most=20
):
    def caption(params, x, words):
        told = params["R"] @ x if "R" in params and at_step else 0
        h = params["S"] @ x if "S" in params and at_first else np.zeros(len(params["b"]))
        first, heard, said = h, np.zeros(len(words)), []
        while len(said) < most:
            h = np.tanh(params["b"] + params["W"] @ h + params["U"] @ heard + told)
            best = int(np.argmax(params["c"] + params["V"] @ h))
            if best == 0 and len(said) >= skips:
                return said + [words[0]] * keeps_end
            said.append(words[best])
            heard = np.eye(len(words))[best] if hears else heard
            h = h if keeps else first
        return said

    return caption


@exercise(
    "08-caption",
    cases=_pictures,
    hint="Write down what the first step hears, and what its state was before. Then what changes "
    "from one step to the next, and what stays.",
    wrong={
        "does not hear itself": Wrong(
            _captioner(hears=False), "What does your second step hear? It has said a word by then."
        ),
        "no picture at the steps": Wrong(
            _captioner(at_step=False), "There is a door R in some of the networks. Who opens it?"
        ),
        "an empty first state": Wrong(
            _captioner(at_first=False), "Where there is S, what is the state before the first step?"
        ),
        "forgets": Wrong(_captioner(keeps=False), "From which state does your second step begin?"),
        "says the end": Wrong(
            _captioner(keeps_end=True),
            "The last word of your sentence is not one that is read aloud.",
        ),
        "never over": Wrong(
            _captioner(skips=99), "What happens when the likeliest word is the end?"
        ),
        "no limit": Wrong(
            _captioner(most=1000), "One of your captions is very long. How long may it get?"
        ),
    },
)
def caption(params, x, words):
    """Say the likeliest words about a picture, until the end."""
    U, W, V, b, c = (params[name] for name in "UWVbc")
    told = params["R"] @ x if "R" in params else 0
    h = params["S"] @ x if "S" in params else np.zeros(len(b))
    heard, said = np.zeros(len(words)), []
    while len(said) < 20:
        h = np.tanh(b + W @ h + U @ heard + told)
        best = np.argmax(c + V @ h)
        if words[best] == "<END>":
            break
        said.append(words[best])
        heard = np.eye(len(words))[best]
    return said


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
    """Steps that count: those of words, and of the first ends."""
    return np.cumsum(y == end, axis=0) - (y == end) < ends


@exercise(
    "08-loss",
    cases=_padded,
    hint="Which steps of a column count? Count the ends that came before each step.",
    wrong={
        "the padding too": Wrong(
            lambda log_yhat, y, end: _charged(log_yhat, y, np.ones(y.shape, bool)),
            "After its end a sentence is over. What are the other ends there for?",
        ),
        "without the end": Wrong(
            lambda log_yhat, y, end: _charged(log_yhat, y, y != end),
            "Who teaches the network to stop?",
        ),
        "the end taken for 0": Wrong(
            lambda log_yhat, y, end: caption_loss(log_yhat, y, 0),
            "Which symbol marks the end? Look at your arguments.",
        ),
        "the mean": Wrong(
            lambda log_yhat, y, end: (
                _charged(log_yhat, y, _until(y, end, 1)) / _until(y, end, 1).sum()
            ),
            "A mean over the words. Asked for is the sum.",
        ),
        "the likeliest word": Wrong(
            lambda log_yhat, y, end: -log_yhat.max(axis=-1)[_until(y, end, 1)].sum(),
            "What is charged is how probable the true word is, however likely others are.",
        ),
    },
)
def caption_loss(log_yhat, y, end):
    """Add up the losses of sentences that are filled up with ends."""
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
    hint="One picture, one step: how does a small change of x change a, and by which matrix does "
    "the gradient come back? The same x is heard at every step.",
    wrong={
        "the last step alone": Wrong(
            lambda R, S, grad_a, grad_h0: grad_a[-1] @ R + grad_h0 @ S,
            "The picture was heard at every step. How many copies of x are there?",
        ),
        "the mean": Wrong(
            lambda R, S, grad_a, grad_h0: grad_a.mean(axis=0) @ R + grad_h0 @ S,
            "What is shared by many steps receives from all of them. A mean?",
        ),
        "one door": Wrong(
            lambda R, S, grad_a, grad_h0: grad_a.sum(axis=0) @ R,
            "There are two ways for the picture in. How many lead back?",
        ),
        "the pictures together": Wrong(
            lambda R, S, grad_a, grad_h0: np.tile(
                (grad_a.sum(axis=0) @ R + grad_h0 @ S).sum(axis=0), (len(grad_h0), 1)
            ),
            "Weights are shared by all pictures. Is a picture?",
        ),
    },
)
def gradient_on_x(R, S, grad_a, grad_h0):
    """Give the gradient on each picture, which was told by both doors."""
    return grad_a.sum(axis=0) @ R + grad_h0 @ S


@exercise(
    "08-reversed",
    tolerance=5e-3,
    hint="Write the six outputs down, and beneath each the input that it repeats. When has that "
    "one been read?",
    wrong={
        "as if nothing were ever known": Wrong(
            (6 * np.log(2), 6 * np.log(2), 0.0),
            "When the fourth output is due, which inputs have been read?",
        ),
        "feeding back helps": Wrong(
            (3 * np.log(2), 0.0, 0.0),
            "Three outputs are fed back. Which input that is still to come do they tell of?",
        ),
        "coins, not nats": Wrong((3.0, 3.0, 0.0), "So many coins. What does one cost, in nats?"),
        "one coin more": Wrong(
            (2 * np.log(2), 2 * np.log(2), 0.0),
            "Three are read after they are due. Count again.",
        ),
    },
)
def reversed_losses():
    """Give the least losses of three graphs, if six bits are to be said in reverse."""
    return 3 * np.log(2), 3 * np.log(2), 0.0


def _worlds() -> list[tuple]:
    rng = np.random.default_rng(85)
    made = [rng.dirichlet(np.full(4**T, 0.5)).reshape((2,) * 2 * T) for T in (1, 2, 3)]
    bits = np.indices((2,) * 6)
    early = (bits[3] == bits[1]) & (bits[4] == bits[2])
    same = (bits[3] == bits[4]) & (bits[4] == bits[5])
    return [(world / world.sum(),) for world in (early, same, *made)]


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
    cases=_worlds,
    hint="The entropy of one thing given others is that of all of them together, less that of the "
    "others. First write a function that sums a table over all axes but some.",
    wrong={
        "nothing fed back": Wrong(
            lambda joint: _sum_of_entropies(joint, lambda t, T: range(t + 1)),
            "Those outputs do not hear each other. In figure 10.10 they do.",
        ),
        "all of x": Wrong(
            lambda joint: _sum_of_entropies(joint, lambda t, T: [*range(T), *range(T, T + t)]),
            "Your second output knows the last input. Has that been read?",
        ),
        "one input short": Wrong(
            lambda joint: _sum_of_entropies(joint, lambda t, T: [*range(t), *range(T, T + t)]),
            "What is read at step t may be used at step t.",
        ),
        "the last output alone": Wrong(
            lambda joint: _sum_of_entropies(
                joint, lambda t, T: [*range(t + 1), *range(T + max(t - 1, 0), T + t)]
            ),
            "The state has heard all outputs before, not the last alone.",
        ),
    },
)
def least_loss(joint):
    """Give the least loss of figure 10.10, from the table of all pairs of sequences."""
    T = joint.ndim // 2

    def entropy(axes):
        p = joint.sum(axis=tuple(set(range(2 * T)) - set(axes)))
        p = p[p > 0]
        return -(p * np.log(p)).sum()

    total = 0
    for t in range(T):
        heard = [*range(t + 1), *range(T, T + t)]
        total += entropy([*heard, T + t]) - entropy(heard)
    return total


checklist(
    "08-describe",
    {
        "By the chain rule, any distribution of y is a product of P(y^(t) | all x, y before t).": (
            "Begin with what holds for every distribution, whatever network there is."
        ),
        "The network gives a product of P(y^(t) | x up to t, y before t); it hears nothing else.": (
            "What has the state at t heard, from both sides?"
        ),
        "They can agree if and only if no output depends on later inputs, given what was heard.": (
            "Put the two products side by side. When does a factor of one equal that of the other?"
        ),
        "A network large enough can give these factors: the state may hold all that was heard.": (
            "You have shown what it cannot do. Why can it do the rest?"
        ),
        "It cannot give y^(t) = x^(t+1): the coin that it is to repeat has not been read.": (
            "Name a distribution in which an output depends on an input not yet read."
        ),
    },
)
