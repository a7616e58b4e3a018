"""The figure *step*: one step of a recurrent network, number by number."""

from rnn_helpers.explore.states import manifest, require_place


def check(state, given):
    """Raise ValueError if the text is too long or has other symbols, or has no such step."""
    read = _read(state["text"])
    strange = sorted(set(read[1:]) - set("ab"))
    if strange:
        raise ValueError(f"text is {state['text']!r}, with {', '.join(strange)}; expected a and b")
    longest = manifest()["step"]["controls"]["t"]["max"] - 1
    if len(read) - 1 > longest:
        raise ValueError(f"text has {len(read) - 1} symbols; expected at most {longest}")
    require_place("t", state, given, len(read), f"{state['text']!r} has the steps")


def _read(text):
    """Return the symbols that the figure reads: <s>, then the string as typed."""
    return ["<s>", *text.strip().removesuffix("</s>")]
