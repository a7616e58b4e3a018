"""Wrong answers that are right in nearly every case: each check has a case that refuses them."""

import numpy as np
import pytest

from rnn_helpers.checks import exercises

ALL = exercises()


def trained_in_place(params, x, y, T, steps, eta, longest):
    trained = ALL["04-net-train"].solution(params, x, y, T, steps, eta, longest)
    for name in params:
        params[name] -= params[name] - trained[name]
    return params


def trained_in_a_shallow_copy(params, *case):
    return trained_in_place(dict(params), *case)


def frees_places(log_p, end, width, at_most):
    kept, finished = [(0.0, [])], []
    for _ in range(at_most):
        longer = [(a + b, [*s, k]) for a, s in kept for k, b in enumerate(log_p(s))]
        longer = sorted(longer, reverse=True)[:width]
        finished += [one for one in longer if one[1][-1] == end]
        kept = [one for one in longer if one[1][-1] != end]
    return max(finished + kept)[1]


def masked_with(score):
    def attend(q, k, v):
        scores = np.where(np.tri(len(q)) > 0, q @ k.T / np.sqrt(q.shape[1]), score)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True) @ v

    return attend


def mask_times_logarithm(yhat, y, lengths):
    p = np.take_along_axis(yhat, y[..., None], axis=-1)[..., 0]
    with np.errstate(all="ignore"):
        return (-np.log2(p) * (np.arange(len(y))[:, None] < lengths)).sum()


def drawn_after_subtracting(shift):
    def draw(o, temperature, u):
        with np.errstate(all="ignore"):
            p = np.exp((o - shift(o)) / temperature)
            return int(np.searchsorted(np.cumsum(p / p.sum()), u, side="right"))

    return draw


def rounded_up(states, x, k):
    wanted, states = x[: len(x) - k], states[k:]
    half = (len(wanted) + 1) // 2
    H = np.column_stack([states, np.ones(len(states))])
    weights = np.linalg.lstsq(H[:half], wanted[:half], rcond=None)[0]
    return np.corrcoef(H[half:] @ weights, wanted[half:])[0, 1] ** 2


def positive_bias(*case):
    V, c = ALL["14-readout"].solution(*case)
    return V, abs(c)


@pytest.mark.parametrize(
    ("name", "answer", "leads"),
    [
        ("04-net-train", trained_in_place, "your function changes `params`"),
        ("04-net-train", trained_in_a_shallow_copy, "your function changes `params`"),
        ("10-beam", frees_places, "sets a sequence aside as soon as it has ended"),
        *[
            ("18-attend", masked_with(score), "Your mask is a finite score")
            for score in (-30, -999)
        ],
        ("05-masked", mask_times_logarithm, "a probability of 0"),
        *[
            ("05-draw", drawn_after_subtracting(shift), "Which number do you subtract")
            for shift in (np.min, np.mean, np.median, lambda o: o[0])
        ],
        ("14-capacity", rounded_up, "the number of pairs is odd"),
        ("14-readout", positive_bias, "Your bias is never negative"),
        ("06-future", True, "in the form that the exercise asks for"),
    ],
)
def test_an_answer_that_is_rarely_wrong_is_refused(name, answer, leads):
    outcome = ALL[name].grade(answer)
    assert not outcome
    assert leads in outcome.message


def test_a_mask_far_below_every_score_is_as_good_as_minus_infinity():
    assert ALL["18-attend"].grade(masked_with(-1e9))


def test_a_loop_over_time_is_not_praised_for_a_single_product():
    def looped(params, x, y):
        outputs, fed = [], np.zeros(len(params["c"]))
        for x_t, y_t in zip(x, y, strict=True):
            h = np.tanh(params["b"] + params["R"] @ fed + params["U"] @ x_t)
            outputs.append(params["c"] + params["V"] @ h)
            fed = np.eye(len(fed))[y_t]
        return np.array(outputs)

    assert "can compute all steps" in ALL["06-forced"].grade(looped).message
