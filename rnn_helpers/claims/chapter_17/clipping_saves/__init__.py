"""From how many starts near a cliff does clipping save gradient descent? (10.11.1)"""

import numpy as np

from rnn_helpers.experiments import SHARE, SIGNED, Verdict, each_seed, experiment
from rnn_helpers.experiments.data import Data, estimate
from rnn_helpers.experiments.grids import GridContest
from rnn_helpers.experiments.words import (
    VALUES_AT_EDGES,
    Estimate,
    either,
    grouped,
    listed,
    power_of_ten,
    where,
)
from rnn_helpers.reference import (
    cliff_gradient,
    cliff_loss,
    clip_by_element,
    clip_by_norm,
    random_step,
)

AXES = {"w": (3.5, 6.5), "b": (-4.0, -1.5)}  # around the cliff; starts are drawn from all of it
LOW = 1e-3  # a path with this loss has found the ravine
FAR = 1.0  # a step of this length is long, and two ends this far apart are different
SLIGHT = 0.02  # a gain below this share of the starts counts as none in words
CHANGE = 1e-12
_CHANGE = power_of_ten(-12)
PLAIN = ("none", None)
AT = (0.1, "norm", 1.0)  # learning rate, kind and threshold of the chapter's example
FITS = (0.01, 1.0)  # clipping should help if the longest step that it allows is about this long
WORDS = {"norm": "by norm", "element": "by element", "random": "random step"}
PATHS = {PLAIN: "unclipped", AT[1:]: f"clipped by norm at {AT[2]:g}"}


def numbers(rows):
    """Count the starts that clipping saves and the paths that end by chance.

    The kinds of clipping are compared at the settings that each of them chose. Everything else is
    about the grid, whose settings are the same for all.
    """
    best = where(rows, chosen=True)
    seen = _seen(rows)
    gain = {
        (lr, kind, v): Estimate.mean(
            (a["low"] - b["low"] for a, b in zip(mine, seen[lr, *PLAIN], strict=True)), SIGNED
        )
        for (lr, kind, v), mine in seen.items()
        if (kind, v) != PLAIN
    }
    by_norm = sorted((round(lr * v, 9), g) for (lr, kind, v), g in gain.items() if kind == "norm")
    # the longest possible step of the settings that gain something, and of those that don't
    saving = [step for step, g in by_norm if g.low > SLIGHT]
    useless = [step for step, g in by_norm if g.high < SLIGHT]
    inside = [g for step, g in by_norm if FITS[0] <= step <= FITS[1]]
    outside = [g for step, g in by_norm if not FITS[0] <= step <= FITS[1]]
    plain, clipped = seen[AT[0], *PLAIN], seen[AT]
    by_chance = seen.get((AT[0], "random", AT[2]))
    return {
        "best_gain": Estimate.mean(
            (
                a["low"] - b["low"]
                for a, b in zip(where(best, kind="norm"), where(best, kind="none"), strict=True)
            ),
            SIGNED,
        ),
        "best": {kind: _share(mine, "low") for kind, mine in grouped(best, "kind").items()},
        "least": min(inside, key=lambda g: g.low),
        "least_outside": min(outside, key=lambda g: g.low, default=None),
        "settings": {
            kind: {name: mine[0][name] for name in Descents.values}
            for kind, mine in grouped(best, "kind").items()
        },
        "edges": listed(
            "{kind}", where((m[0] for m in grouped(best, "kind").values()), at_edge=True)
        ),
        "gain": gain[AT],
        "low": _share(clipped, "low"),
        "low_plain": _share(plain, "low"),
        "low_random": by_chance and _share(by_chance, "low"),
        "saving": (min(saving, default=None), max(saving, default=None)),
        "useless": either(useless, ".2g"),
        "thrown": _share(plain, "thrown"),
        "moved": "moved" in plain[0] and _share(plain, "moved"),
        "moved_clipped": "moved" in clipped[0] and _share(clipped, "moved"),
        "starts": sum(row["starts"] for row in plain),
        **{
            name: {f"{kind} {v} at {lr}": _share(mine, key) for (lr, kind, v), mine in seen.items()}
            for name, key in (("found", "low"), ("exceeded", "exceeded"))
        },
    }


