"""The figure norms shows stored logs of training, and its texts state their numbers."""

import numpy as np
import pytest
from compare import status

from rnn_helpers.explore import manifest
from rnn_helpers.figures import constants, stored
from rnn_helpers.figures.norms.trained import make

pytestmark = pytest.mark.chapter("17")
META = manifest()["norms"]
NORMS = constants("norms")
LOGS = stored("norms")
FREE = {name: np.array(values) for name, values in LOGS["SGD"]["none"].items()}


@pytest.mark.parametrize("optimizer", NORMS.OPTIMIZERS)
@pytest.mark.parametrize("v", NORMS.THRESHOLDS)
@pytest.mark.parametrize("line", [0.05, 1])
def test_a_log_is_summed_up_as_numpy_does(math, optimizer, v, line):
    found = math("compute", {"optimizer": optimizer, "v": v, "line": line})
    norm = np.array(LOGS[optimizer][v]["norm"])
    assert found["median"] == pytest.approx(np.median(norm))
    assert found["above"] == (norm > line).sum()
    assert found["cut"] == (0 if v == "none" else (norm > float(v)).sum())
    assert (found["free"] is None) == (v == "none")


@pytest.mark.slow
def test_the_stored_logs_begin_as_the_package_trains():
    for optimizer, made in make(updates=10).items():
        for v, log in made.items():
            for name, values in log.items():
                np.testing.assert_allclose(values, LOGS[optimizer][v][name][:10], rtol=0.1)


def test_the_norm_jumps_one_update_before_the_loss():
    loss, norm = FREE["loss"], FREE["norm"]
    assert norm[160] == pytest.approx(1.7, abs=0.06)
    assert norm[160] > 50 * np.median(norm[:160])
    assert norm[100:160].max() < 0.5
    assert loss[159] < 0.01
    assert loss[161] == loss.max() == pytest.approx(5.55, abs=0.06)
    assert np.median(norm) == pytest.approx(0.03, abs=0.005)


def test_with_a_threshold_of_10_one_clipped_gradient_prevents_the_jump():
    log = {name: np.array(values) for name, values in LOGS["SGD"]["10"].items()}
    assert np.flatnonzero(log["norm"] > 10).tolist() == [1]
    assert log["norm"][100:].max() < 1
    assert log["loss"][100:].max() < 0.1
    assert META["prediction"]["answer"] == "it never comes"


def test_the_status_gives_the_median_and_the_count():
    norm = FREE["norm"]
    assert f"{(norm > 1).sum()} are longer than 1," in status("norms")
    assert f"the median is {np.median(norm):.3f}" in status("norms")
