from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from networks import X
from refusals import (
    COUNT,
    REAL,
    TOKENS,
)

from rnn_helpers.reference import log_softmax, one_hot, sigmoid, softmax

scores = arrays(float, st.integers(1, 6), elements=st.floats(-1e300, 1e300))


@pytest.mark.equation("5.6")
@given(st.floats(-700, 700))
def test_sigmoid_is_its_formula(z):
    assert sigmoid(z) == pytest.approx(1 / (1 + exp(-z)), rel=1e-14)


@pytest.mark.equation("5.6")
def test_sigmoid_neither_overflows_nor_warns_at_any_finite_number():
    with np.errstate(all="raise", under="ignore"):
        values = sigmoid([-1e308, -1000.0, 0.0, 1000.0, 1e308])
    np.testing.assert_array_equal(values, [0, 0, 0.5, 1, 1])


@pytest.mark.equation("10.11", "5.9")
@given(arrays(float, st.tuples(st.integers(1, 3), st.integers(1, 6)), elements=st.floats(-50, 50)))
def test_softmax_is_its_formula_with_the_sum_over_the_other_index(o):
    for row, probabilities in zip(o, softmax(o), strict=True):
        total = sum(exp(other) for other in row)
        np.testing.assert_allclose(probabilities, [exp(one) / total for one in row], rtol=1e-13)


@pytest.mark.equation("5.9")
def test_the_printed_denominator_would_make_every_probability_the_same():
    s = np.array([1.0, 2, 3, 4])
    printed = [exp(s_j) / sum(exp(s_j) for _ in s) for s_j in s]
    np.testing.assert_allclose(printed, 0.25)
    np.testing.assert_allclose(softmax(s), [0.032, 0.087, 0.237, 0.644], atol=5e-4)


@pytest.mark.equation("10.11", "5.9")
@given(scores)
def test_softmax_is_a_distribution_at_any_finite_scores(o):
    with np.errstate(all="raise", under="ignore"):
        assert softmax(o).sum() == pytest.approx(1, rel=1e-14)
        assert np.isfinite(log_softmax(o)).all()
    assert (softmax(o) >= 0).all()


@pytest.mark.equation("10.11")
def test_log_softmax_is_exact_where_the_probability_rounds_to_zero():
    assert softmax([0.0, 1000.0])[0] == 0
    np.testing.assert_array_equal(log_softmax([0.0, 1000.0]), [-1000, 0])
    np.testing.assert_allclose(log_softmax([0.0, 0.0]), -log(2))


@pytest.mark.parametrize("function", [sigmoid, softmax, log_softmax])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nonfinite_values_are_rejected_by_name(function, bad):
    with pytest.raises(ValueError, match=f"contains {bad}; expected finite"):
        function([0.0, bad])


@pytest.mark.parametrize("function", [sigmoid, softmax, log_softmax])
@pytest.mark.parametrize("bad", [["a"], [1j], [None]])
def test_numbers_that_are_not_real_are_rejected(function, bad):
    with pytest.raises(TypeError, match="expected real numbers"):
        function(bad)


@pytest.mark.parametrize("function", [softmax, log_softmax])
@pytest.mark.parametrize("bad", [1.0, [], np.zeros((2, 0))])
def test_softmax_needs_at_least_one_score(function, bad):
    with pytest.raises(ValueError, match="at least one score"):
        function(bad)


@pytest.mark.parametrize("function", [sigmoid, softmax, log_softmax])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_floating_type_is_kept(function, dtype):
    assert function(np.ones(3, dtype)).dtype == dtype


@pytest.mark.chapter("03")
def test_one_hot_gives_the_input_vectors_of_the_worked_example():
    a, b, start = 0, 1, 2  # <s> is 3 and </s> is 4 in the source, which counts from 1
    np.testing.assert_array_equal(
        one_hot([start, a, b, a], 4), [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0]]
    )
    assert one_hot(np.zeros((2, 3), int), 5).shape == (2, 3, 5)
    np.testing.assert_array_equal(one_hot(1, 2), [0, 1])


def test_one_hot_rejects_invalid_tokens():
    with pytest.raises(ValueError, match=r"token 4; expected tokens in 0\.\.3"):
        one_hot([0, 4], 4)
    with pytest.raises(ValueError, match="token -1"):
        one_hot([-1], 4)
    with pytest.raises(TypeError, match="expected integer tokens"):
        one_hot([1.0], 4)
    with pytest.raises(ValueError, match="n is 0; expected an integer of at least 1"):
        one_hot([], 0)


def test_underflow_is_harmless_whatever_the_reader_asks_numpy_to_raise():
    with np.errstate(all="raise"):
        assert softmax([0.0, 800.0]).tolist() == [0, 1]
        assert log_softmax([0.0, 800.0]).tolist() == [-800, 0]
        assert sigmoid([-800.0, 800.0]).tolist() == [0, 1]


REFUSALS = {
    log_softmax: ({"o": [1.0, 2.0]}, {"o": [*REAL, []]}),
    softmax: ({"o": [1.0, 2.0]}, {"o": [*REAL, []]}),
    sigmoid: ({"z": 1.0}, {"z": REAL[:-1]}),
    one_hot: ({"tokens": X, "n": 3}, {"tokens": TOKENS, "n": COUNT}),
}
