"""How an experiment chose its settings, read from the code that makes its rows."""

from collections.abc import Callable

from rnn_helpers.experiments.fingerprint import PACKAGE, Definition, reached

PROTOCOL, EQUAL_GRIDS, BY_HAND, FIXED = "by protocol", "on equal grids", "by hand", "fixed"
SELECTIONS = PROTOCOL, EQUAL_GRIDS, BY_HAND, FIXED

_HERE = PACKAGE / "experiments"
_CONTEST = Definition(_HERE / "contest.py", "Contest")
_CHOOSE = Definition(_HERE / "choose.py", "choose")
# All other code that chooses a setting takes the seeds for the choice from one of these.
_SEEDS = {"separate", "_GRID_SEEDS"}


def selection(function: Callable) -> str:
    """Return how the settings of an experiment were chosen.

    Parameters
    ----------
    function : callable
        The function that makes the rows.

    Returns
    -------
    str
        One of `SELECTIONS`: ``PROTOCOL`` if a `Contest` chose them, ``EQUAL_GRIDS`` if the
        experiment calls `choose` itself, ``BY_HAND`` if it has its own code for the choice, and
        ``FIXED`` if they were set beforehand.
    """
    found = reached(function)
    if _CONTEST in found:
        return PROTOCOL
    if _CHOOSE in found:
        return EQUAL_GRIDS
    return BY_HAND if _SEEDS & {definition.name for definition in found} else FIXED
