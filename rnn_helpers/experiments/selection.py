"""How an experiment chose its settings, read from the code that makes its rows."""

from collections.abc import Callable

from rnn_helpers.experiments.fingerprint import PACKAGE, Definition, reached

PROTOCOL, FIXED = "by protocol", "fixed"

_CONTEST = Definition(PACKAGE / "experiments" / "contest.py", "Contest")


def selection(function: Callable) -> str:
    """Return how the settings of an experiment were chosen.

    Parameters
    ----------
    function : callable
        The function that makes the rows.

    Returns
    -------
    str
        ``PROTOCOL`` if a `Contest` chose them, and ``FIXED`` if they were set beforehand.
    """
    return PROTOCOL if _CONTEST in reached(function) else FIXED
