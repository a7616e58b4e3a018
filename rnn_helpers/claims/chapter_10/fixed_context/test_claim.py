"""What is said of networks that read a text and write another follows from the runs."""

import numpy as np
from verdicts import about, verdict

from rnn_helpers.claims.chapter_10 import fixed_context
from rnn_helpers.experiments import find

CASES = {
    "holds": {
        "longer": about(0.8),
        "smaller": about(0.2),
        "gained": about(0.7),
        "looks_beyond": about(0.8),
    },
    "holds in part": {
        "longer": about(0.8),
        "smaller": about(0.2),
        "gained": about(0.7),
        "looks_beyond": about(0.1),
    },
    "does not hold": {
        "longer": about(0.8),
        "smaller": about(-0.1),
        "largest_short": about(0.9),
    },
    "undecided": {
        "longer": about(0.8),
        "smaller": about(0),
        "gained": about(0.7),
        "largest_short": about(0.9),
    },
}
SEEDS = range(10)


def context_rows(long=0.2, small=0.0, looks=0.9, beyond=0.0):
    """Rows of ten pairs of each kind, whose shares fall with the length."""
    shares = dict.fromkeys(fixed_context.WAYS, (0.99, long, 0.0))
    shares[fixed_context.SMALLEST] = (0.99, small, 0.0)
    shares[fixed_context.LOOKS] = (0.99, looks, beyond)
    return [
        {"way": way, "length": length, "seed": seed, "right": right + 0.001 * (seed % 3)}
        | {"beyond": length > 10, "weights": 3, "eta": 0.01, "at_edge": False}
        for way, each in shares.items()
        for length, right in zip((2, 10, 14), each, strict=True)
        for seed in SEEDS
    ]


def test_a_fixed_context_is_too_small_or_length_size_and_attention_dont_all_matter():
    assert verdict("fixed-context", context_rows(beyond=0.8)).startswith("Holds. With attention,")
    said = find("fixed-context").sum_up(context_rows())
    assert said.verdict.startswith("Holds in part, if no sequence is longer than in training.")
    assert "at most 20% are" in said.finding
    for other in ({"looks": 0.2}, {"long": 0.98, "looks": 0.99}, {"small": 0.2}):
        assert verdict("fixed-context", context_rows(**other)).startswith("Does not hold.")


def test_only_one_kind_starts_with_orthogonal_matrices():
    config = dict(find("fixed-context").quick)
    contest = fixed_context.Contexts()
    made = {}
    for way in (fixed_context.LARGEST, fixed_context.ORTHOGONAL):
        net = contest.net(config, (way,), [0, 1])
        made[way] = contest.params(config, (way,), net, [0, 1])
    for name, array in made[fixed_context.ORTHOGONAL].items():
        recurrent = ".W" in name
        assert np.array_equal(array, made[fixed_context.LARGEST][name]) != recurrent
        if recurrent:
            eye = np.eye(array.shape[-1])
            np.testing.assert_allclose(array @ array.swapaxes(1, 2), [eye, eye], atol=1e-5)
