"""Train encoders and decoders to reverse lines of digits."""

from collections.abc import Sequence

from rnn_helpers.experiments.contest import Contest
from rnn_helpers.experiments.rates import trained
from rnn_helpers.tasks import Reversal

SYMBOLS = 10


def reversing(
    n_h: int,
    n_c: int,
    etas: Sequence[float],
    seeds: Sequence[int],
    config: dict,
    *,
    looks: bool = False,
    backwards: bool = False,
) -> tuple:
    """Train pairs of networks to reverse digits, as `trained` does.

    Parameters
    ----------
    n_h, n_c : int
        Units, and numbers in the context or in an annotation.
    etas : sequence of float
    seeds : sequence of int
    config : dict
        ``longest``, digits of a line; ``batch_size`` and ``steps``.
    looks : bool
        Whether the decoder has attention.
    backwards : bool
        Whether the encoder reads the line backwards, so that the output has the order of its input.
    """
    from rnn_helpers.nets import Translator

    task = Reversal(2, config["longest"], SYMBOLS)
    return trained(
        lambda each: Translator(SYMBOLS, n_h, n_c, SYMBOLS + 1, each, looks),
        lambda each: task.batches(config["batch_size"], each, backwards=backwards),
        etas,
        seeds,
        config["steps"],
    )


class Reversing(Contest):
    """Pairs of networks that reverse digits, chosen by the longest lines of the training.

    ``longest`` is the number of their digits, and ``written`` the number of lines of a test.
    """

    test_size = "written"

    def batches(self, config, cell, size, seeds):
        """Draw lines of two digits to the longest."""
        return Reversal(2, config["longest"], SYMBOLS).batches(size, seeds)

    def score(self, config, cell, made, seeds):
        """Return the share of the longest lines that each pair writes correctly."""
        return self.right(config, made, config["longest"], seeds)

    def right(self, config: dict, made: tuple, length: int, seeds: Sequence[int]):
        """Return the share of new lines of some length that each pair writes correctly."""
        net, params = made
        task = Reversal(length, length, SYMBOLS)
        streams = [[seed, 3] for seed in seeds]
        return net.accuracy(params, next(task.batches(config[self.test_size], streams)))
