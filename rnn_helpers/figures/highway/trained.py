"""Results of the experiment gradient-reach-gated, for the figure highway."""

import numpy as np

from rnn_helpers import experiments
from rnn_helpers.figures.highway.figure import STEPS

EVERY = 5  # steps between the distances at which the experiment stores a gradient's size
NAMES = {  # of the figure's lines, in the experiment
    "rnn": "simple",
    "lstm1": "LSTM, bias 1",
    "gru": "GRU",
    "orthogonal": "simple, orthogonal",
    "lstm0": "LSTM, bias 0",
    "leaky": "leaky, 0.9",
    "lstm3": "LSTM, bias 3",
}


def make():
    """Return the sizes of gradients in new and in trained networks.

    Returns
    -------
    dict
        ``networks``, the number of each kind; ``every``, the steps between distances; and, under
        ``"new"`` and ``"trained"``, three lists for each line of the figure: log10 of the smallest,
        the median and the largest size at the distances 0, 5, .. 60. Trained networks count if they
        have learned the task.
    """
    rows = experiments.load("gradient-reach-gated").rows
    far = STEPS // EVERY + 1
    result = {"every": EVERY}
    for when, called in {"new": "at the start", "trained": "trained"}.items():
        result[when] = {}
        for kind, name in NAMES.items():
            logs = [
                row["log10_norms"][:far]
                for row in rows
                if (row["cell"], row["when"]) == (name, called)
                and (when == "new" or row["learned"])
            ]
            result["networks"] = len(logs)
            result[when][kind] = np.quantile(logs, [0, 0.5, 1], axis=0).round(2).tolist()
    return result
