"""From how many starts beside a cliff does clipping save gradient descent? (figure 10.17)"""

import numpy as np

from rnn_helpers.experiments import SIGNED, Summary, each_seed, experiment, mean_interval
from rnn_helpers.reference import (
    cliff_gradient,
    cliff_loss,
    clip_by_element,
    clip_by_norm,
    random_step,
)

AXES = {"w": (3.5, 6.5), "b": (-4.0, -1.5)}  # around the cliff; starts are drawn from all of it
LOW = 1e-3  # a loss this small has been found
FAR = 1.0  # a step of this length is thrown, and two ends this far apart are two stories
CHANGE = 1e-12
PLAIN = ("none", None)
AT = (0.1, "norm", 1.0)  # learning rate, kind and threshold of the headline
WORDS = {"norm": "by norm", "element": "by element", "random": "random step"}


def summarise(rows):
    """Count, for each setting, who is saved, who is harmed and whose end is chaos."""
    seen = {}
    for row in rows:
        seen.setdefault((row["lr"], row["kind"], row["threshold"]), []).append(row)
    rates = list(dict.fromkeys(lr for lr, *_ in seen))
    gain = {
        key: mean_interval(
            [a["low"] - b["low"] for a, b in zip(these, seen[(key[0], *PLAIN)], strict=True)],
            SIGNED,
        )
        for key, these in seen.items()
        if key[1:] != PLAIN
    }
    said = [_rate(lr, {key[1:]: these for key, these in seen.items() if key[0] == lr})
            for lr in rates]  # fmt: skip
    starts = sum(row["starts"] for row in seen[rates[0], *PLAIN])
    said.append(f"Shares of {starts} starts, certain to {0.98 / starts**0.5:.1%} or better")
    lengths = {True: [], False: []}
    for (lr, kind, v), g in gain.items():
        if kind == "norm":
            lengths[g[1] > 0].append(lr * v)
    if gain[AT][1] <= 0:
        verdict = "does not hold"
    elif not lengths[False]:
        verdict = "holds"
    else:
        verdict = (
            "holds if the longest step, v times the learning rate, fits the ravine: here from "
            f"{min(lengths[True]):.2g} to {max(lengths[True]):.2g}, while nothing is gained with "
            + " or ".join(f"{length:.2g}" for length in sorted(lengths[False]))
        )
    what = (
        f"share of starts that end below {LOW:g}, clipped by norm at {AT[2]:g} less unclipped, "
        f"learning rate {AT[0]:g}"
    )
    return Summary(*gain[AT], what, verdict, ". ".join(said) + ".")


def _rate(lr, seen) -> str:
    plain = seen[PLAIN]
    text = (
        f"Learning rate {lr:g}, unclipped: {_shares([plain], 'thrown')} of the paths take a step "
        f"longer than {FAR:g}, {_shares([plain], 'low')} end below {LOW:g}{_moved(plain)}"
    )
    kinds = {}
    for (kind, v), these in seen.items():
        if kind in WORDS:
            kinds.setdefault(WORDS[kind], {})[v] = these
    for i, (words, each) in enumerate(kinds.items()):
        text += f"; at v = {', '.join(f'{v:g}' for v in each)}, " if i == 0 else ", "
        text += f"{words} {_shares(each.values(), 'low')}" + "".join(map(_moved, each.values()))
    worse = [f"{words} {_shares(each.values(), 'worse')}" for words, each in kinds.items()]
    return f"{text}. Ten times worse than unclipped: {', '.join(worse)}"


def _shares(groups, key) -> str:
    return ", ".join(f"{100 * np.mean([row[key] for row in rows]):.1f}" for rows in groups) + " %"


def _moved(rows) -> str:
    """How many paths end somewhere else, where they were followed twice."""
    if "moved" not in rows[0]:
        return ""
    at = f" of those at v = {rows[0]['threshold']:g}" if rows[0]["threshold"] else ""
    return f" ({_shares([rows], 'moved')}{at} end elsewhere if they start {CHANGE:g} beside)"


