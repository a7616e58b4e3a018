"""The figure four: what a pixel hears is what layers that add up carry to it."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import four
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.trained import four as trained
from rnn_helpers.explore.trained import stored
from rnn_helpers.explore.weights import unpacked
from rnn_helpers.tasks import joined

close = partial(compare.close, atol=1e-9)
PARAMS = unpacked(stored("four")["networks"]["sweeps"])
pytestmark = pytest.mark.chapter("09")
META = manifest()["four"]
DEFAULT = complete("four", {})
SIZE, MOST = four.SIZE, four.CONSTANTS.MOST
places = st.integers(0, SIZE - 1)
kinds = st.sampled_from(["stack", "sweeps"])


@given(kinds, st.integers(1, MOST), places, places)
def test_a_pixel_hears_what_python_carries_to_it(math, kind, n, row, column):
    assert math("heard", kind, n, row, column) == four.heard(kind, n, row, column).tolist()


@given(kinds, st.integers(1, MOST), places, places)
def test_shades_say_by_which_layer_a_pixel_is_heard_first(math, kind, n, row, column):
    since = np.array(math("since", kind, n, row, column))
    for k in range(1, n + 1):
        heard = four.heard(kind, k, row, column)
        np.testing.assert_array_equal((since > 0) & (since <= k), heard)


@given(st.integers(1, MOST), places, places)
def test_a_stack_hears_a_square_and_sweeps_a_cross_and_then_everything(math, n, row, column):
    i, j = np.indices((SIZE, SIZE))
    near = np.maximum(abs(i - row), abs(j - column)) <= n
    assert math("heard", "stack", n, row, column) == near.tolist()
    cross = 2 * SIZE - 1
    above = SIZE * (row + 1) + SIZE - row - 1  # each of the pixels above hears its row
    counts = [row + 1, SIZE, SIZE + column, cross, above]
    heard = math("count", math("heard", "sweeps", n, row, column))
    assert heard == (counts[n - 1] if n < 6 else SIZE**2)


def test_the_words_say_the_numbers_of_the_figure(math):
    """Opposite corners, steps in a row, and what the untouched figure shows."""
    heard = [four.heard("stack", n, SIZE - 1, 0)[0, SIZE - 1] for n in range(1, MOST + 1)]
    prediction = META["prediction"]
    assert prediction["answer"] == str(1 + heard.index(True))
    assert "12 steps, and then the next four, 12 more" in prediction["why"]
    assert math("inARow", "sweeps", 2) == 12
    assert f"{math('inARow', 'sweeps', 8)} steps in a row" in prediction["why"]
    assert f"the stack has {math('inARow', 'stack', 11)}" in prediction["why"]
    at = DEFAULT["row"] - 1, DEFAULT["column"] - 1
    assert f"row {DEFAULT['row']} and column {DEFAULT['column']}" in META["alt"]
    assert f"hears the {four.heard('stack', DEFAULT['layers'], *at).sum()} pixels" in META["alt"]
    assert f"hears the {four.heard('sweeps', DEFAULT['sweeps'], *at).sum()} of its" in META["alt"]


pictures = st.lists(st.sampled_from(".#"), min_size=62, max_size=62)


@pytest.mark.slow
@given(pictures, st.integers(0, 62), st.integers(0, 62))
def test_the_network_says_what_pythons_says(math, cells, one, other):
    cells = [*cells]
    cells.insert(one, "O")
    cells.insert(other, "O")
    maze = four.read("".join(cells))
    assert math("read", "".join(cells)) == maze.tolist()
    assert math("written", maze.tolist()) == "".join(cells)
    close(math("says", maze.tolist()), four.says(PARAMS, maze))
    close(math("believes", maze.tolist()), four.believes(maze))
    assert math("joined", maze.tolist()) == joined(maze)


@given(st.text(max_size=70))
def test_whatever_stands_in_a_text_is_a_picture(math, text):
    maze = np.array(math("read", text))
    assert maze.shape == (four.SIDE, four.SIDE)
    assert set(maze.flat) <= {0, 1, 2}
    math("joined", maze.tolist())


def test_a_wall_is_built_and_broken_and_a_mark_stays(math):
    maze = math("read", DEFAULT["maze"])
    once = math("changed", maze, 1, 5)
    assert not math("joined", maze)
    assert math("joined", once)
    assert math("changed", once, 1, 5) == maze
    assert math("changed", maze, 1, 7) == maze


@pytest.mark.slow
def test_the_network_is_that_of_the_package_and_was_measured():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets.four_ways import FourWays

    net = FourWays(3, trained.UNITS, 2, [0], trained.LAYERS).double()
    maze = four.read(DEFAULT["maze"])
    x = torch.eye(3, dtype=torch.float64)[torch.tensor(maze)][None, None]
    kept = {name: torch.tensor(p)[None] for name, p in PARAMS.items()}
    net.load_state_dict(kept)
    close(net.look(x)[0, 0].detach().numpy(), four.says(PARAMS, maze))
    measured = stored("four")["measured"]
    assert measured["11"] == round(trained.right(PARAMS, 11, 1000), 3)


def test_the_network_does_what_the_figure_says_of_it(math):
    """The gap is closed and it notices; far from both ends of a long way it does not."""
    gap = math("read", DEFAULT["maze"])
    assert f"gives {math('believes', gap):.0%}".replace("%", " %") in META["alt"]
    assert math("believes", math("changed", gap, 1, 5)) > 0.9
    rows = ("O#######", ".......#", "########", "#.......", "########", ".......#", "O#######")
    long = math("read", "".join(rows))
    assert math("joined", long)
    assert np.sum(long) - 2 == 35 > 3 * 11
    assert math("believes", long) > 0.9
    assert math("believes", math("changed", long, 2, 4)) > 0.5


def test_a_picture_without_two_marks_is_refused():
    with pytest.raises(ValueError, match="maze is"):
        show("four", maze="O" + "." * 63)


@pytest.mark.slow
def test_the_poster_tells_how_much_is_heard():
    assert "2 layers of 3 × 3: hears 25 of 144" in show("four").alt
    assert "4 sweeps: hears 23 of 144" in show("four", sweeps=4).alt
    assert "8 sweeps: hears 144 of 144" in show("four", sweeps=8).alt
