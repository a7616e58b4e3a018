"""What the experiments on Omega measure, draw, and say under which conditions."""

import numpy as np
import pytest
from matplotlib.text import Text
from verdicts import verdict

from rnn_helpers.experiments import find, load
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
)
from rnn_helpers.experiments.omega import best, grid, trained
from rnn_helpers.experiments.rates import separate
from rnn_helpers.experiments.stats import rate_interval
from rnn_helpers.experiments.words import where
from rnn_helpers.reference import init_rnn, rnn_forward
from rnn_helpers.tasks import Latch, characters

pytestmark = pytest.mark.chapter("17")


def counted(successes, of=20):
    rate, low, high = rate_interval(successes, of)
    accuracy = [1.0] * successes + [0.5] * (of - successes)
    counts = {"successes": successes, "of": of, "rate": rate, "low": low, "high": high}
    return counts | {"accuracy": accuracy}


def span_rows(**ways):
    """Rows of two cells, in which so many of 20 networks learn by each way."""
    names = {"plain": PLAIN, "clipped": CLIPPED, "omega": OMEGA, "both": BOTH, "rival": RIVAL}
    return [
        {"task": task, "length": 50, "method": names[way], "diverged": 0, "exploded": 1}
        | counted(successes[k])
        for k, task in enumerate(("latch", "order"))
        for way, successes in ways.items()
    ]


def test_it_is_told_where_omega_beats_clipping_alone_and_what_start_does_as_well():
    def said(**ways):
        return verdict("information-flow-span", span_rows(**ways))

    assert said(clipped=(2, 10), both=(20, 12), rival=(3, 20)) == (
        "Holds if the task is to learn to hold a bit over 50 steps."
    )
    assert said(clipped=(2, 0), both=(20, 18), rival=(20, 0)) == (
        "Holds if the task is to learn to hold a bit over 50 steps or the order of two symbols "
        "over 50 steps. With an orthogonal initialization, about as many networks learn to hold a "
        "bit over 50 steps without Ω."
    )
    assert said(clipped=(2, 0), both=(20, 18), rival=(3, 4)).startswith("Holds. On every task")
    assert said(clipped=(15, 14), both=(16, 15)).startswith("Does not hold.")
    assert said(clipped=(10, 10), both=(13, 13)).startswith("Not tested here.")


def test_the_span_counts_who_learns_and_the_explosions_of_each_way():
    rows = span_rows(clipped=(2, 10), both=(20, 12))
    said = find("information-flow-span").sum_up(rows)
    assert said.value == 1
    assert "32 of 40 networks learn with Ω and clipping, and 12 with clipping alone" in said.text
    clipped, both = information_flow_span.table_exploded(rows)
    assert clipped == {
        "training": "clipped",
        "gradient exceeded 100": "2 of 40",
        "diverged": "0 of 40",
    }
    assert both["training"] == "Omega, clipped"


def test_every_way_to_train_has_a_dot_and_its_interval_at_every_length():
    rows = [
        {"task": task, "length": length, "method": method, "rate": rate}
        | {"low": rate - 0.1, "high": rate + 0.1}
        for task, lengths in {"latch": (20, 100), "order": (20,)}.items()
        for length in lengths
        for method, rate in {CLIPPED: 0.2, BOTH: 0.9}.items()
    ]
    plot = information_flow_span.plot(rows)
    latch, order = plot.figure.axes
    assert [axes.get_title(loc="left") for axes in (latch, order)] == ["latch", "order"]
    assert [label.get_text() for label in latch.get_xticklabels()] == ["20", "100"]
    expected = [[0.1, 0.3], [0.2]] * 2 + [[0.8, 1.0], [0.9]] * 2
    for line, values in zip(latch.lines, expected, strict=True):
        np.testing.assert_allclose(line.get_ydata(), values)
    assert "latch of 100 steps: clipped 20 %; Omega, clipped 90 %" in plot.alt
    assert "Ω, clipped" in {text.get_text() for text in plot.figure.findobj(Text)}


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


@pytest.mark.slow
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


FLOW_CLIPPING = find("flow-clipping")


def test_at_its_own_rate_none_may_fall_short_and_at_the_other_one_must():
    slow, fast = clipping_rows((19, 15)), clipping_rows((1, 20))
    rows = [
        row | {"eta": eta, "chosen": (row["way"] == "clipped") == (eta == 1)}
        for these, eta in ((slow, 0.1), (fast, 1.0))
        for row in these
    ]
    said = FLOW_CLIPPING.sum_up(rows)
    assert said.verdict == (
        "Holds if the learning rate is the one that is best with clipping. At that rate, fewer "
        "networks learn without clipping in 1 of 1 cases."
    )
    assert said.value == 19 / 20
    assert "exceeded 100 in 16 networks, and 2 of them learned" in said.text
    (case,) = flow_clipping.table(rows)
    assert case["not clipped, best rate"] == "19 of 20, rate 0.1"
    assert case["clipped, best rate"] == "20 of 20, rate 1"
    assert case["not clipped, rate that is best with clipping"] == "1 of 20, rate 1"
    free, clipped = flow_clipping.table_exploded(rows)
    assert (free["learn"], clipped["learn"]) == ("20 of 40", "35 of 40")
    assert free["learn, of those whose gradient exceeded 100"] == "2 of 16"
    assert free["learn, of the others"] == "18 of 24"
    for cells, kind in (
        (((1, 20), (0, 18)), "holds"),
        (((10, 20), (10, 18)), "not tested here"),
        (((19, 20), (20, 18)), "does not hold"),
    ):
        assert FLOW_CLIPPING.sum_up(clipping_rows(*cells)).kind == kind


