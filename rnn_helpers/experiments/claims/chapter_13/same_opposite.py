"""Does a network learn to compare the end of a sequence with its beginning? (Favaro's example)"""

from rnn_helpers.experiments import Summary, experiment
from rnn_helpers.experiments.success import attempts, counts
from rnn_helpers.tasks import SameOpposite
from rnn_helpers.training import Adam


def summarise(rows):
    """Take the success of PyTorch's way to begin at length 20, and follow the others on."""

    def at(length, eta):
        return {row["start"]: row for row in rows if (row["length"], row["eta"]) == (length, eta)}

    eta = rows[0]["eta"]
    twenty = at(20, eta)["default"]
    text = f"Of {rows[0]['of']} networks learned"
    for rate in dict.fromkeys(row["eta"] for row in rows):
        text += f", with Adam's eta = {rate:g}, {counts([r for r in rows if r['eta'] == rate])}"
    longest = {
        start: max((row["length"] for row in rows if row["start"] == start), default=0)
        for start in ("default", "orthogonal")
    }
    length = min(longest.values())
    rates = list(dict.fromkeys(row["eta"] for row in rows))
    tried = (
        f"Adam's learning rate is {' or '.join(f'{rate:g}' for rate in rates)} (no other was tried)"
    )
    far = at(length, eta)
    if far["default"]["low"] > 0.5:
        verdict = "does not hold"
    elif far["orthogonal"]["low"] <= far["default"]["high"]:
        verdict = f"holds if {tried}"
    else:
        seen = "; ".join(
            f"at {rate:g} {made['default']['successes']} of {made['default']['of']} learn it over "
            f"{length} steps, begun orthogonal {made['orthogonal']['successes']}"
            for rate in rates
            for made in [at(length, rate)]
        )
        verdict = (
            f"holds if the recurrent weights begin small, as PyTorch's do, and {tried}: {seen}"
        )
    return Summary(
        twenty["rate"],
        twenty["low"],
        twenty["high"],
        f"success at length 20, default, eta = {eta:g}",
        verdict,
        f"{text}.",
    )


_SETTINGS = {"n_h": 20, "batch_size": 16, "steps": 800}


@experiment(
    "same-opposite",
    claim="Whether a sequence ends with the sign it began with is very difficult to learn, simple "
    "as the question is: the one bit from the beginning is easily lost.",
    source="Favaro, long-term dependencies (P22b)",
    chapter="13",
    quick={
        "seeds": 8,
        **_SETTINGS,
        "steps": 250,
        "series": [[0.003, "default", [20]], [0.003, "orthogonal", [20]]],
    },
    full={
        "seeds": 20,
        **_SETTINGS,
        "series": [
            [0.003, "default", [6, 10, 20, 40]],
            [0.003, "gaussian", [6, 10, 20, 40]],
            [0.003, "identity", [6, 10, 20, 40]],
            [0.003, "sparse", [6, 10, 20, 40]],
            [0.003, "orthogonal", [6, 10, 20, 40, 80]],
            [0.01, "default", [6, 10, 20, 40]],
            [0.01, "orthogonal", [6, 10, 20, 40]],
        ],
    },
    summarise=summarise,
)
def run(config, seeds):
    """Train tanh networks of 20 units with Adam, at a rate of 0.003 (two of the starts also at
    0.01), for 800 steps to say whether the first and the last input have the same sign, with noise
    of deviation 0.2 between them, for several lengths and ways to begin the recurrent weights;
    count those that get more than 95 % of new sequences right.
    """
    return [
        _point(eta, start, length, config, seeds)
        for eta, start, lengths in config["series"]
        for length in lengths
    ]


def _point(eta: float, start: str, length: int, config: dict, seeds: list) -> dict:
    """Train a network for each seed, side by side, and count."""
    (made,) = attempts(
        SameOpposite(),
        length,
        start,
        seeds=seeds,
        n_h=config["n_h"],
        batch_size=config["batch_size"],
        optimizer=Adam(eta),
        steps=config["steps"],
    )
    return {"eta": eta, "start": start, "length": length, **made.row()}
