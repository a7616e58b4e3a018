"""The exercises of chapter 11, Deep recurrent networks."""

import numpy as np

from rnn_helpers.checks.core import Wrong, checklist, exercise


def _sizes() -> list[tuple]:
    designs = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 2), (1, 1, 1)]
    return [
        (n_x, n_h, n_y, *boxes) for n_x, n_h, n_y in [(2, 3, 4), (5, 7, 2)] for boxes in designs
    ]


def _counts(matrices=True, biases=True, bias_of=1, entry=True, loops=True):
    def weights(n_x, n_h, n_y, read, between, spoken):
        hidden = read + between + spoken
        plain = n_h * n_x + loops * n_h * n_h + n_h + n_y * n_h + n_y
        first = n_h * n_x if read and not entry else n_h * n_h
        if not read:
            first = 0
        others = (hidden - (read > 0)) * n_h * n_h
        return plain + matrices * (first + others) + biases * hidden * n_h * bias_of

    return weights


@exercise(
    "11-weights",
    cases=_sizes,
    hint="Begin with none of the layers: U, W, V and the two biases. What does one more layer of "
    "n_h units add, if what comes in has n_h numbers too?",
    wrong={
        "no biases": Wrong(
            _counts(biases=False), "A hidden layer has more parameters than its matrix."
        ),
        "no matrices": Wrong(
            _counts(matrices=False), "A hidden layer has more parameters than its bias."
        ),
        "two of n_x": Wrong(
            _counts(entry=False),
            "Put one hidden layer between the input and the state. How many numbers does U read "
            "now?",
        ),
        "no loop": Wrong(_counts(loops=False), "From one state to the next there is a matrix."),
    },
)
def weights(n_x, n_h, n_y, read, between, spoken):
    """Count the parameters of a network that is deep in any of its boxes."""
    return _counts()(n_x, n_h, n_y, read, between, spoken)


def _ways() -> list[tuple]:
    return [
        (states, between, skip, k)
        for states in (1, 2, 4)
        for between, skip in [(0, False), (1, False), (3, False), (1, True), (3, True)]
        for k in (0, 1, 6)
    ]


def _shortest(floors_once=True, skips=True, layers=True, ends=2, extra=1):
    def arrows(states, between, skip, k):
        each = 1 if (skip and skips) else extra + between * layers
        climbs = (states - 1) * (1 if floors_once else k)
        return ends + climbs + k * each

    return arrows


@exercise(
    "11-arrows",
    cases=_ways,
    hint="One state and no hidden layer: one arrow in, one for each step, one out. Then change "
    "one thing at a time, and ask whether the shortest way meets it once or at every step.",
    wrong={
        "every floor at every step": Wrong(
            _shortest(floors_once=False),
            "How often does the shortest way climb from one state to the one above it?",
        ),
        "the skip is not taken": Wrong(
            _shortest(skips=False), "A connection leads past the hidden layers. Take it."
        ),
        "no hidden layers": Wrong(
            _shortest(layers=False), "Hidden layers between states lie on the way, at every step."
        ),
        "states alone": Wrong(
            _shortest(ends=0), "The way begins at an input and ends at an output."
        ),
        "one arrow too few": Wrong(
            _shortest(extra=0),
            "Through one hidden layer there are two arrows from a state to the next.",
        ),
    },
)
def arrows(states, between, skip, k):
    """Count the arrows of the shortest way from an input to the output k steps later."""
    return _shortest()(states, between, skip, k)


@exercise(
    "11-ways",
    hint="At each of the ten steps the way takes either one arrow or two. How many of the steps "
    "must take two, if twelve arrows are to be counted in all?",
    wrong={
        "all ways": Wrong(1024, "Those are all ways from the first state to the last."),
        "ordered": Wrong(
            90, "Two steps at which it takes the longer way: does it matter which you name first?"
        ),
        "one step": Wrong(10, "With one step through the hidden layer there are eleven arrows."),
        "twelve places": Wrong(66, "There are ten steps, and it is steps that are chosen."),
    },
)
def ways():
    """Count the ways of twelve arrows over ten steps."""
    return 45


