"""Check the measurements and verdicts of the experiments on several time scales."""

from math import log

import numpy as np
import pytest
from estimates import by_name
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_15 import (
    clockwork_wave,
    hears_less,
    learned_constants,
    skip_decay,
    time_scales,
)
from rnn_helpers.experiments.rates import SGDEach
from rnn_helpers.experiments.words import Numbers
from rnn_helpers.reference import clock_hears
from rnn_helpers.training import SGD

pytestmark = pytest.mark.chapter("15")


def decay_rows(**change):
    experiment = find("skip-decay")
    config = {**experiment.quick, "units": 20, **change}
    return list(experiment.function(config, range(config.pop("seeds"))))


def test_skips_divide_the_exponent_by_their_length():
    """Expect, in 100 steps, factors of 0.9^20, 0.0248, 2.1e4 and 1.0e9."""
    radii = [[0.0, 0.9], [0.5, 0.4], [0.5, 0.9], [1.1, 0.3]]
    rows = [row for row in decay_rows(radii=radii) if row.get("signs") == "like"]
    hundred = [row["factor"] ** 100 for row in rows]
    assert hundred == pytest.approx([0.9**20, 0.0248, 2.1e4, 1.04e9], rel=0.02)
    assert rows[0]["kept"] == pytest.approx(rows[0]["divided"])
    assert rows[0]["subtracted"] == pytest.approx(0.9**95)
    assert rows[0]["exponent"] == pytest.approx(1)
    for row, long_run in zip(rows[1:], hundred[1:], strict=True):
        assert 0.2 < row["kept"] / long_run < 1  # only the first steps lose an extra share


def test_one_units_gradient_never_falls_faster_than_along_its_skips():
    """The product of the roots is the skip's weight, so the largest is at least its d-th root."""
    radii = [[r, s] for r in (0.2, 0.5, 1.2) for s in (0.1, 0.6, 0.95)]
    rows = decay_rows(radii=radii, seeds=1, units=1, skips=[2, 3, 5])
    assert max(row["exponent"] for row in rows) <= 1 + 1e-9
    # skips of two steps with opposite signs reach this limit despite the connections of one step
    (even,) = [r for r in rows if (r["radius"], r["radius_skip"], r["d"], r.get("signs"))
               == (0.5, 0.6, 2, "opposite")]  # fmt: skip
    assert even["exponent"] == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("d", [2, 5])
def test_squares_of_the_radii_add_for_many_units(d):
    assert skip_decay.predicted(0.0, 0.7, d) == pytest.approx(0.7 ** (1 / d))
    assert skip_decay.predicted(0.6, 0.8, d) == pytest.approx(1)
    rows = decay_rows(radii=[[0.6, 0.8], [0.5, 0.4]], units=60, skips=[d])
    for row in rows:
        if row["n_h"] == 60:
            assert row["factor"] == pytest.approx(row["predicted"], rel=0.08)


@pytest.mark.slow
def test_skip_decay_reaches_each_verdict():
    rows = decay_rows(units=50)
    said = verdict("skip-decay", rows)
    assert said.startswith("Holds in part, if the connections of length one are removed. Otherwise")
    faster = [row | {"exponent": row["exponent"] * 1.2} for row in rows]
    assert verdict("skip-decay", faster).startswith("Does not hold.")
    falling = [row | {"factor": min(row["factor"], 0.99)} for row in rows]
    assert verdict("skip-decay", falling).startswith("Does not hold.")
    alike = [row | {"exponent": 1.0} for row in rows]
    assert verdict("skip-decay", alike).startswith("Holds. The exponent is that of k/d")


@pytest.mark.slow
def test_the_summary_warns_if_fifty_units_are_too_few_for_the_limit():
    rows = decay_rows(units=50)
    limit = 5 * log(skip_decay.predicted(0.5, 0.7, 5)) / log(0.7)
    text = find("skip-decay").sum_up(rows).text
    assert f"would be {limit:.2f} instead of" in text
    assert "this limit would let them vanish" not in text
    growing = [
        row | {"factor": 1.01 + 1e-4 * k} if row["radius"] == 0.5 else row
        for k, row in enumerate(rows)
    ]
    text = find("skip-decay").sum_up(growing).text
    assert "although this limit would let them vanish at radii 0.5 and 0.7." in text


