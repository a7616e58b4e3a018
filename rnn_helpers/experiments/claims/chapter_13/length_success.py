"""Up to what length does plain gradient descent train a recurrent network? (section 10.7)"""

from rnn_helpers.experiments import experiment
from rnn_helpers.experiments.success import attempts, counts, shares_by_length
from rnn_helpers.experiments.words import Estimate, grouped, listed, where
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

SMALL_RATE = 0.1  # of the two that were tried


def numbers(rows):
    """Networks that learned, by start and length; of the rates, at the smaller one."""
    default = where(rows, task="first", start="default")
    slow = where(rows, task="first", eta=SMALL_RATE)
    longest = max(row["length"] for row in default)
    share = {(row["start"], row["length"]): Estimate.stored(row) for row in slow}
    marked = where(rows, task="marked", start="orthogonal", length=20)
    return {
        "of": rows[0]["of"],
        "default": share["default", 20],
        "default_later": share["default", min(30, longest)],
        "orthogonal_later": share["orthogonal", min(30, longest)],
        "orthogonal_marked": Estimate.stored(marked[0]) if marked else None,
        "rates": listed("{:g}", zip(grouped(default, "eta")), " or "),
        "falls": listed(
            "{successes} of {of} over {length} steps",
            (row for row in where(slow, start="default") if row["length"] in (20, longest)),
            " and ",
        ),
        "slow": counts(slow),
        "fast": counts(where(rows, task="first", eta=0.5)),
        "marked": counts(where(rows, task="marked")),
    }


def plot(rows):
    """Draw the share that learns over the length, for three starts at the smaller rate."""
    rows = where(rows, task="first", eta=SMALL_RATE)
    return shares_by_length(rows, ["default", "Gaussian, radius 0.5", "orthogonal"])


def _others_learn(n):
    """Whether those begun orthogonal learn more often where most begun small fail."""
    return n.default_later.low <= 0.5 and n.orthogonal_later.low > n.default_later.high


_ONLY_SMALL = (
    "holds if the learning rate is {rates} (no other was tried) and the recurrent weights begin "
    "small, as PyTorch's do, with a spectral radius near 0.6: then {falls} learn; begun "
    "orthogonal, most networks learn where these fail"
)


_SETTINGS = {"n_h": 10, "batch_size": 16}


@experiment(
    claim="As the span of the dependency grows, the probability that stochastic gradient descent "
    "trains a simple recurrent network falls to 0, for sequences of only 10 or 20 steps.",
    source="Goodfellow et al. 10.7, after Bengio et al. 1994 (P22)",
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
    numbers=numbers,
    headline=("default", f"success at length 20, default, eta = {SMALL_RATE}"),
    verdict=[
        (
            lambda n: _others_learn(n) and n.orthogonal_marked and n.orthogonal_marked.high < 0.5,
            f"{_ONLY_SMALL}, but only if the value always comes at the same step",
        ),
        (_others_learn, _ONLY_SMALL),
    ],
    saw=[
        f"Of {{of}} networks learned, at eta = {SMALL_RATE}: {{slow}}.",
        (lambda n: n.fast, "At eta = 0.5: {fast}."),
        (
            lambda n: n.marked,
            "Where the value may come at any of the first 5 steps, and a second input marks it "
            f"(eta = {SMALL_RATE}): {{marked}}.",
        ),
    ],
    plot=plot,
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