def _seen(rows) -> dict:
    """Group the rows of the grid."""
    return grouped(where(rows, chosen=False), "lr", "kind", "threshold")


def _share(rows, key) -> Estimate:
    return Estimate.mean((row[key] for row in rows), SHARE)


def _by_rule(rows, key, unclipped=False) -> list[dict]:
    """Tabulate a share by learning rate and threshold, and by kind of clipping."""
    seen = _seen(rows)
    lines = {}
    for (lr, kind, v), mine in seen.items():
        if (kind, v) != PLAIN:
            line = lines.setdefault((lr, v), {"learning rate": lr, "threshold": v})
            if unclipped:
                line["unclipped"] = f"{_share(seen[lr, *PLAIN], key):.0%}"
            line[WORDS[kind]] = f"{_share(mine, key):.0%}"
    return list(lines.values())


def table_low(rows):
    """Tabulate the share of starts that end with a low loss."""
    return _by_rule(rows, "low", unclipped=True)


def table_worse(rows):
    """Tabulate the share of starts that end with a much higher loss than without clipping."""
    return _by_rule(rows, "worse")


def table_chance(rows):
    """Tabulate the shares of paths with a long step, and of those that end by chance."""
    rates = grouped(where(rows, chosen=False), "lr")
    return [
        {
            "learning rate": lr,
            "paths": PATHS[kind, v],
            f"a step is longer than {FAR:g}": f"{_share(each, 'thrown'):.0%}",
            f"end elsewhere if the start moves by {_CHANGE}": f"{_share(each, 'moved'):.0%}",
        }
        for lr, mine in rates.items()
        for (kind, v), each in grouped(mine, "kind", "threshold").items()
        if "moved" in each[0]
    ]


def table_best(rows):
    """Tabulate the share of starts that end with a low loss, each kind at its chosen settings."""
    return [
        {
            "gradients": WORDS.get(kind, "unclipped"),
            "learning rate": mine[0]["lr"],
            "threshold": "–" if mine[0]["threshold"] is None else f"{mine[0]['threshold']:g}",
            f"loss below {LOW:g}": f"{_share(mine, 'low'):.0%}",
        }
        for kind, mine in grouped(where(rows, chosen=True), "kind").items()
    ]


def data(rows):
    """Count the starts that end with a low loss, by kind of clipping and threshold.

    Each learning rate has a panel. The horizontal line is descent without clipping.
    """
    panels = []
    for lr, mine in grouped(where(rows, chosen=False), "lr").items():
        unclipped = np.mean([row["low"] for row in where(mine, kind="none")])
        lines = [
            {"label": name, "points": _by_threshold(where(mine, kind=kind))}
            for kind, name in WORDS.items()
            if where(mine, kind=kind)
        ]
        marks = [(float(unclipped), "unclipped")]
        panels.append({"title": f"learning rate {lr:g}", "lines": lines, "marks": marks})
    return Data(
        question="How many starts end with a low loss, with clipping and without?",
        measure="starts with a low final loss",
        unit="of the starts end with a low loss",
        share=True,
        panels=panels,
        x="threshold v",
        log="x",
    )


def _by_threshold(rows):
    return [
        estimate([np.mean([row["low"] for row in mine])] * 3, x=threshold)
        for threshold, mine in sorted(grouped(rows, "threshold").items())
    ]


_RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]
_THRESHOLDS = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]


