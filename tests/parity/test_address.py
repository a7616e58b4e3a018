"""The figure address finds, reads and writes as the reference does, and tells its story."""

import numpy as np
import pytest
from compare import close
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.figures import address
from rnn_helpers.explore.states import complete
from rnn_helpers.reference import cosines, shift_weights, weighted_average

pytestmark = pytest.mark.chapter("18")
META = manifest()["address"]
DEFAULT = complete("address", {})
LINES = address.CONSTANTS.LINES
LINE = DEFAULT["width"]
WIDTHS = [1, 2, 4, 8, 16, LINE]
typed = st.text("abeinstw WA,'\u00e9", max_size=12) | st.sampled_from(
    ["", " ", "white as", "the lamb", "mouse ran up", LINES[0]]
)
states = st.fixed_dictionaries(
    {
        "query": typed,
        "width": st.sampled_from(WIDTHS),
        "beta": st.sampled_from([0, 1, 7.5, 20, 60]),
        "shift": st.sampled_from([-1, -0.3, 0, 0.5, 1]),
        "at": st.integers(1, sum(map(len, LINES))),
    }
)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_memory_is_cut_as_in_python(math, width):
    cells = math("memory", width)
    ours = address.memory(width)
    assert [cell["text"] for cell in cells] == ours.texts
    assert [cell["line"] for cell in cells] == ours.line.tolist()
    np.testing.assert_array_equal([cell["pieces"] for cell in cells], ours.pieces)
    np.testing.assert_array_equal([cell["kept"] for cell in cells], ours.kept)
    assert "".join(ours.texts) == "".join(LINES)
    for place in (1, 28, 90, 289):
        assert math("cellOf", place, width) == address.wanted({"width": width, "at": place})
        assert 0 <= math("cellOf", place, width) < len(cells)


@pytest.mark.slow
@given(states)
def test_what_is_found_and_read_is_the_references(math, state):
    found = math("find", state["query"], state)
    cells, run = address.find(state["query"], state)
    close(found["alike"], cosines(cells.pieces, address.pieces(state["query"])))
    for name in ("scores", "found", "weights", "read"):
        close(found[name], getattr(run, name))
    close(sum(found["weights"]), 1)
    assert math("textOf", found["read"]) == address.text_of(run.read)


@pytest.mark.slow
@given(states)
def test_the_gradient_is_the_references(math, state):
    found = math("find", state["query"], state)
    cells, run = address.find(state["query"], state)
    ours = math("corrected", found, state, address.wanted(state))
    close(ours["onScores"], address.on_scores(cells, run, state))
    off = run.read - cells.kept[address.wanted(state)]
    close(ours["loss"], off @ off / (2 * state["width"]))
    close(sum(ours["onScores"]), 0)  # what one score gains the others lose


def test_the_gradient_is_the_slope_of_the_loss():
    state = DEFAULT | {"width": 4, "beta": 8, "shift": 0.3}
    cells, run = address.find("white as", state)
    s, wanted = address.proportions(state["shift"]), cells.kept[address.wanted(state)]

    def loss(scores):
        weights = shift_weights(np.exp(scores) / np.exp(scores).sum(), s)
        off = weighted_average(weights, cells.kept) - wanted
        return off @ off / (2 * state["width"])

    step = 1e-5 * np.eye(len(run.scores))
    slopes = [(loss(run.scores + one) - loss(run.scores - one)) / 2e-5 for one in step]
    close(address.on_scores(cells, run, state), slopes, rtol=1e-5, atol=1e-9)


@pytest.mark.slow
@given(states)
def test_what_is_written_is_the_references(math, state):
    found = math("find", state["query"], state)
    cells, run = address.find(state["query"], state)
    after = address.written(cells, run, state["width"])
    close(math("written", found, state), after)
    close(
        math("readFrom", found["weights"], after), weighted_average(run.weights, after), atol=1e-11
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("shift", [0, 0.5, 1])
def test_read_on_the_keys_are_pythons(math, width, shift):
    state = DEFAULT | {"width": width, "shift": shift, "t": 6}
    now = math("look", state)
    assert now["keys"] == address.keys(state)
    close(now["weights"], address.find(now["keys"][-1], state)[1].weights)


def test_a_song_goes_on_from_line_to_line():
    state = DEFAULT | {"query": "twinkle twinkle", "shift": 1, "t": 11}
    assert address.keys(state)[1:] == [line.lower() for line in LINES[1:]]
    lost = address.keys(state | {"width": 1})
    assert not any(len(key) > 1 for key in lost[1:])


def test_sums_by_line(math):
    cells = math("memory", 8)
    weights = np.arange(len(cells)).tolist()
    ours = address.memory(8).line
    close(math("byLine", cells, weights), np.bincount(ours, weights))


def weights(state):
    cells, run = address.find(state["query"], state)
    return cells, run.weights


def test_the_words_say_the_numbers_of_the_figure():
    cells, w = weights(DEFAULT)
    assert cells.texts[w.argmax()] == "Its fleece was white as snow"
    assert f"with weight {w.max():.2f}" in META["alt"]
    assert f"the next with {np.sort(w)[-2]:.3f}" in META["alt"]
    assert f"a weight of {w.max():.2f}" in META["prediction"]["question"]
    letters, w = weights(DEFAULT | {"width": 1})
    why = META["prediction"]["why"]
    line = letters.line == 5
    assert w.max() < 1 / 100
    assert f"It is {w.max():.3f}, and {np.isclose(w, w.max(), atol=0).sum()} cells" in why
    assert f"The line has {w[line].sum():.3f} of the weight then, and {line.mean():.3f}" in why
    assert weights(DEFAULT | {"width": 1, "beta": 60})[1].max() < 0.0082  # no sharpness helps


def test_the_gradient_is_large_only_where_the_weight_is():
    """A sharp softmax that is wrong hardly hears of it."""
    for beta, wanted, largest in ((2, 0.062, 0.062), (10, 0.037, 0.133), (40, 0, 0)):
        state = DEFAULT | {"beta": beta}
        cells, run = address.find("white as", state)
        grad = np.abs(address.on_scores(cells, run, state))
        assert grad[address.wanted(state)] == pytest.approx(wanted, abs=2e-3)
        assert grad.max() == pytest.approx(largest, abs=2e-3)
        assert (grad <= 2 * run.found).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "state", [{}, {"query": ""}, {"width": 1}, {"shows": "gradient"}, {"shows": "write", "t": 2}]
)
def test_each_state_has_a_poster(state):
    assert "A memory of" in show("address", **state).alt
