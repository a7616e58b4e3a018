"""The lab on stopping: three networks learn when to stop from the reader's lengths."""

import numpy as np
import pytest

from rnn_helpers import plots
from rnn_helpers.explore.stopping import COIN, FIRST, MANY, SYMBOL, TOLD, learn_to_stop, source_of

pytestmark = [pytest.mark.chapter("07"), pytest.mark.slow]


def test_a_length_is_as_likely_as_it_is_often_named():
    source = source_of("8, 3 3  5")
    assert (source.shortest, source.longest) == (3, 8)
    np.testing.assert_allclose(source.probabilities, [0.5, 0, 0.25, 0, 0, 0.25])


@pytest.mark.parametrize(
    "lengths", ["", " , ", "1 3", "3 21", "3.5", "three", "-3", "³", "3" * 5000]
)
def test_invalid_lengths_are_refused(lengths):
    with pytest.raises(ValueError, match="expected whole numbers from 2 to 20"):
        source_of(lengths)


def test_bad_lengths_and_unknown_contexts_are_refused():
    with pytest.raises(TypeError, match="lengths"):
        learn_to_stop([3, 8])
    with pytest.raises(ValueError, match="told"):
        learn_to_stop("3 8", "all")


@pytest.mark.parametrize("told", TOLD)
def test_three_networks_write_and_are_drawn(told):
    first, last = learn_to_stop("2 4", told, steps=3, every=2)
    assert (first.steps, last.steps) == (2, 3)
    assert list(last.written) == list(last.loss) == [SYMBOL, COIN, FIRST[told]]
    assert {len(pairs) for pairs in last.written.values()} == {MANY}
    assert all(np.isfinite(loss) for loss in last.loss.values())
    plot = plots.written_lengths(last.written, last.source.probabilities, last.source.shortest)
    assert f"{FIRST[told]} " in plot.alt


def test_the_context_changes_only_the_third_network():
    (one,), (other,) = (
        list(learn_to_stop("2 6", told, steps=3, every=3)) for told in ("τ", "nothing")
    )
    for name in (SYMBOL, COIN):
        assert one.written[name] == other.written[name]
        assert one.loss[name] == other.loss[name]


def test_without_the_length_the_right_end_is_as_likely_as_two_equal_draws():
    *_, last = learn_to_stop("3 3 3 9")
    share = {name: np.mean([fine for _, fine in pairs]) for name, pairs in last.written.items()}
    assert min(share[SYMBOL], share[COIN]) > 0.9
    assert share[FIRST["nothing"]] == pytest.approx(0.75**2 + 0.25**2, abs=0.1)
