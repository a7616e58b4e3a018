"""Confidence intervals for the results of experiments: rates, means and medians.

Reading a stored result computes its intervals, also for students, who have no SciPy. The functions
here need none; the tests compare them with SciPy's.
"""

import math
from collections.abc import Sequence
from functools import cache
from statistics import NormalDist, fmean, median, stdev

from rnn_helpers.validate import as_count, as_list, as_number

_TAIL = 0.025
_Z = NormalDist().inv_cdf(0.975)

# Two-sided 95 % quantiles of Student's t for few degrees of freedom, where the series in
# t_quantile is short of digits.
_T = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)


def t_quantile(freedom: int) -> float:
    """Two-sided 95 % quantile of Student's t distribution.

    Parameters
    ----------
    freedom : int
        Degrees of freedom, at least 1.

    Returns
    -------
    float
        Correct to four digits: from a table up to 9, from there by the Cornish-Fisher series in
        ``1/freedom``.

    Raises
    ------
    ValueError
        If `freedom` is less than 1.
    """
    freedom = as_count("freedom", freedom)
    if freedom <= len(_T):
        return _T[freedom - 1]
    z = _Z
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


SHARE = 0.0, 1.0
"""Bounds of a share, such as an accuracy."""

SIGNED = -1.0, 1.0
"""Bounds of a cosine, of a correlation, and of the difference of two shares."""

_BOUNDS = "the least and the greatest number", lambda bound: not math.isnan(bound)
_SQUARABLE = "at least two finite numbers below 1e150", lambda value: abs(value) < 1e150


def mean_interval(
    values: Sequence[float], bounds: tuple[float, float] = (-math.inf, math.inf)
) -> tuple[float, float, float]:
    """Mean of independent values with its 95 % confidence interval (Student's t).

    If there are bounds, the interval is cut off at them: values beyond can't be the mean, so the
    coverage stays the same.

    Parameters
    ----------
    values : sequence of float
        At least two finite numbers, one for each seed.
    bounds : pair of float
        The least and the greatest value that is possible, such as `SHARE` or `SIGNED`.

    Returns
    -------
    mean, low, high : float

    Raises
    ------
    TypeError
        If a value is not a number.
    ValueError
        If there are fewer than two values, one is not finite (or its square is not), or one lies
        beyond the bounds.
    """
    values = [float(as_number("values", v, *_SQUARABLE)) for v in as_list("values", values)]
    if len(values) < 2:
        raise ValueError(f"values are {values}, expected at least two finite numbers")
    bounds = [as_number("bounds", b, *_BOUNDS) for b in as_list("bounds", bounds)]
    if len(bounds) != 2 or not bounds[0] <= min(values) <= max(values) <= bounds[1]:
        raise ValueError(f"bounds are {bounds}, expected {_BOUNDS[0]} that the values can have")
    mean = fmean(values)
    half = t_quantile(len(values) - 1) * stdev(values, mean) / math.sqrt(len(values))
    return mean, max(bounds[0], mean - half), min(bounds[1], mean + half)


def median_interval(values: Sequence[float], tests: int = 1) -> tuple[float, float, float]:
    """Median of independent values with its 95 % confidence interval (order statistics).

    The interval runs from the j-th smallest to the j-th largest value, for the largest j with which
    it covers the median of any continuous distribution at least 95 % of the time. A few failed
    networks hardly move it. Fewer than six values have no such interval; theirs runs from the
    smallest to the largest value and covers less.

    Parameters
    ----------
    values : sequence of float
        Finite numbers, one for each seed.
    tests : int
        How many medians are compared if only the best of them counts. Each interval is then so wide
        that all of them cover at least 95 % of the time (Bonferroni).

    Returns
    -------
    median, low, high : float

    Raises
    ------
    TypeError
        If a value is not a number, or `tests` is not an integer.
    ValueError
        If there is no value, one is not finite, or `tests` is less than 1.
    """
    values = sorted(float(as_number("values", v)) for v in as_list("values", values))
    if not values:
        raise ValueError("values is empty, expected at least one number")
    n = len(values)
    tail = _TAIL / as_count("tests", tests)
    outside = next(j for j in range(n) if _at_least(n - j, n, 0.5) > tail)
    j = max(outside - 1, 0)
    return median(values), values[j], values[n - 1 - j]


