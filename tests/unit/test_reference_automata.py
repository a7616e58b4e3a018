"""Automata of section 5.1: what they accept, how probable it is, and how many states that takes."""

import math
import re
from functools import reduce
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import AUTOMATON
from refusals import (
    COUNT,
    NAME,
    NAN,
    POSITIVE,
    REAL,
    SEED,
    STRING,
    TOKENS,
)

from rnn_helpers.reference import (
    END,
    Automaton,
    automaton,
    bigram_automaton,
    bigram_counts,
    bracket_automaton,
    intersect,
)

pytestmark = pytest.mark.chapter("01")

KINDS = "()[]{}"
ROUND = bracket_automaton("(", ")", "ab()[]")
SQUARE = bracket_automaton("[", "]", "ab()[]")
TWO_STATES = {("x", "0"): ("x", 0.9), ("x", "1"): ("y", 0.1), ("y", "1"): ("x", 1.0)}


@st.composite
def automata(draw, alphabet="ab", states=4):
    """Random automata; every state that isn't final has an outgoing symbol."""
    n = draw(st.integers(1, states))
    shape = n, len(alphabet)
    table = st.lists(st.integers(-1, n - 1), min_size=n * shape[1], max_size=n * shape[1])
    following = np.array(draw(table)).reshape(shape)
    raw = draw(st.lists(st.floats(0.1, 5), min_size=following.size, max_size=following.size))
    weights = np.where(following >= 0, np.reshape(raw, shape), 0)
    stop = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    names = [f"s{k}" for k in range(n)]
    return Automaton(alphabet, names, following, weights, draw(st.integers(0, n - 1)), stop)


def strings(alphabet, longest):
    return ["".join(each) for n in range(longest + 1) for each in product(alphabet, repeat=n)]


def language_model(n_kinds, rng=0):
    """Sentences of letters with brackets, all closed at the end."""
    symbols = "ab" + KINDS[: 2 * n_kinds]
    n = len(symbols) + 1
    model = bigram_automaton(symbols, np.random.default_rng(rng).dirichlet(np.ones(n), n))
    features = [
        bracket_automaton(*KINDS[2 * k : 2 * k + 2], model.alphabet, 0.3, 2.0)
        for k in range(n_kinds)
    ]
    return reduce(intersect, features, model).normalised()


@given(automata(), automata())
def test_the_intersection_accepts_common_sequences_and_multiplies_their_weights(a, b):
    both = intersect(a, b)
    for string in strings("ab", 5):
        assert both.accepts(string) == (a.accepts(string) and b.accepts(string))
        assert both.weight(string) == pytest.approx(a.weight(string) * b.weight(string))


@given(automata(), automata())
def test_the_intersection_has_the_states_that_strings_reach_and_no_other(a, b):
    both = intersect(a, b)
    longest = len(a) * len(b)  # a walk that is longer visits a state twice
    visited = {both.walk(string)[-1] for string in strings("ab", min(longest, 9))}
    assert visited <= set(both.states)
    if longest <= 9:
        assert visited == set(both.states)
    for string in strings("ab", 3):
        pairs = [f"{one} {other}" for one, other in zip(a.walk(string), b.walk(string))]  # noqa: B905
        assert list(both.walk(string)) == pairs


def test_brackets_are_accepted_if_each_that_opens_closes_before_the_next_opens():
    """The parenthesis automaton, in any order and with any symbols between."""
    for string in strings("a()", 6):
        marks = re.sub("a", "", string)
        assert bracket_automaton("(", ")", "a()").accepts(string) == (
            re.fullmatch(r"(\(\))*", marks) is not None
        )


def test_two_kinds_of_brackets_make_four_states():
    """Neither open, one, the other, both; and they may cross, as no stack forbids it."""
    both = intersect(ROUND, SQUARE)
    assert set(both.states) == {"q0 q0", "q0 q1", "q1 q0", "q1 q1"}
    assert both.walk("a(b[)]") == ("q0 q0", "q0 q0", "q1 q0", "q1 q0", "q1 q1", "q0 q1", "q0 q0")
    assert both.accepts("a(b[)]")
    assert not both.accepts("(a[")
    assert both.walk("a]a") == ("q0 q0", "q0 q0")


