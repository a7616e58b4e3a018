"""A contest chooses on other seeds and other data, trains jointly, and resumes where it stopped."""

from types import SimpleNamespace

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rnn_helpers.claims.chapter_11.longer_path import ONE, Paths
from rnn_helpers.experiments import find
from rnn_helpers.experiments.choose import separate
from rnn_helpers.experiments.contest import Contest, ahead, by_seed, norm_preserving
from rnn_helpers.experiments.kept import kept
from rnn_helpers.experiments.starts import ORTHOGONAL, SMALL, BestStart

ETAS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
CONFIG = {"etas": ETAS, "first": 3, "choosing": 2, "lengths": [5, 9]}
BEST = {("a", 5): 10.0, ("b", 5): 0.3, ("a", 9): 0.3, ("b", 9): 0.3}


class Known(Contest):
    """Methods whose best settings are known; `calls` are the trainings."""

    columns = "method", "length"

    def __init__(self):
        self.calls = []

    def cells(self, config):
        return [(name, length) for length in config["lengths"] for name in "ab"]

    def train(self, config, cell, settings, seeds):
        self.calls.append((cell, [*settings], [*seeds]))
        return np.repeat(settings, len(seeds))

    def score(self, config, cell, made, seeds):
        assert len(made) == len(seeds)
        return -np.abs(np.log(made / BEST[cell])) + 1e-3 * (np.array(seeds) % 100)


class Apart(Known):
    apart = "length"


class Limited(Known):
    limit = -3.5


def test_each_cell_has_the_setting_that_is_best_on_other_seeds():
    contest = Known()
    rows = contest.run(CONFIG, [0, 1, 2])
    assert [(row["method"], row["length"], row["seed"]) for row in rows] == [
        (*cell, seed) for cell in BEST for seed in (0, 1, 2)
    ]
    for row in rows:
        assert row["eta"] == BEST[row["method"], row["length"]]
        assert row["at_edge"] == (row["eta"] == ETAS[-1])
        assert row["right"] == pytest.approx(1e-3 * row["seed"])
    *choosing, _, _, _, _ = contest.calls
    assert all(seeds == separate(2) for _, _, seeds in choosing)


def test_all_settings_and_seeds_of_a_cell_are_trained_together():
    contest = Known()
    contest.run(CONFIG | {"first": 7}, [0, 1, 2])
    assert contest.calls == [
        *((cell, [*ETAS], separate(2)) for cell in BEST),
        *((cell, [eta], [0, 1, 2]) for cell, eta in BEST.items()),
    ]


def test_grids_grow_together_or_only_among_cells_that_are_compared():
    def tried(contest):
        choices = contest.choices(CONFIG)
        return {cell: len(choice.tried) for cell, choice in choices.items()}

    assert tried(Known()) == dict.fromkeys(BEST, 5)
    assert tried(Apart()) == {("a", 5): 5, ("b", 5): 5, ("a", 9): 3, ("b", 9): 3}


def test_above_the_limit_more_is_not_better():
    choices = Limited().choices(CONFIG | {"first": 7})
    assert choices["a", 5].setting == 3.0  # the middle of 1, 3 and 10, which reach the limit
    assert choices["a", 9].setting == 0.3


def test_methods_can_have_grids_of_their_own():
    grids = {"a": (1.0, 3.0, 10.0), "b": (0.1, 0.3, 1.0)}
    choices = Known().choices(CONFIG | {"etas": grids})
    assert {cell[0]: (*choice.tried,) for cell, choice in choices.items()} == grids


def test_a_second_block_uses_the_settings_of_the_first():
    contest = Known()
    choices = contest.choices(CONFIG)
    contest.calls.clear()
    rows = contest.result(CONFIG, choices, [3, 4])
    assert contest.calls == [(cell, [BEST[cell]], [3, 4]) for cell in BEST]
    assert rows == [row for row in contest.run(CONFIG, [0, 3, 4]) if row["seed"]]


def test_an_interrupted_run_resumes_and_gives_the_same_rows(tmp_path):
    whole = Known().run(CONFIG, [0, 1, 2])

    class Stopped(Known):
        def train(self, config, cell, settings, seeds):
            if len(self.calls) == 5:
                raise KeyboardInterrupt
            return super().train(config, cell, settings, seeds)

    stopped, resumed, again, other = Stopped(), Known(), Known(), Known()
    with kept(tmp_path, "code"), pytest.raises(KeyboardInterrupt):
        stopped.run(CONFIG, [0, 1, 2])
    for contest, code in ((resumed, "code"), (again, "code"), (other, "other code")):
        with kept(tmp_path, code):
            assert contest.run(CONFIG, [0, 1, 2]) == whole
    assert len(stopped.calls) + len(resumed.calls) == len(other.calls)
    assert again.calls == []


def test_contests_that_differ_only_in_their_score_are_stored_apart(tmp_path):
    class Opposite(Known):
        def score(self, config, cell, made, seeds):
            return -super().score(config, cell, made, seeds)

    def both():
        return Known().run(CONFIG, [0, 1]) + Opposite().run(CONFIG, [0, 1])

    whole = both()
    for _ in range(2):
        with kept(tmp_path, "code"):
            assert both() == whole


def test_a_pool_of_workers_gives_the_same_rows():
    with joblib.parallel_config(backend="threading", n_jobs=3):
        assert Known().run(CONFIG, [0, 1]) == Known().run(CONFIG, [0, 1])


