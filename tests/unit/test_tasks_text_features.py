"""Features of a text that a reader could track, character by character."""

import numpy as np
import pytest
from refusals import REAL

from rnn_helpers.tasks import FEATURES, text_features, unit_correlations

pytestmark = pytest.mark.chapter("05")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("brackets", "f(a[1], {})b", "011111111100"),
        ("brackets", ")(\n)a", "01000"),  # none is open; the end of the line closes
        ("quotes", "x='a\"b'+1", "001111000"),
        ("quotes", "don't 'a\nb'", "00000011000"),
        ("indent", "  a b\n  c", "110001110"),
        ("line", "ab\n\nc", "12001"),
        ("space", "a b\n c", "010010"),
    ],
)
def test_a_feature_has_a_value_for_every_character(name, text, told):
    assert "".join(f"{value:.0f}" for value in text_features(text)[name]) == told


def test_no_text_has_no_features():
    assert {name: len(told) for name, told in text_features("").items()} == dict.fromkeys(
        FEATURES, 0
    )


def test_correlations_match_numpy_and_are_0_for_constants():
    rng = np.random.default_rng(0)
    h, feature = rng.normal(size=(50, 4)), rng.normal(size=50)
    h[:, 2] = 0.1
    expected = [np.corrcoef(h[:, i], feature)[0, 1] for i in (0, 1, 3)]
    found = unit_correlations(h, feature)
    np.testing.assert_allclose(found[[0, 1, 3]], expected)
    assert found[2] == 0
    assert (unit_correlations(h, np.full(50, 0.1)) == 0).all()


@pytest.mark.parametrize(
    ("call", "said", "kind"),
    [
        (lambda: text_features(3), "text", TypeError),
        (lambda: unit_correlations(np.zeros(3), np.zeros(3)), "h has shape", ValueError),
        (lambda: unit_correlations(np.zeros((3, 2)), np.zeros(2)), "feature has shape", ValueError),
        (lambda: unit_correlations([[np.nan]], [0.0]), "h", ValueError),
    ],
)
def test_invalid_features_are_refused(call, said, kind):
    with pytest.raises(kind, match=said):
        call()


REFUSALS = {
    text_features: ({"text": "a"}, {"text": [None, 3, b"x", ["a"]]}),
    unit_correlations: (
        {"h": [[0.5], [1.0]], "feature": [0, 1]},
        {"h": [*REAL, [0.5, 1.0], np.zeros((0, 1))], "feature": [*REAL, [1], [[0], [1]]]},
    ),
}
