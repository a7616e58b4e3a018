"""The figure bottleneck reads and writes as Python does, and tells what was counted."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import bottleneck
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.trained.bottleneck import COUNTED, LONGEST, SHOWN, SIZES, make
from rnn_helpers.reference import softmax

pytestmark = pytest.mark.chapter("10")
close = partial(compare.close, atol=1e-9)
META = manifest()["bottleneck"]
every_size = pytest.mark.parametrize("size", SIZES)
sizes = st.sampled_from(SIZES)
lines = st.lists(st.integers(0, 9), min_size=1, max_size=SHOWN)


@every_size
def test_the_weights_are_the_stored_ones(math, size):
    ours = math("network", size)
    for name, array in bottleneck.network(size).items():
        np.testing.assert_array_equal(ours[name], array)


def test_what_is_fixed_is_fixed_once():
    assert list(SIZES) == bottleneck.SIZES
    assert list(COUNTED) == bottleneck.COUNTED
    sizes = [*map(str, (*SIZES, *COUNTED)), "three"]
    options = META["controls"]["size"]["options"]
    assert [one["value"] if isinstance(one, dict) else one for one in options] == sizes
    assert (LONGEST, SHOWN) == (bottleneck.CONSTANTS.LEARNED, bottleneck.LONGEST)


@given(st.integers(1, 99))
def test_a_line_is_the_same(math, seed):
    assert math("line", seed) == bottleneck.line(seed)


@given(sizes, lines)
def test_it_reads_and_writes_the_same(math, size, digits):
    ours = math("write", size, digits)
    params = bottleneck.network(size)
    close(ours["context"], bottleneck.read(params, np.array(digits)))
    outputs = bottleneck.write(params, np.array(digits))
    close(ours["p"], softmax(outputs))
    assert ours["symbols"] == outputs.argmax(-1).tolist()


@every_size
def test_the_shares_are_those_that_were_counted(math, size):
    assert math("measured", size) == bottleneck.measured(size)
    rng = np.random.default_rng(7)  # other lines than those that were counted
    x = rng.integers(10, size=(LONGEST, 300))
    right = (bottleneck.write(bottleneck.network(size), x).argmax(-1) == x[::-1]).mean()
    assert right == pytest.approx(bottleneck.measured(size)[LONGEST - 1], abs=0.05)


@pytest.mark.parametrize("size", COUNTED)
def test_what_is_not_run_was_counted_at_each_length(math, size):
    assert math("measured", size) == bottleneck.measured(size)
    assert len(bottleneck.measured(size)) == SHOWN
    assert str(size) not in stored("bottleneck")["networks"]


def test_the_words_say_the_numbers():
    share = {size: 100 * bottleneck.measured(size)[LONGEST - 1] for size in SIZES}
    prediction = META["prediction"]
    assert f"32 numbers writes {share[32]:.0f} of 100" in prediction["question"]
    assert f"{share[16]:.0f} of 100; with 8 numbers, {share[8]:.0f}." in prediction["why"]
    longest = 100 * bottleneck.measured(32)[-1]
    assert f"twelve digits {longest:.0f} in 100" in prediction["why"]


def test_at_first_all_are_right():
    first = bottleneck.line(META["controls"]["seed"]["default"])
    digits = np.array(first[: META["controls"]["length"]["default"]])
    for size in SIZES:
        written = bottleneck.write(bottleneck.network(size), digits).argmax(-1)
        assert (written == digits[::-1]).all()


@pytest.mark.slow
def test_the_networks_come_from_a_recipe_that_runs():
    pytest.importorskip("torch")
    made = make(steps=2, tested=5)
    assert list(made["measured"]) == list(stored("bottleneck")["measured"])
    assert list(made["networks"]) == list(stored("bottleneck")["networks"])
    for size, kept in made["networks"].items():
        assert kept["shapes"] == stored("bottleneck")["networks"][size]["shapes"]


@pytest.mark.slow
def test_the_poster_shows_the_networks_of_which_the_figure_speaks():
    said = show("bottleneck").alt
    assert all(f"C of {size} numbers" in said for size in SIZES)
    alone = show("bottleneck", size="16").alt
    assert "16" in alone
    assert "C of 8 numbers" not in alone
    curves = show("bottleneck", curves=True).alt
    assert all(f"C of {size} numbers" in curves for size in (*SIZES, *COUNTED))
    assert show("bottleneck", size="64").alt not in (said, alone, curves)
