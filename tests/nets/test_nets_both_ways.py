"""A bidirectional network equals two unidirectional ones."""

import numpy as np
import pytest
from refusals import COUNT, NAME

torch = pytest.importorskip("torch")

from rnn_helpers.nets import BothWays, Gated  # noqa: E402

pytestmark = pytest.mark.chapter("07")


@pytest.mark.parametrize("unit", ["gru", "lstm", "leaky"])
def test_its_outputs_are_those_of_two_networks_one_of_which_reads_backwards(unit):
    net = BothWays(3, 4, 2, [0, 5], unit).double()
    params = net.params()
    x = np.random.default_rng(0).normal(size=(6, 2, 7, 3))
    one_way = Gated(3, 4, 2, [0, 5], unit).double()
    sums = 0
    for layer, half in enumerate((slice(0, 4), slice(4, 8))):
        own = {
            name.replace(f"layers.{layer}", "layers.0"): array
            for name, array in params.items()
            if name.startswith(f"layers.{layer}")
        }
        own |= {"V": params["V"][..., half], "c": params["c"] / 2}
        turned = slice(None, None, -1 if layer else 1)
        sums = sums + one_way.outputs(own, x[turned].copy())[turned]
    np.testing.assert_allclose(net.outputs(params, x), sums, rtol=1e-10, atol=1e-12)
    loss, grads = net.loss_and_grads(params, (x, np.zeros((6, 2, 7), int)))
    assert loss.shape == (2,)
    assert {name: g.shape for name, g in grads.items()} == {n: p.shape for n, p in params.items()}


REFUSALS = {
    BothWays: (
        {"n_x": 2, "n_h": 3, "n_y": 2, "seeds": [0]},
        {
            "n_x": COUNT,
            "n_h": COUNT,
            "n_y": COUNT,
            "seeds": [None, 3, [], [-1], [1.5]],
            "unit": NAME,
        },
    )
}
