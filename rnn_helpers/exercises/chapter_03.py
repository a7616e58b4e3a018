"""The exercises of chapter 03, Recurrent networks."""

from fractions import Fraction

import numpy as np

from rnn_helpers.checks.core import WAVE, Wrong, checklist, exercise, lines
from rnn_helpers.reference import init_rnn, one_hot, rnn_forward, softmax
from rnn_helpers.reference.stack import nonempty, pop, push, top


@exercise(
    "03-count-parameters",
    cases=lambda: [(4, 2, 4), (4, 3, 4), (10, 7, 5), (1, 1, 1)],
    hint="What is the shape of each of the five arrays, and how many entries does it have?",
    success="The length of the sentence doesn't appear in your formula, because all steps share "
    "the same parameters.",
    wrong={
        "biases forgotten": Wrong(
            lambda n_x, n_h, n_y: n_h * (n_x + n_h + n_y),
            "Which terms of (G 10.8) and (G 10.10) aren't multiplied by anything?",
        ),
        "output bias forgotten": Wrong(
            lambda n_x, n_h, n_y: n_h * (n_x + n_h + 1) + n_y * n_h,
            "The hidden units have a bias. Do the outputs have one too?",
        ),
        "a second vector for the hidden units": Wrong(
            lambda n_x, n_h, n_y: n_h * (n_x + n_h + 2) + n_y * (n_h + 1),
            "You count one number too many for each hidden unit. Is the initial state among the "
            "five arrays, and how many biases does (G 10.8) have?",
        ),
        "W missing": Wrong(
            lambda n_x, n_h, n_y: n_h * (n_x + 1) + n_y * (n_h + 1),
            "That is a network without a loop. Which matrix carries the state to the next step?",
        ),
    },
)
def count_parameters(n_x, n_h, n_y):
    """Count the entries of U, W, V, b and c."""
    return n_h * (n_x + n_h + 1) + n_y * (n_h + 1)


@exercise(
    "03-read-and-predicted",
    cases=lambda: [
        (["knock", "knock", "who?"],),
        (["giraffe"],),
        ([],),
        (["who?", "who?", "knock", "giraffe"],),
    ],
    hint="Write your two lists for a sentence of two words, one below the other. Reading from the "
    "left, which is the first pair that isn't a symbol and the one after it?",
    success="The targets are the inputs shifted by one step. Even a sentence without words gives "
    "one prediction: that it ends.",
    wrong={
        "current symbol": Wrong(
            lambda words: ([*words, "."], [*words, "."]),
            "Your network receives the symbol that it should predict. Which symbols should it "
            "have received by then?",
        ),
        "no end among the targets": Wrong(
            lambda words: ([".", *words], [*words]),
            "Your inputs are right. What should the network predict when it has received the last "
            "word?",
        ),
        "the end forgotten": Wrong(
            lambda words: ([".", *words[:-1]], [*words]),
            "One step is missing at the end. Once the network has received the last word, what "
            "comes next?",
        ),
        "the beginning predicted": Wrong(
            lambda words: ([".", *words, "."], [".", *words, "."]),
            "Does the network have to predict the period at the beginning?",
        ),
        "no beginning among the inputs": Wrong(
            lambda words: ([*words], [*words[1:], "."]),
            "The network should predict the first word, too. What has it received by then?",
        ),
        "backwards": Wrong(
            lambda words: ([*words, "."], [".", *words]),
            "Which of your two lists is ahead? The network should predict the next symbol.",
        ),
    },
)
def read_and_predicted(words):
    """Return the inputs and the targets of a sentence."""
    return [".", *words], [*words, "."]


_U = np.array([[0, 4, 0, 0], [-16, 0, 0, 0]])
_W = np.array([[0, 0], [8, 4]])
_KNOCK, _GIRAFFE = 1, 3


def _states(W=_W, tokens=(_GIRAFFE, _KNOCK), bend=np.tanh, start=(1, -1)):
    h, states = np.array(start), []
    for k in tokens:
        h = bend(W @ h + _U[:, k])
        states.append(h)
    return np.array(states)


