"""The networks of the figure bottleneck, and how they learn to reverse digits; needs torch."""

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.tasks import Reversal

MOST_LETTERS = 60_000
"""In base 64, for all networks in the figure's bundle."""
SIZES = (8, 16, 32)
"""Numbers in C, which are as many as the units of the reader and of the writer."""
LOOKS = (8, 16)
"""Sizes of the pairs with attention."""
GRU = ("U", "Uu", "Ur", "W", "Wu", "Wr", "b", "bu", "br", "bh")
NAMES = (*(f"{part}_{name}" for part in ("reader", "writer") for name in GRU), "V", "c", "Q")
LONGEST, MOST = 8, 12
LARGEST, RATE, BATCH, TESTED = 127, 0.01, 64, 500


def make(steps=4000, tested=TESTED):
    """Train pairs of networks to write digits from the last to the first.

    A gated network (GRU) reads one to eight digits, with equal probability for each length. Its
    last state is C, the first state of the GRU of the same size that writes. There is one pair for
    each size of C, and one with attention for each of the smaller sizes. Its decoder also receives
    a weighted average of all states of the encoder at every step. All were trained with one rate:
    they are here to be looked at, and decide nothing.

    Parameters
    ----------
    steps : int
        Steps of Adam, each on 64 sequences, while the rate falls to 0.
    tested : int
        New sequences of each length.

    Returns
    -------
    dict
        ``networks`` and ``looking``: for each of `SIZES` and of `LOOKS`, the weights as `packed`
        stores them; ``measured`` and ``looked``: for each of them, the share of digits that it
        writes correctly in new sequences of each length from 1 to 12, when its input is its own
        last symbol.
    """
    rng = np.random.default_rng(1)
    tests = [rng.integers(10, size=(n, tested)) for n in range(1, MOST + 1)]
    made = {"networks": {}, "measured": {}, "looking": {}, "looked": {}}
    for sizes, kept, right, looks in (
        (SIZES, "networks", "measured", False),
        (LOOKS, "looking", "looked", True),
    ):
        for size in sizes:
            made[kept][str(size)] = packed(_train(size, steps, looks), NAMES, LARGEST)
            made[right][str(size)] = measure(unpacked(made[kept][str(size)]), tests)
    return made


def measure(params, tests):
    """Return the share of digits that a pair writes correctly in the sequences of each length."""
    from rnn_helpers.figures.bottleneck.figure import write

    return [round(float(np.mean(write(params, x)[0].argmax(-1) == x[::-1])), 3) for x in tests]


def _train(size, steps, looks):
    import torch
    from torch.nn import GRU as Gated
    from torch.nn import Linear
    from torch.nn.functional import cross_entropy, one_hot

    from rnn_helpers.nets import from_torch

    torch.manual_seed(size)
    net = torch.nn.ModuleDict(
        {
            "reader": Gated(10, size),
            "writer": Gated(11 + size * looks, size),
            "out": Linear(size, 11),
            **({"looks": Linear(size, size, bias=False)} if looks else {}),
        }
    )
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE)
    falls = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    batches = Reversal(1, LONGEST).batches(BATCH, 0)
    for _ in range(steps):
        x, y = (torch.from_numpy(np.ascontiguousarray(part)) for part in next(batches))
        notes, context = net["reader"](one_hot(x, 10).float())
        heard = torch.cat([torch.zeros(1, BATCH, 11), one_hot(y[:-1], 11).float()])
        if looks:
            states, h = [], context
            for before in heard:
                weights = (notes * net["looks"](h[0])).sum(2).softmax(0)
                average = (weights[..., None] * notes).sum(0)
                h = net["writer"](torch.cat([before, average], dim=1)[None], h)[1]
                states.append(h[0])
            o = net["out"](torch.stack(states))
        else:
            o = net["out"](net["writer"](heard, context)[0])
        loss = cross_entropy(o.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        falls.step()
    made = from_torch(net["writer"], net["out"])
    own = {f"writer_{name}": made[name] for name in GRU} | {"V": made["V"], "c": made["c"]}
    reader = from_torch(net["reader"], Linear(size, 1))  # which has no outputs
    own |= {f"reader_{name}": reader[name] for name in GRU}
    if looks:
        own["Q"] = net["looks"].weight.numpy(force=True)
    return {name: array.astype(float) for name, array in own.items()}
