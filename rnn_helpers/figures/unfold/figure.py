"""The figure *unfold*: a circuit and its unfolded graph."""

from rnn_helpers.circuits import Circuit


def check(state, given):
    """Raise ValueError if `circuit` doesn't describe a circuit."""
    if state["circuit"] is not None:
        try:
            Circuit.from_dict(state["circuit"])
        except (TypeError, ValueError) as error:
            raise ValueError(f"circuit is invalid: {error}") from None
