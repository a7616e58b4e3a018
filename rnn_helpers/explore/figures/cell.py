"""The figure *cell*: a cell that counts the ones of two sentences, in four stages."""

WORDS = {
    "forget": {
        "question": "What changes if the cell can forget on purpose?",
        "caption": "The forget gate is 1 at each step except step 7, where the slider sets it. "
        "Close the gate, and follow the state and the gradient of the last state.",
    },
    "input": {
        "question": "How can a cell ignore noise?",
        "caption": "The cell input is 1 for each 1, and noise at the other steps. There the slider "
        "sets the input gate. The forget gate is 0 at step 7 and 1 elsewhere.",
    },
    "output": {
        "question": "What happens if a cell hides its state?",
        "caption": "The output gate is 1 at step 6. The slider sets it at step 12, and it is 0 "
        "elsewhere. Follow the output and its gradient: the state stays the same.",
    },
}


def words(state):
    """Return the question and the caption of a later stage, which differ from the first one's."""
    return WORDS.get(state["stage"], {})
