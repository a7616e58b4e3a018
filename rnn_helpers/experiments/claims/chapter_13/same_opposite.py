"""Does a network learn to compare the end of a sequence with its beginning? (Favaro's example)"""

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.success import attempts, counts, shares_by_length
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
from rnn_helpers.tasks import SameOpposite
from rnn_helpers.training import Adam


def numbers(rows):
    """Networks that learned, at each rate, over 20 steps and over the most that both starts had."""
    share = {(row["eta"], row["start"], row["length"]): row for row in rows}
    rates = list(grouped(rows, "eta"))
    eta = rows[0]["eta"]
    length = min(
        max(row["length"] for row in where(rows, start=start))
        for start in ("default", "orthogonal")
    )
    at_length = [
        (rate, share[rate, "default", length], share[rate, "orthogonal", length]) for rate in rates
    ]
    return {
        "of": rows[0]["of"],
        "eta": eta,
        "default": Estimate.stored(share[eta, "default", 20]),
        "default_later": Estimate.stored(at_length[0][1]),
        "orthogonal_later": Estimate.stored(at_length[0][2]),
        "rates": listed("{:g}", zip(rates), " or "),
        "by_rate": listed(
            "with Adam's eta = {:g}, {}", ((rate, counts(where(rows, eta=rate))) for rate in rates)
        ),
        "later": listed(
            "at {0:g} {1[successes]} of {1[of]} learn it over {1[length]} steps, begun orthogonal "
            "{2[successes]}",
            at_length,
            "; ",
        ),
    }


def plot(rows):
    """Draw the share that learns over the length, for three starts at the first rate."""
    return shares_by_length(where(rows, eta=rows[0]["eta"]), ["default", "gaussian", "orthogonal"])


_SETTINGS = {"n_h": 20, "batch_size": 16, "steps": 800}


@experiment(
    claim="Whether a sequence ends with the sign it began with is very difficult to learn, simple "
    "as the question is: the one bit from the beginning is easily lost.",
    source="Favaro, long-term dependencies (P22b)",
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
    numbers=numbers,
    headline=("default", "success at length 20, default, eta = {eta:g}"),
    verdict=[
        (
            lambda n: n.default_later.low <= 0.5 and n.orthogonal_later.low > n.default_later.high,
            "holds if the recurrent weights begin small, as PyTorch's do, and Adam's learning rate "
            "is {rates} (no other was tried): {later}",
        )
    ],
    saw=["Of {of} networks learned, {by_rate}."],
    plot=plot,
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
