"""The figure *independence*: bits by rules, and the least loss of what hears only some of them."""

from rnn_helpers import plots
from rnn_helpers.explore.figures import constants
from rnn_helpers.reference import expected_losses, rule_joint

CONSTANTS = constants("independence")
LENGTH, RULES, NAMES = CONSTANTS.LENGTH, CONSTANTS.RULES, CONSTANTS.NAMES


def poster(state):
    """Draw the figure in a complete state."""
    joint = rule_joint(rules(state["rules"]), state["noise"])
    shown = list(NAMES) if state["shown"] else ["inputs"]
    return plots.least_losses(
        {NAMES[name]: least_losses(joint, name, state["fed"]) for name in shown},
        [f"y {t + 1}: {source(rule, t)}" for t, rule in enumerate(rules(state["rules"]))],
    )


def rules(number):
    """Rule of each bit, from a number with two binary digits for each."""
    return [RULES[number >> 2 * t & 3] for t in range(LENGTH)]


def source(rule, t):
    """Where the bit of step t, from 0, comes from."""
    if rule == "same":
        return f"x {t + 1}"
    if rule == "next" and t + 1 < LENGTH:
        return f"x {t + 2}"
    return f"y {t}" if rule == "last" and t else "coin"


def least_losses(joint, hears, fed):
    """Least expected loss of each bit, in nats: a prediction fed back tells nothing new."""
    if fed == "predicted":
        hears = {"outputs": "inputs", "all": "all inputs"}.get(hears, hears)
    return expected_losses(joint, hears)
