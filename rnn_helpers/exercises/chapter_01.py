"""Exercises of chapter 01, on states."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise
from rnn_helpers.reference import bracket_automaton, intersect, rnn_forward


def _right_ways() -> dict[str, str]:
    return {
        "does an X-ray picture show a fracture": "one-one",
        "a melody for the name of a composer": "one-many",
        "is a password correct, decided after Enter": "many-one",
        "the language of a message": "many-one",
        "the next letter, guessed after each letter": "aligned",
        "noun or verb, for each word as it is read": "aligned",
        "an interpreter, three words behind": "delayed",
    }


def _ways(**changed) -> dict[str, str]:
    """Return the right ways, some of them changed, each named by a word of its problem."""
    return {
        problem: next((changed[word] for word in changed if word in problem), way)
        for problem, way in _right_ways().items()
    }


@exercise(
    "01-ways",
    hint="For each problem, how many symbols are read, how many are written, and when is "
    "the first output due?",
    success="Guessing letters is aligned, because each guess comes right after the letters before "
    "it. Writing with the guesses later doesn't change that.",
    wrong={
        "the interpreter aligned": Wrong(
            _ways(interpreter="aligned"),
            "How many words has the interpreter heard before the first word of the "
            "translation is due?",
        ),
        "guessing letters as one to many": Wrong(
            _ways(guessed="one-many"),
            "How many guesses are there, and which letters come before each one?",
        ),
        "the password letter by letter": Wrong(
            _ways(password="aligned"),
            "At which moment is the password judged? Look at the wording of the problem.",
        ),
        "one and many exchanged": Wrong(
            _ways(melody="many-one", password="one-many", language="one-many"),
            'In the name "one-many", which of the two words describes the input?',
        ),
    },
)
def ways():
    """Return the pattern of inputs and outputs of each problem."""
    return _right_ways()


def _sentences() -> list[tuple]:
    nepal = [["in", "2009", "I", "went", "to", "Nepal"], ["in", "2010", "we", "went", "to", "Rome"]]
    return [
        (nepal, ["I", "went", "to", "Nepal", "in", "2009"]),
        (nepal, ["in", "2010", "I", "went", "to", "Rome"]),
        (nepal, ["we", "went"]),
        ([["go"], ["we", "go", "now"]], ["we", "go", "now", "we", "go"]),
    ]


@exercise(
    "01-unmoved",
    cases=_sentences,
    hint="A weight moves if some sentence has its word at its position. For which words "
    "of `asked` does no sentence do so?",
    success="With separate weights at each position, a word has to be learned again wherever "
    "it moves. Shared weights avoid this.",
    wrong={
        "weights shared by all positions": Wrong(
            lambda sentences, asked: [
                t + 1 for t, word in enumerate(asked) if all(word not in s for s in sentences)
            ],
            "Does a word at position 6 move the weights that read it at position 2?",
        ),
        "counted from 0": Wrong(
            lambda sentences, asked: [t - 1 for t in unmoved(sentences, asked)],
            "Which number does the first position have?",
        ),
        "the positions that moved": Wrong(
            lambda sentences, asked: [
                t for t in range(1, len(asked) + 1) if t not in unmoved(sentences, asked)
            ],
            "You listed the positions where the weights did move. Which positions does the "
            "exercise ask for?",
        ),
        "positions that no sentence reaches": Wrong(
            lambda sentences, asked: [
                t + 1 for t in range(len(asked)) if all(len(s) <= t for s in sentences)
            ],
            "If a sentence has a different word at that position, do the weights of this "
            "word move?",
        ),
    },
)
def unmoved(sentences, asked):
    """Return the positions at which a sentence uses weights that training hasn't moved."""
    return [
        t + 1
        for t, word in enumerate(asked)
        if all(words[t : t + 1] != [word] for words in sentences)
    ]


@exercise(
    "01-fade",
    hint="Write down the state after each word: first in training, to find v, then for the year as "
    "the last word and as the first. Is the last state right, and v times it?",
    success="The weights are shared, but the state isn't the same when the answer is due.",
    tolerance=5e-3,
    wrong={
        "right everywhere": Wrong(
            (10.0, 10.0),
            "The weights are the same at every position. Is the last state the same, too?",
        ),
        "one word too many": Wrong(
            (10 / 0.8**4, 10 * 0.8),
            "The year is the third of six words. How often is it multiplied by 0.8 after that?",
        ),
        "exchanged": Wrong(
            (6.4, 10 / 0.8**3), "Which number belongs to the year as the last word?"
        ),
        "the last states": Wrong(
            (10.0, 10 * 0.8**5), "These are the last states. By which number is each multiplied?"
        ),
        "the output weight left out": Wrong(
            (10 * 0.8**3, 10 * 0.8**8), "What must v·h be in training?"
        ),
    },
)
def outputs_of_fading_loop():
    """Return the outputs with the year last and with the year first."""
    v = 10 / (10 * 0.8**3)
    return v * 10, v * 10 * 0.8**5


