"""Small networks and what goes with them, for calls that work, and unfit values for these calls."""

import numpy as np
from refusals import COUNT, INF, NAN, SEED

from rnn_helpers import reference
from rnn_helpers import training as tr
from rnn_helpers.circuits import FIGURES

P = reference.init_rnn(3, 4, 3, seed=0)
SEEDED = reference.init_rnn(3, 4, 3, seed=[0, 1])
X, Y = np.array([0, 1, 2]), np.array([1, 2, 0])
PARAMS = [
    None,
    {},
    "a",
    3,
    {name: P[name] for name in "UWVc"},
    {**P, "W": NAN * P["W"]},
    {**P, "W": P["W"][:, :2]},
    {**P, "W": P["W"].astype(object)},
    {**P, "U": None},
    {**P, "b": np.zeros(9)},
]
NO_PERIODS = [[], 3, [0], [1.5], "ab", [1]]  # the last is invalid for all networks below
LSTM = reference.init_lstm(3, 4, 3, peepholes=True)
GRU = reference.init_gru(3, 4, 3)
UNFIT = {
    kind: [
        *(value for value in PARAMS if not isinstance(value, dict) or not value),
        P,
        {name: array for name, array in params.items() if name != drop},
        {**params, drop: NAN * params[drop]},
        {**params, drop: params[drop][:2]},
        {**params, "W": params["W"][:, :2]},
    ]
    for kind, params, drop in (("lstm", LSTM, "bf"), ("gru", GRU, "Wr"))
}
RUN = reference.rnn_forward(P, X)
GO = reference.grad_output(RUN.yhat, Y)
GH = reference.grad_last_state(P["V"], GO)
RESERVOIR = reference.init_reservoir(1, 4)
UNFIT_RESERVOIR = [
    *(value for value in PARAMS if not isinstance(value, dict) or not value),
    {name: RESERVOIR[name] for name in "UW"},
    {**RESERVOIR, "W": NAN * RESERVOIR["W"]},
    {**RESERVOIR, "W": RESERVOIR["W"][:, :2]},
    {**RESERVOIR, "U": None},
    {**RESERVOIR, "b": np.zeros(9)},
]
LSTM_RUN = reference.lstm_forward(LSTM, X)
WRITER = reference.init_rnn(3, 4, 3, seed=0)
UNFIT_WRITER = [
    *(value for value in PARAMS if not isinstance(value, dict) or not value),
    reference.init_rnn(2, 4, 3, seed=0),
    {**WRITER, "W": NAN * WRITER["W"]},
]
UNFIT_SEQUENCE = [None, "a", NAN, 99, [0, -1, 2], [0, 99, 1], [0.5, 1, 2], {}]
GRU_RUN = reference.gru_forward(GRU, X)
DRAW = {"n_x": 2, "n_h": 3, "n_y": 2, "seed": 0, "scale": 1.0, "dtype": float}
UNFIT_DRAW = {
    **dict.fromkeys(["n_x", "n_h", "n_y"], COUNT),
    "seed": [*SEED, []],
    "scale": [-1, NAN, INF, "a", [1], 1e308, 10**400],
    "dtype": [int, "no", object, complex, 3],
}
AUTOMATON = reference.bracket_automaton("(", ")", "ab()")
CIRCUIT = FIGURES["10.3"]
BATCH = (np.zeros((2, 2), int), np.zeros((2, 2), int))


def quadratic(params, batch):
    return 1.0, {name: 0 * p for name, p in params.items()}


TRAINED = tr.fit(quadratic, P, [0] * 5, steps=2, optimizer=tr.SGD(0.1))


def assert_gradients(loss, params, grads, seed=0):
    """Compare gradients with the finite difference of a loss in a random direction."""
    rng = np.random.default_rng(seed)
    steps = {name: 1e-5 * rng.normal(size=array.shape) for name, array in params.items()}
    ahead, back = (
        loss({name: params[name] + sign * step for name, step in steps.items()}) for sign in (1, -1)
    )
    slope = sum((grads[name] * step).sum() for name, step in steps.items())
    np.testing.assert_allclose(ahead - back, 2 * slope, rtol=1e-6, atol=1e-9)
