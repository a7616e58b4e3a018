"""Features as states or as units: the models that are compared, against counts made by hand."""

import numpy as np
import pytest
from estimates import bounds, by_line

from rnn_helpers.experiments import find, mean_interval
from rnn_helpers.experiments.choose import separate
from rnn_helpers.experiments.claims.chapter_01 import features_states as fs
from rnn_helpers.reference import END, bigram_automaton, init_rnn

pytestmark = pytest.mark.chapter("01")

CONFIG = find("features-states").quick


def test_every_kind_of_bracket_doubles_the_states():
    """After a letter any brackets may be open, after a bracket its own is known; and the start."""
    for kinds in (1, 2, 4):
        truth = fs.source(kinds, seed=0)
        assert len(truth) == 2**kinds * (len(fs.LETTERS) + kinds) + 1
        np.testing.assert_allclose(truth.weights.sum(axis=1), 1)
    assert (fs.source(2, 0).weights != fs.source(2, 1).weights).any()


def test_thirty_kinds_are_thirty_seven_billion_states_and_few_weights():
    """As the chapter and its deck say."""
    assert 2**30 * (len(fs.LETTERS) + 30) + 1 == pytest.approx(37e9, abs=0.5e9)
    assert fs.parameters(fs.NETWORK, 30, None, CONFIG) == 4834


def test_the_entropy_of_the_source_is_what_it_needs_itself():
    truth, _, test = fs.draws(2, 0, CONFIG)
    losses = truth.loss(test).mean(axis=0)
    assert losses.mean() == pytest.approx(truth.entropy_rate, abs=4 * losses.std() / 20**0.5)


def test_ngrams_by_hand():
    """Witten and Bell: ``(c(ab) + D(a) P(b)) / (N(a) + D(a))``, P(b) itself backed by 1 / n."""
    train = np.array([0, 1, 0, 0, 1])  # 0 three times, 1 twice; 00, 01, 10, 01
    test = np.full((fs._CONTEXT + 1, 1), 0)
    test[-1] = 1
    one = (2 + 2 / 3) / (5 + 2)
    two = (2 + 2 * one) / (3 + 2)
    # no 0 0 was followed by 0 0: after these there is 1 alone
    three = (1 + 1 * two) / (1 + 1)
    expected = -np.log([one, two, three])
    np.testing.assert_allclose(fs.ngram_loss(train, test, 3, [1, 2, 3]), expected)
    np.testing.assert_allclose(fs.ngram_loss(train, test, 3, [3]), expected[2:])


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_ngrams_are_distributions(order):
    """Over what may come last, the probabilities sum to 1, be the context known or not."""
    rng = np.random.default_rng(order)
    train = rng.integers(3, size=30)
    before = rng.integers(3, size=(fs._CONTEXT, 1))
    losses = [fs.ngram_loss(train, np.vstack([before, [[last]]]), 3, [order]) for last in range(3)]
    assert np.exp(-np.array(losses)).sum() == pytest.approx(1)


def test_counted_probabilities_are_shares_of_the_visits():
    truth = bigram_automaton("ab", np.ones((3, 2)))
    train = np.array([0, 0, 1, 0, 0])  # after a: a, b, a; after b: a
    test = np.array([[0]] * (fs._CONTEXT + 1))
    losses = fs.counted_loss(truth, train, test, [0.5, 1e9])
    np.testing.assert_allclose(losses, -np.log([2.5 / 4, 0.5]))


@pytest.mark.slow
def test_with_much_to_count_nothing_is_lost_but_the_noise_of_the_counts():
    """A distribution over n symbols seen N times costs about ``(n - 1) / 2 N`` nats more."""
    config = CONFIG | {"symbols": 20_000}
    (lost,) = fs.excess(fs.COUNTED, 3, [0.5], range(4), config)
    expected = fs.parameters(fs.COUNTED, 3, 0.5, config) / (2 * 20_000) / np.log(2)
    assert lost.mean() == pytest.approx(expected, rel=0.3)


