"""What is said of networks that read a text and write another follows from the runs."""

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_10 import fixed_context, wider_beam

pytestmark = pytest.mark.chapter("10")
SEEDS = range(10)


def beam_rows(gained, beyond=0.0, lost=0.0):
    """Rows of ten networks; exact search is right more often, and loses some that greedy has."""
    return [
        {"length": length, "search": search, "seed": seed, "nats": 2.0, "short": 0.5}
        | {"right": 0.3 + exact * (gain + (seed % 2 - 0.5) / 1000), "lost": exact * lost}
        | {"eta": 0.03, "at_edge": False}
        for length, gain in ((8, gained), (10, beyond))
        for search in (wider_beam.GREEDY, wider_beam.EXACT)
        for exact in [search == wider_beam.EXACT]
        for seed in SEEDS
    ]


def test_a_wider_beam_helps_without_loss_or_on_average_or_not():
    assert verdict("wider-beam", beam_rows(0.1)).startswith("Holds. Exact search gets 10")
    said = find("wider-beam").sum_up(beam_rows(0.1, lost=0.02))
    assert said.verdict.startswith("Does not hold. Exact search does harm")
    assert "of 100 sequences, it loses 2.0" in said.verdict
    for rows in (beam_rows(-0.1), beam_rows(0), beam_rows(0.1, beyond=-0.1)):
        assert verdict("wider-beam", rows).startswith("Does not hold.")


def test_lost_lines_are_those_that_greedy_decoding_alone_gets_right(monkeypatch):
    class Found:
        log_probability, asked = -1.0, 3

        def __init__(self, symbols):
            self.symbols = np.array(symbols)

    config = dict(find("wider-beam").quick) | {"lengths": [2], "written": 4}

    def searched(params, x, length, config):
        right = [[*each[::-1], 10] for each in x.T]
        wrong = [[each[0]] for each in right]
        return {
            wider_beam.GREEDY: list(map(Found, [*right[:3], *wrong[3:]])),
            wider_beam.EXACT: list(map(Found, [*wrong[:1], *right[1:]])),
        }

    monkeypatch.setattr(wider_beam, "_searched", searched)
    greedy, exact = wider_beam.Searches().rows(config, (8,), (None, {}), [0], [0.0])
    assert (greedy["right"], greedy["lost"], greedy["short"]) == (0.75, 0, 0.25)
    assert (exact["right"], exact["lost"]) == (0.75, 0.25)


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