def test_an_input_k_steps_ago_counts_most_with_alpha_k_over_k_plus_one():
    grid = np.linspace(0, 1, 10_001)[1:-1]
    for k in (1, 5, 47):
        best = grid[np.argmax([hears_less.heard(alpha, k) for alpha in grid])]
        assert best == pytest.approx(k / (k + 1), abs=1e-4)
    for alpha, constant in ((0.9, 9.49), (0.99, 99.5)):
        assert -1 / log(alpha) == pytest.approx(constant, rel=1e-3)
        assert 1 / (1 - alpha) + 1 / log(alpha) == pytest.approx(0.5, abs=0.01)


@pytest.mark.slow
def test_compensation_changes_only_the_input_weights():
    pytest.importorskip("torch")
    leaky, config = hears_less.Leaky(), {"units": 4}
    cells = [(0.9, divided) for divided in hears_less.DIVIDED]
    plain, larger = (
        leaky.params(config, cell, leaky.net(config, cell, [3]), [3]) for cell in cells
    )
    for name in plain:
        factor = 10 if name == "layers.0.U" else 1
        np.testing.assert_allclose(larger[name], factor * plain[name], rtol=1e-5)


def networks(successes, of=12, **cell):
    """Return a row for each of several networks, some of which have learned."""
    return [
        {"eta": 0.01, "at_edge": False, "seed": seed, "right": 1.0 if seed < successes else 0.5}
        | cell
        for seed in range(of)
    ]


def test_sgd_with_a_rate_for_each_network_matches_plain_sgd():
    p, g = np.ones((2, 3)), np.array([[1.0, 2, 3], [4, 5, 6]])
    each = SGDEach([0.1, 0.3], steps=4)
    for step in (1, 3):
        both = each.update({"p": p}, {"p": g}, {}, step)["p"]
        for k, rate in enumerate((0.1, 0.3)):
            one = SGD(rate * (1 - (step - 1) / 4)).update({"p": p[k]}, {"p": g[k]}, {}, step)["p"]
            np.testing.assert_allclose(both[k], one, rtol=1e-6)


@pytest.mark.slow
def test_networks_with_several_time_scales_have_similar_sizes():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets import Gated

    for name, (n_h, parts) in time_scales.NETWORKS.items():
        net = Gated(2, n_h, 2, [0], "leaky", **parts)
        size = sum(torch.numel(p) for p in net.parameters())
        if "periods" in parts:  # weights that the clocks mask don't count
            size -= (~clock_hears(parts["periods"])).sum()
        assert abs(size - 370) < 30, (name, size)


def test_the_value_arrives_at_the_requested_step():
    x, y, mask = next(time_scales.At(marker=True, step=7).batches(20, 50, 0))
    assert (x[..., 1].argmax(axis=0) == 6).all()
    np.testing.assert_array_equal(x[6, :, 0], 2 * y[0] - 1)
    assert x[..., 1].sum() == 50
    assert mask[-1].all()


def moved(name, step, length):
    """Return a mask (T, n_h) of the states that change with the input at one step."""
    pytest.importorskip("torch")
    import torch

    from rnn_helpers.nets import Gated

    n_h, parts = time_scales.NETWORKS[name]
    net = Gated(2, n_h, 2, [0], "leaky", **parts).double()
    x = torch.zeros(length, 1, 1, 2, dtype=torch.float64)
    with torch.no_grad():
        before = net.layers[0](x)
        x[step - 1] = 1.0
        return (net.layers[0](x) != before)[:, 0, 0].numpy()


@pytest.mark.slow
def test_skips_alone_reach_back_only_by_multiples_of_their_length():
    assert [moved("skips of 5 alone", step, 20)[-1].any() for step in range(1, 21)] == [
        (20 - step) % 5 == 0 for step in range(1, 21)
    ]
    assert moved("skips of 5", 1, 20)[-1].all()


@pytest.mark.slow
def test_a_clock_ignores_inputs_between_its_ticks():
    periods = np.array(time_scales.PERIODS)
    for step in (1, 2, 4, 32):
        np.testing.assert_array_equal(moved("clocks", step, 40).any(axis=0), step % periods == 0)


def scale_rows(**successes):
    """Return rows with a number of successes out of 12 for each network, 0 if not given."""
    names = {name.replace(", ", "_").replace(" ", "_"): name for name in time_scales.NETWORKS}
    return [
        row
        for key, name in names.items()
        for length in (20, 50)
        for row in networks(
            successes.get(key, 0), when=time_scales.RANDOM, length=length, network=name
        )
    ]


TICKED = networks(12, when=time_scales.TICK, length=50, network="clocks")