@experiment(
    claim="With clipping, gradient descent behaves reasonably near steep cliffs: no step throws it "
    "far away from the region of the solution.",
    short="With clipping, no step near a cliff is thrown far away",
    source="Goodfellow et al., figure 10.17 and 10.11.1, after Pascanu et al. 2013",
    quick={
        "seeds": 2,
        "choosing": 1,
        "starts": 40,
        "steps": 400,
        "grids": {"none": [[0.1]], "norm": [[0.1], [1.0]]},
        "first": {"none": [1], "norm": [1, 1]},
        "rates": [0.1],
        "rules": [["norm", 1.0]],
        "twice": [],
    },
    full={
        "seeds": 20,
        "choosing": 2,
        "starts": 100,
        "steps": 400,
        "grids": {"none": [_RATES], **{kind: [_RATES, _THRESHOLDS] for kind in WORDS}},
        "first": {"none": [9], **{kind: [3, 3] for kind in WORDS}},
        "rates": [0.03, 0.1, 0.3],
        "rules": [[kind, v] for kind in WORDS for v in (0.1, 1.0, 10.0)],
        "twice": [["none", None], ["norm", 1.0]],
    },
    numbers=numbers,
    headline=(
        "best_gain",
        f"share of starts that end with a loss below {LOW:g}, clipped by norm minus unclipped, "
        "both at their best settings",
    ),
    finding={
        **dict.fromkeys(
            ("holds", "holds in part", "undecided"),
            f"With the learning rate and threshold that suit it, clipping by norm leads "
            f"{{best[norm].value:.0%}} of the starts around a cliff to a loss below {LOW:g}. "
            "Without clipping, {best[none].value:.0%} get there at the best learning rate.",
        ),
        "does not hold": "At its best learning rate, gradient descent reaches a low loss around a "
        "cliff as often without clipping as with it.",
    },
    verdict=Verdict(
        holds=(
            lambda n: (
                n.best_gain.low > 0.05
                and n.least.low > 0
                and n.least_outside
                and n.least_outside.low > 0
            ),
            "Holds. Clipping by norm helps at every learning rate and threshold that we tried.",
        ),
        in_part=(
            lambda n: n.best_gain.low > 0.05 and n.least.low > 0 and n.useless,
            "Holds in part, if the longest step that clipping allows, the threshold times the "
            "learning "
            f"rate, is {FITS[0]:g} to {FITS[1]:g} long. Clipping gains hardly anything if it is "
            "{useless} long.",
        ),
        fails=(
            lambda n: n.best_gain.high < 0.05,
            "Does not hold. At the best settings of each, clipping by norm leads "
            "{best[norm].value:.0%} of the starts to a low loss, and plain descent "
            "{best[none].value:.0%}.",
        ),
    ),
    taught=lambda n: n.gain.low > 0 and n.low_random.low > n.low.high and n.best_gain.low > 0,
    saw=[
        f"Without clipping, {{thrown.value:.0%}} of the paths take a step longer than {FAR:g} at a "
        f"learning rate of {AT[0]:g}.",
        (
            lambda n: n.moved,
            f"If the start moves by {_CHANGE}, {{moved.value:.0%}} of the unclipped paths end "
            f"elsewhere, and {{moved_clipped.value:.0%}} of those that are clipped by norm at "
            f"{AT[2]:g}.",
        ),
        (
            lambda n: n.low_random and n.low_random.low > n.low.high,
            "At this rate, {low.value:.0%} of the starts reach a low loss if the norm is clipped "
            f"at {AT[2]:g}, and {{low_plain.value:.0%}} without clipping. A random step wherever "
            f"the norm exceeds {AT[2]:g} does even better: {{low_random.value:.0%}} get there.",
        ),
        VALUES_AT_EDGES,
    ],
    caveats=[
        "At first we compared only three learning rates, none of which suits descent without "
        "clipping. The verdict was the same, but at the best rate of each, the lead of clipping is "
        "smaller. We fixed the range of steps before the runs that this page shows, but we knew it "
        "from that first comparison.",
    ],
    table={
        "Each kind of clipping at the settings that it chose": table_best,
        f"Starts that end with a loss below {LOW:g}": table_low,
        "Starts that end with more than ten times the loss of the unclipped path": table_worse,
        "Paths that take a long step, and paths that end by chance": table_chance,
    },
    data=data,
)
def run(config, seeds):
    """We drew starts at random from the plane around the cliff of figure 10.17, T = 50. From each,
    we followed gradient descent for 400 steps: unclipped, clipped by norm or by element, or with a
    random step where the norm exceeds the threshold. Each of the four had the best of equally many
    settings (learning rates, or learning rates and thresholds), chosen on other starts. Then we
    compared all of them at three learning rates and three thresholds, and there we also followed
    some descents again from starts that differ by 1e-12.
    """
    best = Descents().run(config, seeds)
    grid = each_seed(_one, config, seeds)
    return [row | {"chosen": True} for row in best] + [row | {"chosen": False} for row in grid]


