"""What is said of new sentences follows from the runs."""

import itertools

import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_08 import held_out_captions
from rnn_helpers.experiments import find


def captions(step, start, both):
    """Return the share of correct new sentences for each place where the picture enters."""
    return {"step_new": about(step), "start_new": about(start), "both_new": about(both)}


CASES = {
    "holds": {**captions(0.8, 0.8, 0.8), "lost": about(0, 0.01)},
    "holds in part": {**captions(0.8, 0.2, 0.8), "lost": about(0, 0.01)},
    "does not hold": captions(0.2, 0.2, 0.3),
    "undecided": captions(0.8, 0.8, 0.5),
}
SEEDS = range(10)


def caption_rows(seen=0.9, new=0.9, step=None):
    cells = itertools.product(held_out_captions.DOORS, ["left out"], ("seen", "new"))
    more = [(held_out_captions.BOTH, "all", asked) for asked in ("seen", "new")]
    rows = []
    for door, trained, asked in [*cells, *more]:
        right = seen if asked == "seen" or trained == "all" else new
        if step is not None and door == held_out_captions.STEP and asked == "new":
            right = step
        rows += [
            {
                "door": door,
                "trained": {
                    "left out": held_out_captions.LEFT_OUT,
                    "all": held_out_captions.NOTHING,
                }[trained],
                "asked": {"seen": held_out_captions.SEEN, "new": held_out_captions.NEW}[asked],
                "seed": seed,
                "right": right + 0.001 * (seed - 5),
                "words": 0.95,
                "eta": 0.002,
                "at_edge": door == held_out_captions.START,
            }
            for seed in SEEDS
        ]
    return rows


def test_the_share_of_right_held_out_sentences_decides_the_verdict():
    said = find("held-out-captions").sum_up(caption_rows())
    assert said.verdict == "Holds. 90% of the new sentences are right."
    assert said.value == pytest.approx(0.9, abs=0.01)
    assert "that we tried for as the first state (0.002)" in said.text
    assert verdict("held-out-captions", caption_rows(new=0.7)).startswith("Holds.")
    few = verdict("held-out-captions", caption_rows(step=0.1))
    assert few.startswith("Holds in part, if the vector enters in both ways: 90%")
    assert verdict("held-out-captions", caption_rows(new=0.1)).startswith("Does not hold.")
