"""How steep are cliffs, how fast do they steepen with time, and where? (figure 10.17)"""

import numpy as np

from rnn_helpers.experiments import SHARE, Summary, each_seed, experiment, mean_interval
from rnn_helpers.reference import (
    cliff_gradient,
    cliff_loss,
    cliff_state,
    init_recurrent,
    init_rnn,
    joint_norm,
    rnn_forward,
    sigmoid,
    spectral_radius,
)
from rnn_helpers.tasks import character_model

START = 0.5  # x^(0) of the network with two parameters
AT = (20, "gaussian", 3.0)  # units, kind and radius of the networks of the headline
NEAR = 0.05  # of the line, on either side
WALL = 100  # a line has a wall if its largest gradient is as many times the median one
_KINDS = {"gaussian": "any W", "symmetric": "symmetric W"}


def summarise(rows):
    """Compare the steepening with what one step multiplies by, and see where walls stand."""
    two = [row for row in rows if row["kind"] == "two parameters"]
    nets = {}
    for row in rows:
        if row["kind"] != "two parameters":
            nets.setdefault((row["n_h"], row["kind"], row["radius"]), []).append(row)
    shown, agrees = two[0], [row["rate"] / row["predicted"] for row in two]
    text = (
        f"Two parameters, w = {shown['w']:g}: the largest gradient is "
        f"{', '.join(f'{size:.3g}' for size in shown['largest'])} for T = "
        f"{', '.join(map(str, shown['lengths']))}. On {len(two)} lines of constant w it grows, at "
        f"the last, by {_says(agrees)} times w sigma'(x*) a step, where x* is the start, a fixed "
        f"point that repels; on {np.mean([row['rank'] for row in two]):.0%} of the line units are "
        f"more saturated. Lines from tanh networks of radius 0.5 to others, T = "
        f"{rows[-1]['lengths'][-1]}, have a wall, {WALL} times as steep as the line's median, in: "
        + "; ".join(_walls(*net, these) for net, these in nets.items())
        + "."
    )
    walls = {net: [row for row in these if row["wall"] > WALL] for net, these in nets.items()}
    steep = [row for these in walls.values() for row in these]
    rank = mean_interval([row["rank"] for row in walls[AT]], SHARE)
    if not 0.9 < np.mean(agrees) < 1.1 or not all(row["rate"] > 1 for row in steep):
        verdict = "does not hold"
    elif rank[2] > 0.5:
        verdict = "holds"
    else:
        verdict = (
            "holds if the network has two parameters; with more, cliffs steepen exponentially too, "
            "but stand where units are more saturated than on most of the line"
        )
    what = (
        f"share of a line where units are more saturated than at its wall ({AT[0]} tanh units, "
        f"radius 0.5 to {AT[2]:g}; two parameters: {np.mean([row['rank'] for row in two]):.2g})"
    )
    return Summary(*rank, what, verdict, text)


def _walls(n_h, kind, radius, rows) -> str:
    walls = [row for row in rows if row["wall"] > WALL]
    symmetric = " with symmetric W" if kind == "symmetric" else ""
    said = f"{n_h} units{symmetric}, to radius {radius:g}, {len(walls)} of {len(rows)}"
    if len(walls) < 2:
        return said
    return (
        f"{said} ({np.mean([row['rate_before'] for row in walls]):.2f} a step, at the last "
        f"{_says((row['rate'] for row in walls), 2)}, "
        f"{np.mean([row['rate'] / row['radius_there'] for row in walls]):.2f} of the radius of W; "
        f"{np.mean([row['rank'] for row in walls]):.0%} of the line more saturated, "
        f"{np.mean([row['rank_near'] for row in walls]):.0%} near by)"
    )


def _says(values, digits=3) -> str:
    return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(*mean_interval(list(values)), d=digits)


@experiment(
    "cliff-steepness",
    claim="With each further step a cliff grows steeper by a factor, for the same matrix is in the "
    "product once more; and cliffs stand where the network is nearly linear.",
    source="Goodfellow et al., figure 10.17, after Pascanu et al. 2013 (P33)",
    chapter="17",
    quick={
        "seeds": 3,
        "lengths": [50, 100],
        "nets": [["gaussian", 20, 3.0]],
        "points": 100,
        "net_lengths": [20, 30, 40],
    },
    full={
        "seeds": 20,
        "lengths": [5, 10, 20, 50, 100],
        "nets": [
            ["gaussian", 20, 1.5],
            ["gaussian", 20, 2.0],
            ["gaussian", 20, 3.0],
            ["gaussian", 50, 2.0],
            ["symmetric", 20, 1.5],
            ["symmetric", 20, 2.0],
            ["symmetric", 20, 3.0],
        ],
        "points": 400,
        "net_lengths": [20, 30, 40, 50, 60],
    },
    summarise=summarise,
)
def run(config, seeds):
    """Look for the largest gradient on lines through the parameters, for many lengths T: lines of
    constant w in the plane of figure 10.17, and lines from a random tanh network of radius 0.5 to
    another of a larger radius, through a bifurcation; and see how open the units are there.
    """
    return each_seed(_one, config, seeds)


def _one(config, seed):
    return [_two_parameters(config, seed), *(_net(config, seed, *net) for net in config["nets"])]


