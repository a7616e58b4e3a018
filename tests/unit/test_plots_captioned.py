"""Pictures and captions, drawn."""

import numpy as np
import pytest
from refusals import NAN

from rnn_helpers import plots

pytestmark = pytest.mark.chapter("08")
PICTURES = np.zeros((2, 20, 20))
SAID, TRUE = ["three left of seven", ""], ["three left of seven", "six above one"]


def test_the_alt_text_gives_each_caption_and_names_the_wrong_ones():
    assert plots.captions(PICTURES, SAID, TRUE, {"seen": 0.5}).alt == (
        "2 pictures, and a network's caption of each: three left of seven, nothing. "
        "Wrong: nothing where it is six above one. Right, seen: 50%."
    )
    assert plots.captions(PICTURES, TRUE, TRUE).alt.endswith("All are right.")
    assert plots.captions(PICTURES, TRUE).alt.endswith("six above one.")


def test_each_picture_has_its_caption_below_it():
    axes = plots.captions(PICTURES, SAID, TRUE).figure.axes
    assert [one.get_xlabel() for one in axes] == ["three left\nof seven", "nothing"]


@pytest.mark.slow
def test_it_has_two_themes():
    plot = plots.captions(PICTURES, SAID, TRUE)
    assert plot.png("light") != plot.png("dark")


REFUSALS = {
    plots.captions: (
        {"pictures": np.zeros((1, 4, 4)), "said": ["a"], "true": ["b"], "right": {"c": 0.5}},
        {
            "pictures": [None, 3, "a", NAN, np.zeros((7, 4, 4)), np.zeros((4, 4))],
            "said": [None, 3, [], ["a", "b"], [3]],
            "true": [3, [], ["a", "b"], [3]],
            "right": [3, "a", {"c": NAN}, {"c": 2}, {"c": None}],
        },
    )
}
