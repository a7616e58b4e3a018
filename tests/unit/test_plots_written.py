"""The picture of a matrix memory refuses what it cannot draw."""

import numpy as np
import pytest

from rnn_helpers.plots import matrix_memory

pytestmark = pytest.mark.chapter("18")
GOOD = {"k": np.eye(2), "v": [1.0, -1.0], "M": [[0.0, 0.0], [1.0, 0.0]]}


@pytest.mark.usefixtures("pixels")
def test_it_says_what_each_key_reads():
    assert matrix_memory(**GOOD).alt == (
        "A memory of two numbers after 1 writes: key 1 reads 1 of 1; key 2 reads 0 of -1."
    )


@pytest.mark.parametrize(
    ("name", "bad"), [("k", np.ones((2, 3))), ("k", np.ones(2)), ("v", [1.0]), ("M", [1.0, 2.0])]
)
def test_what_has_another_shape_is_refused(name, bad):
    with pytest.raises(ValueError, match=f"{name} has shape"):
        matrix_memory(**{**GOOD, name: bad})
