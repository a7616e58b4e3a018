"""Five networks that write, each with its own way to stop."""

FIVE = {
    "question": "Which networks end their words with a z?",
    "caption": "The network of the first figure, and four networks that stop in other ways. A bar "
    "shows how many words have that length, and its striped part those that don't end with their "
    "z. Write 1,000 words and compare the stripes. If you select a network, you see its "
    "probabilities at each step.",
}
"""The words for all five networks, which differ from those for a single one."""


def words(state):
    """Return the question and the caption for all five networks."""
    return FIVE if state["view"] == "five" else {}
