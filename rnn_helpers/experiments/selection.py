"""How an experiment chose its settings, read from the code that makes its rows."""

from collections.abc import Callable

from rnn_helpers.experiments.fingerprint import PACKAGE, Definition, reached

PROTOCOL, BY_HAND, FIXED = "by protocol", "by hand", "fixed"
SELECTIONS = PROTOCOL, BY_HAND, FIXED

_HERE = PACKAGE / "experiments"
_CONTEST = Definition(_HERE / "contest.py", "Contest")
_SEEDS = "separate"  # where all other code that chooses a setting takes its seeds from


def selection(function: Callable) -> str:
    """Return how the settings of an experiment were chosen.

    Parameters
    ----------
    function : callable
        The function that makes the rows.

    Returns
    -------
    str
        One of `SELECTIONS`: ``PROTOCOL`` if a `Contest` chose them, ``BY_HAND`` if the experiment
        has its own code for the choice, and ``FIXED`` if they were set beforehand.
    """
    found = reached(function)
    if _CONTEST in found:
        return PROTOCOL
    return BY_HAND if _SEEDS in {definition.name for definition in found} else FIXED