@exercise(
    "03-two-steps",
    tolerance=0.006,  # two decimals, and a rounding on the way
    hint="Add up the terms for each unit when the giraffe comes in. What is row 2 of W times "
    "the old state (1, -1)?",
    success="A giraffe between the knocks changes nothing: unit 2 still stores the first one. "
    "Everything that the network remembers passes through W.",
    wrong={
        "W transposed": Wrong(
            _states(_W.T),
            "Row 1 of W contains the weights into unit 1. Is there any that isn't 0?",
        ),
        "tanh forgotten": Wrong(
            _states(bend=lambda a: a),
            "These are the sums from (G 10.8). Which equation comes next?",
        ),
        "no past": Wrong(
            _states(start=(0, 0)), "You start from a state of zeros. What has been read already?"
        ),
        "no weight of unit 2 on itself": Wrong(
            _states(np.array([[0, 0], [8, 0]])),
            "Your first state is right. What does unit 2 receive from its own old value?",
        ),
        "W forgotten": Wrong(
            _states(np.eye(2)), "Which matrix multiplies the old state before it is added?"
        ),
        "the two words in the other order": Wrong(
            _states(tokens=(_KNOCK, _GIRAFFE)), "Which of the two words comes in first?"
        ),
    },
)
def two_states():
    """Return the states after knock, giraffe and after knock, giraffe, knock."""
    return _states()


@exercise(
    "03-logits",
    tolerance=0.005,
    hint="Take the exponential of each logit and divide by the sum. What happens to each "
    "exponential when 10 is added to its logit?",
    success="Adding the same number to all logits changes nothing, because the common factor "
    "cancels. Only differences of logits matter.",
    wrong={
        "shares of the logits": Wrong(
            [1.0, 12 / 32],
            "Does a logit of 0 mean a probability of 0? Which function comes before the division?",
        ),
        "more with larger logits": Wrong(
            [0.787, 1.0],
            "Your first probability is right. By which factor did each of the three "
            "exponentials grow?",
        ),
        "against one symbol": Wrong(
            [0.8808, 0.8808], "How many other symbols share the remaining probability?"
        ),
        "exponentials alone": Wrong(
            np.exp([2.0, 12.0]).tolist(), "Can a probability be above 1? What is still missing?"
        ),
    },
)
def shifted():
    """Return the first symbol's probability before and after adding 10 to all logits."""
    share = float(np.exp(2) / np.exp([2, 0, 0]).sum())
    return [share, share]  # the factor e^10 cancels


def _network(rng, n_x, n_h, n_y):
    """Return random parameters; unlike those of `init_rnn`, the biases aren't zero."""
    params = init_rnn(n_x, n_h, n_y, seed=rng, scale=0.8)
    params["b"], params["c"] = rng.normal(size=n_h), rng.normal(size=n_y)
    return params


def _random_networks() -> list[tuple]:
    rng = np.random.default_rng(3)

    def case(n_x, n_h, n_y, T):
        return _network(rng, n_x, n_h, n_y), one_hot(rng.integers(0, n_x, T), n_x)

    return [case(4, 3, 4, 5), case(3, 5, 2, 4), case(2, 2, 6, 1)]


def _with(change):
    """Return the solution with changed parameters."""
    return lambda params, x: forward({**params, **change(params)}, x)


def _softmax_over_time(params, x):
    return softmax((params["c"] + _all_states(params, x) @ params["V"].T).T).T


def _all_states(params, x):
    return rnn_forward(params, x).h


def _logits(params, x):
    return params["c"] + _all_states(params, x) @ params["V"].T


def _every_step_from_zero(params, x):
    return softmax(params["c"] + np.tanh(params["b"] + x @ params["U"].T) @ params["V"].T)


def _late_output(params, x):
    h = np.vstack([np.zeros(len(params["b"])), _all_states(params, x)[:-1]])
    return softmax(params["c"] + h @ params["V"].T)