def test_pairs_of_a_seed_are_compared_and_conditions_averaged():
    rows = [
        {"method": method, "length": length, "seed": seed, "right": right + 0.01 * seed}
        for method, right in (("a", 0.5), ("b", 0.2))
        for length in (5, 9)
        for seed in range(4)
    ]
    assert by_seed(rows[:8]) == pytest.approx([0.5, 0.51, 0.52, 0.53])
    assert ahead(rows, "method", "a", "b") == pytest.approx((0.3, 0.3, 0.3))


@pytest.fixture(scope="module")
def paths():
    pytest.importorskip("torch")
    quick = find("longer-path").quick
    return quick | {"lengths": [8], "steps": 5, "measured": 20, "etas": [0.01, 0.1], "first": 2}


@pytest.mark.chapter("11")
def test_networks_do_not_depend_on_those_that_are_trained_beside_them(paths):
    cell = ONE, 8, SMALL
    alone = Paths().train(paths, cell, [0.1], [3, 4])[1]
    beside = Paths().train(paths, cell, [0.01, 0.1], [2, 3, 4])[1]
    for name, array in alone.items():
        np.testing.assert_array_equal(array, beside[name][4:])


@pytest.mark.chapter("11")
def test_training_choice_and_result_draw_different_data(paths):
    drawn = {}

    class Noted(Paths):
        def batches(self, config, cell, size, seeds):
            for batch in super().batches(config, cell, size, seeds):
                drawn.setdefault(size, []).append(batch[0])
                yield batch

    Noted().run(paths | {"steps": 1, "batch_size": 20, "measured": 21, "choosing": 2}, [0, 1])
    streams = [
        one[:, :20].tobytes()
        for size in (20, 21)
        for batch in drawn[size]
        for one in batch.swapaxes(0, 1)
    ]
    cells, rates, others, seeds = 6, 2, 2, 2
    assert len(streams) == 2 * cells * (rates * others + seeds)
    assert len(set(streams)) == 2 * (others + seeds)  # of each seed, one to learn and one to test


def test_each_method_gets_the_initialization_with_the_better_score():
    class Started(BestStart, Contest):
        columns = "method", "start"

        def cells(self, config):
            return [(name, start) for name in "ab" for start in (SMALL, ORTHOGONAL)]

        def train(self, config, cell, settings, seeds):
            return np.repeat(settings, len(seeds))

        def score(self, config, cell, made, seeds):
            better = {"a": ORTHOGONAL, "b": SMALL}[cell[0]]
            return (cell[1] == better) - np.abs(np.log(made / 0.1))

    config = {"etas": [0.01, 0.1, 1.0], "first": 3, "choosing": 2}
    rows = Started().run(config, [0, 1])
    assert [(row["method"], row["start"], row["seed"]) for row in rows] == [
        ("a", ORTHOGONAL, 0),
        ("a", ORTHOGONAL, 1),
        ("b", SMALL, 0),
        ("b", SMALL, 1),
    ]
    assert {row["eta"] for row in rows} == {0.1}


@given(st.integers(1, 6), st.lists(st.integers(0, 9), min_size=2, max_size=4), st.data())
def test_a_norm_preserving_initialization_depends_on_seed_and_name_alone(n_h, seeds, data):
    shape = len(seeds), n_h, n_h
    params = {name: np.zeros(shape, np.float32) for name in ("W", "T", "U")}
    made = norm_preserving(params, ["W", "T"], seeds)
    k = data.draw(st.integers(0, len(seeds) - 1))
    for name in ("W", "T"):
        matrix = made[name][k]
        assert matrix.dtype == np.float32
        np.testing.assert_allclose(matrix @ matrix.T, np.eye(n_h), atol=1e-5)
        alone = norm_preserving({name: params[name][:1]}, [name], [seeds[k]])
        np.testing.assert_array_equal(alone[name][0], matrix)
    assert made["U"] is params["U"]
    assert n_h == 1 or (made["W"] != made["T"]).any()
    assert not any(array.any() for array in params.values())


@pytest.fixture
def watched(monkeypatch):
    """Train and score two networks that learn nothing; return the arguments of the training."""

    class Streams(Contest):
        def net(self, config, cell, seeds):
            return SimpleNamespace(
                params=dict, loss_and_grads=None, accuracy=lambda params, batch: batch
            )

        def batches(self, config, cell, size, seeds):
            yield seeds

    def fit(loss_and_grads, params, batches, **options):
        options["learned"] = next(batches)
        return SimpleNamespace(params=options)

    monkeypatch.setattr("rnn_helpers.experiments.contest.fit", fit)
    config, streams = {"batch_size": 2, "tested": 3, "steps": 4}, Streams()
    made = streams.train(config, (), [0.1], [5, 6])
    return made[1] | {"tested": streams.score(config, (), made, [5, 6])}


def test_a_network_is_tested_on_another_stream_than_it_learns_from(watched):
    assert [seed for seed, _ in watched["learned"]] == [5, 6]
    assert [seed for seed, _ in watched["tested"]] == [5, 6]
    streams = {name: {stream for _, stream in watched[name]} for name in ("learned", "tested")}
    assert streams["learned"].isdisjoint(streams["tested"])


def test_gradients_are_clipped_at_a_norm_of_1(watched):
    assert watched["clip"] == 1
