"""Check that every public function refuses bad input and names the argument.

For each public function, ``CALLS`` contains a call that works and, for its arguments, values that
must be refused. `test_every_public_function_is_listed` keeps the table complete.
"""

import inspect
import pickle
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import (
    ABSURD,
    COUNT,
    FUNCTION,
    GRADS,
    GRU,
    INF,
    LSTM,
    MASK,
    NAME,
    NAN,
    NO_SEED,
    PARAMS,
    PERIODS,
    POSITIVE,
    RAGGED,
    REAL,
    SEED,
    SEEDED,
    SEQUENCES,
    SQUARE,
    SYMMETRIC,
    TIME,
    TOKENS,
    UNFIT,
    WORDS,
    P,
    X,
    Y,
    assert_converts_counts,
    assert_refused,
    finite,
    words_of,
)

from rnn_helpers import checks, circuits, experiments, explore, palette, plots, reference, tasks
from rnn_helpers import training as tr
from rnn_helpers.circuits import FIGURES, Circuit, Edge
from rnn_helpers.reference import trees

PICTURES = [None, "a", 3, [1, 2], [[3, 1]], [[0.5]], [[NAN]]]
LEXICON = tasks.Lexicon(("boy", "bow"))
RUN = reference.rnn_forward(P, X)
SLOPE = 1 - RUN.h**2
GO = reference.grad_output(RUN.yhat, Y)
GH = reference.grad_last_state(P["V"], GO)
MEMORY = {
    "M": np.eye(5, 4) + 0.5, "k": np.ones(4), "beta": 2.0, "g": 0.5, "gamma": 2.0,
    **dict.fromkeys(("w", "found", "before", "grad"), np.full(5, 0.2)),
    "s": np.full(3, 1 / 3), "e": np.ones(4), "a": np.ones(4),
}  # fmt: skip
MEMORY_WRITE = {name: MEMORY[name] for name in ("M", "w", "e", "a")} | {"grad": np.ones((5, 4))}
HEAD = {name: MEMORY[name] for name in ("k", "beta", "g", "s", "gamma")}
PAIRS = {"q": np.eye(6, 4), "k": np.eye(6, 4), "v": np.ones((6, 3))}
FRAME = np.zeros((2, 9, 9))
RESERVOIR = reference.init_reservoir(1, 4)
UNFIT_RESERVOIR = [
    *(value for value in PARAMS if not isinstance(value, dict) or not value),
    {name: RESERVOIR[name] for name in "UW"},
    {**RESERVOIR, "W": NAN * RESERVOIR["W"]},
    {**RESERVOIR, "W": RESERVOIR["W"][:, :2]},
    {**RESERVOIR, "U": None},
    {**RESERVOIR, "b": np.zeros(9)},
]
DELAYED = {**RESERVOIR, "Wd": RESERVOIR["W"]}
SHARE = [0, -0.1, 1.1, NAN, INF, "a", None, [1], 10**5000]
KEPT = [-0.1, 1, NAN, INF, "a", None, [1]]
AT_LEAST_ZERO = [-1, NAN, INF, "a", None, [1]]
LSTM_RUN = reference.lstm_forward(LSTM, X)
OUT = reference.init_output_rnn(3, 4, 3, seed=0)
OUT_RUN = reference.forced_forward(OUT, X, Y)
UNFIT_OUT = [
    *(value for value in PARAMS if not isinstance(value, dict) or not value),
    P,
    {name: OUT[name] for name in "URVc"},
    {**OUT, "R": NAN * OUT["R"]},
    {**OUT, "R": OUT["R"][:, :2]},
    {**OUT, "V": OUT["V"][:2]},
    {**OUT, "W": np.eye(3)},
    {**OUT, "U": None},
    {**OUT, "b": np.zeros(9)},
]
OWN = ["a", NAN, 2, [1, 2, 1], [True], 0.5, None]
WRITER = reference.init_rnn(3, 4, 3, seed=0)
READ = np.linspace(-1, 1, 8).reshape(4, 2)
LOOKING = reference.init_attention(2, 4, 3, seed=0)
LOOKING_RUN = reference.attention_forward(LOOKING, READ, Y)
UNFIT_READ = [*REAL, 3, [1.0, 2.0], np.zeros((4, 5)), np.zeros((0, 2))]
READER = reference.init_rnn(3, 4, 2, seed=0)
DEPTH = reference.Depth(2, 1, 1, 1, skip=True)
DEEP = reference.init_deep(DEPTH, 3, 4, 3)
DEEP_RUN = reference.deep_forward(DEEP, DEPTH, X)
NO_DEPTH = [None, 3, {}, "10.13"]
TRANSLATION = reference.translate_forward(READER, LOOKING, [0, 2, 1, 1], Y)
TWO = reference.init_bidirectional(3, 4, 3)
TWO_RUN = reference.bidirectional_forward(TWO, X)
FOUR = reference.init_four_directions(3, 4, 3)
UNFIT_WAYS = [None, 3, {}, {"ahead": P}, *(dict.fromkeys((*TWO, *FOUR), bad) for bad in PARAMS)]
UNFIT_WAYS += [dict.fromkeys((*TWO, *FOUR), SEEDED)]
COMBINING = reference.init_recursive(3, 4, 3, seed=0, tensor=True)
COMBINED = reference.recursive_forward(COMBINING, X, ((0, 1), 2))
UNFIT_COMBINING = [
    *(value for value in PARAMS if not isinstance(value, dict) or not value),
    *({**COMBINING, name: COMBINING[name][:2]} for name in COMBINING),
    {**COMBINING, "T": NAN * COMBINING["T"]},
    {**COMBINING, "V": np.zeros(4)},
    {**COMBINING, "c": np.float64(1)},
]
TREE = [None, "a", 1, -1, True, (0,), (0, 1, 2), (1, 0), (0, (2, 1)), (0, None), (), {}, NAN]
LEAF = [-1, 3, 2.5, "0", None, NAN, [0]]
EVEN = {"next_log_probability": lambda prefix: np.log([0.5, 0.5]), "end": 0, "at_most": 4}
UNFIT_EVEN = {
    "next_log_probability": [3, "f", None, lambda prefix: 0.5, lambda prefix: np.ones(3)],
    "end": [-1, 0.5, "a", None, 7],
    "at_most": COUNT,
}
DATES = tasks.Dates(("en_US",), ("short",), 2000, 2009)
TOLD = reference.init_context(2, 4, 3, seed=0)
TOLD_RUN = reference.context_forward(TOLD, [0.5, -1.0], Y)
OPPOSED = {**TOLD, "R": np.array([[10.0, -10.0]] * 4)}
ENDING = {**WRITER, "d": np.zeros(4)}
UNFIT_WRITER = [
    *(value for value in PARAMS if not isinstance(value, dict) or not value),
    reference.init_rnn(2, 4, 3, seed=0),
    {**WRITER, "W": NAN * WRITER["W"]},
]


def log_p(y):
    """Return the log-probability of sequences under a network that is fed its own outputs."""
    return reference.log_joint(WRITER, y)


UNFIT_SEQUENCE = [None, "a", NAN, 99, [0, -1, 2], [0, 99, 1], [0.5, 1, 2], {}]
GAPS = {"log_probability": log_p, "y": Y, "missing": [1], "n": 3}
UNFIT_GAPS = {
    "log_probability": [3, "f", None],
    "y": [None, "a", NAN, [], [[0], [1]], [0.5, 1, 2], [9, 1, 2]],
    "missing": [None, "a", [], [3], [-1], [0, 0], [[0]], [0.5], 1],
    "n": [0, -1, 2.5, "3", None, NAN, [3]],
}
TABLE = [*REAL, 3, [0.5, 0.5], [[0.5, 0.6]], [[1.5, -0.5]], [[]]]
GRU_RUN = reference.gru_forward(GRU, X)
DRAW = {"n_x": 2, "n_h": 3, "n_y": 2, "seed": 0, "scale": 1.0, "dtype": float}
UNFIT_DRAW = {
    **dict.fromkeys(["n_x", "n_h", "n_y"], COUNT),
    "seed": [*SEED, []],
    "scale": [-1, NAN, INF, "a", [1], 1e308, 10**400],
    "dtype": [int, "no", object, complex, 3],
}
GATED_RUNS = [("lstm", LSTM, LSTM_RUN, GRU_RUN), ("gru", GRU, GRU_RUN, LSTM_RUN)]
AUTOMATON = reference.bracket_automaton("(", ")", "ab()")
STRING = [None, 3, "x", ["a", 3], [["a"]]]
SYMBOLS = [None, 3, [], "aa", [""], [3], NAN]
CORPUS = tasks.characters("topics")
N = len(CORPUS.alphabet)
CIRCUIT = FIGURES["10.3"]
WAVE = tasks.Oscillator().wave(4, [0.0])
WRONG = {"a": checks.Wrong(1, "Hint."), "b": checks.Wrong(2, "Hint.")}
DECLARED = {
    "claim": "",
    "source": "",
    "numbers": abs,
    "headline": ("right", "share"),
    "finding": "",
    "verdict": experiments.Verdict(),
}


def quadratic(params, batch):
    return 1.0, {name: 0 * p for name, p in params.items()}


def history(**loop):
    return tr.fit(quadratic, P, [0] * 5, steps=2, optimizer=tr.SGD(0.1), **loop)


def first(of):
    """Return a function that returns the first value of the generator function `of`."""
    return lambda **given: next(iter(of(**given)))


def declare_experiment(module="claims.chapter_02.cubes", **given):
    def run(config, seeds):
        """Do nothing."""

    run.__module__ = module
    return experiments.experiment(**given)(run)


def declare_exercise(**given):
    return checks.exercise(**given)(len)


PAYLOAD = dict.fromkeys(("module", "state", "alt", "caption", "question"), "")

