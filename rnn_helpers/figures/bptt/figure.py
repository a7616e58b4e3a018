"""The figure *bptt*: a small network's forward and backward computation, step by step."""

import re


def check(state, given):
    """Raise ValueError if a step is given that the figure doesn't have, or that has no loss."""
    if "at" not in given:
        return
    kind, t = _place(state["at"])
    last = state["T"]
    unscored = state["loss"] == "last" and kind in ("o", "L", "do") and t and int(t) < last
    if t and (int(t) > last or unscored):
        raise ValueError(
            f"at is {state['at']!r}; T={last}, loss={state['loss']!r} has no such step"
        )


def _place(at):
    """Split the name of a step into its kind and its digits, if any: "dh3" is "dh" and "3"."""
    return re.fullmatch(r"(\D+)(\d*)", at).groups()