@pytest.mark.parametrize("n", [1, 2, 5, 10])
def test_n_features_make_two_to_the_n_states(n):
    brackets = [f"{side}{k}" for k in range(n) for side in "()"]
    features = [bracket_automaton(f"({k}", f"){k}", brackets) for k in range(n)]
    assert len(reduce(intersect, features)) == 2**n


def test_a_bigram_automaton_remembers_the_symbol_before():
    p = [[0.5, 0.25, 0.25], [0, 0.9, 0.1], [1, 0, 0]]
    model = bigram_automaton("ab", p)
    assert model.states == ("q_<s>", "q_a", "q_b", f"q_{END}")
    assert model.alphabet == ("a", "b", END)
    assert model.walk([*"ab", END]) == ("q_<s>", "q_a", "q_b")  # no end after b
    assert model.walk([*"aba", END]) == ("q_<s>", "q_a", "q_b", "q_a", f"q_{END}")
    assert model.weight([*"aba", END]) == pytest.approx(0.5 * 0.9 * 1 * 0.1)
    assert model.accepts([*"aba", END])
    assert not model.accepts("aba")
    np.testing.assert_allclose(model.next_symbol("q_a"), [0, 0.9, 0.1])
    np.testing.assert_array_equal(model.next_symbol(f"q_{END}"), 0)


def test_bigrams_without_an_end_stop_anywhere():
    model = bigram_automaton("ab", [[1, 1], [3, 1], [1, 0]])
    assert model.alphabet == ("a", "b")
    assert model.accepts("aab")
    assert model.accepts("")
    assert model.weight("aab") == pytest.approx(0.5 * 0.75 * 0.25)


def test_probabilities_are_counted():
    counts = bigram_counts(["ab", "aab", ""], "ab")
    np.testing.assert_array_equal(counts, [[2, 0, 1], [1, 2, 0], [0, 0, 2]])
    np.testing.assert_allclose(bigram_automaton("ab", counts).next_symbol("q_a"), [1 / 3, 2 / 3, 0])


def test_the_sentences_of_a_language_model_have_probabilities_that_sum_to_one():
    model = bigram_automaton("ab", [[0.3, 0.3, 0.4], [0.1, 0.2, 0.7], [0.2, 0.1, 0.7]])
    total = math.fsum(model.weight([*string, END]) for string in strings("ab", 11))
    assert total == pytest.approx(1, abs=1e-5)


def test_a_sentence_ends_when_all_brackets_are_closed():
    model = language_model(2)
    tokens = model.sample(4000, seed=0)
    text = "".join({END: "."}.get(model.alphabet[token], model.alphabet[token]) for token in tokens)
    for sentence in text.split(".")[:-1]:
        assert model.accepts([*sentence, END])
        assert sentence.count("(") == sentence.count(")")
        assert sentence.count("[") == sentence.count("]")


def test_the_entropy_of_two_states():
    """State x chooses with 0.9 and 0.1, y always the same: ``mu_x H(0.1)``, mu_x = 1 / 1.1."""
    model = automaton("01", TWO_STATES, "x", ["x", "y"])
    np.testing.assert_allclose(model.long_run, [1 / 1.1, 0.1 / 1.1], rtol=1e-12)
    entropy = -(0.9 * np.log(0.9) + 0.1 * np.log(0.1))
    assert model.entropy_rate == pytest.approx(entropy / 1.1, rel=1e-12)


@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_the_long_run_of_two_states_is_in_proportion_to_the_ways_in(p, q):
    """``mu_x p = mu_y q``, even where p = q = 1 and the states alternate for ever."""
    table = {("x", "1"): ("y", p), ("y", "1"): ("x", q)}
    if p < 1:
        table["x", "0"] = "x", 1 - p
    if q < 1:
        table["y", "0"] = "y", 1 - q
    model = automaton("01", table, "x", ["x"])
    np.testing.assert_allclose(model.long_run, [q / (p + q), p / (p + q)], rtol=1e-9)


