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
from rnn_helpers.figures.bottleneck.trained import LONGEST, SIZES, make
from rnn_helpers.reference import softmax

pytestmark = pytest.mark.chapter("10")
close = partial(compare.close, atol=1e-9)
META = manifest()["bottleneck"]
every_size = pytest.mark.parametrize("size", SIZES)
sizes = st.sampled_from(SIZES)
lines = st.lists(st.integers(0, 9), min_size=1, max_size=LONGEST)


@every_size
def test_the_weights_are_the_stored_ones(math, size):
    ours = math("network", size)
    for name, array in bottleneck.network(size).items():
        np.testing.assert_array_equal(ours[name], array)


def test_sizes_and_the_largest_length_agree_everywhere():
    assert list(SIZES) == bottleneck.SIZES
    assert META["controls"]["size"]["options"] == [str(size) for size in SIZES]
    assert LONGEST == bottleneck.LONGEST == META["controls"]["length"]["max"]


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
def test_the_stored_shares_hold_on_other_lines(size):
    rng = np.random.default_rng(7)
    x = rng.integers(10, size=(LONGEST, 300))
    right = (bottleneck.write(bottleneck.network(size), x).argmax(-1) == x[::-1]).mean()
    assert right == pytest.approx(bottleneck.measured(size)[LONGEST - 1], abs=0.05)


def test_the_prediction_states_the_stored_shares():
    share = {size: 100 * bottleneck.measured(size)[LONGEST - 1] for size in SIZES}
    why = META["prediction"]["why"]
    assert f"{share[8]:.0f} of 100. With 32 numbers in C, {share[32]:.0f} of 100" in why


def test_the_first_line_is_written_correctly_and_described():
    first = bottleneck.line(META["controls"]["seed"]["default"])
    digits = np.array(first[: META["controls"]["length"]["default"]])
    written = bottleneck.write(bottleneck.network(8), digits).argmax(-1)
    np.testing.assert_array_equal(written, digits[::-1])
    for row, verb in ((digits, "were read"), (written, "all correct")):
        assert re.search(f"{row[0]}, {row[1]} and {row[2]}, {verb}", META["alt"])


@pytest.mark.slow
def test_the_training_recipe_runs():
    pytest.importorskip("torch")
    made = make(steps=2, tested=5)
    assert list(made["measured"]) == list(stored("bottleneck")["measured"])
    assert list(made["networks"]) == list(stored("bottleneck")["networks"])
    for size, kept in made["networks"].items():
        assert kept["shapes"] == stored("bottleneck")["networks"][size]["shapes"]


@every_size
def test_the_status_states_the_digits_that_the_network_writes(size):
    controls = META["controls"]
    read = np.array(bottleneck.line(controls["seed"]["default"])[: controls["length"]["default"]])
    written = bottleneck.write(bottleneck.network(size), read).argmax(-1)
    said = compare.status("bottleneck", size=str(size))
    assert f"{size} numbers in C" in said
    for verb, digits in (("reads", read), ("writes", written)):
        assert f"{verb} {' '.join(map(str, digits))}" in said
