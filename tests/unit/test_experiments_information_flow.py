"""What the experiments on Omega measure, and that every verdict can come out."""

import numpy as np
import pytest

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_17 import (
    flow_against_lstm,
    flow_clipping,
    information_flow_span,
    omega_gradient,
)
from rnn_helpers.experiments.claims.chapter_17.information_flow_span import (
    BOTH,
    CLIPPED,
    OMEGA,
    PLAIN,
    RIVAL,
    best,
    grid,
    trained,
)
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.reference import init_rnn, rnn_forward
from rnn_helpers.tasks import Latch, characters

pytestmark = pytest.mark.chapter("17")


def counted(successes, of=20):
    rate, low, high = rate_interval(successes, of)
    return {"successes": successes, "of": of, "rate": rate, "low": low, "high": high}


def span_rows(**ways):
    """Rows of two cells, in which so many of 20 networks learn by each way."""
    names = {"plain": PLAIN, "clipped": CLIPPED, "omega": OMEGA, "both": BOTH, "rival": RIVAL}
    return [
        {"task": task, "length": 50, "method": names[way], "diverged": 0, "exploded": 1}
        | counted(successes[k])
        for k, task in enumerate(("latch", "order"))
        for way, successes in ways.items()
    ]


def test_the_span_is_extended_if_omega_beats_clipping_alone_and_no_start_does_as_well():
    def verdict(**ways):
        return information_flow_span.summarise(span_rows(**ways)).verdict

    assert verdict(clipped=(2, 0), both=(20, 18)) == "holds"
    assert verdict(clipped=(2, 0), both=(20, 18), rival=(3, 4)) == "holds"
    assert verdict(clipped=(15, 14), both=(16, 15)) == "does not hold"
    partly = verdict(clipped=(2, 10), both=(20, 12), rival=(3, 20))
    assert partly == "holds if it is latch at length 50 (20 and 2)"
    rivalled = verdict(clipped=(2, 0), both=(20, 18), rival=(20, 0))
    assert rivalled == (
        "holds if it is latch at length 50 (20 and 2; from an orthogonal start 20 without Omega) "
        "or order at length 50 (18 and 0)"
    )


def test_the_span_counts_explosions_of_each_way():
    text = information_flow_span.summarise(span_rows(clipped=(2, 0), both=(20, 18))).text
    assert "exceeded 100 in 2 (clipped), 2 (Omega, clipped) of 40; 0 networks diverged" in text


def test_every_way_is_tuned_on_as_many_settings_and_on_seeds_of_its_own():
    for slug in ("information-flow-span", "flow-against-lstm"):
        experiment = find(slug)
        make = grid if slug == "information-flow-span" else list
        assert len({len(make(one)) for one in experiment.full["grids"].values()}) == 1
        assert not set(separate(experiment.full["choosing"])) & set(range(experiment.full["seeds"]))
        assert experiment.full["choosing"] > 0


def test_a_grid_keeps_together_what_is_clipped_alike():
    settings = grid({"eta": [0.1, 0.2], "threshold": [1.0, 3.0], "alpha": [0.5]})
    assert [setting["threshold"] for setting in settings] == [1.0, 1.0, 3.0, 3.0]
    assert grid({"eta": [0.1]}) == [{"threshold": None, "alpha": 0.0, "eta": 0.1}]


def test_the_best_setting_is_that_of_most_networks_then_of_the_highest_accuracy():
    right = np.array([[0.94, 0.94], [1.0, 0.5], [0.96, 0.6]])
    assert best(["steady", "half", "better half"], right) == "better half"


@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_a_network_is_trained_as_if_it_were_alone_and_clipped_at_its_own_threshold(alpha):
    settings = grid({"eta": [0.1, 1.0], "threshold": [0.5, 1e9], "alpha": [alpha]})
    config = {"n_h": 5, "batch_size": 4, "steps": 12}
    kind = ("gaussian", 1.5)
    together = trained(Latch(), 8, kind, settings, [3, 4], config)
    for k, setting in enumerate(settings):
        for s, seed in enumerate((3, 4)):
            alone = trained(Latch(), 8, kind, [setting], [seed], config)
            for name, values in alone.items():
                assert together[name][k, s] == pytest.approx(values[0, 0], abs=0.01), name