def _loop(U, W, b) -> dict:
    return {"U": U, "W": W, "b": b}


def _marks_read(numbers) -> list:
    """Return A and B after each symbol of texts in which 1 is a quotation mark."""
    U, W, b = (np.array(numbers[name], float) for name in ("U", "W", "b"))
    if (U.shape, W.shape, b.shape) != ((2,), (2, 2), (2,)):
        raise ValueError("expected two numbers, two rows of two, and two numbers")
    read = []
    for text in ([0, 0, 1, 0, 0, 1, 1, 0], [0] * 5, [1] * 9, [1, *[0] * 50]):
        h = np.zeros(2)
        for x in text:
            h = (U * x + W @ h + b > 0).astype(float)
            read.append(h)
    return np.array(read)


@exercise(
    "01-seen",
    measure=_marks_read,
    hint="For A and then for B: when must the sum be above 0, and when must it not be?",
    success="You gave the same loop a different memory by changing only its weights. Weights "
    "can be learned, so a memory can be learned too.",
    wrong={
        "the loop of the page": Wrong(
            _loop([1, 1], [[1, -1], [1, -1]], [-0.5, -1.5]),
            "This is the loop from the page. Which of its numbers makes A go back to 0?",
        ),
        "A forgets": Wrong(
            _loop([1, 1], [[0, 0], [0, 0]], [-0.5, -0.5]),
            "One letter after a mark, which term of A's sum still depends on that mark?",
        ),
        "exchanged": Wrong(_loop([1, 1], [[0, 0], [0, 1]], [-0.5, -0.5]), "Which of the two is A?"),
        "on from the start": Wrong(
            _loop([1, 1], [[1, 0], [0, 0]], [0.5, -0.5]),
            "What does your loop do on a text without marks?",
        ),
        "B stays on": Wrong(
            _loop([1, 1], [[1, 0], [0, 1]], [-0.5, -0.5]),
            "Should B still be 1 one symbol after a mark?",
        ),
    },
)
def seen():
    """Return the numbers of a loop: A is on after the first mark, B at each mark."""
    return _loop([1, 1], [[1, 0], [0, 0]], [-0.5, -0.5])


@exercise(
    "01-states",
    hint="Begin with two facts: write down all states, and count the on-off units that tell them "
    "apart. Which of your three numbers doesn't continue this?",
    success="Each fact doubles the number of states, but takes only one more unit.",
    wrong={
        "added": Wrong(
            (6, 20, 10), "Can the quotation be open or closed in each state of the parenthesis?"
        ),
        "squared": Wrong(
            (9, 100, 10), "With one fact there are two states. How many are there with two facts?"
        ),
        "a unit for each state": Wrong(
            (8, 1024, 1024), "In how many states can two on-off units be together?"
        ),
        "two units for each fact": Wrong(
            (8, 1024, 20),
            "The loop uses two units because it has to compute its next state. How many does it "
            "take to remember one fact?",
        ),
        "the state with nothing open left out": Wrong(
            (7, 1023, 10), "Which state is the automaton in before it has read anything?"
        ),
    },
)
def states_and_units():
    """Return the states for three facts and for ten, and the units for ten facts."""
    return 2**3, 2**10, 10


def _automata() -> list[tuple]:
    parentheses = {("out", "("): "in", ("in", ")"): "out", ("out", "a"): "out", ("in", "a"): "in"}
    square = {("0", "["): "1", ("1", "]"): "0", ("0", "a"): "0", ("1", "a"): "1"}
    everywhere = {(q, s): q for q in ("out", "in") for s in "[]"}
    elsewhere = {(q, s): q for q in ("0", "1") for s in "()"}
    even = {("even", "a"): "odd", ("odd", "a"): "even", ("even", "b"): "even", ("odd", "b"): "odd"}
    last = {(q, s): s for q in ("start", "a", "b") for s in "ab" if (q, s) != ("b", "b")}
    return [
        (even, "even", last, "start"),
        (parentheses | everywhere, "out", square | elsewhere, "0"),
        (parentheses, "out", square, "0"),
    ]