class Descents(GridContest):
    """Ways to clip, each of them at the learning rate and the threshold that suit it."""

    columns = ("kind",)
    values = "lr", "threshold"

    def cells(self, config):
        """Name the ways to clip, and no clipping."""
        return [(kind,) for kind in config["grids"]]

    def train(self, config, cell, settings, seeds):
        """Return the final losses (settings and seeds, starts)."""
        jobs = [(lr, *cell, *(rest or [None])) for lr, *rest in settings]
        ends = []
        for seed in seeds:
            start, noise = _drawn(config, seed)
            p, *_ = descend(np.stack([start] * len(jobs)), jobs, config["steps"], noise)
            ends.append(cliff_loss(p[:, 0], p[:, 1]))
        return np.stack(ends, axis=1).reshape(-1, config["starts"])

    def score(self, config, cell, made, seeds):
        """Return the share of starts that end with a low loss."""
        return (made < LOW).mean(axis=-1)

    def rows(self, config, cell, made, seeds, scores):
        """Name the share of starts as in the rows of the grid."""
        return [{"seed": seed, "low": low} for seed, low in zip(seeds, scores, strict=True)]


def _drawn(config, seed):
    """Draw starts (2, starts), and return them with a generator for random steps."""
    rng, noise = np.random.default_rng(seed).spawn(2)
    starts = [rng.uniform(*limits, config["starts"]) for limits in AXES.values()]
    return np.array(starts), noise


def descend(p, jobs, steps, noise):
    """Follow gradient descent.

    Parameters
    ----------
    p : ndarray, shape (jobs, 2, S)
        Where each job starts; changed in place.
    jobs : sequence of tuple
        Learning rate, kind and threshold of each; see `follow`.
    steps : int
    noise : numpy.random.Generator
        For the random steps.

    Returns
    -------
    p : ndarray, shape (jobs, 2, S)
        Where each path ends.
    longest : ndarray, shape (jobs, S)
        Length of the longest step.
    exceeded : ndarray, shape (jobs, S)
        How many gradients were longer than the threshold.
    """
    longest, exceeded = np.zeros((2, len(p), p.shape[-1]))
    for _ in range(steps):
        gradient = np.moveaxis(cliff_gradient(p[:, 0], p[:, 1]), -1, 1)
        for i, (lr, kind, v) in enumerate(jobs):
            step, norm = follow(gradient[i], kind, v, noise)
            p[i] -= lr * step
            longest[i] = np.maximum(longest[i], lr * np.hypot(*step))
            exceeded[i] += norm > (v or np.inf)
    return p, longest, exceeded


def _one(config, seed):
    start, noise = _drawn(config, seed)
    rules = [PLAIN, *map(tuple, config["rules"])]
    jobs = [(lr, *rule) for lr in config["rates"] for rule in rules]
    twice = [job for job in jobs if job[1:] in map(tuple, config["twice"])]
    # all paths side by side: (jobs, w and b, starts)
    p = np.stack([start] * len(jobs) + [start + CHANGE] * len(twice))
    p, longest, exceeded = descend(p, jobs + twice, config["steps"], noise)
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
            # a factor of ten, and a visible difference
            "better": np.mean((10 * loss[i] < plain) & (plain > 0.01)),
            "worse": np.mean((loss[i] > 10 * plain) & (loss[i] > 0.01)),
        }
        if jobs[i] in twice:
            other = p[len(jobs) + twice.index(jobs[i])]
            row["moved"] = np.mean(np.hypot(*(other - p[i])) > FAR)
        rows.append(row)
    return rows


def follow(gradient, kind, threshold, noise):
    """Return the vectors to step against and the norms of the gradients, for many paths.

    Parameters
    ----------
    gradient : ndarray, shape (2, S)
        With respect to w and b. A gradient that is not finite gives no step.
    kind : {"none", "norm", "element", "random"}
        What replaces it.
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