@pytest.mark.slow
def test_the_network_is_scored_on_the_symbols_that_the_others_are():
    """An untrained network whose outputs are all alike needs ``log2 n`` bits for each."""
    config = CONFIG | {"steps": 1}
    (lost,) = fs.excess(fs.NETWORK, 1, [1e-9], [0, 1], config)
    for seed in (0, 1):
        truth, _, test = fs.draws(1, seed, config)
        least = truth.loss(test)[fs._CONTEXT :].mean() / np.log(2)
        assert lost[seed] + least == pytest.approx(np.log2(len(truth.alphabet)), abs=0.3)


def test_parameters_are_those_of_the_models():
    sizes = {name: array.size for name, array in init_rnn(8, 30, 8, seed=0).items()}
    assert fs.parameters(fs.NETWORK, 2, 0.01, CONFIG) == sum(sizes.values())
    assert fs.parameters(fs.NGRAM, 2, 3, CONFIG) == 8 * 8 * 7
    truth = fs.source(2, 0)
    free = sum(np.count_nonzero(truth.next_symbol(state)) - 1 for state in truth.states)
    assert fs.parameters(fs.COUNTED, 2, 1.0, CONFIG) == free


def test_the_source_never_ends():
    assert END not in fs.source(1, 0).alphabet
    assert fs.source(1, 0).stop.any()


def rows(kinds, network, counted, ngram):
    return [
        {"kinds": kinds, "model": model, "setting": 3, "states": 25, "parameters": 9}
        | {"symbols": 500, "at_edge": False, "seed": seed, "excess": value + 0.01 * seed}
        for model, value in ((fs.NETWORK, network), (fs.COUNTED, counted), (fs.NGRAM, ngram))
        for seed in (-1, 0, 1)
    ]


def test_the_verdict_says_where_an_automaton_that_counts_is_no_worse():
    sum_up = find("features-states").sum_up
    few, many = rows(2, 0.03, 0.01, 0.2), rows(6, 0.05, 0.2, 0.4)
    said = sum_up(few + many)
    assert said.verdict.startswith("Holds in part, if there are many features: with 2,")
    assert said.value == pytest.approx(0.17)
    for other, kind in (
        (rows(2, 0.01, 0.1, 0.2) + many, "holds"),
        (few, "does not hold"),
        (few + rows(6, 0.05, 0.2, 0.04), "undecided"),
    ):
        assert sum_up(other).kind == kind


def test_every_model_has_a_line_in_each_panel():
    drawn = [
        {"kinds": kinds, "model": model, "parameters": learned**kinds}
        | {"excess": excess * kinds * share}
        for kinds in (8, 1, 4)
        for model, excess, learned in (("network", 0.01, 2), ("counted automaton", 0.002, 3))
        for share in (0.9, 1, 1.1)
    ]
    data = fs.data(drawn)
    assert list(by_line(data)) == ["network", "counted automaton"]
    assert by_line(data)["network"] == [(1, 0.01), (4, 0.04), (8, 0.08)]
    assert by_line(data, 1)["counted automaton"] == [(1, 3), (4, 81), (8, 6561)]
    _, low, high = mean_interval([0.9, 1, 1.1])
    assert bounds(data, "network")[0] == pytest.approx((0.01 * low, 0.01 * high), rel=1e-3)


def test_the_setting_is_chosen_on_other_seeds():
    config = CONFIG | {"symbols": 500, "choosing": 2, "first": 3, "kinds": [1]}
    models = fs.Models()
    grids = {fs.NGRAM: [1, 2, 5], fs.COUNTED: [0.1, 1.0, 10.0]}
    choices = models.choices(config | {"etas": grids})
    orders = choices[fs.NGRAM, 1].tried
    others = fs.excess(fs.NGRAM, 1, [1, 2, 5], separate(2), config).mean(axis=1)
    assert list(orders.values()) == pytest.approx(list(-others))
    for row in models.result(config, choices, [0, 1]):
        assert row["setting"] == choices[row["model"], 1].setting
        assert row["parameters"] == fs.parameters(row["model"], 1, row["setting"], config)
