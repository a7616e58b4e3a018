import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.plots.truncated import block_gradient, contributions, truncation
from rnn_helpers.plots.words import number
from rnn_helpers.reference import init_rnn, rnn_backward, rnn_forward, truncated_gradient

pytestmark = pytest.mark.chapter("05")

RNG = np.random.default_rng(0)
PARAMS = init_rnn(3, 4, 3, seed=1, scale=0.8)
X, Y = RNG.integers(3, size=(2, 13))


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


@pytest.mark.slow
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
