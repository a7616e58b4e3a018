import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.palette import colour

pytestmark = pytest.mark.chapter("16")

TRUE = np.random.default_rng(0).random((4, 5, 6))
COPY = np.concatenate([TRUE[:1], TRUE[:-1]])


def strips(plot):
    return [axes.images[0].get_array() for axes in plot.figure.axes]


def test_frames_stand_above_what_was_predicted_with_paper_between_them():
    true, predicted = strips(plots.film(TRUE, COPY))
    for strip, film in ((true, TRUE), (predicted, COPY)):
        assert strip.shape == (5, 4 * 7 - 1)
        for t, frame in enumerate(film):
            np.testing.assert_array_equal(strip[:, 7 * t : 7 * t + 6], frame)
        assert np.ma.getmaskarray(np.ma.masked_invalid(strip))[:, 6::7].all()


def test_errors_are_said_and_written():
    wrong = ((COPY - TRUE) ** 2).mean(axis=(1, 2))
    plot = plots.film(TRUE, {"a copy": COPY, "all": TRUE})
    assert f"a copy, mean squared error {wrong.mean():.3g}, largest at frame " in plot.alt
    assert f"largest at frame {wrong.argmax() + 1}; all, mean squared error 0" in plot.alt
    labels = [axes.get_ylabel() for axes in plot.figure.axes]
    assert labels == ["true", "a\ncopy", "all"]
    assert [axes.texts[0].get_color() for axes in plot.figure.axes] == [colour("loss")] * 3


def test_one_scale_serves_all_rows_and_reaches_the_brightest_true_pixel():
    clims = [a.images[0].get_clim() for a in plots.film(3 * TRUE, COPY).figure.axes]
    assert clims == [(0, 3 * TRUE.max())] * 2
    assert plots.film(TRUE, COPY).figure.axes[0].images[0].get_clim() == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(1, 1, 1), (16, 16, 16), (2, 30, 3)])
def test_films_of_any_size_are_drawn_for_both_themes(shape):
    film = np.random.default_rng(0).random(shape)
    plot = plots.film(film, film)
    assert plot.png("light") != plot.png("dark")


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        (COPY[:2], r"predicted has shape \(2, 5, 6\); expected \(4, 5, 6\)"),
        ({"a": COPY, "b": COPY[0]}, r"predicted of 'b' has shape \(5, 6\)"),
        ({}, "predicted is empty"),
        (COPY * np.nan, "predicted contains nan"),
    ],
)
def test_what_does_not_fit_is_named(predicted, message):
    with pytest.raises(ValueError, match=message):
        plots.film(TRUE, predicted)
