import numpy as np
import pytest

from rnn_helpers import experiments, plots
from rnn_helpers.plots.truncated import block_gradient, contributions, truncation
from rnn_helpers.plots.words import number
from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward, truncated_gradient

pytestmark = pytest.mark.chapter("05")

RNG = np.random.default_rng(0)
PARAMS = init_rnn(3, 4, 3, seed=1, scale=0.8)
X, Y = RNG.integers(3, size=(2, 13))
ROWS = experiments.load("truncated-gradient").rows


def test_one_step_gives_what_the_exact_gradient_holds_of_it():
    # with the loss at step 1 there is one share, and it is the whole gradient
    [size] = contributions(PARAMS, X, Y, 1)
    grads = rnn_backward(PARAMS, rnn_forward(PARAMS, X[:1]), Y[:1])
    assert size == pytest.approx(np.sqrt(sum((grads[name] ** 2).sum() for name in "UWb")))
    # the first step's share is what cutting there takes away
    t = 5
    mask = np.arange(1, t + 1) == t
    whole = rnn_backward(PARAMS, rnn_forward(PARAMS, X[:t]), Y[:t], mask)
    h = rnn_forward(PARAMS, X[:1]).h[0]
    rest = rnn_backward(PARAMS, rnn_forward(PARAMS, X[1:t], h), Y[1:t], mask[1:])
    gone = np.sqrt(sum(((whole[name] - rest[name]) ** 2).sum() for name in "UWb"))
    assert contributions(PARAMS, X, Y, t)[0] == pytest.approx(gone)


def test_carried_blocks_are_the_references_and_others_begin_anew():
    ours = block_gradient(PARAMS, X, Y, 4)
    theirs = truncated_gradient(PARAMS, X, Y, 4)
    for name in ours:
        np.testing.assert_allclose(ours[name], theirs[name])
    anew = block_gradient(PARAMS, X, Y, 4, carry=False)
    runs = [rnn_forward(PARAMS, X[s : s + 4]) for s in (0, 4, 8, 12)]
    c = sum(
        (run.yhat - np.eye(3)[Y[s : s + 4]]).sum(0)
        for s, run in zip((0, 4, 8, 12), runs, strict=True)
    )
    np.testing.assert_allclose(anew["c"], c)
    assert truncation(PARAMS, X, Y, 13) == pytest.approx((0, 1), abs=1e-12)


@pytest.mark.parametrize(("block", "at", "carry"), [(1, 1, True), (13, 13, False), (5, 7, False)])
def test_the_poster_draws_what_is_seen_and_what_is_not(block, at, carry):
    plot = plots.truncated_blocks(PARAMS, X, Y, block, at=at, carry=carry)
    seen = at - (at - (at - 1) % block) + 1
    bars = plot.figure.axes[0].patches
    assert sum(not bar.get_hatch() for bar in bars) == seen
    assert sum(bool(bar.get_hatch()) for bar in bars) == at - seen
    assert ("cut off" in plot.alt) is True
    error, _ = truncation(PARAMS, X, Y, block, carry)
    assert f"whole gradient is {number(error)}," in plot.alt
    assert plot.png("light") != plot.png("dark")


def test_what_does_not_fit_the_poster_is_named():
    for key, value in (("block", 14), ("at", 14), ("block", 0), ("at", 0)):
        with pytest.raises(ValueError, match=key):
            plots.truncated_blocks(PARAMS, X, Y, **{"block": 3, "at": 2} | {key: value})


def test_the_experiments_errors_are_drawn_with_their_spread():
    plot = plots.truncation_errors(ROWS)
    assert "radius 1 from 0.841 to 0.03" in plot.alt
    assert len(plot.figure.axes[0].lines) == 5
    row = next(row for row in ROWS if row["measure"] == "error")
    for bad, message in (
        ([], "rows is empty"),
        ([row | {"each": [0.0]}], "not above 0"),
        ([row | {"net": str(i)} for i in range(6)], "6 networks"),
        ([row | {"measure": "recall"}], "rows is empty"),
        ([{"measure": "error"}], "without net, block, each"),
    ):
        with pytest.raises(ValueError, match=message):
            plots.truncation_errors(bad)


def test_every_network_that_recalls_has_its_dot():
    plot = plots.truncation_recall(ROWS)
    recalls = [row for row in ROWS if row["measure"] == "recall"]
    drawn = [
        line.get_ydata()
        for axes in plot.figure.axes
        for line in axes.lines
        if line.get_linestyle() == "None" and len(line.get_ydata())
    ]
    assert sorted(map(tuple, drawn)) == sorted(tuple(row["each"]) for row in recalls)
    assert "delay 3, blocks of 2, orthogonal, carried: 1;" in plot.alt
    assert "delay 8, blocks of 8, default, not carried: 0.493" in plot.alt
    for bad, message in (
        ([recalls[0] | {"each": [1.2]}], r"not in \[0, 1\]"),
        ([recalls[0] | {"net": str(i)} for i in range(3)], "3 kinds"),
    ):
        with pytest.raises(ValueError, match=message):
            plots.truncation_recall(bad)
