"""What the experiments on gated networks measure, and under which conditions they say what."""

from itertools import product

import numpy as np
import pytest
from estimates import by_line
from verdicts import verdict

from rnn_helpers.experiments import counting, find
from rnn_helpers.experiments.choose import separate
from rnn_helpers.experiments.claims.chapter_16 import (
    accumulate_forget,
    forget_bias,
    lstm_against_rnn,
    lstm_parts,
    reset_placement,
    shared_gates,
)
from rnn_helpers.experiments.claims.chapter_16 import gradient_reach_gated as gated_reach
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.tasks import Latch
from rnn_helpers.training import Adam

pytestmark = pytest.mark.chapter("16")


def rows_of(errors, seeds=10, **others):
    """Rows of networks whose errors are these, give or take a little from seed to seed."""
    others = {"eta": 0.06, "at_edge": False} | others
    return [
        {"network": name, "seed": s, "error": e * 1.01**s, "longer": e * 1.01**s, **others}
        for name, e in errors.items()
        for s in range(seeds)
    ]


def changed(rows, name, factor):
    scale = {name: factor}
    return [
        row | {key: row[key] * scale.get(row["network"], 1) for key in ("error", "longer")}
        for row in rows
    ]


def test_ratios_are_taken_seed_by_seed():
    rows = rows_of({"a": 0.1, "b": 0.3})
    assert counting.times(rows, "b", "a") == pytest.approx((3, 3, 3))


@pytest.mark.slow
def test_a_network_that_has_learned_nothing_does_worse_than_to_know_the_mean():
    pytest.importorskip("torch")
    contest = counting.Counting({"none": ("lstm", 4, {})})
    config = counting.QUICK | {"networks": ["none"], "etas": [1e-9], "steps": 1, "reset": 0.5}
    rows = contest.run(config, [0, 1])
    assert [(row["network"], row["seed"], row["eta"]) for row in rows] == [
        ("none", 0, 1e-9),
        ("none", 1, 1e-9),
    ]
    assert all(row["error"] > 1 and row["longer"] > 1 for row in rows)
    assert rows[0]["error"] != rows[1]["error"]
    inputs, _ = next(contest.batches(config, ("none",), 99, [[0, 2]]))
    assert inputs[..., 1].mean() == pytest.approx(0.5, abs=0.1)


def test_the_forget_gate_is_needed_only_if_it_is_worse_to_lack_than_any_other_part():
    errors = dict.fromkeys(lstm_parts.VARIANTS, 0.01) | {"no forget gate": 0.05}
    rows = rows_of(errors, reset=lstm_parts.RESETS)
    never = dict.fromkeys((lstm_parts.WHOLE, "no forget gate", "no input gate"), 0.01)
    never = rows_of(never, reset=lstm_parts.NEVER)
    said = find("lstm-parts").sum_up(rows + never)
    assert said.value == pytest.approx(5)
    assert said.verdict.startswith("Holds in part, if there is something to forget")
    (table,) = find("lstm-parts").tabulate(rows + never).values()
    line = {"times the error": "5 (5 to 5)", "learning rate": "0.06"}
    assert table[0] == {
        "network": "no forget gate", **line, "if nothing is ever reset": "1 (1 to 1)"
    }  # fmt: skip

    def kind(rows):
        return find("lstm-parts").sum_up(rows).kind

    assert kind(rows + changed(never, "no forget gate", 3)) == "holds"
    for other in {*lstm_parts.LEFT_OUT, lstm_parts.WHOLE} - {"no forget gate"}:
        assert kind(changed(rows, other, 6) + never) == "does not hold", other
    for other in lstm_parts.CHANGED:
        assert kind(changed(rows, other, 6) + never) == "holds in part", other


def test_a_variant_has_to_beat_both_lstm_and_gru_and_it_is_told_where():
    errors = dict.fromkeys(shared_gates.CELLS, 0.02) | {"GRU": 0.01}
    rows = rows_of(errors)
    assert find("shared-gates").measure(rows).value == pytest.approx(2)
    further = [r | {"longer": r["longer"] / (1 + 2 * (r["network"] == "peepholes"))} for r in rows]
    assert (
        verdict("shared-gates", further)
        == "Holds in part, if sequences are as long as in training."
    )
    assert "do better than both: peepholes." in find("shared-gates").sum_up(further).text
    between = changed(further, shared_gates.PRODUCT, 0.8)  # better than the LSTM alone
    assert verdict("shared-gates", between) == verdict("shared-gates", further)
    product = verdict("shared-gates", changed(further, shared_gates.PRODUCT, 0.4))
    assert product.startswith("Does not hold. Compared with both, global times local gates has")
    assert verdict("shared-gates", rows).startswith("Holds. No variant does better, not even")
    unlike = [
        row
        | {"error": row["error"] / (1 + 3 * (row["seed"] == 0 and row["network"] == "peepholes"))}
        for row in rows_of(dict.fromkeys(errors, 0.01), 3)
    ]
    undecided = verdict("shared-gates", unlike)
    assert undecided.endswith("whether an LSTM with peepholes beats both.")


