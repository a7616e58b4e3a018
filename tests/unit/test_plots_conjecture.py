"""The plot of methods compared in pairs."""

import pytest
from matplotlib.colors import to_hex

from rnn_helpers.palette import colour
from rnn_helpers.plots import paired_success

MADE = {
    "latch": {"none": (0.6, -0.4), "norm": (1.0, None), "hidden": (0.98, -0.02)},
    "order": {"none": (0.7, -0.3), "norm": (1.0, None), "hidden": (0.93, -0.07)},
}


def rows(half=0.05):
    return [
        {
            "task": task,
            "method": name,
            "rate": rate,
            "low": rate - half,
            "high": rate + half,
            "against": {} if gap is None else {"norm": (gap, gap - half, gap + half)},
        }
        for task, methods in MADE.items()
        for name, (rate, gap) in methods.items()
    ]


@pytest.fixture
def panels():
    above, below = [], []
    for axes in paired_success(rows()).figure.axes:
        (above if axes.get_title(loc="left") else below).append(axes)
    return above, below


def dots(axes):
    return [line for line in axes.lines if line.get_marker() in ("o", "X")]


def test_there_is_a_column_for_each_task(panels):
    above, below = panels
    assert [axes.get_title(loc="left") for axes in above] == ["latch", "order"]
    assert len(below) == 2


def test_rates_stand_above_and_differences_below(panels):
    above, below = panels
    assert [line.get_xdata()[0] for line in dots(above[0])] == [0.6, 1.0, 0.98]
    assert [line.get_xdata()[0] for line in dots(below[0])] == [-0.4, -0.02]


@pytest.mark.parametrize(
    ("gap", "half", "marker", "face"),
    [
        (0.0, 0.1, "o", "gradient"),
        (0.05, 0.04, "o", "gradient"),  # small, though told apart from 0
        (0.0, 0.11, "o", "paper"),
        (0.3, 0.2, "X", "gradient"),
        (-0.3, 0.2, "X", "gradient"),
    ],
)
def test_alike_apart_and_undecided_look_different(gap, half, marker, face):
    pair = rows()[1:3]
    pair[1] = pair[1] | {"against": {"norm": (gap, gap - half, gap + half)}}
    (dot,) = dots(paired_success(pair).figure.axes[1])
    assert dot.get_marker() == marker
    assert to_hex(dot.get_markerfacecolor()) == colour(face)


def test_the_words_tell_rates_differences_and_kinds():
    alt = paired_success(rows()).alt
    assert "latch: none 0.6, norm 1, hidden 0.98; minus norm: none -0.4 (apart)" in alt
    assert "hidden -0.02 (alike)" in alt
    assert "within 0.1" in alt


def test_it_can_be_read_on_a_slide_and_on_a_phone():
    plot = paired_success(rows())
    assert plot.smallest >= 13
    assert plot.size[1] <= 400
