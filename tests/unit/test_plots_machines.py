"""The plot of a network with a memory, its heads and its output."""

import numpy as np
import pytest

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("18")

SHOWN = [[1, 0], [0, 0], [1, 1]]
SAYS = {"machine": SHOWN, "LSTM": [[1, 0], [1, 0], [1, 0]]}
WRITTEN = np.eye(4)[[0, 1, 2, 3, 3, 3, 3]]
READ = np.eye(4)[[0, 0, 0, 0, 0, 1, 2]]
M = np.arange(20).reshape(4, 5) / 10


def drawn(at=None, **other):
    given = {"shown": SHOWN, "says": SAYS, "written": WRITTEN, "read": READ, "M": M} | other
    return plots.memory_run(*given.values(), at=at)


def test_the_alt_text_counts_right_bits_and_follows_the_heads():
    assert drawn(at=7).alt == (
        "3 columns of 2 bits, then a mark. Right of 6 bits: machine 6, LSTM 4. 4 cells over 7 "
        "steps: during the input, the write head goes from cell 1 to 3; during the output, the "
        "read head goes from cell 1 to 3. At step 7, the largest weight of the write head is that "
        "of cell 4, 1.00; of the read head, that of cell 3, 1.00."
    )
    assert "At step" not in drawn().alt


def test_nothing_after_the_marked_step_is_drawn():
    plot = drawn(at=6)
    assert "Right of 4 bits: machine 4, LSTM 3." in plot.alt
    assert plot.figure.axes[2].lines[0].get_xdata().tolist() == [6]
    strip = plot.figure.axes[-2]
    assert max(c.get_offsets()[:, 0].max() for c in strip.collections) == 6
    assert "No output yet." in drawn(at=4).alt
    assert plot.figure.axes[-2].get_xlim() == (0.5, 7.5)


def test_a_wrong_bit_has_a_cross_at_its_step():
    crosses = drawn().figure.axes[2].lines[0]
    assert crosses.get_xdata().tolist() == [6, 7]
    assert crosses.get_ydata().tolist() == [1, 2]


def test_each_network_has_a_row_and_the_memory_its_contents():
    assert len(drawn(says={"machine": SHOWN}).figure.axes) == 4
    image = drawn().figure.axes[-1].images[0]
    np.testing.assert_array_equal(image.get_array(), M)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"shown": [1, 0]}, "shown has shape"),
        ({"shown": [[0.5, 0], [0, 0], [1, 1]]}, "bits, 0 or 1"),
        ({"says": {}}, "one to 3"),
        ({"says": {"machine": [[1, 0]]}}, "says\\['machine'\\] has shape"),
        ({"written": WRITTEN[:5]}, "written has shape"),
        ({"written": 2 * WRITTEN}, "expected 0 to 1"),
        ({"read": READ[:, :3]}, "read has shape"),
        ({"M": M[:3]}, "M has shape"),
        ({"at": 8}, "at is 8"),
    ],
)
def test_bad_input_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        drawn(**wrong)


@pytest.mark.slow
def test_it_has_two_themes():
    plot = drawn(at=3)
    assert plot.png("light") != plot.png("dark")
