"""Train encoders and decoders to write dates as yyyy-mm-dd."""

import numpy as np

from rnn_helpers.experiments.contest import Contest, norm_preserving
from rnn_helpers.experiments.rates import AdamEach
from rnn_helpers.tasks import Dates
from rnn_helpers.training import fit

LOOKS, FIXED, ORTHOGONAL = "looks back", "one vector", "one vector, orthogonal start"
WAYS = {LOOKS: (20, 20), FIXED: (21, 20), ORTHOGONAL: (21, 20)}
"""Units, and numbers in an annotation; the first has 3 % fewer weights."""
TASK = Dates()


class Learning(Contest):
    """Networks that learn to write dates, chosen by the correct ones over the whole training."""

    columns = ("way",)

    def cells(self, config):
        """Name each way to pass on a text."""
        return [(way,) for way in WAYS]

    def net(self, config, cell, seeds):
        """Make networks with attention or with one vector."""
        from rnn_helpers.nets import Translator

        looks, sizes = cell[0] == LOOKS, WAYS[cell[0]]
        return Translator(len(TASK.alphabet), *sizes, TASK.END + 1, seeds, looks, both_ways=True)

    def params(self, config, cell, net, seeds):
        """Make the recurrent matrices of one kind orthogonal."""
        params = net.params()
        square = [
            name for name in params if name.startswith(("layers.0.W", "layers.1.W", "writer.W"))
        ]
        return norm_preserving(params, square, seeds) if cell[0] == ORTHOGONAL else params

    def batches(self, config, cell, size, seeds):
        """Draw texts, dates and the lengths of the texts."""
        return ((x, y, lengths) for x, lengths, y in TASK.batches(size, seeds))

    def train(self, config, cell, settings, seeds):
        """Train the networks, and also return their shares of correct dates during training."""
        each = [seed for _ in settings for seed in seeds]
        net = self.net(config, cell, each)
        test = of_one_meaning(config["tested"], each)
        shares = []

        def watch(step, params, loss):
            if step % config["every"] == 0:
                shares.append(net.accuracy(params, test))

        made = fit(
            net.loss_and_grads,
            self.params(config, cell, net, each),
            self.batches(config, cell, config["batch_size"], [[seed, 2] for seed in each]),
            steps=config["steps"],
            optimizer=AdamEach(np.repeat(settings, len(seeds)), config["steps"]),
            clip=1.0,
            on_step=watch,
        )
        return net, made.params, shares

    def score(self, config, cell, made, seeds):
        """Average the share of correct dates over the training."""
        return np.mean(made[-1], axis=0)

    def rows(self, config, cell, made, seeds, scores):
        """Return one row for each network and test."""
        _, params, shares = made
        weights = sum(array[0].size for array in params.values())
        return [
            {"seed": seed, "step": (k + 1) * config["every"], "right": float(one)}
            | {"weights": weights}
            for k, each in enumerate(shares)
            for seed, one in zip(seeds, each, strict=True)
        ]


def of_one_meaning(n: int, seeds) -> tuple:
    """Return n new texts with one meaning for each seed: symbols, dates and lengths."""
    found = []
    for seed in seeds:
        texts, dates = TASK.pairs(2 * n, np.random.default_rng([seed, 3]))
        clear = [
            pair for pair in zip(texts, dates, strict=True) if len(TASK.readings(pair[0])) == 1
        ]
        found += clear[:n]
    texts, dates = zip(*found, strict=True)
    x, lengths = TASK.encode(texts)
    y, shape = TASK.encode_dates(dates), (len(seeds), n)
    return x.reshape(-1, *shape), y.reshape(-1, *shape), lengths.reshape(shape)
