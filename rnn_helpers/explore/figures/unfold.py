"""The figure *unfold*: a circuit, and what becomes of it over T steps."""

from rnn_helpers.circuits import Circuit


def check(state, given):
    """Raise ValueError if the circuit is none."""
    if state["circuit"] is not None:
        try:
            Circuit.from_dict(state["circuit"])
        except (TypeError, ValueError) as error:
            raise ValueError(f"circuit is no circuit: {error}") from None