@exercise(
    "03-forward",
    cases=_random_networks,
    hint="Is your first row right? It doesn't depend on W. If it is, look at the second row.",
    success="These predictions took a whole forward pass. In the next chapter, back-propagation "
    "reuses the states that it computes.",
    instance="""
    def softmax(o):
        e = np.exp(o - o.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    params = {
        "U": np.array([[0.3, -1.2], [1.1, 0.5], [-0.6, 0.9]]),
        "W": np.array([[0.4, -0.9, 0.7], [1.3, 0.2, -0.5], [0.6, 0.8, 0.1]]),
        "V": np.array([[1.5, -0.3, 0.4], [-0.8, 1.0, 1.2]]),
        "b": np.array([0.1, -0.4, 0.9]),
        "c": np.array([0.3, -0.5]),
    }

    print(forward(params, np.array([[1.0, 0.5], [-0.3, 2.0], [0.7, -1.1]])))
    """,
    wrong={
        "W transposed": Wrong(
            _with(lambda p: {"W": p["W"].T}),
            "Your first row is right. Does row i of W contain the weights into unit i or "
            "out of unit i?",
        ),
        "hidden bias forgotten": Wrong(
            _with(lambda p: {"b": 0 * p["b"]}), "How many terms does the sum in (G 10.8) have?"
        ),
        "output bias forgotten": Wrong(
            _with(lambda p: {"c": 0 * p["c"]}), "How many terms does the sum in (G 10.10) have?"
        ),
        "logits in place of probabilities": Wrong(
            _logits, "Do the entries of a row sum to one? Which equation is missing?"
        ),
        "softmax over the steps": Wrong(
            _softmax_over_time,
            "Should the probabilities sum to one over the symbols or over the steps?",
        ),
        "state never passed on": Wrong(
            _every_step_from_zero,
            "If the same symbol is the input twice, do your two outputs differ?",
        ),
        "h^(t-1) in the output": Wrong(
            _late_output, "Does (G 10.10) use the old state or the new one?"
        ),
    },
)
def forward(params, x):
    """Apply (G 10.8) to (G 10.11) at each step, from a zero state."""
    h, probabilities = np.zeros(len(params["b"])), []
    for x_t in x:
        h = np.tanh(params["b"] + params["W"] @ h + params["U"] @ x_t)
        probabilities.append(softmax(params["c"] + params["V"] @ h))
    return np.array(probabilities)


def _words() -> list[tuple]:
    rng = np.random.default_rng(7)
    words = ((4, 3, [0, 1, 0, 3], 2), (3, 4, [1], 0), (6, 5, [1, 1, 0, 0, 4, 5], 3))
    return [(_network(rng, n, n_h, n), symbols, start) for n, n_h, symbols, start in words]


def _target_as_input(params, symbols, start):
    run = rnn_forward(params, np.array(symbols))
    return sum(run.log_yhat[t, token] for t, token in enumerate(symbols))


def _without_end(params, symbols, start):
    run = rnn_forward(params, np.array([start, *symbols[:-1]]))
    return sum(run.log_yhat[t, token] for t, token in enumerate(symbols[:-1]))


@exercise(
    "03-log-probability",
    cases=_words,
    hint="A sentence that ends at once has only one term. Which one?",
    success="This is minus the loss of the sentence. Adding logarithms works for long "
    "sentences, where a product of probabilities would underflow to zero.",
    instance="""
    def softmax(o):
        e = np.exp(o - o.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    class rnn_forward:
        def __init__(self, params, tokens):
            h, logs = np.zeros(2), []
            for token in tokens:
                h = np.tanh(params["b"] + params["W"] @ h + params["U"][:, token])
                logs.append(np.log(softmax(params["c"] + params["V"] @ h)))
            self.log_yhat = np.array(logs)

    params = {
        "U": np.array([[0.3, -1.2, 0.8], [1.1, 0.5, -0.7]]),
        "W": np.array([[0.4, -0.9], [1.3, 0.2]]),
        "V": np.array([[1.5, -0.3], [-0.8, 1.0], [0.2, -1.4]]),
        "b": np.array([0.1, -0.4]),
        "c": np.array([0.3, 0.0, -0.5]),
    }

    print([
        log_probability(params, [0, 0, 2], 1),
        log_probability(params, [1], 0),
        log_probability(params, [2, 1, 0, 1], 2),
    ])
    """,
    wrong={
        "current symbol as input": Wrong(
            _target_as_input,
            "What is the input at the step where the network predicts the first symbol?",
        ),
        "the loss": Wrong(
            lambda params, symbols, start: -log_probability(params, symbols, start),
            "Can the logarithm of a probability be positive?",
        ),
        "a probability": Wrong(
            lambda params, symbols, start: np.exp(log_probability(params, symbols, start)),
            "That is a probability. Which quantity does the exercise ask for?",
        ),
        "mean over the steps": Wrong(
            lambda params, symbols, start: log_probability(params, symbols, start) / len(symbols),
            "The probabilities of the symbols are multiplied. What happens to their logarithms?",
        ),
        "the end left out": Wrong(
            _without_end, "The end mark is the last of the tokens. Does it have a probability too?"
        ),
    },
)
def log_probability(params, symbols, start):
    """Return the sum of the targets' log probabilities."""
    run = rnn_forward(params, np.array([start, *symbols[:-1]]))
    return sum(run.log_yhat[t, token] for t, token in enumerate(symbols))


