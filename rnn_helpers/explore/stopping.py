"""Train three networks to stop, on sequences of given lengths, for the lab of chapter 07."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rnn_helpers.explore.lessons import lessons
from rnn_helpers.tasks import Ends
from rnn_helpers.validate import as_choice, as_count, as_kind, brief

UNITS, BATCH, RATE, MANY = 16, 32, 0.03, 500
SHORTEST, LONGEST = 2, 20
TOLD = {"nothing": "length", "τ": "total", "τ − t": "left"}
SYMBOL, COIN = "end symbol", "coin at each step"
FIRST = {"nothing": "length, no input", "τ": "length, input τ", "τ − t": "length, input τ − t"}


class Stopped(NamedTuple):
    """How well three networks stop after some steps of training.

    Attributes
    ----------
    steps : int
        Steps of training so far.
    source : Ends
        The source of the training sequences.
    written : dict of str to list of (int, bool)
        Lengths of 500 sequences that each network wrote, and whether they end properly.
    loss : dict of str to float
        Mean loss of each network over the last steps, in nats per sequence.
    """

    steps: int
    source: Ends
    written: dict
    loss: dict


def source_of(lengths):
    """Return a source of sequences; a length that is named more often is more likely.

    Parameters
    ----------
    lengths : str
        Whole numbers from 2 to 20, separated by spaces or commas, such as ``"3 3 8"``.

    Returns
    -------
    Ends
    """
    as_kind("lengths", lengths, str, "words such as '3 3 8'")
    known = {str(length): length for length in range(SHORTEST, LONGEST + 1)}
    words = lengths.replace(",", " ").split()
    if not words or not all(word in known for word in words):
        raise ValueError(
            f"lengths is {brief(lengths)}; expected whole numbers from {SHORTEST} to {LONGEST}, "
            "such as '3 3 8'"
        )
    each = [known[word] for word in words]
    return Ends(tuple(np.bincount(each)[min(each) :].astype(float)), min(each))


def learn_to_stop(lengths, told="nothing", *, steps=250, every=50, seed=0) -> Iterator[Stopped]:
    """Train three networks side by side on sequences of the given lengths.

    All have 16 tanh units. One has an end symbol, one tosses a coin at every step but the first,
    and one draws the length first. Needs torch.

    Parameters
    ----------
    lengths : str
        As for `source_of`.
    told : {"nothing", "τ", "τ − t"}
        The third network's input about the length at every step.
    steps, every : int
        Numbers of training steps, in total and between two pictures.
    seed : int
        Seed of the weights, of the training sequences and of the written ones.
    """
    source = source_of(lengths)
    way = TOLD[as_choice("told", told, TOLD)]
    steps, every = as_count("steps", steps), as_count("every", every)
    seed = as_count("seed", seed, 0)
    ways = {SYMBOL: "symbol", COIN: "coin", FIRST[told]: way}
    return _learn(source, ways, steps, every, seed)


def _learn(source, ways, steps, every, seed):
    from rnn_helpers.nets import Stopping

    nets = {
        name: Stopping(source.n_y, UNITS, [seed], way, source.longest) for name, way in ways.items()
    }
    runs = [
        lessons(net, source.batches(BATCH, [seed]), steps=steps, every=every, rate=RATE)
        for net in nets.values()
    ]
    for parts in zip(*runs, strict=True):
        made = dict(zip(nets, parts, strict=True))
        yield Stopped(
            len(parts[0].loss),
            source,
            {name: _written(source, nets[name], so_far, seed) for name, so_far in made.items()},
            {name: float(so_far.loss[-every:].mean()) for name, so_far in made.items()},
        )


def _written(source, net, so_far, seed):
    """Return the lengths of sequences that a network writes, and whether they end properly."""
    most = 2 * LONGEST
    y, lengths = (part[..., 0, :] for part in net.write(so_far.params, MANY, seed, most))
    lengths = np.minimum(lengths, most)  # longer sequences are cut off
    return list(zip(lengths.tolist(), source.proper(y, lengths).tolist(), strict=True))