def test_a_product_of_gates_begins_as_open_as_one_gate():
    def sigmoid(a):
        return 1 / (1 + np.exp(-a))

    _, _, parts = shared_gates.CELLS[shared_gates.PRODUCT]
    assert sigmoid(parts["forget_bias"]) ** 2 == pytest.approx(sigmoid(1), abs=1e-3)


def test_side_by_side_each_network_has_its_own_learning_rate():
    g = {"p": np.array([[1.0, -2.0], [1.0, -2.0]], np.float32)}
    p, memory = {"p": np.zeros((2, 2), np.float32)}, {}
    together = AdamEach([0.1, 0.3], steps=4)
    for step in (1, 2):
        p = together.update(p, g, memory, step)
    for row, rate in zip(p["p"], (0.1, 0.3), strict=True):
        alone, memory = {"p": np.zeros(2)}, {}
        optimizer = Adam(lambda step, rate=rate: rate * (1 - (step - 1) / 4))
        for step in (1, 2):
            alone = optimizer.update(alone, {"p": g["p"][0]}, memory, step)
        np.testing.assert_allclose(row, alone["p"], rtol=1e-5)
    assert not set(separate(5)) & set(range(100))


def counting_rows(errors):
    """Return two networks of each kind, whose errors are 10 % above and below these."""
    return [
        {"network": name, "seed": seed, "eta": 0.1, "at_edge": False, "longer": error}
        | {"error": error * (1 + 0.1 * (-1) ** seed)}
        for name, error in errors.items()
        for seed in range(2)
    ]


def test_gates_are_needed_only_if_every_network_without_them_is_far_behind():
    def said(**left):
        names = accumulate_forget.NETWORKS
        errors = {name: left.get("gated", 0.001) for name in accumulate_forget.GATED}
        errors |= {name: left["others"] for name in names if name not in errors}
        errors["simple"] = left.get("best", left["others"])
        return find("accumulate-forget").sum_up(counting_rows(errors))

    assert said(others=0.02, best=0.01).verdict.startswith(
        "Holds in part: gated networks learn when to forget. But the best network without gates"
    )
    assert said(others=0.02, best=0.01).value == pytest.approx(10)
    assert said(others=0.9).kind == "holds"
    assert said(others=0.02, best=0.001).kind == "does not hold"
    assert said(others=0.9, gated=0.8).kind == "does not hold"


@pytest.mark.slow
def test_networks_that_are_compared_have_about_as_many_parameters():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets import Gated

    sizes = [
        sum(torch.numel(p) for p in Gated(2, n_h, 1, [0], unit, **parts).parameters())
        for unit, n_h, parts in accumulate_forget.NETWORKS.values()
    ]
    assert all(abs(size - 360) < 30 for size in sizes), sizes


def test_a_gru_as_printed_has_to_learn_as_well_at_its_own_rate():
    def said(own, same=1, after=1):
        errors = {
            reset_placement.BEFORE: 0.01,
            reset_placement.AFTER: 0.01 * after,
            reset_placement.PRINTED: 0.01 * own,
        }
        rows = rows_of(errors, at=reset_placement.OWN, eta=0.2)
        errors[reset_placement.PRINTED] = 0.01 * same
        del errors[reset_placement.BEFORE]
        return find("reset-placement").sum_up(
            rows + rows_of(errors, at=reset_placement.SAME, eta=0.2)
        )

    assert said(own=0.9).value == pytest.approx(0.9)
    assert said(own=0.9).verdict.startswith("Holds. It learns as well as the others")
    assert said(own=0.9, same=3).verdict.startswith(
        "Holds in part, if each unit has its own learning rate. At the rate that is best with "
        "tanh, 0.2, its error is 3.0 times as large."
    )
    assert said(own=3, same=3).kind == said(own=0.9, after=0.1).kind == "does not hold"


def networks_of(n, of, **cell):
    """Return a row for each of several networks, of which the first n learn."""
    columns = cell | {"eta": 0.01, "at_edge": False}
    return [columns | {"seed": seed, "right": float(seed < n)} for seed in range(of)]


def bias_rows(least, biases=range(5), lengths=(10, 20, 50), starts=("default", "orthogonal")):
    """Return rows where just those learn whose bias is at least that of `least`, by length."""
    return [
        row
        for start, length, bias in product(starts, lengths, biases)
        for row in networks_of(
            20 * (bias >= least[length]), 20, task="first", length=length, start=start, bias=bias
        )
    ]


