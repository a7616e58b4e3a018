"""What the experiments on Omega measure, draw, and say under which conditions."""

import numpy as np
import pytest
from estimates import by_name
from verdicts import verdict

from rnn_helpers.experiments import find, load, omega
from rnn_helpers.experiments.claims.chapter_17 import (
    flow_against_lstm,
    flow_clipping,
    omega_gradient,
)
from rnn_helpers.experiments.claims.chapter_17.flow_clipping import FREE, SAME
from rnn_helpers.experiments.claims.chapter_17.information_flow_span import (
    BOTH,
    CLIPPED,
    OMEGA,
    PLAIN,
    RIVAL,
)
from rnn_helpers.experiments.words import where
from rnn_helpers.reference import init_rnn, rnn_forward

pytestmark = pytest.mark.chapter("17")


def flow_rows(learned, of=20, **columns):
    """Rows of one method and task, of which so many networks learn and every second explodes."""
    return [
        {"seed": seed, "right": float(seed < learned), "exploded": seed % 2, "eta": 0.1}
        | {"at_edge": False}
        | columns
        for seed in range(of)
    ]


def span_rows(**ways):
    """Rows of two tasks, in which so many of 20 networks learn by each method."""
    names = {"plain": PLAIN, "clipped": CLIPPED, "omega": OMEGA, "both": BOTH, "rival": RIVAL}
    return [
        row
        for k, task in enumerate(("latch 50", "order 50"))
        for way, learned in ways.items()
        for row in flow_rows(learned[k], method=names[way], task=task)
    ]


def test_it_is_told_where_omega_beats_clipping_alone_and_what_start_does_as_well():
    def said(**ways):
        return verdict("information-flow-span", span_rows(**ways))

    assert said(clipped=(2, 10), both=(20, 12), rival=(3, 20)) == (
        "Holds in part: on 1 of 2 tasks, which are to learn latch over 50 steps."
    )
    assert said(clipped=(2, 0), both=(20, 18), rival=(20, 0)) == (
        "Holds in part: on 2 of 2 tasks, which are to learn latch over 50 steps or order over 50 "
        "steps. With "
        "an orthogonal initialization, about as many networks learn latch over 50 steps without Ω."
    )
    assert said(clipped=(2, 0), both=(20, 18), rival=(3, 4)).startswith("Holds. On every task")
    assert said(clipped=(15, 14), both=(16, 15)).startswith("Does not hold.")
    assert said(clipped=(10, 10), both=(13, 13)).startswith("Undecided.")


def test_the_span_counts_who_learns():
    said = find("information-flow-span").sum_up(span_rows(clipped=(2, 10), both=(20, 12)))
    assert said.value == 1
    assert "32 of 40 networks learn with Ω and clipping, and 12 with clipping alone" in said.text
    assert "more networks learn than with clipping alone on 1 of 2 tasks" in said.finding


def test_the_tables_of_flows_count_by_task_and_by_explosion():
    rows = span_rows(clipped=(2, 10), both=(20, 12))
    clipped, both = omega.table_learned(rows)
    assert clipped == {
        "method": CLIPPED,
        "latch 50": "2 of 20, rate 0.1",
        "order 50": "10 of 20, rate 0.1",
    }
    assert both["method"] == BOTH
    assert omega.table_exploded(rows)[0] == {
        "method": CLIPPED,
        "learn": "12 of 40",
        "of those whose gradient exceeded 100": "6 of 20",
        "of the others": "6 of 20",
    }


def test_the_networks_that_learn_are_counted_for_every_method_and_task():
    data = omega.data(span_rows(clipped=(0, 10), both=(20, 15)))
    assert by_name(data) == {
        f"latch 50: {CLIPPED}": 0,
        f"latch 50: {BOTH}": 1,
        f"order 50: {CLIPPED}": 0.5,
        f"order 50: {BOTH}": 0.75,
    }
    assert data.rows[-1]["count"] == (15, 20)


class Few(omega.Flows):
    """Networks that are trained for a few steps from large weights."""

    def initialization(self, config, cell):
        return "gaussian", 1.5


FEW = {
    "n_h": 5,
    "batch_size": 4,
    "tasks": {"short": {"task": "latch", "length": 8, "steps": 12}},
}


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_a_network_is_trained_as_if_it_were_alone_and_clipped_at_its_own_threshold(alpha):
    settings, cell = [(0.5, 1.0, alpha), (None, 1.0, alpha)], ("clipped", "short")
    together = Few().train(FEW, cell, settings, [3, 4])
    for setting, (right, _) in zip(settings, together, strict=True):
        for seed, share in zip((3, 4), right, strict=True):
            ((alone, _),) = Few().train(FEW, cell, [setting], [seed])
            assert alone == pytest.approx(share, abs=0.01)


def test_an_explosion_is_a_gradient_longer_than_a_hundred():
    found = Few().train(FEW, ("", "short"), [(None, 1e-6, 1e-3), (None, 1e-6, 1e5)], [0, 1])
    assert [exploded.tolist() for _, exploded in found] == [[False, False], [True, True]]


