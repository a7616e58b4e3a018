"""Does descent find the readout that the closed form gives, from any start? (section 10.8)"""

from itertools import product

import numpy as np

from rnn_helpers.experiments import Verdict, experiment
from rnn_helpers.experiments.choose import Choice
from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.data import INTERVAL, claim_curves
from rnn_helpers.experiments.words import (
    AT_EDGES,
    Estimate,
    at_edges,
    crossed,
    either,
    grouped,
    where,
)
from rnn_helpers.reference import init_reservoir, reservoir_states, ridge_readout
from rnn_helpers.tasks import narma10
from rnn_helpers.training import Adam

NEAR, THERE = 1e-2, 1e-6  # excess of the criterion over its minimum, as a share of that
MOST = 0.5  # a judgment: reliable is a method that succeeds with most reservoirs
PLAIN, MOMENTUM, ADAM = "gradient descent", "with momentum", "Adam"
EVERY = 10  # steps between two looks


def _conditions(rows):
    """Estimate the condition number to two digits, by penalty."""
    return {
        penalty: Estimate(
            *(
                float(f"{end:.2g}")
                for end in Estimate.geometric(row["condition"] for row in where(mine, method=PLAIN))
            )
        )
        for penalty, mine in grouped(rows, "penalty").items()
    }


def _arrives(rows):
    """Estimate the share of reservoirs for which all starts come near the minimum."""
    return Estimate.rate(row["near"] == row["starts"] for row in rows)


def _steps(rows):
    """Write the steps that a method needs, or how many starts arrive."""
    reached, starts = (sum(row[key] for row in rows) for key in ("near", "starts"))
    if reached < starts:
        return f"{reached} of {starts} starts reach it"
    return f"{Estimate.geometric(row['steps'] for row in rows):.0f}"


def table(rows):
    """Tabulate the steps until the criterion is near its minimum, by condition number."""
    steps = crossed(rows, "penalty", "method", _steps)
    condition = _conditions(rows)
    return [{"condition number": f"{condition[line['penalty']]:,.0f}"} | line for line in steps]


def numbers(rows):
    """Steps to the closed form's minimum, by penalty and method, and how far away weights end."""
    seen = grouped(rows, "penalty", "method")
    condition = _conditions(rows)
    fails = {}
    for (penalty, method), mine in seen.items():
        reached, starts = (sum(row[key] for row in mine) for key in ("near", "starts"))
        if reached < starts:
            fails.setdefault(method, []).append(condition[penalty].value)
    largest = max(condition)
    return {
        "largest_penalty": largest,
        "steps": Estimate.geometric(row["steps"] for row in seen[largest, PLAIN]),
        "cap": rows[0]["cap"],
        "fails": {method: either(each, ",.0f") for method, each in fails.items()},
        "arrives": {
            method: min(_arrives(some) for some in grouped(mine, "penalty").values())
            for method, mine in grouped(rows, "method").items()
        },
        "momentum_apart": max(row["apart"] for row in where(rows, method=MOMENTUM)),
        "adam_apart": np.median([row["apart"] for row in where(rows, method=ADAM)]),
        "edges": at_edges(rows, "method", "penalty", each="{}, penalty {:g}"),
    }


def data(rows):
    """Return the steps over the condition number; the limit is the most that were tried."""
    series = {method: [] for method in grouped(rows, "method")}
    for (method, _), mine in grouped(rows, "method", "penalty").items():
        condition = np.exp(np.mean([np.log(row["condition"]) for row in mine]))
        steps = Estimate.geometric(row["steps"] for row in mine)
        series[method].append({"condition": round(condition, -2), **steps._asdict()})
    return claim_curves(
        series,
        "condition",
        "value",
        question="How many steps does each method need, by the condition number?",
        xlabel="condition number of the criterion",
        unit="steps",
        spread=INTERVAL,
        ylabel="steps to 1 % of the minimum",
        log="xy",
        marks=[(rows[0]["cap"], "limit")],
    )


_SETTINGS = {"n_h": 50, "n_steps": 2000, "washout": 200, "starts": 5}


