"""Train the networks of the figure caption; needs torch."""

import itertools

import numpy as np

from rnn_helpers.explore.weights import packed, unpacked
from rnn_helpers.tasks import TwoDigits
from rnn_helpers.tasks.digits import handwritten_digits

MOST_LETTERS = 80_000
"""Letters of base 64 that the figure's bundle may carry, for all its networks."""
TASK = TwoDigits()
DOORS = ("step", "start", "both")
GRU = ("U", "Uu", "Ur", "W", "Wu", "Wr", "b", "bu", "br", "bh")
EYE = ("K1", "k1", "K2", "k2", "C", "d")
CHANNELS, CONTEXT, UNITS = (12, 24), 32, 32
LARGEST, RATE, BATCH, DRAWN, NOISE = 127, 0.003, 64, 0.4, 0.03
# The path of the pen for each digit, in pixels from the upper left corner; some have two or more.
STROKES = {
    0: ["4,1 2,2 2,5 4,7 6,5 6,2 4,1"],
    1: ["4,1 4,7", "2,3 4,1 4,7", "2,3 4,1 4,7 2,7 6,7"],
    2: ["2,2 4,1 6,2 5,4 2,7 6,7"],
    3: ["2,1 5,1 6,2 4,4 6,5 5,7 2,7", "2,1 6,1 4,4 6,5 4,7 2,6"],
    4: ["4,1 2,4 6,4|5,2 5,7", "2,1 2,4 6,4|6,1 6,7"],
    5: ["6,1 2,1 2,4 5,4 6,5 5,7 2,7"],
    6: ["5,1 3,3 2,5 4,7 6,6 5,4 3,5"],
    7: ["2,1 6,1 3,7", "2,1 6,1 4,7|3,4 6,4"],
    8: ["4,1 2,2 6,5 4,7 2,5 6,2 4,1"],
    9: ["6,2 4,1 2,2 3,4 6,3 6,2 5,7", "6,2 4,1 3,3 5,4 6,2 6,7"],
}


def ink(lines):
    """Return the picture, 8 x 8 from 0 to 1, of lines drawn by the figure's pen.

    Each line has at least two points. A pixel is full within half a pixel of a line, and empty
    from one and a half on.
    """
    places = np.moveaxis(np.mgrid[:8, :8], 0, -1)[..., ::-1] + 0.5
    nearest = np.full((8, 8), np.inf)
    for line in lines:
        for a, b in itertools.pairwise(line):
            way = b - a
            along = np.clip((places - a) @ way / max(way @ way, 1e-9), 0, 1)
            gap = np.linalg.norm(places - a - along[..., None] * way, axis=-1)
            nearest = np.minimum(nearest, gap)
    return np.clip(1.5 - nearest, 0, 1)


def written(digit, rng):
    """Return a digit as a hand might draw it with the figure's pen: turned, stretched, unsteady."""
    way = STROKES[digit][rng.integers(len(STROKES[digit]))]
    turn = np.deg2rad(rng.normal(0, 8))
    stretch = np.diag(rng.uniform(0.7, 1.15, 2))
    lean = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) @ stretch
    off = rng.uniform(-0.6, 0.6, 2)
    lines = [np.array([p.split(",") for p in line.split()], float) for line in way.split("|")]
    return ink([(line - 4) @ lean.T + 4 + off + rng.normal(0, 0.25, line.shape) for line in lines])


def make(steps=14000, tested=1000):
    """Train one encoder and three decoders together, and return them.

    The encoder has two convolutional layers and outputs a context of 32 numbers. Each decoder is a
    gated network of 32 units that receives the context in its own way and writes a caption. They
    are trained on all sentences except the 20 that `TwoDigits.kept` lists, with scikit-learn's
    digits and with digits drawn as by the figure's pen. There is one network of each kind, at one
    learning rate, so they illustrate and don't decide anything.

    Parameters
    ----------
    steps : int
        Steps of Adam, with 64 pictures each and a learning rate that falls to 0.
    tested : int
        Number of test pictures of each kind.

    Returns
    -------
    dict
        ``networks``: the encoder, ``eye``, and a decoder for each way in, in `packed` form.
        ``measured``: for each way in, the share of captions that are right on new pictures: of
        held-out ``digits``, of ``new`` sentences with such digits, and of digits drawn by ``pen``.
    """
    from rnn_helpers.figures.caption.figure import look, says

    own = _train(steps)
    networks = {"eye": packed(own.pop("eye"), EYE, LARGEST)}
    for door, params in own.items():
        networks[door] = packed(params, (*GRU, "V", "c"), LARGEST)
    eye, measured = unpacked(networks["eye"]), {}
    tests = {
        "digits": next(TASK.batches(tested, 1, held_out=True)),
        "new": next(TASK.batches(tested, 2, held_out=True, combinations="new")),
        "pen": _batch(np.random.default_rng(3), tested, 1.0),
    }
    seen = {name: [look(eye, picture) for picture in x] for name, (x, _) in tests.items()}
    for door in DOORS:
        params = unpacked(networks[door])
        measured[door] = {
            name: round(
                float(
                    np.mean(
                        [
                            says(params, door, c).words == _until_end(words)
                            for c, words in zip(seen[name], y.T, strict=True)
                        ]
                    )
                ),
                3,
            )
            for name, (_, y) in tests.items()
        }
    return {"networks": networks, "measured": measured}