# name -> (function, arguments that work or None, bad values by argument)
CALLS = {
    "reference.drive": (
        reference.drive,
        {"f": max, "h0": 0, "xs": [1]},
        {"f": [None, *FUNCTION], "xs": [None, 3, []]},
    ),
    "reference.iterate": (
        reference.iterate,
        {"f": abs, "s1": 1, "tau": 2},
        {"f": [None, *FUNCTION], "tau": COUNT},
    ),
    "reference.unfolded": (
        reference.unfolded,
        {"f": max, "t": 2},
        {"f": [None, *FUNCTION], "t": COUNT},
    ),
    "reference.unfolded()": (
        reference.unfolded(max, 2),
        {"xs": [1, 2], "h0": 0},
        {"xs": [None, 3, [], [1]]},
    ),
    "reference.Automaton": (
        reference.Automaton,
        {
            "alphabet": "ab",
            "states": ["q"],
            "following": [[0, -1]],
            "weights": [[0.5, 0.0]],
            "start": 0,
            "stop": [True],
        },
        {
            "alphabet": [*SYMBOLS, "abc"],
            "states": [*SYMBOLS, ["q", "r"]],
            "following": [*REAL, [[1, -1]], [[-2, -1]], [[0.0, -1.0]], [[0, 0]], [[-1, -1]]],
            "weights": [*REAL, [[0, 0]], [[1, 1]], [[-1, 0]], [[1, -1]]],
            "start": [-1, 1, 0.5, "q", None, NAN],
            "stop": [None, 1, [1], "q", [True, False], NAN],
        },
    ),
    **{
        f"reference.Automaton.{name}": (
            getattr(AUTOMATON, name),
            {"string": "a()"},
            {"string": STRING},
        )
        for name in ("encode", "walk", "accepts", "weight")
    },
    "reference.Automaton.next_symbol": (
        AUTOMATON.next_symbol,
        {"state": "q1"},
        {"state": NAME},
    ),
    "reference.Automaton.sample": (
        AUTOMATON.sample,
        {"length": 3, "batch_size": 2, "seed": 0},
        {"length": COUNT, "batch_size": [v for v in COUNT if v is not None], "seed": SEED},
    ),
    "reference.Automaton.loss": (
        AUTOMATON.loss,
        {"tokens": [0, 2, 3]},
        {"tokens": [*TOKENS[:6], [0, 2, 2], [[[0]]], *TOKENS[-3:]]},
    ),
    "reference.automaton": (
        reference.automaton,
        {"alphabet": "ab", "transitions": {("q", "a"): ("r", 1)}, "start": "q", "stop": ["r"]},
        {
            "alphabet": [*SYMBOLS, "b"],
            "transitions": [
                None,
                3,
                {"q": "r"},
                {("q", "a"): 3},
                {("q", "a"): (3, 1)},
                {("q", "c"): ("r", 1)},
                *({("q", "a"): ("r", weight)} for weight in POSITIVE),
            ],
            "start": [None, 3, ""],
            "stop": [None, 3, ["s"], [3]],
        },
    ),
    "reference.bigram_automaton": (
        reference.bigram_automaton,
        {"alphabet": "ab", "weights": np.ones((3, 3))},
        {
            "alphabet": [*SYMBOLS, "abc", ["a", reference.END]],
            "weights": [*REAL, np.zeros((3, 3)), -np.ones((3, 3)), np.ones((3, 4))],
        },
    ),
    "reference.bigram_counts": (
        reference.bigram_counts,
        {"strings": ["ab", ""], "alphabet": "ab"},
        {"strings": [None, 3, [3], ["abc"], [[3]]], "alphabet": [*SYMBOLS, "c"]},
    ),
    "reference.bracket_automaton": (
        reference.bracket_automaton,
        {
            "opening": "(",
            "closing": ")",
            "alphabet": "a()",
            "open_weight": 0.1,
            "close_weight": 0.5,
        },
        {
            "opening": [None, "", "[", 3, ")"],
            "closing": [None, "", "]", 3, "("],
            "alphabet": [*SYMBOLS, "a("],
            "open_weight": POSITIVE,
            "close_weight": POSITIVE,
        },
    ),
    "reference.intersect": (
        reference.intersect,
        {"a": AUTOMATON, "b": AUTOMATON},
        {"a": [None, 3, "a"], "b": [None, 3, reference.bracket_automaton("(", ")", "()")]},
    ),
    "reference.equation": (
        lambda number: reference.equation(number),
        {"number": "0.0"},
        {"number": [None, 3, []]},
    ),
    "reference.from_chiang": (
        reference.from_chiang,
        {"params": reference.to_chiang(P)},
        {"params": [None, {}, 3, "ABcDe", P, dict.fromkeys("ABcDe", "a")]},
    ),
    "reference.to_chiang": (
        reference.to_chiang,
        {"params": P},
        {
            "params": [
                *(None, {}, 3, "UWVbc", reference.to_chiang(P), dict.fromkeys("UWVbc", "a")),
                {**P, "W": NAN * P["W"]},
            ]
        },
    ),
    "reference.grad_U": (
        reference.grad_U,
        {"slope": SLOPE, "grad_h": GH, "x": np.eye(3)},
        {"slope": REAL, "grad_h": REAL, "x": REAL},
    ),
    "reference.grad_V": (
        reference.grad_V,
        {"grad_o": GO, "h": RUN.h},
        {"grad_o": REAL, "h": REAL},
    ),
    "reference.grad_W": (
        reference.grad_W,
        {"slope": SLOPE, "grad_h": GH, "h_prev": RUN.h_prev},
        {"slope": REAL, "grad_h": REAL, "h_prev": REAL},
    ),
    "reference.grad_b": (
        reference.grad_b,
        {"slope": SLOPE, "grad_h": GH},
        {"slope": REAL, "grad_h": REAL},
    ),
    "reference.grad_c": (reference.grad_c, {"grad_o": GO}, {"grad_o": REAL}),
    "reference.grad_last_state": (
        reference.grad_last_state,
        {"V": P["V"], "grad_o": GO},
        {"V": REAL, "grad_o": REAL},
    ),
    "reference.grad_output": (
        reference.grad_output,
        {"yhat": RUN.yhat, "y": Y, "grad_L": 1},
        {"yhat": REAL, "y": TOKENS, "grad_L": REAL},
    ),
    **{
        f"reference.{function.__name__}": (
            function,
            {
                "W": P["W"],
                "grad_h_next": GH[0],
                "slope_next": SLOPE[0],
                "from_output": GH[1],
            },
            {"W": REAL, "grad_h_next": REAL, "slope_next": REAL, "from_output": REAL},
        )
        for function in (reference.grad_state, reference.grad_state_as_printed)
    },
    "reference.grad_step_loss": (
        reference.grad_step_loss,
        {"mask": np.array([True, False])},
        {"mask": MASK},
    ),
    "reference.hidden_state": (
        reference.hidden_state,
        {"a": RUN.a, "nonlinearity": "tanh"},
        {"a": REAL, "nonlinearity": NAME},
    ),
    "reference.direction_changes": (
        reference.direction_changes,
        {"values": [1, 2, 1]},
        {"values": [*REAL[:-1], 3]},
    ),
    "reference.eigendecompose": (
        reference.eigendecompose,
        {"W": SYMMETRIC},
        {"W": [*SQUARE, [[0, 1], [2, 0]], np.zeros((2, 3, 3))]},
    ),
    "reference.gradient_through_time": (
        reference.gradient_through_time,
        {"params": P, "run": RUN, "grad_last": GH[-1]},
        {"params": [*PARAMS, SEEDED], "run": [None, 3], "grad_last": [*REAL, [1, 2], 1]},
    ),
    "reference.state_jacobians": (
        reference.state_jacobians,
        {"params": P, "run": RUN},
        {"params": [*PARAMS, SEEDED], "run": [None, 3]},
    ),
    "reference.flowed_back": (
        reference.flowed_back,
        {"grad_h": GH, "jacobian": P["W"]},
        {"grad_h": REAL, "jacobian": REAL},
    ),
    "reference.gradient_size": (reference.gradient_size, {"grad_h": GH}, {"grad_h": REAL}),
    "reference.omega": (
        reference.omega,
        {"flowed": GH[1:], "grad_h": GH[1:]},
        {"flowed": [*REAL, GH], "grad_h": [*REAL, GH]},
    ),
    **{
        f"reference.{function.__name__}": (
            function,
            {"params": P, "run": RUN, "y": Y, "mask": np.ones(3), **more},
            {
                "params": [*PARAMS, SEEDED, *overflowing],
                "run": [None, 3, reference.rnn_forward(P, X[:1])],
                "y": TOKENS,
                "mask": MASK,
                **dict.fromkeys(more, NAME),
            },
        )
        for function, more, overflowing in (
            (reference.omega_gradient, {"constant": "states"}, []),
            (reference.omega_terms, {}, [{**P, "W": 1e200 * P["W"]}]),
        )
    },
    "reference.linear_step": (
        reference.linear_step,
        {"W": P["W"], "h": RUN.h[0]},
        {"W": REAL, "h": REAL},
    ),
    "reference.linear_state": (
        reference.linear_state,
        {"W": P["W"], "h0": RUN.h[0], "t": 3},
        {"W": [*REAL, 1e200 * P["W"]], "h0": REAL, "t": TIME},
    ),
    "reference.modes": (
        reference.modes,
        {"W": P["W"], "h0": RUN.h[0]},
        {"W": [*SQUARE, np.zeros((2, 4, 4))], "h0": [*REAL, [1, 2], 1]},
    ),
    "reference.modes()": (
        reference.modes(P["W"], RUN.h[0]).state,
        {"t": [0, 3]},
        {"t": [None, "a", NAN, -1, 1.5, [0, -1], 10**7]},
    ),
    "reference.separation": (
        reference.separation,
        {"J": P["W"], "v": RUN.h[0], "n": 3, "backward": True},
        {"J": [*SQUARE, 1e200 * P["W"]], "v": REAL, "n": TIME, "backward": ["yes", None, 1]},
    ),
    "reference.two_spans": (
        reference.two_spans,
        {"theta": [0.5, 2.0], "tau": 5},
        {"theta": [*REAL, 0.5, [0.5, 2.0, 1.0]], "tau": [*COUNT, 1]},
    ),
    "reference.two_spans_path": (
        reference.two_spans_path,
        {"method": "momentum", "start": [0.5, 2.0], "tau": 5, "steps": 3},
        {
            "method": NAME,
            "start": [*REAL, 0.5, [[0.5, 2.0]]],
            "tau": [*COUNT, 1],
            "steps": COUNT,
            "lr": POSITIVE,
            "momentum": KEPT,
            "longest": POSITIVE,
        },
    ),
    "reference.two_spans_step": (
        reference.two_spans_step,
        {"method": "newton", "theta": [0.5, 2.0], "velocity": [0.0, 0.1], "tau": 5},
        {
            "method": NAME,
            "theta": [*REAL, 0.5, [[0.5, 2.0]]],
            "velocity": [*REAL, 0.5, [[0.5, 2.0]]],
            "tau": [*COUNT, 1],
            "lr": POSITIVE,
            "momentum": KEPT,
            "longest": POSITIVE,
        },
    ),
    "reference.widest_perturbation": (
        reference.widest_perturbation,
        {"J": P["W"], "n": 3, "backward": True},
        {"J": [*SQUARE, 1e200 * P["W"]], "n": TIME, "backward": ["yes", None, 1]},
    ),
    "reference.power_derivatives": (
        reference.power_derivatives,
        {"w": 0.5, "tau": [2, 100]},
        {
            "w": [None, "a", NAN, [NAN, 1.0], RAGGED, 1j, 1e300, np.zeros(3)],
            "tau": [*COUNT[1:-1], 1, [2, 1], RAGGED],
        },
    ),
    **{
        f"reference.{function.__name__}": (
            function,
            {"params": P, "run": RUN, "direction": P} | mask,
            {"params": [*PARAMS, SEEDED], "run": [None, 3, {}, P, LSTM_RUN], "direction": PARAMS}
            | dict.fromkeys(mask, MASK),
        )
        for function, mask in (
            (reference.output_tangent, {}),
            (reference.gauss_newton_product, {"mask": None}),
        )
    },
    "reference.conjugate_gradient": (
        reference.conjugate_gradient,
        {"product": lambda v: v, "g": {"x": [1.0, 2.0]}, "steps": 2},
        {
            "product": [None, *FUNCTION, lambda v: None, lambda v: {}, lambda v: {"x": [1.0]}],
            "g": [None, 3, {}, {"x": NAN}, {"x": "a"}],
            "steps": COUNT,
            "damping": [-1, NAN, INF, "a", [1, 2]],
            "start": [3, {}, {"x": [NAN, 1.0]}, {"x": [1.0]}],
            "tolerance": AT_LEAST_ZERO,
        },
    ),
    "reference.hessian_free_step": (
        reference.hessian_free_step,
        {"params": P, "x": X, "y": Y, "mask": None},
        {
            "params": PARAMS,
            "x": TOKENS,
            "y": TOKENS,
            "mask": [*MASK, np.zeros(3)],
            "previous": [3, {}],
            "damping": POSITIVE,
            "cg_steps": COUNT,
            "nonlinearity": NAME,
        },
    ),
    "reference.power_norms": (
        reference.power_norms,
        {"W": P["W"], "T": 3},
        {"W": [*SQUARE, 1e200 * P["W"]], "T": TIME},
    ),
    **{
        f"reference.{function.__name__}": (
            function,
            {"Q": np.eye(4), "eigenvalues": [1, 0.5, -0.5, 0], "h0": RUN.h[0], "t": 3},
            {"Q": REAL, "eigenvalues": [*REAL, [1e200] * 4], "h0": REAL, "t": TIME},
        )
        for function in (reference.spectral_state, reference.spectral_state_as_printed)
    },
    "reference.spectral_radius": (reference.spectral_radius, {"W": P["W"]}, {"W": SQUARE}),
    "reference.init_recurrent": (
        reference.init_recurrent,
        {"kind": "gaussian", "n_h": 3, "seed": 0, "radius": 0.9, "dtype": float},
        {
            "kind": NAME,
            "n_h": COUNT,
            "seed": [*SEED, []],
            "radius": [value for value in POSITIVE if value is not None],
            "dtype": [int, "no", object, complex, 3],
        },
    ),
    **{
        f"reference.{function.__name__}": (
            function,
            {"w": [5.0, 4.0], "b": -2.6, "n_steps": 5},
            {"w": REAL[:-1], "b": [*REAL[:-1], [1, 2, 3]], "n_steps": COUNT},
        )
        for function in (reference.cliff_gradient, reference.cliff_loss, reference.cliff_state)
    },
    "reference.init_reservoir": (
        reference.init_reservoir,
        {"n_x": 2, "n_h": 3, "seed": 0, "radius": 0.9, "input_scale": 1, "density": 0.5},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "seed": [*SEED, []],
            "radius": AT_LEAST_ZERO,
            "input_scale": AT_LEAST_ZERO,
            "density": SHARE,
        },
    ),
    "reference.reservoir_states": (
        reference.reservoir_states,
        {"params": RESERVOIR, "x": np.ones((5, 1)), "h0": None, "leak": 0.5},
        {"params": UNFIT_RESERVOIR, "x": [*REAL, [], [1.0]], "h0": REAL[1:], "leak": SHARE},
    ),
    "reference.time_scale_forward": (
        reference.time_scale_forward,
        {
            "params": DELAYED,
            "x": np.ones((5, 1)),
            "h0": None,
            "alpha": 0,
            "skip": 2,
            "periods": [1, 2, 2, 4],
        },
        {
            "params": [*UNFIT_RESERVOIR, RESERVOIR, {**DELAYED, "Wd": np.zeros((2, 2))}],
            "x": [*REAL, [], [1.0]],
            "h0": REAL[1:],
            "alpha": [*REAL, -0.1, 1.1, 0.5, [0, 0]],
            "skip": [value for value in COUNT if value is not None],
            "periods": PERIODS,
        },
    ),
    "reference.running_average": (
        reference.running_average,
        {"v": [1.0, 2.0], "alpha": 0.5, "mu0": 0, "delayed": True},
        {
            "v": [*REAL, [], 3],
            "alpha": [*REAL, -0.1, 1.1],
            "mu0": REAL[:-2],
            "delayed": [None, 1, "a"],
        },
    ),
    "reference.clock_moves": (
        reference.clock_moves,
        {"periods": [1, 2], "n_steps": 3},
        {"periods": PERIODS[:-1], "n_steps": COUNT},
    ),
    "reference.clock_hears": (
        reference.clock_hears,
        {"periods": [1, 2]},
        {"periods": PERIODS[:-1]},
    ),
    "reference.skip_companion": (
        reference.skip_companion,
        {"W": np.eye(2), "W_skip": np.eye(2), "d": 3},
        {"W": SQUARE, "W_skip": [*SQUARE, np.eye(3)], "d": COUNT},
    ),
    "reference.ways_back": (
        reference.ways_back,
        {"d": 3, "n_steps": 9},
        {"d": COUNT, "n_steps": TIME},
    ),
    "reference.skip_gradient": (
        reference.skip_gradient,
        {"w": 0.5, "w_skip": 0.9, "d": 5, "n_steps": 9},
        {
            "w": [None, "a", NAN, INF, 1e200],
            "w_skip": [None, "a", NAN, INF, [1]],
            "d": COUNT,
            "n_steps": TIME,
        },
    ),
    "reference.liquid_states": (
        reference.liquid_states,
        {"params": RESERVOIR, "x": np.ones((5, 1)), "keep": 0.5, "trace_keep": 0.5},
        {
            "params": UNFIT_RESERVOIR,
            "x": [*REAL, [], [1.0]],
            "keep": KEPT,
            "trace_keep": KEPT,
        },
    ),
    "reference.echo_state_gap": (
        reference.echo_state_gap,
        {"params": RESERVOIR, "x": np.ones((5, 1)), "h0": 4 * [0], "other_h0": 4 * [1], "leak": 1},
        {
            "params": UNFIT_RESERVOIR,
            "x": [*REAL, [], [1.0]],
            "h0": REAL[1:],
            "other_h0": REAL[1:],
            "leak": SHARE,
        },
    ),
    "reference.ridge_readout": (
        reference.ridge_readout,
        {"states": np.eye(5), "y": np.ones((5, 1)), "penalty": 0.1, "washout": 2},
        {
            "states": [*REAL, [], 3, np.ones(5), np.ones((5, 2, 2))],
            "y": [*REAL, [], 3, np.ones(5), np.ones((4, 1)), np.ones((5, 0))],
            "penalty": AT_LEAST_ZERO,
            "washout": [5, 6, *TIME],
        },
    ),
    "reference.memory_capacity": (
        reference.memory_capacity,
        {"params": RESERVOIR, "max_delay": 3, "seed": 0, "n_steps": 20, "washout": 5},
        {
            "params": [*UNFIT_RESERVOIR, P, reference.init_reservoir(1, 4, [0, 1])],
            "max_delay": TIME,
            "seed": SEED,
            "leak": SHARE,
            "penalty": AT_LEAST_ZERO,
            "n_steps": [11, *COUNT],
            "washout": [2, *TIME],
        },
    ),
    "reference.init_rnn": (reference.init_rnn, DRAW, UNFIT_DRAW),
    "reference.initial_state": (
        reference.initial_state,
        {"shape": 3, "dtype": float},
        {"shape": [-1, 0, "a", None, 2.5, (2, -1), NAN], "dtype": ["no", object, int]},
    ),
    "reference.input_term": (
        reference.input_term,
        {"U": P["U"], "x": X},
        {"U": REAL, "x": [value for value in TOKENS if value != [0.5, 1, 2]]},
    ),
    "reference.log_softmax": (reference.log_softmax, {"o": [1.0, 2.0]}, {"o": [*REAL, []]}),
    "reference.softmax": (reference.softmax, {"o": [1.0, 2.0]}, {"o": [*REAL, []]}),
    "reference.probabilities": (reference.probabilities, {"o": [1.0, 2.0]}, {"o": [*REAL, []]}),
    "reference.sigmoid": (reference.sigmoid, {"z": 1.0}, {"z": REAL[:-1]}),
    "reference.one_hot": (reference.one_hot, {"tokens": X, "n": 3}, {"tokens": TOKENS, "n": COUNT}),
    "reference.output": (
        reference.output,
        {"c": P["c"], "V": P["V"], "h": RUN.h},
        {"c": REAL, "V": REAL, "h": REAL},
    ),
    "reference.preactivation": (
        reference.preactivation,
        {"b": P["b"], "W": P["W"], "h_prev": RUN.h[0], "Ux": RUN.h[1]},
        {"b": REAL, "W": REAL, "h_prev": REAL, "Ux": REAL},
    ),
    "reference.rnn_forward": (
        reference.rnn_forward,
        {"params": P, "x": X, "h0": None, "nonlinearity": "tanh"},
        {"params": PARAMS, "x": TOKENS, "h0": REAL[1:], "nonlinearity": NAME},
    ),
    "reference.rnn_loss": (
        reference.rnn_loss,
        {"run": RUN, "y": Y, "mask": None},
        {"run": [None, 3, {}, P], "y": TOKENS, "mask": MASK},
    ),
    "reference.rnn_backward": (
        reference.rnn_backward,
        {"params": P, "run": RUN, "y": Y, "mask": None},
        {
            "params": [*PARAMS, SEEDED],
            "run": [None, 3, {}, P, LSTM_RUN],
            "y": TOKENS,
            "mask": MASK,
            "recursion": [None, 3, lambda *parts: None, lambda *parts: NAN],
        },
    ),
    "reference.truncated_gradient": (
        reference.truncated_gradient,
        {"params": P, "x": X, "y": Y, "block": 2},
        {
            "params": PARAMS,
            "x": TOKENS,
            "y": TOKENS,
            "block": COUNT,
            "mask": MASK,
            "h0": [*REAL[1:], np.zeros(3)],
            "nonlinearity": NAME,
        },
    ),
    "reference.init_output_rnn": (
        reference.init_output_rnn,
        DRAW,
        {**UNFIT_DRAW, "seed": SEED},
    ),
    "reference.output_forward": (
        reference.output_forward,
        {
            "params": OUT,
            "x": X,
            "y": Y,
            "own": [0, 1, 0],
            "says": "drawn",
            "seed": 0,
            "start": None,
        },
        {
            "params": UNFIT_OUT,
            "x": TOKENS,
            "y": TOKENS,
            "own": OWN,
            "says": NAME,
            "seed": SEED,
            "start": REAL[1:],
        },
    ),
    "reference.forced_forward": (
        reference.forced_forward,
        {"params": OUT, "x": X, "y": Y, "start": None},
        {
            "params": [*UNFIT_OUT, {**OUT, "W": P["W"]}],
            "x": TOKENS,
            "y": TOKENS,
            "start": REAL[1:],
        },
    ),
    "reference.output_backward": (
        reference.output_backward,
        {"params": OUT, "run": OUT_RUN, "y": Y, "mask": None},
        {
            "params": [*UNFIT_OUT, reference.init_output_rnn(3, 4, 2)],
            "run": [None, 3, {}, P, RUN],
            "y": TOKENS,
            "mask": MASK,
        },
    ),
    "reference.through_output": (
        reference.through_output,
        {"params": P},
        {"params": [*PARAMS, SEEDED]},
    ),
    "reference.two_step_log_likelihood": (
        reference.two_step_log_likelihood,
        {"joint": [[0.5, 0.25], [0.25, 0]], "y": (0, 1)},
        {"joint": TABLE, "y": [None, 3, "ab", [0], [0, 2], [-1, 0], [0.5, 0], [1, 1], NAN]},
    ),
    "reference.init_attention": (
        reference.init_attention,
        {"n_c": 2, "n_h": 4, "n_y": 3, "score": "additive", "n_a": 3, "seed": 0, "scale": 0.5},
        {
            "n_c": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "score": NAME,
            "n_a": [value for value in COUNT if value is not None],
            "seed": NO_SEED,
            "scale": [-1.0],
        },
    ),
    **{
        f"reference.{name}": (
            getattr(reference, name),
            {argument: MEMORY[argument] for argument in arguments.split()},
            dict.fromkeys(arguments.split(), REAL),
        )
        for name, arguments in {
            "cosines": "M k",
            "content_scores": "M k beta",
            "grad_content_scores": "M k beta grad",
            "recall": "M k beta",
            "interpolate_weights": "g found before",
            "grad_interpolate_weights": "g found before grad",
            "shift_weights": "w s",
            "grad_shift_weights": "w s grad",
            "sharpen_weights": "w gamma",
            "grad_sharpen_weights": "w gamma grad",
            "write_cells": "M w e a",
        }.items()
    },
    "reference.grad_write_cells": (
        reference.grad_write_cells,
        {**{name: MEMORY[name] for name in "Mwea"}, "grad": MEMORY["M"]},
        dict.fromkeys(("M", "w", "e", "a", "grad"), REAL),
    ),
    "reference.grad_drawn": (
        reference.grad_drawn,
        {"weights": MEMORY["w"], "drawn": 1, "reward": 1.0, "baseline": 0.5},
        {"weights": REAL, "drawn": [None, "a", 5, -1, 0.5], "reward": REAL, "baseline": REAL},
    ),
    "reference.address_forward": (
        reference.address_forward,
        {"M": MEMORY["M"], "head": HEAD, "before": MEMORY["w"]},
        {
            "M": [*REAL, np.ones(4), np.ones((5, 0))],
            "head": [
                None,
                3,
                {},
                HEAD | {"k": np.ones(3)},
                HEAD | {"s": np.ones(2)},
                HEAD | {"s": 1.0},
                HEAD | {"g": [1.0, 2.0]},
                HEAD | {"beta": "a"},
            ],
            "before": [*REAL, np.ones(3)],
        },
    ),
    "reference.read_all_forward": (
        reference.read_all_forward,
        PAIRS | {"beta": 0.5},
        {
            "q": [*REAL, np.ones(4)],
            "k": [*REAL, np.ones((6, 3))],
            "v": [*REAL, np.ones((5, 3))],
            "beta": [None, "a", NAN, [1.0]],
        },
    ),
    "reference.matrix_step": (
        reference.matrix_step,
        {"M": np.ones((3, 4)), "k": np.ones(4), "v": np.ones(3), "beta": 0.5, "rule": "delta"},
        {"M": REAL, "k": REAL, "v": REAL, "beta": REAL, "rule": NAME},
    ),
    "reference.matrix_forward": (
        reference.matrix_forward,
        PAIRS | {"beta": 0.5, "rule": "delta"},
        {
            "q": [*REAL, np.ones(4)],
            "k": [*REAL, np.ones((6, 3))],
            "v": [*REAL, np.ones((5, 3)), np.ones((6, 2, 3)), np.ones((6, 0)), np.ones(6)],
            "beta": [*REAL, np.ones(5)],
            "rule": NAME,
        },
    ),
    "reference.dot_scores": (
        reference.dot_scores,
        {"Q": LOOKING["Q"], "h": np.ones(4), "annotations": READ},
        {"Q": REAL, "h": REAL, "annotations": REAL},
    ),
    "reference.additive_scores": (
        reference.additive_scores,
        {
            "Q": np.eye(4),
            "K": np.ones((4, 2)),
            "v": np.ones(4),
            "h": np.ones(4),
            "annotations": READ,
        },
        {"Q": REAL, "K": REAL, "v": REAL, "h": REAL, "annotations": REAL},
    ),
    "reference.attention_weights": (
        reference.attention_weights,
        {"scores": [0.5, 1.0, 2.0]},
        {"scores": REAL},
    ),
    "reference.weighted_average": (
        reference.weighted_average,
        {"weights": [0.1, 0.2, 0.3, 0.4], "annotations": READ},
        {"weights": REAL, "annotations": REAL},
    ),
    "reference.grad_scores": (
        reference.grad_scores,
        {"weights": [0.1, 0.2, 0.3, 0.4], "annotations": READ, "grad_context": [1.0, 2.0]},
        {"weights": REAL, "annotations": REAL, "grad_context": REAL},
    ),
    "reference.grad_averaged": (
        reference.grad_averaged,
        {"weights": [0.1, 0.2, 0.3, 0.4], "grad_context": [1.0, 2.0]},
        {"weights": REAL, "grad_context": REAL},
    ),
    "reference.attention_forward": (
        reference.attention_forward,
        {"params": LOOKING, "annotations": READ, "y": Y},
        {"params": [*UNFIT_WRITER, WRITER], "annotations": UNFIT_READ, "y": UNFIT_SEQUENCE},
    ),
    "reference.attention_backward": (
        reference.attention_backward,
        {"params": LOOKING, "run": LOOKING_RUN, "annotations": READ, "y": Y, "mask": None},
        {
            "params": [*UNFIT_WRITER, WRITER],
            "run": [None, 3, {}, P, RUN],
            "annotations": UNFIT_READ,
            "y": TOKENS,
            "mask": [["a"], [1], 3],
        },
    ),
    "reference.translate_forward": (
        reference.translate_forward,
        {"reader": READER, "writer": LOOKING, "x": [0, 2, 1, 1], "y": Y},
        {"writer": [None, 3], "x": [None, "a", [9]], "y": UNFIT_SEQUENCE},
    ),
    "reference.translate_backward": (
        reference.translate_backward,
        {"reader": READER, "writer": LOOKING, "run": TRANSLATION, "y": Y, "mask": None},
        {"writer": [None, 3], "run": [None, 3, RUN], "y": TOKENS, "mask": [["a"], [1], 3]},
    ),
    "reference.turned": (
        reference.turned,
        {"steps": np.array([[0.0, 1.0], [2.0, 3.0]]), "lengths": [1, 2]},
        {"steps": [3, [], RAGGED], "lengths": [0, 3, [1], [0, 1], [1, 3], 1.5, "a", NAN]},
    ),
    "reference.init_bidirectional": (
        reference.init_bidirectional,
        {"n_x": 3, "n_h": 4, "n_y": 3, "seed": 0},
        {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seed": NO_SEED},
    ),
    "reference.bidirectional_forward": (
        reference.bidirectional_forward,
        {"params": TWO, "x": X, "lengths": 2, "nonlinearity": "tanh"},
        {
            "params": [*UNFIT_WAYS, TWO | {"back": reference.init_rnn(2, 4, 3)}],
            "x": TOKENS,
            "lengths": [0, 4, [1], [1, 2, 3], 1.5, "a", NAN],
            "nonlinearity": NAME,
        },
    ),
    "reference.bidirectional_loss": (
        reference.bidirectional_loss,
        {"run": TWO_RUN, "y": Y, "mask": None},
        {"run": [None, 3, {}, RUN], "y": TOKENS, "mask": MASK},
    ),
    "reference.init_four_directions": (
        reference.init_four_directions,
        {"n_x": 3, "n_h": 4, "n_y": 3, "seed": 0},
        {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seed": NO_SEED},
    ),
    "reference.four_directions": (
        reference.four_directions,
        {"params": FOUR, "x": [X, Y], "nonlinearity": "tanh"},
        {
            "params": UNFIT_WAYS,
            "x": [*TOKENS, X, np.zeros((2, 3)), np.full((2, 2, 3), NAN)],
            "nonlinearity": NAME,
        },
    ),
    "reference.init_recursive": (
        reference.init_recursive,
        {"n_x": 3, "n_h": 4, "n_y": 3, "seed": 0, "scale": 0.5, "tensor": True},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seed": NO_SEED,
            "scale": [-1.0, NAN, INF, "a", [1], 1e300],
        },
    ),
    "reference.recursive_forward": (
        reference.recursive_forward,
        {"params": COMBINING, "x": X, "tree": ((0, 1), 2)},
        {
            "params": UNFIT_COMBINING,
            "x": [*TOKENS, [0, 1], np.zeros((3, 2)), np.full((3, 3), NAN)],
            "tree": [value for value in TREE if value not in (1, True)] + [[], [0, None]],
        },
    ),
    "reference.recursive_loss": (
        reference.recursive_loss,
        {"run": COMBINED, "y": [0], "at": None},
        {"run": [None, 3, {}, RUN], "y": TOKENS, "at": [[9], [0.5], "a", 9]},
    ),
    "reference.recursive_backward": (
        reference.recursive_backward,
        {"params": COMBINING, "run": COMBINED, "y": [0], "at": None},
        {
            "params": [*UNFIT_COMBINING, reference.init_recursive(2, 4, 3)],
            "run": [None, 3, {}, RUN],
            "y": TOKENS,
            "at": [[9], [0.5], "a", 9],
        },
    ),
    "reference.root_jacobians": (
        reference.root_jacobians,
        {"params": COMBINING, "run": COMBINED},
        {"params": UNFIT_COMBINING, "run": [None, 3, {}, RUN]},
    ),
    "reference.trees.nodes": (trees.nodes, {"tree": ((0, 1), 2)}, {"tree": TREE}),
    "reference.trees.places": (
        trees.places,
        {"words": (("not", "bad"), "film")},
        {"words": [(), ("a",), ("a", "b", "c"), (("a", "b"), ())]},
    ),
    "reference.trees.with_words": (
        trees.with_words,
        {"tree": ((0, 1), 2), "words": "abc"},
        {"tree": TREE, "words": WORDS},
    ),
    "reference.trees.chain": (
        trees.chain,
        {"n": 3, "side": "right"},
        {"n": COUNT, "side": NAME},
    ),
    "reference.trees.balanced": (trees.balanced, {"n": 3}, {"n": COUNT}),
    "reference.trees.random_tree": (
        trees.random_tree,
        {"n": 3, "seed": 0},
        {"n": COUNT, "seed": NO_SEED},
    ),
    "reference.trees.n_trees": (trees.n_trees, {"n": 3}, {"n": COUNT}),
    "reference.trees.all_trees": (trees.all_trees, {"n": 3}, {"n": [*COUNT, 13]}),
    "reference.trees.n_leaves": (trees.n_leaves, {"tree": ((0, 1), 2)}, {"tree": TREE}),
    "reference.trees.depth": (trees.depth, {"tree": ((0, 1), 2)}, {"tree": TREE}),
    "reference.trees.leaf_depths": (trees.leaf_depths, {"tree": ((0, 1), 2)}, {"tree": TREE}),
    "reference.trees.distance": (
        trees.distance,
        {"tree": ((0, 1), 2), "i": 0, "j": 2},
        {"tree": TREE, "i": LEAF, "j": LEAF},
    ),
    "reference.trees.spans": (trees.spans, {"tree": ((0, 1), 2)}, {"tree": TREE}),
    "reference.trees.shared_spans": (
        trees.shared_spans,
        {"tree": ((0, 1), 2), "other": (0, (1, 2))},
        {"tree": TREE, "other": [*TREE, 0]},
    ),
    "reference.trees.brackets": (
        trees.brackets,
        {"tree": ((0, 1), 2), "words": ["not", "bad", "film"]},
        {"tree": TREE, "words": WORDS},
    ),
    "reference.trees.forest": (
        trees.forest,
        {"trees": [((0, 1), 2), 0]},
        {"trees": [[], *([value] for value in TREE), *(v for v in TREE if v not in (1, True))]},
    ),
    "reference.Depth": (
        reference.Depth,
        {"states": 2, "input": 1, "transition": 1, "output": 0, "skip": False},
        {
            "states": COUNT,
            "input": [-1, 1.5, "a", None],
            "transition": [-1, 1.5, "a", None],
            "output": [-1, 1.5, "a", None],
            "skip": [None, "a", 3],
        },
    ),
    "reference.init_deep": (
        reference.init_deep,
        {"depth": DEPTH, "n_x": 2, "n_h": 4, "n_y": 3, "seed": 0},
        {"depth": NO_DEPTH, "n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seed": NO_SEED},
    ),
    "reference.deep_shapes": (
        reference.deep_shapes,
        {"depth": DEPTH, "n_x": 2, "n_h": 4, "n_y": 3},
        {"depth": NO_DEPTH, "n_x": COUNT, "n_h": COUNT, "n_y": COUNT},
    ),
    "reference.deep_circuit": (reference.deep_circuit, {"depth": DEPTH}, {"depth": NO_DEPTH}),
    "reference.deep_forward": (
        reference.deep_forward,
        {"params": DEEP, "depth": DEPTH, "x": X, "h0": None},
        {
            "params": [None, 3, {}, P, DEEP | {"T2_1": np.ones(3)}, DEEP | {"V": 1.0}],
            "depth": NO_DEPTH,
            "x": [None, "a", [[1.0]]],
            "h0": [3, [0.0], [[0.0], [1.0]]],
        },
    ),
    "reference.deep_backward": (
        reference.deep_backward,
        {"params": DEEP, "run": DEEP_RUN, "y": Y, "mask": None},
        {"params": [None, 3, {}, P], "run": [None, 3, RUN], "y": TOKENS, "mask": [["a"], [1], 3]},
    ),
    "reference.beam_search": (
        reference.beam_search,
        {**EVEN, "width": 2},
        {**UNFIT_EVEN, "width": COUNT},
    ),
    "reference.exact_search": (reference.exact_search, EVEN, UNFIT_EVEN),
    "reference.init_context": (
        reference.init_context,
        {"n_x": 2, "n_h": 4, "n_y": 3, "door": "both", "seed": 0, "scale": 0.5},
        {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "door": NAME, "seed": NO_SEED, "scale": [-1.0]},
    ),
    "reference.context_forward": (
        reference.context_forward,
        {"params": TOLD, "x": [0.5, -1.0], "y": Y},
        {"params": [*UNFIT_WRITER, WRITER], "x": [*REAL, [1.0]], "y": UNFIT_SEQUENCE},
    ),
    "reference.context_backward": (
        reference.context_backward,
        {"params": TOLD, "run": TOLD_RUN, "x": [0.5, -1.0], "y": Y, "mask": None},
        {
            "params": [*UNFIT_WRITER, WRITER],
            "run": [None, 3, {}, P, RUN],
            "x": [*REAL, [1.0]],
            "y": TOKENS,
            "mask": [["a"], [1], 3],
        },
    ),
    "reference.rule_joint": (
        reference.rule_joint,
        {"rules": ["coin", "next"], "noise": 0.1},
        {"rules": [[], ["other"], 3, ["coin"] * 9], "noise": [-0.1, 1.5, "a"]},
    ),
    "reference.best_distribution": (
        reference.best_distribution,
        {"joint": [[0.5, 0.25], [0.25, 0]], "hears": "inputs"},
        {"joint": [*REAL, 3, [[0.5, 0.6]], [[1.5, -0.5]], [[]], [0.5, 0.5]], "hears": NAME},
    ),
    "reference.expected_losses": (
        reference.expected_losses,
        {"joint": [[0.5, 0.25], [0.25, 0]], "hears": "inputs"},
        {"joint": [*REAL, 3, [[0.5, 0.6]], [[1.5, -0.5]], [[]], [0.5, 0.5]], "hears": NAME},
    ),
    "reference.predictive_log_likelihood": (
        reference.predictive_log_likelihood,
        {"params": P, "x": X, "y": Y},
        {"params": PARAMS, "y": TOKENS},
    ),
    "reference.sequence_losses": (
        reference.sequence_losses,
        {"params": WRITER, "y": Y},
        {"params": UNFIT_WRITER, "y": UNFIT_SEQUENCE},
    ),
    "reference.log_joint": (
        reference.log_joint,
        {"params": WRITER, "y": Y},
        {"params": UNFIT_WRITER, "y": UNFIT_SEQUENCE},
    ),
    "reference.symbols_before": (
        reference.symbols_before,
        {"y": Y, "n": 3},
        {"y": UNFIT_SEQUENCE, "n": COUNT},
    ),
    "reference.gaussian_loss": (
        reference.gaussian_loss,
        {"prediction": [1.0, 2.0], "y": [0.5, 2.0]},
        {"prediction": REAL[:-2], "y": REAL[:-2]},
    ),
    "reference.joint_table": (
        reference.joint_table,
        {"log_probability": log_p, "n": 3, "n_steps": 2},
        {"log_probability": [3, "f", None], "n": COUNT, "n_steps": COUNT},
    ),
    "reference.total_correlation": (
        reference.total_correlation,
        {"joint": [[0.5, 0.25], [0.25, 0]]},
        {"joint": [*REAL, 3, [[0.5, 0.6]], [[1.5, -0.5]], [[]]]},
    ),
    "reference.table_numbers": (
        reference.table_numbers,
        {"n": 2, "n_steps": 5},
        {"n": COUNT, "n_steps": COUNT},
    ),
    "reference.network_numbers": (
        reference.network_numbers,
        {"n": 2, "n_h": 5},
        {"n": COUNT, "n_h": COUNT},
    ),
    "reference.exact_filling": (reference.exact_filling, GAPS, UNFIT_GAPS),
    "reference.forward_filling": (reference.forward_filling, GAPS, UNFIT_GAPS),
    "reference.coin_of_symbol": (
        reference.coin_of_symbol,
        {"o": [1.0, 2.0, 0.5]},
        {"o": [*REAL, [], 3, [1.0]]},
    ),
    "reference.symbol_of_coin": (
        reference.symbol_of_coin,
        {"o": [1.0, 2.0], "coin": 0.5},
        {"o": [*REAL, [], 3], "coin": [*REAL, [1.0, 2.0]]},
    ),
    "reference.ending_log_probability": (
        reference.ending_log_probability,
        {"params": ENDING, "y": Y, "end": "length"},
        {"params": [*UNFIT_WRITER, WRITER], "y": UNFIT_SEQUENCE, "end": NAME},
    ),
    "reference.scheduled_optimum": (
        reference.scheduled_optimum,
        {"joint": [[0.5, 0.25], [0.25, 0]], "share": 0.5},
        {
            "joint": [*TABLE, [[1.0], [0.0]]],
            "share": [-0.1, 1.1, NAN, INF, "a", None, [1], 10**5000],
        },
    ),
    "reference.exceeds": (
        reference.exceeds,
        {"g": [3.0, 4.0], "v": 1.0},
        {"g": [*REAL, 3.0], "v": POSITIVE},
    ),
    "reference.rescale": (
        reference.rescale,
        {"g": [3.0, 4.0], "v": 1.0},
        {"g": [*REAL, 3.0, [0.0, 0.0]], "v": POSITIVE},
    ),
    "reference.joint_norm": (
        reference.joint_norm,
        {"arrays": SEEDED, "seed_axis": True},
        {"arrays": [*GRADS, {"a": np.ones(2), "b": np.ones(3)}, {"a": np.ones(())}]},
    ),
    "reference.clip_by_norm": (
        reference.clip_by_norm,
        {"grads": P, "threshold": 1.0},
        {"grads": GRADS, "threshold": [0, -1, NAN, "a", None]},
    ),
    "reference.clip_by_element": (
        reference.clip_by_element,
        {"grads": P, "threshold": 1.0},
        {"grads": GRADS, "threshold": [0, -1, NAN, "a", None]},
    ),
    "reference.random_step": (
        reference.random_step,
        {"grads": SEEDED, "threshold": 1.0, "seed": [0, 1], "seed_axis": True},
        {
            "grads": GRADS,
            "threshold": POSITIVE,
            "seed": [*SEED, [], [0], [0, 1, 2]],
            "where": [True, [True], [True, False, True]],
        },
    ),
    "reference.clip_hidden": (
        reference.clip_hidden,
        {"v": 1.0},
        {"v": [0, -1, NAN, "a", None, [1]]},
    ),
    "reference.init_lstm": (
        reference.init_lstm,
        DRAW,
        {
            **UNFIT_DRAW,
            "forget_bias": [None, NAN, INF, "a", [1]],
            "peepholes": [None, 1, "pf"],
        },
    ),
    "reference.init_gru": (reference.init_gru, DRAW, {**UNFIT_DRAW, "reset": NAME}),
    "reference.lstm_forward": (
        reference.lstm_forward,
        {"params": LSTM, "x": X, "h0": None, "s0": None, "squash": "tanh", "held": {"f": 1}},
        {
            "params": UNFIT["lstm"],
            "x": TOKENS,
            "h0": REAL[1:],
            "s0": REAL[1:],
            "squash": NAME,
            "held": [3, "f", {"o": 1}, {"f": 2}, {"g": -1}, {"q": "a"}, {"f": [1, 1]}],
        },
    ),
    "reference.gru_forward": (
        reference.gru_forward,
        {"params": GRU, "x": X, "h0": None, "reset": "before", "squash": "tanh"},
        {
            "params": [*UNFIT["gru"], {**GRU, "bh": GRU["b"]}],
            "x": TOKENS,
            "h0": REAL[1:],
            "reset": NAME,
            "squash": NAME,
        },
    ),
    **{
        f"reference.{kind}_backward": (
            getattr(reference, f"{kind}_backward"),
            {"params": params, "run": run, "y": Y, "mask": None},
            {
                "params": [*UNFIT[kind], {name: p[None] for name, p in params.items()}],
                "run": [None, 3, {}, RUN, other],
                "y": TOKENS,
                "mask": MASK,
            },
        )
        for kind, params, run, other in GATED_RUNS
    },
    **{
        f"reference.{kind}_gradient_through_time": (
            getattr(reference, f"{kind}_gradient_through_time"),
            {"params": params, "run": run, "grad_last": GH[-1]},
            {"params": UNFIT[kind], "run": [None, 3, RUN], "grad_last": [*REAL, [1, 2], 1]},
        )
        for kind, params, run, _ in GATED_RUNS
    },
    "reference.gru_as_printed": (
        reference.gru_as_printed,
        {"params": GRU, "x": X, "h1": None, "squash": "sigmoid"},
        {"params": UNFIT["gru"], "x": TOKENS, "h1": REAL[1:], "squash": NAME},
    ),
    **{
        f"reference.{function.__name__}": (
            function,
            {"b": LSTM["b"], "Ux": LSTM_RUN.f, "Wh": LSTM_RUN.g, "seen": LSTM_RUN.s},
            dict.fromkeys(["b", "Ux", "Wh", "seen"], REAL),
        )
        for function in (reference.forget_gate, reference.input_gate, reference.output_gate)
    },
    **{
        f"reference.{function.__name__}": (
            function,
            {"b": GRU["b"], "Ux": GRU_RUN.u, "Wh": GRU_RUN.r},
            dict.fromkeys(["b", "Ux", "Wh"], REAL),
        )
        for function in (reference.update_gate, reference.reset_gate)
    },
    "reference.cell_input": (
        reference.cell_input,
        {"b": LSTM["b"], "Ux": LSTM_RUN.f, "Wh": LSTM_RUN.g, "squash": "sigmoid"},
        {"b": REAL, "Ux": REAL, "Wh": REAL, "squash": NAME},
    ),
    "reference.target_state": (
        reference.target_state,
        {"b": GRU["b"], "Ux": GRU_RUN.u, "Wrh": GRU_RUN.r, "squash": "sigmoid"},
        {"b": REAL, "Ux": REAL, "Wrh": REAL, "squash": NAME},
    ),
    "reference.cell_state": (
        reference.cell_state,
        {"f": LSTM_RUN.f, "s_prev": LSTM_RUN.s_prev, "g": LSTM_RUN.g, "cell_input": LSTM_RUN.f},
        dict.fromkeys(["f", "s_prev", "g", "cell_input"], REAL),
    ),
    "reference.cell_output": (
        reference.cell_output,
        {"s": LSTM_RUN.s, "q": LSTM_RUN.q},
        {"s": REAL, "q": REAL},
    ),
    "reference.gru_state": (
        reference.gru_state,
        {"u": GRU_RUN.u, "h_prev": GRU_RUN.h_prev, "target": GRU_RUN.target},
        dict.fromkeys(["u", "h_prev", "target"], REAL),
    ),
    "reference.state_jacobian": (
        reference.state_jacobian,
        {"W": P["W"], "slope": SLOPE},
        {"W": REAL, "slope": REAL},
    ),
    "reference.step_loss": (
        reference.step_loss,
        {"log_yhat": RUN.log_yhat, "y": Y},
        {"log_yhat": REAL, "y": TOKENS},
    ),
    "reference.sum_outer": (reference.sum_outer, {"p": RUN.h, "q": RUN.h}, {"p": REAL, "q": REAL}),
    "reference.times": (reference.times, {"M": P["W"], "v": RUN.h}, {"M": REAL, "v": REAL}),
    "circuits.Edge": (
        Edge,
        {"source": "a", "target": "b", "parameter": "W", "delay": 0},
        {
            "source": ["", None, 3],
            "target": ["", None, 3],
            "parameter": ["", 3],
            "delay": [-1, 1.5, "1", None, NAN, True],
        },
    ),
    "circuits.Circuit": (
        Circuit,
        {"nodes": ["a"], "edges": [], "last": []},
        {
            "nodes": [[], None, 3, "ab", ["a", "a"], [""], [3]],
            "edges": [None, 3, [3], ["ab"], "ab"],
            "last": [None, ["q"], "a", 3],
        },
    ),
    "circuits.Circuit.unfold": (CIRCUIT.unfold, {"T": 3}, {"T": COUNT}),
    "circuits.Circuit.from_dict": (
        Circuit.from_dict,
        {"data": CIRCUIT.to_dict()},
        {"data": [None, {}, 3, "a", [], {"nodes": ["a"], "edges": [3]}, np.zeros(3)]},
    ),
    "circuits.Graph": (
        FIGURES["10.1"].unfold(2).evaluate,
        {"functions": {"s": abs}, "given": {("s", 0): 1}},
        {"functions": [None, 3, {"s": 3}], "given": [None, {}, 3, {"s": 3}, {("q", 1): 2}]},
    ),
    "circuits.Graph.shortest_path": (
        CIRCUIT.unfold(3).shortest_path,
        {"source": ("h", 1), "target": ("h", 3)},
        {"source": [None, "h", ("z", 1), ("h", 9)], "target": [None, "h", ("z", 1), ["h", 3]]},
    ),
    "circuits.Graph.copies": (
        CIRCUIT.unfold(2).copies,
        {"parameter": "W"},
        {"parameter": [None, "Q", 3, []]},
    ),
    "tasks.expression_value": (tasks.expression_value, {"expression": ("-", "3")}, {}),
    "tasks.expression_symbols": (tasks.expression_symbols, {"expression": ("-", "3")}, {}),
    "tasks.nesting": (tasks.nesting, {"expression": ("-", "3")}, {}),
    "tasks.parse_expression": (
        tasks.parse_expression,
        {"text": "-(1+2)"},
        {"text": [None, 3, "", "5", "1+", "(1", "1 2", "(" * 5000]},
    ),
    "tasks.part_values": (tasks.part_values, {"expression": ("-", "3")}, {}),
    "tasks.lay_out": (tasks.lay_out, {"expression": ("-", "3"), "laid": "chain"}, {"laid": NAME}),
    "tasks.random_expression": (
        tasks.random_expression,
        {"deep": 3, "seed": 0},
        {"deep": [-1, 1.5, "a", None, 31], "seed": NO_SEED},
    ),
    "tasks.expression_batches": (
        tasks.expression_batches,
        {"laid": "chain", "deep": [1, 2], "batch_size": 3, "seeds": [0, 1], "shapes": 0},
        {
            "laid": NAME,
            "deep": [None, 3, [], [-1], [1.5]],
            "signs": NAME,
            "negated": [-1, 1.0, "a", None, NAN],
            "batch_size": COUNT,
            "seeds": [None, 3],
            "shapes": NO_SEED,
        },
    ),
    "tasks.Corpus": (CORPUS.encode, {"text": "a"}, {"text": [None, 3, b"x", ["a"], NAN, "ж"]}),
    "tasks.Corpus.decode": (
        CORPUS.decode,
        {"tokens": [1]},
        {"tokens": [value for value in TOKENS if value != []]},
    ),
    "tasks.CountSinceReset": (
        tasks.CountSinceReset,
        {"reset": 0.1},
        {"reset": [-0.1, 1.1, NAN, "a", None], "one": [-0.1, 1.1, NAN, "a", None]},
    ),
    "tasks.CountSinceReset.baseline": (
        tasks.CountSinceReset().baseline,
        {"n_steps": 3},
        {"n_steps": COUNT},
    ),
    "tasks.CountSinceReset.batches": (
        first(tasks.CountSinceReset().batches),
        {"n_steps": 3, "batch_size": 2, "seed": 0},
        {"n_steps": COUNT, "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.Facts": (
        tasks.Facts,
        {"n_names": 4, "n_facts": 3, "hops": 2},
        {"n_names": [*COUNT, 2], "n_facts": [*COUNT, 5], "hops": COUNT},
    ),
    "tasks.Facts.batches": (
        first(tasks.Facts(4, 3).batches),
        {"batch_size": 2, "seed": 0},
        {"batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.CopyBits": (tasks.CopyBits, {"n_bits": 2}, {"n_bits": COUNT}),
    "tasks.CopyBits.batches": (
        first(tasks.CopyBits(2).batches),
        {"lengths": [1, 3], "batch_size": 2, "seed": 0},
        {
            "lengths": [None, 3, [], [0], [1.5], "a"],
            "batch_size": COUNT,
            "seed": [*SEED, []],
        },
    ),
    "tasks.Pairs": (
        tasks.Pairs,
        {"n_values": 2, "width": 3},
        {"n_values": [*COUNT, 1], "width": COUNT},
    ),
    "tasks.Pairs.batches": (
        first(tasks.Pairs(2, 3).batches),
        {"lengths": [1, 3], "batch_size": 2, "seed": 0},
        {
            "lengths": [None, 3, [], [0], [1.5], "a"],
            "batch_size": COUNT,
            "seed": [*SEED, []],
        },
    ),
    "tasks.BothSides": (tasks.BothSides, {"reach": 2}, {"reach": COUNT}),
    **{
        f"tasks.BothSides.{name}": (
            getattr(tasks.BothSides(), name),
            {"ahead": 2},
            {"ahead": [-1, 2.5, "a", NAN]},
        )
        for name in ("optimum", "nats")
    },
    "tasks.BothSides.batches": (
        first(tasks.BothSides(2).batches),
        {"n_steps": 6, "batch_size": 2, "seed": 0},
        {"n_steps": [*COUNT, 4], "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.Lexicon": (
        tasks.Lexicon,
        {"words": ("bow", "boy")},
        {"words": [None, 3, [], ["bow"], ["bow", 3], ["bow", "bowl"], ["", "bow"]]},
    ),
    "tasks.Lexicon.read": (LEXICON.read, {"text": "boybo"}, {"text": [None, 3, ["b"], "bö"]}),
    "tasks.Lexicon.spell": (LEXICON.spell, {"x": [1, 2]}, {"x": [None, "a", [99], [[1]], 0.5]}),
    "tasks.Lexicon.bets": (
        LEXICON.bets,
        {"x": [1, 2], "delay": 1},
        {"x": [None, "a", [99], [[1]], [1, 0], [1, 1]], "delay": [-1, 2.5, "a", NAN]},
    ),
    "tasks.Lexicon.starts": (LEXICON.starts, {"n_letters": 4}, {"n_letters": COUNT}),
    **{
        f"tasks.Lexicon.{name}": (
            getattr(LEXICON, name),
            {"n_letters": 4, "delay": 1},
            {"n_letters": COUNT, "delay": [-1, 2.5, "a", NAN]},
        )
        for name in ("best", "optimum")
    },
    "tasks.Lexicon.batches": (
        first(LEXICON.batches),
        {"n_letters": 5, "batch_size": 2, "seed": 0},
        {"n_letters": COUNT, "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.Joined": (
        tasks.Joined,
        {"size": 6, "lengths": [5]},
        {"size": [*COUNT, 5], "lengths": [None, 3, [], [4], [5.5], [99]]},
    ),
    "tasks.Joined.batches": (
        first(tasks.Joined(6, (5,)).batches),
        {"batch_size": 2, "seed": 0},
        {"batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.joined": (tasks.joined, {"picture": [[2, 1, 2]]}, {"picture": PICTURES}),
    "tasks.reached": (
        tasks.reached,
        {"picture": [[2, 1, 2]], "start": (0, 0)},
        {"picture": PICTURES, "start": [None, 3, (0,), (0, 3), (-1, 0), (0.5, 0)]},
    ),
    "tasks.Ends": (
        tasks.Ends,
        {"weights": (1, 2), "shortest": 2},
        {"weights": [None, "a", [], [0.0], [-1.0, 2], NAN, 3, [[1]]], "shortest": [*COUNT, 1]},
    ),
    "tasks.Ends.sample": (
        tasks.Ends().sample,
        {"size": 2, "seed": 0},
        {"size": COUNT, "seed": SEED},
    ),
    "tasks.Ends.batches": (
        first(tasks.Ends().batches),
        {"batch_size": 2, "seed": 0},
        {"batch_size": COUNT, "seed": [*SEED, []]},
    ),
    **{
        f"tasks.Ends.{name}": (
            getattr(tasks.Ends(), name),
            {"y": [[0], [1], [2]], "lengths": [3]},
            {
                "y": [None, "a", 3, [[3]], [[0.5]], RAGGED],
                "lengths": [None, "a", 3, [4], [-1], [1.5]],
            },
        )
        for name in ("proper", "log_probability", "text")
    },
    "tasks.Latch": (
        tasks.Latch,
        {"noise": 0.1, "onset": 2, "marker": True},
        {
            "noise": [-1, NAN, INF, "a", None],
            "onset": [-1, 2.5, "a", None, NAN],
            "marker": [1, None, "a"],
        },
    ),
    "tasks.Latch.batches": (
        first(tasks.Latch(onset=4).batches),
        {"n_steps": 5, "batch_size": 2, "seed": 0},
        {"n_steps": [*COUNT, 4], "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.NGram": (
        tasks.NGram,
        {"order": 2, "tokens": X, "n": 3},
        {"order": [*COUNT, 4, 99], "tokens": TOKENS, "n": COUNT},
    ),
    "tasks.NGram.bits": (
        tasks.NGram(2, X, 3).bits,
        {"tokens": X},
        {"tokens": [*TOKENS, [1]]},
    ),
    "tasks.NGram.probabilities": (
        tasks.NGram(2, X, 3).probabilities,
        {"tokens": X},
        {"tokens": [value for value in TOKENS if value != []]},
    ),
    "tasks.NGram.sample": (
        tasks.NGram(2, CORPUS.train, N).sample,
        {"corpus": CORPUS, "length": 3, "seed": 0, "temperature": 1.0, "prompt": ""},
        {
            "corpus": [None, 3, "topics"],
            "length": COUNT,
            "seed": SEED,
            "temperature": POSITIVE,
            "prompt": [None, 3, ["a"]],
        },
    ),
    "tasks.compressed_bits": (
        tasks.compressed_bits,
        {"corpus": CORPUS},
        {"corpus": [None, 3, "topics"]},
    ),
    "tasks.handwritten_digits": (
        tasks.handwritten_digits,
        {"held_out": True},
        {"held_out": [1, None, "a"]},
    ),
    "tasks.SameOpposite": (
        tasks.SameOpposite,
        {"noise": 0.1},
        {"noise": [-1, NAN, INF, "a", None]},
    ),
    "tasks.TemporalOrder": (tasks.TemporalOrder, {"n_distractors": 3}, {"n_distractors": COUNT}),
    "tasks.Adding": (
        first(tasks.Adding().batches),
        {"n_steps": 5, "batch_size": 2, "seed": 0},
        {"n_steps": [*COUNT, 1], "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.accuracy": (
        tasks.accuracy,
        {
            "params": reference.init_rnn(1, 4, 2),
            "batch": next(tasks.Latch().batches(3, 2, 0)),
            "nonlinearity": "tanh",
        },
        {
            "params": PARAMS,
            "batch": [None, 3, (), (X,), (X, Y, None, None)],
            "nonlinearity": NAME,
        },
    ),
    "tasks.bigram_bits": (tasks.bigram_bits, {"corpus": CORPUS}, {"corpus": [None, 3, "topics"]}),
    "tasks.unigram_bits": (tasks.unigram_bits, {"corpus": CORPUS}, {"corpus": [None, 3, "topics"]}),
    "tasks.bits_per_character": (
        tasks.bits_per_character,
        {"params": P, "tokens": X, "nonlinearity": "tanh"},
        {"params": PARAMS, "tokens": TOKENS, "nonlinearity": NAME},
    ),
    "tasks.character_model": (
        tasks.character_model,
        {"nonlinearity": "tanh", "clip_hidden": 1.0},
        {"nonlinearity": NAME, "clip_hidden": [0, -1, NAN, "a", [1]]},
    ),
    "tasks.character_model()": (
        tasks.character_model(),
        {"params": P, "batch": (X[:, None], Y[:, None])},
        {"params": PARAMS, "batch": [None, 3, (), (X,), (X, Y, None, None)]},
    ),
    "tasks.number_model": (
        tasks.number_model,
        {"nonlinearity": "tanh", "clip_hidden": 1.0},
        {"nonlinearity": NAME, "clip_hidden": [0, -1, NAN, "a", [1]]},
    ),
    "tasks.number_model()": (
        tasks.number_model(),
        {"params": reference.init_rnn(2, 4, 1), "batch": next(tasks.Adding().batches(3, 2, 0))},
        {
            "params": [*PARAMS, reference.init_rnn(2, 4, 2)],
            "batch": [None, 3, (), (FRAME,), (FRAME, Y, None, None)],
        },
    ),
    "tasks.characters": (
        tasks.characters,
        {"source": "topics", "held_out": 0.1},
        {
            "source": [None, 3, "", "no/such/file", Path("no/such/file"), "a" * 10**5],
            "held_out": [0, 1, -1, NAN, INF, "a", None, 1e-9, 1 - 1e-12],
        },
    ),
    "tasks.forecast": (
        tasks.forecast,
        {"series": [1.0, 2, 4], "ahead": 1},
        {"series": [*REAL, 3.0, np.zeros((3, 2, 1)), []], "ahead": [*COUNT, 3]},
    ),
    "tasks.from_csv": (
        partial(tasks.from_csv, path="no/such.csv", column="level"),
        None,
        {
            "path": [None, 3, "", "no/such.csv", Path("no/such.csv"), b"x", Path(__file__).parent],
            "column": [None, 3, b"x", ["a"], NAN],
        },
    ),
    "tasks.mackey_glass": (
        tasks.mackey_glass,
        {"n_steps": 3, "start": 0.5, "tau": 2, "washout": 0, "per_unit": 1},
        {
            **dict.fromkeys(["n_steps", "tau", "per_unit"], COUNT),
            "washout": TIME,
            "start": [*REAL, -0.1, 10.1, [1, -1], [], [[1.0]]],
        },
    ),
    "tasks.narma10": (
        tasks.narma10,
        {"n_steps": 3, "seed": 0},
        {"n_steps": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.Dates": (
        tasks.Dates,
        {"locales": ("en_US",), "lengths": ("short",), "first": 2000, "last": 2009},
        {
            "locales": [3, (), ("xx_XX",), (3,), None],
            "lengths": [3, (), ("tiny",), None],
            "first": COUNT,
            "last": COUNT,
        },
    ),
    "tasks.Reversal": (
        tasks.Reversal,
        {"shortest": 2, "longest": 4, "n_symbols": 10},
        {"shortest": COUNT, "longest": COUNT, "n_symbols": COUNT},
    ),
    "tasks.Dates.pairs": (
        DATES.pairs,
        {"size": 2, "seed": 0},
        {"size": COUNT, "seed": NO_SEED},
    ),
    "tasks.Dates.batches": (
        first(DATES.batches),
        {"batch_size": 2, "seed": 0},
        {"batch_size": COUNT, "seed": NO_SEED},
    ),
    "tasks.Dates.readings": (DATES.readings, {"text": "3/4/05"}, {"text": [None, 3, ["3/4/05"]]}),
    "tasks.Dates.best_accuracy": (
        DATES.best_accuracy,
        {"texts": ["3/4/05"]},
        {"texts": [None, 3, []]},
    ),
    "tasks.Dates.encode": (
        DATES.encode,
        {"texts": ["3/4/05"]},
        {"texts": [None, 3, [], [""], [3], ["§"]]},
    ),
    "tasks.Dates.encode_dates": (
        DATES.encode_dates,
        {"dates": ["2005-04-03"]},
        {"dates": [None, 3, [], ["3/4/05"], ["2005-04-3"], [3]]},
    ),
    "tasks.Reversal.nats": (tasks.Reversal().nats, {"length": 3}, {"length": COUNT}),
    "tasks.Reversal.batches": (
        first(tasks.Reversal().batches),
        {"batch_size": 2, "seed": 0, "backwards": False},
        {"batch_size": COUNT, "seed": NO_SEED, "backwards": [None, 3, "no"]},
    ),
    "tasks.TwoDigits": (tasks.TwoDigits, {"jitter": 1}, {"jitter": [-1, 3, 0.5, "a", None]}),
    "tasks.TwoDigits.caption": (
        tasks.TwoDigits().caption,
        {"first": 3, "second": 7, "place": "left"},
        {"first": [10, -1, 0.5, "a", None], "second": [10, -1, 0.5, "a", None], "place": NAME},
    ),
    "tasks.TwoDigits.sentence": (
        tasks.TwoDigits().sentence,
        {"words": [3, 10, 12, 7, 13]},
        {"words": [None, "a", [99], [0.5], 3]},
    ),
    "tasks.TwoDigits.picture": (
        tasks.TwoDigits().picture,
        {"first": np.ones((8, 8)), "second": np.ones((8, 8)), "place": "left"},
        {
            "first": [None, 3, np.ones((7, 8))],
            "second": [None, 3, [1.0]],
            "place": NAME,
            "moved": [((3, 0), (0, 0)), ((0.5, 0), (0, 0)), ((0, 0), (0,))],
        },
    ),
    "tasks.TwoDigits.batches": (
        first(tasks.TwoDigits().batches),
        {"batch_size": 2, "seed": 0, "held_out": False, "combinations": "seen"},
        {
            "batch_size": COUNT,
            "seed": NO_SEED,
            "held_out": [None, 3, "no"],
            "combinations": NAME,
        },
    ),
    "tasks.NoisyParity": (
        tasks.NoisyParity,
        {"order": 2, "noise": 0.1},
        {"order": [*COUNT, 31], "noise": [0, 0.6, NAN, INF, "a", None, [1]]},
    ),
    "tasks.NoisyParity.entropy": (tasks.NoisyParity().entropy, {"n_steps": 3}, {"n_steps": COUNT}),
    **{
        f"tasks.NoisyParity.{name}": (
            getattr(tasks.NoisyParity(), name),
            {"y": [0, 1]},
            {"y": [None, "a", 1, [2], [-1], [0.5], RAGGED]},
        )
        for name in ("following", "log_probabilities", "log_probability")
    },
    "tasks.NoisyParity.sample": (
        tasks.NoisyParity().sample,
        {"n_steps": 3, "size": 2, "seed": 0},
        {"n_steps": COUNT, "size": COUNT, "seed": SEED},
    ),
    "tasks.NoisyParity.batches": (
        first(tasks.NoisyParity().batches),
        {"n_steps": 3, "batch_size": 2, "seed": 0},
        {"n_steps": COUNT, "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.Oscillator": (
        tasks.Oscillator,
        {"period": 9.5, "overtone": 0},
        {"period": [*POSITIVE, 4], "overtone": [NAN, INF, "a", None]},
    ),
    "tasks.Oscillator.wave": (
        tasks.Oscillator().wave,
        {"n_steps": 3, "phase": [0.0, 1.0]},
        {"n_steps": COUNT, "phase": [None, "a", NAN, RAGGED]},
    ),
    "tasks.Oscillator.batches": (
        first(tasks.Oscillator().batches),
        {"n_steps": 5, "batch_size": 2, "seed": 0},
        {"n_steps": COUNT, "batch_size": COUNT, "seed": [*SEED, []]},
    ),
    "tasks.with_coins": (
        first(tasks.with_coins),
        {"waves": [WAVE], "share": lambda step: 0.5, "seed": 0, "warm_up": 2},
        {
            "waves": [None, 3],
            "share": [*FUNCTION, lambda step: 1.5, lambda step: NAN],
            "seed": [*SEED, []],
            "warm_up": COUNT,
        },
    ),
    "tasks.normalised_error": (
        tasks.normalised_error,
        {"y": [1.0, 2, 4], "guess": 2.0},
        {
            "y": [*REAL, 3.0, [], [1, 1, 1], np.zeros((3, 2)), np.zeros((3, 1))],
            "guess": [*REAL, [1, 2], [[1], [2], [4]]],
        },
    ),
    "tasks.two_scales": (
        tasks.two_scales,
        {"n_steps": 3, "seed": 0, "fast": 4, "slow": 9.5},
        {
            "n_steps": COUNT,
            "seed": [*SEED, []],
            "fast": [*POSITIVE, 2, 9.5, 10],
            "slow": [*POSITIVE, 2, 4],
        },
    ),
    "tasks.minibatches": (
        first(tasks.minibatches),
        {"tokens": np.arange(20), "n_steps": 3, "batch_size": 2, "seed": 0},
        {
            "tokens": [value for value in TOKENS if value != [0, 99, 1]],
            "n_steps": [*COUNT, 50],
            "batch_size": COUNT,
            "seed": [*SEED, []],
        },
    ),
    "tasks.Vocabulary": (tasks.Vocabulary, {"words": "ab"}, {"words": [None, 3, [], "aa", [3]]}),
    "tasks.Vocabulary.most_frequent": (
        tasks.Vocabulary.most_frequent,
        {"sentences": [["a", "b"]], "n_words": 1},
        {"sentences": [None, 3, [], [[]], [[3]], [3]], "n_words": COUNT},
    ),
    "tasks.Vocabulary.encode": (
        tasks.Vocabulary("ab").encode,
        {"sentence": "ab"},
        {"sentence": [None, 3, "x", ["a", 3]]},
    ),
    "tasks.Vocabulary.decode": (
        tasks.Vocabulary("ab").decode,
        {"tokens": [3, 1, 0]},
        {"tokens": [None, 3, "a", NAN, [-1], [99], [0.5], [[1]]]},
    ),
    "tasks.sentences": (tasks.sentences, {}, {"source": [None, 3, "no such", ["topics"]]}),
    "tasks.text_features": (tasks.text_features, {"text": "a"}, {"text": [None, 3, b"x", ["a"]]}),
    "tasks.unit_correlations": (
        tasks.unit_correlations,
        {"h": [[0.5], [1.0]], "feature": [0, 1]},
        {
            "h": [*REAL, [0.5, 1.0], np.zeros((0, 1))],
            "feature": [*REAL, [1], [[0], [1]]],
        },
    ),
    "tasks.pad": (
        tasks.pad,
        {"sequences": [[0, 1], [1, 0, 1]], "padding": 2},
        {"sequences": SEQUENCES, "padding": TIME},
    ),
    "tasks.length_sorted_batches": (
        first(tasks.length_sorted_batches),
        {"sequences": [[0, 1], [1, 0, 1]], "batch_size": 2, "seed": 0, "padding": 2},
        {"sequences": SEQUENCES, "batch_size": COUNT, "seed": SEED, "padding": TIME},
    ),
    "tasks.padding_share": (
        tasks.padding_share,
        {"batches": [tasks.pad([[0, 1]], 2)]},
        {"batches": [None, 3, [], [3], [(X, Y)], [(X, Y, None)], [([], [], [])]]},
    ),
    "tasks.sample": (
        tasks.sample,
        {
            "params": reference.init_rnn(N, 4, N),
            "corpus": CORPUS,
            "length": 3,
            "seed": 0,
            "temperature": 1.0,
            "prompt": "",
            "nonlinearity": "tanh",
        },
        {
            "params": [*PARAMS, P, SEEDED],
            "corpus": [None, 3, "topics"],
            "length": COUNT,
            "seed": SEED,
            "temperature": POSITIVE,
            "prompt": [None, 3, ["a"]],
            "nonlinearity": NAME,
        },
    ),
    "training.SGD": (tr.SGD, {"lr": 0.1}, {"lr": POSITIVE}),
    "training.Nesterov": (
        tr.Nesterov,
        {"lr": 0.1, "momentum": 0.9},
        {"lr": POSITIVE, "momentum": [1, -1, NAN, "a", None]},
    ),
    "training.Adam": (
        tr.Adam,
        {"lr": 0.1, "beta1": 0.9, "beta2": 0.9, "epsilon": 1e-8},
        {
            "lr": POSITIVE,
            "beta1": [1, -1, NAN, "a", None],
            "beta2": [1, 2, NAN, "a", None],
            "epsilon": POSITIVE,
        },
    ),
    "training.ByNorm": (
        tr.ByNorm,
        {"threshold": 1.0, "rescue": 0},
        {"threshold": POSITIVE, "rescue": [*NO_SEED, []]},
    ),
    "training.ByElement": (
        tr.ByElement,
        {"threshold": 1.0, "rescue": [0, 1]},
        {"threshold": POSITIVE, "rescue": [*NO_SEED, []]},
    ),
    "training.RandomStep": (
        tr.RandomStep,
        {"threshold": 1.0, "seed": 0},
        {"threshold": POSITIVE, "seed": [*NO_SEED, None, []]},
    ),
    "training.fit": (
        tr.fit,
        {
            "loss_and_grads": quadratic,
            "params": P,
            "batches": [0] * 5,
            "steps": 2,
            "optimizer": tr.SGD(0.1),
        },
        {
            "loss_and_grads": [
                None,
                3,
                lambda params, batch: None,
                lambda params, batch: (1,),
                lambda params, batch: ("a", params),
                lambda params, batch: (np.ones(2), params),
                lambda params, batch: (np.ones((2, 2)), params),
            ],
            "params": [None, {}, 3, {"a": "b"}, {"a": NAN}, {"a": None}],
            "batches": [None, 3, [], [0]],
            "steps": COUNT,
            "optimizer": [None, 3, "sgd", tr.SGD, {}, set()],
            "clip": [0, -1, NAN, "a", tr.ByNorm],
            "on_step": FUNCTION,
        },
    ),
    "training.fit_in_parts": (
        first(tr.fit_in_parts),
        {
            "loss_and_grads": quadratic,
            "params": P,
            "batches": [0] * 5,
            "steps": 2,
            "every": 1,
            "optimizer": tr.SGD(0.1),
        },
        {"steps": COUNT, "every": COUNT},
    ),
    "plots.Plot": (
        plots.Plot,
        {"figure": plots.subplots()[0], "alt": "a"},
        {"figure": [None, 3], "alt": ["", None, 3, " "]},
    ),
    "plots.activation": (
        lambda names="tanh", limit=6: plots.activation(names, limit=limit),
        {},
        {"names": NAME, "limit": [*POSITIVE, 1e308]},
    ),
    "plots.automaton_graph": (
        plots.automaton_graph,
        {"machine": AUTOMATON},
        {"machine": [None, 3, "ab", P], "string": STRING},
    ),
    "plots.left_alone": (
        plots.left_alone,
        {"said": {"a": [0.0, 1]}, "errors": {"a": [0.0, 1]}, "right": [1.0, 1], "since": 1},
        {
            **{key: [None, 3, {}, {"b": [0.0, 1]}, {"a": [NAN, 1]}] for key in ("said", "errors")},
            "right": [*REAL, 0.5, [[0.5]]],
            "since": [*COUNT, 3],
        },
    ),
    "plots.gradient_norms": (
        plots.gradient_norms,
        {"histories": history(), "threshold": 1.0},
        {"histories": [None, 3, "a", {}, {"a": 3}], "threshold": [0, -1, NAN, INF, "a", [1]]},
    ),
    "plots.translation_graph": (
        plots.translation_graph,
        {
            "source": "a",
            "target": "b",
            "arrows": [(("x", 1), ("h", 1))],
            "path": [("x", 1), ("h", 1)],
        },
        {
            "source": [None, 3, ""],
            "target": [None, 3, ""],
            "arrows": [None, 3, [], "a", [3], [("x", 1)], [(("x", 2), ("h", 1))]],
            "path": [None, 3, "a", [("x", 2)], [("h", 1), ("x", 1)]],
        },
    ),
    "plots.tree_graph": (
        plots.tree_graph,
        {
            "tree": (0, 1),
            "words": ["a", "b"],
            "values": {(0, 2): ("3", True)},
        },
        {
            "tree": [None, "a", (0, 1, 2), (1, 0), [0, 1]],
            "words": [None, 3, [], ["a"]],
            "values": [3, "a", {(0, 3): ("3", True)}, {(0, 2): "3"}],
        },
    ),
    "plots.tree_row": (
        plots.tree_row,
        {"trees": {"a": ((0, 1), ["a", "b"])}},
        {"trees": [None, 3, {}, {"a": 3}, {"a": ((0, 1),)}]},
    ),
    "plots.recursive_graph": (
        plots.recursive_graph,
        {"tree": (0, 1), "words": ["a", "b"], "values": ["1", "2", "3"]},
        {
            "tree": [None, "a", (0, 1, 2), (1, 0), [0, 1]],
            "words": [None, 3, [], ["a"]],
            "values": [None, 3, [], ["1", "2"]],
        },
    ),
    "plots.attention_weights": (
        plots.attention_weights,
        {"weights": [[0.5, 0.5]], "read": "ab", "written": "c", "right": {"a": 0.5}},
        {
            "right": [3, "a", {"a": NAN}, {"a": 2}, {"a": None}, {"a": [0.5]}],
            "weights": [None, "a", NAN, [0.5], [[0.5, 1.5]], [[-0.5, 0.5]], [[]]],
            "read": [None, 3, "a", []],
            "written": [None, 3, "ab", []],
            "names": [None, 3, [], ["a"], ["a", 3]],
        },
    ),
    "plots.beam_tree": (
        plots.beam_tree,
        {"tree": {"a": (0.6, {"b": 1.0}), "c": (0.4, {"d": 0.5, "e": 0.5})}, "width": 2},
        {
            "tree": [None, 3, [], {}, {"a": 0.6}, {"a": (0.6, {})}, {"a": (1.5, {"b": 1.0})}],
            "width": COUNT,
        },
    ),
    "plots.written_lengths": (
        plots.written_lengths,
        {"written": {"a": [(2, True), (3, False)]}, "probabilities": [0.5, 0.5], "shortest": 2},
        {
            "written": [None, 3, {}, "a", {"a": 3}],
            "probabilities": [None, "a", NAN, [[0.5, 0.5]]],
            "shortest": COUNT,
        },
    ),
    "plots.captions": (
        plots.captions,
        {"pictures": np.zeros((1, 4, 4)), "said": ["a"], "true": ["b"], "right": {"c": 0.5}},
        {
            "pictures": [None, 3, "a", NAN, np.zeros((7, 4, 4)), np.zeros((4, 4))],
            "said": [None, 3, [], ["a", "b"], [3]],
            "true": [3, [], ["a", "b"], [3]],
            "right": [3, "a", {"c": NAN}, {"c": 2}, {"c": None}],
        },
    ),
    "plots.lines": (
        plots.lines,
        {"x": [1, 2], "ys": [1.0, 2.0]},
        {
            "x": REAL,
            "ys": REAL,
            "labels": [3, ["a", "b"], []],
            "kinds": [3, ["no"], "no", ["loss", "loss"]],
            "low": REAL[1:],
            "high": REAL[1:],
            "log": ["no", None, 3, ["x"]],
            "marks": [None, 3, [3], [(NAN, "a")], [("a", "b")]],
        },
    ),
    "plots.probabilities": (
        plots.probabilities,
        {"yhat": RUN.yhat, "alphabet": "abc"},
        {
            "yhat": REAL,
            "alphabet": [None, 3, "", "ab"],
            "symbols": [3, "a", ["a"], [1, 2, 3]],
            "target": TOKENS[1:],
            "top": COUNT,
        },
    ),
    "plots.following_units": (
        plots.following_units,
        {"h": [[0.5], [1.0]], "feature": [0, 1]},
        {
            "h": [*REAL, [[0.5], [2.0]], [0.5, 1.0], np.zeros((0, 1))],
            "feature": [*REAL, [1], [[0], [1]]],
            "symbols": [3, "a", [1, 2]],
            "unit": [0, 2, 0.5, "a"],
        },
    ),
    "plots.spelling": (
        plots.spelling,
        {"params": P, "word": "abca", "letters": "abc"},
        {
            "params": [*PARAMS, SEEDED],
            "word": [None, 3, "", "a", "abd", "a" * 30],
            "letters": [None, 3, "", "ab"],
        },
    ),
    "plots.states": (
        plots.states,
        {"h": RUN.h},
        {
            "h": REAL,
            "symbols": [3, "a", [1, 2, 3]],
            "units": WORDS,
            "limits": [3, (1,), (0, 0), (1, -1), ("a", "b"), (NAN, 1)],
        },
    ),
    "plots.style": (plots.style, {}, {}),
    "plots.subplots": (
        plots.subplots,
        {},
        {"nrows": COUNT, "ncols": COUNT, "width": POSITIVE, "height": POSITIVE},
    ),
    "plots.success_curves": (
        plots.success_curves,
        {"steps": [1, 2], "accuracy": [[0.5, 0.6], [0.5, 1.0]], "threshold": 0.9},
        {
            "steps": [*REAL, [2, 1], [1, 1]],
            "accuracy": [*REAL, [[0.5], [1.5]], [[0.5], [-0.5]], [0.5, 0.5]],
            "threshold": [0, 1, NAN, "a", None],
        },
    ),
    "plots.training_curves": (
        plots.training_curves,
        {"histories": history()},
        {
            "histories": [None, {}, 3, {"a": 3}, [history()]],
            "clip": [value for value in POSITIVE if value is not None],
            "sample": [3, ["a"]],
        },
    ),
    "plots.deep_designs": (plots.deep_designs, {}, {}),
    "plots.bidirectional_graph": (plots.bidirectional_graph, {"T": 3}, {"T": [*COUNT, 8]}),
    "plots.vector_entries": (plots.vector_entries, {}, {}),
    "plots.unfolded_graph": (
        plots.unfolded_graph,
        {"circuit": CIRCUIT, "T": 3},
        {
            "circuit": [None, 3, "10.3"],
            "T": [value for value in COUNT if value is not None],
            "highlight": ["Q", 3, "", ["W"]],
        },
    ),
    "experiments.attempts": (
        first(experiments.attempts),
        {
            "task": tasks.Latch(),
            "n_steps": 3,
            "kind": "orthogonal",
            "radius": 1.0,
            "seeds": [0, 1],
            "n_h": 4,
            "batch_size": 2,
            "optimizer": tr.SGD(0.1),
            "steps": 2,
            "every": 1,
        },
        {
            "task": [None, 3, "latch", tasks.Adding()],
            "n_steps": COUNT,
            "kind": NAME,
            "radius": [value for value in POSITIVE if value is not None],
            "seeds": [None, 3, [], [-1], [0.5], "a"],
            "n_h": COUNT,
            "batch_size": COUNT,
            "optimizer": [None, 3, "SGD", 0.1],
            "steps": COUNT,
            "every": [value for value in COUNT if value is not None],
        },
    ),
    "experiments.choose": (
        experiments.choose,
        {
            "settings": {"a": [0.1, 0.3, 1], "b": [1, 2, 3]},
            "score": lambda tries, seeds: np.zeros((len(tries), len(seeds))),
            "first": 2,
            "seeds": 2,
        },
        {
            "settings": [None, 3, [0.1, 0.3], {}, {"a": 3}, {"a": [1, 1]}, {"a": [1], "b": [1, 2]}],
            "score": [
                *(None, *FUNCTION),
                lambda tries, seeds: np.zeros(len(tries)),
                lambda tries, seeds: np.full((len(tries), len(seeds)), NAN),
            ],
            "first": [*COUNT, 4],
            "seeds": COUNT,
        },
    ),
    "experiments.each_seed": (
        experiments.each_seed,
        {"one": lambda config, seed: {}, "config": {}, "seeds": [0]},
        {"one": [None, *FUNCTION], "seeds": [None, 3, []]},
    ),
    "experiments.experiment": (
        declare_experiment,
        None,
        {
            "module": [None, "", 3, "A b", "zero_init", "chapter_04.zero_init"],
            "quick": [None, {}, {"seeds": 1}, {"seeds": "a"}],
            "full": [None, {}, {"seeds": 9}],
            "numbers": [None, *FUNCTION],
            "timed": [3, "seconds", ["seconds"]],
        },
    ),
    "experiments.experiments": (experiments.experiments, {}, {}),
    "experiments.find": (
        experiments.find,
        {"slug": "zero-init"},
        {"slug": [None, 3, "", "zero", ["a"], NAN, {}]},
    ),
    "experiments.load": (
        experiments.load,
        {"slug": "zero-init"},
        {"slug": [None, 3, "", "../registry", "zero", ["a"], NAN, "\0"]},
    ),
    "experiments.mean_interval": (
        experiments.mean_interval,
        {"values": [1.0, 2.0]},
        {
            "values": [None, 3, [], [1], [NAN, 1], ["a", "b"], "ab", RAGGED, [INF, 1], [1e308, 0]],
            "bounds": [None, 3, (), (0,), (0, 1), (0, 1, 2), (2, 1), (0, NAN), "ab", ("a", "b")],
        },
    ),
    "experiments.rate_interval": (
        experiments.rate_interval,
        {"successes": 1, "trials": 2},
        {
            "successes": [-1, 3, NAN, "a", None, 0.5],
            "trials": [0, -1, NAN, "a", None, 1.5],
        },
    ),
    "experiments.save": (experiments.save, None, {"result": [None, 3, {}]}),
    "experiments.show": (
        experiments.show,
        {"slug": "learning-rate"},
        {"slug": [None, 3, "", "zero", ["a"], NAN, {}], "which": [3, "", "zero", ["a"], NAN, {}]},
    ),
    "experiments.Summary": (
        experiments.Summary,
        {"value": 1.0, "low": 0.0, "high": 2.0, "unit": "", "verdict": "Holds.", "text": ""},
        {
            "value": [NAN, 3, "a", None],
            "low": [NAN, 3, "a"],
            "high": [INF, 0, "a"],
            "verdict": ["", "maybe", None, 3],
        },
    ),
    "experiments.Verdict": (
        experiments.Verdict,
        {"fails": (bool, "Does not hold.")},
        {
            name: [3, "Holds.", (bool, 3), (3, "Holds."), (bool, "Perhaps.")]
            for name in ("holds", "in_part", "fails")
        },
    ),
    "experiments.Result": (
        experiments.load("zero-init").table,
        {},
        {"columns": [["no"], 3, "seed"], "digits": COUNT},
    ),
    "checks.check": (
        checks.check,
        {"name": "02-acyclic"},
        {"name": [None, 3, "", "no", ["a"], NAN, {}]},
    ),
    "checks.exercise": (
        declare_exercise,
        None,
        {
            "name": [None, 3, "", "no", "02-run"],
            "wrong": [None, 3, {"a": 1, "b": 2}],
            "hint": [None, 3],
            "success": [None, 3],
            "cases": [3, "a"],
            "tolerance": [-1, NAN, "a", None],
            "measure": [3],
        },
    ),
    "checks.checklist": (
        checks.checklist,
        None,
        {"name": [None, 3, "", "no", "02-run"], "points": [None, 3], "success": [None, 3]},
    ),
    "checks.exercises": (checks.exercises, {}, {}),
    "explore.show": (
        explore.show,
        {"name": "unfold"},
        {
            "name": [None, 3, "", "no", ["a"]],
            "T": [0, -1, 99, 2.5, "3", None, NAN, True],
            "pattern": ["no", None, 3, [1]],
            "circuit": [3, "a", {}, {"nodes": []}, [1], NAN],
            "nosuch": [1],
        },
    ),
    "explore.show(step)": (
        lambda **state: explore.show("step", **state),
        {},
        {
            "text": ["abc", "ж", None, 3, "a" * 999],
            "t": [0, 99, NAN, "a"],
            "node": ["no", None, "a9", 3, []],
            "squash": NAME,
        },
    ),
    "explore.show(automaton)": (
        lambda **state: explore.show("automaton", **state),
        {},
        {
            "text": ["abc", "ж", None, 3, "ab" * 9 + "</s>", "a</s>b"],
            "t": [-1, 99, NAN, "a"],
            "bigram": [None, 3, "no"],
            "k": [0, 31, 2.5, None],
        },
    ),
    "explore.show(bptt)": (
        lambda **state: explore.show("bptt", **state),
        {},
        {"T": [0, 99, NAN], "at": ["no", None, 3, "h99", ""], "loss": NAME},
    ),
    "explore.show(predict)": (
        lambda **state: explore.show("predict", **state),
        {"question": "?", "answer": "a", "why": "So.", "choices": ["a", "b"]},
        {
            "question": ["", None, 3],
            "answer": ["no", None, 3, NAN],
            "why": ["", None],
            "choices": [None, [], ["a"], ["a", "a"], 3, "ab"],
            "kind": ["no"],
        },
    ),
    "explore.show(answer)": (
        lambda **state: explore.show("answer", **state),
        {"exercise": "14-signs"},
        {
            "exercise": ["", "02-run", "11-way", None, 3],
            "question": [None, 3],
            "labels": [None, 3, "ab", ["a"], [3]],
            "options": [None, 3, "ab", ["a", "b"], [[]]],
        },
    ),
    "explore.lab": (
        explore.lab,
        {"fn": lambda T: plots.unfolded_graph(CIRCUIT, T), "T": (1, 3)},
        {
            "fn": [None, 3, lambda: 0],
            "button": ["a", 3],
            "T": [None, 3.5j, (3, 1), [], (1,), {}, (1, 2, 3, 4)],
        },
    ),
    "explore.manifest": (explore.manifest, {}, {}),
    "explore.markup": (
        explore.markup,
        {"payload": PAYLOAD},
        {"payload": [None, {}, 3, "a"]},
    ),
    "explore.scripts_for": (
        explore.scripts_for,
        {"modules": ["unfold"]},
        {"modules": [None, 3, "unfold"]},
    ),
    "explore.styles_for": (
        explore.styles_for,
        {"modules": ["unfold"]},
        {"modules": [None, 3, "unfold"]},
    ),
    "palette.colour": (
        palette.colour,
        {"name": "state", "theme": "light"},
        {"name": ["no", None, 3, ["a"]], "theme": ["no", None, 3]},
    ),
    "palette.contrast": (
        palette.contrast,
        {"first": "#ffffff", "second": "#000000"},
        {"first": ["", "red", "#fff", None, 3, "#gggggg"], "second": ["", None]},
    ),
    "palette.css": (palette.css, {}, {}),
}

# The package creates these objects and returns them. Readers never call the constructors.
RESULTS = {
    "reference.AttentionRun",
    "reference.BidirectionalRun",
    "reference.FourRun",
    "reference.AddressRun",
    "reference.MatrixRun",
    "reference.ReadAllRun",
    "reference.Found",
    "reference.Modes",
    "reference.DeepRun",
    "reference.Translation",
    "reference.Filled",
    "reference.GRURun",
    "reference.HessianFreeStep",
    "reference.LSTMRun",
    "reference.PowerDerivatives",
    "reference.OutputRun",
    "reference.RecursiveRun",
    "reference.Run",
    "reference.TwoSpans",
    "reference.TwoSteps",
    "reference.trees.Forest",
    "reference.trees.Level",
    "reference.trees.Node",
    "training.History",
    "circuits.Arrow",
    "experiments.Attempts",
    "experiments.Choice",
    "experiments.Experiment",
    "checks.Checklist",
    "checks.Exercise",
    "checks.Outcome",
    "checks.Wrong",
    "explore.Figure",
    "explore.Lab",
    "palette.Colour",
}

# These functions compute single equations. A wrapper checks their arguments.
GUARDED = [
    f"reference.{name}"
    for name in reference.__all__
    if getattr(getattr(reference, name), "__wrapped__", None)
]
# Errors about these arguments use another name, usually that of the object they belong to.
ALIASES = {
    ("tasks.expression_batches", "shapes"): "seed",
    ("tasks.Facts", "n_facts"): "n_names",
    ("circuits.Circuit", "edges"): "edge",
    ("reference.Automaton", "alphabet"): "following",
    ("reference.Automaton", "states"): "following",
    ("reference.automaton", "alphabet"): "transitions",
    ("reference.bigram_automaton", "alphabet"): "weights",
    ("reference.bigram_counts", "alphabet"): "strings",
    ("reference.bracket_automaton", "alphabet"): "closing",
    ("experiments.experiment", "slug"): "zero-init",
    ("checks.exercise", "name"): "02-run",
    ("checks.checklist", "name"): "02-run",
}


@pytest.mark.parametrize(
    "module", [checks, circuits, experiments, explore, palette, plots, reference, tasks, tr, trees]
)
def test_every_public_function_is_listed(module):
    own = [n for n, o in vars(module).items() if getattr(o, "__module__", "") == module.__name__]
    package = module.__name__.removeprefix("rnn_helpers.")
    for name in getattr(module, "__all__", own):
        if callable(getattr(module, name)) and not name.startswith("_"):
            assert f"{package}.{name}" in CALLS.keys() | RESULTS


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, (_, good, _) in CALLS.items() if good is not None])
def test_the_good_call_returns_finite_numbers(name, capsys):
    function, good, _ = CALLS[name]
    assert finite(function(**good))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", [name for name, (_, _, bad) in CALLS.items() if bad])
def test_an_error_names_the_bad_argument(name):
    function, good, bad = CALLS[name]
    if good is None:
        good = {
            "experiments.experiment": {
                "quick": {"seeds": 2}, "full": {"seeds": 10}, **DECLARED
            },
            "checks.exercise": {
                "name": "99-no-such", "wrong": WRONG, "hint": "Hint.",
                "success": "It holds.",
            },
            "checks.checklist": {
                "name": "99-no-such", "points": {"a": "b", "c": "d"}, "success": "It holds."
            },
        }.get(name, {})  # fmt: skip
    for argument, values in bad.items():
        named = ALIASES.get((name, argument), argument)
        assert_refused(function, good, argument, values, named)


@pytest.mark.parametrize("name", [name for name, (_, good, _) in CALLS.items() if good])
def test_a_count_of_any_integer_type_is_converted(name):
    assert_converts_counts(*CALLS[name])


def hiding(value):
    """Return an array that hides its first entry."""
    return np.ma.array(value, mask=np.arange(value.size).reshape(value.shape) == 0)


@pytest.mark.parametrize("name", [name for name, (_, good, _) in CALLS.items() if good])
def test_an_array_that_hides_an_entry_is_refused(name):
    function, good, _ = CALLS[name]
    for argument, value in good.items():
        if type(value) is np.ndarray and value.size:
            assert words_of(lambda given: function(**good | given), {argument: hiding(value)})


@pytest.mark.parametrize(
    "name",
    # A word may be any object, an iterator too.
    [name for name, (_, good, _) in CALLS.items() if good and name != "reference.trees.places"],
)
def test_a_sequence_that_can_be_read_only_once_is_enough_or_refused(name):
    function, good, _ = CALLS[name]
    for argument, value in good.items():
        if type(value) in (list, tuple) and value:
            try:
                result = function(**good | {argument: iter(value)})
            except (TypeError, ValueError):
                continue
            assert inspect.isgenerator(result) or str(result) == str(function(**good))


@pytest.mark.parametrize(
    "overflows",
    [
        lambda: reference.gaussian_loss(1e308, [-1.0]),
        lambda: reference.context_forward(OPPOSED, [1e308, 1e308], Y),
        lambda: reference.recursive_forward(COMBINING, 1e200 * np.ones((2, 3)), (0, 1)),
        lambda: reference.grad_sharpen_weights([0.0, 0.0], 2.0, [1.0, 1.0]),
        lambda: reference.grad_write_cells(**MEMORY_WRITE | {"a": 1e308 * np.ones(4)}),
        lambda: reference.two_spans([1e308, 1], 3),
        lambda: reference.two_spans_step("newton", [1e308, 1.0], [0.0, 0.0], 3),
        lambda: tasks.Oscillator().wave(4, [1e308]),
        lambda: tasks.normalised_error([0.0, 1e308], [0.0, -1e308]),
    ],
)
@pytest.mark.filterwarnings("error")
def test_numbers_that_overflow_are_refused(overflows):
    with pytest.raises(ValueError, match=r"overflows|expected"):
        overflows()


@pytest.mark.parametrize(
    ("argument", "misuse"),
    [
        ("y", lambda: reference.gaussian_loss([1, 2], [1, 2, 3])),
        ("log_probability", lambda: reference.exact_filling(**GAPS | {"log_probability": len})),
        ("closing", lambda: reference.bracket_automaton("(", np.array([1, 2]), "ab()")),
        ("highlight", lambda: plots.unfolded_graph(CIRCUIT, T=2, highlight=np.array([1, 2]))),
        ("skip", lambda: reference.Depth(2, 1, 1, 1, skip=np.array([1, 2]))),
        ("tensor", lambda: reference.init_recursive(3, 4, 3, tensor="False")),
        ("seed_axis", lambda: reference.joint_norm({"W": np.ones((2, 2))}, seed_axis="no")),
        ("expression", lambda: tasks.expression_value(("-", 3))),
        ("expression", lambda: tasks.nesting(3)),
        ("expression", lambda: tasks.part_values("a")),
        ("seeds", lambda: tasks.expression_batches("chain", [1], 3, [])),
        ("held_out", lambda: tasks.characters("topics", held_out=np.float16(2))),
        ("slug", lambda: experiments.find("a" * 300)),
        ("moved", lambda: tasks.TwoDigits().picture(np.eye(8), np.eye(8), "left", moved=0)),
        ("first", lambda: tasks.TwoDigits().caption((1,), 2, "left")),
    ],
)
def test_an_error_message_names_its_argument(argument, misuse):
    with pytest.raises((TypeError, ValueError), match=argument):
        misuse()


def test_underflow_is_harmless_whatever_the_reader_asks_numpy_to_raise():
    with np.errstate(all="raise"):
        assert reference.softmax([0.0, 800.0]).tolist() == [0, 1]
        assert reference.log_softmax([0.0, 800.0]).tolist() == [-800, 0]
        assert reference.sigmoid([-800.0, 800.0]).tolist() == [0, 1]


@pytest.mark.parametrize("name", reference.__all__)
def test_a_function_can_be_sent_to_another_process(name):
    whole = getattr(reference, name)
    if callable(whole):
        assert pickle.loads(pickle.dumps(whole)) is whole


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [n for n in CALLS if n.startswith("reference.") and CALLS[n][1]])
@given(st.data())
def test_absurd_arguments_are_accepted_or_refused(name, data):
    """Allow no other error, no endless loop and no exit of the process."""
    function, good, bad = CALLS[name]
    argument = data.draw(st.sampled_from(sorted(good.keys() | bad.keys())), "argument")
    value = data.draw(st.sampled_from(ABSURD), "value")
    words_of(lambda given: function(**good | given), {argument: value})


IN_WORDS = [
    name
    for name, (_, good, _) in CALLS.items()
    if good and name.split(".")[0] in ("reference", "tasks", "training", "circuits")
]
LARGE = ["a" * 10**4, ["a" * 1000] * 10, {"a" * 10**4: 1}, 10**5000]


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_WORDS)
def test_a_message_stays_short_for_huge_inputs(name):
    function, good, bad = CALLS[name]
    for argument in good.keys() & bad.keys():
        for value in LARGE:
            assert len(words_of(lambda given: function(**good | given), {argument: value})) < 500


@pytest.mark.parametrize("name", [n for n in GUARDED if n in CALLS])
def test_an_integer_for_an_array_is_refused_if_a_float_is(name):
    """Accept both where a scalar can be broadcast to an array."""
    function, good, _ = CALLS[name]

    def refused(argument, value):
        return argument in words_of(lambda given: function(**good | given), {argument: value})

    for argument in good:
        if isinstance(good[argument], np.ndarray) and good[argument].dtype.kind == "f":
            assert refused(argument, 3) or not refused(argument, 3.0)


def test_times_refuses_integers():
    for M, v in ((3, [1.0]), ([[1.0]], 3), (3, 3)):
        with pytest.raises(ValueError, match=r"times got the shapes M .* v "):
            reference.times(M, v)


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.uint64, np.float32])
def test_clipping_accepts_a_threshold_of_any_number_type(kind):
    grads = {"p": np.array([-5.0, 1.0, 3.0])}
    clipped, _ = reference.clip_by_element(grads, kind(2))
    np.testing.assert_array_equal(clipped["p"], [-2, 1, 2])


def test_weights_that_overflow_their_dtype_are_refused():
    for scale, dtype in ((1e308, float), (1e38, np.float32), (1e5, np.float16)):
        with pytest.raises(ValueError, match=r"scale is .*; expected weights that float"):
            reference.init_rnn(30, 30, 30, scale=scale, dtype=dtype)
    with pytest.raises(ValueError, match="radius is 1e"):
        reference.init_recurrent("gaussian", 30, 0, radius=1e40, dtype=np.float32)
    with pytest.raises(ValueError, match=r"radius is 1\.7e"):
        reference.init_reservoir(1, 30, radius=1.7e308)
    with pytest.raises(ValueError, match="forget_bias is 1e"):
        reference.init_lstm(2, 3, 2, forget_bias=1e40, dtype=np.float32)


@pytest.mark.parametrize("name", [n for n in CALLS if n.startswith("reference.grad")])
def test_gradient_functions_keep_their_signature_and_docstring(name):
    function = CALLS[name][0]
    assert list(inspect.signature(function).parameters)[: len(CALLS[name][1])] == list(
        CALLS[name][1]
    )
    assert function.__doc__ == inspect.unwrap(function).__doc__


@pytest.mark.parametrize("optimizer", [tr.SGD(1e20), tr.SGD(1e300), tr.Adam(1e30), tr.Adam(1e300)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_parameters_stay_finite_at_a_huge_learning_rate(optimizer, dtype):
    """Allow huge parameters and an infinite loss, but no NaN."""
    start = reference.init_rnn(N, 4, N, dtype=dtype)
    pieces = tasks.minibatches(CORPUS.train, 5, 2, seed=0)
    trained = tr.fit(tasks.character_model(), start, pieces, steps=10, optimizer=optimizer)
    assert finite(trained.params)
    assert not np.isnan(trained.loss).any()
    assert not np.isnan(tasks.bits_per_character(trained.params, CORPUS.held_out[:50]))
    assert len(tasks.sample(trained.params, CORPUS, 5)) == 5


def test_a_mask_of_zeros_gives_zero_loss_and_zero_gradients():
    mask = np.zeros(3)
    assert reference.rnn_loss(RUN, Y, mask) == 0
    assert all((g == 0).all() for g in reference.rnn_backward(P, RUN, Y, mask).values())
    with pytest.raises(ValueError, match="counts no step"):
        tasks.character_model()(P, (X, Y, mask))


def test_save_refuses_anything_but_a_result(tmp_path, monkeypatch):
    monkeypatch.setattr("rnn_helpers.experiments.schema.CLAIMS", tmp_path)
    with pytest.raises(TypeError, match="result is 3"):
        experiments.save(3)
    assert list(tmp_path.iterdir()) == []