checklist(
    "03-softmax-zero",
    {
        "The exponential of a real number is positive, so every numerator is positive.": (
            "What do you know about the sign of exp?"
        ),
        "The denominator is a finite sum of such numbers, so the quotient is positive.": (
            "Could the denominator be zero, or infinite?"
        ),
        "With two symbols or more, the denominator exceeds each numerator, so no entry is 1.": (
            "What do you add to one numerator to get the denominator?"
        ),
        "There is a smallest positive float64, and much smaller numbers are rounded to 0.": (
            "How small is exp(-800), and what is the smallest positive float64?"
        ),
        "The log probability is an ordinary number, and it can be computed without the quotient.": (
            "Take the logarithm of the softmax on paper. Which term could you compute safely?"
        ),
    },
    success="A probability of zero is only a rounding error here. Computing with log "
    "probabilities keeps it out of the loss.",
)


def _behaviour(pair) -> str:
    """Describe the effect of a unit with weights (w, u) on a bit."""
    w, u = (float(number) for number in pair)

    def last(signal):
        h = 0.0
        for x in signal:
            h = np.tanh(w * h + u * x)
        return h

    wait = [0] * 1000
    if w < 0 and last([1, *wait]) * last([1, *wait, 0]) < 0:
        return "alternates"
    if abs(last([1, *wait])) < 0.5:
        return "fades"
    if last([1]) < 0:
        return "the wrong way round"
    long_on, flipped = [1, 1, *wait], [1, 1, *wait, -1]
    back = [*flipped, *wait, 1]
    signs = [last(long_on), last([*flipped, *wait]), last([*back, *wait])]
    if not np.all(np.array([1, -1, 1]) * signs >= 0.5):
        return "stuck"
    if u > 3:
        return "an input stronger than allowed"
    # The memory is strongest right after symbols of the other kind, where h is nearly 1 or -1.
    at_once = min(-last([1, 1, -1]), last([-1, -1, 1]), -last([*[1] * 20, -1]))
    return "a latch" if min(-last(flipped), last(back), at_once) >= 0.5 else "flipped too weakly"


@exercise(
    "03-latch",
    measure=_behaviour,
    hint="Iterate tanh(w h) on paper for some w, without input. Where does h settle?",
    success="Without input, your unit has two stable fixed points, so it keeps a bit "
    "forever. Its input is strong enough to flip that bit.",
    wrong={
        "a fading echo": Wrong(
            (0.9, 4.0), "Wait a thousand steps after the knock. What is left of h?"
        ),
        "too stubborn": Wrong(
            (4.0, 1.0),
            "The memory holds. Can one period still flip it? Compare the two terms inside tanh.",
        ),
        "flipped too weakly": Wrong(
            (2.0, 2.5),
            "Read two knocks and then a period. When is the term w h largest, and how large is it?",
        ),
        "an input stronger than allowed": Wrong(
            (2.0, 4.0),
            "Your unit works, but its input weight is too large. How small can u become before "
            "one symbol no longer flips the unit?",
        ),
        "a change of sign at every step": Wrong(
            (-2.0, 4.0), "When x is 0, what does a negative w do to h at the next step?"
        ),
        "knocks and periods the wrong way round": Wrong(
            (2.0, -4.0), "Which sign should h have after a knock?"
        ),
    },
)
def latch():
    """Return weights that hold a bit forever and let one symbol flip it."""
    return 2.0, 3.0


@exercise(
    "03-channel",
    hint="Follow the arrow with the black square in the drawing. Where does it start, and "
    "where does it end?",
    success="The state has 100 units, but only 3 numbers reach the next step. So the loop from "
    "the output is narrow when the output is.",
    wrong={
        "the loop from the state": Wrong(
            [100, 10_000],
            "That is the network of this chapter. Where does the arrow with the black square begin "
            "in an output recurrence?",
        ),
        "a square matrix": Wrong(
            [3, 9],
            "Your first number is right. How many sums does the matrix contribute to at the "
            "next step?",
        ),
        "state and output": Wrong(
            [103, 10_300], "Is there an arrow from the old state to the new one in this drawing?"
        ),
        "state through W": Wrong(
            [100, 300], "Which numbers does the matrix multiply: the 100 or the 3?"
        ),
    },
)
def channel():
    """Return how many numbers pass to the next step, and the size of the matrix."""
    return [3, 100 * 3]


