"""Numbers in the prose are those that the package, a figure or the stored rows give."""

import numpy as np
import pytest
from books import told

from rnn_helpers.experiments import find, load
from rnn_helpers.experiments.claims.chapter_05.greedy_loops import cycle
from rnn_helpers.experiments.words import where
from rnn_helpers.explore.figures import sampler
from rnn_helpers.explore.trained import stored
from rnn_helpers.reference import (
    cliff_gradient,
    cliff_loss,
    direction_changes,
    hidden_state,
    init_reservoir,
    output,
    reservoir_states,
    ridge_readout,
    times,
)
from rnn_helpers.tasks import narma10, normalised_error

N = r"([−\d.]+\d)"
INTERVAL = rf"{N}\D* \({N} to {N}\)"


def numbers(slug):
    return find(slug).numbers(load(slug).rows)


@pytest.mark.chapter("05")
def test_the_plain_network_goes_round_four_characters_after_its_prompt():
    assert told("05", "exp-greedy-text", r"Given `# `, the plain.*goes round four characters") == []
    assert cycle(np.array(sampler.write("rnn", "# ", 0, 0, 300).tokens))[0] == 4


@pytest.mark.chapter("05")
def test_all_twelve_networks_learn_beyond_their_block_at_the_rate_that_is_named():
    (row,) = where(
        load("truncated-gradient").rows, net="orthogonal", delay=3, block=2, carried=True
    )
    assert told("05", "predict-beyond", rf"learning rate, {N},") == [row["eta"]]
    assert (row["successes"], row["of"]) == (12, 12)


@pytest.mark.chapter("06")
def test_both_runs_of_the_drift_are_given():
    both = told("06", "read-own-words", rf"grew by {INTERVAL}.*grew by {INTERVAL}")
    given = numbers("own-words")
    assert both == pytest.approx([*given["drift"], *given["again"]], abs=0.005)


@pytest.mark.chapter("06")
def test_the_gain_of_several_steps_ahead_comes_with_its_interval():
    gain = told("06", "read-free-run", r"steps (\d+) times smaller .* between (\d+) and (\d+)")
    given = numbers("free-run")["penalty"]["several steps ahead"]
    assert gain == [round(end) for end in given]


@pytest.mark.chapter("10")
def test_both_runs_of_the_beam_are_given():
    both = told("10", "read-wider-beam", rf"it was {INTERVAL}, and {INTERVAL}")
    given = numbers("wider-beam")
    expected = [100 * end for end in (*given["gained"], *given["again"])]
    assert both == pytest.approx(expected, abs=0.051)


@pytest.mark.chapter("12")
def test_the_figures_one_network_is_told_apart_from_the_mean_of_ten():
    one = stored("value")["measured"]["parse"]
    rows = where(load("trees-on-expressions").rows, kind="along the brackets")
    mean = {k: np.mean([row["right"] for row in where(rows, nesting=k)]) for k in (4, 6)}
    pattern = r"(\d+) of 100 four deep, (\d+) six deep. \(The one network .* has (\d+) and (\d+)"
    expected = [mean[4], mean[6], one[3], one[5]]
    assert told("12", "end-of-who-draws", pattern) == [round(100 * share) for share in expected]


@pytest.mark.chapter("13")
def test_a_line_is_folded_as_often_as_the_text_counts():
    chance, n = np.random.RandomState(4), 100
    W = chance.standard_normal((n, n))  # gain 10 over the root of 100
    base, direction, seen = (chance.standard_normal(n) for _ in range(3))
    x = np.linspace(-60, 60, 2**14 + 1)[:, None]
    h, turns = base + x * direction / np.linalg.norm(direction), []
    for _ in range(5):
        h = hidden_state(times(W, h))
        turns.append(direction_changes(h @ seen))
    few, many = r"(\d+) turns after one layer, then (\d+), (\d+)", r"about (\d+), and about (\d+)"
    assert told("13", "read-compose", few) == turns[:3]
    assert told("13", "read-compose", many) == pytest.approx(turns[3:], rel=0.05)


def _odd(centred, bias, seed):
    """Return the error of a reservoir on NARMA-10, as the exercise measures it."""
    rng = np.random.default_rng(seed)
    x, y = narma10(3200, seed)
    params = init_reservoir(1, 200, rng)
    params["b"] = bias * rng.uniform(-1, 1, 200)
    h = reservoir_states(params, x - centred * x.mean())
    readout = ridge_readout(h[:2200], y[:2200], 1e-6, 200)
    return normalised_error(y[2200:], output(**readout, h=h[2200:]))


@pytest.mark.slow
@pytest.mark.chapter("14")
def test_an_odd_reservoir_is_measured_at_the_scale_that_is_named():
    pattern = r"error of (0\.\d+) with the inputs as drawn, (0\.\d+) .*, and (0\.\d+) with centred"
    errors = [
        np.mean([_odd(*kind, seed) for seed in range(10)]) for kind in ((0, 0), (1, 0), (1, 1))
    ]
    assert told("14", "sol-odd", pattern) == pytest.approx(errors, abs=0.0051)
    assert told("14", "sol-odd", r"radius of (0\.9) and an input scale of (1),") == [0.9, 1]


@pytest.mark.chapter("15")
def test_networks_whose_gradient_grows_inside_the_border_are_counted():
    rows = where(load("skip-decay").rows, n_h=50, radius=0.7, radius_skip=0.7, d=5)
    growing = sum(row["factor"] > 1 for row in rows)
    assert told("15", "read-skip", r"grew in (\d+) networks of twenty") == [growing]
    assert len(rows) == 20


@pytest.mark.chapter("16")
def test_digits_right_by_forget_bias_are_those_of_the_rows():
    rows = where(load("sequential-digits").rows, read="pixels")
    means = [
        np.mean([row["accuracy"] for row in where(rows, network=f"LSTM, bias {bias}")])
        for bias in (5, 1)
    ]
    pattern = rf"gets {N} of the digits right, and a bias of 1 gets {N}\."
    assert told("16", "read-digits", pattern) == pytest.approx(means, abs=0.005)


@pytest.mark.chapter("17")
def test_the_descent_stands_on_the_wall_when_it_is_thrown():
    at = np.array([4.9, -1.6])
    for _ in range(33):
        at = at - 0.5 * np.array(cliff_gradient(*at, 50))
    gradient = np.array(cliff_gradient(*at, 50))
    length = np.linalg.norm(gradient)
    (given,) = told("17", "orientation", rf"stand on the wall, where the gradient is {N} long")
    assert length == pytest.approx(given, abs=0.05)
    down, up = (cliff_loss(*(at + step * gradient / length), 50) for step in (-0.02, 0.1))
    assert down < 0.01 < cliff_loss(*at, 50) < up