def _stacks() -> list[tuple]:
    cases = []
    for seed, floors in enumerate((1, 2, 3), start=110):
        rng = np.random.default_rng(seed)
        params, below = [], 2
        for _ in range(floors):
            shapes = {"U": (3, below), "W": (3, 3), "b": (3,)}
            params.append({name: rng.normal(size=shape) for name, shape in shapes.items()})
            below = 3
        cases.append((params, rng.normal(size=(4, 2))))
    return cases


def _stacked(late=False, bottom=False, shared=False, bias=True):
    def stack(params, x):
        states = [np.zeros(3) for _ in params]
        top = []
        for value in x:
            before = list(states)
            below = value
            for k, floor in enumerate(params):
                W = params[0]["W"] if shared else floor["W"]
                states[k] = np.tanh(bias * floor["b"] + W @ before[k] + floor["U"] @ below)
                below = before[k] if late else states[k]
            top.append(states[0 if bottom else -1])
        return np.array(top)

    return stack


@exercise(
    "11-stack",
    cases=_stacks,
    hint="Run one floor over the whole sequence, and you have a sequence of states. What does the "
    "floor above read?",
    wrong={
        "one step late": Wrong(
            _stacked(late=True),
            "The first floor is right. Does the second read what the first says now, or what it "
            "said a step ago?",
        ),
        "the lowest floor": Wrong(
            _stacked(bottom=True), "Of which floor are the states asked for?"
        ),
        "one loop for all": Wrong(_stacked(shared=True), "Each floor has a loop of its own."),
        "no bias": Wrong(_stacked(bias=False), "One parameter has no influence on your answer."),
    },
)
def stack(params, x):
    """Give the states of the topmost floor at every step."""
    return _stacked()(params, x)


def _steps() -> list[tuple]:
    cases = []
    for seed in (115, 116):
        rng = np.random.default_rng(seed)
        params = {name: rng.normal(size=(3, 3)) for name in "TWS"} | {"t": rng.normal(size=3)}
        before = rng.normal(size=3)
        h = np.tanh(params["W"] @ np.tanh(params["t"] + params["T"] @ before) + before)
        cases.append((params, before, h, rng.normal(size=3)))
    return cases


def _backs(slope=True, inner=True, skip=True, hidden=True, transposed=True):
    def back(params, before, h, grad):
        T, W, S = (params[name].T if transposed else params[name] for name in "TWS")
        grad_a = (1 - h**2) * grad if slope else grad
        inside = np.tanh(params["t"] + params["T"] @ before)
        grad_t = W @ grad_a
        grad_t = (1 - inside**2) * grad_t if inner else grad_t
        return hidden * (T @ grad_t) + skip * (S @ grad_a)

    return back


@exercise(
    "11-back",
    cases=_steps,
    hint="Two ways lead from the state before to this one, so two gradients arrive, and are added. "
    "Both begin behind the same tanh.",
    wrong={
        "no way around": Wrong(
            _backs(skip=False), "Along which of the two ways has nothing come back yet?"
        ),
        "the way around alone": Wrong(
            _backs(hidden=False), "The hidden layer passes something back as well."
        ),
        "no slope at the state": Wrong(
            _backs(slope=False), "By what does a gradient change when it goes back through tanh?"
        ),
        "no slope in the hidden layer": Wrong(
            _backs(inner=False), "There are two tanh on the way through the hidden layer."
        ),
        "not transposed": Wrong(
            _backs(transposed=False),
            "The way there multiplies by W. By what is the gradient multiplied on the way back?",
        ),
    },
)
def back(params, before, h, grad):
    """Give the gradient on a state from that on the next one."""
    return _backs()(params, before, h, grad)


checklist(
    "11-linear",
    {
        "A layer without a nonlinearity is an affine map, and two affine maps in a row are one: "
        "A x + a, then U of that, is U A x + (U a).": "What does U compute of A x + a?",
        "So the network is a shallow one whose input matrix is U A, whose loop is W T, and whose "
        "output matrix is V Q, with biases that gather what is constant.": (
            "Which three matrices does a shallow network have, and what stands in their place?"
        ),
        "It can do no more than a shallow network; with hidden layers of fewer units than the "
        "state it can do less, for the rank of a product is at most that of its factors.": (
            "Can every matrix be written as such a product, if the layer in between is narrow?"
        ),
    },
)
