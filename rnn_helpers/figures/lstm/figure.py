"""The figure *lstm*: one cell with its circuit, forward and backward."""

import re


def check(state, given):
    """Raise ValueError if ``held`` doesn't name gates, steps and values."""
    held_gates(state["held"])


def held_gates(text):
    """Return the gates held by hand: ``{("f", 5): 0.25}`` from ``"f5:0.25"``."""
    held = {}
    for part in filter(None, text.split(",")):
        match = re.fullmatch(r"([fgq])([1-8]):(\d+|\d*\.\d+)", part)
        if not match or float(match[3]) > 1:
            raise ValueError(f"held has {part!r}; expected gate, step and value, as in f5:0.25")
        held[match[1], int(match[2])] = float(match[3])
    return held