@pytest.mark.parametrize("model", [language_model(1), language_model(3)])
def test_the_best_model_needs_the_entropy_rate_on_a_long_sample(model):
    losses = model.loss(model.sample(400, batch_size=100, seed=1))
    # sequences are independent, so their means give the error
    error = losses.mean(axis=0).std() / 10
    assert losses.mean() == pytest.approx(model.entropy_rate, abs=4 * error)
    assert error < 0.01


def test_the_long_run_stays_as_it_is():
    model = language_model(3)
    step = np.zeros((len(model), len(model)))
    before, token = np.nonzero(model.weights)
    after = model.following[before, token]
    ended = ~model.weights.any(axis=1)
    after = np.where(ended[after], model.start, after)
    np.add.at(step, (before, after), model.weights[before, token])
    np.testing.assert_allclose(model.long_run @ step, model.long_run, atol=1e-14)
    assert model.long_run.sum() == pytest.approx(1)
    assert model.long_run[ended] == 0


@pytest.mark.slow
def test_ten_features_are_within_reach():
    brackets = [f"{side}{k}" for k in range(10) for side in "()"]
    alphabet = [*"abcd", *brackets]
    model = bigram_automaton(alphabet, np.ones((25, 24)))
    features = [bracket_automaton(f"({k}", f"){k}", alphabet, 0.1, 0.3) for k in range(10)]
    model = reduce(intersect, features, model).normalised()
    # after a letter any brackets may be open, after a bracket it is known of its kind; the start
    assert len(model) == 2**10 * 4 + 20 * 2**9 + 1
    entered = 0.1 / (0.1 + 0.3)
    inside = np.array([name.split()[1] == "q1" for name in model.states])
    assert 0.9 * entered < model.long_run[inside].sum() < 1.1 * entered
    assert model.sample(20, batch_size=3, seed=0).shape == (20, 3)


def test_samples_repeat_with_the_seed_and_fit_their_loss():
    model = language_model(2)
    np.testing.assert_array_equal(model.sample(50, seed=5), model.sample(50, seed=5))
    assert (model.sample(50, seed=5) != model.sample(50, seed=6)).any()
    tokens = model.sample(30, seed=7)
    first = [model.alphabet[token] for token in tokens[:1]]
    assert model.loss(tokens)[0] == pytest.approx(-math.log(model.weight(first)))
    np.testing.assert_allclose(
        model.loss(np.stack([tokens, tokens], axis=1))[:, 1], model.loss(tokens)
    )


def test_the_loss_of_a_sentence_is_minus_the_logarithm_of_its_probability():
    model = language_model(1)
    sentence = [*"a(b)", END]
    loss = model.loss(model.encode(sentence)).sum()
    assert loss == pytest.approx(-math.log(model.weight(sentence)))
    # the next sentence starts in the initial state
    twice = model.loss(model.encode(sentence * 2))
    np.testing.assert_allclose(twice[5:], twice[:5])


def test_an_open_bracket_is_likely_to_close():
    """Chiang's presumption of the closing bracket: unlikely in q0 (here impossible), not in q1."""
    model = intersect(
        bigram_automaton("a()", np.ones((4, 3))), bracket_automaton("(", ")", "a()", 0.1, 4.0)
    )
    closing = model.alphabet.index(")")
    assert model.next_symbol("q_a q0")[closing] == 0
    assert model.next_symbol("q_a q1")[closing] == pytest.approx(0.8)


def test_a_dead_end_has_no_long_run():
    model = automaton("a", {("x", "a"): ("y", 1)}, "x", ["x"])
    for ask in (lambda: model.entropy_rate, lambda: model.sample(3)):
        with pytest.raises(ValueError, match="'y' is a dead end"):
            ask()
    ends = automaton("a", {("x", "a"): ("y", 1)}, "x", ["y"])
    assert ends.entropy_rate == 0
    np.testing.assert_array_equal(ends.sample(3), 0)


@pytest.mark.slow
def test_an_automaton_that_converges_too_slowly_has_no_long_run():
    table = {("x", "0"): ("x", 1 - 1e-9), ("x", "1"): ("y", 1e-9), ("y", "1"): ("y", 1.0)}
    with pytest.raises(ValueError, match="still change"):
        _ = automaton("01", table, "x", ["x"]).long_run


