"""Confidence intervals for what experiments report: rates and means."""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

from rnn_helpers.validate import as_count, as_list, as_number

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

    Where there are bounds, the interval ends at them: what is cut off cannot be the mean, so that
    what is left holds it as often as the whole did.

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


def rate_interval(successes: int, trials: int) -> tuple[float, float, float]:
    """Share of successes with its 95 % confidence interval (Wilson's score interval).

    Unlike the share plus or minus its standard error, the interval stays within [0, 1] and keeps a
    width when every trial, or none, succeeds.

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
    rate = successes / trials
    centre = (rate + _Z**2 / (2 * trials)) / (1 + _Z**2 / trials)
    spread = _Z / (1 + _Z**2 / trials)
    half = spread * math.sqrt(rate * (1 - rate) / trials + _Z**2 / (4 * trials**2))
    # at 0 and 1 the bound is the rate itself, but for rounding
    return rate, max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def paired_interval(first: Sequence[bool], second: Sequence[bool]) -> tuple[float, float, float]:
    """Difference of two rates of success in the same trials, with its 95 % confidence interval.

    The interval of Agresti and Min (2005): as if half a trial more had gone each of the four ways.
    Unlike the mean of the differences plus or minus its standard error, it keeps a width when all
    pairs agree.

    Parameters
    ----------
    first, second : sequence of bool
        Whether each trial succeeded: the same trials, in the same order.

    Returns
    -------
    difference, low, high : float
        Rate of `first` minus rate of `second`.

    Raises
    ------
    TypeError
        If one is not a sequence.
    ValueError
        If there is no trial, or the two differ in length.
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
    spread = better + worse + 1 - (better - worse) ** 2 / (n + 2)
    half = _Z * math.sqrt(spread) / (n + 2)
    return difference, max(-1.0, middle - half), min(1.0, middle + half)