def test_each_strategy_must_beat_simple_networks_with_every_initialization():
    every = {"skips_of_5": 12, "leaky_0.9": 12, "simple_orthogonal": 6}
    said = find("time-scales").sum_up([*scale_rows(**every), *TICKED])
    assert said.verdict == "Holds in part, if the strategy is skips or leaky units."
    assert said.finding.startswith("Skips and leaky units help networks to hold a bit; removing")
    assert "at most 6 of 12 simple RNNs learn. With skips of 5, 12 do." in said.text
    ticked = "If the bit arrives when all clocks tick, 12 of 12 networks with clocks"
    assert ticked in said.text
    assert said.value == 1
    for better, kind in (
        ({"clocks": 12}, "holds"),
        ({"simple_orthogonal": 10}, "undecided"),
        ({"skips_of_5": 1, "leaky_0.9": 1, "simple": 12}, "does not hold"),
    ):
        rows = [*scale_rows(**every | better), *TICKED]
        assert find("time-scales").sum_up(rows).kind == kind


def test_the_data_counts_networks_whose_bit_arrives_at_a_random_step():
    data = find("time-scales").data["data"]([*scale_rows(skips_of_5=12), *TICKED])
    assert [row["label"] for row in data.rows] == [
        time_scales.label(name) for name in time_scales.NETWORKS
    ]
    (row,) = (row for row in data.rows if row["label"] == "skips of 5")
    assert (row["value"], row["high"], row["count"]) == (1, 1, (12, 12))
    assert row["low"] == pytest.approx(0.735, abs=1e-3)


def heard_rows(one, own):
    """Return rows with successes out of 12 for three alphas, at a shared rate and at own rates."""
    rates = {hears_less.ONE: (one, [0.3] * 3), hears_less.OWN: (own, [0.3, 1.0, 30.0])}
    return [
        row
        for which, (successes, etas) in rates.items()
        for alpha, n, eta in zip((0.5, 0.9, 0.99), successes, etas, strict=True)
        for divided in hears_less.DIVIDED
        for row in networks(
            n, rule="SGD", rates=which, length=20, alpha=alpha, divided=divided, eta=eta
        )
    ]


def test_a_larger_learning_rate_can_compensate_for_a_weaker_input():
    said = verdict("hears-less", heard_rows((0, 12, 0), (0, 12, 11)))
    assert said.startswith(
        "Holds in part, if a larger learning rate makes up for the weaker input."
    )
    assert said.endswith("Then 11 of 12 networks with an alpha of 0.99 learn.")
    # the text names networks that learn only at their own rates, so check just the verdict
    for one, own, kind in (
        ((0, 12, 0), (0, 12, 0), "does not hold"),
        ((0, 12, 12), (0, 12, 12), "holds"),
    ):
        entry = find("hears-less")
        assert entry.verdict.kind(Numbers(**entry.numbers(heard_rows(one, own)))) == kind
    assert find("hears-less").measure(heard_rows((0, 12, 3), (0, 12, 0))).value == 0.25


def test_the_hears_less_data_names_each_choice_of_rates():
    shown = by_name(find("hears-less").data["data"](heard_rows((0, 12, 0), (0, 12, 9))))
    ways = ("one rate for all", "own rates", "own rates, U / (1 − α)")
    assert set(shown) == {f"{way}: α = {alpha}" for alpha in (0.9, 0.99) for way in ways}
    assert shown["own rates: α = 0.99"] == 0.75


def constant_rows(learned, found, fixed):
    """Return rows of ten seeds with error shares for learned and for fixed constants."""
    common = {"how": "learned", "start": "sampled", "units": 4, "found": found}
    common |= {"eta": 0.1, "at_edge": False}
    return [common | {"seed": s, "left": learned * 1.01**s} for s in range(10)] + [
        {"how": "fixed", "start": start, "units": k, "seed": s, "left": left * 1.01**s}
        for start in ("spread evenly", "sampled")
        for k, left in fixed.items()
        for s in range(10)
    ]