def clipping_rows(*cases):
    """Rows of cases in which so many of 20 learn unclipped, clipped, and unclipped at its rate."""
    ways = zip((FREE, flow_clipping.CLIPPED, SAME), (0.01, 1.0, 1.0), strict=True)
    return [
        row
        for k, (way, eta) in enumerate(ways)
        for case, counts in enumerate(cases)
        for row in flow_rows(counts[k], method=way, task=f"case {case}", eta=eta)
    ]


def test_clipping_is_not_needed_if_most_learn_unclipped_at_their_own_rate():
    said = find("flow-clipping").sum_up(clipping_rows((9, 20, 1), (10, 20, 20)))
    assert said.kind == "undecided"
    said = find("flow-clipping").sum_up(clipping_rows((19, 20, 1), (20, 18, 2)))
    assert said.verdict == (
        "Does not hold. Without clipping, 98% of the networks learn at a learning rate of their "
        "own. At the rate that is best with clipping, fewer networks learn without it in 2 of 2 "
        "cases."
    )
    assert said.value == 19 / 20
    assert "the best learning rate is always smaller" in said.text
    assert "exceeded 100 in 40 networks, and 20 of them learned" in said.text
    for cases, kind in (
        (((1, 20, 0), (0, 18, 0)), "holds"),
        (((19, 20, 19), (20, 18, 20)), "does not hold"),
    ):
        assert find("flow-clipping").sum_up(clipping_rows(*cases)).kind == kind


def test_unclipped_networks_are_also_trained_at_the_rate_that_is_best_with_clipping():
    entry = find("flow-clipping")
    config = {**entry.quick, "tasks": {"few": {**FEW["tasks"]["short"], "radius": 1.2, "alpha": 1}}}
    chosen = flow_clipping.Explosive().choices(config)
    assert {cell: choice.setting for cell, choice in chosen.items()} == {
        (FREE, "few"): (None, 0.01, 1),
        (flow_clipping.CLIPPED, "few"): (1.0, 0.3, 1),
        (SAME, "few"): (None, 0.3, 1),
    }


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
    assert said.verdict.startswith("Holds in part: descent along the approximation brings Ω down")
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
        {"network": network, "seed": seed, "bits": bits + seed / 10, "parameters": 9}
        | {"steps": steps, "eta": 0.1, "alpha": alpha, "at_edge": bool(alpha), "bigram": 3.4}
        for network, bits, alpha in (
            ("RNN", rnn, None),
            ("RNN with Omega", omega, 0.1),
            ("LSTM", lstm, None),
            ("LSTM with as many units", large, None),
        )
        if bits
        for seed in range(3)
    ]


def test_without_abundant_data_the_claim_is_not_tested_whatever_came_out():
    flow = find("flow-against-lstm")
    for bits in ((2.5, 2.4, 2.2, 2.1), (2.5, 2.2, 2.4, 2.3)):
        said = flow.sum_up(lstm_rows(*bits, steps=49_999))
        assert said.kind == "undecided"
        assert said.value == pytest.approx(bits[1] - bits[2])
        assert "Abundant data would take about 50000 minibatches" in said.text
    assert "changes the bits per character by -0.300 (-0.300 to -0.300)" in said.text
    assert said.finding.endswith("beats an LSTM with as many parameters.")
    assert "needs -0.100 (-0.100 to -0.100) bits fewer than the network with Ω" in said.text
    assert "better in 0 of 3 runs; the worst of its runs has 2.500 bits" in said.text
    assert "the lowest or highest that we tried for RNN with Omega, so" in said.text
    weak = [row | {"alpha": row["alpha"] and 1e-5} for row in lstm_rows(2.2, 2.2, 2.4, steps=9)]
    said = flow.sum_up(weak)
    assert "the smallest, 0.00001, is the best" in said.text
    assert "lowest or highest" not in said.text
    weak[0]["bits"] += 0.01
    assert flow.sum_up(weak).finding.endswith("without Ω it does about as well.")
    for bits, kind in (
        ((2.5, 2.4, 2.2, 2.1), "holds"),
        ((2.5, 2.2, 2.4, 2.1), "holds in part"),
        ((2.5, 2.2, 2.4, 2.3), "does not hold"),
    ):
        assert flow.sum_up(lstm_rows(*bits, steps=50_000)).kind == kind


@pytest.mark.slow
def test_networks_of_text_have_equally_many_parameters_and_do_better_with_training():
    pytest.importorskip("torch")
    networks, full = flow_against_lstm.Networks(), find("flow-against-lstm").full
    config = full | {"batch_size": 8, "T": 20}
    _, corpus = networks.corpora(config, ())
    counts = []
    for network in ("RNN", "RNN with Omega", "LSTM"):
        cell, bits = (network,), []
        ladders, first = networks.grid(config, cell)
        assert np.prod(first) == 6
        setting = (0.02, 0.01)[: len(ladders)]
        for steps in (3, 30):
            made = networks.train(config | {"steps": steps}, cell, [setting], [0, 1])
            rows = networks.rows(config, cell, made, [0, 1], None)
            bits.append([row["bits"] for row in rows])
        few, more = np.array(bits)
        assert (more < few).all()
        assert (few < np.log2(len(corpus.alphabet)) + 0.2).all()
        assert (networks.score(config, cell, made, [0, 1]) != -more).all()
        counts.append(rows[0]["parameters"])
    assert max(counts) < 1.01 * min(counts)
