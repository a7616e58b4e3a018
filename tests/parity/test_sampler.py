"""The figure sampler writes what the same networks write in Python, and tells what it says."""

import re

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.experiments.claims.chapter_05.greedy_loops import cycle
from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.characters import alphabet, measured
from rnn_helpers.explore.figures import sampler
from rnn_helpers.explore.states import complete

pytestmark = pytest.mark.chapter("05")
META = manifest()["sampler"]
DEFAULT = complete("sampler", {})
LENGTH = META["controls"]["at"]["max"]
NETS = ["lstm", "rnn"]


def written(math, net, prompt, temperature, seed, length):
    """What the figure writes: tokens, u, probabilities and states before each."""
    return math.eval(
        f"M.write({net!r}, {prompt!r}, {temperature}, {seed}).until({length})"
        ".map(({ token, u, yhat, h, s }) => [token, u, yhat, [...h, ...(s ?? [])]])"
    )


likely = st.lists(st.floats(1e-6, 1), min_size=2, max_size=9).map(lambda p: np.array(p) / sum(p))


@given(likely, st.sampled_from([0, 0.05, 0.3, 0.5, 1, 1.7, 2]), st.floats(0, 1, exclude_max=True))
def test_a_draw_is_pythons(math, yhat, temperature, u):
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
    assert drawn == sorted(drawn, key=[1, 2, 0].index)  # the likeliest first


@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("prompt", ["def ", "", "\u00e4 #"])
@pytest.mark.parametrize(("temperature", "seed"), [(0, 0), (0.5, 3), (1, 1), (2, 99)])
def test_every_character_is_pythons(math, net, prompt, temperature, seed):
    ours = written(math, net, prompt, temperature, seed, 40)
    theirs = sampler.write(net, prompt, temperature, seed, 40)
    for mine, u, token, yhat, state in zip(
        ours, theirs.u, theirs.tokens, theirs.yhat, theirs.states, strict=True
    ):
        assert mine[:2] == [token, u]
        close(mine[2], yhat)
        close(mine[3], state)


def test_the_dice_are_numpys_and_a_longer_text_begins_like_a_shorter():
    long, short = (sampler.write("lstm", "def ", 1.0, 4, length) for length in (30, 12))
    np.testing.assert_array_equal(long.u, np.random.RandomState(4).random_sample(30))
    assert long.text.startswith(short.text)


@pytest.mark.slow
@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize("prompt", ["def ", "# "])
def test_cycles_and_returns_are_pythons(math, net, prompt):
    theirs = sampler.write(net, prompt, 0.0, 0, 1200)
    length, before = cycle(theirs.tokens)
    found = math.eval(
        f"((all) => ((c) => [all.map((one) => one.token), c, M.returns(all, c.length), M.bits(all),"
        f" M.unlikely(all)])(M.cycle(all.map((one) => one.token))))"
        f"(M.write({net!r}, {prompt!r}, 0, 0).until(1200))"
    )
    assert found[0] == theirs.tokens.tolist()
    assert found[1] == {"length": length, "before": before}
    back = theirs.returns(length)
    assert (found[2] is None) == (back is None)
    if back is not None:  # where it is within 1e-9, rounding may shift it a step
        assert abs(found[2] - back) <= length
    close(found[3], theirs.bits)
    assert found[4] == theirs.unlikely == 0


def test_cycles_by_hand(math):
    assert math("cycle", [5, 6, 7] + [1, 2] * 20) == {"length": 2, "before": 3}
    assert math("cycle", [1] * 12) == {"length": 1, "before": 0}
    assert math("cycle", list(range(30))) is None
    assert math("cycle", [*range(20)] * 2) is None
    late = [*range(5, 25)] + [1, 2] * 20  # of the second half all, of the last three quarters not
    assert math("cycle", late) == {"length": 2, "before": 20}


@pytest.mark.slow
@pytest.mark.parametrize("net", NETS)
def test_the_text_does_not_hang_on_the_last_digits(net):
    """One hundred perturbations of 1e-12 of the probabilities leave every choice as it was."""
    for temperature in (0.0, DEFAULT["temperature"]):
        made = sampler.write(net, DEFAULT["prompt"], temperature, DEFAULT["seed"], LENGTH)
        rng = np.random.default_rng(0)
        for _ in range(100):
            for token, u, yhat in list(zip(made.tokens, made.u, made.yhat, strict=True))[::20]:
                moved = yhat * (1 + 1e-12 * rng.normal(size=len(yhat)))
                assert sampler.draw(moved, temperature, u) == token


@pytest.mark.slow
def test_the_words_say_the_numbers_of_the_figure():
    length = DEFAULT["at"]
    best = sampler.write("lstm", DEFAULT["prompt"], 0.0, 0, length)
    drawn = sampler.write("lstm", DEFAULT["prompt"], 1.0, DEFAULT["seed"], length)
    alt = META["alt"]
    assert DEFAULT == DEFAULT | {"net": "lstm", "temperature": 1, "lane": "likeliest"}
    before = len(best.text.rstrip(" "))
    line = best.text[:before]
    assert line.count("\n") == 1
    assert line.endswith("\n")
    assert f"after {before} characters nothing but spaces; {best.bits:.2f} bits" in alt
    assert f"{drawn.bits:.2f} bits a character; {drawn.unlikely} of {length} were not" in alt
    space = best.yhat[-1].max()
    assert f"a space has {100 * space:.0f} %, all others together {100 * (1 - space):.0f} %" in alt
    # The story: a text that is drawn costs about what unseen code costs.
    costs = [sampler.write("lstm", "def ", 1.0, seed, 300).bits for seed in range(20)]
    assert abs(np.mean(costs) - measured("lstm")["bits"]) < 0.25


def test_the_prediction_is_so():
    made = sampler.write("lstm", DEFAULT["prompt"], 0.0, 0, 120)
    spaces = made.text.index("\n") + 1
    at = spaces + 12
    assert at + 1 == 81  # the character at which the figure is set
    assert made.text[spaces:].strip(" ") == ""
    first, second = np.sort(made.yhat[at])[:-3:-1]
    assert (
        f"{first:.2f}. That something else comes has {1 - first:.2f}" in META["prediction"]["why"]
    )
    assert f"the largest share is {second:.2f}" in META["prediction"]["why"]
    assert META["prediction"]["answer"] == f"about {first:.1f}"
    # "wins again four spaces later", where the line might begin once more
    assert made.yhat[at + 1 : at + 4].max(axis=1).min() > 0.9 > 0.5 > made.yhat[at + 4].max()


@pytest.mark.slow
@pytest.mark.parametrize(
    "state", [{}, {"net": "rnn", "temperature": 0.5, "lane": "drawn", "at": 50}]
)
def test_the_poster_tells_what_the_figure_tells(state):
    now = DEFAULT | state
    alt = show("sampler", **state).alt
    made = sampler.write(now["net"], now["prompt"], now["temperature"], now["seed"], now["at"])
    assert f"at temperature {now['temperature']:g} {made.bits:.2f}. " in alt
    end = " ".join((now["prompt"] + made.text)[-60:].split())
    assert end in alt


def test_every_character_that_is_written_is_known():
    made = sampler.write("rnn", "x", 2.0, 0, 200)
    assert made.text == "".join(alphabet()[token] for token in made.tokens)
    assert re.search(r"\S", made.text)
    with pytest.raises(ValueError, match="temperature"):
        sampler.write("rnn", "x", -0.1)
    with pytest.raises(TypeError, match="prompt"):
        sampler.write("rnn", 3)
