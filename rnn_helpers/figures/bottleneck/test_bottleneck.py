"""The figure bottleneck reads and writes as Python does, and its words state its numbers."""

import re
from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.figures import stored
from rnn_helpers.figures.bottleneck import figure as bottleneck
from rnn_helpers.figures.bottleneck.trained import LONGEST, LOOKS, MOST, SIZES, make
from rnn_helpers.reference import softmax

pytestmark = pytest.mark.chapter("10")
close = partial(compare.close, atol=1e-9)
META = manifest()["bottleneck"]
PAIRS = [(size, False) for size in SIZES] + [(size, True) for size in LOOKS]
every_size = pytest.mark.parametrize("size", SIZES)
every_pair = pytest.mark.parametrize(("size", "looks"), PAIRS)
pairs = st.sampled_from(PAIRS)
lines = st.lists(st.integers(0, 9), min_size=1, max_size=MOST)


@every_pair
def test_the_weights_are_the_stored_ones(math, size, looks):
    ours = math("network", size, looks)
    for name, array in bottleneck.network(size, looks).items():
        np.testing.assert_array_equal(ours[name], array)


def test_sizes_and_the_largest_length_agree_everywhere():
    assert list(SIZES) == bottleneck.SIZES
    assert META["controls"]["size"]["options"] == [str(size) for size in SIZES]
    assert list(LOOKS) == bottleneck.LOOKS
    assert LONGEST == bottleneck.CONSTANTS.LONGEST
    assert MOST == bottleneck.MOST == META["controls"]["length"]["max"]


@given(st.integers(1, 99))
def test_a_line_is_the_same(math, seed):
    assert math("line", seed) == bottleneck.line(seed)


@given(pairs, lines)
def test_it_reads_and_writes_the_same(math, pair, digits):
    ours = math("write", pair[0], digits, pair[1])
    params = bottleneck.network(*pair)
    close(ours["notes"], bottleneck.read(params, np.array(digits)))
    outputs, weights = bottleneck.write(params, np.array(digits))
    close(ours["p"], softmax(outputs))
    if pair[1]:
        close(ours["weights"], weights)
    assert ours["symbols"] == outputs.argmax(-1).tolist()


@every_pair
@pytest.mark.parametrize("length", [LONGEST, MOST])
def test_the_stored_shares_hold_on_other_lines(size, looks, length):
    rng = np.random.default_rng(7)
    x = rng.integers(10, size=(length, 300))
    right = (bottleneck.write(bottleneck.network(size, looks), x)[0].argmax(-1) == x[::-1]).mean()
    assert right == pytest.approx(bottleneck.measured(size, looks)[length - 1], abs=0.05)


def test_the_prediction_states_the_stored_shares():
    share = {size: 100 * bottleneck.measured(size)[LONGEST - 1] for size in SIZES}
    why = META["prediction"]["why"]
    assert f"{share[8]:.0f} of 100. With 32 numbers in C, {share[32]:.0f} of 100" in why


def test_the_first_line_is_written_correctly_and_described():
    first = bottleneck.line(META["controls"]["seed"]["default"])
    digits = np.array(first[: META["controls"]["length"]["default"]])
    written = bottleneck.write(bottleneck.network(8), digits)[0].argmax(-1)
    np.testing.assert_array_equal(written, digits[::-1])
    for row, verb in ((digits, "were read"), (written, "all correct")):
        assert re.search(f"{row[0]}, {row[1]} and {row[2]}, {verb}", META["alt"])


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(steps=2, tested=5)
    for shares in ("measured", "looked"):
        assert list(made[shares]) == list(stored("bottleneck")[shares])
    for networks in ("networks", "looking"):
        assert list(made[networks]) == list(stored("bottleneck")[networks])
        for size, kept in made[networks].items():
            assert kept["shapes"] == stored("bottleneck")[networks][size]["shapes"]


@every_size
def test_the_status_states_the_digits_that_the_network_writes(size):
    controls = META["controls"]
    read = np.array(bottleneck.line(controls["seed"]["default"])[: controls["length"]["default"]])
    written = bottleneck.write(bottleneck.network(size), read)[0].argmax(-1)
    said = compare.status("bottleneck", size=str(size))
    assert f"With {size} numbers in C" in said
    for verb, digits in (("reads", read), ("writes", written)):
        assert f"{verb} {' '.join(map(str, digits))}" in said


@pytest.mark.parametrize("size", LOOKS)
def test_the_status_states_where_the_decoder_looks(size):
    digits = bottleneck.line(META["controls"]["seed"]["default"])[:LONGEST]
    outputs, weights = bottleneck.write(bottleneck.network(size, True), np.array(digits))
    said = compare.status("bottleneck", size=str(size), attention=True, length=LONGEST, t=3)
    k = weights[2].argmax()
    assert f"With {size} numbers in each state and a look back" in said
    assert f"To write digit 3, {outputs[2].argmax()}, the largest weight is" in said
    assert f"{weights[2].max():.2f}, on the state after digit {k + 1}, {digits[k]}." in said
