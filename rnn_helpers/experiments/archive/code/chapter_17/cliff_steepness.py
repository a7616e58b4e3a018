"""How fast do cliffs steepen with the number of steps, and where are they? (10.11.1)"""

import numpy as np

from rnn_helpers.experiments import SHARE, Verdict, each_seed, experiment
from rnn_helpers.experiments.data import claim_groups, lines
from rnn_helpers.experiments.words import Estimate, grouped, where
from rnn_helpers.plots.words import number
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
TWO = "two parameters"
HALF = 0.5  # a cliff lies where units are nearly linear if most of its line is more saturated
OFF = 0.9, 1.1  # a judgment: how far a cliff's growth may be from the factor of one step


def numbers(rows):
    """Compare how fast walls steepen with the factor of one step, and locate the walls."""
    two = where(rows, kind=TWO)
    walls = {net: _steep(mine) for net, mine in _nets(rows).items()}
    return {
        "last": two[0]["lengths"][-2:],
        "lines": len(two),
        "of_predicted": Estimate.mean(row["rate"] / row["predicted"] for row in two),
        "rank_of_two": np.mean([row["rank"] for row in two]),
        "rank_two": Estimate.mean((row["rank"] for row in two), SHARE),
        "grows": Estimate.geometric(row["rate"] for row in walls[AT]),
        "rank": Estimate.mean((row["rank"] for row in walls[AT]), SHARE),
    }


def _nets(rows) -> dict:
    """Group the lines between larger networks."""
    return grouped((row for row in rows if row["kind"] != TWO), "n_h", "kind", "radius")


def _steep(lines) -> list:
    """Choose the lines that have a wall."""
    return [row for row in lines if row["wall"] > WALL]


def table_two(rows):
    """Tabulate the largest gradient on the first line of the network with two parameters."""
    first = where(rows, kind=TWO)[0]
    return [
        {"steps": length, "largest gradient": number(size)}
        for length, size in zip(first["lengths"], first["largest"], strict=True)
    ]


