"""What is found at which places of a sentence, by networks that share weights, and not."""

import numpy as np

from rnn_helpers.palette import colour
from rnn_helpers.plots.plot import COLOUR_MAPS, Plot, style, subplots
from rnn_helpers.validate import as_array, as_count, as_list, as_real


def places_found(found, met, *, of, names, words, said=None, told=None):
    """Draw at which places of a sentence each network finds something, and has met it in training.

    Parameters
    ----------
    found : array_like of int, shape (k, T)
        For each network how many of the things it finds if they stand at a place.
    met : array_like of bool, shape (k, T)
        Whether the weights of a place have met one of them in training.
    of : int
        How many things there are, at least 1.
    names : sequence of str
        Names of the k networks.
    words : sequence of str
        The T words of the sentence.
    said : sequence of str, optional
        What each network says of the sentence.
    told : array_like of bool, shape (T,), optional
        The places at which to say what is found; by default all. What a reader is to predict is
        left out.

    Returns
    -------
    Plot
    """
    of, met = as_count("of", of), as_array("met", met)
    found = as_real("found", found)
    names, words = as_list("names", names), as_list("words", words)
    said = [""] * len(names) if said is None else as_list("said", said)
    shape = len(names), len(words)
    if found.shape != shape or met.shape != shape or 0 in shape or len(said) != len(names):
        raise ValueError(
            f"found, met and said have shapes {found.shape}, {met.shape} and {(len(said),)}; "
            f"expected {shape} twice, by names and words, and {shape[:1]}"
        )
    if met.dtype != bool or not ((found >= 0) & (found <= of)).all():
        raise ValueError(f"found or met is out of range; expected 0 to {of}, and True or False")
    k, T = shape
    open_ = np.ones(T, bool) if told is None else as_array("told", told)
    if open_.shape != (T,) or open_.dtype != bool:
        raise ValueError(f"told is {told!r:.80}; expected True or False for each of {T} words")
    sayings = [
        f"{name} finds all {of} at "
        + (", ".join(f"{t}" for t in 1 + np.flatnonzero(open_ & (row == of))) or "no place")
        + (f" and says {answer}" if answer else "")
        for name, row, answer in zip(names, found, said, strict=True)
    ]
    with style():
        figure, axes = subplots(height=0.75 * k + 0.9)
        axes.imshow(
            np.where(open_, found / of, np.nan),
            cmap=COLOUR_MAPS["amount", "light"],
            vmin=0,
            vmax=2.2,  # so that a word in ink can be read on the fullest
            aspect="auto",
        )
        for (i, t), share in np.ndenumerate(found):
            words_on = {"ha": "center", "va": "center", "color": colour("ink")}
            if open_[t]:
                axes.text(t, i - 0.15, f"{share:g}/{of}" if T <= 8 else f"{share:g}", **words_on)
            face = colour("parameter") if met[i, t] else "none"
            axes.plot(t, i + 0.27, "o", mfc=face, mec=colour("parameter"), markersize=5)
        axes.set_yticks(
            range(k), [f"{n}\n{s}" if s else n for n, s in zip(names, said, strict=True)]
        )
        angle = 0 if T <= 7 else 60
        axes.set_xticks(range(T), [f"{w}" for w in words], rotation=angle)
        axes.grid(False)
        axes.spines[:].set_visible(False)
        axes.set_title(f"found, of {of}, by place; dot: met there in training", fontsize=10)
        return Plot(figure, f"The sentence: {' '.join(map(str, words))}. {'; '.join(sayings)}.")
