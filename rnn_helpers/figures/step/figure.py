"""The figure *step*: one step of a recurrent network and the bill of a sentence."""

from rnn_helpers.explore.states import manifest, require_place
from rnn_helpers.figures import constants


def check(state, given):
    """Raise ValueError if the sentence is too long or has other words, or has no such step."""
    words = state["text"].replace(".", " ").split()
    known = constants("step").ALPHABET[1:]
    strange = sorted(set(words) - set(known))
    if strange:
        raise ValueError(
            f"text is {state['text']!r}, with {', '.join(strange)}; expected {', '.join(known)}"
        )
    longest = manifest()["step"]["controls"]["t"]["max"] - 1
    if len(words) > longest:
        raise ValueError(f"text has {len(words)} words; expected at most {longest}")
    require_place("t", state, given, len(words) + 1, f"{state['text']!r} has the steps")