_TEST_INPUT = np.array([0, 2, 1, 1, 0, 2])


def _chiang_networks() -> list[tuple]:
    rng = np.random.default_rng(5)
    return [
        tuple(rng.normal(size=shape) for shape in [(n, n), (n, 3), (n,), (4, n), (4,)])
        for n in (2, 3, 5)
    ]


def _run_as_tanh(answer):
    params, h0 = answer
    return rnn_forward(params, _TEST_INPUT, h0=h0).yhat


def _renamed(A, B, c, D, e):
    return {"W": A, "U": B, "b": c, "V": D, "c": e}, np.zeros(len(c))


def _half_done(keep):
    def answer(A, B, c, D, e):
        params, h0 = to_tanh(A, B, c, D, e)
        return {**params, **keep(A, B, c, D, e)}, h0

    return answer


@exercise(
    "03-to-tanh",
    cases=_chiang_networks,
    measure=_run_as_tanh,
    hint="How does the state of Chiang's network depend on yours? Substitute this wherever his "
    "state occurs.",
    success="A sigmoid network is a tanh network with rescaled weights, shifted biases and a "
    "different initial state, so neither kind can compute more.",
    instance=lines(
        WAVE,
        """
        def predictions(params, h):
            found = []
            for x in np.eye(3)[[0, 2, 1]]:
                h = np.tanh(params["b"] + params["W"] @ h + params["U"] @ x)
                e = np.exp(params["c"] + params["V"] @ h)
                found.append(e / e.sum())
            return found

        A, B, c, D, e = wave(1, 2, 2), wave(2, 2, 3), wave(3, 2), wave(4, 3, 2), wave(5, 3)

        print(predictions(*to_tanh(A, B, c, D, e)))
        """,
    ),
    wrong={
        "only renamed": Wrong(
            _renamed,
            "You only renamed the parameters. Is tanh of a sum equal to the sigmoid of that sum?",
        ),
        "start left at zero": Wrong(
            lambda *his: (to_tanh(*his)[0], np.zeros(len(his[2]))),
            "Chiang's state starts at zero. Which value of your state corresponds to that?",
        ),
        "hidden bias not moved": Wrong(
            _half_done(lambda A, B, c, D, e: {"b": c / 2}),
            "Your W accounts for rescaling the state. Where does the shift of the state go?",
        ),
        "output bias not moved": Wrong(
            _half_done(lambda A, B, c, D, e: {"c": e}),
            "The output uses the state too, and yours is shifted. Which parameter makes up "
            "for the shift?",
        ),
        "inside of tanh not halved": Wrong(
            _half_done(lambda A, B, c, D, e: {"W": A / 2, "U": B, "b": c + A.sum(axis=1) / 2}),
            "Write sigmoid(z) in terms of tanh. Which multiple of z is inside the tanh?",
        ),
    },
)
def to_tanh(A, B, c, D, e):
    """Convert Chiang's sigmoid network into a tanh network."""
    params = {
        "W": A / 4,
        "U": B / 2,
        "b": c / 2 + A.sum(axis=1) / 4,
        "V": D / 2,
        "c": e + D.sum(axis=1) / 2,
    }
    return params, -np.ones(len(c))


def _brackets() -> list[tuple]:
    """Return each step of some texts, and brackets that can't come there."""
    deep = "".join("(["[k] for k in np.random.default_rng(90).integers(0, 2, 90))
    cases = [(Fraction(0), ")"), (Fraction(0), "]")]
    for text in ("([])()", "[[(])", "(]", deep):
        q = Fraction(0)
        for symbol in text:
            cases.append((q, symbol))
            q, _ = read_bracket(q, symbol) or (q, "")
    return [*cases, (q, ")]"[int(top(q))])]


def _read(kinds=True, pops=True, empty_too=False, closing=lambda q: ")]"[round(top(q))]):
    """Return the solution with a part left out."""

    def read(q, symbol):
        if symbol in "([":
            q = push(q, "([".index(symbol))
        elif not (empty_too or nonempty(q)) or (kinds and top(q) != ")]".index(symbol)):
            return None
        elif pops:
            q = pop(q)
        return q, closing(q) if nonempty(q) else ""

    return read


