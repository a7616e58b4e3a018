"""The mistakes that students make most often are recognized, however they are written.

Each answer here is written from scratch, not with the code of the named wrong answers.
"""

import numpy as np
import pytest

from rnn_helpers.checks import exercises

ALL = exercises()


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


def softmax(a, axis=-1):
    e = np.exp(a - a.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


# chapters 2 to 4 ----------------------------------------------------------------------------------


def each_step_from(delay):
    return lambda edges, T: [
        ((source, t - delay(d)), (target, t))
        for t in range(1, T + 1)
        for source, target, d in edges
    ]


def corrected(state, x):
    average, newest, older = state
    return (3 * average + x - older) / 3, x, newest


def with_the_start_everywhere(h0, h, g):
    return sum(np.outer((1 - h[t] ** 2) * g[t], h0) for t in range(len(h)))


def overwritten(h0, h, g):
    for before, now, back in zip([h0, *h], h, g, strict=False):
        total = np.outer((1 - now**2) * back, before)
    return total


def one_for_each_step(h0, h, g):
    states = [h0, *h]
    return [np.outer((1 - h[t] ** 2) * g[t], states[t]) for t in range(len(h))]


def through_time(scale=lambda y: y.size, state=1, matrix=lambda W: W, value=lambda h: h):
    """Return back-propagation through time, one step after another, with one part changed."""

    def backward(params, x, y, h, yhat):
        symbols = np.eye(len(params["c"]))
        grads = {name: np.zeros_like(array) for name, array in params.items()}
        later = 0
        for t in reversed(range(len(x))):
            grad_o = (yhat[t] - symbols[y[t]]) / scale(y)
            grad_a = (1 - value(h[t + state]) ** 2) * (grad_o @ params["V"] + later)
            later = grad_a @ matrix(params["W"])
            grads["V"] += grad_o.T @ h[t + 1]
            grads["W"] += grad_a.T @ h[t]
            grads["U"] += grad_a.T @ symbols[x[t]]
            grads["b"] += grad_a.sum(axis=0)
            grads["c"] += grad_o.sum(axis=0)
        return grads

    return backward


# chapter 5 ----------------------------------------------------------------------------------------


def without_the_maximum(search):
    def draw(o, temperature, u):
        with np.errstate(all="ignore"):
            p = np.exp(o / temperature)
            return search(p / p.sum(), u)

    return draw


def in_a_loop(p, u):
    total = 0
    for k, share in enumerate(p):
        total += share
        if u < total:
            return k
    return len(p) - 1


def while_below(p, u):
    k, total = 0, p[0]
    while total <= u and k < len(p) - 1:
        k += 1
        total += p[k]
    return k


SEARCHES = {
    "argmax": lambda p, u: int(np.argmax(np.cumsum(p) > u)),
    "a for loop": in_a_loop,
    "a while loop": while_below,
    "searchsorted, left": lambda p, u: int(np.searchsorted(np.cumsum(p), u, side="left")),
    "searchsorted, right": lambda p, u: int(np.searchsorted(np.cumsum(p), u, side="right")),
    "next": lambda p, u: next(k for k, total in enumerate(np.cumsum(p)) if total > u),
    "counting": lambda p, u: int((np.cumsum(p) <= u).sum()),
}


def without_a_sign(yhat, y, lengths):
    return sum(np.log2(yhat[t, k, y[t, k]]) for k, n in enumerate(lengths) for t in range(n))


def of_all_symbols(yhat, y, lengths):
    return sum(-np.log2(yhat[t, k]).sum() for k, n in enumerate(lengths) for t in range(n))


# chapters 8 and 10 --------------------------------------------------------------------------------


def captions(first=lambda h: h, start=0, fed=None, later=1):
    def caption(params, x, words):
        picture = params["R"] @ x if "R" in params else 0
        h = first(params["S"] @ x if "S" in params else np.zeros(len(params["b"])))
        symbols, written = np.eye(len(words)), []
        word = start * symbols[0]
        while len(written) < 20:
            h = np.tanh(params["b"] + params["W"] @ h + params["U"] @ word + picture)
            o = params["c"] + params["V"] @ h
            if o.argmax() == 0:
                break
            written.append(words[o.argmax()])
            word = fed(o) if fed else symbols[o.argmax()]
            picture = later * picture
        return written

    return caption


def looks(divide=lambda notes, h: 1, average=lambda w, notes: (w[..., None] * notes).sum(axis=0)):
    def look(Q, h, notes):
        scores = np.einsum("bc,mbc->mb", h @ Q.T, notes) / divide(notes, h)
        weights = softmax(scores, axis=0)
        return weights, average(weights, notes)

    return look


def on_and_on(log_p, end, width, at_most):
    kept = [(0.0, [])]
    for _ in range(at_most):
        longer = [(total + p, [*s, k]) for total, s in kept for k, p in enumerate(log_p(s))]
        kept = sorted(longer, key=lambda one: -one[0])[:width]
    return max(kept)[1]


def on_and_on_then_cut(log_p, end, width, at_most):
    sequence = on_and_on(log_p, end, width, at_most)
    return sequence[: (*sequence, end).index(end) + 1]


# chapters 11 to 15 --------------------------------------------------------------------------------


def two_paths(skip):
    def back(params, before, h, grad):
        z = np.tanh(params["b_z"] + params["T"] @ before)
        through = params["W"].T @ ((1 - h**2) * grad)
        return params["T"].T @ ((1 - z**2) * through) + skip(params["S"], before, h, grad)

    return back


def vector_of(params, tree, row=False):
    if not isinstance(tree, tuple):
        return params["V"][tree] if row else params["V"][:, tree]
    left = params["U"] @ vector_of(params, tree[0], row)
    right = params["W"] @ vector_of(params, tree[1], row)
    return np.tanh(left + right + params["b"])


def assigned_at_a_leaf(params, tree, grad):
    grads = {name: np.zeros_like(array) for name, array in params.items()}

    def down(tree, grad):
        if not isinstance(tree, tuple):
            grads["V"][:, tree] = grad
            return
        grad = (1 - vector_of(params, tree) ** 2) * grad
        grads["U"] += np.outer(grad, vector_of(params, tree[0]))
        grads["W"] += np.outer(grad, vector_of(params, tree[1]))
        grads["b"] += grad
        down(tree[0], params["U"].T @ grad)
        down(tree[1], params["W"].T @ grad)

    down(tree, grad)
    return grads


def settled_after(steps):
    def slope(w):
        h = 1.0
        for _ in range(steps):
            h = np.tanh(w * h)
        return w * (1 - h**2)

    return slope


def readout(first=0, times=1, shape=lambda V: V):
    def solve(states, y, penalty, washout):
        h, y = states[washout + first :], y[washout + first :]
        H, Y = h - h.mean(axis=0), y - y.mean(axis=0)
        V = np.linalg.solve(H.T @ H + times * penalty * np.eye(H.shape[1]), H.T @ Y).T
        return shape(V), y.mean(axis=0) - V @ h.mean(axis=0)

    return solve


def slowest_at(steps, at_0=False):
    def slowest(periods, onsets):
        ticks = [[p for p in periods if (s or at_0) and s % p == 0] for s in steps(onsets)]
        return np.mean([max(ticking, default=0) for ticking in ticks])

    return slowest


# chapters 16 to 18 --------------------------------------------------------------------------------


def lstm_step(cell=np.tanh, entering="cell", let_in="g"):
    def step(sums, s):
        s = sigmoid(sums["f"]) * s + sigmoid(sums[let_in]) * cell(sums[entering])
        return np.tanh(s) * sigmoid(sums["o"]), s

    return step


def gru(old=lambda r, h: r * h, swapped=False):
    def states(params, x):
        h, found = np.zeros(len(params["b"])), []
        for x_t in x:
            u, r = (
                sigmoid(params["b" + k] + params["U" + k] @ x_t + params["W" + k] @ h) for k in "ur"
            )
            u, r = (r, u) if swapped else (u, r)
            target = np.tanh(params["b"] + params["U"] @ x_t + params["W"] @ old(r, h))
            h = u * h + (1 - u) * target
            found.append(h)
        return np.array(found)

    return states


def recalled(norm, read=lambda weights, M: weights @ M):
    def recall(M, k, beta):
        return read(softmax(beta * (M / norm(M)) @ (k / np.linalg.norm(k))), M)

    return recall


def attends(by=lambda q: np.sqrt(q.shape[1]), scores=lambda q, k: q @ k.T, hidden=-np.inf, axis=1):
    def attend(q, k, v):
        s = np.where(np.tri(len(q)) > 0, scores(q, k) / by(q), hidden)
        with np.errstate(invalid="ignore"):
            return softmax(s, axis=axis) @ v

    return attend


NAMED = [
    ("01-states", "two units for each fact", (8, 1024, 20)),
    ("02-unfold", "every delay taken for 1", each_step_from(lambda d: 1)),
    ("02-unfold", "every delay above 0 taken for 1", each_step_from(lambda d: d > 0)),
    ("02-enlarge-state", "the old average corrected", corrected),
    ("03-read-and-predicted", "the end forgotten", lambda w: (["<s>", *w[:-1]], w)),
    ("03-read-and-predicted", "no end among the targets", lambda w: (["<s>", *w], w)),
    (
        "03-count-parameters",
        "a second vector for the hidden units",
        lambda n_x, n_h, n_y: n_h * n_x + n_h * n_h + n_y * n_h + n_h + n_y + n_h,
    ),
    (
        "04-grad-state",
        "slopes on both terms",
        lambda W, V, h, g_next, g_out: (W.T @ g_next + V.T @ g_out) * (1 - h * h),
    ),
    (
        "04-grad-state",
        "both terms through W",
        lambda W, V, h, g_next, g_out: ((V.T @ g_out + g_next) * (1 - h * h)) @ W,
    ),
    (
        "04-grad-state",
        "tanh of h",
        lambda W, V, h, g_next, g_out: (g_next / np.cosh(h) ** 2) @ W + g_out @ V,
    ),
    ("04-grad-h0", "tanh of h", lambda W, h, g: (g / np.cosh(h) ** 2) @ W),
    ("04-grad-W", "h(0) at every step", with_the_start_everywhere),
    ("04-grad-W", "only the last step", overwritten),
    ("04-grad-W", "only the first step", lambda *case: one_for_each_step(*case)[0]),
    ("04-grad-W", "a matrix for each step", one_for_each_step),
    ("04-grad-W", "tanh of h", lambda h0, h, g: (g / np.cosh(h) ** 2).T @ [h0, *h[:-1]]),
    ("04-net-backward", "a mean over the steps alone", through_time(scale=len)),
    (
        "04-net-backward",
        "a mean over the sequences alone",
        through_time(scale=lambda y: y.shape[1]),
    ),
    ("04-net-backward", "slopes of h(t-1)", through_time(state=0)),
    ("04-net-backward", "W transposed", through_time(matrix=np.transpose)),
    ("04-net-backward", "tanh of h", through_time(value=np.tanh)),
    ("05-masked", "the sign forgotten", without_a_sign),
    ("05-masked", "all symbols", of_all_symbols),
    ("08-caption", "a tanh on the first state", captions(first=np.tanh)),
    ("08-caption", "the end as the first input", captions(start=1)),
    ("08-caption", "probabilities fed back", captions(fed=softmax)),
    ("08-caption", "the picture at the first step alone", captions(later=0)),
    ("10-look", "divided as in a Transformer", looks(lambda notes, h: notes.shape[-1] ** 0.5)),
    (
        "10-look",
        "divided by the root of the state's size",
        looks(lambda notes, h: h.shape[-1] ** 0.5),
    ),
    (
        "10-look",
        "context divided by the number of annotations",
        looks(average=lambda w, notes: (w[..., None] * notes).mean(axis=0)),
    ),
    ("10-look", "a plain mean", looks(average=lambda w, notes: notes.mean(axis=0))),
    ("10-look", "context not summed", looks(average=lambda w, notes: w[..., None] * notes)),
    ("10-beam", "finished sequences go on", on_and_on),
    ("10-beam", "cut at the end", on_and_on_then_cut),
    (
        "11-back",
        "no slope on the skip connection",
        two_paths(lambda S, before, h, grad: S.T @ grad),
    ),
    (
        "11-back",
        "slope after S",
        two_paths(lambda S, before, h, grad: (1 - h**2) * (S.T @ grad)),
    ),
    (
        "11-back",
        "slope of the earlier state",
        two_paths(lambda S, before, h, grad: (1 - before**2) * (S.T @ grad)),
    ),
    ("12-forward", "a row of V", lambda params, tree: vector_of(params, tree, row=True)),
    ("12-backward", "only the last occurrence of a token", assigned_at_a_leaf),
    (
        "13-default-radius",
        "not a whole number",
        lambda share: np.log(1 / share) / np.log(np.sqrt(3)),
    ),
    (
        "13-default-radius",
        "the nearest whole number",
        lambda share: int(np.rint(-2 * np.log(share) / np.log(3))),
    ),
    ("13-attractor", "too few iterations", settled_after(10)),
    ("14-readout", "no penalty", readout(times=0)),
    ("14-readout", "twice the penalty", readout(times=2)),
    ("14-readout", "one step too many left out", readout(first=1)),
    ("14-readout", "V transposed", readout(shape=np.transpose)),
    (
        "14-backward",
        "the radius alone",
        lambda J, g, v, delta, n: delta * max(abs(np.linalg.eigvals(J))) ** n,
    ),
    ("14-chance", "exchanged", (10, 0.1)),
    ("14-slopes", "exchanged", (0.577, 0.667)),
    ("14-start", "without a sign", (11.09, 0.955)),
    ("15-slowest", "the last onset left out", slowest_at(range)),
    ("15-slowest", "one onset too few", slowest_at(lambda onsets: range(1, onsets))),
    (
        "15-slowest",
        "one onset too many",
        slowest_at(lambda onsets: range(onsets + 1), at_0=True),
    ),
    ("16-step", "no tanh on the cell input", lstm_step(cell=lambda a: a)),
    ("16-step", "the names of PyTorch", lstm_step(entering="g", let_in="cell")),
    ("16-gru", "reset ignored", gru(old=lambda r, h: h)),
    ("16-gru", "the reset gate the other way round", gru(old=lambda r, h: (1 - r) * h)),
    ("16-gru", "the gates exchanged", gru(swapped=True)),
    (
        "17-pytorch",
        "the clipped norms",
        lambda norms, v: np.minimum(norms, norms * v / (norms + 1e-6)),
    ),
    ("17-newton", "not a whole number", lambda tau: -np.log(2) / np.log1p(-1 / (tau - 1))),
    ("17-newton", "tau ln 2", lambda tau: -int(-tau * np.log(2) // 1)),
    ("18-recall", "one norm for all cells", recalled(np.linalg.norm)),
    (
        "18-recall",
        "the lengths of the columns",
        recalled(lambda M: np.linalg.norm(M, axis=0)),
    ),
    (
        "18-recall",
        "the weights",
        recalled(lambda M: np.linalg.norm(M, axis=1, keepdims=True), lambda weights, M: weights),
    ),
    ("18-attend", "divided by d", attends(by=lambda q: q.shape[1])),
    ("18-attend", "divided by the root of T", attends(by=lambda q: np.sqrt(len(q)))),
    ("18-attend", "queries and keys exchanged", attends(scores=lambda q, k: k @ q.T)),
    ("18-attend", "softmax over the queries", attends(axis=0)),
    ("18-attend", "a score of 0 for later steps", attends(hidden=0)),
]


@pytest.mark.parametrize(("name", "mistake", "answer"), NAMED)
def test_a_typical_mistake_is_recognized(name, mistake, answer):
    assert ALL[name].grade(answer).recognised == mistake


@pytest.mark.parametrize("search", SEARCHES)
def test_an_overflow_is_recognized_however_the_piece_is_found(search):
    message = ALL["05-draw"].grade(without_the_maximum(SEARCHES[search])).message
    assert message.startswith("Hint: What is exp(1000)?")


@pytest.mark.parametrize("steps", [20, 50])
def test_an_unsettled_state_is_recognized_after_any_number_of_steps(steps):
    message = ALL["13-attractor"].grade(settled_after(steps)).message
    assert "Does your h still change" in message


@pytest.mark.parametrize(
    "average",
    [lambda w, notes: notes[-1], lambda w, notes: notes.max(axis=0)],
)
def test_right_weights_with_a_wrong_context_get_a_hint(average):
    message = ALL["10-look"].grade(looks(average=average)).message
    assert message.startswith("Hint: Your weights are right.")
    assert message.endswith("Right in all cases: item 0.")


def test_the_gradients_that_are_right_are_named():
    def doubled(*case):
        grads = through_time()(*case)
        return grads | {"b": 2 * grads["b"]}

    assert ALL["04-net-backward"].grade(through_time())
    message = ALL["04-net-backward"].grade(doubled).message
    assert message.endswith("Right in all cases: 'U', 'W', 'V' and 'c'.")
