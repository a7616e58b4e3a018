"""The figure *clip*: the mean of gradients that are clipped one by one."""

from rnn_helpers import plots


def poster(state):
    """Draw the figure in a complete state."""
    held = [i for i in "1234" if state[f"m{i}"]]
    return plots.clipped_means(
        [[state[f"x{i}"], state[f"y{i}"]] for i in held],
        state["v"],
        kind=state["kind"],
        counts=[state[f"m{i}"] for i in held],
    )
