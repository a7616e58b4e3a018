"""The claim on copying has the right verdict for several outcomes of its runs."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_18 import copy_longer
from rnn_helpers.experiments import find

CASES = {
    "holds": {"rate": about(0.4), "lstm_near": about(0.7), "lstms": about(0.1)},
    "holds in part": {"rate": about(0.4), "lstm_near": about(0.99), "lstms": about(0.1)},
    "does not hold": {"rate": about(0.4), "lstm_near": about(0.99), "lstms": about(0.8)},
    "undecided": {"rate": about(0.1), "lstm_near": about(0.99), "lstms": about(0.1)},
}


def copied_rows(found=8, near=0.99, far=0.5, last=0.99, follows=0.98):
    """Rows of ten networks a method, of which `found` machines go on; LSTMs have `far` right."""
    rows = []
    for seed in range(10):
        goes_on = seed < found
        heads = {
            "moves": 1.0 if goes_on else 0.4,
            "largest": 0.99 if goes_on else 0.1,
            "follows": follows if goes_on else 0.9,
        }
        shares = {8: 1.0, 16: 1.0, 32: last} if goes_on else {8: 0.99, 16: 0.7, 32: 0.6}
        networks = {
            "machine": (shares, heads),
            "LSTM": ({8: near, 16: 0.7, 32: far}, dict.fromkeys(heads)),
        }
        rows += [
            {"method": method, "length": length, "seed": seed, "right": right, **said}
            | {"trained_to": 8, "eta": 0.01, "at_edge": False}
            for method, (shares, said) in networks.items()
            for length, right in shares.items()
        ]
    return rows


def test_machines_that_find_the_rule_copy_longer_sequences():
    some = find("copy-longer").sum_up(copied_rows())
    assert some.verdict.startswith("Holds in part, if sequences are longer than in training. ")
    assert "8 of 10 networks with an explicit memory copy 32 vectors, and none of" in some.finding
    assert "8 of 10 copy 16 vectors, and the others get at most 60% of the bits of 32" in some.text
    assert some.value == 0.8
    all_of_them = verdict("copy-longer", copied_rows(found=10))
    assert all_of_them.startswith("Holds in part, if sequences are longer than in training. ")


def test_heads_are_described_only_if_they_differ_between_kinds():
    apart = find("copy-longer").sum_up(copied_rows()).text
    assert "follows it, at 98% or more of the steps." in apart
    assert "one of the two happens at 40.0% or less of the steps" in apart
    for rows in (copied_rows(follows=0.4), copied_rows(found=10), copied_rows(found=0)):
        assert "The heads of the two kinds" not in find("copy-longer").sum_up(rows).text


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"found": 0}, "Undecided."),
        ({"found": 2}, "Undecided."),
        ({"last": 0.98}, "Undecided."),
        ({"far": 0.981}, "Does not hold."),
        ({"found": 0, "far": 0.981}, "Does not hold."),
        ({"near": 0.89}, "Holds."),
        ({"near": 0.9}, "Holds in part, if sequences are longer than in training."),
    ],
)
def test_what_an_lstm_can_do_decides(changed, expected):
    assert verdict("copy-longer", copied_rows(**changed)).startswith(expected)


def test_the_figure_counts_the_networks_that_copy():
    (panel,) = copy_longer._over_lengths(copied_rows(found=8)).panels
    counts = {line["label"]: line["points"][-1]["count"] for line in panel["lines"]}
    assert counts == {"machine": (8, 10), "LSTM": (0, 10)}


def test_heads_that_move_on_and_follow_are_distinguished_from_others():
    torch = pytest.importorskip("torch")
    from rnn_helpers.nets.machine import Machine, Steps

    at = {"written": [[3, 4, 0, 1, 1], [0, 0, 2, 2, 4]], "read": [[3, 4, 3, 4, 0], [1, 1, 1, 1, 1]]}
    cells = {name: torch.eye(5)[torch.tensor(one).T][:, :, None] for name, one in at.items()}

    class Made(Machine):
        def does(self, params, x):
            return Steps(None, cells["written"].numpy(), cells["read"].numpy(), None)

    one, other = copy_longer._heads(Made(5, 2, 4, [0, 1], 5, 2), {}, [np.zeros((5, 2, 1, 5))], 2, 1)
    assert one == {"moves": 1.0, "largest": 1.0, "follows": 1.0}
    assert other == {"moves": 0.0, "largest": 1.0, "follows": 0.0}
