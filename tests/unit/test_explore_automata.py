"""The lab on states draws an automaton for any input, and its numbers are right."""

import re

import numpy as np
import pytest
from books import contains_nan

from rnn_helpers.explore import automata
from rnn_helpers.reference import END

pytestmark = pytest.mark.chapter("01")

NASTY = [
    *("", " ", "\n\t\r\0", "a" * 500, r"$\frac{1}{0}$ \mathrm{ ^_{ $", "<script>&amp;", "((((]]]]"),
    *("𝔘 e\u0301 \u202eabc 👩\u200d🔬 ⊳□", "a b c, d e f, a a a, even a odd", "- a -, x a -"),
]
DEFAULTS = {"sentences": "(ab)a b[a]", "before": True, "brackets": "( )", "own": "", "string": "(a"}


def test_the_automaton_has_all_combinations_that_are_reachable():
    for brackets, states in {"none": 8, "( )": 12, "( ) and [ ]": 18}.items():
        assert len(automata.remembered("ab()[]", True, brackets)) == states
        # without the symbol before
        alone = automata.remembered("ab()[]", False, brackets)
        assert len(alone) == {"none": 1, "( )": 2, "( ) and [ ]": 4}[brackets]


def test_bigram_probabilities_use_add_one_smoothing():
    machine = automata.remembered("ab aab b", True, "none")
    # a is followed by a once, by b twice and by the end never
    np.testing.assert_allclose(machine.next_symbol("q_a"), np.array([2, 3, 1]) / 6)
    np.testing.assert_allclose(machine.next_symbol("q_<s>"), np.array([3, 2, 1]) / 6)


def test_states_include_a_custom_feature():
    machine = automata.remembered("ab", False, "none", "even a odd, odd a even")
    assert machine.walk("aba") == ("even", "odd", "odd", "even")
    both = automata.remembered("ab", True, "( )", "even a odd, odd a even")
    assert both.walk("a(a")[-1] == "q_a q1 even"
    assert len(automata.remembered("ab", False, "none", "x y, z, a zz b, 1 2 3 4")) == 1
    many = ", ".join(f"s{k} a s{k + 1}" for k in range(9))
    assert len(automata.remembered("ab", False, "none", many)) == automata.MOST_STATES


def test_a_feature_that_forbids_a_symbol_lowers_the_entropy_rate():
    steps = "even a odd, odd a even"
    only, free = (
        automata.remembered("ab", True, "none", steps + more) for more in (", odd </s> -", "")
    )
    assert free.accepts(["a", END])
    assert not only.accepts(["a", END])
    assert only.accepts(["a", "b", "a", END])
    assert only.entropy_rate < free.entropy_rate
    alone = automata.remembered("ab", True, "none")
    assert free.entropy_rate == pytest.approx(alone.entropy_rate)  # it makes no request
    refused = ", ".join(f"y {symbol} -" for symbol in [*"ab()[]", END])
    stuck = automata.laboratory(**DEFAULTS | {"own": f"x a y, {refused}"})
    assert "a state that no arrow leaves" in stuck.alt


@pytest.mark.slow
def test_the_figure_shows_the_numbers_of_the_automaton():
    plot = automata.laboratory(**DEFAULTS)
    machine = automata.remembered("(ab)a b[a]", True, "( )")
    said = r"([\d.]+) bits per symbol; one sentence in ([\d.]+) begins this way"
    bits, odds = re.search(said, plot.alt).groups()
    assert float(bits) == pytest.approx(machine.entropy_rate / np.log(2), rel=5e-3)
    assert float(odds) == pytest.approx(1 / machine.weight("(a"), rel=5e-3)
    refused = automata.laboratory(**DEFAULTS | {"string": "((a"})
    assert "no sentence begins this way" in refused.alt


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["sentences", "own", "string"])
@pytest.mark.parametrize("text", NASTY)
def test_any_input_gives_a_figure(name, text):
    plot = automata.laboratory(**DEFAULTS | {name: text})
    assert plot.png()
    assert not contains_nan(plot.alt)


@pytest.mark.slow
def test_the_largest_automaton_can_be_drawn():
    plot = automata.laboratory(
        "abcdefgh()[]{}", True, "( ), [ ] and { }", "p a q, q a r, r a s, s b p", "a({[b" * 9
    )
    assert re.search(r"An automaton of (\d\d\d) states", plot.alt)


def test_errors_name_the_invalid_argument():
    with pytest.raises(ValueError, match="brackets is '<>'"):
        automata.remembered("ab", True, "<>")
    for name in ("sentences", "own", "string"):
        with pytest.raises(TypeError, match=f"{name} is 3"):
            automata.laboratory(**DEFAULTS | {name: 3})
    assert automata.read(" (a]x" + END, "ab()[]", 16) == ["(", "a", "]", END]