def test_a_bias_of_one_has_to_help_with_orthogonal_matrices_too():
    def said(least, orthogonal=None):
        rows = bias_rows(least, starts=["default"])
        rows += bias_rows(orthogonal or least, starts=["orthogonal"])
        return find("forget-bias").sum_up(rows)

    helps, none = {10: 0, 20: 1, 50: 2}, {10: 0, 20: 0, 50: 2}
    assert said(helps).verdict.startswith("Holds. Over 20 steps, 20 of 20 networks learn with a")
    assert said(helps).finding.endswith("Over 50 steps, a bias of 1 is too small.")
    assert said(helps, none).verdict.startswith(
        "Holds in part, if the recurrent matrices start small"
    )
    assert said(none).kind == said({10: 0, 20: 9, 50: 9}).kind == "does not hold"


def test_the_least_bias_that_is_enough_is_told_for_each_span():
    said = find("forget-bias").sum_up(bias_rows({10: 0, 20: 1, 50: 5})).text
    assert "learn is 0 over 10, 1 over 20, none over 50 steps." in said


def test_a_rate_at_the_edge_means_little_where_no_network_learns():
    rows = bias_rows({10: 0, 20: 1, 50: 2})
    edges = {(20, "orthogonal", 0), (50, "default", 3)}
    for row in rows:
        row["at_edge"] = (row["length"], row["start"], row["bias"]) in edges
    said = find("forget-bias").sum_up(rows).text
    assert "tried for first, 50 steps, default, bias 3 (0.01), so another rate might be" in said
    assert "means little. It is the lowest or highest that we tried for first, 20 steps, o" in said


def test_there_is_a_line_for_each_longer_span_over_its_own_biases():
    rows = bias_rows({10: 0, 20: 1, 50: 2}, range(4)) + bias_rows({100: 3}, range(1, 6), [100])
    drawn = by_line(find("forget-bias").data["data"](rows))
    assert drawn["50 steps"] == [(0, 0), (1, 0), (2, 1), (3, 1)]
    assert drawn["100 steps"] == [(1, 0), (2, 0), (3, 1), (4, 1), (5, 1)]
    assert "10 steps" not in drawn


@pytest.mark.slow
def test_biases_and_matrices_differ_and_nothing_else_does():
    pytest.importorskip("torch")
    contest, config = forget_bias.BiasContest(), find("forget-bias").full
    cells = [("marked", 10, "default", 1), ("marked", 10, "default", 5)]
    cells.append(("marked", 10, "orthogonal", 1))
    one, five, orthogonal = (
        contest.params(config, cell, contest.net(config, cell, [0, 1]), [0, 1]) for cell in cells
    )
    assert (one["layers.0.bf"] == 1).all()
    assert (five["layers.0.bf"] == 5).all()
    for name, p in one.items():
        if name != "layers.0.bf":
            np.testing.assert_array_equal(p, five[name])
        assert (p == orthogonal[name]).all() == (name not in forget_bias.MATRICES)


@pytest.mark.slow
@pytest.mark.parametrize("name", gated_reach.CELLS)
def test_every_cell_tells_its_own_states_and_how_its_loss_depends_on_them(name):
    torch = pytest.importorskip("torch")
    cell, task = gated_reach.CELLS[name], Latch()
    params, _ = cell.start(task, [0, 1], 4)
    x, y, _ = next(task.batches(6, 3, seed=0))
    grads, states = cell.gradients(params, x, y), cell.states(params, x)
    assert grads.shape == states.shape == (7, 2, 3, 4)
    assert cell.accuracy(params, (x, y, None)).shape == (2,)
    if "leaky" in name:  # the others' gradients are the reference's
        p = {key.removeprefix("layers.0."): torch.tensor(v).double() for key, v in params.items()}
        h = torch.zeros(2, 3, 4, dtype=torch.float64, requires_grad=True)
        held = [h]
        for now in torch.tensor(x):
            a = p["b"][:, None] + now @ p["U"].mT + h @ p["W"].mT
            h = 0.9 * h + (1 - 0.9) * torch.tanh(a)
            h.retain_grad()
            held.append(h)
        o = p["c"][:, None] + h @ p["V"].mT
        classes = torch.tensor(y[-1]).expand(2, 3)
        torch.nn.functional.cross_entropy(
            o.reshape(6, 2), classes.reshape(6), reduction="sum"
        ).backward()
        np.testing.assert_allclose(states, [h.detach() for h in held], atol=1e-6)
        np.testing.assert_allclose(grads, [h.grad for h in held], rtol=1e-4, atol=1e-9)