def _product(a, start_a, b, start_b, follows=None):
    follows = follows or (lambda a, p, b, q, s: (a.get((p, s)), b.get((q, s))))
    new, made = [(start_a, start_b)], {}
    seen = set(new)
    symbols = dict.fromkeys(s for table in (a, b) for _, s in table)
    while new:
        p, q = new.pop()
        for s in symbols:
            after = follows(a, p, b, q, s)
            if None not in after:
                made[(p, q), s] = after
                if after not in seen:
                    seen.add(after)
                    new.append(after)
    return made


def _every_pair(a, start_a, b, start_b):
    return {((p, q), s): (a[p, s], b[q, s]) for p, s in a for q, r in b if r == s}


def _table(transitions):
    return sorted(
        tuple(map(str, (*pair, symbol, *after))) for (pair, symbol), after in transitions.items()
    )


@exercise(
    "01-intersect",
    cases=_automata,
    measure=_table,
    hint="Start from the pair of start states. Which symbols can be read there, and to "
    "which pairs do they lead?",
    success="An intersection contains only the pairs of states that can be reached, and it reads a "
    "symbol only where both automata can.",
    instance="""
    one = {(0, "a"): 1, (1, "a"): 2, (2, "b"): 0, (0, "b"): 0, (1, "c"): 1, (2, "c"): 2}
    other = {(5, "a"): 6, (6, "b"): 7, (7, "b"): 5, (6, "c"): 5, (8, "a"): 5, (8, "b"): 6}

    print([
        sorted(intersection(one, 1, other, 5).items()),
        sorted(intersection(one, 2, other, 8).items()),
    ])
    """,
    wrong={
        "every pair": Wrong(
            _every_pair, "Can all of your pairs be reached? Follow the arrows from the start."
        ),
        "symbols that only one can read": Wrong(
            lambda a, p, b, q: _product(
                a, p, b, q, lambda a, p, b, q, s: (a.get((p, s), p), b.get((q, s), q))
            ),
            "If one of the two automata can't read a symbol, can the pair read it?",
        ),
        "only the first steps": Wrong(
            lambda a, p, b, q: {
                pair: after for pair, after in _product(a, p, b, q).items() if pair[0] == (p, q)
            },
            "You listed only the arrows from the start. Which arrows leave the pairs that "
            "they lead to?",
        ),
    },
)
def intersection(a, start_a, b, start_b):
    """Return the transitions of the intersection between pairs that can be reached."""
    new, transitions = [(start_a, start_b)], {}
    seen = set(new)
    while new:
        p, q = new.pop()
        for state, symbol in a:
            if state == p and (q, symbol) in b:
                after = a[p, symbol], b[q, symbol]
                transitions[(p, q), symbol] = after
                if after not in seen:
                    seen.add(after)
                    new.append(after)
    return transitions


def _bits(p):
    p = np.array([p, 1 - p])
    return -(p * np.log2(p)).sum()


def _rate(p, q, m, share=lambda p, q: p / (p + q), letters=np.log2, scale=1.0):
    inside = share(p, q)
    outside = _bits(p) + (1 - p) * letters(m)
    return scale * ((1 - inside) * outside + inside * (_bits(q) + (1 - q) * letters(m)))


@exercise(
    "01-entropy",
    cases=lambda: [(0.25, 0.5, 4), (0.1, 0.3, 26), (0.5, 0.2, 1), (0.02, 0.25, 10)],
    hint="What is the entropy in each of the two states, and what share of the time is "
    "spent in each?",
    success="Each state's entropy counts by the share of time spent in that state. On average, no "
    "model can need fewer bits per symbol.",
    wrong={
        "half of the time inside": Wrong(
            lambda p, q, m: _rate(p, q, m, lambda p, q: 0.5),
            "Suppose p is small and q is large. Is half of the text inside?",
        ),
        "the shares exchanged": Wrong(
            lambda p, q, m: _rate(p, q, m, lambda p, q: q / (p + q)),
            "If a bracket rarely opens, in which state is the automaton most of the time?",
        ),
        "the share of the opening brackets": Wrong(
            lambda p, q, m: _rate(p, q, m, lambda p, q: p),
            "p is the probability of going inside. How long does the automaton stay there?",
        ),
        "which letter is left out": Wrong(
            lambda p, q, m: _rate(p, q, m, letters=lambda m: 0.0),
            "Once you know that a letter comes next, how many bits does it take to say which one?",
        ),
        "nats": Wrong(
            lambda p, q, m: _rate(p, q, m, scale=np.log(2)),
            "Which logarithm gives 1 for a fair coin?",
        ),
    },
)
def entropy_rate(p, q, m):
    """Return the bits per symbol of the parenthesis automaton with m letters."""

    def entropy(bracket):
        letter = (1 - bracket) / m
        return -bracket * np.log2(bracket) - m * letter * np.log2(letter)

    inside = p / (p + q)
    return (1 - inside) * entropy(p) + inside * entropy(q)


