"""The figure address computes the reference's weights and readings, and states its numbers."""

import numpy as np
import pytest
from bs4 import BeautifulSoup
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from press.still import draw
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
        "gate": st.sampled_from([0, 0.3, 1]),
        "shift": st.sampled_from([-1, -0.3, 0, 0.5, 1]),
        "gamma": st.sampled_from([1, 2.5, 5]),
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
    cells, first = address.find("the mouse", state)
    found = math("find", state["query"], state, first.weights)
    cells, run = address.find(state["query"], state, first.weights)
    close(found["alike"], cosines(cells.pieces, address.pieces(state["query"])))
    for name in ("scores", "found", "gated", "moved", "weights", "read"):
        close(found[name], getattr(run, name))
    close(sum(found["weights"]), 1)
    assert math("textOf", found["read"]) == address.text_of(run.read)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("shift", [0, 0.5, 1])
def test_each_reading_becomes_the_next_key(math, width, shift):
    state = DEFAULT | {"width": width, "gate": 0.7, "shift": shift, "gamma": 1.5, "t": 6}
    now = math("look", state)
    keys, (_, run) = address.look(state)
    assert now["keys"] == keys
    close(now["weights"], run.weights)


def test_a_song_continues_from_line_to_line():
    state = DEFAULT | {"query": "twinkle twinkle", "shift": 1, "t": 11}
    assert address.look(state)[0][1:] == [line.lower() for line in LINES[1:]]
    lost, _ = address.look(state | {"width": 1})
    assert not any(len(key) > 1 for key in lost[1:])


@pytest.mark.parametrize(("gamma", "low", "high"), [(1, 0.33, 0.36), (2, 0.95, 0.99)])
def test_ten_moves_by_location_blur_the_weights_unless_they_are_sharpened(gamma, low, high):
    moves = {"query": "twinkle", "gate": 0, "shift": 0.9, "gamma": gamma, "t": 9}
    _, (_, run) = address.look(DEFAULT | moves)
    assert low < run.weights[10] < high
    assert (run.weights.argmax() == 10) == (gamma == 2)  # else most is on the line before


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
    "state",
    [
        {},
        {"query": "the lamb"},
        {"part": "place", "shift": 1, "t": 2},
        {"part": "place", "gate": 0, "shift": 0.9, "gamma": 2, "t": 9},
    ],
)
def test_the_status_states_the_largest_weight_and_its_line(state):
    whole = complete("address", state)
    _, (cells, run) = address.look(whole)
    at = run.weights.argmax()
    said = f"the largest weight is {run.weights[at]:.3f}, at “{cells.texts[at]}”"
    assert said in status("address", **state)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("clock", "“The mouse ran up the clock” contains your words, too, and gets 0.01, because"),
        ("star", "gets 0.22, because your letters are a smaller part of a longer line"),
        ("the lamb", "largest share of the reading: 0.50, then “The lamb was sure to go”: 0.44"),
    ],
)
def test_a_surprising_match_is_explained(query, says):
    assert says in text_of_the_readout(query)


def text_of_the_readout(query):
    markup = draw("address", {"query": query}).markup
    return BeautifulSoup(markup, "html.parser").select_one(".readout").get_text()
