"""A caption doesn't change with the figure, so it names no number that a control changes."""

import re

import pytest
from compare import status

from rnn_helpers.explore import manifest, show
from rnn_helpers.explore.states import complete

WORDS = ["three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
SPELLED = {word: str(n) for n, word in enumerate(WORDS, 3)} | {
    "sixteen": "16",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "hundred": "100",
}
# Numbers that don't change with a control, although it has or shows the same number.
OWN = {
    "address": {"12"},  # lines
    "bottleneck": {"8"},  # the most digits in training
    "clockwork": {"4"},  # groups
    "compose": {"5", "10"},  # the most layers; "at gain 10" names the gain that it means
    "four": {"4", "8"},  # sweeps of a layer, of both layers and of the trained network
    "highway": {"10"},  # units and steps of the trained networks
    "joint": {"16"},  # units
    "missing": {"4"},  # bits of a parity
    "sharing": {"6"},  # words of the sentences in training
    "stairs": {"0.4", "0.5"},  # the weights
    "value": {"5"},  # the modulus
}
VIEWS = [
    pytest.param(name, when, id="-".join([name, *map(str, when.values())]))
    for name, meta in manifest().items()
    for when in [{}, *(words["when"] for words in meta.get("words", []))]
]


def numbers(text):
    """Return the numbers from 3 on in a text, as digits; "2,000" becomes "2000"."""
    found = re.findall(r"(?<![\d.])\d+(?:\.\d+)?", text.replace(",", ""))
    spelled = [SPELLED[word] for word in re.findall(r"[a-z]+", text.lower()) if word in SPELLED]
    return {number for number in found + spelled if float(number) not in (0, 1, 2)}


def moves(name, when):
    """Return states that differ from a view in one control, which the reader can move."""
    for key, spec in manifest()[name]["controls"].items():
        if spec.get("fixed") or key in when:
            continue
        options = [
            option.get("value") if isinstance(option, dict) else option
            for option in spec.get("options", [])
        ]
        ends = [spec[end] for end in ("min", "max") if end in spec]
        for value in options or ends or ([not spec["default"]] if spec["type"] == "bool" else []):
            yield when | {key: value}


@pytest.mark.nightly("unfold", "result", "eigen")
@pytest.mark.parametrize(("name", "when"), VIEWS)
def test_a_caption_names_no_number_that_a_control_changes(name, when):
    payload = show(name, **when).payload
    named = numbers(f"{payload['question']} {payload['caption']}")
    controls = manifest()[name]["controls"]
    first = {
        key: value
        for key, value in complete(name, when).items()
        if not controls[key].get("fixed") and controls[key]["type"] in ("int", "float")
    }
    said = numbers(status(name, **when)) & named if named else set()
    changing = {number for number in named if float(number) in first.values()} | {
        number
        for number in said
        for state in moves(name, when)
        if number not in numbers(status(name, **state))
    }
    assert changing <= OWN.get(name, set()), payload["caption"]
