"""Pictures of texts that networks write show what they were given."""

from collections import Counter

import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.palette import colour
from rnn_helpers.reference import init_rnn, rnn_forward

pytestmark = pytest.mark.chapter("05")

YHAT = np.array([0.2, 0.5, 0.3])


@pytest.mark.parametrize("temperature", [0, 0.5, 1, 3])
def test_bars_stand_in_order_before_and_after_the_temperature(temperature):
    plot = plots.written_texts({"a": "x"}, YHAT, "abc", temperature=temperature, chosen=2)
    bars = plot.figure.axes[-1].patches
    heights = np.array([bar.get_height() for bar in bars]).reshape(2, 3)
    after = YHAT ** (1 / temperature) if temperature else YHAT == 0.5
    np.testing.assert_allclose(heights[0], [0.5, 0.3, 0.2])
    np.testing.assert_allclose(heights[1], (after / after.sum())[[1, 2, 0]])
    ticks = plot.figure.axes[-1].get_xticklabels()
    assert [tick.get_text() for tick in ticks] == ["b", "c", "a"]
    boxed = [tick.get_bbox_patch() is not None for tick in ticks]
    assert boxed == [False, True, False]
    assert ticks[1].get_bbox_patch().get_edgecolor()[:3] == pytest.approx(
        [int(colour("accent")[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    )
    assert plot.alt.endswith("c was written.")


@pytest.mark.slow
def test_the_end_of_a_text_is_shown_and_spaces_that_fill_a_line_are_seen():
    text = "\n".join(map(str, range(20))) + "\n" + " " * 80
    plot = plots.written_texts({"one": text, "two": "$x_1$ \\"}, [1.0], " ")
    shown = [axes.texts[0].get_text() for axes in plot.figure.axes[:2]]
    lines = shown[0].split("\n")
    assert (len(lines), lines[0]) == (9, "14")
    assert {"".join(set(line)) for line in lines[6:]} == {"·"}
    assert shown[1] == "$x_1$ \\"
    assert plot.png("light") != plot.png("dark")
    assert plot.smallest >= 11


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"texts": {}}, "texts has 0"),
        ({"texts": dict.fromkeys("abcd", "")}, "texts has 4"),
        ({"yhat": [0.5, 0.5]}, "yhat"),
        ({"yhat": [-1, 1, 1]}, "yhat"),
        ({"temperature": -1}, "temperature"),
        ({"chosen": 3}, "chosen"),
    ],
)
def test_what_cannot_be_drawn_is_named(wrong, message):
    right = {"texts": {"a": "x"}, "yhat": YHAT, "symbols": "abc"}
    with pytest.raises(ValueError, match=message):
        plots.written_texts(**(right | wrong))


def network(letters, n_h=3):
    return init_rnn(len(letters), n_h, len(letters), seed=0)


def test_a_spelled_word_is_drawn_with_what_is_read_what_is_held_and_what_should_come():
    params = network("helo")
    plot = plots.spelling(params, "hello", "helo")
    (axes,) = plot.figure.axes
    words = [text.get_text() for text in axes.texts]
    run = rnn_forward(params, np.array([0, 1, 2, 2]))
    assert words.count("1") == 4  # one-hot
    assert words.count("$W$") == 3
    held = [f"{value:.1f}".replace("-", "−") for value in run.h.ravel()]
    assert not Counter(held) - Counter(words)
    marks = np.array([line.get_xydata()[0] for line in axes.lines])
    assert len(marks) == 4
    assert marks[1][1] == marks[2][1] > marks[3][1]  # l, l, and o below
    assert f"after e comes l with probability {run.yhat[1, 2]:.3g}" in plot.alt


@pytest.mark.parametrize(
    ("word", "letters", "told"),
    [("h", "helo", "word is 'h'"), ("help", "helo", "word is 'help'"), ("hello", "hel", "word is"),
     ("ab", "abc", "letters is 'abc'"), (5, "helo", "word is 5")],
)  # fmt: skip
def test_a_word_that_cannot_be_spelled_is_named(word, letters, told):
    with pytest.raises((ValueError, TypeError), match=told):
        plots.spelling(network("helo"), word, letters)
