"""The status lines of figures, which screen readers read aloud, in many states."""

import random
import re

import pytest

from press.still import draw
from rnn_helpers.explore import manifest
from rnn_helpers.explore.states import validate

FIGURES = sorted(set(manifest()) - {"answer", "predict"})  # which need no drawing
MOST = 16  # states of a figure
VERBS = """
    add adds are aren't arrive arrives beats become becomes came can changes comes compute
    computes cools copy cost costs counts depend depends do does draws end ends explain explains
    falls feed feeds fills follow follows forget gets gives goes grew grows had happens has have
    hears hold holds is keep keeps knows lead leads leave leaves lies limit limits make makes meet
    move moved moves multiply names outputs reaches read reads receives recover recovers
    remember remembers repeat repeats returned runs say says separate show shows shrink shrinks
    start starts stretched survives take takes turn turns update updates uses vanish was were
    write writes
"""
VERB = re.compile(rf"=|\b({'|'.join(VERBS.split())})\b", re.IGNORECASE)
NOUN = "(arrow|bit|column|digit|factor|layer|letter|pixel|step|sweep|symbol|tick|update|way|word)"
ALONE = r"(?<![\d.,])\b"
FAULTS = {
    "no capital letter at its start": r"^[^A-Z“]",
    "no period at its end": r"[^.?…]$",
    "no space between two sentences": r"[.?][A-Z]",
    "two marks in a row, or a space before one": r"[.:;,] ?[.:;,]|\s[.:;,]",
    "one with a plural, or several with a singular": rf"{ALONE}1 {NOUN}s\b|{ALONE}[02-9] {NOUN}\b|"
    r"\b(are|have) 1 [a-z]+\b",
    "an exponent that isn't spoken": r"10 ?to the −?\d|10−\d|\de−?\d",
}


def values(spec):
    """Return the values of a control that a reader meets at its ends and by its choices."""
    if spec["type"] == "choice":
        return [one["value"] if isinstance(one, dict) else one for one in spec["options"]]
    if spec["type"] == "bool":
        return [not spec["default"]]
    if spec["type"] in ("int", "float"):
        one = [1] if spec["type"] == "int" and spec["min"] <= 1 <= spec["max"] else []
        return [spec["min"], *one, spec["max"]]
    return []


def states(name):
    """Return the default state, states with one control moved, and states with all of them."""
    controls = manifest()[name]["controls"]
    chance = random.Random(0)
    moved = [{key: value} for key, spec in controls.items() for value in values(spec)]
    few = chance.sample(moved, min(len(moved), MOST - 4))
    far = [{k: chance.choice(values(s)) for k, s in controls.items() if values(s)} for _ in "abc"]
    return [{}, *few, *far]


def faults(words):
    """Return the faults of a status line, each with its reason."""
    found = [why for why, pattern in FAULTS.items() if re.search(pattern, words)]
    unquoted = re.sub(r"“[^”]*”", "“”", words)
    for sentence in re.split(r"(?<=[.?!…])\s+(?=[A-Z“])", unquoted):
        if not VERB.search(sentence):
            found.append(f"no verb in {sentence!r}")
    return found


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("the count is 5.", "no capital letter at its start"),
        ("The count is 5", "no period at its end"),
        ("The count is 5.The answer is 4.", "no space between two sentences"),
        ("The count is 5 .", "two marks in a row, or a space before one"),
        ("There are 1 arrow.", "one with a plural, or several with a singular"),
        ("It reaches 1 steps back.", "one with a plural, or several with a singular"),
        ("The gradient is 10 to the −11.", "an exponent that isn't spoken"),
        ("The count is 5. Right at 3 of 5.", "no verb in 'Right at 3 of 5.'"),
    ],
)
def test_a_fault_of_a_status_line_is_found(words, fault):
    assert fault in faults(words)


@pytest.mark.nightly("unfold", "result", "eigen")
@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_every_status_line_is_made_of_whole_sentences(name):
    wrong = {}
    for state in states(name):
        words = draw(name, validate(name, state)).status
        if found := faults(words):
            wrong[str(state)] = (found, words)
    assert wrong == {}, "\n".join(f"{state}: {found}" for state, found in wrong.items())
