"""The sources' claims, each a function that returns a table, with the results they left.

>>> from rnn_helpers import experiments
>>> print(experiments.load("learning-rate"))                                 # doctest: +SKIP

``python -m rnn_helpers.experiments list`` names them all; ``... run SLUG`` runs one again and
stores what it gave, ``... run SLUG --quick`` shows in seconds whether it still gives the same, and
``... rehash`` keeps what a change of the code left alone.
"""

from typing import TYPE_CHECKING

from rnn_helpers.lazy import lazily

if TYPE_CHECKING:
    from rnn_helpers.experiments.choose import Choice, choose
    from rnn_helpers.experiments.schema import (
        Experiment,
        Summary,
        Verdict,
        each_seed,
        experiment,
        experiments,
        find,
    )
    from rnn_helpers.experiments.show import show
    from rnn_helpers.experiments.stats import SHARE, SIGNED, mean_interval, rate_interval
    from rnn_helpers.experiments.store import Result, load, save
    from rnn_helpers.experiments.success import Attempts, attempts

__getattr__, __dir__ = lazily(__name__)

__all__ = [
    "SHARE",
    "SIGNED",
    "Attempts",
    "Choice",
    "Experiment",
    "Result",
    "Summary",
    "Verdict",
    "attempts",
    "choose",
    "each_seed",
    "experiment",
    "experiments",
    "find",
    "load",
    "mean_interval",
    "rate_interval",
    "save",
    "show",
]
