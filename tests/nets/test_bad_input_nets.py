"""Every public function of nets rejects invalid arguments by name."""

import numpy as np
import pytest
from refusals import (
    COUNT,
    GRU,
    INF,
    LSTM,
    NAME,
    NAN,
    PARAMS,
    PERIODS,
    SEED,
    SEEDED,
    UNFIT,
    P,
    X,
    Y,
    assert_converts_counts,
    assert_refused,
    finite,
)

from rnn_helpers import nets

torch = pytest.importorskip("torch")

from rnn_helpers.nets import (  # noqa: E402
    bits,
    four_ways,
    listening,
    lookup,
    machine,
    reads,
    sizes,
)

TORCH = nets.RNN(3, 4, 3)
GATED = nets.Gated(2, 3, 2, [0])
FRAMES, FILM = nets.NextFrame(9, 3, [0]), np.zeros((2, 2, 9, 9))
BATCH = (np.zeros((2, 2), int), np.zeros((2, 2), int))
ENDS = nets.Stopping(3, 3, [0], "length", 4)
LOOKS = four_ways.Convolutions(3, 2, 2, [0], 1)
MACHINE = machine.Machine(3, 2, 2, [0], 3, 2)
SAYS_BITS = bits.Bits(3, 2, 2, [0])
COPIED = (np.zeros((5, 1, 3)), np.zeros((5, 1, 2), int))
LOOKS_UP = lookup.Lookup(4, 3, 2, [0])
TOLD_FACTS = ([[0, 1]], [[2, 3]], [0], [1], [[0]])
SEEN = (np.array([[[2, 1]]]), np.array([0]))
TOLD = nets.Told(2, 3, 3, [0])
SEES = nets.Captioner(8, 3, 3, [0], channels=(2, 3), n_c=4)
TURNS = nets.Translator(3, 3, 2, 4, [0])
READ = (np.zeros((2, 1), int), np.zeros((3, 1), int))
SAYS = nets.OutputRecurrent(2, 3, 2, [0])

