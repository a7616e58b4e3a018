"""Tests that the figure fullstop matches the reference, and that its texts state its numbers."""

import numpy as np
import pytest
from compare import close, status
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import complete
from rnn_helpers.figures import stored
from rnn_helpers.figures.fullstop.figure import (
    ALPHABET,
    check,
    encode,
    forget_gates,
    prose,
    weights,
)
from rnn_helpers.figures.fullstop.trained import STAGES, UNITS, UPDATES, make

pytestmark = pytest.mark.chapter("16")
META = manifest()["fullstop"]
DEFAULT = complete("fullstop", {})
TRAINED = stored("fullstop")
WORDS = {16: "sixteen", 6: "six", 5: "five", 3: "three"}
texts = st.text(ALPHABET, min_size=1, max_size=12)


@pytest.mark.equation("10.40", "10.41", "10.42", "10.43", "10.44")
@given(texts, st.sampled_from(STAGES))
def test_the_gates_match_the_reference(math, text, stage):
    close(math("gates", str(stage), text), forget_gates(weights(stage), encode(text)))


def test_the_average_of_a_kind_counts_its_closed_gates(math):
    text = "no, no. go"
    steps = math("gates", str(UPDATES), text)
    counts = [sum(gate < 0.5 for gate in step) for step in steps]
    assert [math("shut", step) for step in steps] == counts
    means = dict(math("habits", text, steps))
    close(means["space"], (counts[3] + counts[7]) / 2)
    close(means["comma"], counts[2])
    close(means["full stop"], counts[6])
    close(means["letter"], np.mean([counts[i] for i in (0, 1, 4, 5, 8, 9)]))


def test_before_training_no_gate_is_below_one_half():
    gates = forget_gates(weights(0), encode(DEFAULT["text"]))
    assert DEFAULT["stage"] == "0"
    assert gates.min() > 0.5
    assert np.abs(gates - 1 / (1 + np.exp(-1))).max() < 0.13
    assert "no gate is below one half" in META["alt"]
    assert DEFAULT["text"] in META["alt"]


def test_the_texts_state_the_numbers():
    assert f"{WORDS[UNITS]} cells" in META["story"]
    assert f"{WORDS[UNITS]} cells" in META["alt"]
    gates = forget_gates(weights(UPDATES), encode(DEFAULT["text"]))
    spaces = np.array([character == " " for character in DEFAULT["text"]])
    closed = (gates[spaces] < 0.5).sum(axis=1)
    why = META["prediction"]["why"]
    same = (gates[spaces] < 0.5) == (gates[spaces] < 0.5)[0]
    assert same.all()
    assert f"At every space, {WORDS[closed[0]]} of the {WORDS[UNITS]} gates close." in why
    of = TRAINED["closed"]
    more = sum(one["space"] > one["stop"] for one in of)
    less = sum(one["space"] < one["stop"] for one in of)
    assert (len(of), more, less) == (5, 3, 1)
    assert "Of five such networks, three close more gates at spaces than at full stops" in why
    assert "and one closes more at full stops" in why


def test_in_all_networks_more_gates_close_where_a_word_ends():
    for one in TRAINED["closed"]:
        assert one["letter"] < min(one["space"], one["stop"])


def test_the_status_states_how_many_gates_are_closed():
    t = DEFAULT["text"].index(" ") + 1
    said = status("fullstop", stage=str(UPDATES), t=t)
    assert f"After {UPDATES:,} updates, 6 of the 16 forget gates are below 0.5" in said
    assert f"at character {t}, space" in said
    assert "none of the 16" in status("fullstop", t=t)


def test_an_impossible_place_is_refused():
    check({"text": "no.", "t": 3}, {"text", "t"})
    with pytest.raises(ValueError, match="the text has the characters 1 to 3"):
        check({"text": "no.", "t": 4}, {"text", "t"})
    with pytest.raises(ValueError, match="text is empty"):
        check({"text": "", "t": 1}, {"text"})


def test_prose_keeps_whole_sentences_in_small_letters():
    sentence = (
        "This sentence is long enough, and after its comma, it goes on and on until it ends here."
    )
    code = "    x = 1\n    y = 2"
    assert prose(f"{sentence}\n\n{code}\n\nA heading") == sentence.lower()


@pytest.mark.slow
def test_training_makes_networks_of_the_stored_form():
    made = make(seeds=[0], updates=5)
    assert made["shapes"] == TRAINED["shapes"]
    assert list(made["stages"]) == ["0", "5"]
    assert len(made["closed"]) == 1