@exercise(
    "01-probabilities",
    cases=lambda: [(1, 4), (2, 4), (3, 1), (10, 4), (30, 4)],
    hint="Draw the automaton for two kinds of brackets. How many symbols are possible in "
    "each of its four states?",
    success="Each kind of bracket doubles the number of states, so a table of probabilities "
    "grows exponentially. Units don't: one per kind stores the same state.",
    wrong={
        "pairs of states": Wrong(
            lambda k, m: (2**k, 4**k),
            "You counted pairs of states. To how many states does one symbol lead?",
        ),
        "every symbol everywhere": Wrong(
            lambda k, m: (2**k, 2**k * (m + 2 * k)),
            "Can a bracket that is already open be opened again?",
        ),
        "one bracket in all": Wrong(
            lambda k, m: (2**k, 2**k * (m + 1)),
            "In a given state, each kind is either open or not. Which brackets of each kind "
            "are possible?",
        ),
        "brackets added": Wrong(
            lambda k, m: (2 * k, 2 * k * (m + k)),
            "With one kind there are two states. Does a second kind add states, or multiply them?",
        ),
    },
)
def probabilities(k, m):
    """Count the states and the probabilities of the intersection of k bracket automata."""
    return 2**k, 2**k * (m + k)


checklist(
    "01-depth",
    {
        "The strings of 0, 1, ..., m opening brackets are m + 1 strings, and there are m states.": (
            "Which strings must the automaton tell apart to know the depths from 0 to m?"
        ),
        "So two of them, of i and j brackets with i < j, lead to the same state.": (
            "There are more strings than states. What follows?"
        ),
        "From there on, the same ending gives the same result: both are accepted, or both "
        "refused.": ("What does the automaton still know about the string, apart from its state?"),
        "After i closing brackets, one is balanced and the other isn't, which is a "
        "contradiction.": (
            "Which ending is right for one of the two strings and wrong for the other?"
        ),
        "The bound is reached: m states, one per depth, are enough for the depths 0 to m - 1.": (
            "Can m states track a depth of m - 1? Give them names."
        ),
        "A network with n on-off units has 2^n states, so all this holds for it with m = 2^n.": (
            "Does any step of your proof depend on what the states look like?"
        ),
    },
    success="A network with n on-off units has 2^n states, so it can track a depth of at most "
    "2^n - 1.",
)


def _count(inputs, n_h, n_y, biases=1):
    return n_h * (inputs + biases) + n_y * (n_h + biases)


@exercise(
    "01-parameters",
    cases=lambda: [(10, 50, 16, 20, 3), (20, 50, 16, 20, 3), (5, 8, 32, 2, 5), (1, 3, 4, 2, 1)],
    hint="For each network, how many numbers does one hidden unit see, and are its "
    "weights the same at every position?",
    success="Only the network that sees all words at once grows with the sentence. The other "
    "two use the same weights at every position.",
    wrong={
        "the recurrent network unfolded": Wrong(
            lambda T, n_x, n_h, n_y, k: (
                _count(T * n_x, n_h, n_y),
                _count(k * n_x, n_h, n_y),
                T * n_h * (n_x + n_h + 1) + n_y * (n_h + 1),
            ),
            "If T doubles, does the recurrent network get new weights?",
        ),
        "no biases": Wrong(
            lambda T, n_x, n_h, n_y, k: (
                _count(T * n_x, n_h, n_y, 0),
                _count(k * n_x, n_h, n_y, 0),
                _count(n_x + n_h, n_h, n_y, 0),
            ),
            "Which number does a unit have in addition to the weights of its inputs?",
        ),
        "a kernel for each position": Wrong(
            lambda T, n_x, n_h, n_y, k: (
                _count(T * n_x, n_h, n_y),
                (T - k + 1) * n_h * (k * n_x + 1) + n_y * (n_h + 1),
                _count(n_x + n_h, n_h, n_y),
            ),
            "In a convolution, does each position have a separate kernel?",
        ),
        "one word at a time": Wrong(
            lambda T, n_x, n_h, n_y, k: (
                _count(n_x, n_h, n_y),
                _count(k * n_x, n_h, n_y),
                _count(n_x + n_h, n_h, n_y),
            ),
            "The first network sees all words at once. How many numbers is that?",
        ),
        "the recurrent weights forgotten": Wrong(
            lambda T, n_x, n_h, n_y, k: (
                _count(T * n_x, n_h, n_y),
                _count(k * n_x, n_h, n_y),
                _count(n_x, n_h, n_y),
            ),
            "What does a recurrent unit see in addition to the word?",
        ),
    },
)
def parameters(T, n_x, n_h, n_y, k):
    """Count the parameters of an MLP for T words, a convolution and a recurrent network."""
    out = n_y * n_h + n_y
    return (
        n_h * T * n_x + n_h + out,
        n_h * k * n_x + n_h + out,
        n_h * n_x + n_h * n_h + n_h + out,
    )


