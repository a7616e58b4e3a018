"""What the experiment on films measures, and under which conditions its claim holds."""

import numpy as np
import pytest
from verdicts import verdict

from rnn_helpers.experiments import find
from rnn_helpers.experiments.claims.chapter_16 import conv_lstm

pytestmark = pytest.mark.chapter("16")


def films(seeds=5, **changed):
    """Rows of networks with these errors (free, trained, new), a little more from seed to seed."""
    errors = {
        conv_lstm.CONV: (0.2, 0.15, 0.15),
        conv_lstm.SAME: (0.6, 0.8, 2.0),
        conv_lstm.LARGE: (0.3, 0.2, 1.5),
        conv_lstm.LONGER: (0.25, 0.1, 1.6),
    }
    return [
        {"network": name, "task": task, "parameters": 9, "seed": s, "eta": 0.01, "at_edge": False}
        | {"errors": [error * 1.001**s for error in each]}
        for name, (free, trained, new) in (
            errors | {getattr(conv_lstm, k): v for k, v in changed.items()}
        ).items()
        for task, each in ((conv_lstm.FREE, [free]), (conv_lstm.COLUMNS, [trained] * 5 + [new] * 4))
        if (name, task) != (conv_lstm.LONGER, conv_lstm.COLUMNS)
        for s in range(seeds)
    ]


def test_convolutions_must_win_at_their_size_and_do_as_well_in_new_places():
    said = find("conv-lstm").sum_up(films())
    assert said.value == pytest.approx(1)
    assert said.verdict.startswith("Holds. In columns where it was never trained")
    free, columns = find("conv-lstm").tabulate(films()).values()
    assert [line["network"] for line in free] == list(conv_lstm.NETWORKS)
    assert columns[0]["columns 6 to 9 (new)"] == "0.15 (0.15 to 0.15)"
    # what had three times the films may end lower: that is told, and is no comparison
    assert verdict("conv-lstm", films(LONGER=(0.1, 0.1, 1.6))) == said.verdict
    assert "had 3 times as many minibatches as the others" in said.text
    for other, kind in (
        ((0.7, 0.15, 0.15), "does not hold"),
        ((1.2, 0.15, 0.15), "does not hold"),
        ((0.2, 0.15, 0.2), "holds in part"),
        ((0.2, 1.2, 1.2), "undecided"),
    ):
        assert find("conv-lstm").sum_up(films(CONV=other)).kind == kind


def sizes():
    from rnn_helpers.nets import NextFrame

    return {
        name: sum(array.size for array in NextFrame(16, n_h, [0], kernel).params().values())
        for name, (n_h, kernel, _) in conv_lstm.NETWORKS.items()
    }


@pytest.mark.slow
def test_networks_that_are_compared_at_one_size_have_it():
    pytest.importorskip("torch")
    size = sizes()
    assert size[conv_lstm.SAME] == pytest.approx(size[conv_lstm.CONV], rel=0.1)
    assert size[conv_lstm.LARGE] > 30 * size[conv_lstm.CONV]


CONFIG = {"length": 4, "batch_size": 2, "films": 50, "steps": 1}


@pytest.mark.slow
def test_errors_are_shares_of_the_error_of_a_copy():
    class Copy:
        def outputs(self, params, x):
            return np.stack([x, 0 * x], axis=1)

    task = conv_lstm.TASKS[conv_lstm.FREE]
    copy, blank = conv_lstm.error((Copy(), None), task, CONFIG)
    assert copy == pytest.approx(1, rel=0.1)
    assert blank > copy


@pytest.mark.slow
def test_the_rate_is_chosen_on_training_digits_that_move_freely(monkeypatch):
    pytest.importorskip("torch")
    trained, asked = [], []

    class Told(conv_lstm.Films):
        def train(self, config, cell, settings, seeds):
            trained.append((cell, settings))
            return super().train(config, cell, settings, seeds)

    def error(made, task, config, held_out=True):
        asked.append((task == conv_lstm.TASKS[conv_lstm.FREE], held_out))
        settings = trained[-1][1]
        off = np.abs(np.log(settings) - np.log(0.01)) + 0.1
        return np.repeat(off, made[0].n_seeds // len(settings))

    monkeypatch.setattr(conv_lstm, "error", error)
    config = CONFIG | {
        "etas": [0.001, 0.003, 0.01, 0.03, 0.1],
        "first": 3,
        "choosing": 2,
        "networks": [conv_lstm.SAME, conv_lstm.LONGER],
    }
    rows = Told().run(config, [0, 1])
    free = [(name, conv_lstm.FREE) for name in config["networks"]]
    others = [(conv_lstm.SAME, conv_lstm.COLUMNS)]
    assert trained[:2] == [(cell, [0.003, 0.01, 0.03]) for cell in free]
    assert trained[2:] == [(cell, [0.01]) for cell in free + others]
    assert asked[:2] == [(True, False)] * 2
    assert {row["eta"] for row in rows} == {0.01}
    assert [len(row["errors"]) for row in rows] == [1] * 4 + [9] * 2