def reach_rows(new, trained=0.8):
    rows = [
        {"cell": name, "when": when, "seed": s, "factor": factor + 0.001 * s, "period": 1}
        | {"learned": when == "trained"}
        for name, at_first in new.items()
        for when, factor in (("at the start", at_first), ("trained", trained))
        for s in range(10)
    ]
    return verdict("gradient-reach-gated", rows)


def test_gates_keep_a_gradient_as_far_as_they_begin_open():
    new = {"simple": 0.6, "LSTM, bias 0": 0.6, "LSTM, bias 1": 0.8, "LSTM, bias 3": 0.95}
    new |= {"GRU": 0.5}
    assert reach_rows(new).startswith(
        "Holds in part, if the forget gate starts open. Untrained LSTMs with a forget bias of 0 "
        "keep only 60"
    )
    for changed, kind in (
        ({"LSTM, bias 3": 0.89}, "Does not hold."),
        ({"LSTM, bias 3": 1.2}, "Does not hold."),
        ({"LSTM, bias 0": 0.9}, "Undecided."),
        (dict.fromkeys(("LSTM, bias 0", "LSTM, bias 1", "GRU"), 0.95), "Holds. Every gated"),
    ):
        assert reach_rows(new | changed).startswith(kind)


def against_rows(lstm, simple, of=15):
    """Make rows in which so many LSTMs and simple networks learn each task over 50 steps."""
    counts = {lstm_against_rnn.LSTM: lstm, lstm_against_rnn.SIMPLE: simple}
    counts |= {("LSTM", "default", "0"): (0, 0), ("simple", "default", "0"): (1, 0)}
    return [
        {"task": task, "length": length, "network": network, "start": start, "bias": bias}
        | {"seed": seed, "right": float(length == 20 or seed < learned), "eta": 0.01}
        | {"at_edge": False}
        for (network, start, bias), each in counts.items()
        for task, learned in zip(lstm_against_rnn.TASKS, each, strict=True)
        for length in (20, 50)
        for seed in range(of)
    ]


@pytest.mark.parametrize(
    ("lstm", "simple", "expected"),
    [
        (
            (15, 15),
            (3, 1),
            "Holds. Over 50 steps, 15 of 15 LSTMs with a forget bias of ln T hold a bit",
        ),
        (
            (15, 13),
            (14, 1),
            "Holds in part, if the task is to tell the order of two letters: over 50 steps",
        ),
        ((14, 14), (15, 15), "Does not hold."),
        ((15, 5), (3, 4), "Undecided."),  # a bit alone
    ],
)
def test_an_lstm_has_to_beat_the_simple_network_that_is_well_initialized(lstm, simple, expected):
    rows = against_rows(lstm, simple)
    said = find("lstm-against-rnn").sum_up(rows)
    assert said.verdict.startswith(expected)
    assert said.value == pytest.approx((lstm[1] - simple[1]) / 15)
    (counts,) = find("lstm-against-rnn").tabulate(rows).values()
    assert counts[0] == {
        "network": "LSTM, bias ln T",
        "marked bit, 20 steps": "15 of 15",
        "marked bit, 50 steps": f"{lstm[0]} of 15",
        "order, 20 steps": "15 of 15",
        "order, 50 steps": f"{lstm[1]} of 15",
    }


@pytest.mark.slow
def test_networks_begin_alike_but_for_what_is_compared():
    pytest.importorskip("torch")
    contest, config = lstm_against_rnn.Ways("order", 10), {}

    def params(*way):
        net = contest.net(config, way, [0, 1])
        return contest.params(config, way, net, [0, 1])

    plain, opened, orthogonal = (
        params("LSTM", *way)
        for way in (("default", "0"), ("default", "ln T"), ("orthogonal", "ln T"))
    )
    for name, p in plain.items():
        if name == "layers.0.bf":
            np.testing.assert_array_equal(p, 0)
            np.testing.assert_allclose(opened[name], np.log(10), rtol=1e-6)
            np.testing.assert_allclose(orthogonal[name], np.log(10), rtol=1e-6)
        elif name.startswith("layers.0.W"):
            np.testing.assert_array_equal(opened[name], p)
            eye = orthogonal[name] @ np.swapaxes(orthogonal[name], -1, -2)
            np.testing.assert_allclose(eye, np.broadcast_to(np.eye(8), eye.shape), atol=1e-5)
        else:
            np.testing.assert_array_equal(opened[name], p)
            np.testing.assert_array_equal(orthogonal[name], p)
    assert params("GRU", "default", "ln T")["layers.0.bu"] == pytest.approx(np.log(10))
