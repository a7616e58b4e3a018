"""What is said of networks that run free follows from the rows."""

import numpy as np
import pytest
from verdicts import about, verdict

from rnn_helpers.claims.chapter_06 import free_run
from rnn_helpers.experiments import find


def penalty(ahead, scheduled, stopped, half=0.1):
    """Return the ratios of teacher forcing's error to the errors of three other methods."""
    return {
        "several steps ahead": about(ahead),
        "scheduled sampling": about(scheduled, half),
        "scheduled, no gradient through outputs": about(stopped),
    }


CASES = {
    "holds": {"grows": about(9), "penalty": penalty(9, 5, 3)},
    "holds in part": {"grows": about(9), "penalty": penalty(9, 5, 1)},
    "does not hold": {"grows": about(9), "penalty": penalty(9, 1, 1)},
    "undecided": {"grows": about(9), "penalty": penalty(9, 2, 1, half=1.5)},
}


def free_rows(far, one=0.001):
    """Return ten networks for each way, with these errors when running free."""
    errors = [0.001, 0.01]
    return [
        {
            "way": way,
            "seed": s,
            "eta": 0.01,
            "at_edge": False,
            "one_step": (one if way == free_run.FORCED else 0.002) * 1.01**s,
            "far": each * 1.01 ** (s * (1 if k else 2)),
            "steps": [1, 200],
            "errors": errors,
        }
        for k, (way, each) in enumerate(zip(free_run.WAYS, far, strict=True))
        for s in range(10)
    ]


def test_the_verdict_on_free_running_follows_from_the_errors():
    said = find("free-run").sum_up(free_rows((0.1, 0.01, 0.02, 0.2, 0.05)))
    assert said.verdict.startswith("Holds in part, if gradients pass through the outputs")
    assert said.value == pytest.approx(5, rel=0.1)
    errors, times = find("free-run").tabulate(free_rows((0.1, 0.01, 0.02, 0.2, 0.05))).values()
    assert errors[0]["training"] == "teacher forcing"
    assert times[1]["error of the other, fed the truth"].startswith("2 (")
    for far, one, kind in (
        ((0.1, 0.01, 0.02, 0.05, 0.05), 0.001, "Holds."),  # it helps without a gradient too
        ((0.1, 0.01, 0.2, 0.2, 0.05), 0.001, "Does not hold."),  # scheduled sampling doesn't help
        ((0.1, 0.2, 0.02, 0.2, 0.05), 0.001, "Does not hold."),  # nor does predicting ahead
        ((0.1, 0.01, 0.02, 0.2, 0.05), 0.2, "Does not hold."),  # running free costs nothing
    ):
        assert verdict("free-run", free_rows(far, one)).startswith(kind)


def test_the_truth_is_fed_in_turn_at_random_or_never():
    assert [free_run.truth(way, 0.35) for way in free_run.WAYS] == [1, 1, 0.5, 0.5, 0]
    assert free_run.truth(free_run.SCHEDULED, 0.9) == 0
    batch = None, np.zeros((40, 4, 3, 1)), np.zeros((40, 4, 3), bool)
    ((_, _, own),) = free_run._in_turn([batch])
    expected = np.repeat([False, True, False, True], 10)[:, None, None]
    np.testing.assert_array_equal(own, np.broadcast_to(expected, own.shape))
