"""PyTorch networks that learn a text, trained as in the experiments on language models."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from rnn_helpers.experiments.contest import Cell, Contest
from rnn_helpers.tasks import Corpus, characters, minibatches
from rnn_helpers.training import Adam, fit


class Learned:
    """A network that learned the training part of a text, state carried along, gradient cut.

    Adam, at a rate that falls linearly to 0, gradients of norm at most 1.

    Parameters
    ----------
    network : {"RNN", "GRU", "LSTM"}
        Its kind, by the name it has in `rnn_helpers.nets`.
    corpus : Corpus
        The text.
    eta : float
        Learning rate at first.
    seed : int
        Chooses the weights it begins with, and the minibatches.
    config : dict
        ``n_h`` units; ``steps`` minibatches of ``batch_size`` pieces of ``T`` characters.
    on_step : callable, optional
        Called after every step, as by `rnn_helpers.training.fit`. Parameters that it kept may
        replace ``params``, to restore the network at that step.
    """

    def __init__(
        self,
        network,
        corpus,
        eta: float,
        seed: int,
        config: dict,
        on_step: Callable | None = None,
    ):
        from rnn_helpers import nets  # results are read where there is no torch

        n = len(corpus.alphabet)
        steps = config["steps"]
        self.net = getattr(nets, network)(n, config["n_h"], n, seed=seed)
        made = fit(
            self.net.loss_and_grads,
            self.net.params(),
            minibatches(corpus.train, config["T"], config["batch_size"], seed, contiguous=True),
            steps=steps,
            optimizer=Adam(lambda step: eta * (1 - (step - 1) / steps)),
            clip=1.0,
            carry_state=True,
            on_step=on_step,
        )
        self.params = made.params

    def outputs(self, tokens: np.ndarray, state=None) -> tuple[np.ndarray, object]:
        """Outputs after tokens (T, B), and the state after the last."""
        import torch
        from torch.func import functional_call

        with torch.no_grad():
            leaves = {name: torch.from_numpy(array) for name, array in self.params.items()}
            o, state = functional_call(self.net, leaves, (torch.tensor(tokens), state))
        return o.numpy(), state

    def bits(self, tokens: np.ndarray) -> float:
        """Bits for each character of a text but the first, given all before it."""
        o, _ = self.outputs(tokens[:-1, None])
        o = o[:, 0] - o[:, 0].max(axis=1, keepdims=True)
        log_p = o[np.arange(len(o)), tokens[1:]] - np.log(np.exp(o).sum(axis=1))
        return float(-log_p.mean(dtype=float) / np.log(2))

    def write(
        self, prompts: np.ndarray, temperatures: Sequence[float], length: int, seed
    ) -> np.ndarray:
        """Continue prompts (T, P) at each temperature; at 0 with the most likely character.

        Gives tokens (length, temperatures, P).
        """
        heat = np.repeat(temperatures, prompts.shape[1])[:, None].astype(np.float32)
        rng = np.random.default_rng(seed)
        read = np.tile(prompts, len(temperatures))
        state = None
        written = np.empty((length, len(heat)), dtype=np.int64)
        for t in range(length):
            o, state = self.outputs(read, state)
            # the largest of the outputs plus Gumbel noise, hot or cold, is a draw from the softmax
            noise = rng.gumbel(size=o[-1].shape).astype(np.float32)
            written[t] = (o[-1] + heat * noise).argmax(axis=1)
            read = written[t : t + 1]
        return written.reshape(length, len(temperatures), -1)


def three_parts(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """Split a text so that settings are not chosen on the part that the result is measured on.

    Parameters
    ----------
    corpus : Corpus
        Its training part is longer than its held-out part.

    Returns
    -------
    for_choice, for_result : Corpus
        Both have the same, shorter training part. Only its held-out part differs: the second has
        that of `corpus`, and the first has the piece of the same length before it.

    Raises
    ------
    ValueError
        If fewer than two characters are left for training.
    """
    cut = len(corpus.train) - len(corpus.held_out)
    if cut < 2:
        raise ValueError(
            f"corpus has {len(corpus.train)} characters to learn from and {len(corpus.held_out)} "
            "held out; expected at least two more to learn from"
        )
    for_result = replace(corpus, train=corpus.train[:cut])
    return replace(for_result, held_out=corpus.train[cut:]), for_result


class TextContest(Contest):
    """A comparison of networks that learn a text, as `Learned` trains them.

    Settings, here learning rates, are chosen by the bits per character on one part of the text. The
    rows have the bits per character on another part. See `three_parts`.
    """

    columns = ("network",)

    def cells(self, config):
        """Compare the ``networks``, each by its kind."""
        return [(network,) for network in config["networks"]]

    def corpora(self, config: dict, cell: Cell) -> tuple[Corpus, Corpus]:
        """Return the text for the choice and the one for the result, with the same training part.

        Here they are parts of ``text``, which is a name or a path for `characters`.
        """
        return three_parts(characters(config["text"]))

    def train(self, config, cell, settings, seeds):
        """Train the networks one by one on the training part."""
        corpus, _ = self.corpora(config, cell)
        return [Learned(cell[0], corpus, eta, seed, config) for eta in settings for seed in seeds]

    def bits(self, config: dict, cell: Cell, made: list, tokens: np.ndarray) -> list[float]:
        """Return each network's bits per character on a part of the text."""
        return [network.bits(tokens) for network in made]

    def score(self, config, cell, made, seeds):
        """Return minus the bits per character on the part for the choice."""
        corpus, _ = self.corpora(config, cell)
        return -np.array(self.bits(config, cell, made, corpus.held_out))

    def rows(self, config, cell, made, seeds, scores):
        """Return the bits per character on the part for the result."""
        _, corpus = self.corpora(config, cell)
        bits = self.bits(config, cell, made, corpus.held_out)
        return [{"seed": seed, "bits": each} for seed, each in zip(seeds, bits, strict=True)]
