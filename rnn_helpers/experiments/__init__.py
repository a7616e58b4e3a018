"""The sources' claims as functions that return tables, and their stored results.

``print(experiments.load(SLUG))`` shows a stored result. ``python -m rnn_helpers.experiments list``
lists the claims. ``... run SLUG`` runs one and stores its result, ``... run SLUG --quick`` takes
seconds and stores nothing, and ``... rehash`` keeps results whose code has changed without an
effect on their numbers. Archived experiments can't be run, but `load` and `show` read their
results.
"""

from typing import TYPE_CHECKING

from rnn_helpers.lazy import lazily

if TYPE_CHECKING:
    from rnn_helpers.experiments.choose import Choice, choose
    from rnn_helpers.experiments.schema import (
        Experiment,
        each_seed,
        experiment,
        experiments,
        find,
    )
    from rnn_helpers.experiments.show import show
    from rnn_helpers.experiments.stats import SHARE, SIGNED, mean_interval, rate_interval
    from rnn_helpers.experiments.store import Result, load, save
    from rnn_helpers.experiments.success import Attempts, attempts
    from rnn_helpers.experiments.verdicts import Summary, Verdict

__getattr__, __dir__, __all__ = lazily(__name__)
