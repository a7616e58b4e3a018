"""The exercises of chapter 11, Deep recurrent networks."""

import numpy as np

from rnn_helpers.checks.core import WAVE, Wrong, checklist, exercise, lines


@exercise(
    "11-exactly",
    hint="Add the outputs of the two pairs in which exactly one unit is set, and then those of the "
    "other two pairs. How do the sums compare?",
    success="Whatever its weights, an affine map gives mixed and equal pairs the same sum of "
    "outputs. So no training teaches it XOR.",
    wrong={
        "all": Wrong(
            4,
            "For each function, compare two sums: the outputs of the mixed pairs and those of the "
            "equal pairs. Can one be positive and the other negative?",
        ),
        "one left out": Wrong(
            3, "Suppose an output computes “both are equal”. What does its negative compute?"
        ),
        "one": Wrong(1, "Give both units the weight 1. What do the offsets 1 and −1 compute?"),
        "none": Wrong(
            0, "Give both units the weight 1. For which pairs is −1 + first + second positive?"
        ),
    },
)
def exactly():
    """Return how many of the four functions an affine output can compute."""
    return 2


def _sizes() -> list[tuple]:
    designs = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 2), (1, 1, 1)]
    return [
        (n_x, n_h, n_y, *layers) for n_x, n_h, n_y in [(2, 3, 4), (5, 7, 2)] for layers in designs
    ]


def _counts(matrices=True, biases=True, bias_of=1, entry=True, loops=True):
    def weights(n_x, n_h, n_y, after_input, between, before_output):
        hidden = after_input + between + before_output
        shallow = n_h * n_x + loops * n_h * n_h + n_h + n_y * n_h + n_y
        first = n_h * n_x if after_input and not entry else n_h * n_h
        if not after_input:
            first = 0
        others = (hidden - (after_input > 0)) * n_h * n_h
        return shallow + matrices * (first + others) + biases * hidden * n_h * bias_of

    return weights


@exercise(
    "11-weights",
    cases=_sizes,
    hint="Start without hidden layers: U, W, V and the two biases. Then add one layer of n_h "
    "units: which parameters are new?",
    success="Every hidden layer adds n_h^2 + n_h parameters, wherever it goes. So networks that "
    "are deep in different places can be compared at equal size.",
    wrong={
        "no biases": Wrong(
            _counts(biases=False),
            "You count a matrix for each hidden layer. Which other parameters does the layer have?",
        ),
        "no matrices": Wrong(
            _counts(matrices=False),
            "You count a bias for each hidden layer. Which other parameters does the layer have?",
        ),
        "two of n_x": Wrong(
            _counts(entry=False),
            "Put one hidden layer between the input and the state. How many numbers does U take "
            "as input now?",
        ),
        "no loop": Wrong(_counts(loops=False), "Which matrix leads from one state to the next?"),
    },
)
def weights(n_x, n_h, n_y, after_input, between, before_output):
    """Count the parameters of a network with hidden layers in up to three places."""
    return _counts()(n_x, n_h, n_y, after_input, between, before_output)


def _designs() -> list[tuple]:
    return [
        (states, between, skip, k)
        for states in (1, 2, 4)
        for between, skip in [(0, False), (1, False), (3, False), (1, True), (3, True)]
        for k in (0, 1, 6)
    ]


def _shortest(climbs_once=True, skips=True, layers=True, ends=2, extra=1):
    def arrows(states, between, skip, k):
        each = 1 if (skip and skips) else extra + between * layers
        climbs = (states - 1) * (1 if climbs_once else k)
        return ends + climbs + k * each

    return arrows


@exercise(
    "11-arrows",
    cases=_designs,
    hint="Start with one state and no hidden layer: one arrow in, one per step, one out. Then "
    "change one thing at a time.",
    success="Another layer of a stack lengthens the path once, but layers between states "
    "lengthen it at every step. A skip connection undoes that.",
    wrong={
        "every layer at every step": Wrong(
            _shortest(climbs_once=False),
            "How often must the shortest path climb from one layer to the one above it?",
        ),
        "without the skip connection": Wrong(
            _shortest(skips=False), "Does your path have to pass through the hidden layers?"
        ),
        "no hidden layers": Wrong(
            _shortest(layers=False),
            "Without a skip connection, what does the path pass through at each step?",
        ),
        "from state to state": Wrong(
            _shortest(ends=0), "Where does the path start, and where does it end?"
        ),
        "one arrow too few": Wrong(
            _shortest(extra=0),
            "With one hidden layer in the loop, how many arrows lead from a state to the next?",
        ),
    },
)
def arrows(states, between, skip, k):
    """Count the arrows on the shortest path from an input to the output k steps later."""
    return _shortest()(states, between, skip, k)


def _left(*factors):
    return tuple(factor**10 for factor in factors)


