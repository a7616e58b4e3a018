"""What is said of learning rates follows from the runs."""

import numpy as np
import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments.words import Unforeseen

pytestmark = pytest.mark.chapter("04")
RATES = find("learning-rate")


def runs(bits, schedule="fixed"):
    """Two networks at each rate, half a tenth of a bit to either side."""
    return [
        {"schedule": schedule, "eta": eta, "bits": mean + more, "steps": 300, "unigram": 4.7}
        for eta, mean in bits.items()
        for more in (-0.05, 0.05)
    ]


def test_a_guarantee_is_not_confirmed_by_so_many_steps():
    said = RATES.sum_up(runs({0.01: 5.0, 1.0: 3.7, 30.0: 90.0}))
    assert said.verdict.startswith("Holds if the rate is fixed. We didn't test the guarantee")
    assert (said.value, said.unit) == (
        pytest.approx(3.7),
        "bits per held-out character at a fixed rate of 1",
    )


@pytest.mark.parametrize(
    "bits",
    [{0.01: 3.7, 1.0: 3.71, 30.0: 90.0}, {0.01: 5.0, 1.0: 3.7, 30.0: 3.71}],
    ids=["too small is as good", "too big is as good"],
)
def test_it_is_not_said_where_a_rate_at_the_end_is_as_good(bits):
    with pytest.raises(Unforeseen):
        RATES.sum_up(runs(bits))


def test_the_picture_has_a_curve_for_each_schedule_over_the_rates_it_was_tried_at():
    rows = runs({3.0: 3.8, 0.3: 4.0}, "1/t") + runs({0.01: 6.0, 1.0: 4.0, 30.0: 5.5})
    (axes,) = (plot := RATES.pictures["plot"](rows)).figure.axes
    drawn = {line.get_label(): line.get_xydata() for line in axes.lines}
    np.testing.assert_allclose(drawn["η"], [(0.01, 6), (1, 4), (30, 5.5)])
    np.testing.assert_array_equal(drawn["η/t"][:, 0], [0.3, 3])
    bands = [band.get_paths()[0].vertices[:, 1] for band in axes.collections]
    assert (min(bands[0]), max(bands[0])) == (3.95, 6.05)
    assert "η: 6 at 0.01, least 4 at 1" in plot.alt
    assert plot.alt.endswith("Frequencies alone give 4.7.")
