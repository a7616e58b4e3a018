"""What a network writes at stages of its training: what is counted, and each verdict."""

import numpy as np
import pytest

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


def test_a_stage_is_the_network_as_it_was_then():
    pytest.importorskip("torch")
    config = {**find("training-stages").quick, "n_h": 8, "batch_size": 4, "prompts": 2,
              "length": 200}  # fmt: skip
    rows = stages.run({**config, "steps": 6, "stages": [2, 6]}, [0])
    alone = stages.run({**config, "steps": 6, "stages": [2]}, [0])
    assert rows[0] == alone[0]
    assert rows[0]["bits"] != rows[1]["bits"]
    assert rows[0]["text"]["words"] > 0.9


def said(words, brackets=(0.4, 0.5, 0.6)):
    """Summary of three stages, two networks each."""
    rows = [
        {
            "steps": 10**i,
            "bits": [5 - i, 4.5 - i],
            "words": share,
            "pairs": [0.16 * i, 0.16 * i + 0.05],
            "brackets": [closed, closed + 0.1],
            "text": {"words": 0.9, "pairs": 0.3, "brackets": 0.8},
        }
        for i, (share, closed) in enumerate(zip(words, brackets, strict=True))
    ]
    return stages.summarise(rows)


RISING = [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]


def test_the_verdict_depends_on_the_networks_that_are_better_at_each_stage():
    both = said(RISING)
    assert (both.verdict, both.value) == ("holds", 1)
    assert "by 100 for words, by 10 for pairs, by 1 for brackets" in both.text.replace(
        "passed ", ""
    )
    assert said([[0.1, 0.2], [0.3, 0.1], [0.5, 0.6]]).value == 0.5


def test_what_did_not_come_nearer_at_every_stage_is_a_condition_of_the_verdict():
    verdict = said(RISING, brackets=(0.1, 0.3, 0.3)).verdict
    assert verdict.startswith("holds if counted in bits, words, pairs of words; closed brackets")


def test_the_verdict_is_no_where_nothing_came_nearer():
    rows = [
        {"steps": steps, "text": dict.fromkeys(("words", "pairs", "brackets"), 0.9)}
        | {key: [0.5, 0.6] for key in ("bits", "words", "pairs", "brackets")}
        for steps in (1, 10)
    ]
    assert stages.summarise(rows).verdict == "does not hold"