@exercise(
    "11-left",
    hint="By what does one step multiply the gradient? Add the factors of its two paths.",
    success="Ten small losses are a large one, and so are ten small gains. A connection around the "
    "layer moves the factor toward 1 or above it.",
    tolerance=0.01,
    wrong={
        "one step": Wrong((0.95, 1.25), "Those are the factors of one step. And ten steps?"),
        "ten times the factor": Wrong(
            (9.5, 12.5), "Do ten steps add their factors or multiply them?"
        ),
        "one weight of the layer": Wrong(
            _left(1.2, 1.5), "How many weights are on the path through the layer?"
        ),
        "weights added": Wrong(
            _left(1.7, 2), "Are the two weights on one path added or multiplied?"
        ),
        "paths multiplied": Wrong(
            _left(0.175, 0.25), "Two paths lead side by side. Are their factors multiplied?"
        ),
        "paths taken apart": Wrong(
            (0.25**10 + 0.7**10, 0.25**10 + 1),
            "A path may take the layer at one step and the connection at another. Where do these "
            "paths appear in your sum?",
        ),
    },
)
def left():
    """Return what ten steps leave with a skip connection, and with a residual connection."""
    return _left(0.5 * 0.5 + 0.7, 0.5 * 0.5 + 1)


@exercise(
    "11-ways",
    hint="At each of the ten steps the path takes one arrow or two. How many steps must take "
    "two for twelve arrows in all?",
    success="Paths of 10 to 20 arrows exist, and those near 15 arrows are the most numerous. The "
    "gradient adds up all of them.",
    wrong={
        "all paths": Wrong(
            1024,
            "Those are all paths from the first state to the last. How many have exactly twelve "
            "arrows?",
        ),
        "ordered": Wrong(90, "Does it matter which of the two longer steps you choose first?"),
        "one step": Wrong(
            10, "How many arrows does a path have that goes through the hidden layer at one step?"
        ),
        "twelve steps": Wrong(
            66, "You choose two of twelve steps. How many steps are there to choose from?"
        ),
    },
)
def ways():
    """Count the paths of twelve arrows over ten steps."""
    return 45


def _parameters(n, layers):
    """Return the number of parameters with n units per layer and n_x = n_y = 50."""
    return 50 * n + n * n + n + 50 * n + 50 + layers * (n * n + n)


@exercise(
    "11-units",
    hint="For (i), add the sizes of U, W, V and both biases. For (ii), let each layer have n "
    "units: which equation does n solve?",
    success="One more matrix of n by n costs about a fifth of the width here.",
    wrong={
        "no biases": Wrong((20_000, 78), "Which parameters besides the three matrices are there?"),
        "equal width": Wrong(
            (20_150, 100),
            "How many parameters does the deep network have with 100 units per layer?",
        ),
        "half": Wrong(
            (20_150, 50),
            "With half the units, a matrix from a layer to another has a quarter of the entries. "
            "How many parameters are there in total?",
        ),
        "the deep one": Wrong(
            (30_250, 78), "Your first number belongs to a network with a hidden layer."
        ),
    },
)
def units():
    """Return the parameters of the shallow network, and the units of the deep one."""
    parameters = _parameters(100, 0)
    return parameters, min(range(1, 100), key=lambda n: abs(_parameters(n, 1) - parameters))


def _echoes(layers, steps=4, late=False):
    """Return the states of the top layer after a single input of 1."""
    values = [1.0] + [0.0] * (steps - 1)
    for layer in range(layers):
        h, states = 0.0, []
        if late and layer:
            values = [0.0, *values[:-1]]
        for value in values:
            h = 0.5 * h + value
            states.append(h)
        values = states
    return tuple(values)


@exercise(
    "11-echo",
    hint="What is the third layer's input at each step?",
    success="Each layer delays the largest value and stretches the echo.",
    wrong={
        "the second layer": Wrong(_echoes(2), "Those are the states of the second layer."),
        "the first layer": Wrong(_echoes(1), "Those are the states of the first layer."),
        "one step late": Wrong(
            _echoes(3, late=True),
            "Does a layer receive the state below it from this step, or from the step before?",
        ),
        "all halved": Wrong(
            tuple(0.5 * h for h in _echoes(3)), "Which part of a layer's new state is halved?"
        ),
    },
)
def echo():
    """Return the states of a third layer in the first four steps."""
    return _echoes(3)


def _stacks() -> list[tuple]:
    cases = []
    for seed, layers in enumerate((1, 2, 3), start=110):
        rng = np.random.default_rng(seed)
        params, below = [], 2
        for _ in range(layers):
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
            for k, layer in enumerate(params):
                W = params[0]["W"] if shared else layer["W"]
                states[k] = np.tanh(bias * layer["b"] + W @ before[k] + layer["U"] @ below)
                below = before[k] if late else states[k]
            top.append(states[0 if bottom else -1])
        return np.array(top)

    return stack