@experiment(
    claim="Where only the output weights are learned, the training criterion is convex, and simple "
    "learning algorithms, such as gradient descent, solve it reliably.",
    source="Goodfellow et al. 10.8",
    quick={
        "seeds": 4, "choosing": 1, "first": 1, **_SETTINGS, "cap": 20_000, "penalties": [1.0],
        "etas": [0.1],
    },
    full={
        "seeds": 12, "choosing": 3, "first": 3, **_SETTINGS, "cap": 100_000,
        "penalties": [1.0, 1e-2, 1e-4], "etas": [0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0],
    },
    numbers=numbers,
    headline=(
        "steps",
        "steps of gradient descent until the criterion is within 1 % of its minimum, penalty "
        "{largest_penalty:g}",
    ),
    finding={
        "holds": f"From every start, all methods come within {NEAR:.0%} of the minimum.",
        "holds in part": f"From every start, momentum and Adam come within {NEAR:.0%} of the "
        "minimum, but plain gradient descent doesn't if the problem is badly conditioned.",
        "does not hold": f"No method comes within {NEAR:.0%} of the minimum from every start.",
    },
    verdict=Verdict(
        holds=(
            lambda n: all(share.low > MOST for share in n.arrives.values()),
            "Holds. All methods come near the minimum.",
        ),
        in_part=(
            lambda n: all(
                share.high < MOST if method == PLAIN else share.low > MOST
                for method, share in n.arrives.items()
            ),
            "Holds in part, if the method suits the conditioning. Gradient descent fails at a "
            "condition "
            f"number of {{fails[{PLAIN}]}}.",
        ),
        fails=(
            lambda n: all(share.high < MOST for share in n.arrives.values()),
            "Does not hold. For most reservoirs, no method comes near the minimum from every "
            "start.",
        ),
    ),
    saw=[
        "Each method has {cap} steps. With momentum, followed until the excess over the minimum is "
        f"{THERE:g} of it, the weights end within {{momentum_apart:.1g}} of those of the closed "
        "form, relative to their size.",
        f"Those of Adam, followed until the excess is {NEAR:g}, are still {{adam_apart:.2g}} away: "
        "the valley is flat.",
        AT_EDGES,
    ],
    table={f"Steps until the criterion is within {NEAR:.0%} of its minimum": table},
    data=data,
)  # fmt: skip
def run(config, seeds):
    """Learn the readouts of reservoirs of 50 units for NARMA-10 in closed form and, from 5 random
    starts each, by gradient descent on all 2000 steps at once: plain and with momentum, both at
    the best constant rate that the Hessian's eigenvalues allow, and with Adam at the rate that was
    fastest on 3 other seeds.
    """
    return Readouts().run(config, seeds)


class Readouts(Contest):
    """Methods that learn the readouts of the same reservoirs, each at its best rate."""

    columns = "penalty", "method"

    def cells(self, config):
        """Pair each penalty with Adam, whose rate has to be chosen."""
        return [(penalty, ADAM) for penalty in config["penalties"]]

    def choices(self, config):
        """Add the methods whose rate follows from the eigenvalues."""
        chosen = super().choices(config)
        cells = product(config["penalties"], (PLAIN, MOMENTUM, ADAM))
        return {cell: chosen.get(cell, Choice(None, {}, at_edge=False)) for cell in cells}

    def train(self, config, cell, settings, seeds):
        """Descend on the criterion of each reservoir; return the rows."""
        return [_one(*cell, eta, config, seed) for eta in settings for seed in seeds]

    def score(self, config, cell, made, seeds):
        """Return minus the steps until the criterion is near its minimum."""
        return -np.array([row["steps"] for row in made])

    def rows(self, config, cell, made, seeds, scores):
        """Return the rows of `train`."""
        return made


def _one(penalty, method, eta, config, seed):
    """Steps from several starts until the criterion of one reservoir is near its minimum."""
    weights, heard, drawn = np.random.default_rng(seed).spawn(3)
    H, y, best = _problem(config, penalty, weights, heard)
    ridge = np.diag([penalty] * config["n_h"] + [0.0])  # the bias is not penalised
    hessian, pull = (H.T @ H + ridge) / len(H), H.T @ y / len(H)
    least = np.mean((y - H @ best) ** 2) + (best.T @ ridge @ best).item() / len(H)
    eigenvalues = np.linalg.eigvalsh(hessian)
    w = drawn.normal(0, config["n_h"] ** -0.5, (len(best), config["starts"]))
    move = _method(method, eta, eigenvalues[0], eigenvalues[-1])
    steps = np.full(config["starts"], np.inf)
    for step in range(1, config["cap"] + 1):
        w = move(w, hessian @ w - pull, step)
        if step % EVERY == 0:
            excess = np.einsum("is,ij,js->s", w - best, hessian, w - best) / least
            steps = np.where((excess < NEAR) & (steps > step), step, steps)
            if (excess < (NEAR if method == ADAM else THERE)).all():  # Adam never rests
                break
    reached = np.isfinite(steps)
    return {
        "seed": seed,
        "condition": eigenvalues[-1] / eigenvalues[0],
        "near": int(reached.sum()),
        "starts": config["starts"],
        "steps": np.where(reached, steps, config["cap"]).mean(),
        "excess": excess.max(),
        "apart": (np.linalg.norm(w - best, axis=0) / np.linalg.norm(best)).max(),
        "cap": config["cap"],
    }


def _problem(config, penalty, weights, heard):
    """States with a column of ones, targets, and the weights of the closed form."""
    x, y = narma10(config["washout"] + config["n_steps"], heard)
    params = init_reservoir(1, config["n_h"], weights, input_scale=0.3)
    states = reservoir_states(params, (x - x.mean()) / x.std())[config["washout"] :]
    y = y[config["washout"] :]
    readout = ridge_readout(states, y, penalty)
    H, best = np.c_[states, np.ones(len(states))], np.c_[readout["V"], readout["c"]].T
    return H, y, best


def _method(method, eta, least, largest):
    """What takes a step: ``move(w, gradient, step)``. The gradient is half the criterion's."""
    velocity = 0.0
    memory = {}

    def plain(w, g, step):
        return w - 2 / (least + largest) * g

    def momentum(w, g, step):
        nonlocal velocity
        root = np.sqrt([least, largest])
        keep = ((root[1] - root[0]) / root.sum()) ** 2
        velocity = keep * velocity - 4 / root.sum() ** 2 * g
        return w + velocity

    def adam(w, g, step):
        return optimizer.update({"w": w}, {"w": g}, memory, step)["w"]

    optimizer = Adam(eta or 1.0)
    return {PLAIN: plain, MOMENTUM: momentum, ADAM: adam}[method]