# name of the function -> (callable, arguments that work, bad values by argument)
CALLS = {
    "nets.RNN.loss_and_grads": (
        TORCH.loss_and_grads,
        {"params": TORCH.params(), "batch": BATCH},
        {
            "params": [
                None,
                {"a": 1},
                {name: NAN * p for name, p in TORCH.params().items()},
                {name: p[:1] for name, p in TORCH.params().items()},
            ],
            "batch": [None, 3, (), (X,), (X, Y), BATCH[:1]],
        },
    ),
    **{
        f"nets.{kind.__name__}": (
            kind,
            {"n_x": 3, "n_h": 4, "n_y": 2, "seed": 0},
            {"n_x": COUNT, "n_h": COUNT, "n_y": COUNT, "seed": SEED},
        )
        for kind in (nets.RNN, nets.GRU)
    },
    "nets.LSTM": (
        nets.LSTM,
        {"n_x": 3, "n_h": 4, "n_y": 2, "seed": 0, "forget_bias": 1.0},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seed": SEED,
            "forget_bias": [NAN, INF, "a", [1.0]],
        },
    ),
    "nets.Gated": (
        nets.Gated,
        {"n_x": 2, "n_h": 3, "n_y": 2, "seeds": [0]},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "unit": NAME,
            "n_layers": COUNT,
            "forget_gate": [None, 3, "no"],
            "coupled": [3, "no"],
            "peephole": [3, "no"],
            "shared": NAME,
            "squash": ["no such", 3],
            "output_squash": ["no such", 3],
            "forget_bias": [None, "a", NAN, INF],
            "alpha": [0.5],
        },
    ),
    "nets.ConvLSTM": (
        nets.ConvLSTM,
        {"n_x": 2, "n_h": 3, "seeds": [0]},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "kernel": [*COUNT, 2],
            "squash": ["no such", 3],
        },
    ),
    "nets.ConvLSTM.forward": (
        nets.ConvLSTM(2, 3, [0]),
        {"x": torch.zeros(1, 1, 1, 2, 3, 3)},
        {"x": [torch.zeros(1, 1, 2, 3, 3), torch.zeros(1, 2, 1, 2, 3, 3)]},
    ),
    "nets.NextFrame": (
        nets.NextFrame,
        {"size": 9, "n_h": 3, "seeds": [0]},
        {
            "size": COUNT,
            "n_h": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "kernel": [0, -1, 2.5, "3", NAN, [3], 2],
        },
    ),
    "nets.NextFrame.outputs": (
        FRAMES.outputs,
        {"params": FRAMES.params(), "x": FILM},
        {"params": [None, {}, 3], "x": [None, "a", 3, FILM[0], FILM[..., 1:], NAN * FILM]},
    ),
    "nets.NextFrame.loss_and_grads": (
        lambda **given: FRAMES.loss_and_grads(FRAMES.params(), (FILM, *given.values())),
        {"y": FILM, "mask": np.ones((2, 2))},
        {
            "y": [None, "a", 3, FILM[0], FILM[:1], FILM[..., 1:], NAN * FILM],
            "mask": ["a", NAN, 2, np.zeros((2, 2)), np.ones((2, 3))],
        },
    ),
    "nets.Gated gru": (
        lambda **parts: nets.Gated(2, 3, 2, [0], "gru", **parts),
        {},
        {"reset": NAME, "squash": ["no such", 3, None], "forget_gate": [False]},
    ),
    "nets.Gated leaky": (
        lambda **parts: nets.Gated(2, 3, 2, [0], "leaky", **parts),
        {},
        {
            "alpha": [None, "a", NAN, -0.1, 1, [0.1, 0.2]],
            "learned": [None, 1, "a", True],  # the lowest share is 0
            "skip": [value for value in COUNT if value is not None],
            "direct": [None, 1, "a", False],  # there is no skip connection
            "periods": PERIODS,
            "start": NAME,
        },
    ),
    "nets.Gated.loss_and_grads": (
        GATED.loss_and_grads,
        {"params": GATED.params(), "batch": BATCH},
        {
            "params": [None, {}, 3, {"V": 3}, GATED.params() | {"V": np.zeros(3)}],
            "batch": [None, (), 3, (BATCH[0],)],
        },
    ),
    "nets.Gated.accuracy": (
        GATED.accuracy,
        {"params": GATED.params(), "batch": BATCH},
        {
            "params": [None, {}, 3, {"V": 3}, GATED.params() | {"V": np.zeros(3)}],
            "batch": [None, (), 3, (BATCH[0],)],
        },
    ),
    "nets.Gated.outputs": (
        GATED.outputs,
        {"params": GATED.params(), "x": np.zeros((2, 2, 2))},
        {"x": [None, "a", 3, np.zeros((2, 2, 3)), [[0, 2]], [[-1]], np.zeros((0, 2, 2))]},
    ),
    "nets.OutputRecurrent": (
        nets.OutputRecurrent,
        {"n_x": 0, "n_h": 3, "n_y": 2, "seeds": [0]},
        {
            "n_x": [value for value in COUNT if value != 0],
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "hears": NAME,
            "says": NAME,
            "through": [None, 1, "a"],
        },
    ),
    **{
        f"nets.OutputRecurrent.{method}": (
            getattr(SAYS, method),
            {"params": SAYS.params(), "batch": (*BATCH, True)},
            {
                "params": [None, {}, 3, {"V": 3}, SAYS.params() | {"V": np.zeros(3)}],
                "batch": [None, (), 3, BATCH],
            },
        )
        for method in ("outputs", "loss_and_grads", "accuracy")
    },
    "nets.BothWays": (
        nets.BothWays,
        {"n_x": 2, "n_h": 3, "n_y": 2, "seeds": [0]},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "unit": NAME,
        },
    ),
    "nets.Waiting": (
        listening.Waiting,
        {"n_x": 2, "n_h": 3, "n_y": 2, "seeds": [0], "delay": 1},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "delay": [-1, 2.5, "a", None, NAN],
            "unit": NAME,
        },
    ),
    "nets.Convolution": (
        listening.Convolution,
        {"n_x": 2, "n_h": 3, "n_y": 2, "seeds": [0], "width": 3},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "width": [*COUNT, 4],
        },
    ),
    "nets.sizes.units_within": (
        sizes.units_within,
        {"make": lambda n_h: torch.nn.RNN(2, n_h), "most": 100},
        {"make": [None, 3, "a"], "most": [*COUNT, 3]},
    ),
    **{
        f"nets.{kind.__name__}": (
            kind,
            {"n_x": 3, "n_h": 2, "n_y": 2, "seeds": [0], "n_layers": 1},
            {
                "n_x": COUNT,
                "n_h": COUNT,
                "n_y": COUNT,
                "seeds": [None, 3, [], [-1], [1.5]],
                "n_layers": COUNT,
            },
        )
        for kind in (four_ways.FourWays, four_ways.Convolutions)
    },
    **{
        f"nets.Convolutions.{name}": (
            getattr(LOOKS, name),
            {"params": LOOKS.params(), "batch": SEEN},
            {"batch": [None, 3, (), SEEN[:1], (SEEN[0], [0, 1]), ([[[0, 1]]], [0]), ([[2]], [0])]},
        )
        for name in ("loss_and_grads", "right")
    },
    "nets.Convolutions.outputs": (
        LOOKS.outputs,
        {"params": LOOKS.params(), "x": SEEN[0]},
        {
            "x": [
                None,
                "a",
                [[2]],
                [[[3]]],
                [[[0, 1]]],
                [[[0.5]]],
                [[[[0.5, 0.5]]]],
                [[[[NAN] * 3]]],
            ]
        },
    ),
    "nets.Machine": (
        machine.Machine,
        {"n_x": 3, "n_h": 2, "n_y": 2, "seeds": [0], "n_cells": 3, "width": 2},
        {
            **dict.fromkeys(("n_x", "n_h", "n_y", "n_cells", "width"), COUNT),
            "seeds": [None, 3, [], [-1], [1.5]],
        },
    ),
    "nets.Machine.does": (
        MACHINE.does,
        {"params": MACHINE.params(), "x": COPIED[0]},
        {"params": [None, {}, 3, {"V": 3}], "x": [None, "a", np.ones((2, 3)), np.ones((2, 1, 4))]},
    ),
    **{
        f"nets.Bits.{name}": (
            getattr(SAYS_BITS, name),
            {"params": SAYS_BITS.params(), "batch": COPIED},
            {
                "params": [None, {}, 3, {"V": 3}],
                "batch": [None, 3, (), COPIED[:1], (COPIED[0], np.full((5, 1, 2), 2))]
                + [(COPIED[0], np.ones(shape, int)) for shape in ((5, 1, 1), (4, 1, 2), (5, 2))],
            },
        )
        for name in ("loss_and_grads", "right")
    },
    "nets.Reads": (
        reads.Reads,
        {"n_x": 4, "width": 3, "n_y": 2, "seeds": [0], "memory": "softmax"},
        {
            **dict.fromkeys(("n_x", "width", "n_y"), COUNT),
            "seeds": [None, 3, [], [-1], [1.5]],
            "memory": NAME,
        },
    ),
    "nets.Lookup": (
        lookup.Lookup,
        {"n_x": 4, "width": 3, "n_y": 2, "seeds": [0], "hops": 1, "address": "soft"},
        {
            **dict.fromkeys(("n_x", "width", "n_y", "hops"), COUNT),
            "seeds": [None, 3, [], [-1], [1.5]],
            "address": NAME,
        },
    ),
    **{
        f"nets.Lookup.{name}": (
            getattr(LOOKS_UP, name),
            {"params": LOOKS_UP.params(), "batch": TOLD_FACTS} | more,
            {
                "params": [None, {}, 3, {"V": 3}],
                "batch": [
                    None,
                    3,
                    (),
                    TOLD_FACTS[:2],
                    ([["a"]], *TOLD_FACTS[1:]),
                    ([[0, 9]], *TOLD_FACTS[1:]),
                    ([[0]], *TOLD_FACTS[1:]),
                    ([0, 1], [2, 3], 0, [1]),
                ],
            },
        )
        for name, more in {"looks": {}, "right": {}, "loss_and_grads": {"told": 1.0}}.items()
    },
    "nets.Lookup.loss_and_grads of what is told": (
        LOOKS_UP.loss_and_grads,
        {"params": LOOKS_UP.params(), "batch": TOLD_FACTS, "told": 1.0},
        {
            "batch": [
                TOLD_FACTS[:3],
                TOLD_FACTS[:4],
                (*TOLD_FACTS[:3], [2], [[0]]),
                (*TOLD_FACTS[:3], [0, 1], [[0]]),
                (*TOLD_FACTS[:4], [0]),
                (*TOLD_FACTS[:4], [[2]]),
            ],
            "told": [0, -1, NAN, "a", [1]],
        },
    ),
    "nets.Stopping": (
        nets.Stopping,
        {"n_y": 3, "n_h": 3, "seeds": [0]},
        {
            "n_y": COUNT,
            "n_h": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "ends": NAME,
            "longest": COUNT,
            "unit": NAME,
        },
    ),
    "nets.Stopping.log_probability": (
        ENDS.log_probability,
        {"params": ENDS.params(), "y": [[0], [1]], "lengths": [2]},
        {
            "params": [None, {}, 3, {"V": 3}],
            "y": [None, "a", 3, [[3]], [[0.5]], [0], np.zeros((2, 2, 1), int)],
            "lengths": [None, "a", [0], [3], [1, 1], [0.5]],
        },
    ),
    "nets.Stopping.loss_and_grads": (
        ENDS.loss_and_grads,
        {"params": ENDS.params(), "batch": ([[0], [1]], [2])},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, BATCH[:1]]},
    ),
    "nets.Stopping.write": (
        ENDS.write,
        {"params": ENDS.params(), "size": 2, "seed": 0, "most": 5},
        {
            "params": [None, {}, 3, {"V": 3}],
            "size": COUNT,
            "seed": [*SEED, [], [0, 1]],
            "most": [*COUNT, 3],
        },
    ),
    "nets.Told": (
        nets.Told,
        {"n_c": 2, "n_h": 3, "n_y": 3, "seeds": [0], "door": "both", "unit": "gru"},
        {
            "n_c": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "door": NAME,
            "unit": NAME,
        },
    ),
    "nets.Told.loss_and_grads": (
        TOLD.loss_and_grads,
        {"params": TOLD.params(), "batch": ([[0.5, 1.0]], [[0], [1]])},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, BATCH[:1]]},
    ),
    "nets.Told.outputs": (
        TOLD.outputs,
        {"params": TOLD.params(), "x": [[0.5, 1.0]], "y": [[0], [1]]},
        {
            "params": [None, {}, 3, {"V": 3}],
            "x": [None, "a", 3, [[0.5]], [[NAN, 1.0]], np.zeros((0, 2))],
            "y": [None, "a", 3, [[3]], [0, 1], [[0, 1]]],
        },
    ),
    "nets.Told.write": (
        TOLD.write,
        {"params": TOLD.params(), "x": [[0.5, 1.0]], "end": 0, "most": 4, "seed": 0},
        {
            "params": [None, {}, 3, {"V": 3}],
            "x": [None, "a", 3, [[0.5]], [[NAN, 1.0]]],
            "end": [3, -1, 0.5, "a", None, [0, 1]],
            "most": COUNT,
            "seed": [*(seed for seed in SEED if seed is not None), [], [0, 1]],
        },
    ),
    "nets.Translator": (
        nets.Translator,
        {"n_x": 3, "n_h": 3, "n_c": 2, "n_y": 4, "seeds": [0], "looks": True, "both_ways": False},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_c": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "looks": [None, 3, "no"],
            "both_ways": [None, 3, "no"],
        },
    ),
    "nets.Translator.loss_and_grads": (
        TURNS.loss_and_grads,
        {"params": TURNS.params(), "batch": READ},
        {
            "params": [None, {}, 3, {"V": 3}],
            "batch": [None, (), 3, READ[:1]],
        },
    ),
    "nets.Translator.accuracy": (
        TURNS.accuracy,
        {"params": TURNS.params(), "batch": READ},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, READ[:1]]},
    ),
    "nets.Translator.outputs": (
        TURNS.outputs,
        {"params": TURNS.params(), "batch": READ, "weights": np.full((3, 2, 1, 1), 0.5)},
        {
            "params": [None, {}, 3, {"V": 3}],
            "batch": [None, (), 3, READ[:1]],
            "weights": [3, "a", np.full((3, 2, 1), 0.5), np.full((3, 2, 1, 1), NAN)],
        },
    ),
    "nets.Translator.write": (
        TURNS.write,
        {"params": TURNS.params(), "x": READ[0], "most": 3, "lengths": [2]},
        {
            "params": [None, {}, 3, {"V": 3}],
            "x": [None, "a", 3, [[3]], [[0.5]]],
            "most": COUNT,
            "lengths": ["a", 3, [0], [3], [1, 1], [0.5]],
        },
    ),
    "nets.Captioner": (
        nets.Captioner,
        {"side": 8, "n_h": 3, "n_y": 3, "seeds": [0], "channels": (2, 3), "n_c": 4},
        {
            "side": [*COUNT, 3],
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "channels": [None, 3, (2,), (2, 3, 4), (0, 2), "ab"],
            "n_c": COUNT,
        },
    ),
    "nets.Captioner.loss_and_grads": (
        SEES.loss_and_grads,
        {"params": SEES.params(), "batch": (np.ones((1, 8, 8)), [[0], [1]])},
        {"params": [None, {}, 3, {"V": 3}], "batch": [None, (), 3, BATCH[:1]]},
    ),
    "nets.to_torch": (
        nets.to_torch,
        {"params": P},
        {"params": [*PARAMS, SEEDED, GRU, LSTM, *(UNFIT["lstm"][-4:]), *(UNFIT["gru"][-4:])]},
    ),
    "nets.from_torch": (
        nets.from_torch,
        {"module": torch.nn.RNN(2, 3), "linear": torch.nn.Linear(3, 2)},
        {
            "module": [None, 3, torch.nn.LSTM(2, 3, num_layers=2), torch.nn.GRU(2, 4)],
            "linear": [None, "a", torch.nn.Linear(9, 2)],
        },
    ),
}


