"""What clipping by the joint norm does to the layers of a network."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import WIDTH, Plot, style, subplots
from rnn_helpers.plots.words import enumerated
from rnn_helpers.reference import clip_by_norm
from rnn_helpers.validate import as_positive, as_real, brief

_LAYERS = 2, 6


def clipped_layers(usual, odd, v):
    """Draw the norm of each layer's gradient in two minibatches, and in the second after clipping.

    Parameters
    ----------
    usual, odd : array_like, shape (n_layers,)
        Norms of 2 to 6 layers, none negative, the first layer first.
    v : float
        Threshold of the joint norm of all layers, above 0.
    """
    usual, odd = _norms("usual", usual), _norms("odd", odd)
    if usual.shape != odd.shape:
        raise ValueError(f"odd has {odd.size} entries; expected {usual.size}, as in usual")
    v = as_positive("v", v)
    clipped = clip_by_norm({"odd": odd}, v)[0]["odd"]
    shown = {"usual minibatch": usual, "odd minibatch": odd, "and clipped": clipped}
    with style():
        figure, axes = subplots(1, 3, width=WIDTH, height=0.9 + 0.34 * usual.size)
        for each, (name, norms) in zip(axes.ravel(), shown.items(), strict=True):
            joint = np.linalg.norm(norms)
            layers = np.arange(norms.size)
            each.barh(layers, norms, height=0.55, color=colour("gradient"))
            for layer, norm in enumerate(norms):
                each.text(norm, layer, f" {norm:.2g}", va="center", size=10)
            each.set_title(name, loc="left", color=colour("ink"))
            each.set_xlabel(f"joint norm {joint:.2g}", loc="left")
            each.set(xlim=(0, 1.25 * max(odd.max(), usual.max())), xticks=())
            each.set_yticks(layers, [f"layer {layer + 1}" for layer in layers])
            each.tick_params(length=0, labelleft=each is axes.ravel()[0])
            each.spines[["top", "right", "bottom"]].set_visible(False)
            each.grid(visible=False)
        return Plot(figure, _alt(shown, v))


def _norms(name, value):
    norms = as_real(name, value)
    low, high = _LAYERS
    if norms.ndim != 1 or not low <= norms.size <= high or (norms < 0).any():
        raise ValueError(
            f"{name} is {brief(value)}; expected {low} to {high} norms, none of them negative"
        )
    return norms


def _alt(shown, v):
    usual, odd, clipped = (
        f"{enumerated(f'{norm:.2g}' for norm in norms)} (joint norm {np.linalg.norm(norms):.2g})"
        for norms in shown.values()
    )
    return (
        "The norms of the gradients of a network's layers, the first layer first. In a usual "
        f"minibatch they are {usual}. In an odd one they are {odd}, and clipped at a joint norm "
        f"of {v:g}, they are {clipped}."
    )
