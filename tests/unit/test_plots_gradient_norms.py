from dataclasses import dataclass

import numpy as np
import pytest
from networks import TRAINED
from refusals import (
    INF,
    NAN,
)

from rnn_helpers.plots import gradient_norms

pytestmark = pytest.mark.chapter("17")


@dataclass
class Past:
    loss: np.ndarray
    grad_norm: np.ndarray


def past(norms, loss=None):
    norms = np.array(norms, float)
    return Past(np.ones_like(norms) if loss is None else np.array(loss, float), norms)


def test_the_histogram_has_every_finite_norm_and_states_the_shares_beyond():
    norms = np.array([[0.01, 0.5], [2, 30], [1e-9, 1e30], [4, np.inf]])
    plot = gradient_norms({"a": past(norms), "b": past(norms[:2])}, 1.0)
    right = plot.figure.axes[1]
    for stairs in right.patches:
        values, edges, _ = stairs.get_data()
        assert values.sum() == pytest.approx(1)
        assert edges[0] >= 1e-6 * (1 - 1e-9)
    assert "57 % of the gradient norms of a are above 1" in plot.alt
    assert "1 of 2 seeds of a diverge" in plot.alt
    assert "50 % of the gradient norms of b are above 1" in plot.alt
    assert np.isclose(right.lines[0].get_xdata(), 1).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "norms", [[0.0, 0.0], [np.inf], [1.0], [3.0, 3.0, 3.0], np.geomspace(1e-300, 1e300, 50)]
)
def test_whatever_the_norms_they_are_drawn(norms):
    plot = gradient_norms(past(norms, np.where(np.isfinite(norms), 1.0, np.inf)), 10.0)
    assert plot.png("light") != plot.png("dark")
    assert "nan" not in plot.alt


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        ({"histories": {}}, ValueError, "histories is {}"),
        ({"histories": 3}, ValueError, "histories is 3"),
        ({"histories": past([np.nan])}, ValueError, "grad_norm contains nan"),
        ({"threshold": 0}, ValueError, "threshold is 0"),
        ({"threshold": "1"}, TypeError, "threshold is '1'"),
    ],
)
def test_invalid_plot_arguments_are_named(wrong, error, message):
    with pytest.raises(error, match=message):
        gradient_norms(**({"histories": past([1.0]), "threshold": 1.0} | wrong))


REFUSALS = {
    gradient_norms: (
        {"histories": TRAINED, "threshold": 1.0},
        {"histories": [None, 3, "a", {}, {"a": 3}], "threshold": [0, -1, NAN, INF, "a", [1]]},
    )
}