def test_every_public_function_is_here():
    names = (name for name in nets.__all__ if callable(getattr(nets, name)))
    assert {f"nets.{name}" for name in names} <= CALLS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_the_good_call_gives_finite_numbers(name):
    function, good, _ = CALLS[name]
    assert finite(function(**good))


@pytest.mark.parametrize("name", CALLS)
def test_a_count_of_any_integer_type_is_converted(name):
    assert_converts_counts(*CALLS[name])


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.uint64])
def test_tokens_may_be_of_any_integer_type(kind):
    small = [np.array(part, kind) for part in TOLD_FACTS]
    for found, expected in zip(
        LOOKS_UP.looks(LOOKS_UP.params(), small),
        LOOKS_UP.looks(LOOKS_UP.params(), TOLD_FACTS),
        strict=True,
    ):
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "stored",
    [lambda p: p[::-1].copy()[::-1], lambda p: p.tolist(), lambda p: p.astype("longdouble")],
)
def test_parameters_may_be_stored_in_any_way(stored):
    x = np.ones((2, 2, 2))
    params = {name: stored(array) for name, array in GATED.params().items()}
    np.testing.assert_array_equal(GATED.outputs(params, x), GATED.outputs(GATED.params(), x))


@pytest.mark.parametrize("bias", [np.float32(1), np.float64(1), np.int8(1)])
def test_a_forget_bias_may_be_of_any_number_type(bias):
    assert nets.LSTM(3, 4, 2, forget_bias=bias).recurrent.bias_ih_l0[4:8].tolist() == [1] * 4


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", CALLS)
def test_bad_input_is_named(name):
    function, good, bad = CALLS[name]
    for argument, values in bad.items():
        assert_refused(function, good, argument, values, argument)
