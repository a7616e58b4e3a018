"""The figure `sampler` writes the same texts as Python, and its words state its numbers."""

import re

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures.sampler import model as sampler

pytestmark = pytest.mark.chapter("05")
META = manifest()["sampler"]
DEFAULT = complete("sampler", {})
LENGTH = META["controls"]["at"]["max"]
PHRASE = " of the subject"


def written(math, prompt, temperature, seed, length):
    """Return the figure's tokens, with u, probabilities and states before each."""
    return math.eval(
        f"M.write({prompt!r}, {temperature}, {seed}).until({length})"
        ".map(({ token, u, yhat, h, s }) => [token, u, yhat, [...h, ...s]])"
    )


likely = st.lists(st.floats(1e-6, 1), min_size=2, max_size=9).map(lambda p: np.array(p) / sum(p))


@given(likely, st.sampled_from([0, 0.05, 0.3, 0.5, 1, 1.7, 2]), st.floats(0, 1, exclude_max=True))
def test_a_draw_matches_python(math, yhat, temperature, u):
    ours = math("tempered", yhat, temperature)
    close(ours, sampler.tempered(yhat, temperature))
    ends = np.cumsum(np.sort(ours)[::-1])
    if np.abs(ends - u).min() > 1e-9:  # on an end, rounding decides
        assert math("draw", yhat, temperature, u) == sampler.draw(yhat, temperature, u)


def test_a_tempered_probability_is_the_softmax_of_the_output_over_the_temperature(math):
    o = np.random.default_rng(0).normal(size=7)
    yhat = np.exp(o) / np.exp(o).sum()
    for heat in (0.1, 0.5, 1.0, 2.0):
        expected = np.exp(o / heat) / np.exp(o / heat).sum()
        close(math("tempered", yhat, heat), expected)
        close(sampler.tempered(yhat, heat), expected)


@pytest.mark.slow
def test_the_pieces_are_as_long_as_their_probabilities(math):
    yhat = [0.1, 0.6, 0.3]
    us = (np.arange(1000) + 0.5) / 1000
    drawn = [math("draw", yhat, 1, u) for u in us]
    assert np.bincount(drawn).tolist() == [100, 600, 300]
    assert drawn == sorted(drawn, key=[1, 2, 0].index)  # the most likely first


@pytest.mark.parametrize("prompt", ["She sells ", "", "\u00e4 #\n "])
@pytest.mark.parametrize(("temperature", "seed"), [(0, 0), (0.5, 3), (1, 1), (2, 99)])
def test_every_character_matches_python(math, prompt, temperature, seed):
    ours = written(math, prompt, temperature, seed, 40)
    theirs = sampler.write(prompt, temperature, seed, 40)
    for mine, u, token, yhat, state in zip(
        ours, theirs.u, theirs.tokens, theirs.yhat, theirs.states, strict=True
    ):
        assert mine[:2] == [token, u]
        close(mine[2], yhat)
        close(mine[3], state)


def test_random_numbers_match_numpy_and_a_longer_text_extends_a_shorter_one():
    long, short = (sampler.write("def ", 1.0, 4, length) for length in (30, 12))
    np.testing.assert_array_equal(long.u, np.random.RandomState(4).random_sample(30))
    assert long.text.startswith(short.text)


