"""The figure four shows for each pixel the pixels that layers of sums carry to it."""

from functools import partial

import compare
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.explore.weights import unpacked, without_output
from rnn_helpers.figures import constants, stored
from rnn_helpers.figures.four import trained
from rnn_helpers.reference import gru_forward
from rnn_helpers.tasks import joined

close = partial(compare.close, atol=1e-9)
PARAMS = unpacked(stored("four")["networks"]["sweeps"])
pytestmark = pytest.mark.chapter("09")
META = manifest()["four"]
CONSTANTS = constants("four")
DEFAULT = complete("four", {})
SIZE, MOST = CONSTANTS.SIZE, CONSTANTS.MOST
places = st.integers(0, SIZE - 1)
kinds = st.sampled_from(["stack", "sweeps"])


PARTS = [letter + gate for letter in "UWb" for gate in ("", "u", "r")]
SWEEPS = (
    lambda x: np.cumsum(x, axis=0),  # down
    lambda x: np.cumsum(x[::-1], axis=0)[::-1],  # up
    lambda x: np.cumsum(x, axis=1),  # right
    lambda x: np.cumsum(x[:, ::-1], axis=1)[:, ::-1],  # left
)


def read(text):
    """Return the kinds of the cells of a picture: 0 is a wall, 1 is floor and 2 is a mark."""
    return np.array([".#O".index(kind) for kind in text]).reshape(CONSTANTS.SIDE, -1)


def believes(maze):
    """Return the probability, by the trained network, that the two marks are joined."""
    o = says(PARAMS, maze)[maze == 2] @ PARAMS["V"].T + PARAMS["c"]
    no, yes = o.mean(axis=0)
    return 1 / (1 + np.exp(no - yes))


def says(params, maze):
    """Return the states of the last sweeps at every cell: columns first, then rows, twice."""
    h = np.eye(3)[maze]
    for k in range(4):
        lines = h if k % 2 == 0 else h.swapaxes(0, 1)  # (T, others, n)
        ahead, back = (swept(params, f"sweeps.{k}.{way}", lines[:: 1 - 2 * way]) for way in (0, 1))
        lines = np.concatenate([ahead, back[::-1]], axis=-1)
        h = lines if k % 2 == 0 else lines.swapaxes(0, 1)
    return h


def swept(params, name, lines):
    """Return the states of gated units along all lines at once."""
    own = {part: params[f"{name}.{part}"] for part in PARTS}
    return gru_forward(without_output(own), lines).h


def hears(kind, n, row, column):
    """Return whether each cell reaches one cell through so many layers or sweeps.

    Each cell in turn gets the value 1, and all layers add up their inputs.
    """
    sounds = np.eye(SIZE**2, dtype=bool).reshape(SIZE**2, SIZE, SIZE)
    return np.array([carried(kind, n, x)[row, column] for x in sounds]).reshape(SIZE, SIZE)


def carried(kind, n, x):
    """Return the cells that a picture has reached after so many layers or sweeps."""
    if kind == "stack":
        for _ in range(n):
            around = np.pad(x, 1)
            shifted = [around[i : i + SIZE, j : j + SIZE] for i in range(3) for j in range(3)]
            x = np.sum(shifted, axis=0) > 0
        return x
    for first in range(0, n, 4):  # four sweeps read the same input, and the next four their output
        read = [sweep(x) for sweep in SWEEPS[: n - first]]
        x = np.sum(read, axis=0) > 0
    return x


@given(kinds, st.integers(1, MOST), places, places)
def test_the_pixels_that_reach_a_pixel_match_python(math, kind, n, row, column):
    assert math("heard", kind, n, row, column) == hears(kind, n, row, column).tolist()


@given(kinds, st.integers(1, MOST), places, places)
def test_shades_show_the_first_layer_that_a_pixel_reaches(math, kind, n, row, column):
    since = np.array(math("since", kind, n, row, column))
    for k in range(1, n + 1):
        heard = hears(kind, k, row, column)
        np.testing.assert_array_equal((since > 0) & (since <= k), heard)


