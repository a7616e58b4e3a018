"""The figure *address*: the words of its later parts."""

WORDS = {
    "content": {
        "question": "What makes a cell easy to find by its content?",
        "caption": "The same lines, cut into cells. The darker a cell, the larger its weight. "
        "Change the sharpness and the number of letters per cell. Select a cell to see how its "
        "weight is computed.",
    },
    "place": {
        "question": "How does a memory move on to the next line?",
        "caption": "Content finds a line, and the shift moves the weights to the next or previous "
        "one. Then the reading becomes the next key. Move the shift to 1, and read on.",
    },
}


def words(state):
    """Return the question and the caption of a later part, which differ from the first one's."""
    return WORDS.get(state["part"], {})