@exercise(
    "11-stack",
    cases=_stacks,
    hint="Run one layer over the whole sequence to get a sequence of states. What does the "
    "layer above take as input?",
    success="Each layer turns one sequence into another, so you can run layer by layer. Libraries "
    "do this, because U then multiplies all steps at once.",
    instance=lines(
        WAVE,
        """
        params = [
            {"U": wave(k, 3, 3), "W": wave(k + 1, 3, 3), "b": wave(k + 2, 3)}
            for k in (1, 4, 7)
        ]

        print(stack(params, wave(10, 4, 3)))
        """,
    ),
    wrong={
        "one step late": Wrong(
            _stacked(late=True),
            "Your first layer is right. Does the second take the first layer's state from this "
            "step, or from the step before?",
        ),
        "the bottom layer": Wrong(
            _stacked(bottom=True), "Which layer's states does the exercise ask for?"
        ),
        "one loop for all": Wrong(_stacked(shared=True), "Which W do you use in the second layer?"),
        "no bias": Wrong(
            _stacked(bias=False), "One parameter has no effect on your answer. Which one?"
        ),
    },
)
def stack(params, x):
    """Return the states of the top layer at all steps."""
    return _stacked()(params, x)


def _steps() -> list[tuple]:
    cases = []
    for seed in (115, 116):
        rng = np.random.default_rng(seed)
        params = {name: rng.normal(size=(3, 3)) for name in "TWS"} | {"b_z": rng.normal(size=3)}
        before = rng.normal(size=3)
        h = np.tanh(params["W"] @ np.tanh(params["b_z"] + params["T"] @ before) + before)
        cases.append((params, before, h, rng.normal(size=3)))
    return cases


def _backs(
    slope=True, inner=True, skip=True, hidden=True, transposed=True, beyond=None, bent=False
):
    """Return the solution with parts changed; `beyond` computes the skip's gradient."""

    def back(params, before, h, grad):
        T, W, S = (params[name].T if transposed else params[name] for name in "TWS")
        grad_a = (1 - (np.tanh(h) if bent else h) ** 2) * grad if slope else grad
        z = np.tanh(params["b_z"] + params["T"] @ before)
        grad_z = W @ grad_a
        grad_z = (1 - z**2) * grad_z if inner else grad_z
        straight = beyond(S, before, h, grad) if beyond else S @ grad_a
        return hidden * (T @ grad_z) + skip * straight

    return back


@exercise(
    "11-back",
    cases=_steps,
    hint="Your answer should be a sum of two terms, one for each path back. Try it with S = 0, and "
    "then with W = 0: which of the two is wrong?",
    success="The gradients along the two paths add up. On the skip connection, a gradient passes "
    "one tanh per step instead of two.",
    instance=lines(
        WAVE,
        """
        params = {
            "T": wave(1, 3, 3),
            "W": wave(2, 3, 3),
            "S": wave(3, 3, 3),
            "b_z": wave(4, 3),
        }

        print(back(params, wave(5, 3), wave(6, 3), wave(7, 3)))
        """,
    ),
    wrong={
        "no skip connection": Wrong(
            _backs(skip=False),
            "Your gradient comes back through the hidden layer only. Which other path is there?",
        ),
        "the skip connection alone": Wrong(
            _backs(hidden=False),
            "Your gradient uses only the skip connection. What comes back through the hidden "
            "layer?",
        ),
        "no slope at the state": Wrong(
            _backs(slope=False), "What multiplies a gradient on its way back through a tanh?"
        ),
        "no slope on the skip connection": Wrong(
            _backs(beyond=lambda S, before, h, grad: S @ grad),
            "The path through the hidden layer is right. Does the skip connection enter the new "
            "state before its tanh or after it?",
        ),
        "slope after S": Wrong(
            _backs(beyond=lambda S, before, h, grad: (1 - h**2) * (S @ grad)),
            "The path through the hidden layer is right. On the way back along the skip "
            "connection, which comes first: the tanh or S?",
        ),
        "slope of the earlier state": Wrong(
            _backs(beyond=lambda S, before, h, grad: (1 - before**2) * (S @ grad)),
            "The path through the hidden layer is right. On the skip connection, which state's "
            "tanh does the gradient pass?",
        ),
        "tanh of h": Wrong(
            _backs(bent=True),
            "Which number is h: the argument of the tanh, or already its value?",
        ),
        "no slope in the hidden layer": Wrong(
            _backs(inner=False), "How many tanhs lie on the path through the hidden layer?"
        ),
        "not transposed": Wrong(
            _backs(transposed=False),
            "The forward step multiplies by W. What multiplies the gradient on the way back?",
        ),
    },
)
def back(params, before, h, grad):
    """Return the gradient with respect to a state, given that with respect to the next one."""
    return _backs()(params, before, h, grad)


checklist(
    "11-linear",
    {
        "A layer without a nonlinearity is an affine map, and two affine maps in a row are one: U "
        "(b_r + A x) is U b_r + U A x.": "What do you get if U multiplies b_r + A x?",
        "So the network is a shallow one with input matrix U A, loop matrix W T and output matrix "
        "V Q. Its biases collect the constants.": (
            "Which three matrices does a shallow network have, and which products take their place?"
        ),
        "It can do no more than a shallow network. With hidden layers narrower than the state it "
        "can do less, because the rank of a product is at most the rank of each factor.": (
            "If the layer in between is narrow, can every matrix be written as such a product?"
        ),
    },
    success="Extra layers add power only through their nonlinearities: without them, each pair of "
    "layers collapses into one matrix.",
)
