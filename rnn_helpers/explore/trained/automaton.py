"""What the experiment features-states has measured, for the figure automaton."""

from rnn_helpers import experiments
from rnn_helpers.experiments import mean_interval
from rnn_helpers.experiments.claims.chapter_01.features_states import COUNTED, NETWORK


def make():
    """Compare the automaton that was counted with the network, by what they lose.

    Returns
    -------
    list of dict
        For each number ``k`` of kinds of brackets how many bits a symbol the ``automaton``
        against the source, and which is ``better``: None where the interval of the difference does
        not say.
    """
    cells = {}
    for row in experiments.load("features-states").rows:
        cells.setdefault(row["kinds"], {})[row["model"]] = row
    return [_compared(k, models[COUNTED], models[NETWORK]) for k, models in cells.items()]


def _compared(k, counted, network):
    lost = [p - q for p, q in zip(counted["each"], network["each"], strict=True)]
    _, low, high = mean_interval(lost)
    return {
        "k": k,
        "automaton": round(counted["excess"], 4),
        "network": round(network["excess"], 4),
        "better": "network" if low > 0 else "automaton" if high < 0 else None,
    }