def test_learned_constants_reaches_each_verdict():
    few = constant_rows(0.001, 2, {4: 0.1, 8: 1e-5})
    said = find("learned-constants").sum_up(few)
    assert said.verdict.startswith("Holds. 8 constants that are sampled once give the averages")
    assert "With only 4 sampled ones, 10.5% (10.1% to 10.8%)" in said.verdict
    assert said.text.startswith("With 8 evenly spread constants")
    assert said.value == pytest.approx(2)
    for learned, fixed, kind in (
        (0.001, {4: 0.001, 8: 1e-5}, "holds"),  # four are enough
        (0.001, {4: 0.1, 8: 0.02}, "holds in part"),  # eight leave more than 0.01
        (0.02, {4: 0.1, 8: 1e-5}, "holds in part"),  # learned ones do
        (0.02, {4: 0.1, 8: 0.02}, "does not hold"),  # both do
        (0.001, {4: 0.1, 8: 0.0096}, "undecided"),
    ):
        rows = constant_rows(learned, 2, fixed)
        assert find("learned-constants").sum_up(rows).kind == kind


def test_the_gradient_matches_finite_differences():
    rng = np.random.default_rng(0)
    params = {"alpha_logit": rng.normal(size=(2, 3)), "V": rng.normal(size=(2, 2, 3))}
    batch = rng.normal(size=(9, 2, 4)), rng.normal(size=(9, 2, 4, 2))
    _, grads = learned_constants.loss_and_grads(params, batch)
    for name, p in params.items():
        for at in np.ndindex(p.shape):
            near = []
            for change in (1e-6, -1e-6):
                moved_p = p.copy()
                moved_p[at] += change
                loss, _ = learned_constants.loss_and_grads(params | {name: moved_p}, batch)
                near.append(loss[at[0]])
            assert grads[name][at] == pytest.approx((near[0] - near[1]) / 2e-6, rel=1e-5, abs=1e-8)


def test_targets_have_similar_variance_and_true_constants_leave_no_error():
    x = np.random.default_rng(0).standard_normal((4000, 1, 4))
    tau = learned_constants.constants("true", 4, 3)
    assert (np.diff(tau) > 0).all()
    y = learned_constants.targets(x, tau[None])[500:]
    np.testing.assert_allclose(y.var(axis=(0, 1, 2)), 1, atol=0.2)
    config = {"true": 4}
    right, wrong = learned_constants._left_over(np.array([tau, tau * 3]), config, [3, 3])
    assert right < 1e-12 < 1e-3 < wrong


def wave_rows(errors, seeds=10, **others):
    return [
        {"network": name, "seed": s, "eta": 0.01, "at_edge": False, "error": e * 1.01**s, **others}
        for name, e in errors.items()
        for s in range(seeds)
    ]


def test_clocks_must_draw_better_than_every_other_network():
    errors = dict.fromkeys(clockwork_wave.NETWORKS, 0.5) | {"clocks": 0.1}
    two, random = (
        [wave_rows(errors | change, wave=kind) for change in ({}, {"LSTM": 0.05})]
        for kind in (clockwork_wave.TWO, clockwork_wave.RANDOM)
    )
    said = find("clockwork-wave").sum_up(two[0] + random[0])
    assert said.verdict.startswith("Holds in part, if the task is to draw a wave")
    assert "leave 0.2 and 0.2 times the error of the best other network on two waves" in said.text
    assert said.value == pytest.approx(0.2)
    assert verdict("clockwork-wave", two[0] + random[1]).startswith("Undecided.")
    assert verdict("clockwork-wave", two[1] + random[1]).startswith("Does not hold.")


@pytest.mark.slow
def test_networks_that_draw_waves_have_similar_sizes():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets import Gated

    for name, (unit, n_h, parts) in clockwork_wave.NETWORKS.items():
        n_x = len(set(clockwork_wave.PERIODS)) if name == clockwork_wave.TOLD else 1
        net = Gated(n_x, n_h, 1, [0], unit, **parts)
        size = sum(torch.numel(p) for p in net.parameters())
        if name != clockwork_wave.TOLD:  # the other networks receive zeros
            size -= sum(torch.numel(p) for key, p in net.named_parameters() if ".U" in key)
        if "periods" in parts:
            size -= (~clock_hears(parts["periods"])).sum()
        assert abs(size - 300) < 15, (name, size)


@pytest.mark.parametrize("kind", [clockwork_wave.TWO, clockwork_wave.RANDOM])
def test_each_seed_draws_a_different_wave(kind):
    y = clockwork_wave.waves(kind, 160, [0, 1])
    np.testing.assert_allclose(y.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(y.std(axis=0), 1)
    assert abs(np.corrcoef(y.T)[0, 1]) < 0.9
    np.testing.assert_allclose(y[:, 1:], clockwork_wave.waves(kind, 160, [1]), atol=1e-12)