def test_an_explosion_is_a_gradient_longer_than_a_hundred():
    config = {"n_h": 10, "batch_size": 4, "steps": 3}
    ways = grid({"eta": [1e-6], "alpha": [1e-3, 1e5]})
    found = trained(Latch(), 20, ("gaussian", 1.5), ways, [0, 1], config)
    assert found["exploded"].tolist() == [[False, False], [True, True]]
    assert not found["diverged"].any()


def clipping_rows(*cells):
    """Rows of cases in which so many of 20 learn without clipping and with it."""
    return [
        {"task": "latch", "length": 50, "radius": 1.2, "alpha": float(k), "eta": 0.1}
        | {"way": way, "chosen": True, "diverged": 0, "exploded": 8, "learned_after": 1}
        | counted(learned)
        for k, cell in enumerate(cells)
        for way, learned in zip(("not clipped", "clipped"), cell, strict=True)
    ]


def test_explosion_prevents_learning_where_fewer_learn_without_clipping():
    assert flow_clipping.summarise(clipping_rows((1, 20), (0, 18))).verdict == "holds"
    assert flow_clipping.summarise(clipping_rows((19, 20), (20, 18))).verdict == "does not hold"
    mixed = flow_clipping.summarise(clipping_rows((19, 20), (2, 18)))
    assert mixed.verdict.startswith(
        "holds if it is latch at length 50, radius 1.2, alpha 1 (2 and 18), or if the learning rate"
    )
    assert "exceeded 100 in 16; of these 2 learned, of the others 19 of 24" in mixed.text
    assert mixed.value == 19 / 20


def test_without_clipping_a_lower_rate_may_save_what_a_higher_one_destroys():
    slow, fast = clipping_rows((19, 15)), clipping_rows((1, 20))
    rows = [
        row | {"eta": eta, "chosen": (row["way"] == "clipped") == (eta == 1)}
        for these, eta in ((slow, 0.1), (fast, 1.0))
        for row in these
    ]
    summary = flow_clipping.summarise(rows)
    assert summary.verdict == (
        "holds if the learning rate is the one that is best with clipping: latch at length 50, "
        "radius 1.2, alpha 0 (1 and 20)"
    )
    assert "alpha 0: 19 at 0.1 and 20 at 1. Over all rates 20 of 40" in summary.text
    assert "without clipping and 35 with it" in summary.text


def direction_rows(cosine, left):
    kind = {"n_h": 20, "length": 30, "radius": 0.9, "eta": 0.1}
    rows = [
        {"measure": "cosine", "net": net, **kind, "constant": constant, "each": each}
        for net in ("random", "without Omega")
        for constant in omega_gradient.APPROXIMATIONS
        for each in [[cosine - 0.01, cosine, cosine + 0.01]]
    ]
    return rows + [
        {"measure": "left of Omega", "net": "random", **kind, "constant": constant, "each": each}
        for constant in ("nothing", *omega_gradient.APPROXIMATIONS)
        for each in [[0.01] * 3 if constant == "nothing" else [left] * 3]
    ]


def test_an_approximation_is_judged_by_its_direction_and_by_what_it_does():
    def summary(cosine, left):
        return omega_gradient.summarise(direction_rows(cosine, left))

    assert summary(0.97, 0.5).verdict == "holds"
    assert summary(0.4, 0.05).verdict.startswith("holds if all that is asked of it is to bring")
    assert summary(0.4, 0.5).verdict == "does not hold"
    assert "Of 3 random networks, 0 and 0 would be sent uphill" in summary(0.4, 0.5).text
    assert "Of 3 random networks, 3 and 3 would be sent uphill" in summary(-0.4, 0.5).text
    assert "3 of 3 (nothing constant), 0 of 3 (gradients constant)" in summary(0.4, 0.5).text