def table_walls(rows):
    """Tabulate how fast the walls of larger networks steepen, and where they are."""
    lengths = rows[-1]["lengths"]
    middle, last = lengths[(len(lengths) - 1) // 2], lengths[-1]

    def line(net, lines):
        n_h, kind, radius = net
        walls = _steep(lines)
        told = {
            "units": n_h,
            "recurrent matrix": {"gaussian": "Gaussian"}.get(kind, kind),
            "radius at the end": f"{radius:g}",
            "lines with a wall": f"{len(walls)} of {len(lines)}",
        }
        if len(walls) < 2:
            return told
        growth, per_radius, rank, near = (
            Estimate.mean((measure(row) for row in walls), *bounds)
            for measure, *bounds in (
                (lambda row: row["rate"],),
                (lambda row: row["rate"] / row["radius_there"],),
                (lambda row: row["rank"], SHARE),
                (lambda row: row["rank_near"], SHARE),
            )
        )
        return told | {
            f"growth per step, {middle} to {last} steps": f"{growth:.2f}",
            "growth divided by the radius there": f"{per_radius.value:.2f}",
            "more saturated places, whole line": f"{rank.value:.0%}",
            "more saturated places, near the wall": f"{near.value:.0%}",
        }

    return [line(*item) for item in _nets(rows).items()]


def data(rows):
    """Return how walls steepen with the number of steps.

    The lines are the largest gradient on a line through the parameters. For two parameters, it is
    the first line, with the factor of one step. For larger networks, it is the median over their
    lines.
    """
    curves = {}
    for name, these in _kinds([row for row in rows if row["kind"] != "symmetric"]).items():
        row, lengths = these[0], np.array(these[0]["lengths"])
        two = row["kind"] == TWO
        sizes = np.median([r["largest"] for r in (these[:1] if two else these)], axis=0)
        curves[f"{name}, w = {row['w']:g}" if two else name] = sizes
        if two:
            predicted = sizes[-1] * row["predicted"] ** (lengths - lengths[-1])
            curves[f"{row['predicted']:.4g} a step"] = predicted
    return lines(
        rows[0]["lengths"],
        list(curves.values()),
        list(curves),
        question="How much steeper does a cliff become with each step?",
        xlabel="steps T",
        ylabel="largest gradient on a line",
        unit="",
        log="y",
    )


def data_openness(rows):
    """Return the share of a line with more saturated units than the wall.

    The estimates are medians over the lines that have a wall.
    """
    places = {"of the whole line": "rank", "of the line near by": "rank_near"}
    groups = {}
    for name, lines_of in _kinds(rows).items():
        walls = [row for row in lines_of if row.get("wall", WALL) >= WALL]
        if walls:
            groups[f"{name} ({len(walls)} of {len(lines_of)})"] = {
                place: _quartiles(row[key] for row in walls) for place, key in places.items()
            }
    return claim_groups(
        groups,
        question="On which share of a line are the units more saturated than at the cliff?",
        xlabel="part of the line with more saturated units",
        unit="of the line",
        spread="half of the lines",
        share=True,
    )


def _quartiles(values):
    low, middle, high = np.quantile(list(values), [0.25, 0.5, 0.75])
    return middle, low, high


def _steepens(n) -> bool:
    """Return whether each step multiplies the largest gradient by the slope of one step."""
    return OFF[0] < n.of_predicted.low and n.of_predicted.high < OFF[1]


def _kinds(rows) -> dict:
    """Group the rows by the name of their networks."""

    def name(kind, n_h=None, radius=None):
        symmetric = ", symmetric" if kind == "symmetric" else ""
        return kind if kind == TWO else f"{n_h} units{symmetric}, radius {radius:g}"

    return {
        name(*(mine[0].get(key) for key in ("kind", "n_h", "radius"))): mine
        for mine in grouped(({"n_h": None, "radius": None} | r for r in rows),
                            "kind", "n_h", "radius").values()
    }  # fmt: skip


@experiment(
    claim="With each further time step, a cliff becomes steeper by a factor, because the same "
    "matrix enters the product once more. And cliffs lie where the network is nearly linear.",
    source="Goodfellow et al., figure 10.17, after Pascanu et al. 2013",
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
    numbers=numbers,
    headline=(
        "rank",
        "share of a line on which the units are more saturated than at the cliff "
        f"({AT[0]} tanh units, radius 0.5 to {AT[2]:g}; two parameters: {{rank_of_two:.2g}})",
    ),
    finding={
        "holds": "Cliffs steepen exponentially with the number of steps, and they lie where the "
        "units are nearly linear.",
        "holds in part": "Cliffs steepen exponentially with the number of steps, but in networks "
        "of 20 or 50 units they don't lie where the units are most nearly linear.",
        "does not hold": "Cliffs don't steepen exponentially with the number of steps, or they "
        "lie where the units are saturated.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                _steepens(n) and n.grows.low > 1 and n.rank_two.low > HALF and n.rank.low > HALF
            ),
            "Holds. With {rank.value:.0%} of a line more saturated than its cliff, cliffs lie "
            "where the network is nearly linear.",
        ),
        in_part=(
            lambda n: _steepens(n) and n.grows.low > 1 and n.rank_two.low > HALF > n.rank.high,
            f"Holds in part, if the network has only two parameters. With {AT[0]} units, cliffs "
            f"steepen "
            "exponentially too, but only {rank.value:.0%} of a line through the parameters has "
            "more saturated units than its cliff.",
        ),
        fails=(
            lambda n: (
                n.of_predicted.high < OFF[0]
                or n.of_predicted.low > OFF[1]
                or n.rank_two.high < HALF
            ),
            "Does not hold. Even with two parameters, cliffs don't steepen by the factor of one "
            "step, or they lie where the unit is saturated.",
        ),
    ),
    saw=[
        "With two parameters, the cliff lies where the start is a repelling fixed point x*. From "
        "{last[0]} to {last[1]} steps, each step multiplies the largest gradient by "
        "{of_predicted:.3f} times w σ′(x*), the slope of one step. Between larger networks, a line "
        f"has a wall if its largest gradient is more than {WALL} times its median gradient.",
    ],
    table={
        "Largest gradient in a network with two parameters, on the line w = 5": table_two,
        "Walls on lines from a network of spectral radius 0.5 to another network": table_walls,
    },
    data={"growth": data, "openness": data_openness},
)
def run(config, seeds):
    """Search lines through the parameter space for the largest gradient, for many lengths T: lines
    of constant w in the plane of two parameters, and lines from a random tanh network of spectral
    radius 0.5 to another of a larger radius, which pass a bifurcation. Measure there how far the
    units are from saturation.
    """
    return each_seed(_one, config, seeds)


def _one(config, seed):
    return [_two_parameters(config, seed), *(_net(config, seed, *net) for net in config["nets"])]


def _two_parameters(config, seed) -> dict:
    # the first line is the page's; above 5.5, a wall of 100 steps is too thin for 64 bits
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

    def heard(T):  # one symbol, then zeros
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
    T = int(lengths[-1])
    largest = [size for size, _ in found]
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
    """Return the mean slope at the wall and its rank, on the whole line and nearby."""
    there = opened(np.array([wall]))[0]
    others = opened(line)
    near = abs(line - wall) < NEAR * np.ptp(line)
    return {
        "open": there,
        "rank": np.mean(others < there),
        "rank_near": np.mean(others[near] < there),
    }


def climb(measure, line, lengths, best=2, zooms=14, points=21):
    """Find the largest gradient on a line, for each length.

    A wall may be thinner than any grid, but the losses on its two sides differ. So we refine the
    gaps across which the loss jumps most or the gradient is largest, again and again.

    Parameters
    ----------
    measure : callable
        ``measure(places, T)`` -> losses and sizes of gradients.
    line : ndarray
        Initial places, in order.
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
        if found:  # a wall stays in its place while it steepens
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