def rate_interval(successes: int, trials: int) -> tuple[float, float, float]:
    """Share of successes with its 95 % confidence interval (Clopper and Pearson's exact interval).

    Beyond its ends are the rates at which so many successes, or so few, have a probability of less
    than 2.5 %.

    Parameters
    ----------
    successes, trials : int
        ``0 <= successes <= trials`` and ``trials >= 1``.

    Returns
    -------
    rate, low, high : float

    Raises
    ------
    TypeError
        If a count is not an integer.
    ValueError
        If the counts are out of range.
    """
    successes, trials = as_count("successes", successes, 0), as_count("trials", trials)
    if successes > trials:
        raise ValueError(f"successes is {successes}, expected at most trials, {trials}")
    low, high = _lowest_rate(successes, trials), 1 - _lowest_rate(trials - successes, trials)
    return successes / trials, low, high


@cache
def _lowest_rate(successes: int, trials: int) -> float:
    """Return the rate at which so many successes or more have a probability of 2.5 %."""
    low, high = 0.0, successes / trials
    for _ in range(50):
        middle = (low + high) / 2
        if _at_least(successes, trials, middle) < _TAIL:
            low = middle
        else:
            high = middle
    return low


def _at_least(successes: int, trials: int, rate: float) -> float:
    """Return the probability of at least so many successes, from the binomial distribution."""
    if rate in (0, 1):
        return float(rate == 1 or successes == 0)
    logs = (
        math.lgamma(trials + 1) - math.lgamma(k + 1) - math.lgamma(trials - k + 1)
        + k * math.log(rate) + (trials - k) * math.log1p(-rate)
        for k in range(successes, trials + 1)
    )  # fmt: skip
    return math.fsum(map(math.exp, logs))


def paired_interval(
    first: Sequence[bool], second: Sequence[bool], tests: int = 1
) -> tuple[float, float, float]:
    """Difference of two rates of success in the same trials, with its 95 % confidence interval.

    This is the interval of Bonett and Price (2012), which adds one trial that only the first won
    and one that only the second won. Unlike the mean of the differences plus or minus its standard
    error, it keeps a width when all pairs agree. It leaves out 0 only if McNemar's exact test, of
    the pairs that differ, has a two-sided p of at most 5 %.

    Parameters
    ----------
    first, second : sequence of bool
        Whether each trial succeeded: the same trials, in the same order.
    tests : int
        How many differences are compared if only the best of them counts (Bonferroni).

    Returns
    -------
    difference, low, high : float
        Rate of `first` minus rate of `second`.

    Raises
    ------
    TypeError
        If one is not a sequence, or `tests` is not an integer.
    ValueError
        If there is no trial, the two differ in length, or `tests` is less than 1.
    """
    first, second = as_list("first", first), as_list("second", second)
    if not first or len(first) != len(second):
        raise ValueError(
            f"first and second hold {len(first)} and {len(second)} trials, expected as many, and "
            "at least one"
        )
    n = len(first)
    better = sum(bool(a) and not b for a, b in zip(first, second, strict=True))
    worse = sum(bool(b) and not a for a, b in zip(first, second, strict=True))
    difference, middle = (better - worse) / n, (better - worse) / (n + 2)
    spread = better + worse + 2 - (better - worse) ** 2 / (n + 2)
    tail = _TAIL / as_count("tests", tests)
    half = NormalDist().inv_cdf(1 - tail) * math.sqrt(spread) / (n + 2)
    low, high = max(-1.0, middle - half), min(1.0, middle + half)
    if _at_least(max(better, worse), better + worse, 0.5) > tail:
        low, high = min(low, 0.0), max(high, 0.0)
    return difference, low, high
