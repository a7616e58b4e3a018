"""Descriptions of numbers and curves, for alternative texts."""

import numpy as np

_MOST = 6


def number(value):
    """Write a number with three significant digits and a comma in thousands."""
    value = float(value)
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 1e5:
        rounded = f"{value:.3g}"
        return f"{float(rounded):,g}"
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def counted(n, noun):
    """Return a count with its noun: "1 step", "3 steps"."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def enumerated(items, separator=", "):
    """Join the first items of a list, and add the number of the others."""
    items = list(items)
    rest = len(items) - _MOST
    return separator.join(items[:_MOST]) + (f" and {rest} more" if rest > 0 else "")


def course(x, y):
    """Describe the course of y(x): "falls from 4.6 to 1.9".

    Parameters
    ----------
    x, y : ndarray, shape (n,)
    """
    first, last = y[0], y[-1]
    span = np.ptp(y)
    if len(y) == 1:
        return f"is {number(first)}"
    if span <= 0.01 * np.abs(y).max():
        return f"stays at {number(first)}"
    for verb, back, turn, beyond in (
        ("falls", "rises", np.argmin(y), min(first, last) - y.min()),
        ("rises", "falls", np.argmax(y), y.max() - max(first, last)),
    ):
        if beyond > 0.15 * span:
            return (
                f"{verb} from {number(first)} to {number(y[turn])} at {number(x[turn])}, "
                f"then {back} to {number(last)}"
            )
    if abs(last - first) <= 0.05 * span:
        return f"starts and ends at {number(first)}"
    return f"{'falls' if last < first else 'rises'} from {number(first)} to {number(last)}"
