"""Train the networks of the figure context, which learn a sentence for each picture."""

import numpy as np

from rnn_helpers.explore.weights import middle, rounded, scaled
from rnn_helpers.figures.context.figure import ARRAYS, DOORS, PICTURES, SENTENCES, says
from rnn_helpers.reference import context_backward, context_forward, init_context, rnn_loss
from rnn_helpers.training import Adam, fit

UNITS = 16
RATES = (0.01, 0.03)
LARGEST = 127


def make(seeds=range(5), steps=1200):
    """Train networks to write a sentence of eight letters about each of eight small pictures.

    All have 16 tanh units whose input is the letter before, in training the true one. They differ
    in the way the picture enters, and so in the number of their weights. All sentences form one
    batch. Adam's learning rate falls to 0; of two rates, we take the one whose median network has
    the smaller loss with weights rounded to 8 bits. That median network is stored.

    Parameters
    ----------
    seeds : sequence of int
        One network for each, for each way in and each rate.
    steps : int
        Steps of training.

    Returns
    -------
    dict
        ``networks``: for each way in, in the order of ``ARRAYS``, ``whole`` numbers from -127 to
        127, and the ``scales`` to multiply them by. ``training``: for each way in, the ``rate``,
        the stored network's ``loss`` in nats per letter, and its share of letters ``right``.
    """
    networks, training = {}, {}
    for door in DOORS:
        learned = [
            [rounded(_train(door, seed, r, steps), ARRAYS, LARGEST) for seed in seeds]
            for r in RATES
        ]
        losses = np.array([[loss(scaled(net, ARRAYS)) for net in nets] for nets in learned])
        best, kept = middle(losses)
        networks[door] = learned[best][kept]
        training[door] = {
            "rate": RATES[best],
            "loss": round(float(losses[best, kept]), 6),
            "right": float(right(scaled(networks[door], ARRAYS))),
        }
    return {"networks": networks, "training": training}


def loss(params):
    """Return the mean loss per letter over all sentences, in nats."""
    n = len(params["V"])
    told = {"U": params["U"][:, :n], "R": params["U"][:, n:]}
    run = context_forward(params | told, PICTURES, SENTENCES)
    return float(rnn_loss(run, SENTENCES)) / SENTENCES.size


def right(params):
    """Return the share of letters that a network gets right when it is fed its own letters."""
    said = [says(params, picture)[0] for picture in PICTURES]
    return (np.array(said).T == SENTENCES).mean()


def _train(door, seed, rate, steps):
    """Train one network, and return it with both matrices, of which one may be zero."""

    def loss_and_grads(params, batch):
        run = context_forward(params, PICTURES, SENTENCES)
        grads = context_backward(params, run, PICTURES, SENTENCES)
        each = {name: grads[name] / SENTENCES.shape[1] for name in params}
        return rnn_loss(run, SENTENCES) / SENTENCES.shape[1], each

    params = fit(
        loss_and_grads,
        init_context(PICTURES.shape[1], UNITS, 4, door, seed),
        [None] * steps,
        steps=steps,
        optimizer=Adam(lambda step: rate * (1 - (step - 1) / steps)),
        clip=1.0,
    ).params
    shut = np.zeros((UNITS, PICTURES.shape[1]))
    U = np.hstack([params["U"], params.get("R", shut)])
    return {**params, "U": U, "S": params.get("S", shut)}
