"""The figure *reservoir*: what the states of an untrained network contain of its past inputs."""

VIEWS = {
    "memory": {
        "question": "How much of the past can a readout recover?",
        "caption": "A reservoir of 100 units with input scale 0.1. For each delay, a readout was "
        "fitted to the input from that many steps ago. The curve shows the share that it explains "
        "on new steps, and the area below it is the memory. The other chart shows the output of "
        "one readout and its target.",
    },
    "map": {
        "question": "At which settings does a reservoir remember the most?",
        "caption": "The stronger the color, the more inputs a reservoir of 100 units remembers. "
        "To the left of the line, two starts meet in most reservoirs. The other chart shows "
        "the distance of two starts at the chosen point, and of two starts a millionth apart "
        "(dashed).",
    },
    "all": {
        "question": "What does a leak change?",
        "caption": "All charts of the reservoir, and its third setting: the leak, which is the "
        "share of the state that is replaced at each step.",
    },
}
"""The question and the caption of each view that shows more than the echo of a pulse."""


def words(state):
    """Return the question and the caption of a view."""
    return VIEWS.get(state["view"], {})
