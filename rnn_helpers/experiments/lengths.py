"""Up to what length networks learn, each way to begin at the learning rate that suits it."""

from collections.abc import Sequence

import numpy as np

from rnn_helpers.experiments.choose import choose
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.experiments.success import SUCCESS, Attempts, start
from rnn_helpers.experiments.words import crossed, grouped, listed, where
from rnn_helpers.tasks import Latch, SameOpposite, accuracy, character_model
from rnn_helpers.training import fit

STARTS = {
    "default": ("default", None),
    "Gaussian, radius 0.5": ("gaussian", 0.5),
    "identity": ("identity", None),
    "orthogonal": ("orthogonal", None),
}
_TEST_SEQUENCES = 500


def by_length(
    task: Latch | SameOpposite, optimizer: type[AdamEach], config: dict, seeds: Sequence[int]
) -> list[dict]:
    """Choose a learning rate for each way to begin and length, and count who learns with it.

    Parameters
    ----------
    task : Latch or SameOpposite
        What they learn.
    optimizer : type
        `AdamEach` or `SGDEach`.
    config : dict
        ``starts``, some of `STARTS`, and ``lengths``; ``n_h``, ``batch_size`` and
        ``steps``; ``clip``, the norm above which gradients are scaled down; of the choice the
        ladder of rates ``etas``, how many are tried ``first``, and ``choosing``, on how many seeds.
    seeds : sequence of int
        Those of the result.

    Returns
    -------
    list of dict
        For each length and start the rate ``eta``, whether it is ``at_edge`` of those ``tried``, to
        each of which its mean score is given, and the columns of `Attempts.row`.
    """
    rows = []
    for length in config["lengths"]:

        def score(tries, others, length=length):
            right = _right(task, optimizer, length, tries, others, config)
            return np.minimum(right, SUCCESS)  # learned is learned: ties go to the middle

        ladders = dict.fromkeys(config["starts"], config["etas"])
        chosen = choose(ladders, score, first=config["first"], seeds=config["choosing"])
        tries = [(name, choice.setting) for name, choice in chosen.items()]
        right = _right(task, optimizer, length, tries, seeds, config)
        rows += [
            {
                "start": name,
                "length": length,
                "eta": choice.setting,
                "at_edge": choice.at_edge,
                "tried": choice.tried,
                **Attempts(np.array([config["steps"]]), each[None], {}).row(),
            }
            for (name, choice), each in zip(chosen.items(), right, strict=True)
        ]
    return rows


def _right(task, optimizer, length, tries, seeds, config) -> np.ndarray:
    """Train a network for each start and rate and each seed; shares of right answers."""
    begun = [
        start(task, kind, seeds, n_h=config["n_h"], radius=radius)
        for kind, radius in (STARTS[name] for name, _ in tries)
    ]
    params = {name: np.concatenate([p[name] for p, _ in begun]) for name in begun[0][0]}
    rates = [eta for _, eta in tries for _ in seeds]
    made = fit(
        character_model(),
        params,
        task.batches(length, config["batch_size"], [data for _, each in begun for data in each]),
        steps=config["steps"],
        optimizer=optimizer(rates, config["steps"]),
        clip=config["clip"],
    )
    # the same for all and new to all, and others where a rate is chosen
    test = next(task.batches(length, _TEST_SEQUENCES, seed=seeds[0]))
    return accuracy(made.params, test).reshape(len(tries), -1)


def counts(rows: Sequence[dict], column: str = "successes") -> dict[str, dict[int, float]]:
    """Gather a column by initialization and length, so that a template can name one value."""
    return {
        name: {row["length"]: row[column] for row in mine}
        for name, mine in grouped(rows, "start").items()
    }


def learned_by_length(rows: Sequence[dict]) -> list[dict]:
    """Tabulate how many networks learn, by initialization and length."""
    return _table(rows, "{successes} of {of}")


def rates_by_length(rows: Sequence[dict]) -> list[dict]:
    """Tabulate the chosen learning rate by initialization and length."""
    return _table(rows, "{eta:g}")


def _table(rows, template):
    def cell(some):
        return template.format(**some[0])

    return crossed(rows, "start", "length", cell, heading="initialization", each="{} steps")


def at_edges(rows: Sequence[dict]) -> str:
    """Write which rates are the first or last of the ladder: ``identity at length 200 (0.1)``."""
    return listed("{start} at length {length} ({eta:g})", where(rows, at_edge=True))


def shares_by_length(curves: dict[str, Sequence[dict]]):
    """Draw the share that learns over the length, with its interval, for the rows of each curve.

    Returns
    -------
    rnn_helpers.plots.Plot
    """
    from rnn_helpers.plots.curves import claim_curves

    words = {"xlabel": "length of the sequence", "ylabel": "share that learn"}
    return claim_curves(curves, "length", "rate", log="x", **words)
