"""The figure automaton builds, intersects and reads automata as the reference does."""

import re
from functools import reduce

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.automata import nothing
from rnn_helpers.explore.states import complete
from rnn_helpers.figures.automaton import figure as automaton
from rnn_helpers.reference import END, bigram_automaton, bracket_automaton, intersect

pytestmark = pytest.mark.chapter("01")
META = manifest()["automaton"]
ALPHABET = [*automaton.CONSTANTS.SYMBOLS, END]
DEFAULT = complete("automaton", {})
FACTORS = {"bigram": None, "round": "()", "square": "[]"}
CHOICES = [
    [name for name, on in zip(FACTORS, bits, strict=True) if on] for bits in np.ndindex(2, 2, 2)
]

strings = st.lists(st.sampled_from(ALPHABET[:-1]), max_size=16)


def on(names):
    return {name: name in names for name in FACTORS}


def ours(names):
    """Intersect some of `FACTORS`, in their order; without names, every symbol may come."""
    bigram, weights = (
        automaton.CONSTANTS.BIGRAM,
        (automaton.CONSTANTS.OPEN, automaton.CONSTANTS.CLOSE),
    )
    machines = [
        bracket_automaton(*FACTORS[name], ALPHABET, *weights)
        if FACTORS[name]
        else bigram_automaton(ALPHABET[:-1], bigram)
        for name in names
    ]
    return reduce(intersect, machines or [nothing(ALPHABET)]).normalised()


@pytest.mark.parametrize("names", CHOICES, ids="+".join)
def test_every_intersection_has_the_references_states_transitions_and_weights(math, names):
    made = math("product", on(names))
    machine = ours(names)
    theirs = made["machine"]
    assert tuple(theirs["states"]) == machine.states
    assert tuple(theirs["alphabet"]) == machine.alphabet
    np.testing.assert_array_equal(theirs["following"], machine.following)
    close(theirs["weights"], machine.weights)
    assert theirs["start"] == machine.start
    np.testing.assert_array_equal(theirs["stop"], machine.stop)
    assert made["transitions"] == (machine.weights > 0).sum()


@pytest.mark.parametrize("names", CHOICES, ids="+".join)
def test_the_long_run_and_the_bits_it_leaves_open_match_the_reference(math, names):
    machine = ours(names)
    theirs = math("product", on(names))
    np.testing.assert_allclose(math("longRun", theirs["machine"]), machine.long_run, atol=1e-12)
    close(theirs["rate"], machine.entropy_rate / np.log(2))


@given(strings, st.booleans(), st.sampled_from(CHOICES), st.integers(0, 17))
def test_every_step_of_a_walk_matches_the_reference(math, symbols, ends, names, t):
    text = "".join(symbols) + END * ends
    now = math("compute", DEFAULT | on(names) | {"text": text, "t": t})
    machine, read = ours(names), [*symbols, END] if ends else symbols
    read = read[:t]
    walk = machine.walk(read)
    assert tuple(now["machine"]["states"][q] for q in now["visited"]) == walk
    close(now["next"], machine.next_symbol(walk[-1]))
    assert now["refused"] == (read[len(walk) - 1] if len(walk) <= len(read) else None)
    for name, visited in now["factors"].items():
        assert len(visited) == len(ours([name]).walk(read))


@given(st.data())
def test_automata_of_any_weights_match_the_reference(math, data):
    """bigram_automaton, bracket_automaton, intersect: not at the figure's numbers alone."""
    n = data.draw(st.integers(2, 5))
    symbols = list("ab()[]")[:n]
    row = st.lists(st.floats(0.01, 5), min_size=n + 1, max_size=n + 1)
    weights = data.draw(st.lists(row, min_size=n + 1, max_size=n + 1))
    open_, close_ = data.draw(st.tuples(*[st.floats(0.1, 5)] * 2))
    a = bigram_automaton(symbols, weights)
    b = bracket_automaton(*symbols[:2], a.alphabet, open_, close_)
    both = intersect(a, b)
    theirs = math.eval(
        """(() => {
          const a = M.bigramAutomaton(symbols, weights);
          const b = M.bracketAutomaton(symbols[0], symbols[1], a.alphabet, open, close);
          const both = M.intersect(a, b);
          return { ...both, rate: M.entropyRate(both) };
        })()""",
        **{"symbols": symbols, "weights": weights, "open": open_, "close": close_},
    )
    assert tuple(theirs["states"]) == both.states
    np.testing.assert_array_equal(theirs["following"], both.following)
    close(theirs["weights"], both.weights)
    np.testing.assert_allclose(theirs["rate"], both.entropy_rate / np.log(2), atol=1e-9)


def test_the_prediction_and_the_sentences_of_the_figure_hold(math):
    states = {len(names): len(ours(names)) for names in (["bigram", "round"], list(FACTORS))}
    assert states == {2: 12, 3: 18}
    assert META["prediction"]["answer"] == "18"
    assert "together have 12 states" in META["prediction"]["question"]
    once, twice = (ours(names).states for names in (["bigram", "round"], list(FACTORS)))
    doubled = [name for name in once if sum(other.startswith(f"{name} ") for other in twice) == 2]
    assert [name.split()[0] for name in doubled] == ["q_a", "q_a", "q_b", "q_b", "q_(", "q_)"]
    # no end while a bracket is open that the automaton knows of
    full = ours(list(FACTORS))
    for state in full.states:
        inside = state.split()[1:] != ["q0", "q0"]
        assert not (inside and full.next_symbol(state)[-1])


def test_the_alternative_text_gives_the_numbers_of_the_untouched_figure(math):
    now = math("compute", DEFAULT)
    names = now["machine"]["states"]
    assert names[now["at"]] == "q_b q1"
    p = dict(zip(ALPHABET, now["next"], strict=True))
    said = re.findall(r"\d+(?:\.\d+)?", META["alt"])
    assert said == [
        *("8", "2", str(len(names)), str(now["transitions"]), f"{now['rate']:.2f}"),
        *(f"{p['a']:.2f}", f"{p[')']:.2f}", f"{p[END]:g}"),
    ]


@pytest.mark.parametrize(
    ("text", "symbols", "strange", "cut"),
    [
        ("", [], [], False),
        (" a b ", ["a", "b"], [], False),
        ("a</s>", ["a", END], [], False),
        ("</s>", [END], [], False),
        ("xa</s>b", ["a", "b"], ["x", "<", "/", "s", ">"], False),
        ("ab" * 20 + "</s>", [*"abababababababab", END], [], True),
    ],
)
def test_typed_text_is_parsed_as_far_as_possible(math, text, symbols, strange, cut):
    read = math("read", text)
    assert read == {"symbols": symbols, "strange": strange, "cut": cut}
    assert automaton.read(text) == symbols


@pytest.mark.parametrize("state", [{}, {"square": True}, {"text": "((a", "t": 3}])
def test_its_words_give_the_states_and_the_bits_that_are_left(state):
    now, told = DEFAULT | state, status("automaton", **state)
    machine = ours([name for name in FACTORS if now[name]])
    read = automaton.read(now["text"])[: now["t"]]
    walk = machine.walk(read)
    assert f"has {len(machine)} states" in told
    if len(walk) > len(read):
        p = machine.next_symbol(walk[-1])
        assert f"{-(p[p > 0] * np.log2(p[p > 0])).sum():.2f} bits" in told
    else:
        assert f"{read[len(walk) - 1]} can't come next" in told