def cycle(text):
    """Return the length of a text's final cycle, and the characters before it; (0, all) if none.

    A cycle fills the second half of the text, at least three times.
    """
    tail = text[len(text) // 2 :]
    for length in range(1, len(tail) // 3 + 1):
        if (tail[length:] == tail[:-length]).all():
            differ = np.flatnonzero(text[length:] != text[:-length])
            return length, int(differ[-1]) + 1 if len(differ) else 0
    return 0, len(text)


@pytest.mark.slow
@pytest.mark.parametrize("prompt", ["She sells ", "# "])
def test_cycles_and_returns_match_python(math, prompt):
    theirs = sampler.write(prompt, 0.0, 0, 1200)
    length, before = cycle(theirs.tokens)
    found = math.eval(
        f"((all) => ((c) => [all.map((one) => one.token), c, M.returns(all, c.length),"
        f" M.unlikely(all)])(M.cycle(all.map((one) => one.token))))"
        f"(M.write({prompt!r}, 0, 0).until(1200))"
    )
    assert found[0] == theirs.tokens.tolist()
    assert found[1] == {"length": length, "before": before}
    back = theirs.returns(length)
    assert (found[2] is None) == (back is None)
    if back is not None:  # where it is within 1e-9, rounding may shift it a step
        assert abs(found[2] - back) <= length
    assert found[3] == theirs.unlikely == 0


def test_cycles_by_hand(math):
    assert math("cycle", [5, 6, 7] + [1, 2] * 20) == {"length": 2, "before": 3}
    assert math("cycle", [1] * 12) == {"length": 1, "before": 0}
    assert math("cycle", list(range(30))) is None
    assert math("cycle", [*range(20)] * 2) is None
    late = [*range(5, 25)] + [1, 2] * 20  # of the second half all, of the last three quarters not
    assert math("cycle", late) == {"length": 2, "before": 20}


@pytest.mark.slow
def test_the_text_does_not_depend_on_the_last_digits():
    """Perturbing the probabilities by 1e-12, 100 times, changes no choice."""
    for temperature in (0.0, DEFAULT["temperature"]):
        made = sampler.write(DEFAULT["prompt"], temperature, DEFAULT["seed"], LENGTH)
        rng = np.random.default_rng(0)
        for _ in range(100):
            for token, u, yhat in list(zip(made.tokens, made.u, made.yhat, strict=True))[::20]:
                moved = yhat * (1 + 1e-12 * rng.normal(size=len(yhat)))
                assert sampler.draw(moved, temperature, u) == token


def test_the_alt_text_describes_the_default_state():
    length = DEFAULT["at"]
    best = sampler.write(DEFAULT["prompt"], 0.0, 0, length)
    drawn = sampler.write(DEFAULT["prompt"], 1.0, DEFAULT["seed"], length)
    share = best.yhat[-1].max()
    assert DEFAULT == DEFAULT | {"temperature": 1, "lane": "likeliest"}
    assert f"{length} characters each" in META["alt"]
    assert f"“{best.text}”" in META["alt"]
    assert f"{drawn.unlikely} of {length} characters were not" in META["alt"]
    assert f"“{best.text[-1]}” has {100 * share:.0f} %, all others together" in META["alt"]
    assert f"{100 * (1 - share):.0f} %." in META["alt"]


def test_the_prediction_is_true():
    prediction = META["prediction"]
    made = sampler.write(DEFAULT["prompt"], 0.0, 0, 300)
    assert prediction["answer"] == "one phrase again and again"
    assert f"After 20 characters it writes “{PHRASE.strip()}”" in prediction["why"]
    assert made.text[20:].startswith(15 * PHRASE)
    assert DEFAULT["at"] < 20 + len(PHRASE)  # the default state doesn't show the answer
    assert f"nearly the same as {len(PHRASE)} characters earlier" in prediction["why"]
    h = made.states[20 + len(PHRASE) :: len(PHRASE), : made.states.shape[1] // 2]
    assert np.abs(np.diff(h, axis=0)).max() < 0.05


def test_other_prompts_lead_to_one_of_two_phrases():
    prompts = ["", "She sells ", "Once upon a time", "import ", "x", "((", "while True:", "\u20ac"]
    texts = [sampler.write(prompt, 0.0, 0, 200).text for prompt in prompts]
    found = [4 * PHRASE in text for text in texts]
    assert sum(found) > len(found) / 2
    others = (text for text, same in zip(texts, found, strict=True) if not same)
    assert all(4 * ' "__getattr__" and' in text for text in others)


@pytest.mark.parametrize("state", [{}, {"temperature": 0.5, "lane": "drawn", "at": 51}])
def test_its_words_give_the_probability_of_the_last_character(state):
    now = DEFAULT | state
    heat = now["temperature"] if now["lane"] == "drawn" else 0
    made = sampler.write(now["prompt"], heat, now["seed"], now["at"])
    share = 100 * made.yhat[-1][made.tokens[-1]]
    assert f"{now['at']}: “{made.text[-1]}” has {share:.0f} %" in status("sampler", **state)


def test_every_character_that_is_written_is_known():
    made = sampler.write("x", 2.0, 0, 200)
    assert made.text == "".join(sampler.ALPHABET[token] for token in made.tokens)
    assert re.search(r"\S", made.text)