@given(st.integers(1, MOST), places, places)
def test_a_stack_covers_a_square_and_sweeps_cover_a_cross_and_then_everything(math, n, row, column):
    i, j = np.indices((SIZE, SIZE))
    near = np.maximum(abs(i - row), abs(j - column)) <= n
    assert math("heard", "stack", n, row, column) == near.tolist()
    cross = 2 * SIZE - 1
    above = SIZE * (row + 1) + SIZE - row - 1  # each of the pixels above depends on its row
    counts = [row + 1, SIZE, SIZE + column, cross, above]
    heard = math("count", math("heard", "sweeps", n, row, column))
    assert heard == (counts[n - 1] if n < 6 else SIZE**2)


def test_the_texts_state_the_numbers_of_the_figure(math):
    """These are opposite corners, steps in a row, and the default settings."""
    heard = [hears("stack", n, SIZE - 1, 0)[0, SIZE - 1] for n in range(1, MOST + 1)]
    prediction = META["prediction"]
    assert prediction["answer"] == str(1 + heard.index(True))
    assert "take 12 steps, so eight take 24" in prediction["why"]
    assert math("inARow", "sweeps", 2) == 12
    assert math("inARow", "sweeps", 8) == 24
    assert f"Eleven convolutions take {math('inARow', 'stack', 11)}" in prediction["why"]
    at = DEFAULT["row"] - 1, DEFAULT["column"] - 1
    assert f"row {DEFAULT['row']} and column {DEFAULT['column']}" in META["alt"]
    assert f"these are the {hears('stack', DEFAULT['layers'], *at).sum()} pixels" in META["alt"]
    assert (
        f"these are the {hears('sweeps', DEFAULT['sweeps'], *at).sum()} pixels of its"
        in META["alt"]
    )


pictures = st.lists(st.sampled_from(".#"), min_size=62, max_size=62)


@pytest.mark.slow
@given(pictures, st.integers(0, 62), st.integers(0, 62))
def test_the_output_of_the_network_matches_python(math, cells, one, other):
    cells = [*cells]
    cells.insert(one, "O")
    cells.insert(other, "O")
    maze = read("".join(cells))
    assert math("read", "".join(cells)) == maze.tolist()
    assert math("written", maze.tolist()) == "".join(cells)
    close(math("says", maze.tolist()), says(PARAMS, maze))
    close(math("believes", maze.tolist()), believes(maze))
    assert math("joined", maze.tolist()) == joined(maze)


@given(st.text(max_size=70))
def test_every_text_is_a_picture(math, text):
    maze = np.array(math("read", text))
    assert maze.shape == (CONSTANTS.SIDE, CONSTANTS.SIDE)
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
    maze = read(DEFAULT["maze"])
    x = torch.eye(3, dtype=torch.float64)[torch.tensor(maze)][None, None]
    kept = {name: torch.tensor(p)[None] for name, p in PARAMS.items()}
    net.load_state_dict(kept)
    close(net.look(x)[0, 0].detach().numpy(), says(PARAMS, maze))
    measured = stored("four")["measured"]
    assert measured["11"] == round(trained.right(PARAMS, 11, 1000), 3)


def test_the_statements_about_the_network_are_true(math):
    """It detects a closed gap unless both ends of the path are far away."""
    gap = math("read", DEFAULT["maze"])
    told = compare.status("four", view="maze")
    assert f"probability {math('believes', gap):.0%}".replace("%", " %") in told
    assert math("believes", math("changed", gap, 1, 5)) > 0.9
    rows = ("O#######", ".......#", "########", "#.......", "########", ".......#", "O#######")
    long = math("read", "".join(rows))
    assert math("joined", long)
    assert np.sum(long) - 2 == 35 > 3 * 11
    assert math("believes", long) > 0.9
    broken = math("changed", long, 4, 3)  # as the chapter asks
    assert not math("joined", broken)
    assert math("believes", broken) > 0.9


def test_a_picture_without_two_marks_is_refused():
    with pytest.raises(ValueError, match="maze is"):
        show("four", maze="O" + "." * 63)


@pytest.mark.parametrize("state", [{}, {"layers": 3, "sweeps": 8}])
def test_the_status_states_the_number_of_pixels(state):
    now, told = DEFAULT | state, compare.status("four", **state)
    for kind, name in (("stack", "layers"), ("sweeps", "sweeps")):
        heard = hears(kind, now[name], now["row"] - 1, now["column"] - 1)
        many = f"{now[name]} {name}{' of convolutions' * (kind == 'stack')}"
        assert f"After {many}, the pixel in row 8 and column 4 depends on {heard.sum()} of" in told
