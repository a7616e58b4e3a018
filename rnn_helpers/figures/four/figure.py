"""The figure *four*: the pixels that an output depends on, and a network that follows paths."""

from rnn_helpers.figures import constants

CONSTANTS = constants("four")
SIDE = CONSTANTS.SIDE
_KINDS = ".#O"  # wall, floor, mark


def check(state, given):
    """Refuse a text that isn't an image with two marks."""
    maze = state["maze"]
    if len(maze) != SIDE**2 or set(maze) - set(_KINDS) or maze.count("O") != 2:
        raise ValueError(
            f"maze is {maze!r}; expected {SIDE**2} cells, '.' for a wall, '#' for floor, and 'O' "
            "for each of two marks"
        )