def _until_end(words):
    words = words.tolist()
    return words[: words.index(TASK.end) + 1]


def _batch(rng, size, drawn):
    """Draw pictures and trained sentences, with a share of the digits drawn by pen."""
    pictures, labels = handwritten_digits()
    of = [pictures[labels == digit] for digit in range(10)]
    kept = set(TASK.kept())
    seen = [
        (a, b, place)
        for place in TASK.PLACES
        for a in range(10)
        for b in range(10)
        if (a, b, place) not in kept
    ]
    x, y = [], []
    for k in rng.integers(len(seen), size=size):
        *both, place = seen[k]
        digits = [
            written(d, rng) if rng.random() < drawn else of[d][rng.integers(len(of[d]))]
            for d in both
        ]
        x.append(TASK.picture(*digits, place, rng.integers(-1, 2, size=(2, 2))))
        y.append(TASK.caption(*both, place))
    return np.array(x), np.array(y).T


def _train(steps):
    import torch
    from torch.nn import GRU as Gated
    from torch.nn import Conv2d, Linear
    from torch.nn.functional import cross_entropy, one_hot

    from rnn_helpers.nets import from_torch

    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    one, two = CHANNELS
    n = len(TASK.WORDS)
    eye = torch.nn.Sequential(
        Conv2d(1, one, 3, stride=2, padding=1),
        torch.nn.ReLU(),
        Conv2d(one, two, 3, stride=2, padding=1),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        Linear(25 * two, CONTEXT),
        torch.nn.Tanh(),
    )
    writers = torch.nn.ModuleDict({door: Gated(n + CONTEXT, UNITS) for door in DOORS})
    outs = torch.nn.ModuleDict({door: Linear(UNITS, n) for door in DOORS})
    params = [*eye.parameters(), *writers.parameters(), *outs.parameters()]
    optimizer = torch.optim.Adam(params, lr=RATE)
    falls = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for _ in range(steps):
        x, y = _batch(rng, BATCH, DRAWN)
        x = np.clip(x + rng.normal(0, NOISE, x.shape), 0, 1)
        x, y = torch.tensor(x, dtype=torch.float32)[:, None], torch.from_numpy(y)
        c = eye(x)
        before = torch.zeros(len(y), BATCH, n)
        before[1:] = one_hot(y[:-1], n)
        # only the first end counts
        counts = torch.cat([torch.ones(1, BATCH), (y[:-1] != TASK.end).float()])
        loss = 0
        for door in DOORS:
            told = c[None].expand(len(y), -1, -1)
            inputs = torch.cat([before, torch.zeros_like(told) if door == "start" else told], 2)
            if door != "step":
                first = torch.cat([torch.zeros(BATCH, n), c], dim=1)
                inputs = torch.cat([first[None], inputs])
            o = outs[door](writers[door](inputs)[0][-len(y) :])
            each = cross_entropy(o.flatten(0, 1), y.flatten(), reduction="none")
            loss = loss + (each * counts.flatten()).sum() / counts.sum()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 1.0)
        optimizer.step()
        falls.step()
    arrays = [p.numpy(force=True).astype(float) for p in eye.parameters()]
    flat = [array.reshape(len(array), -1) if array.ndim > 2 else array for array in arrays]
    own = {"eye": dict(zip(EYE, flat, strict=True))}
    for door in DOORS:
        made = from_torch(writers[door], outs[door])
        own[door] = {name: made[name].astype(float) for name in (*GRU, "V", "c")}
    return own