def test_an_automaton_is_not_to_be_changed():
    weights = np.array(ROUND.weights)
    made = Automaton(ROUND.alphabet, ROUND.states, ROUND.following, weights, 0, ROUND.stop)
    weights[:] = 7
    assert made.weights.max() == 1
    with pytest.raises(ValueError, match="read-only"):
        made.weights[0, 0] = 2
    with pytest.raises(AttributeError):
        made.start = 1


SYMBOLS = [None, 3, [], "aa", [""], [3], NAN]

REFUSALS = {
    Automaton: (
        {
            "alphabet": "ab",
            "states": ["q"],
            "following": [[0, -1]],
            "weights": [[0.5, 0.0]],
            "start": 0,
            "stop": [True],
        },
        {
            "alphabet": [*SYMBOLS, "abc"],
            "states": [*SYMBOLS, ["q", "r"]],
            "following": [*REAL, [[1, -1]], [[-2, -1]], [[0.0, -1.0]], [[0, 0]], [[-1, -1]]],
            "weights": [*REAL, [[0, 0]], [[1, 1]], [[-1, 0]], [[1, -1]]],
            "start": [-1, 1, 0.5, "q", None, NAN],
            "stop": [None, 1, [1], "q", [True, False], NAN],
        },
        {"alphabet": "following", "states": "following"},
    ),
    **{
        getattr(AUTOMATON, name): ({"string": "a()"}, {"string": STRING})
        for name in ("encode", "walk", "accepts", "weight")
    },
    AUTOMATON.next_symbol: ({"state": "q1"}, {"state": NAME}),
    AUTOMATON.sample: (
        {"length": 3, "batch_size": 2, "seed": 0},
        {"length": COUNT, "batch_size": [v for v in COUNT if v is not None], "seed": SEED},
    ),
    AUTOMATON.loss: (
        {"tokens": [0, 2, 3]},
        {"tokens": [*TOKENS[:6], [0, 2, 2], [[[0]]], *TOKENS[-3:]]},
    ),
    automaton: (
        {"alphabet": "ab", "transitions": {("q", "a"): ("r", 1)}, "start": "q", "stop": ["r"]},
        {
            "alphabet": [*SYMBOLS, "b"],
            "transitions": [
                None,
                3,
                {"q": "r"},
                {("q", "a"): 3},
                {("q", "a"): (3, 1)},
                {("q", "c"): ("r", 1)},
                *({("q", "a"): ("r", weight)} for weight in POSITIVE),
            ],
            "start": [None, 3, ""],
            "stop": [None, 3, ["s"], [3]],
        },
        {"alphabet": "transitions"},
    ),
    bigram_automaton: (
        {"alphabet": "ab", "weights": np.ones((3, 3))},
        {
            "alphabet": [*SYMBOLS, "abc", ["a", END]],
            "weights": [*REAL, np.zeros((3, 3)), -np.ones((3, 3)), np.ones((3, 4))],
        },
        {"alphabet": "weights"},
    ),
    bigram_counts: (
        {"strings": ["ab", ""], "alphabet": "ab"},
        {"strings": [None, 3, [3], ["abc"], [[3]]], "alphabet": [*SYMBOLS, "c"]},
        {"alphabet": "strings"},
    ),
    bracket_automaton: (
        {
            "opening": "(",
            "closing": ")",
            "alphabet": "a()",
            "open_weight": 0.1,
            "close_weight": 0.5,
        },
        {
            "opening": [None, "", "[", 3, ")"],
            "closing": [None, "", "]", 3, "(", np.array([1, 2])],
            "alphabet": [*SYMBOLS, "a("],
            "open_weight": POSITIVE,
            "close_weight": POSITIVE,
        },
        {"alphabet": "closing"},
    ),
    intersect: (
        {"a": AUTOMATON, "b": AUTOMATON},
        {"a": [None, 3, "a"], "b": [None, 3, bracket_automaton("(", ")", "()")]},
    ),
}
