from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.reference.stack import (
    EMPTY,
    SYMBOLS,
    bracket_network,
    nonempty,
    pop,
    push,
    saturate,
    top,
)

pytestmark = pytest.mark.chapter("03")
some_bits = st.lists(st.integers(0, 1), max_size=60)


def stack_of(bits, number=Fraction):
    q = number(EMPTY)
    for bit in bits:
        q = push(q, bit)
    return q


@given(some_bits)
def test_a_stack_is_a_fraction_in_base_4_with_digits_1_and_3(bits):
    digits = [1 + 2 * bit for bit in reversed(bits)]
    expected = sum(Fraction(digit, 4**place) for place, digit in enumerate(digits, start=1))
    assert stack_of(bits) == expected
    assert 0 <= stack_of(bits) < 1


@given(some_bits, st.integers(0, 1))
def test_with_fractions_pushed_values_are_popped_exactly(bits, bit):
    q = stack_of(bits)
    pushed = push(q, bit)
    assert top(pushed) == bit
    assert nonempty(pushed) == 1
    assert pop(pushed) == q
    assert all(type(value) is Fraction for value in (pushed, top(pushed), pop(pushed)))


def test_an_empty_stack_is_known_and_stays_empty():
    q = Fraction(EMPTY)
    assert nonempty(q) == top(q) == pop(q) == 0


def test_the_type_of_number_is_kept():
    for number in (Fraction, float, np.float64, np.float32):
        q = push(number(EMPTY), 1)
        assert {type(result) for result in (push(q, 0), pop(q), top(q), nonempty(q))} == {number}


def share_intact(depth, number, trials=50):
    """Return the share of random stacks that are popped as they were pushed."""
    contents = np.random.default_rng(0).integers(2, size=(trials, depth)).tolist()
    intact = []
    for bits in contents:
        q, popped = stack_of(bits, number), []
        for _ in bits:
            popped.append(round(top(q)))
            q = pop(q)
        intact.append(popped[::-1] == bits)
    return np.mean(intact)


def test_fractions_keep_a_stack_of_any_depth():
    assert share_intact(600, Fraction, trials=1) == 1


def test_floats_keep_a_stack_as_deep_as_their_precision_in_base_4():
    assert share_intact(26, float) == 1
    assert 0 < share_intact(28, float) < 1
    assert share_intact(40, float) == 0
    assert share_intact(12, np.float32) == 1
    assert share_intact(20, np.float32) < 0.1


@pytest.mark.equation("10.8")
def test_the_bracket_network_has_ten_units_and_fixed_short_weights():
    params = bracket_network()
    assert params["W"].shape == (10, 10)
    assert params["U"].shape == (10, len(SYMBOLS))
    for array in params.values():
        assert all((4 * weight).denominator == 1 and abs(weight) <= 4 for weight in array.flat)
    for number, dtype in ((float, np.float64), (np.float32, np.float32)):
        for name, array in bracket_network(number).items():
            assert array.dtype == dtype
            np.testing.assert_array_equal(array, params[name].astype(dtype))


@given(st.lists(st.sampled_from("([)]a"), max_size=20))
def test_until_something_is_wrong_the_network_outputs_the_stack_itself(text):
    U, W, V, b, c = bracket_network().values()
    h, q = np.array([Fraction(0)] * len(b)), Fraction(EMPTY)
    for character in text:
        x = U[:, SYMBOLS.index(character if character in SYMBOLS else ".")]
        h = np.array([saturate(z) for z in b + W @ h + x])
        if character in "([":
            q = push(q, "([".index(character))
        elif character in ")]":
            if not nonempty(q) or top(q) != ")]".index(character):
                assert (c + V @ h)[0] >= 1
                return
            q = pop(q)
        assert (c + V @ h)[0] == q


def balanced_by_list(text):
    opened = []
    for character in text:
        if character in "([":
            opened.append(character)
        elif character in ")]" and (not opened or opened.pop() + character not in ("()", "[]")):
            return False
    return not opened


def is_balanced(text, number=Fraction):
    U, W, V, b, c = bracket_network(number).values()
    h = np.array([number(0)] * len(b))
    for character in text:
        Ux = U[:, SYMBOLS.index(character if character in SYMBOLS else ".")]
        h = np.array([saturate(z) for z in b + W @ h + Ux])
    return bool((c + V @ h)[0] < 1 / 8)


@given(st.text("()[]a", max_size=12))
def test_the_network_answers_as_a_list_does(text):
    assert is_balanced(text) is balanced_by_list(text)
    assert is_balanced(text, float) is balanced_by_list(text)


@st.composite
def balanced(draw, depth=4):
    if not depth:
        return ""
    parts = [
        opening + draw(balanced(depth - 1)) + closing
        for opening, closing in draw(st.lists(st.sampled_from(["()", "[]"]), max_size=2))
    ]
    return "a".join(parts)


@given(balanced(), st.data())
def test_balanced_texts_are_accepted_and_one_wrong_bracket_is_found(text, data):
    assert is_balanced(text)
    places = [i for i, character in enumerate(text) if character in "()[]"]
    if places:
        i = data.draw(st.sampled_from(places))
        other = data.draw(st.sampled_from(sorted(set("()[]") - {text[i]})))
        assert not is_balanced(text[:i] + other + text[i + 1 :])


def nested(depth):
    opening = "".join(np.random.default_rng(depth).choice(["(", "["], depth))
    return opening + opening[::-1].translate(str.maketrans("([", ")]"))


def test_the_network_is_right_at_any_depth_with_fractions_and_to_some_depth_with_floats():
    assert is_balanced(nested(60))
    assert not is_balanced(nested(60)[:-1])
    assert is_balanced(nested(26), float)
    assert not is_balanced(nested(60), float)
    assert is_balanced(nested(12), np.float32)
    assert not is_balanced(nested(20), np.float32)


def test_bad_input_is_rejected_by_name():
    with pytest.raises(ValueError, match="bit is 2; expected 0 or 1"):
        push(Fraction(0), 2)
    with pytest.raises(ValueError, match="bit is '1'"):
        push(Fraction(0), "1")
