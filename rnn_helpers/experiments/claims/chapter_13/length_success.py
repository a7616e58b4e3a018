"""Up to what length does plain gradient descent train a recurrent network? (section 10.7)"""

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.success import attempts, counts
from rnn_helpers.tasks import Latch
from rnn_helpers.training import SGD

STARTS = {
    "default": ("default", None),
    "Gaussian, radius 0.5": ("gaussian", 0.5),
    "Gaussian, radius 1": ("gaussian", 1.0),
    "identity": ("identity", None),
    "orthogonal": ("orthogonal", None),
}
# The value to hold may come at any of the first steps, and a second input marks it.
TASKS = {"first": Latch(), "marked": Latch(onset=4, marker=True)}


def summarise(rows):
    """Take the success of PyTorch's way to begin at length 20, and follow it and the others on."""

    def those(task, eta):
        return [row for row in rows if (row["task"], row["eta"]) == (task, eta)]

    def at(length, task="first"):
        return {row["start"]: row for row in those(task, 0.1) if row["length"] == length}

    twenty, later, marked = at(20), at(30) or at(20), at(20, "marked")
    text = f"Of {rows[0]['of']} networks learned, at eta = 0.1: {counts(those('first', 0.1))}."
    if those("first", 0.5):
        text += f" At eta = 0.5: {counts(those('first', 0.5))}."
    if marked:
        text += (
            " Where the value may come at any of the first 5 steps, and a second input marks it "
            f"(eta = 0.1): {counts(those('marked', 0.1))}."
        )
    default = [row for row in rows if (row["task"], row["start"]) == ("first", "default")]
    rates = " or ".join(f"{eta:g}" for eta in dict.fromkeys(row["eta"] for row in default))
    tried = f"holds if the learning rate is {rates} (no other was tried)"
    if later["default"]["low"] > 0.5:
        verdict = "does not hold"
    elif later["orthogonal"]["low"] <= later["default"]["high"]:
        verdict = tried
    else:
        falls = " and ".join(
            f"{row['successes']} of {row['of']} over {row['length']} steps"
            for row in default
            if row["eta"] == 0.1 and row["length"] in (20, max(r["length"] for r in default))
        )
        verdict = (
            f"{tried} and the recurrent weights begin small, as PyTorch's do, with a spectral "
            f"radius near 0.6: then {falls} learn; begun orthogonal, most networks learn where "
            "these fail"
        )
        if marked and marked["orthogonal"]["high"] < 0.5:
            verdict += ", but only if the value always comes at the same step"
    return Summary(
        twenty["default"]["rate"],
        twenty["default"]["low"],
        twenty["default"]["high"],
        "success at length 20, default, eta = 0.1",
        verdict,
        text,
    )


_SETTINGS = {"n_h": 10, "batch_size": 16}


@experiment(
    "length-success",
    claim="As the span of the dependency grows, the probability that stochastic gradient descent "
    "trains a simple recurrent network falls to 0, for sequences of only 10 or 20 steps.",
    source="Goodfellow et al. 10.7, after Bengio et al. 1994 (P22)",
    chapter="13",
    quick={
        "seeds": 10,
        "steps": 400,
        **_SETTINGS,
        "series": [["first", 0.1, "default", [20]], ["first", 0.1, "orthogonal", [20]]],
    },
    full={
        "seeds": 20,
        "steps": 1500,
        **_SETTINGS,
        "series": [
            ["first", 0.1, "default", [10, 15, 20, 30, 50]],
            ["first", 0.1, "Gaussian, radius 0.5", [10, 15, 20, 30, 50]],
            ["first", 0.1, "Gaussian, radius 1", [10, 15, 20, 30, 50]],
            ["first", 0.1, "identity", [10, 15, 20, 30, 50]],
            ["first", 0.1, "orthogonal", [10, 15, 20, 30, 50]],
            ["first", 0.5, "default", [10, 15, 20, 30, 50]],
            ["first", 0.5, "orthogonal", [10, 15, 20, 30, 50]],
            ["marked", 0.1, "default", [6, 10, 20]],
            ["marked", 0.1, "orthogonal", [6, 10, 20]],
        ],
    },
    summarise=summarise,
)
def run(config, seeds):
    """Train tanh networks of 10 units for 1500 steps of plain gradient descent, at a rate of 0.1
    (two of the starts also at 0.5) and without clipping, to hold one bit, the sign of the first
    input, through noise of deviation 0.2, for several lengths and ways to begin the recurrent
    weights; count those that get more than 95 % of new sequences right.
    """
    return [
        _point(task, eta, start, length, config, seeds)
        for task, eta, start, lengths in config["series"]
        for length in lengths
    ]


def _point(task: str, eta: float, start: str, length: int, config: dict, seeds: list) -> dict:
    """Train a network for each seed, side by side, and count."""
    kind, radius = STARTS[start]
    (made,) = attempts(
        TASKS[task],
        length,
        kind,
        radius=radius,
        seeds=seeds,
        n_h=config["n_h"],
        batch_size=config["batch_size"],
        optimizer=SGD(eta),
        steps=config["steps"],
    )
    return {"task": task, "eta": eta, "start": start, "length": length, **made.row()}