def test_where_the_states_hardly_bend_the_two_approximations_agree():
    where = {"n_h": 6, "length": 9, "radius": 0.9}
    params = init_rnn(1, 6, 2, seed=[0, 1])
    small = params | {"U": 1e-6 * params["U"]}
    for name, chosen in (("small", small), ("large", params | {"U": 3 * params["U"]})):
        data = [np.random.default_rng(s) for s in (2, 3)]
        rows = {row["constant"]: row for row in omega_gradient._cosines(name, chosen, data, where)}
        gap = np.abs(rows["gradients"]["each"] - rows["states"]["each"])
        assert (gap < 1e-4).all() == (name == "small")
        assert rows["gradients"]["mean"] == pytest.approx(np.mean(rows["gradients"]["each"]))
    assert np.abs(rnn_forward(small, np.zeros((3, 1, 1))).h).max() == 0


def test_a_descent_brings_omega_down_and_no_step_leaves_it_as_it_is():
    left = omega_gradient._descent(0.9, "gradients", 0.1, [0, 1], steps=30)
    assert (left < 0.5).all()
    still = omega_gradient._descent(0.9, "gradients", 1e-9, [0, 1], steps=2)
    np.testing.assert_allclose(still, 1, rtol=1e-4)


def lstm_rows(rnn, omega, lstm, large=None, steps=100_000):
    return [
        {"network": network, "parameters": 9, "steps": steps, "eta": 0.1, "alpha": alpha}
        | {"bigram": 3.4, "bits": [bits, bits + 0.1, bits + 0.2]}
        for network, bits, alpha in (
            ("RNN", rnn, 0),
            ("RNN with Omega", omega, 0.1),
            ("LSTM", lstm, 0),
            ("LSTM with as many units", large, 0),
        )
        if bits
    ]


def test_an_lstm_is_better_if_it_needs_fewer_bits():
    better = flow_against_lstm.summarise(lstm_rows(2.5, 2.4, 2.2))
    assert better.verdict == "holds"
    assert better.value == pytest.approx(0.2)
    assert "Omega gains 0.100 (0.100 to 0.100) bits" in better.text
    assert flow_against_lstm.summarise(lstm_rows(2.5, 2.4, 2.2, 2.1)).verdict == "holds"
    worse = [flow_against_lstm.summarise(lstm_rows(2.5, 2.2, 2.4, large)) for large in (2.3, 2.1)]
    assert worse[0].verdict == "does not hold"
    assert worse[1].verdict.startswith("holds if the LSTM has as many units")
    assert "0.100 (0.100 to 0.100) fewer than Omega, and does better in 3 of 3" in worse[1].text


def test_without_abundant_data_the_claim_is_not_tested_whatever_came_out():
    for bits in ((2.5, 2.4, 2.2, 2.1), (2.5, 2.2, 2.4, 2.3)):
        found = flow_against_lstm.summarise(lstm_rows(*bits, steps=1500))
        assert found.verdict == "not tested here"
        assert "Data were not abundant" in found.text
    assert "abundant" not in flow_against_lstm.summarise(lstm_rows(2.5, 2.4, 2.2)).text


@pytest.mark.slow
def test_networks_of_text_have_equally_many_parameters_and_do_better_with_training():
    pytest.importorskip("torch")
    corpus = characters("topics")
    config = {"batch_size": 8, "length": 20, "steps": 3}
    counts = []
    for network in ("RNN", "RNN with Omega", "LSTM"):
        few, count = flow_against_lstm._trained(corpus, network, [[0.02, 0.01]], [0, 1], config)
        more, _ = flow_against_lstm._trained(
            corpus, network, [[0.02, 0.01]], [0, 1], {**config, "steps": 30}
        )
        assert few.shape == (1, 2)
        assert (more < few).all()
        assert (few < np.log2(len(corpus.alphabet)) + 0.2).all()
        counts.append(count)
    assert max(counts) < 1.01 * min(counts)