@exercise(
    "01-window",
    cases=lambda: [(3, 3), (4, 3), (10, 3), (10, 5), (100, 2), (1000, 3), (1, 4), (101, 11)],
    hint="One layer of width 3 sees 3 words. How many words does a unit of the second layer see?",
    success="Each layer widens the window by k - 1 words, so a longer sentence needs more "
    "layers. A loop reaches any distance with one set of weights.",
    wrong={
        "windows side by side": Wrong(
            lambda T, k: -(-T // k),
            "How many words do three neighboring units of the first layer see in total?",
        ),
        "multiplied by the width each time": Wrong(
            lambda T, k: next(L for L in range(1, T + 2) if k**L >= T) if T > 1 else 0,
            "The windows of neighboring units overlap. How many words does a second layer add?",
        ),
        "rounded down": Wrong(
            lambda T, k: (T - 1) // (k - 1),
            "Does your unit still see every word when T grows by one?",
        ),
        "T instead of T - 1": Wrong(
            lambda T, k: -(-T // (k - 1)), "With no layers at all, how many words are seen?"
        ),
    },
)
def layers(T, k):
    """Count the stacked convolutions of width k that a unit needs to see T words."""
    return int(np.ceil((T - 1) / (k - 1)))


def _net(U, W, b, V, c):
    parts = {"U": U, "W": W, "b": b, "V": V, "c": c}
    return {name: np.array(part, float) for name, part in parts.items()}


def _two_units(K, sign=1):
    return _net(
        K * np.ones((2, 1)),
        K * np.array([[0.5, -0.5], [0.5, -0.5]]),
        K * np.array([-0.5, -1.5]),
        [[sign, -sign]],
        [-sign],
    )


def _inside(params):
    """Return at each step of some texts whether a network outputs "inside"; 1 is a mark."""
    rng = np.random.default_rng(1)
    texts = [[1, 0, 0, 1, 0, 1, 1, 0], [0] * 5, [1] * 9, *(rng.random((4, 30)) < 0.3)]
    outputs = [rnn_forward(params, np.array(text, float)[:, None]).o for text in texts]
    if any(o.shape[1:] != (1,) for o in outputs):
        raise ValueError("expected one output")
    return np.concatenate(outputs)[:, 0] > 0


@exercise(
    "01-quotes",
    cases=lambda: [(20,), (40,)],
    measure=_inside,
    hint="Run your network over 1, 0, 1, 0 and print the states. Which two units have a "
    "difference that gives the answer?",
    success="With large weights, smooth tanh units behave like the on-off units of the page, "
    "and gradient descent can train them.",
    instance="""
    def inside(params, text):
        h, found = np.zeros(len(params["b"])), []
        for x in text:
            h = np.tanh(params["b"] + params["U"] @ [x] + params["W"] @ h)
            found.append(bool((params["c"] + params["V"] @ h)[0] > 0))
        return found

    print([
        inside(quotes(20), [0, 1, 0, 1, 1, 0, 0, 1, 0, 1]),
        inside(quotes(40), [1, 1, 1, 0, 1, 0, 0]),
    ])
    """,
    wrong={
        "the mark itself": Wrong(
            lambda K: _net([[K]], [[0]], [-K / 2], [[1]], [0]),
            "Your output depends only on the current symbol. What should it be at the "
            "letter after a mark?",
        ),
        "never closed": Wrong(
            lambda K: _net([[2 * K]], [[K]], [-K / 2], [[1]], [0]),
            "What does a second mark do to your network? Opening and closing marks look the same.",
        ),
        "exchanged": Wrong(
            lambda K: _two_units(K, -1),
            "Only the sign is wrong. Which sign should the output have inside the marks?",
        ),
        "turned at every step": Wrong(
            lambda K: _net([[0]], [[-K]], [0.1 * K], [[1]], [0]),
            "Your state flips at every symbol. What should a letter do to it?",
        ),
    },
)
def quotes(K):
    """Return a network whose output is above 0 inside quotation marks."""
    return {
        "U": np.array([[K], [K]]),
        "W": np.array([[K / 2, -K / 2], [K / 2, -K / 2]]),
        "b": np.array([-K / 2, -3 * K / 2]),
        "V": np.array([[1.0, -1.0]]),
        "c": np.array([-1.0]),
    }


def _source(kinds, *weights):
    alphabet = "ab" + "".join(kinds)
    factors = [bracket_automaton(*kind, alphabet, *weights) for kind in kinds]
    source = factors[0]
    for factor in factors[1:]:
        source = intersect(source, factor)
    return source


def _texts() -> list[tuple]:
    # Unequal weights, so that averages over different symbols differ.
    sources = [_source(["()"]), _source(["()", "[]"]), _source(["()"], 0.3, 4.0)]
    return [(source, source.sample(500, seed=seed)) for seed, source in enumerate(sources)]


def _given_the_one_before(counts):
    return counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)


def _bigrams(automaton, tokens, chances=_given_the_one_before):
    counts = np.zeros((len(automaton.alphabet),) * 2)
    np.add.at(counts, (tokens[:-1], tokens[1:]), 1)
    return -np.log2(chances(counts)[tokens[:-1], tokens[1:]]).mean()


def _least(automaton, tokens, first=1):
    return automaton.loss(tokens)[first:].mean() / np.log(2)


@exercise(
    "01-excess",
    cases=_texts,
    hint="Are both of your averages in bits, and do both run from the second symbol to the last?",
    success="The difference is the price of not knowing the state. A longer window lowers it only "
    "a little, because brackets can stay open beyond any window.",
    instance="""
    class Brackets:
        alphabet = "()"

        def loss(self, tokens):
            return np.where(tokens == 1, 0.2, 0.9) + np.arange(len(tokens)) / 50

    print([
        excess(Brackets(), np.array([0, 0, 1, 0, 1, 1, 0, 1])),
        excess(Brackets(), np.array([1, 1, 1, 0, 0, 1, 0])),
    ])
    """,
    wrong={
        "nats taken from bits": Wrong(
            lambda automaton, tokens: (
                _bigrams(automaton, tokens) - np.log(2) * _least(automaton, tokens)
            ),
            "In which unit does `loss` return its values?",
        ),
        "the symbol before, given the one after": Wrong(
            lambda automaton, tokens: (
                _bigrams(automaton, tokens, lambda counts: counts / np.maximum(counts.sum(0), 1))
                - _least(automaton, tokens)
            ),
            "Do your probabilities sum to 1 over the next symbol or over the previous one?",
        ),
        "no symbol before": Wrong(
            lambda automaton, tokens: (
                _bigrams(
                    automaton, tokens, lambda counts: 0 * counts + counts.sum(0) / counts.sum()
                )
                - _least(automaton, tokens)
            ),
            "A bigram model looks at the previous symbol. Does yours?",
        ),
        "the first symbol counted in one average": Wrong(
            lambda automaton, tokens: _bigrams(automaton, tokens) - _least(automaton, tokens, 0),
            "Which symbols does each of your two averages cover? A bigram model can't "
            "predict one of them.",
        ),
        "divided by the number of all symbols": Wrong(
            lambda automaton, tokens: excess(automaton, tokens) * (len(tokens) - 1) / len(tokens),
            "How many symbols have a symbol before them? Is that the number you divide by?",
        ),
        "the bigrams' loss alone": Wrong(
            _bigrams,
            "This is the loss of the bigram model alone. How much lower is the loss of a "
            "model that knows the state?",
        ),
    },
)
def excess(automaton, tokens):
    """Return how many more bits per symbol a bigram model needs than a model with the state."""
    before, after = tokens[:-1], tokens[1:]
    counts = np.zeros((len(automaton.alphabet),) * 2)
    np.add.at(counts, (before, after), 1)
    p = counts[before, after] / counts.sum(axis=1)[before]
    return -np.log2(p).mean() - automaton.loss(tokens)[1:].mean() / np.log(2)