def _two_parameters(config, seed) -> dict:
    # the first line is that of the book; above 5.5 a wall of 100 steps is too thin for 64 bits
    w = 5.0 if seed == 0 else np.random.default_rng(seed).uniform(4.5, 5.5)

    def measure(b, T):
        return cliff_loss(w, b, T), np.linalg.norm(cliff_gradient(w, b, T), axis=-1)

    line = np.linspace(-w / 2 - 2, -w / 2 + 2, config["points"] + 1)
    found = climb(measure, line, config["lengths"])
    T = config["lengths"][-1]

    def opened(b):
        y = sigmoid([np.full_like(b, START), *(cliff_state(w, b, t) for t in range(1, T))])
        return 4 * np.mean(y * (1 - y), axis=0)

    largest = [size for size, _ in found]
    y = sigmoid(START)
    return {
        "kind": "two parameters",
        "seed": seed,
        "w": w,
        "lengths": config["lengths"],
        "largest": largest,
        "rate": (largest[-1] / largest[-2]) ** (1 / (T - config["lengths"][-2])),
        "predicted": w * y * (1 - y),
        "off": abs(found[-1][1] - (START - w * y)),
        **_openness(opened, found[-1][1], line),
    }


def _net(config, seed, kind, n_h, radius) -> dict:
    ends = [_drawn(kind, n_h, r, (seed, i)) for i, r in enumerate((0.5, radius))]

    def on(line):
        s = np.reshape(line, (-1, 1, 1))
        return {
            name: ends[0][name] + (s if end.ndim == 2 else s[..., 0]) * (end - ends[0][name])
            for name, end in ends[1].items()
        }

    def heard(T):  # one symbol, then silence
        return np.eye(T, 1)[:, None]

    def measure(line, T):
        last = np.arange(T)[:, None] == T - 1
        loss, grads = model(on(line), (heard(T), np.ones((T, 1), int), last))
        return loss, joint_norm(grads, seed_axis=True)

    def opened(line):
        return np.mean(1 - rnn_forward(on(line), heard(T)).h ** 2, axis=(0, 2, 3))

    model = character_model()
    line = np.linspace(0, 1, config["points"] + 1)
    lengths = np.array(config["net_lengths"])
    found = climb(measure, line, lengths)
    T, largest = int(lengths[-1]), [size for size, _ in found]
    first = np.searchsorted(lengths, 20)  # the first steps depend on the start
    middle = (first + len(lengths) - 1) // 2
    return {
        "kind": kind,
        "radius": radius,
        "seed": seed,
        "n_h": n_h,
        "T": T,
        "lengths": config["net_lengths"],
        "largest": largest,
        "rate": (largest[-1] / largest[middle]) ** (1 / (T - lengths[middle])),
        "rate_before": (largest[middle] / largest[first])
        ** (1 / (lengths[middle] - lengths[first])),
        "wall": largest[-1] / np.median(measure(line, T)[1]),
        "radius_there": spectral_radius(on(found[-1][1])["W"][0]),
        **_openness(opened, found[-1][1], line),
    }


def _drawn(kind, n_h, radius, seed) -> dict:
    rng = np.random.default_rng(seed)
    params = init_rnn(1, n_h, 2, rng) | {"b": rng.normal(0, n_h**-0.5, n_h)}
    W = init_recurrent("gaussian", n_h, rng)
    if kind == "symmetric":
        W = W + W.T
    return params | {"W": W * (radius / spectral_radius(W))}


def _openness(opened, wall, line) -> dict:
    """How near their largest the slopes are at the wall; their rank on the line, and near by."""
    there, others = opened(np.array([wall]))[0], opened(line)
    near = abs(line - wall) < NEAR * np.ptp(line)
    return {
        "open": there,
        "rank": np.mean(others < there),
        "rank_near": np.mean(others[near] < there),
    }


def climb(measure, line, lengths, best=2, zooms=14, points=21):
    """Find the largest gradient on a line, for each length.

    A wall may be thinner than any grid, but it parts losses that differ: we halve, again and again,
    the gaps across which the loss jumps most, or beside which the gradient is largest.

    Parameters
    ----------
    measure : callable
        ``measure(places, T)`` -> losses and sizes of gradients.
    line : ndarray
        Places to begin with, in order.
    lengths : sequence of int
        Lengths T.
    best, zooms, points : int
        How many gaps to follow, how often, and into how many places each is divided.

    Returns
    -------
    list of (float, float)
        Size of the largest gradient and its place, for each length.
    """
    found = []
    for T in lengths:
        loss, size = measure(line, T)
        seen = [(size.max(), line[size.argmax()])]
        jumps = np.argsort(-np.abs(np.diff(loss)))[:best]
        peaks = np.argsort(-np.maximum(size[:-1], size[1:]))[:best]
        gaps = [(line[i], line[i + 1]) for i in {*jumps, *peaks}]
        if found:  # walls stay where they are while they steepen
            before, at = found[-1]
            gaps.append((at - 1 / before, at + 1 / before))
        for low, high in gaps:
            for _ in range(zooms):
                places = np.linspace(max(low, line[0]), min(high, line[-1]), points)
                loss, size = measure(places, T)
                seen.append((size.max(), places[size.argmax()]))
                i = np.abs(np.diff(loss)).argmax()
                low, high = places[max(i - 1, 0)], places[min(i + 2, points - 1)]
                thinnest = 4 * points * np.spacing(abs(high))
                if size.min() > 0.999 * size.max() or high - low < thinnest:
                    break
        found.append(max(seen))
    return found
