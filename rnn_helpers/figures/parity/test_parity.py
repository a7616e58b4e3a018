"""The figure parity: which number tells odd from even, however many marks there are."""

import numpy as np
import pytest
from compare import close, status

from rnn_helpers.explore import manifest

pytestmark = pytest.mark.chapter("01")
META = manifest()["parity"]
MOST = META["controls"]["n"]["max"]


def test_the_numbers_are_those_of_their_closed_forms(math):
    n = np.arange(MOST + 1)
    close(math("values", "flip", MOST), (-1.0) ** n)
    close(math("values", "shrink", MOST), 1 - 0.8**n)
    close(math("values", "average", MOST), n / (n + 1))


def test_only_the_flip_keeps_odd_and_even_apart(math):
    assert math("gap", "flip", MOST) == 2
    for way in ("shrink", "average"):
        values = np.array(math("values", way, MOST))
        assert (np.diff(values) > 0).all()  # so odd and even alternate along the line
        assert math("gap", way, MOST) < 0.001


def test_the_words_tell_the_distances():
    assert "After 4 marks" in status("parity")
    assert "a loop that may flip, 2;" in status("parity", n=MOST)


def test_only_a_count_keeps_depths_apart_and_its_state_grows(math):
    close(math("values", "count", MOST), np.arange(MOST + 1))
    assert "a loop that counts, 1; a loop with a factor between 0 and 1, less than 0.001" in status(
        "parity", read="brackets", n=MOST
    )
