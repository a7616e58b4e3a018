"""Tests that the figure powers matches NumPy, and that its texts state its numbers."""

import re

import numpy as np
import pytest
from compare import close

from rnn_helpers.explore import manifest
from rnn_helpers.figures import constants

pytestmark = pytest.mark.chapter("13")
META = manifest()["powers"]
CONSTANTS = constants("powers")
LESS, MORE = CONSTANTS.FACTORS


@pytest.mark.parametrize("factor", CONSTANTS.FACTORS)
def test_the_numbers_match_numpys_powers(math, factor):
    close(math("powers", factor), factor ** np.arange(CONSTANTS.STEPS + 1))


def test_the_texts_state_the_numbers():
    assert f"by {LESS} and the second by {MORE}" in META["story"]
    answer = int(re.search(r"about ([\d,]+)", META["prediction"]["answer"])[1].replace(",", ""))
    assert answer == round(MORE**CONSTANTS.STEPS, -3)
    doubles, steps, doublings, least = (
        float(number) for number in re.findall(r"\d+(?:\.\d+)?", META["prediction"]["why"])
    )
    assert steps == CONSTANTS.STEPS
    assert round(np.log(2) / np.log(MORE)) == doubles
    assert round(steps * np.log2(MORE)) == doublings
    assert round(LESS**CONSTANTS.STEPS, 5) == least


def test_the_alternative_text_states_the_numbers_of_the_default_settings():
    t = META["controls"]["t"]["default"]
    said = re.search(r"After (\d+) steps, .* is ([\d.]+) and .* is ([\d.]+)\.", META["alt"])
    assert said.groups() == (str(t), f"{LESS**t:.2g}", f"{MORE**t:.2g}")
