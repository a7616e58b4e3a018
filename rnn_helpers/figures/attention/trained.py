"""The networks of the figure attention, and how they learn to write dates; needs torch."""

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.tasks import Dates

MOST_LETTERS = 60_000
"""In base 64, for all networks in the figure's bundle."""
SOURCE = Dates()
GRU = ("U", "Uu", "Ur", "W", "Wu", "Wr", "b", "bu", "br", "bh")
READ, WRITE = 16, {"attention": 24, "fixed": 26}
LARGEST, RATE, BATCH, KNOWN = 127, 0.006, 64, 400_000


def names(way):
    """Return the names of a network's arrays, in the order in which they are stored."""
    parts = [f"{part}_{name}" for part in ("on", "back", "writer") for name in GRU]
    return [*parts, "V", "c", "h0", *(["Q"] if way == "attention" else [])]


def make(steps=4500, known=KNOWN, tested=2000):
    """Train two networks to write dates as computers do, one of them with attention.

    Both read with a gated network (GRU) of 16 units in each direction, and write with another GRU.
    One has attention: its annotations are the states of both readers at each character. The other
    receives the last states of both readers at every step. The second writes with 26 units, and
    the first with 24 and a matrix for its scores, so that their numbers of parameters differ by
    less than 2 %. There is one network of each kind, both trained with one rate: they are here to
    be looked at, and decide nothing.

    Parameters
    ----------
    steps : int
        Steps of Adam, each on 64 dates, while the rate falls to 0.
    known : int
        Dates to train on.
    tested : int
        Other dates to test on.

    Returns
    -------
    dict
        ``alphabet``; ``networks``: for each, its ``weights``, whole numbers from -127 to 127 in
        base 64, and the ``shapes`` and ``scales`` of their arrays;
        ``measured``: for each, its number of ``parameters`` and the share of ``tested`` dates that
        it writes ``right``, and the ``best`` possible share.
    """
    from rnn_helpers.figures.attention.figure import translate

    texts, dates = SOURCE.pairs(tested, 1)
    networks, measured = {}, {"best": round(SOURCE.best_accuracy(texts), 3)}
    for way in WRITE:
        networks[way] = packed(_train(way, steps, known), names(way), LARGEST)
        params = unpacked(networks[way])
        right = np.mean(
            [translate(params, t).written == d for t, d in zip(texts, dates, strict=True)]
        )
        measured[way] = {
            "parameters": sum(array.size for array in params.values()),
            "right": round(float(right), 3),
        }
    return {"alphabet": SOURCE.alphabet, "networks": networks, "measured": measured}


def _train(way, steps, known):
    import torch
    from torch.nn import GRU as Gated
    from torch.nn import Linear
    from torch.nn.functional import cross_entropy, one_hot

    from rnn_helpers.nets import from_torch

    torch.manual_seed(0)
    n, m, units = len(SOURCE.alphabet), len(SOURCE.OUTPUT) + 1, WRITE[way]
    net = torch.nn.ModuleDict(
        {
            "on": Gated(n, READ),
            "back": Gated(n, READ),
            "writer": Gated(m + 2 * READ, units),
            "out": Linear(units, m),
            "looks": Linear(units, 2 * READ, bias=False),
        }
    )
    h0 = torch.nn.Parameter(0.1 * torch.randn(units))
    x, lengths, y = next(SOURCE.batches(known, 0))
    x, lengths, y = (torch.from_numpy(np.ascontiguousarray(part)) for part in (x, lengths, y))
    optimizer = torch.optim.Adam([*net.parameters(), h0], lr=RATE)
    falls = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for _ in range(steps):
        which = torch.randint(known, (BATCH,))
        size = lengths[which]
        place = torch.arange(int(size.max()))[:, None]
        read = x[: len(place), which]
        turned = (size - 1 - place).clamp(min=0)
        on = net["on"](one_hot(read, n).float())[0]
        back = net["back"](one_hot(read.gather(0, turned), n).float())[0]
        again = turned[..., None].expand_as(back)
        notes = torch.cat([on, back.gather(0, again)], dim=2)
        end = (size - 1)[None, :, None].expand(1, BATCH, READ)
        fixed = torch.cat([on.gather(0, end)[0], back.gather(0, end)[0]], dim=1)
        h, o, before = h0.expand(BATCH, units), [], torch.zeros(BATCH, m)
        for t in range(len(y)):
            context = fixed
            if way == "attention":
                scores = (notes * net["looks"](h)).sum(2)
                scores = scores.masked_fill(place >= size, -1e9)
                context = (scores.softmax(0)[..., None] * notes).sum(0)
            h = net["writer"](torch.cat([before, context], dim=1)[None], h[None])[1][0]
            o.append(net["out"](h))
            before = one_hot(y[t, which], m).float()
        loss = cross_entropy(torch.stack(o).flatten(0, 1), y[:, which].flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        falls.step()
    own = {"h0": h0.numpy(force=True)}
    for part in ("on", "back", "writer"):
        # only the writer has outputs
        out = net["out"] if part == "writer" else Linear(READ, 1)
        arrays = from_torch(net[part], out)
        own |= {f"{part}_{name}": arrays[name] for name in GRU}
    own |= {"V": arrays["V"], "c": arrays["c"]}
    if way == "attention":
        own["Q"] = net["looks"].weight.numpy(force=True)
    return {name: array.astype(float) for name, array in own.items()}
