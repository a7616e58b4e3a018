"""The laboratory of captions: a network that looks and one that writes, trained on the spot."""

import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.explore.captioning import HEARD, NEVER, SHOWN, TASK, caption_digits
from rnn_helpers.reference.context import DOORS

pytestmark = [pytest.mark.chapter("08"), pytest.mark.slow]


def test_invalid_context_modes_and_numbers_are_refused():
    with pytest.raises(ValueError, match="door"):
        caption_digits("window")
    with pytest.raises(ValueError, match="steps"):
        caption_digits("step", steps=0)


@pytest.mark.parametrize("door", DOORS)
def test_it_describes_pictures_and_is_drawn(door):
    first, last = caption_digits(door, steps=3, every=2)
    assert (first.steps, last.steps) == (2, 3)
    assert first.pictures.shape == (SHOWN, TASK.SIDE, TASK.SIDE)
    assert len(first.said) == len(first.true) == SHOWN
    assert set(last.right) == {HEARD, NEVER}
    assert "4 pictures" in plots.captions(last.pictures, last.said, last.true, last.right).alt


def test_half_of_the_shown_sentences_are_training_sentences():
    (one,) = caption_digits("both", steps=1, every=1)
    kept = {TASK.sentence(TASK.caption(*each)) for each in TASK.kept()}
    assert [sentence in kept for sentence in one.true] == [False, False, True, True]


@pytest.mark.nightly(files=["rnn_helpers/explore/captioning", "rnn_helpers/nets/"])
def test_with_its_defaults_it_learns_to_caption():
    *_, last = caption_digits()
    assert last.right[HEARD] > 0.3
    assert last.right[HEARD] <= 1
    assert np.isfinite(last.pictures).all()