def test_clipped_and_unclipped_are_two_lines_over_the_learning_rates():
    rows = [
        {"task": "latch", "length": 50, "radius": 1.2, "alpha": alpha, "way": way, "eta": eta}
        | {"rate": rate, "low": max(0, rate - 0.1), "high": min(1, rate + 0.1)}
        for alpha in (0.5, 4.0)
        for way, rates in {"not clipped": (0.8, 0.0), "clipped": (0.7, 1.0)}.items()
        for eta, rate in zip((0.1, 0.01), reversed(rates), strict=True)
    ]
    plot = flow_clipping.plot(rows)
    first, second = plot.figure.axes
    assert first.get_title(loc="left") == "latch, T = 50, ρ = 1.2, α = 0.5"
    for axes in (first, second):
        drawn = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
        assert drawn["not clipped"] == [[0.01, 0.8], [0.1, 0.0]]
        assert drawn["clipped"] == [[0.01, 0.7], [0.1, 1.0]]
        assert axes.get_xscale() == "log"
    assert "latch, T = 50, ρ = 1.2, α = 4, clipped: 70 % at 0.01, 100 % at 0.1" in plot.alt


def direction_rows(cosine, left):
    return [
        {"radius": 0.9, "constant": constant, "seed": seed, "eta": 0.1, "at_edge": False}
        | {"left": 0.01 if constant == "nothing" else left, "cosine": each, "cosines": [each]}
        | {"trained": dict.fromkeys(omega_gradient.TRAINED, -each)}
        for constant in ("nothing", *omega_gradient.APPROXIMATIONS)
        for seed, each in enumerate([cosine - 0.01, cosine, cosine + 0.01] * 20)
    ]


def test_an_approximation_is_judged_by_its_direction_and_by_what_it_does():
    said = find("omega-gradient").sum_up(direction_rows(0.4, 0.05))
    assert said.verdict.startswith("Holds if the approximation only has to bring Ω down.")
    assert said.value == pytest.approx(0.4)
    assert "would send 0 of 60 random networks uphill" in said.text
    assert "to a tenth or less in 60 of 60 networks" in said.text
    uphill = find("omega-gradient").sum_up(direction_rows(-0.4, 0.1)).text
    assert "would send 60 of 60 random networks uphill" in uphill
    for cosine, left, kind in ((0.97, 0.05, "holds"), (0.4, 0.5, "does not hold")):
        assert find("omega-gradient").sum_up(direction_rows(cosine, left)).kind == kind


@pytest.mark.slow
def test_directions_and_descents_are_those_of_the_experiment():
    rows = load("omega-gradient").rows
    radii = sorted({row["radius"] for row in rows})
    names = {"exact": "nothing", "gradients constant": "gradients", "states too": "states"}
    left, right = omega_gradient.plot(rows).figure.axes
    for axes, column, middle in ((left, "cosine", np.mean), (right, "left", np.median)):
        assert [label.get_text() for label in axes.get_xticklabels()] == [f"{r:g}" for r in radii]
        lines = [line for line in axes.lines if line.get_label() in names]
        assert [line.get_label() for line in lines] == [*names][axes is left :]
        for line in lines:
            constant = names[line.get_label()]
            for radius, drawn in zip(radii, line.get_ydata(), strict=True):
                these = [row[column] for row in where(rows, constant=constant, radius=radius)]
                assert drawn == pytest.approx(middle(these))


def test_where_the_states_hardly_bend_the_two_approximations_agree():
    params = init_rnn(1, 6, 2, seed=[0, 1])
    small = params | {"U": 1e-6 * params["U"]}
    for net in (small, params | {"U": 3 * params["U"]}):
        data = [np.random.default_rng(s) for s in (2, 3)]
        found = omega_gradient._cosines(net, data, 9)
        gap = np.abs(found["gradients"] - found["states"])
        assert (gap < 1e-4).all() == (net is small)
    assert np.abs(rnn_forward(small, np.zeros((3, 1, 1))).h).max() == 0


def test_a_descent_brings_omega_down_and_no_step_leaves_it_as_it_is():
    descents, cell = omega_gradient.Descents(), (0.9, "gradients")
    for eta, steps in ((0.1, 30), (1e-9, 2)):
        made = descents.train({"steps": steps}, cell, [eta], [0, 1])
        scores = descents.score({}, cell, made, [0, 1])
        rows = descents.rows({}, cell, made, [0, 1], scores)
        assert [row["seed"] for row in rows] == [0, 1]
        for row in rows:
            assert row["left"] < 0.5 if steps == 30 else row["left"] == pytest.approx(1, rel=1e-4)


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


def test_without_abundant_data_the_claim_is_not_tested_whatever_came_out():
    flow = find("flow-against-lstm")
    for bits in ((2.5, 2.4, 2.2, 2.1), (2.5, 2.2, 2.4, 2.3)):
        said = flow.sum_up(lstm_rows(*bits, steps=49_999))
        assert said.kind == "not tested here"
        assert said.value == pytest.approx(bits[1] - bits[2])
        assert "Abundant data would take about 50000 minibatches" in said.text
    assert "changes the bits per character by -0.300 (-0.300 to -0.300)" in said.text
    assert said.finding.endswith("beats an LSTM with as many parameters.")
    assert "needs -0.100 (-0.100 to -0.100) bits fewer than the network with Ω" in said.text
    assert "better in 0 of 3 runs; the worst of its runs has 2.500 bits" in said.text
    for bits, kind in (
        ((2.5, 2.4, 2.2, 2.1), "holds"),
        ((2.5, 2.2, 2.4, 2.1), "holds if"),
        ((2.5, 2.2, 2.4, 2.3), "does not hold"),
    ):
        assert flow.sum_up(lstm_rows(*bits, steps=50_000)).kind == kind


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
