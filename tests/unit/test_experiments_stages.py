"""What a network writes at stages of its training: what is counted, and each verdict."""

import numpy as np
import pytest
from estimates import bounds, by_line

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_05 import training_stages as stages
from rnn_helpers.tasks import characters

pytestmark = pytest.mark.chapter("05")


def test_words_and_pairs_that_the_ends_may_cut_do_not_count():
    text = "ending here is a word, one more wo"
    assert stages.words(text) == ["here", "word", "one", "more"]
    assert stages.pairs(text) == ["here is", "is a", "a word", "one more"]
    assert stages.words("whole") == stages.pairs("two words") == []


def test_a_bracket_is_closed_in_time_and_with_no_other_between():
    after = "." * stages.WITHIN
    inside = "x" * (stages.WITHIN - 1)
    for text, found in (
        ("(a) ", [True]),
        ("(a ", [False]),
        ("(a(b)) ", [False, True]),
        (f"({inside})", [True]),
        (f"({inside}x)", [False]),
        (") ", []),
    ):
        assert stages.closed(text + after) == found
    assert stages.closed("so near the end (one cannot tell") == []


def test_shares_are_those_of_all_texts_together():
    seen = {"words": {"the", "cat"}, "pairs": {"the cat"}}
    found = stages.shares([". the cat sat.", ". the dog sat."], seen)
    assert found == {"words": 3 / 6, "pairs": 1 / 4, "brackets": None}


def test_prompts_are_what_comes_before_a_paragraph():
    corpus = characters("topics")
    text = corpus.decode(corpus.held_out)
    prompts = stages._paragraphs(corpus.held_out, text, 7)
    assert prompts.shape == (stages.READ, 7)
    places = [text.index(corpus.decode(prompt)) for prompt in prompts.T]
    assert all(corpus.decode(prompt).endswith("\n\n") for prompt in prompts.T)
    assert np.diff(places).min() > len(text) / 20


@pytest.mark.slow
def test_a_stage_is_the_network_as_it_was_then():
    pytest.importorskip("torch")
    config = {**find("training-stages").quick, "n_h": 8, "batch_size": 4, "prompts": 2,
              "length": 200}  # fmt: skip
    rows = stages.run({**config, "steps": 6, "stages": [2, 6]}, [0])
    alone = stages.run({**config, "steps": 6, "stages": [2]}, [0])
    assert rows[0] == alone[0]
    assert rows[0]["bits"] != rows[1]["bits"]
    assert rows[0]["text"]["words"] > 0.9


OWN = {"words": 0.9, "pairs": 0.3, "brackets": 0.8}
RISING = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]


def measured(words, brackets):
    """Rows of three stages, two networks each."""
    return [
        {
            "steps": 10**i,
            "bits": [5 - i, 4.5 - i],
            "words": share,
            "pairs": [0.16 * i, 0.16 * i + 0.05],
            "brackets": [closed, closed + 0.1],
            "text": OWN,
        }
        for i, (share, closed) in enumerate(zip(words, brackets, strict=True))
    ]


def test_the_verdict_follows_the_whole_training_and_the_text_names_the_stages():
    sum_up = find("training-stages").sum_up
    said = sum_up(measured(RISING, brackets=(0.1, 0.3, 0.3)))
    assert said.verdict.startswith("Holds. By each of four measures")
    assert said.text.endswith("Closed brackets don't improve at every stage.")
    assert said.value == 1
    assert "after 100 minibatches for words, after 10 minibatches for pairs of words" in said.text
    assert "at no stage for closed brackets" in said.text
    some = measured([[0.1, 0.2], [0.3, 0.1], [0.5, 0.6]], brackets=(0.1, 0.3, 0.3))
    assert sum_up(some).value == 0.5
    never = [row | {key: [0.5, 0.6] for key in ("bits", *OWN)} for row in some]
    assert sum_up(never).kind == "undecided"
    fallen = sum_up(measured(RISING, brackets=(0.6, 0.5, 0.1)))
    assert fallen.verdict == (
        "Holds in part, if likeness is measured by bits per character, words and pairs of words."
    )
    back = [row | {"steps": 10**i} for i, row in enumerate(measured(RISING, (0.1, 0.3, 0.5))[::-1])]
    assert sum_up(back).kind == "does not hold"


def test_stages_have_the_range_of_the_networks_and_the_text():
    data = stages.data(measured(RISING, (0.1, 0.3, 0.3)))
    assert by_line(data)[""] == [(1, 4.75), (10, 3.75), (100, 2.75)]
    assert bounds(data, "")[0][1] == 5
    assert bounds(data, "")[-1][0] == 2.5
    assert by_line(data, 1)["words"] == [(1, 0.15), (10, 0.35), (100, 0.55)]
    assert sorted(value for value, _ in data.panels[1]["marks"]) == sorted(OWN.values())