@experiment(
    "clipping-saves",
    claim="Clipping the gradient makes gradient descent behave reasonably near steep cliffs: it "
    "cannot be propelled away from the region near the solution.",
    source="Goodfellow et al., figure 10.17 and 10.11.1, after Pascanu et al. 2013 (P33)",
    chapter="17",
    quick={
        "seeds": 2,
        "starts": 40,
        "steps": 400,
        "rates": [0.1],
        "rules": [["norm", 1.0]],
        "twice": [],
    },
    full={
        "seeds": 12,
        "starts": 200,
        "steps": 400,
        "rates": [0.03, 0.1, 0.3],
        "rules": [[kind, v] for kind in WORDS for v in (0.1, 1.0, 10.0)],
        "twice": [["none", None], ["norm", 1.0]],
    },
    summarise=summarise,
)
def run(config, seeds):
    """Draw starts all over the plane around the cliff of figure 10.17, T = 50, follow gradient
    descent from each for 400 steps, unclipped, clipped by norm or by element, or with a random step
    where the norm exceeds the threshold, and again from 1e-12 beside it.
    """
    return each_seed(_one, config, seeds)


def _one(config, seed):
    rng, noise = np.random.default_rng(seed).spawn(2)
    start = np.array([rng.uniform(*limits, config["starts"]) for limits in AXES.values()])
    rules = [PLAIN, *map(tuple, config["rules"])]
    jobs = [(lr, *rule) for lr in config["rates"] for rule in rules]
    twice = [job for job in jobs if job[1:] in map(tuple, config["twice"])]
    # all that is followed, side by side: (path of each job, w and b, starts)
    p = np.stack([start] * len(jobs) + [start + CHANGE] * len(twice))
    longest, exceeded = np.zeros((2, len(p), config["starts"]))
    for _ in range(config["steps"]):
        gradient = np.moveaxis(cliff_gradient(p[:, 0], p[:, 1]), -1, 1)
        for i, (lr, kind, v) in enumerate(jobs + twice):
            step, norm = follow(gradient[i], kind, v, noise)
            p[i] -= lr * step
            longest[i] = np.maximum(longest[i], lr * np.hypot(*step))
            exceeded[i] += norm > (v or np.inf)
    loss = cliff_loss(p[:, 0], p[:, 1])
    inside = np.all([(low < p[:, i]) & (p[:, i] < high)
                     for i, (low, high) in enumerate(AXES.values())], axis=0)  # fmt: skip
    rows = []
    for i, (lr, kind, v) in enumerate(jobs):
        plain = loss[jobs.index((lr, *PLAIN))]
        row = {
            "seed": seed,
            "lr": lr,
            "kind": kind,
            "threshold": v,
            "starts": config["starts"],
            "low": np.mean(loss[i] < LOW),
            "loss": np.median(loss[i]),
            "thrown": np.mean(longest[i] > FAR),
            "outside": np.mean(~inside[i]),
            "exceeded": np.mean(exceeded[i]) / config["steps"],
            # ten times, and a difference that one would see
            "better": np.mean((10 * loss[i] < plain) & (plain > 0.01)),
            "worse": np.mean((loss[i] > 10 * plain) & (loss[i] > 0.01)),
        }
        if jobs[i] in twice:
            other = p[len(jobs) + twice.index(jobs[i])]
            row["moved"] = np.mean(np.hypot(*(other - p[i])) > FAR)
        rows.append(row)
    return rows


def follow(gradient, kind, threshold, noise):
    """Vectors to go against and norms of the gradients, for many paths in the plane.

    Parameters
    ----------
    gradient : ndarray, shape (2, S)
        By w and b. One that is not finite is not followed.
    kind : {"none", "norm", "element", "random"}
        What is done to it.
    threshold : float or None
        Threshold v.
    noise : numpy.random.Generator
        For the random steps.

    Returns
    -------
    step : ndarray, shape (2, S)
    norm : ndarray, shape (S,)
    """
    grads = dict(zip("wb", gradient, strict=True))
    if kind == "random":
        clipped, norm = random_step(grads, threshold, noise, seed_axis=True)
    elif kind == "element":
        clipped, norm = clip_by_element(grads, threshold, seed_axis=True)
    else:
        clipped, norm = clip_by_norm(grads, threshold or np.inf, seed_axis=True)
    return np.array([clipped["w"], clipped["b"]]), norm