def _in_a_list(q, symbol):
    read = read_bracket(q, symbol)
    if read is None:
        return None
    (rest, closing), bits = read, []
    while nonempty(rest):
        bits, rest = [int(top(rest)), *bits], pop(rest)
    return bits, closing


@exercise(
    "03-may-close",
    cases=_brackets,
    hint="What is q after an opening bracket, and after the bracket that closes it? "
    "Which bracket does the new top allow?",
    success="A single number holds the whole stack of open brackets, so a recurrent state can "
    "follow nesting of any depth if the number is exact.",
    instance="""
    def cut(z):
        return min(max(z, 0), 1)

    def push(q, bit):
        return cut(q / 4 + type(q)(1 + 2 * bit) / 4)

    def top(q):
        return cut(4 * q - 2)

    def nonempty(q):
        return cut(4 * q)

    def pop(q):
        return cut(4 * q - 1) - cut(4 * q - 2) + cut(4 * q - 3)

    def after(text):
        q = Fraction(0)
        for symbol in text:
            found = read_bracket(q, symbol)
            if found is None:
                return None
            q, _ = found
        return found

    print([
        [after(text) for text in ("[(", "[()", "()", ")", "(]", "[]]", "]", "([])[")],
        after(40 * "[(" + 39 * ")]"),
    ])
    """,
    wrong={
        "kinds not compared": Wrong(
            _read(kinds=False),
            "Can a square bracket close a round one? Look at the top before you pop.",
        ),
        "never popped": Wrong(
            _read(pops=False),
            "After a bracket is closed, is it still on your stack?",
        ),
        "only counted": Wrong(
            _read(kinds=False, closing=lambda q: ")"),
            "Your answer depends only on the depth. Which kind of bracket was opened last?",
        ),
        "empty stack not noticed": Wrong(
            _read(empty_too=True),
            "What does `top` return for an empty stack? Can you close a bracket when none is open?",
        ),
        "a list as the memory": Wrong(
            _in_a_list,
            "The next step receives only one Fraction. How can that number hold the stack?",
        ),
        "floats": Wrong(
            lambda q, symbol: read_bracket(float(q), symbol),
            "This works while the nesting is shallow. How many digits does a float have?",
        ),
    },
)
def read_bracket(q, symbol):
    """Return the memory after a bracket and the bracket that may close it.

    None if the bracket can't come.
    """
    if symbol in "([":
        q = push(q, "([".index(symbol))
    elif not nonempty(q) or top(q) != ")]".index(symbol):
        return None
    else:
        q = pop(q)
    return q, ")]"[int(top(q))] if nonempty(q) else ""


def _square_networks() -> list[tuple]:
    rng = np.random.default_rng(11)
    return [
        tuple(rng.normal(size=shape) for shape in [(n, n), (n, n), (n,), (n,)]) for n in (2, 3, 4)
    ]


@exercise(
    "03-through-output",
    cases=_square_networks,
    tolerance=1e-6,
    hint="Solve (G 10.10) for the state. What do you get when you put it into (G 10.8)?",
    success="When V is invertible, the output contains the whole state, so a loop from the "
    "output loses nothing. A narrow output does lose something.",
    wrong={
        "bias not corrected": Wrong(
            lambda W, V, b, c: (W @ np.linalg.inv(V), b),
            "Your matrix is right. What does the output contain in addition to V h?",
        ),
        "product in the other order": Wrong(
            lambda W, V, b, c: (np.linalg.inv(V) @ W, b - np.linalg.inv(V) @ W @ c),
            "Which matrix should be applied to the output first: the one that recovers the "
            "state, or W?",
        ),
        "transposed in place of inverted": Wrong(
            lambda W, V, b, c: (W @ V.T, b - W @ V.T @ c),
            "For which matrices does the transpose undo the matrix? Is V one of them?",
        ),
        "bias with the wrong sign": Wrong(
            lambda W, V, b, c: (W @ np.linalg.inv(V), b + W @ np.linalg.inv(V) @ c),
            "The output already contains c. Should your bias add its effect again or remove it?",
        ),
    },
)
def through_output(W, V, b, c):
    """Return the weights and bias of a loop from the output that loses nothing."""
    W_o = W @ np.linalg.inv(V)
    return W_o, b - W_o @ c
