"""The figure address computes the reference's weights and readings, and states its numbers."""

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete
from rnn_helpers.figures.address import model as address
from rnn_helpers.reference import cosines

pytestmark = pytest.mark.chapter("18")
META = manifest()["address"]
DEFAULT = complete("address", {})
LINES = address.CONSTANTS.LINES
LINE = DEFAULT["width"]
PARTS = META["controls"]["part"]["options"]
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
    ends = np.cumsum([len(text) for text in ours.texts])
    for place in (1, 28, 90, ends[-1]):
        assert math("cellOf", int(place), width) == np.searchsorted(ends, place)


@pytest.mark.slow
@given(states)
def test_weights_and_readings_match_the_reference(math, state):
    found = math("find", state["query"], state)
    cells, run = address.find(state["query"], state)
    close(found["alike"], cosines(cells.pieces, address.pieces(state["query"])))
    for name in ("scores", "found", "weights", "read"):
        close(found[name], getattr(run, name))
    close(sum(found["weights"]), 1)
    assert math("textOf", found["read"]) == address.text_of(run.read)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("shift", [0, 0.5, 1])
def test_each_reading_becomes_the_next_key(math, width, shift):
    state = DEFAULT | {"width": width, "shift": shift, "t": 6}
    now = math("look", state)
    assert now["keys"] == address.keys(state)
    close(now["weights"], address.find(now["keys"][-1], state)[1].weights)


def test_a_song_continues_from_line_to_line():
    state = DEFAULT | {"query": "twinkle twinkle", "shift": 1, "t": 11}
    assert address.keys(state)[1:] == [line.lower() for line in LINES[1:]]
    lost = address.keys(state | {"width": 1})
    assert not any(len(key) > 1 for key in lost[1:])


def test_values_are_summed_by_line(math):
    cells = math("memory", 8)
    weights = np.arange(len(cells)).tolist()
    ours = address.memory(8).line
    close(math("byLine", cells, weights), np.bincount(ours, weights))


def weights(state):
    cells, run = address.find(state["query"], state)
    return cells, run.weights


def test_the_texts_of_the_figure_state_its_numbers():
    cells, w = weights(DEFAULT)
    assert cells.texts[w.argmax()] == "Its fleece was white as snow"
    assert f"with a share of {w.max():.2f} of the reading" in META["alt"]
    assert f"the next with {np.sort(w)[-2]:.3f}" in META["alt"]


def test_the_prediction_is_answered_by_its_query():
    cells, w = weights(DEFAULT | {"query": "wite snwo"})
    prediction = META["prediction"]
    assert "“wite snwo”" in prediction["question"]
    assert prediction["answer"] == f"still “{cells.texts[w.argmax()]}”"
    assert f"Its share is {w.max():.2f}." in prediction["why"]


def test_letters_alone_find_no_line_at_any_sharpness():
    assert max(weights(DEFAULT | {"width": 1, "beta": b})[1].max() for b in (1, 20, 60)) < 0.0082


def test_only_the_first_part_asks_the_question_of_the_prediction():
    questions = {show("address", part=part).payload["question"] for part in PARTS}
    assert len(questions) == len(PARTS) == 3
    assert show("address").payload["question"] == META["question"]


@pytest.mark.parametrize(
    "state", [{}, {"query": "the lamb"}, {"part": "place", "shift": 1, "t": 2}]
)
def test_the_status_states_the_largest_weight_and_its_line(state):
    whole = complete("address", state)
    cells, run = address.find(address.keys(whole)[-1], whole)
    at = run.weights.argmax()
    said = f"the largest weight is {run.weights[at]:.3f}, at “{cells.texts[at]}”"
    assert said in status("address", **state)
