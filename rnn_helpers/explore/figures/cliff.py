"""The figure ``cliff`` tells readers of its map what they can do there."""

MAP = {
    "caption": "One weight and one bias, 50 steps: the map shows the loss from above, and the "
    "solution lies in the blue ravine at the foot of a wall. Step through both descents, and drag "
    "their start on the map."
}


def words(state):
    """Return the caption of the map, which differs from the landscape's."""
    return MAP if state["view"] == "map" else {}
